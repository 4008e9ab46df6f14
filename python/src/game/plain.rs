//! Plain data of Python as bytes: numbers, texts, tuples, and classes made of them. Equal data have equal
//! bytes, and bytes that are no data are refused.

use std::ops::Range;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyFrozenSet, PyInt, PyString, PyTuple, PyType};
use smallvec::SmallVec;

use super::ask::short;

/// The bytes of some data.
pub(super) type Bytes = SmallVec<[u8; 32]>;

// The first byte of each kind. A number has its length, in bytes, in the first one, and short texts and
// tuples theirs.
pub(super) const NOTHING: u8 = 0x00;
pub(super) const FALSE: u8 = 0x01;
pub(super) const TRUE: u8 = 0x02;
pub(super) const POSITIVE: u8 = 0x10;
pub(super) const NEGATIVE: u8 = 0x20;
pub(super) const BIG: u8 = 0x30;
pub(super) const FLOAT: u8 = 0x31;
pub(super) const TEXT: u8 = 0x40;
pub(super) const BYTES: u8 = 0x60;
pub(super) const TUPLE: u8 = 0x80;
pub(super) const SET: u8 = 0xA0;
pub(super) const OBJECT: u8 = 0xC0;
/// A length of this or more follows in four bytes.
pub(super) const LONG: u8 = 0x1F;

/// How deep data may be nested.
const DEEPEST: usize = 64;

/// A class of which states are made.
pub(super) struct Class {
    pub(super) class: Py<PyType>,
    pub(super) form: Form,
}

/// How objects of a class become data and back.
pub(super) enum Form {
    /// A tuple with these names: `collections.namedtuple` or `typing.NamedTuple`.
    NamedTuple(Vec<String>),
    /// A frozen dataclass with these fields.
    Dataclass(Vec<String>),
    /// A member of an enumeration, by its name.
    Enumeration,
}

/// Appends the first byte of some data, with their length.
pub(super) fn with_length(first: u8, length: usize, bytes: &mut Bytes) -> PyResult<()> {
    if length < usize::from(LONG) {
        bytes.push(first | length as u8);
        return Ok(());
    }
    let length = u32::try_from(length)
        .map_err(|_| PyValueError::new_err("a part of the state is longer than 4 GiB"))?;
    bytes.push(first | LONG);
    bytes.extend_from_slice(&length.to_be_bytes());
    Ok(())
}

/// The place behind the name of a class, if data of a class begin here.
pub(super) fn skip_class(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        OBJECT => skip_class(bytes, start + 2),
        _ => Some(start),
    }
}

/// The length that data of a text, bytes, a tuple or a set have in their head, and the place behind the head.
fn head(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    match bytes.get(start)? & LONG {
        LONG => {
            let length = bytes.get(start + 1..start + 5)?.try_into().ok()?;
            Some((u32::from_be_bytes(length) as usize, start + 5))
        }
        short => Some((usize::from(short), start + 1)),
    }
}

/// The number of letters, bytes or items of the data that begin here.
pub(super) fn count(bytes: &[u8], start: usize) -> Option<usize> {
    let (length, begin) = head(bytes, start)?;
    match bytes[start] & !LONG {
        TEXT => Some(std::str::from_utf8(bytes.get(begin..begin + length)?).ok()?.chars().count()),
        _ => Some(length),
    }
}

/// The place behind the data that begin here.
pub(super) fn end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = *bytes.get(start)?;
    match first {
        NOTHING | FALSE | TRUE => Some(start + 1),
        0x10..=0x18 | 0x20..=0x28 => Some(start + 1 + usize::from(first & 0xF)),
        BIG => end(bytes, start + 1),
        FLOAT => Some(start + 9),
        OBJECT => end(bytes, start + 2),
        _ => {
            let (length, begin) = head(bytes, start)?;
            match first & !LONG {
                TEXT | BYTES => Some(begin + length),
                _ => (0..length).try_fold(begin, |at, _| end(bytes, at)),
            }
        }
    }
}

