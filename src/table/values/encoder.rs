//! How the blocks of a table are made, and with how much effort.

use std::io;

use zstd::bulk::Compressor;
use zstd::dict::EncoderDictionary;
use zstd::zstd_safe::{CParameter, DictAttachPref, Strategy};

use crate::table::records::Header;
use crate::table::values::{Compression, Form, Layout, List, Stride, first_byte, put_apart};

/// What a level of compression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    level: u8,
    /// The level for blocks that are compressed with a dictionary.
    with_dictionary: u8,
}

/// From this level on, the best parsing there is of what small tables find, at first with little
/// effort.
const QUICK: u8 = 8;
/// From this level on, in larger blocks, and from the next on, repeats of three bytes as well.
const SLOW: u8 = 13;
const OF_THREE: u8 = 14;
/// From this level on, of what larger tables find.
const SLOWER: u8 = 16;
/// From this level on, whatever could be smaller is tried.
const THOROUGH: u8 = 19;

/// The levels for dictionaries: the repeats that they have are far away. 12 finds most of them in
/// the time that 6 takes. From 13 on zstd sorts a dictionary into trees, which takes half a second;
/// 18 finds much more than 13 to 16 do, and above it a hundredth would be had for more memory than
/// writing should take.
const BY_TABLES: u8 = 12;
const BY_TREES: u8 = 18;

/// Longer tables are not compressed by trees unless that is asked for: it would take much longer than
/// to solve them.
const LONG: u64 = 1 << 24;

/// How much memory writing may take, in bytes: 64 MiB, of which some are left for what is under way.
const MOST_MEMORY: usize = 61 << 20;

impl Effort {
    /// The least: enough to compare one order of values with another.
    pub(crate) const LEAST: Effort = Effort { level: 1, with_dictionary: 1 };

    /// That of this compression of values, if there is any.
    pub(crate) fn of(compression: Compression, header: &Header) -> Option<Effort> {
        let numbering = header.numbering;
        let is_tier_or_explored = numbering.tier().is_some() || numbering.has_states();
        let usual = match compression {
            Compression::Plain => return None,
            Compression::Zstd(level) => return Some(Effort::at(level)),
            Compression::Usual if header.outcomes_only => THOROUGH,
            Compression::Usual if is_tier_or_explored => SLOW,
            Compression::Usual => OF_THREE,
        };
        let Effort { level, mut with_dictionary } = Effort::at(usual);
        if is_tier_or_explored || header.len > LONG {
            with_dictionary = with_dictionary.min(BY_TABLES);
        }
        Some(Effort { level, with_dictionary })
    }

    /// That of this level.
    pub(crate) fn at(level: u8) -> Effort {
        let with_dictionary = match level {
            ..6 => level,
            6..SLOW => BY_TABLES,
            SLOW.. => BY_TREES,
        };
        Effort { level, with_dictionary }
    }

    /// No more than it takes to see what can be had.
    pub(crate) fn to_see(self) -> Effort {
        Effort { level: self.level.min(6), with_dictionary: self.with_dictionary.min(6) }
    }

    /// Whether small is all that counts.
    pub(crate) fn is_thorough(self) -> bool {
        self.level >= THOROUGH
    }

    /// How many times as many values as usual there are in a block: more is found in larger ones.
    pub(crate) fn values_together(self, list: &List, by_dictionary: bool) -> u64 {
        let is_larger = match (list.form, by_dictionary) {
            (_, true) => self.with_dictionary >= BY_TREES,
            (Form::Outcomes, false) => false,
            (Form::Codes | Form::Pairs, false) => self.level >= SLOW,
        };
        if is_larger { 2 } else { 1 }
    }

