//! The parts of a state with their names, as `Debug` writes those of a state in Rust.

use std::fmt::Write as _;

use super::plain::{
    BIG, BYTES, Class, FALSE, FLOAT, Form, LONG, NEGATIVE, NOTHING, OBJECT, POSITIVE, SET, TEXT,
    TRUE, TUPLE,
};

/// Writes the data that these bytes are: tuples in `[]`, named tuples and dataclasses in `{}` with the
/// names of their fields. Of bytes that are no data it writes the beginning.
pub(super) fn write(bytes: &[u8], classes: &[Class]) -> String {
    let mut writer = Writer { rest: bytes, classes, text: String::new() };
    let _ = writer.data(None);
    writer.text
}

struct Writer<'b> {
    rest: &'b [u8],
    classes: &'b [Class],
    text: String,
}

impl<'b> Writer<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// The length that a first byte gives, or the bytes behind it.
    fn length(&mut self, first: u8) -> Option<usize> {
        match first & LONG {
            LONG => Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?) as usize),
            short => Some(usize::from(short)),
        }
    }

    /// Writes the next data. If they are a tuple, its elements have these names.
    fn data(&mut self, names: Option<&[String]>) -> Option<()> {
        let first = self.byte()?;
        match first {
            NOTHING => self.text.push_str("None"),
            FALSE => self.text.push_str("False"),
            TRUE => self.text.push_str("True"),
            BIG => {
                let first = self.byte()?;
                let length = self.length(first)?;
                let digits = self.take(length)?;
                self.text.push_str(&String::from_utf8_lossy(digits));
            }
            FLOAT => {
                let bytes = self.take(8)?.try_into().ok()?;
                let _ = write!(self.text, "{:?}", f64::from_be_bytes(bytes));
            }
            OBJECT => {
                let at = usize::from(self.byte()?);
                let classes = self.classes;
                self.data(match &classes.get(at)?.form {
                    Form::NamedTuple(fields) | Form::Dataclass(fields) => Some(fields),
                    Form::Enumeration => None,
                })?;
            }
            _ => match first & !LONG {
                TEXT => {
                    let length = self.length(first)?;
                    let text = String::from_utf8_lossy(self.take(length)?);
                    let _ = write!(self.text, "{text:?}");
                }
                BYTES => {
                    let length = self.length(first)?;
                    let own = self.take(length)?;
                    let _ = write!(self.text, "{own:?}");
                }
                TUPLE => self.items(first, names)?,
                SET => {
                    let length = self.length(first)?;
                    self.text.push('{');
                    self.elements(length, None)?;
                    self.text.push('}');
                }
                _ => self.number(first)?,
            },
        }
        Some(())
    }

    fn items(&mut self, first: u8, names: Option<&[String]>) -> Option<()> {
        let length = self.length(first)?;
        self.text.push_str(if names.is_some() { "Object {" } else { "[" });
        self.elements(length, names)?;
        self.text.push(if names.is_some() { '}' } else { ']' });
        Some(())
    }

    fn elements(&mut self, length: usize, names: Option<&[String]>) -> Option<()> {
        for at in 0..length {
            if let Some(name) = names.and_then(|names| names.get(at)) {
                let _ = write!(self.text, "{name}: ");
            }
            self.data(None)?;
            self.text.push_str(", ");
        }
        Some(())
    }

    fn number(&mut self, first: u8) -> Option<()> {
        let length = usize::from(first & 0xF).min(8);
        let mut wide = [0; 8];
        wide[8 - length..].copy_from_slice(self.take(length)?);
        let size = u64::from_be_bytes(wide) as i64;
        let number = match first & 0xF0 {
            POSITIVE => size,
            NEGATIVE => !size,
            _ => return None,
        };
        let _ = write!(self.text, "{number}");
        Some(())
    }
}
