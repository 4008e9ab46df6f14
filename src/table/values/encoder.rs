//! Makes the blocks of a table, with more or less effort.

use std::io;
use std::mem;
use std::ops::Range;

use crate::table::zstd::bulk::Compressor;
use crate::table::zstd::dict::EncoderDictionary;
use crate::table::zstd::zstd_safe::{CParameter, DictAttachPref, Strategy};
use serde::{Deserialize, Serialize};

use crate::game::value::{ENDLESS, UNUSED};
use crate::table::values::{BlockEncoding, Compression, Form, Palette, Stride, USUAL};

/// The effort of a level of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Effort {
    level: u8,
    /// The level for blocks that are compressed with a dictionary.
    with_dictionary: u8,
}

/// From this level on: optimal parsing, with small tables in the compressor.
const BEST_PARSING: u8 = 8;
/// From this level on: dictionaries are searched with trees.
const TREES: u8 = 13;
/// From this level on: optimal parsing, with larger tables in the compressor.
const DEEP: u8 = 16;
/// From this level on: only the size counts.
const THOROUGH: u8 = 19;

/// The levels for dictionaries, whose repeats are far away. Level 12 finds most of them in the time
/// of level 6. From 13 on zstd sorts a dictionary into trees, which takes half a second. Level 18
/// finds many more repeats than 13 to 16. Higher levels would save one percent, for more memory
/// than writing should take.
const BY_TABLES: u8 = 12;
const BY_TREES: u8 = 18;

/// The limit for the memory of writing, in bytes: 64 MiB, less some room for blocks in progress.
const MOST_MEMORY: usize = 61 << 20;

impl Effort {
    /// The least effort: enough to compare strides.
    pub(crate) const LEAST: Effort = Effort { level: 1, with_dictionary: 1 };

    /// The effort for the values of a table; `None` without compression.
    pub(crate) fn new(compression: Compression) -> Option<Effort> {
        match compression {
            Compression::Plain => None,
            Compression::Usual => Some(Effort::at(USUAL)),
            Compression::Zstd(level) => Some(Effort::at(level)),
        }
    }

    /// The effort of a level from 1 to 22.
    pub(crate) fn at(level: u8) -> Effort {
        let with_dictionary = match level {
            ..6 => level,
            6..TREES => BY_TABLES,
            TREES.. => BY_TREES,
        };
        Effort { level, with_dictionary }
    }

    /// The effort for comparing a table with a dictionary and without, which is limited.
    pub(crate) fn for_trials(self) -> Effort {
        Effort { level: self.level.min(6), with_dictionary: self.with_dictionary.min(6) }
    }

    /// Whether only the size counts.
    pub(crate) fn is_thorough(self) -> bool {
        self.level >= THOROUGH
    }

    /// The most threads that make blocks of these values, so that memory for writing stays within
    /// its limit. The memory per thread was measured.
    pub(crate) fn most_threads(self, palette: &Palette, by_dictionary: bool) -> usize {
        const MIB: usize = 1 << 20;
        let (dictionary, each) = match (self.level, by_dictionary) {
            (_, true) if self.with_dictionary >= BY_TREES => (50 * MIB, 10 * MIB),
            (_, true) => (45 * MIB, 3 * MIB),
            (THOROUGH.., false) if palette.form == Form::Outcomes => (0, 28 * MIB),
            (_, false) if palette.form == Form::Outcomes => (0, 8 * MIB),
            (DEEP.., false) => (0, 12 * MIB),
            (_, false) => (0, 3 * MIB),
        };
        (MOST_MEMORY - dictionary) / each
    }

    /// Compresses the bytes of a dictionary.
    pub(crate) fn compress_dictionary(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        if self.with_dictionary < BY_TREES {
            return Compressor::new(self.with_dictionary.into())?.compress(bytes);
        }
        small_tables(THOROUGH)?.compress(bytes)
    }

