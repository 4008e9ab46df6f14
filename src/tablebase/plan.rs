//! What to find out about a table before its values are written.

use std::io;
use std::ops::Range;

use zstd::bulk::Compressor;
use zstd::dict::EncoderDictionary;

use super::error::TableError;
use super::records::BLOCK_VALUES;
use super::values::{Compression, Encoder, LONGEST_DICTIONARY, List, SMALLEST, fill_holes};
use crate::solve::Progress;
use crate::solve::crew::{Crew, Size, equal_cuts};
use crate::value::{ENDLESS, HOLE};

/// How the values of a table are going to be written.
pub(super) struct ValuePlan {
    len: u64,
    compression: Compression,
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

/// How many blocks a dictionary can have: what is in it should be a small part of the table.
const PIECES: [u64; 3] = [4, 8, 16];

/// How many times as many values there are in a block of outcomes alone: as many as take the same
/// room; and at the highest levels, where that would be larger than the same compressed as a whole,
/// as many as a block can have.
fn outcome_blocks(compression: Compression) -> u64 {
    match compression {
        Compression::Zstd(SMALLEST..) => 64,
        _ => 4,
    }
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
        let filled = compression != Compression::Plain || outcomes_only;
        let block_values =
            BLOCK_VALUES * if outcomes_only { outcome_blocks(compression) } else { 1 };
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
        let mut plan = ValuePlan { len, compression, filled, block_values, list, dictionary };
        plan.dictionary = plan
            .choose_dictionary(value)
            .map_err(|error| TableError::malformed("the dictionary", error))?;
        Ok(plan)
    }

    /// The numbers of a block.
    pub(super) fn numbers(&self, block: u64) -> Range<u64> {
        let first = block * self.block_values;
        first..self.len.min(first + self.block_values)
    }

    /// The values of these numbers, as they are written.
    pub(super) fn block(&self, numbers: Range<u64>, value: &dyn Fn(u64) -> u16) -> Vec<u16> {
        let mut values: Vec<u16> = numbers.map(value).collect();
        if self.filled {
            fill_holes(&mut values);
        }
        values
    }

    pub(super) fn encoder(&self) -> io::Result<Encoder<'_>> {
        let dictionary = self.dictionary.as_ref().map(|dictionary| &dictionary.prepared);
        Encoder::new(self.compression, &self.list, dictionary)
    }

    /// Compresses some blocks without a dictionary and with each of some, and takes what makes the
    /// table smallest.
    ///
    /// Parts of a table resemble each other over long distances: in Cat and Mouse the cat's places
    /// repeat for every place of the mouse. Blocks that are compressed each on its own can't use
    /// that. A dictionary of blocks from all over the table makes up for it.
    fn choose_dictionary(&self, value: &dyn Fn(u64) -> u16) -> io::Result<Option<Dictionary>> {
        let blocks = self.len / self.block_values;
        let Compression::Zstd(level) = self.compression else { return Ok(None) };
        if blocks < LEAST_BLOCKS || !self.list.takes_dictionary() {
            return Ok(None);
        }
        let block = |block: u64| self.block(self.numbers(block), value);
        // Those of the largest dictionary there could be are not among the samples, since they would
        // cost next to nothing.
        let spread = |pieces: u64| (0..pieces).map(move |at| blocks * at / pieces);
        let mut piece = Vec::new();
        self.list.put(&block(0), &mut piece);
        let fits = |pieces: u64| pieces * piece.len() as u64 <= LONGEST_DICTIONARY as u64;
        let most = PIECES.into_iter().rfind(|&pieces| pieces * 5 <= blocks * 2 && fits(pieces));
        let Some(most) = most else { return Ok(None) };
        let in_dictionary: Vec<u64> = spread(most).collect();
        let others: Vec<u64> = (0..blocks).filter(|block| !in_dictionary.contains(block)).collect();
        let count = match self.compression {
            Compression::Zstd(SMALLEST..) => MOST_SAMPLES,
            _ => (blocks / SAMPLED).clamp(LEAST_SAMPLES, MOST_SAMPLES),
        };
        let count = count.min(others.len() as u64);
        let samples: Vec<_> = (0..count)
            .map(|at| block(others[others.len() * (2 * at as usize + 1) / (2 * count as usize)]))
            .collect();
        let mean = |mut encoder: Encoder<'_>, blocks: &[Vec<u16>]| -> io::Result<f64> {
            let mut bytes = 0;
            for block in blocks {
                bytes += encoder.encode(block)?.len();
            }
            Ok(bytes as f64 / blocks.len().max(1) as f64)
        };
        // What is in the dictionary may be harder to compress than the rest, or easier.
        let within: Vec<_> = spread(PIECES[0]).map(block).collect();
        let alone = mean(self.encoder()?, &samples)?;
        let within = mean(self.encoder()?, &within)?;
        let (mut chosen, mut most_saved) = (None, 0.0);
        for pieces in PIECES.into_iter().filter(|&pieces| pieces <= most) {
            let mut bytes = Vec::new();
            for at in spread(pieces) {
                self.list.put(&block(at), &mut piece);
                bytes.extend_from_slice(&piece);
            }
            if bytes.starts_with(&OTHER_KIND) {
                continue;
            }
            let compressed = Compressor::new(level.into())?.compress(&bytes)?;
            let prepared = EncoderDictionary::try_copy(&bytes, level.into())?;
            let encoder = Encoder::new(self.compression, &self.list, Some(&prepared))?;
            let others = (blocks - pieces) as f64;
            let without = alone * others + within * pieces as f64;
            let saved = without - mean(encoder, &samples)? * others - compressed.len() as f64;
            if saved > most_saved {
                (chosen, most_saved) = (Some(Dictionary { compressed, prepared }), saved);
            }
        }
        Ok(chosen)
    }
}
