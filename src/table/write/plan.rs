//! Chooses the stride, the dictionary and the block size of a table before its values are written.

use std::io;
use std::iter;
use std::ops::Range;

use crate::table::zstd::dict::EncoderDictionary;
use serde::{Deserialize, Serialize};

use crate::error::{SolveError, TableError};
use crate::game::value::{ENDLESS, UNUSED};
use crate::runtime::cuts::equal_cuts;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::table::records::{BLOCK_VALUES, Header};
use crate::table::values::{
    Compression, Effort, Encoder, LONGEST_DICTIONARY, Palette, READ_AT_ONCE, ReadValues, Stride,
    read_some,
};
use crate::table::write::source::{Source, values_of};

/// The plan for writing the values of a table.
#[derive(Serialize, Deserialize)]
pub(crate) struct ValuePlan {
    pub(crate) len: u64,
    effort: Option<Effort>,
    /// Whether unused indices are given arbitrary values.
    pub(crate) fills_unused: bool,
    stride: Stride,
    /// The number of values in a block, a power of two.
    pub(crate) block_values: u64,
    pub(crate) palette: Palette,
    pub(crate) dictionary: Option<Dictionary>,
}

/// Values that are likely to occur in the blocks, too, for the compressor to refer to.
#[derive(Serialize, Deserialize)]
pub(crate) struct Dictionary {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// The bytes that the table stores. The processes that help to make the blocks don't need them.
    #[serde(skip)]
    pub(crate) compressed: Vec<u8>,
}

/// The beginning that the compressor takes for a dictionary of another kind.
const OTHER_KIND: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// Tables of fewer blocks have no dictionary.
const LEAST_BLOCKS: u64 = 10;

/// The possible numbers of pieces of a dictionary, each of half a block: as many as fit, but at
/// most two fifths of the table.
const PIECES: [u64; 3] = [32, 16, 8];

/// The bytes by which a piece of a dictionary is shorter than half a block. With dictionaries of
/// exactly 4 MiB, 2 MiB or 1 MiB zstd makes tables twice as large as with slightly shorter ones.
const SHORTER: usize = 128;

/// Keep a dictionary only if it shrinks the table below this fraction. A smaller gain is not worth
/// the time and memory.
const MOST_LEFT: f64 = 0.875;

/// Use a stride only if it shrinks the table below this fraction. A smaller gain is not worth
/// reordering blocks.
const MOST_LEFT_BY_STRIDE: f64 = 0.97;

/// The number of samples of the table that are compressed with each stride, and the number of
/// values of each. Below the highest effort, half as many samples.
const STRIDE_SAMPLES: u64 = 4;
const STRIDE_SAMPLE_VALUES: u64 = BLOCK_VALUES / 2;

/// The number of strides that are compressed below the highest effort: the strides with the fewest
/// changes between neighbouring values.
const MEASURED: usize = 4;

/// The least number of rows that a stride makes of a sample.
const LEAST_ROWS: u64 = 8;

/// The number of outcomes that are compressed to confirm a stride.
const CONFIRMING_VALUES: u64 = 16 * BLOCK_VALUES;

/// The number of pieces of a table that are compressed to estimate `all` pieces.
fn sample_count(all: u64) -> u64 {
    (all / 16).clamp(10, 32).min(all)
}

/// The memory for writing this many values of a byte each, in bytes, beside what any table takes: the
/// memory for compressing blocks with a dictionary. A table that is not compressed takes no more.
pub(crate) fn bytes_to_write(len: u64) -> u64 {
    let piece_values = BLOCK_VALUES / 2;
    let all = len / piece_values;
    let pieces = PIECES.into_iter().find(|pieces| all >= 2 * LEAST_BLOCKS && pieces * 5 <= all * 2);
    pieces.unwrap_or(0) * piece_values * MEMORY_OF_DICTIONARY
}

/// The memory that the compressor's tables take for each byte of a dictionary, in bytes.
const MEMORY_OF_DICTIONARY: u64 = 12;

/// The number of values in a block of outcomes.
///
/// Usually as many as take the room of a block of codes. At the highest levels such a block would
/// be larger than its share of the whole table compressed at once, so there are more. But not with
/// a stride, which has already brought distant values together.
fn outcome_block_values(effort: Option<Effort>, stride: Stride) -> u64 {
    let is_large = effort.is_some_and(Effort::is_thorough) && stride.is_one();
    BLOCK_VALUES * if is_large { LARGE_OUTCOMES } else { 4 }
}
const LARGE_OUTCOMES: u64 = 64;