    /// Prepares a dictionary.
    pub(crate) fn prepare(self, bytes: &[u8]) -> io::Result<EncoderDictionary<'_>> {
        EncoderDictionary::try_new(bytes, self.with_dictionary.into())
    }

    /// A compressor for blocks of this form.
    fn compressor(self, form: Form) -> io::Result<Compressor<'static>> {
        match (self.level, form) {
            (BEST_PARSING.., Form::Codes | Form::Pairs) => self.search().compressor(self.level),
            (THOROUGH.., Form::Outcomes) => {
                let mut compressor = small_tables(22)?;
                compressor.set_parameter(CParameter::SearchLog(11))?;
                Ok(compressor)
            }
            _ => Compressor::new(self.level.into()),
        }
    }

    /// The search for repeats from [`BEST_PARSING`] on.
    fn search(self) -> Search {
        let (strategy, min_match, search_log, target_length, hash_log, chain_log) = match self.level
        {
            ..DEEP => (Strategy::ZSTD_btopt, 3, 4, 128, 16, 17),
            DEEP..THOROUGH => (Strategy::ZSTD_btultra, 3, 6, 128, 17, 18),
            level @ THOROUGH.. => (Strategy::ZSTD_btultra2, 3, u32::from(level) - 12, 256, 18, 20),
        };
        Search { strategy, min_match, search_log, target_length, hash_log, chain_log }
    }
}

/// The search parameters of a compressor, in the terms of zstd.
struct Search {
    strategy: Strategy,
    min_match: u32,
    search_log: u32,
    target_length: u32,
    hash_log: u32,
    chain_log: u32,
}

impl Search {
    fn compressor(self, level: u8) -> io::Result<Compressor<'static>> {
        let Search { strategy, min_match, search_log, target_length, hash_log, chain_log } = self;
        let parameters = [
            CParameter::Strategy(strategy),
            CParameter::MinMatch(min_match),
            CParameter::SearchLog(search_log),
            CParameter::TargetLength(target_length),
            CParameter::HashLog(hash_log),
            CParameter::ChainLog(chain_log),
        ];
        let mut compressor = Compressor::new(level.into())?;
        parameters.into_iter().try_for_each(|parameter| compressor.set_parameter(parameter))?;
        Ok(compressor)
    }
}

/// A compressor for up to 4 MiB at once. Its tables take a third of the memory of zstd's own, and
/// make the output a thousandth larger.
fn small_tables(level: u8) -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(level.into())?;
    compressor.set_parameter(CParameter::HashLog(18))?;
    compressor.set_parameter(CParameter::ChainLog(22))?;
    Ok(compressor)
}

/// Fills a slice with the packed values from an index on.
pub(crate) type ReadValues<'v> = dyn Fn(u64, &mut [u16]) + Sync + 'v;

/// Makes the blocks of a table's values.
pub(crate) struct Encoder<'e> {
    palette: &'e Palette,
    fills_unused: bool,
    stride: Stride,
    /// The compressor and the encoding of compressed blocks, if blocks are compressed.
    compressor: Option<(Compressor<'e>, BlockEncoding)>,
    values: Vec<u16>,
    strided: Vec<u16>,
    bytes: Vec<u8>,
}

impl<'e> Encoder<'e> {
    /// An encoder that does not compress.
    pub(crate) fn plain(palette: &'e Palette, fills_unused: bool, stride: Stride) -> Encoder<'e> {
        let (values, strided, bytes) = (Vec::new(), Vec::new(), Vec::new());
        Encoder { palette, fills_unused, stride, compressor: None, values, strided, bytes }
    }

    /// Compresses from now on, with the dictionary if there is one.
    pub(crate) fn compressing(
        self,
        effort: Effort,
        dictionary: Option<&'e EncoderDictionary<'_>>,
    ) -> io::Result<Encoder<'e>> {
        let form = self.palette.form;
        let mut compressor = effort.compressor(form)?;
        if let Some(dictionary) = dictionary {
            compressor.set_prepared_dictionary(dictionary)?;
            // The tables of the dictionary are referenced, not copied for every block.
            let attach = DictAttachPref::ForceAttach;
            compressor.set_parameter(CParameter::ForceAttachDict(attach))?;
        }
        let encoding = match (form, dictionary) {
            (Form::Pairs, _) => BlockEncoding::CompressedPairs,
            (Form::Codes, None) => BlockEncoding::CompressedCodes,
            (Form::Codes, Some(_)) => BlockEncoding::CodesByDictionary,
            (Form::Outcomes, None) => BlockEncoding::CompressedOutcomes,
            (Form::Outcomes, Some(_)) => BlockEncoding::OutcomesByDictionary,
        };
        Ok(Encoder { compressor: Some((compressor, encoding)), ..self })
    }

