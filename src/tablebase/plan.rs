//! What to find out about a table before its values are written.

use std::io;
use std::ops::Range;

use zstd::dict::EncoderDictionary;

use super::error::TableError;
use super::records::BLOCK_VALUES;
use super::values::{Compression, Effort, Encoder, LONGEST_DICTIONARY, List, fill_holes};
use crate::solve::Progress;
use crate::solve::crew::{Crew, Size, equal_cuts};
use crate::value::{ENDLESS, HOLE};

/// How the values of a table are going to be written.
pub(super) struct ValuePlan {
    len: u64,
    effort: Option<Effort>,
    /// Whether holes have values that stand for nothing.
    pub(super) filled: bool,
    /// How many values stand in a block; a power of two.
    pub(super) block_values: u64,
    pub(super) list: List,
    pub(super) dictionary: Option<Dictionary>,
}

/// Values that the blocks are likely to have too, for the compressor to refer to.
pub(super) struct Dictionary {
    pub(super) compressed: Vec<u8>,
    prepared: EncoderDictionary<'static>,
}

/// What the compressor takes for the mark of a dictionary of another kind.
const OTHER_KIND: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// Tables of fewer blocks have no dictionary.
const LEAST_BLOCKS: u64 = 10;

/// One in so many blocks is compressed to find out what a dictionary is worth, up to a limit; at the
/// highest levels, as many as that.
const SAMPLED: u64 = 16;
const LEAST_SAMPLES: u64 = 5;
const MOST_SAMPLES: u64 = 16;

/// How many blocks a dictionary can have: as many as fit, but no more than a small part of the table.
const PIECES: [u64; 3] = [16, 8, 4];

/// How much shorter than a block its piece of a dictionary is: for 4 MiB, 2 MiB or 1 MiB zstd makes
/// tables twice as large as for a little less.
const SHORTER: usize = 256;

/// What part of the table a dictionary may leave where it is tried with less effort than the table is
/// written: more effort saves a part of that without it.
const MOST_LEFT: f64 = 0.875;

/// How many times as many values there are in a block of outcomes alone: as many as take the same
/// room; and at the highest levels, where that would be larger than the same compressed as a whole,
/// as many as a block can have.
fn outcome_blocks(effort: Option<Effort>) -> u64 {
    if effort.is_some_and(Effort::is_thorough) { 64 } else { 4 }
}

impl ValuePlan {
    pub(super) fn make(
        len: u64,
        value: &(dyn Fn(u64) -> u16 + Sync),
        compression: Compression,
        outcomes_only: bool,
        crew: &mut Crew<'_>,
        of: u64,
    ) -> Result<ValuePlan, TableError> {
        let effort = Effort::of(compression);
        let filled = effort.is_some() || outcomes_only;
        let block_values = BLOCK_VALUES * if outcomes_only { outcome_blocks(effort) } else { 1 };
        let parts = equal_cuts(len, crew.threads() * 16, BLOCK_VALUES);
        let starts = [0].into_iter().chain(parts.iter().copied());
        let pieces = starts.zip(parts.iter().copied()).collect();
        let size = if len > BLOCK_VALUES { Size::Big } else { Size::Small };
        let event = |_| Progress::Writing { done: 0, of };
        let found = crew.run(size, pieces, event, |(start, end): (u64, u64), signals| {
            let mut found = vec![false; 1 << 16];
            (start..end).for_each(|number| found[usize::from(value(number))] = true);
            let _ = signals.done(0);
            Ok(found)
        });
        let found = found.map_err(|_| TableError::Interrupted)?;
        // Where holes are filled, none is left; a block of nothing else becomes endless play.
        let first = u16::from(filled);
        let values: Vec<u16> = (first..=u16::MAX)
            .filter(|&value| {
                found.iter().any(|found| found[usize::from(value)])
                    || (first > HOLE && value == ENDLESS)
            })
            .collect();
        let list = List::new(values, outcomes_only);
        let dictionary = None;
        let mut plan = ValuePlan { len, effort, filled, block_values, list, dictionary };
        plan.dictionary = plan.choose_dictionary(value, crew, of)?;
        Ok(plan)
    }

    /// The numbers of a block.
    pub(super) fn numbers(&self, block: u64) -> Range<u64> {
        let first = block * self.block_values;
        first..self.len.min(first + self.block_values)
    }

    /// The block of these numbers.
    pub(super) fn encode(
        &self,
        encoder: &mut Encoder<'_>,
        numbers: Range<u64>,
        value: &dyn Fn(u64) -> u16,
    ) -> io::Result<Vec<u8>> {
        let values = numbers.map(value);
        if self.filled { encoder.encode(fill_holes(values)) } else { encoder.encode(values) }
    }