/// The letters, bytes or items of the data that begin here.
pub(super) fn parts(bytes: &[u8], start: usize) -> Option<SmallVec<[Range<usize>; 8]>> {
    let (length, begin) = head(bytes, start)?;
    let mut at = begin;
    match bytes[start] & !LONG {
        TEXT => {
            let text = std::str::from_utf8(bytes.get(begin..begin + length)?).ok()?;
            let place = |(at, letter): (usize, char)| begin + at..begin + at + letter.len_utf8();
            Some(text.char_indices().map(place).collect())
        }
        BYTES => Some((begin..begin + length).map(|at| at..at + 1).collect()),
        _ => (0..length)
            .map(|_| {
                let start = at;
                at = end(bytes, start)?;
                Some(start..at)
            })
            .collect(),
    }
}

/// Appends the bytes of some data.
pub(super) fn write(
    data: &Bound<'_, PyAny>,
    classes: &[Class],
    depth: usize,
    bytes: &mut Bytes,
) -> PyResult<()> {
    if depth > DEEPEST {
        let problem = format!("is nested more than {DEEPEST} deep");
        return Err(PyValueError::new_err(problem));
    }
    // What states are made of most often comes first. Subclasses of these types are looked up as classes.
    if data.is_exact_instance_of::<PyInt>() {
        return write_number(data, bytes);
    }
    if let Ok(tuple) = data.cast_exact::<PyTuple>() {
        with_length(TUPLE, tuple.len(), bytes)?;
        return tuple.iter().try_for_each(|item| write(&item, classes, depth + 1, bytes));
    }
    if let Ok(text) = data.cast_exact::<PyString>() {
        let text = text.to_str()?;
        with_length(TEXT, text.len(), bytes)?;
        bytes.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    if data.is_none() {
        bytes.push(NOTHING);
    } else if let Ok(truth) = data.cast_exact::<PyBool>() {
        bytes.push(if truth.is_true() { TRUE } else { FALSE });
    } else if let Ok(own) = data.cast_exact::<PyBytes>() {
        with_length(BYTES, own.as_bytes().len(), bytes)?;
        bytes.extend_from_slice(own.as_bytes());
    } else if let Ok(set) = data.cast_exact::<PyFrozenSet>() {
        let mut items = Vec::with_capacity(set.len());
        for item in set.iter() {
            let mut own = Bytes::new();
            write(&item, classes, depth + 1, &mut own)?;
            items.push(own);
        }
        // A set has no order of its own.
        items.sort_unstable();
        with_length(SET, items.len(), bytes)?;
        items.iter().for_each(|item| bytes.extend_from_slice(item));
    } else if let Ok(float) = data.cast_exact::<PyFloat>() {
        let value = float.value();
        if value.is_nan() {
            return Err(PyValueError::new_err("contains nan, which equals nothing"));
        }
        // -0.0 equals 0.0.
        bytes.push(FLOAT);
        bytes.extend_from_slice(&(value + 0.0).to_be_bytes());
    } else {
        write_object(data, classes, depth, bytes)?;
    }
    Ok(())
}

fn write_number(number: &Bound<'_, PyAny>, bytes: &mut Bytes) -> PyResult<()> {
    let Ok(value) = number.extract::<i64>() else {
        let text = number.str()?;
        let text = text.to_str()?;
        bytes.push(BIG);
        with_length(TEXT, text.len(), bytes)?;
        bytes.extend_from_slice(text.as_bytes());
        return Ok(());
    };
    write_integer(value, bytes);
    Ok(())
}

fn write_integer(value: i64, bytes: &mut Bytes) {
    let (first, length, number) = integer(value);
    bytes.push(first);
    bytes.extend_from_slice(&number.to_be_bytes()[..length]);
}

/// The first byte of a number, how many bytes follow, and these from the highest place on.
pub(super) fn integer(value: i64) -> (u8, usize, u64) {
    let (first, size) = match value {
        0.. => (POSITIVE, value as u64),
        _ => (NEGATIVE, !value as u64),
    };
    let zeros = size.leading_zeros() / 8;
    let length = 8 - zeros;
    (first | length as u8, length as usize, size.unbounded_shl(8 * zeros))
}

fn write_object(
    data: &Bound<'_, PyAny>,
    classes: &[Class],
    depth: usize,
    bytes: &mut Bytes,
) -> PyResult<()> {
    let (py, class) = (data.py(), data.get_type());
    if let Some(at) = classes.iter().position(|one| one.class.bind(py).is(&class)) {
        bytes.extend_from_slice(&[OBJECT, at as u8]);
        return match &classes[at].form {
            Form::NamedTuple(_) => {
                let tuple = data.cast::<PyTuple>()?;
                with_length(TUPLE, tuple.len(), bytes)?;
                tuple.iter().try_for_each(|item| write(&item, classes, depth + 1, bytes))
            }
            Form::Dataclass(fields) => {
                with_length(TUPLE, fields.len(), bytes)?;
                fields.iter().try_for_each(|field| {
                    write(&data.getattr(field.as_str())?, classes, depth + 1, bytes)
                })
            }
            Form::Enumeration => write(&data.getattr("name")?, classes, depth + 1, bytes),
        };
    }
    // Numbers of numpy are numbers.
    if let Ok(number) = data.call_method0("__index__") {
        return write_number(&number, bytes);
    }
    let hashable = data.hash().is_ok();
    let name = class.qualname()?;
    Err(PyTypeError::new_err(match hashable {
        true => format!(
            "{} is of the class {name}, which can't be stored: states are made of numbers, texts, \
             bytes, None, tuples, frozensets, and the named tuples, frozen dataclasses and \
             enumerations that `state_types` of the game lists",
            short(data)
        ),
        false => format!(
            "{} is of the class {name}, which can change, and is not hashable: a state is never \
             changed, so use a tuple or a frozenset",
            short(data)
        ),
    }))
}

/// Appends the bytes of the data that a text stands for, where it is a number of 64 bits or a tuple of such:
/// what `_text.parse` reads, many times as fast. Otherwise returns false, and what was appended is of no use.
pub(super) fn write_text(text: &str, bytes: &mut Bytes) -> bool {
    let mut reader = TextReader { rest: text.as_bytes() };
    reader.data(0, bytes).is_some() && reader.rest.is_empty()
}

struct TextReader<'t> {
    rest: &'t [u8],
}