    /// The block of the values of these indices.
    pub(crate) fn encode(
        &mut self,
        indices: Range<u64>,
        read: &ReadValues<'_>,
    ) -> io::Result<Vec<u8>> {
        self.uncompressed(indices, read);
        if let Some((compressor, encoding)) = &mut self.compressor {
            let compressed = compressor.compress(&self.bytes)?;
            if compressed.len() < self.bytes.len() {
                return Ok(block(*encoding, self.stride, &compressed));
            }
        }
        let stored = match self.palette.form {
            Form::Pairs => BlockEncoding::Pairs,
            Form::Codes => BlockEncoding::Codes,
            Form::Outcomes => BlockEncoding::Outcomes,
        };
        Ok(block(stored, self.stride, &self.bytes))
    }

    /// The bytes of these values before they are compressed.
    pub(crate) fn uncompressed(&mut self, indices: Range<u64>, read: &ReadValues<'_>) -> &[u8] {
        // A stride needs the whole block at once. Blocks without a stride can be too large for
        // that.
        let at_once = if self.stride.is_one() { READ_AT_ONCE } else { usize::MAX };
        let mut before = match self.fills_unused {
            true => first_value(indices.clone(), &mut self.values, read),
            false => UNUSED,
        };
        let Encoder { palette, values, strided, bytes, .. } = self;
        bytes.clear();
        for first in indices.clone().step_by(at_once) {
            read_some(first..indices.end, at_once, values, read);
            if !self.stride.is_one() {
                self.stride.apply(values, strided);
                mem::swap(values, strided);
            }
            if self.fills_unused {
                before = fill_unused(values, before);
            }
            palette.append(values, bytes);
        }
        bytes
    }
}

/// The number of values that are read at once. A multiple of 4, since outcomes are four to a byte.
pub(crate) const READ_AT_ONCE: usize = 1 << 14;

/// Replaces `values` by the values of the first `most` of these indices.
pub(crate) fn read_some(
    indices: Range<u64>,
    most: usize,
    values: &mut Vec<u16>,
    read: &ReadValues<'_>,
) {
    values.clear();
    values.resize((indices.end - indices.start).min(most as u64) as usize, UNUSED);
    read(indices.start, values);
}

/// The first value of these indices that is no unused index; endless play if all are unused.
fn first_value(indices: Range<u64>, values: &mut Vec<u16>, read: &ReadValues<'_>) -> u16 {
    for first in indices.clone().step_by(READ_AT_ONCE) {
        read_some(first..indices.end, READ_AT_ONCE, values, read);
        if let Some(&value) = values.iter().find(|&&value| value != UNUSED) {
            return value;
        }
    }
    ENDLESS
}

/// Gives each unused index the value before it, which compresses to nothing: no reader uses it.
/// `before` is the value before the first. Returns the last value.
pub(crate) fn fill_unused(values: &mut [u16], mut before: u16) -> u16 {
    for value in values {
        match *value {
            UNUSED => *value = before,
            own => before = own,
        }
    }
    before
}

fn block(encoding: BlockEncoding, stride: Stride, bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(1 + bytes.len());
    block.push(stride.log() << (u8::BITS - Stride::BITS) | encoding as u8);
    block.extend_from_slice(bytes);
    block
}