    /// By how many threads blocks of these values are made at most, so that memory for writing stays
    /// bounded. What they take was measured.
    pub(crate) fn most_threads(self, list: &List, by_dictionary: bool) -> usize {
        const MIB: usize = 1 << 20;
        let (dictionary, each) = match (self.level, by_dictionary) {
            (_, true) if self.with_dictionary >= BY_TREES => (50 * MIB, 10 * MIB),
            (_, true) => (45 * MIB, 3 * MIB),
            (THOROUGH.., false) if list.form == Form::Outcomes => (0, 28 * MIB),
            (SLOWER.., false) => (0, 12 * MIB),
            (_, false) => (0, 3 * MIB),
        };
        (MOST_MEMORY - dictionary) / each
    }

    /// Compresses what a dictionary is made of.
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
            (QUICK.., Form::Codes | Form::Pairs) => self.search().compressor(self.level),
            (THOROUGH.., Form::Outcomes) => {
                let mut compressor = small_tables(22)?;
                compressor.set_parameter(CParameter::SearchLog(11))?;
                Ok(compressor)
            }
            _ => Compressor::new(self.level.into()),
        }
    }

    /// How repeats are looked for from [`QUICK`] on.
    fn search(self) -> Search {
        let (strategy, min_match, search_log, target_length, hash_log, chain_log) = match self.level
        {
            ..SLOW => (Strategy::ZSTD_btopt, 4, 1, 24, 15, 16),
            SLOW => (Strategy::ZSTD_btopt, 4, 4, 128, 16, 17),
            OF_THREE..SLOWER => (Strategy::ZSTD_btopt, 3, 4, 128, 16, 17),
            SLOWER..THOROUGH => (Strategy::ZSTD_btultra, 3, 6, 128, 17, 18),
            level @ THOROUGH.. => (Strategy::ZSTD_btultra2, 3, u32::from(level) - 12, 256, 18, 20),
        };
        Search { strategy, min_match, search_log, target_length, hash_log, chain_log }
    }
}

/// How a compressor looks for repeats, in zstd's own terms.
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

/// A compressor for up to 4 MiB at once, with tables that take a third of the memory of zstd's own,
/// for a thousandth of the size.
fn small_tables(level: u8) -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(level.into())?;
    compressor.set_parameter(CParameter::HashLog(18))?;
    compressor.set_parameter(CParameter::ChainLog(22))?;
    Ok(compressor)
}

/// Makes blocks.
pub(crate) struct Encoder<'e> {
    list: &'e List,
    /// Where blocks are compressed, and the layout that they have then.
    compressor: Option<(Compressor<'e>, Layout)>,
    otherwise: Otherwise,
    /// Where outcomes and distances can be apart.
    apart: Option<Apart>,
    /// In which order blocks have their values.
    stride: Stride,
    bytes: Vec<u8>,
}

/// What is measured of each block, to see whether in another layout it is smaller.
enum Otherwise {
    /// Nothing.
    No,
    /// What a part of it takes, compressed in no time, together and apart.
    Part(Compressor<'static>),
    /// What all of it takes, together and apart.
    Whole,
    /// What it takes without the dictionary, together and apart.
    Alone(Compressor<'static>),
}

/// A block's values, and their outcomes and distances.
#[derive(Default)]
struct Apart {
    values: Vec<u16>,
    stride: Stride,
    bytes: Vec<u8>,
}

impl<'e> Encoder<'e> {
    pub(crate) fn new(
        effort: Option<Effort>,
        list: &'e List,
        stride: Stride,
        dictionary: Option<&'e EncoderDictionary<'_>>,
    ) -> io::Result<Encoder<'e>> {
        let (_, compressed, by_dictionary) = list.form.layouts();
        let (otherwise, bytes) = (Otherwise::No, Vec::new());
        let mut encoder = Encoder { list, compressor: None, otherwise, apart: None, stride, bytes };
        let Some(effort) = effort else { return Ok(encoder) };
        let mut compressor = effort.compressor(list.form)?;
        encoder.apart = (list.form != Form::Outcomes).then(|| Apart { stride, ..Apart::default() });
        if let Some((dictionary, layout)) = dictionary.zip(by_dictionary) {
            compressor.set_prepared_dictionary(dictionary)?;
            // Its tables are looked up where they are, not copied for every block.
            let attach = DictAttachPref::ForceAttach;
            compressor.set_parameter(CParameter::ForceAttachDict(attach))?;
            encoder.otherwise = Otherwise::Alone(Effort::LEAST.compressor(list.form)?);
            encoder.compressor = Some((compressor, layout));
            return Ok(encoder);
        }
        encoder.otherwise = match &encoder.apart {
            None => Otherwise::No,
            Some(_) if effort.is_thorough() => Otherwise::Whole,
            Some(_) => Otherwise::Part(Compressor::new(1)?),
        };
        encoder.compressor = Some((compressor, compressed));
        Ok(encoder)
    }

    /// The same, which measures no other layouts of a block: enough to compare tables.
    pub(crate) fn in_one_layout(self) -> Encoder<'e> {
        Encoder { otherwise: Otherwise::No, apart: None, ..self }
    }