impl TextReader<'_> {
    /// Takes this letter, and the blanks behind it.
    fn takes(&mut self, letter: u8) -> bool {
        let is_next = self.rest.first() == Some(&letter);
        if is_next {
            self.rest = self.rest[1..].trim_ascii_start();
        }
        is_next
    }

    fn data(&mut self, depth: usize, bytes: &mut Bytes) -> Option<()> {
        if self.takes(b'(') {
            let (mut items, mut count, mut is_tuple) = (Bytes::new(), 0, false);
            while !self.takes(b')') {
                if depth == DEEPEST || count > 0 && !is_tuple {
                    return None;
                }
                self.data(depth + 1, &mut items)?;
                count += 1;
                is_tuple = self.takes(b',') || count > 1 && self.rest.first() == Some(&b')');
            }
            // `(1)` is a number.
            if count > 0 && !is_tuple {
                return None;
            }
            with_length(TUPLE, count, bytes).ok()?;
            bytes.extend_from_slice(&items);
            return Some(());
        }
        let signs = usize::from(self.rest.first() == Some(&b'-'));
        let digits = self.rest[signs..].iter().take_while(|letter| letter.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.rest[..signs + digits]).ok()?;
        // Python takes no zeros in front.
        if digits > 1 && self.rest[signs] == b'0' {
            return None;
        }
        write_integer(number.parse().ok()?, bytes);
        self.rest = self.rest[signs + digits..].trim_ascii_start();
        Some(())
    }
}