/// A table's values before they are written, and the threads that sample them.
pub(crate) struct Sampler<'s, 'v, 'p> {
    pub(crate) source: &'s mut Source<'v>,
    pub(crate) pool: &'s mut WorkerPool<'p>,
}

impl Sampler<'_, '_, '_> {
    /// Fetches these stretches of the values.
    fn fetch(&mut self, stretches: Vec<Range<u64>>) -> Result<(), TableError> {
        self.source.fetch(stretches, self.pool)
    }
}

/// The packed values of all processes together, ascending.
pub(crate) fn distinct_values(
    source: &Source<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<u16>, TableError> {
    let own = source.windows().own_window();
    let read = &|first: u64, values: &mut [u16]| source.read(first, values);
    let found = find_values(own, read, pool)?;
    let ascending = (0..=u16::MAX).filter(|&value| found[usize::from(value)]);
    let own = ascending.flat_map(u16::to_ne_bytes).collect();
    let gathered = pool.gather(own).map_err(SolveError::from)?;
    let mut all: Vec<u16> = gathered.iter().flat_map(|values| values_of(values)).collect();
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// For each packed value, whether one of these indices has it.
fn find_values(
    indices: Range<u64>,
    read: &ReadValues<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<bool>, TableError> {
    let len = indices.end - indices.start;
    let ends = equal_cuts(len, pool.threads() * 16, BLOCK_VALUES);
    let starts = [0].into_iter().chain(ends.iter().copied());
    let parts = starts.zip(ends.iter().copied()).collect();
    let size = if len > BLOCK_VALUES { Size::Big } else { Size::Small };
    let event = |done| Progress::Sampling { done, of: len };
    let found = pool.run(size, parts, event, |(start, end): (u64, u64), token| {
        let mut found = vec![false; ALL_VALUES];
        let mut values = Vec::new();
        let (start, end) = (indices.start + start, indices.start + end);
        for first in (start..end).step_by(READ_AT_ONCE) {
            read_some(first..end, READ_AT_ONCE, &mut values, read);
            values.iter().for_each(|&value| found[usize::from(value)] = true);
            if token.done(values.len() as u64).is_break() {
                break;
            }
        }
        Ok::<_, TableError>(found)
    })?;
    let is_found = |value| found.iter().any(|found: &Vec<bool>| found[value]);
    Ok((0..ALL_VALUES).map(is_found).collect())
}

/// The number of possible packed values.
pub(crate) const ALL_VALUES: usize = 1 << u16::BITS;

impl ValuePlan {
    /// Makes the plan for these values.
    pub(crate) fn make(
        header: &Header,
        compression: Compression,
        mut values: Vec<u16>,
        sampler: &mut Sampler<'_, '_, '_>,
    ) -> Result<ValuePlan, TableError> {
        let Header { len, outcomes_only, .. } = *header;
        let as_outcomes = outcomes_only && header.rules.points.is_none();
        let effort = Effort::new(compression);
        let fills_unused = effort.is_some() || outcomes_only;
        if fills_unused {
            // No unused index is left, and a block that consists of unused indices becomes endless
            // play.
            values.retain(|&value| value != UNUSED && value != ENDLESS);
            values.insert(0, ENDLESS);
        }
        let mut plan = ValuePlan {
            len,
            effort,
            fills_unused,
            stride: Stride::default(),
            block_values: BLOCK_VALUES,
            palette: Palette::new(values, as_outcomes),
            dictionary: None,
        };
        if let Some(effort) = effort {
            plan.stride = plan.choose_stride(effort, sampler)?;
            if as_outcomes && effort.is_thorough() {
                plan.stride = plan.confirm_stride(effort, sampler)?;
            }
        }
        if as_outcomes {
            plan.block_values = outcome_block_values(effort, plan.stride);
        }
        if let Some(effort) = effort.filter(|_| plan.stride.is_one()) {
            plan.dictionary = plan.choose_dictionary(effort, sampler)?;
        }
        Ok(plan)
    }

    /// The most threads that make blocks, so that memory for writing stays within its limit.
    pub(crate) fn most_threads(&self) -> usize {
        let by_dictionary = self.dictionary.is_some();
        let most = |effort: Effort| effort.most_threads(&self.palette, by_dictionary);
        self.effort.map_or(usize::MAX, most)
    }

    /// The indices of a block's values.
    pub(crate) fn indices(&self, block: u64) -> Range<u64> {
        let first = block * self.block_values;
        first..self.len.min(first + self.block_values)
    }

    /// The dictionary, ready for encoders.
    pub(crate) fn prepare(&self) -> Result<Option<EncoderDictionary<'_>>, TableError> {
        match (self.effort, &self.dictionary) {
            (Some(effort), Some(Dictionary { bytes, .. })) => {
                effort.prepare(bytes).map(Some).map_err(failed)
            }
            _ => Ok(None),
        }
    }

    /// Makes an encoder for blocks. `dictionary` is the result of [`prepare`](ValuePlan::prepare).
    pub(crate) fn encoder<'e>(
        &'e self,
        dictionary: Option<&'e EncoderDictionary<'e>>,
    ) -> io::Result<Encoder<'e>> {
        let plain = Encoder::plain(&self.palette, self.fills_unused, self.stride);
        match self.effort {
            Some(effort) => plain.compressing(effort, dictionary),
            None => Ok(plain),
        }
    }

    /// The total length of these blocks in bytes.
    fn measure(
        &self,
        effort: Effort,
        stride: Stride,
        dictionary: Option<&EncoderDictionary<'_>>,
        blocks: Vec<Range<u64>>,
        sampler: &mut Sampler<'_, '_, '_>,
    ) -> Result<u64, TableError> {
        let Sampler { source, pool } = sampler;
        let read: &ReadValues<'_> = &|first, values| source.read(first, values);
        // All values have been read before.
        let event = |_| Progress::Sampling { done: self.len, of: self.len };
        // On one thread: the memory that it frees is used for the table's blocks later.
        let lengths = pool.run(Size::Small, blocks, event, |indices, token| {
            let _ = token.done(0);
            Encoder::plain(&self.palette, self.fills_unused, stride)
                .compressing(effort, dictionary)
                .and_then(|mut encoder| encoder.encode(indices, read))
                .map(|block| block.len() as u64)
                .map_err(failed)
        })?;
        Ok(lengths.into_iter().sum())
    }

    /// The stride with which some samples of the table are smallest. It is 1 unless another one
    /// makes them smaller by enough.
    fn choose_stride(
        &self,
        effort: Effort,
        sampler: &mut Sampler<'_, '_, '_>,
    ) -> Result<Stride, TableError> {
        let all = self.len.div_ceil(STRIDE_SAMPLE_VALUES);
        let wanted = if effort.is_thorough() { STRIDE_SAMPLES } else { STRIDE_SAMPLES / 2 };
        let count = wanted.min(all);
        let sample = |at| {
            let first = all * (2 * at + 1) / (2 * count) * STRIDE_SAMPLE_VALUES;
            first..self.len.min(first + STRIDE_SAMPLE_VALUES)
        };
        let samples: Vec<Range<u64>> = (0..count).map(sample).collect();
        sampler.fetch(samples.clone())?;
        let shortest = samples.iter().map(|sample| sample.end - sample.start).min().unwrap_or(0);
        let fits = |stride: &Stride| stride.get() * LEAST_ROWS <= shortest;
        let mut strides: Vec<Stride> = Stride::all().skip(1).filter(fits).collect();
        if !effort.is_thorough() {
            let mut changes = vec![0.0; strides.len()];
            let mut values = Vec::new();
            for sample in &samples {
                let source = &*sampler.source;
                let read = &|first: u64, values: &mut [u16]| source.read(first, values);
                read_some(sample.clone(), STRIDE_SAMPLE_VALUES as usize, &mut values, read);
                for (changes, stride) in changes.iter_mut().zip(&strides) {
                    *changes += stride.changes(&values);
                }
            }
            let mut by_changes: Vec<(f64, Stride)> = changes.into_iter().zip(strides).collect();
            by_changes.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            strides = by_changes.into_iter().map(|(_, stride)| stride).take(MEASURED).collect();
        }
        let mut measure = |stride| {
            self.measure(Effort::LEAST, stride, None, samples.clone(), sampler)
                .map(|bytes| bytes as f64)
        };
        let mut best = (MOST_LEFT_BY_STRIDE * measure(Stride::default())?, Stride::default());
        for stride in strides {
            let bytes = measure(stride)?;
            if bytes < best.0 {
                best = (bytes, stride);
            }
        }
        Ok(best.1)
    }

    /// The better of the chosen stride and 1 for outcomes. Compresses a large part of the table as
    /// it would be written.
    ///
    /// Samples do not show the gain from the larger blocks that outcomes have with stride 1.
    fn confirm_stride(
        &self,
        effort: Effort,
        sampler: &mut Sampler<'_, '_, '_>,
    ) -> Result<Stride, TableError> {
        if self.stride.is_one() {
            return Ok(self.stride);
        }
        let middle = self.len.saturating_sub(CONFIRMING_VALUES) / 2 / BLOCK_VALUES * BLOCK_VALUES;
        let end = self.len.min(middle + CONFIRMING_VALUES);
        sampler.fetch(iter::once(middle..end).collect())?;
        let mut measure = |stride| {
            let block_values = outcome_block_values(Some(effort), stride);
            let starts = (middle..end).step_by(block_values as usize);
            let blocks = starts.map(|start| start..end.min(start + block_values)).collect();
            self.measure(effort, stride, None, blocks, sampler)
        };
        let is_better = measure(self.stride)? < measure(Stride::default())?;
        Ok(if is_better { self.stride } else { Stride::default() })
    }

    /// Compresses some pieces of the table without a dictionary and with one. Returns the
    /// dictionary if it makes the table smaller by enough.
    ///
    /// Parts of a table resemble each other over long distances: in Cat and Mouse the cat's places
    /// repeat for every place of the mouse. Blocks that are compressed separately can't use this. A
    /// dictionary of pieces from all over the table can.
    fn choose_dictionary(
        &self,
        effort: Effort,
        sampler: &mut Sampler<'_, '_, '_>,
    ) -> Result<Option<Dictionary>, TableError> {
        let piece_values = self.block_values / 2;
        let all = self.len / piece_values;
        let piece = self.palette.width(piece_values);
        let fits =
            |&pieces: &u64| pieces * 5 <= all * 2 && pieces * piece <= LONGEST_DICTIONARY as u64;
        let Some(pieces) = PIECES.into_iter().find(fits) else { return Ok(None) };
        if all < 2 * LEAST_BLOCKS || !self.palette.takes_dictionary() {
            return Ok(None);
        }
        let indices = |&piece: &u64| piece * piece_values..(piece + 1) * piece_values;
        // Pieces of the dictionary are not among the samples, since they would compress to almost
        // nothing.
        let within: Vec<u64> = spread(all, pieces).collect();
        let others: Vec<u64> = (0..all).filter(|piece| !within.contains(piece)).collect();
        let count = sample_count(all).min(others.len() as u64);
        let samples: Vec<Range<u64>> = (0..count)
            .map(|at| others.len() * (2 * at as usize + 1) / (2 * count as usize))
            .map(|at| indices(&others[at]))
            .collect();
        // The pieces of the dictionary may be harder to compress than the rest, or easier.
        let few: Vec<Range<u64>> = within.iter().step_by(within.len() / 4).map(indices).collect();
        let pieces_read: Vec<Range<u64>> = within.iter().map(indices).collect();
        sampler.fetch([&pieces_read[..], &samples].concat())?;
        let source = &*sampler.source;
        let read = &|first: u64, values: &mut [u16]| source.read(first, values);
        let bytes = self.dictionary_of(pieces_read.into_iter(), read);
        if bytes.starts_with(&OTHER_KIND) {
            return Ok(None);
        }
        let trial = effort.for_trials();
        let mut in_all = |dictionary, samples: &[Range<u64>], count: u64| {
            let bytes = self.measure(trial, self.stride, dictionary, samples.to_vec(), sampler)?;
            Ok::<_, TableError>(bytes as f64 / samples.len().max(1) as f64 * count as f64)
        };
        let rest = others.len() as u64;
        // The compressed size of the dictionary, or of its pieces if it is not used.
        let within = in_all(None, &few, pieces)?;
        let without = in_all(None, &samples, rest)? + within;
        let tried = trial.prepare(&bytes).map_err(failed)?;
        let with = in_all(Some(&tried), &samples, rest)? + within;
        if with >= without * MOST_LEFT {
            return Ok(None);
        }
        drop(tried);
        let compressed = effort.compress_dictionary(&bytes).map_err(failed)?;
        Ok(Some(Dictionary { bytes, compressed }))
    }

    /// The dictionary of these pieces of the table.
    fn dictionary_of(
        &self,
        pieces: impl Iterator<Item = Range<u64>>,
        read: &ReadValues<'_>,
    ) -> Vec<u8> {
        let mut encoder = Encoder::plain(&self.palette, self.fills_unused, self.stride);
        let mut bytes = Vec::new();
        for indices in pieces {
            let piece = encoder.uncompressed(indices, read);
            bytes.extend_from_slice(&piece[..piece.len() - SHORTER]);
        }
        bytes
    }
}

fn failed(error: io::Error) -> TableError {
    TableError::malformed("the dictionary", error)
}

/// This many of all pieces, at equal distances.
fn spread(all: u64, pieces: u64) -> impl Iterator<Item = u64> {
    (0..pieces).map(move |at| all * at / pieces)
}
