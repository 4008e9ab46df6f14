//! How the blocks of a table are made, and with how much effort.

use std::io;

use zstd::bulk::Compressor;
use zstd::dict::EncoderDictionary;
use zstd::zstd_safe::{CParameter, DictAttachPref};

use super::{Compression, Form, Layout, List, put_apart};

/// What a level of compression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tablebase) struct Effort {
    level: u8,
}

impl Effort {
    /// That of this compression, if there is any.
    pub(in crate::tablebase) fn of(compression: Compression) -> Option<Effort> {
        match compression {
            Compression::Plain => None,
            Compression::Zstd(level) => Some(Effort { level }),
        }
    }

    /// No more than it takes to see what can be had.
    pub(in crate::tablebase) fn to_see(self) -> Effort {
        Effort { level: self.level.min(3) }
    }

    /// Whether small is all that counts: then whatever could be smaller is tried.
    pub(in crate::tablebase) fn is_thorough(self) -> bool {
        self.level >= 19
    }

    /// Compresses what a dictionary is made of.
    pub(in crate::tablebase) fn compress_dictionary(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let level = if self.is_thorough() { 19 } else { self.with_dictionary() };
        Compressor::new(level)?.compress(bytes)
    }

    /// Prepares a dictionary.
    pub(in crate::tablebase) fn prepare(
        self,
        bytes: &[u8],
    ) -> io::Result<EncoderDictionary<'static>> {
        EncoderDictionary::try_copy(bytes, self.with_dictionary())
    }

    /// The level for blocks that are compressed with a dictionary: the repeats that they have are far
    /// away. Level 12 finds most of them in the time of level 6. From 13 on, zstd sorts all of a
    /// dictionary into trees, which takes half a second; then 16 finds more than 13 to 15 do, in
    /// smaller trees, and above 18 a hundredth would be had for more memory than writing should take.
    fn with_dictionary(self) -> i32 {
        match self.level {
            6..=12 => 12,
            13..=16 => 16,
            level => level.min(18).into(),
        }
    }

    /// A compressor for blocks of this form.
    fn compressor(self, form: Form) -> io::Result<Compressor<'static>> {
        let mut compressor = Compressor::new(self.level.into())?;
        if self.is_thorough() && form == Form::Outcomes {
            // Blocks are of up to 4 MiB: a third of the memory, for a thousandth of the size.
            compressor.set_parameter(CParameter::HashLog(18))?;
            compressor.set_parameter(CParameter::ChainLog(22))?;
        }
        Ok(compressor)
    }
}

/// Makes blocks.
pub(in crate::tablebase) struct Encoder<'e> {
    list: &'e List,
    /// Where blocks are compressed.
    compressor: Option<Compressor<'e>>,
    /// The layout of blocks that are compressed as they are.
    layout: Layout,
    /// Where outcomes and distances can be apart.
    apart: Option<Apart>,
    bytes: Vec<u8>,
}

/// For putting outcomes and distances apart where that is smaller.
struct Apart {
    /// Whether both are compressed to find out; else a part of the block shows it well enough.
    thorough: bool,
    quick: Compressor<'static>,
    values: Vec<u16>,
    bytes: Vec<u8>,
}

impl<'e> Encoder<'e> {
    pub(in crate::tablebase) fn new(
        effort: Option<Effort>,
        list: &'e List,
        dictionary: Option<&'e EncoderDictionary<'static>>,
    ) -> io::Result<Encoder<'e>> {
        let (_, compressed, by_dictionary) = list.form.layouts();
        let mut encoder =
            Encoder { list, compressor: None, layout: compressed, apart: None, bytes: Vec::new() };
        let Some(effort) = effort else { return Ok(encoder) };
        let mut compressor = effort.compressor(list.form)?;
        match dictionary.zip(by_dictionary) {
            Some((dictionary, layout)) => {
                encoder.layout = layout;
                compressor.set_prepared_dictionary(dictionary)?;
                // Its tables are looked up where they are, not copied for every block.
                let attach = DictAttachPref::ForceAttach;
                compressor.set_parameter(CParameter::ForceAttachDict(attach))?;
            }
            None if list.form != Form::Outcomes => {
                let (values, bytes) = (Vec::new(), Vec::new());
                let (thorough, quick) = (effort.is_thorough(), Compressor::new(1)?);
                encoder.apart = Some(Apart { thorough, quick, values, bytes });
            }
            None => {}
        }
        encoder.compressor = Some(compressor);
        Ok(encoder)
    }

    /// The bytes of a block of these values.
    pub(in crate::tablebase) fn encode(
        &mut self,
        values: impl Iterator<Item = u16>,
    ) -> io::Result<Vec<u8>> {
        let Encoder { list, compressor, layout, apart, bytes } = self;
        let smallest = match (compressor, apart) {
            (Some(compressor), Some(apart)) => {
                apart.values.clear();
                apart.values.extend(values);
                list.put(apart.values.iter().copied(), bytes);
                apart.smaller(list, compressor, *layout, bytes)?
            }
            (compressor, _) => {
                list.put(values, bytes);
                match compressor {
                    Some(compressor) => block(*layout, &compressor.compress(bytes)?),
                    None => return Ok(block(list.form.layouts().0, bytes)),
                }
            }
        };
        let stored = list.form.layouts().0;
        Ok(if smallest.len() <= bytes.len() { smallest } else { block(stored, bytes) })
    }
}

impl Apart {
    /// A block of these values, of which those bytes are what they are together.
    fn smaller(
        &mut self,
        list: &List,
        compressor: &mut Compressor<'_>,
        layout: Layout,
        together: &[u8],
    ) -> io::Result<Vec<u8>> {
        let Apart { thorough, quick, values, bytes } = self;
        if *thorough {
            let together = block(layout, &compressor.compress(together)?);
            let layout = put_apart(values, bytes);
            let apart = block(layout, &compressor.compress(bytes)?);
            return Ok(if apart.len() < together.len() { apart } else { together });
        }
        let part = &values[values.len() * 3 / 8..values.len() * 5 / 8];
        list.put(part.iter().copied(), bytes);
        let of_together = quick.compress(bytes)?.len();
        put_apart(part, bytes);
        if quick.compress(bytes)?.len() < of_together {
            let layout = put_apart(values, bytes);
            return Ok(block(layout, &compressor.compress(bytes)?));
        }
        Ok(block(layout, &compressor.compress(together)?))
    }
}

fn block(layout: Layout, bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(1 + bytes.len());
    block.push(layout as u8);
    block.extend_from_slice(bytes);
    block
}