/// The data that these bytes are, if they are no more and no less.
pub(super) fn read<'py>(
    py: Python<'py>,
    bytes: &[u8],
    classes: &[Class],
) -> PyResult<Bound<'py, PyAny>> {
    let mut reader = Reader { py, rest: bytes, classes };
    let data = reader.data(0)?;
    if reader.rest.is_empty() { Ok(data) } else { Err(malformed()) }
}

fn malformed() -> PyErr {
    PyValueError::new_err("the bytes are no state")
}

struct Reader<'b, 'py> {
    py: Python<'py>,
    rest: &'b [u8],
    classes: &'b [Class],
}

impl<'b, 'py> Reader<'b, 'py> {
    fn take(&mut self, length: usize) -> PyResult<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> PyResult<u8> {
        Ok(self.take(1)?[0])
    }

    /// The length that a first byte gives, or the bytes behind it.
    fn length(&mut self, first: u8) -> PyResult<usize> {
        match first & LONG {
            LONG => {
                let bytes = self.take(4)?.try_into().map_err(|_| malformed())?;
                Ok(u32::from_be_bytes(bytes) as usize)
            }
            short => Ok(usize::from(short)),
        }
    }

    fn text(&mut self, first: u8) -> PyResult<&'b str> {
        let length = self.length(first)?;
        std::str::from_utf8(self.take(length)?).map_err(|_| malformed())
    }

    fn items(&mut self, first: u8, depth: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let length = self.length(first)?;
        // Each item takes a byte or more.
        if length > self.rest.len() {
            return Err(malformed());
        }
        (0..length).map(|_| self.data(depth + 1)).collect()
    }

    fn data(&mut self, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        if depth > DEEPEST {
            return Err(malformed());
        }
        let py = self.py;
        let first = self.byte()?;
        Ok(match first {
            NOTHING => py.None().into_bound(py),
            FALSE | TRUE => PyBool::new(py, first == TRUE).to_owned().into_any(),
            0x10..=0x18 | 0x20..=0x28 => {
                let length = usize::from(first & 0xF);
                let mut wide = [0; 8];
                wide[8 - length..].copy_from_slice(self.take(length)?);
                let size = u64::from_be_bytes(wide);
                let value = if first >= NEGATIVE { !(size as i64) } else { size as i64 };
                value.into_pyobject(py)?.into_any()
            }
            BIG => {
                let first = self.byte()?;
                let text = self.text(first)?;
                py.get_type::<PyInt>().call1((text,))?
            }
            FLOAT => {
                let bytes = self.take(8)?.try_into().map_err(|_| malformed())?;
                PyFloat::new(py, f64::from_be_bytes(bytes)).into_any()
            }
            0x40..=0x5F => PyString::new(py, self.text(first)?).into_any(),
            0x60..=0x7F => {
                let length = self.length(first)?;
                PyBytes::new(py, self.take(length)?).into_any()
            }
            0x80..=0x9F => PyTuple::new(py, self.items(first, depth)?)?.into_any(),
            0xA0..=0xBF => PyFrozenSet::new(py, self.items(first, depth)?)?.into_any(),
            OBJECT => {
                let at = usize::from(self.byte()?);
                let Class { class, form } = self.classes.get(at).ok_or_else(malformed)?;
                let data = self.data(depth + 1)?;
                let class = class.bind(py);
                match form {
                    Form::NamedTuple(_) => class.call_method1("_make", (data,))?,
                    Form::Dataclass(fields) => {
                        let values = data.cast_into::<PyTuple>().map_err(|_| malformed())?;
                        if values.len() != fields.len() {
                            return Err(malformed());
                        }
                        class.call1(values)?
                    }
                    Form::Enumeration => class.get_item(data)?,
                }
            }
            _ => return Err(malformed()),
        })
    }
}