    /// The bytes of a block of these values, which come in the order in which they stand there.
    pub(crate) fn encode(&mut self, values: impl Iterator<Item = u16>) -> io::Result<Vec<u8>> {
        let Encoder { list, compressor, otherwise, apart, stride, bytes } = self;
        let block = |layout, bytes: &[u8]| block(layout, *stride, bytes);
        let (stored, alone, _) = list.form.layouts();
        match apart {
            Some(Apart { values: all, .. }) => {
                all.clear();
                all.extend(values);
                list.put(all.iter().copied(), bytes);
            }
            None => list.put(values, bytes),
        }
        let Some((compressor, layout)) = compressor else { return Ok(block(stored, bytes)) };
        let smallest = match (otherwise, apart) {
            (Otherwise::Part(quick), Some(apart)) => {
                if apart.seem_smaller(list, quick)? {
                    apart.block(compressor)?
                } else {
                    block(*layout, &compressor.compress(bytes)?)
                }
            }
            (Otherwise::Whole, Some(apart)) => {
                let same_tier = block(*layout, &compressor.compress(bytes)?);
                smaller(same_tier, apart.block(compressor)?)
            }
            (Otherwise::Alone(other), apart) => {
                let by_dictionary = block(*layout, &compressor.compress(bytes)?);
                let same_tier = block(alone, &other.compress(bytes)?);
                let smallest = smaller(by_dictionary, same_tier);
                match apart {
                    Some(apart) => smaller(smallest, apart.block(other)?),
                    None => smallest,
                }
            }
            _ => block(*layout, &compressor.compress(bytes)?),
        };
        Ok(if smallest.len() <= bytes.len() { smallest } else { block(stored, bytes) })
    }
}

impl Apart {
    /// A block with outcomes and distances apart.
    fn block(&mut self, compressor: &mut Compressor<'_>) -> io::Result<Vec<u8>> {
        let layout = put_apart(&self.values, &mut self.bytes);
        Ok(block(layout, self.stride, &compressor.compress(&self.bytes)?))
    }

    /// Whether a part of the block is smaller with outcomes and distances apart.
    fn seem_smaller(&mut self, list: &List, quick: &mut Compressor<'_>) -> io::Result<bool> {
        let Apart { values, bytes, .. } = self;
        let part = &values[values.len() * 3 / 8..values.len() * 5 / 8];
        list.put(part.iter().copied(), bytes);
        let same_tier = quick.compress(bytes)?.len();
        put_apart(part, bytes);
        Ok(quick.compress(bytes)?.len() < same_tier)
    }
}

/// The smaller block, and the first where they are equal.
fn smaller(first: Vec<u8>, second: Vec<u8>) -> Vec<u8> {
    if second.len() < first.len() { second } else { first }
}

fn block(layout: Layout, stride: Stride, bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(1 + bytes.len());
    block.push(first_byte(layout, stride));
    block.extend_from_slice(bytes);
    block
}