    pub(super) fn encoder(&self) -> io::Result<Encoder<'_>> {
        let dictionary = self.dictionary.as_ref().map(|dictionary| &dictionary.prepared);
        Encoder::new(self.effort, &self.list, dictionary)
    }

    /// Compresses some blocks without a dictionary and with one, and takes it if that makes the table
    /// smaller by enough.
    ///
    /// Parts of a table resemble each other over long distances: in Cat and Mouse the cat's places
    /// repeat for every place of the mouse. Blocks that are compressed each on its own can't use
    /// that. A dictionary of blocks from all over the table makes up for it.
    fn choose_dictionary(
        &self,
        value: &(dyn Fn(u64) -> u16 + Sync),
        crew: &mut Crew<'_>,
        of: u64,
    ) -> Result<Option<Dictionary>, TableError> {
        let failed = |error: io::Error| TableError::malformed("the dictionary", error);
        let blocks = self.len / self.block_values;
        let Some(effort) = self.effort else { return Ok(None) };
        let piece = self.list.width(self.block_values);
        let fits =
            |&pieces: &u64| pieces * 5 <= blocks * 2 && pieces * piece <= LONGEST_DICTIONARY as u64;
        let Some(pieces) = PIECES.into_iter().find(fits) else { return Ok(None) };
        if blocks < LEAST_BLOCKS || !self.list.takes_dictionary() {
            return Ok(None);
        }
        // Those in the dictionary are not among the samples, since they would cost next to nothing.
        let within: Vec<u64> = spread(blocks, pieces).collect();
        let others: Vec<u64> = (0..blocks).filter(|block| !within.contains(block)).collect();
        let count = if effort.is_thorough() {
            MOST_SAMPLES
        } else {
            (blocks / SAMPLED).clamp(LEAST_SAMPLES, MOST_SAMPLES)
        };
        let count = count.min(others.len() as u64);
        let samples: Vec<u64> = (0..count)
            .map(|at| others[others.len() * (2 * at as usize + 1) / (2 * count as usize)])
            .collect();
        let trial = if effort.is_thorough() { effort } else { effort.to_see() };
        let mut mean = |dictionary: Option<&EncoderDictionary<'static>>, blocks: &[u64]| {
            let event = |_| Progress::Writing { done: 0, of };
            let encoded = crew.run(Size::Big, blocks.to_vec(), event, |block, signals| {
                let _ = signals.done(0);
                let encoded = Encoder::new(Some(trial), &self.list, dictionary);
                Ok(encoded
                    .and_then(|mut encoder| self.encode(&mut encoder, self.numbers(block), value)))
            });
            let mut bytes = 0;
            for block in encoded.map_err(|_| TableError::Interrupted)? {
                bytes += block.map_err(failed)?.len();
            }
            Ok(bytes as f64 / blocks.len().max(1) as f64)
        };
        let alone = mean(None, &samples)?;
        // What is in the dictionary may be harder to compress than the rest, or easier.
        let few: Vec<u64> = within.iter().copied().step_by(within.len() / 4).collect();
        let without = alone * others.len() as f64 + mean(None, &few)? * pieces as f64;
        let bytes = self.dictionary_of(&within, value);
        if bytes.starts_with(&OTHER_KIND) {
            return Ok(None);
        }
        let dictionary = |effort: Effort| -> Result<Dictionary, TableError> {
            let compressed = effort.compress_dictionary(&bytes).map_err(failed)?;
            Ok(Dictionary { compressed, prepared: effort.prepare(&bytes).map_err(failed)? })
        };
        let tried = dictionary(trial)?;
        let with = mean(Some(&tried.prepared), &samples)? * others.len() as f64
            + tried.compressed.len() as f64;
        Ok(if trial == effort {
            (with < without).then_some(tried)
        } else if with < without * MOST_LEFT {
            drop(tried);
            Some(dictionary(effort)?)
        } else {
            None
        })
    }

    /// The dictionary of these blocks.
    fn dictionary_of(&self, blocks: &[u64], value: &dyn Fn(u64) -> u16) -> Vec<u8> {
        let (mut bytes, mut piece) = (Vec::new(), Vec::new());
        for &block in blocks {
            self.list.put(fill_holes(self.numbers(block).map(value)), &mut piece);
            bytes.extend_from_slice(&piece[..piece.len() - SHORTER]);
        }
        bytes
    }
}

/// So many of these blocks, at equal distances.
fn spread(blocks: u64, pieces: u64) -> impl Iterator<Item = u64> {
    (0..pieces).map(move |at| blocks * at / pieces)
}
