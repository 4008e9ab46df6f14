//! What to find out about a table before its values are written.

use std::io;
use std::ops::Range;

use zstd::dict::EncoderDictionary;

use crate::error::TableError;
use crate::runtime::pool::{Size, WorkerPool, equal_cuts};
use crate::runtime::progress::Progress;
use crate::table::records::{BLOCK_VALUES, Header};
use crate::table::values::{
    Compression, Effort, Encoder, LONGEST_DICTIONARY, List, Neighbour, Stride, fill_holes,
};
use crate::value::{ENDLESS, HOLE};

/// How the values of a table are going to be written.
pub(crate) struct ValuePlan {
    len: u64,
    effort: Option<Effort>,
    /// Whose values holes have, which stand for nothing, if holes are filled.
    fill: Option<Neighbour>,
    /// In which order blocks have their values.
    stride: Stride,
    /// How many values stand in a block; a power of two.
    pub(crate) block_values: u64,
    pub(crate) list: List,
    pub(crate) dictionary: Option<Dictionary>,
}

/// Values that the blocks are likely to have too, for the compressor to refer to.
pub(crate) struct Dictionary {
    bytes: Vec<u8>,
    pub(crate) compressed: Vec<u8>,
}

/// What the compressor takes for the mark of a dictionary of another kind.
const OTHER_KIND: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// Tables of fewer blocks have no dictionary.
const LEAST_BLOCKS: u64 = 10;

/// How many pieces a dictionary can have, each of half a block: as many as fit, but no more than a
/// small part of the table.
const PIECES: [u64; 3] = [32, 16, 8];

/// How many values are compressed at once to find out in which order they stand best, and how holes
/// are filled.
const SAMPLE_VALUES: u64 = 2 * BLOCK_VALUES;

/// How many outcomes are compressed at once to find out whether they are better in another order.
const CONFIRMING_VALUES: u64 = 16 * BLOCK_VALUES;

/// Of so many pieces of a table, how many are compressed to find out something about all.
fn sample_count(all: u64) -> u64 {
    (all / 16).clamp(10, 32).min(all)
}

/// How much shorter than half a block a piece of a dictionary is: for 4 MiB, 2 MiB or 1 MiB zstd
/// makes tables twice as large as for a little less.
const SHORTER: usize = 128;

/// What part of the table a dictionary may leave: where more is left, it would be had for more time
/// and memory than it is worth.
const MOST_LEFT: f64 = 0.875;

/// How many times as many values there are in a block of outcomes alone: as many as take the same
/// room; and at the highest levels, where that would be larger than the same compressed as a whole,
/// as many as a block can have, unless another order has brought together what is far apart.
fn outcome_blocks(effort: Option<Effort>, stride: Stride) -> u64 {
    if effort.is_some_and(Effort::is_thorough) && stride.is_one() { 64 } else { 4 }
}

/// How many orders are tried with more of the table.
const FINALISTS: usize = 2;

/// In how many rows a stride puts the values of a sample at the least.
const LEAST_ROWS: u64 = 8;

/// What part of the table another order may leave: for less, what is looked up would have to be put
/// in order for nothing.
const MOST_LEFT_BY_STRIDE: f64 = 0.97;

/// A table that is looked at before it is written.
pub(crate) struct Sample<'s, 'p> {
    /// The packed value of each number.
    pub(crate) value: &'s (dyn Fn(u64) -> u16 + Sync),
    pub(crate) pool: &'s mut WorkerPool<'p>,
    /// How many states progress is of.
    pub(crate) of: u64,
}

impl ValuePlan {
    pub(crate) fn make(
        header: &Header,
        compression: Compression,
        sight: &mut Sample<'_, '_>,
    ) -> Result<ValuePlan, TableError> {
        let Header { len, outcomes_only, .. } = *header;
        let effort = Effort::of(compression, header);
        let fill = (effort.is_some() || outcomes_only).then_some(Neighbour::Before);
        let Sample { value, pool, of } = sight;
        let (value, of) = (*value, *of);
        let parts = equal_cuts(len, pool.threads() * 16, BLOCK_VALUES);
        let starts = [0].into_iter().chain(parts.iter().copied());
        let pieces = starts.zip(parts.iter().copied()).collect();
        let size = if len > BLOCK_VALUES { Size::Big } else { Size::Small };
        let event = |_| Progress::Writing { done: 0, of };
        let found = pool.run(size, pieces, event, |(start, end): (u64, u64), token| {
            let mut found = vec![false; 1 << 16];
            (start..end).for_each(|number| found[usize::from(value(number))] = true);
            let _ = token.done(0);
            Ok::<_, TableError>(found)
        })?;
        let is_found = |value: u16| found.iter().any(|found| found[usize::from(value)]);
        // Where holes are filled, none is left; a block of nothing else becomes endless play.
        let first = u16::from(fill.is_some());
        let values: Vec<u16> = (first..=u16::MAX)
            .filter(|&value| is_found(value) || (first > HOLE && value == ENDLESS))
            .collect();
        let list = List::new(values, outcomes_only);
        let (stride, block_values, dictionary) = (Stride::default(), BLOCK_VALUES, None);
        let mut plan = ValuePlan { len, effort, fill, stride, block_values, list, dictionary };
        let has_holes = is_found(HOLE);
        if let Some(effort) = effort {
            plan.choose_stride(effort, sight)?;
            if outcomes_only && effort.is_thorough() {
                plan.confirm_stride(effort, has_holes, sight)?;
            }
        }
        if outcomes_only {
            plan.block_values *= outcome_blocks(effort, plan.stride);
        }
        if let Some(effort) = effort {
            if has_holes {
                plan.choose_neighbour(effort, sight)?;
            }
            if plan.stride.is_one() {
                plan.dictionary = plan.choose_dictionary(effort, sight)?;
            }
            let by_dictionary = plan.dictionary.is_some();
            plan.block_values *= effort.values_together(&plan.list, by_dictionary);
        }
        Ok(plan)
    }

    /// Whether holes have values that stand for nothing.
    pub(crate) fn is_filled(&self) -> bool {
        self.fill.is_some()
    }

    /// By how many threads blocks are made at most, so that memory for writing stays bounded.
    pub(crate) fn most_threads(&self) -> usize {
        let by_dictionary = self.dictionary.is_some();
        let most = |effort: Effort| effort.most_threads(&self.list, by_dictionary);
        self.effort.map_or(usize::MAX, most)
    }

    /// The numbers of a block.
    pub(crate) fn numbers(&self, block: u64) -> Range<u64> {
        let first = block * self.block_values;
        first..self.len.min(first + self.block_values)
    }

    /// The block of these numbers.
    pub(crate) fn encode(
        &self,
        encoder: &mut Encoder<'_>,
        numbers: Range<u64>,
        value: &dyn Fn(u64) -> u16,
    ) -> io::Result<Vec<u8>> {
        let values = self.stride.order(numbers).map(value);
        match self.fill {
            Some(neighbour) => encoder.encode(fill_holes(values, neighbour)),
            None => encoder.encode(values),
        }
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

    /// What makes blocks, with what [`prepare`](ValuePlan::prepare) made of the dictionary.
    pub(crate) fn encoder<'e>(
        &'e self,
        dictionary: Option<&'e EncoderDictionary<'e>>,
    ) -> io::Result<Encoder<'e>> {
        Encoder::new(self.effort, &self.list, self.stride, dictionary)
    }

    /// How many bytes these values take, some at a time.
    fn measure(
        &self,
        effort: Effort,
        dictionary: Option<&EncoderDictionary<'_>>,
        samples: Vec<Range<u64>>,
        Sample { value, pool, of }: &mut Sample<'_, '_>,
    ) -> Result<u64, TableError> {
        let event = |_| Progress::Writing { done: 0, of: *of };
        // By one thread: what it leaves to the allocator is used for the table's blocks then.
        let encoded = pool.run(Size::Small, samples, event, |numbers, token| {
            let _ = token.done(0);
            let encoder = Encoder::new(Some(effort), &self.list, self.stride, dictionary);
            let encoded = encoder
                .and_then(|encoder| self.encode(&mut encoder.in_one_layout(), numbers, value));
            encoded.map_err(failed)
        })?;
        let mut bytes = 0;
        for block in encoded {
            bytes += block.len() as u64;
        }
        Ok(bytes)
    }

    /// Parts of the table to find out something about all.
    fn samples(&self) -> Vec<Range<u64>> {
        let all = self.len.div_ceil(SAMPLE_VALUES);
        let count = (all / 16).clamp(2, 8).min(all);
        let sample = |at| at * SAMPLE_VALUES..self.len.min((at + 1) * SAMPLE_VALUES);
        (0..count).map(|at| sample(all * (2 * at + 1) / (2 * count))).collect()
    }

    /// Compresses little of the table in every order, and more of it in the best of them and in that
    /// of the numbers, and takes the best.
    fn choose_stride(
        &mut self,
        effort: Effort,
        sight: &mut Sample<'_, '_>,
    ) -> Result<(), TableError> {
        const BOTH: &[Neighbour] = &[Neighbour::Before, Neighbour::Behind];
        // Outcomes are short, and usually compressed with much more effort.
        let (trial, little, neighbours) = match self.list.has_outcomes_only() {
            true => (effort.to_see(), SAMPLE_VALUES, BOTH),
            false => (Effort::LEAST, BLOCK_VALUES / 2, &BOTH[..1]),
        };
        let much = self.samples();
        let little: Vec<Range<u64>> =
            much.iter().take(2).map(|part| part.start..part.end.min(part.start + little)).collect();
        let rows = little.iter().map(|part| part.end - part.start).min().unwrap_or(0);
        let mut measure = |stride, samples: &[Range<u64>]| {
            self.stride = stride;
            let mut least = u64::MAX;
            for &neighbour in neighbours {
                self.fill = Some(neighbour);
                least = least.min(self.measure(trial, None, samples.to_vec(), sight)?);
            }
            Ok::<u64, TableError>(least)
        };
        let mut found = Vec::new();
        for stride in Stride::others().filter(|stride| stride.get() * LEAST_ROWS <= rows) {
            found.push((measure(stride, &little)?, stride));
        }
        found.sort_by_key(|&(bytes, _)| bytes);
        let in_order = measure(Stride::default(), &much)? as f64;
        let mut best = (in_order * MOST_LEFT_BY_STRIDE, Stride::default());
        for (_, stride) in found.into_iter().take(FINALISTS) {
            let bytes = measure(stride, &much)? as f64;
            if bytes < best.0 {
                best = (bytes, stride);
            }
        }
        (self.stride, self.fill) = (best.1, Some(Neighbour::Before));
        Ok(())
    }

    /// Compresses a large part of the table as it is going to be, in the order chosen and in that of the
    /// numbers, and takes the better: a trial of short pieces does not see how much larger the blocks
    /// are that those have which stand in the order of the numbers.
    fn confirm_stride(
        &mut self,
        effort: Effort,
        has_holes: bool,
        sight: &mut Sample<'_, '_>,
    ) -> Result<(), TableError> {
        if self.stride.is_one() {
            return Ok(());
        }
        let middle = self.len.saturating_sub(CONFIRMING_VALUES) / 2 / BLOCK_VALUES * BLOCK_VALUES;
        let end = self.len.min(middle + CONFIRMING_VALUES);
        let mut measured = Vec::new();
        for stride in [Stride::default(), self.stride] {
            self.stride = stride;
            if has_holes {
                self.choose_neighbour(effort, sight)?;
            }
            let block_values = BLOCK_VALUES * outcome_blocks(Some(effort), stride);
            let starts = (middle..end).step_by(block_values as usize);
            let blocks = starts.map(|start| start..end.min(start + block_values)).collect();
            measured.push((self.measure(effort, None, blocks, sight)?, stride));
        }
        let best = measured.into_iter().min_by_key(|&(bytes, _)| bytes);
        self.stride = best.map_or(self.stride, |(_, stride)| stride);
        Ok(())
    }

    /// Compresses some parts of the table with its holes filled in either way, and takes the better.
    fn choose_neighbour(
        &mut self,
        effort: Effort,
        sight: &mut Sample<'_, '_>,
    ) -> Result<(), TableError> {
        let samples = self.samples();
        let mut measured = Vec::new();
        for neighbour in [Neighbour::Before, Neighbour::Behind] {
            self.fill = Some(neighbour);
            let bytes = self.measure(effort.to_see(), None, samples.clone(), sight)?;
            measured.push((bytes, neighbour));
        }
        self.fill = measured.into_iter().min_by_key(|&(bytes, _)| bytes).map(|(_, best)| best);
        Ok(())
    }

    /// Compresses some pieces of the table without a dictionary and with one, and takes it if that
    /// makes the table smaller by enough.
    ///
    /// Parts of a table resemble each other over long distances: in Cat and Mouse the cat's places
    /// repeat for every place of the mouse. Blocks that are compressed each on its own can't use
    /// that. A dictionary of pieces from all over the table makes up for it.
    fn choose_dictionary(
        &self,
        effort: Effort,
        sight: &mut Sample<'_, '_>,
    ) -> Result<Option<Dictionary>, TableError> {
        let piece_values = self.block_values / 2;
        let all = self.len / piece_values;
        let piece = self.list.width(piece_values);
        let fits =
            |&pieces: &u64| pieces * 5 <= all * 2 && pieces * piece <= LONGEST_DICTIONARY as u64;
        let Some(pieces) = PIECES.into_iter().find(fits) else { return Ok(None) };
        if all < 2 * LEAST_BLOCKS || !self.list.takes_dictionary() {
            return Ok(None);
        }
        let numbers = |&piece: &u64| piece * piece_values..(piece + 1) * piece_values;
        // Those in the dictionary are not among the samples, since they would cost next to nothing.
        let within: Vec<u64> = spread(all, pieces).collect();
        let others: Vec<u64> = (0..all).filter(|piece| !within.contains(piece)).collect();
        let count = sample_count(all).min(others.len() as u64);
        let samples: Vec<Range<u64>> = (0..count)
            .map(|at| others.len() * (2 * at as usize + 1) / (2 * count as usize))
            .map(|at| numbers(&others[at]))
            .collect();
        // What is in the dictionary may be harder to compress than the rest, or easier.
        let few: Vec<Range<u64>> = within.iter().step_by(within.len() / 4).map(numbers).collect();
        let bytes = self.dictionary_of(within.iter().map(numbers), sight.value);
        if bytes.starts_with(&OTHER_KIND) {
            return Ok(None);
        }
        let trial = effort.to_see();
        let mut in_all = |dictionary, samples: &[Range<u64>], count: u64| {
            let bytes = self.measure(trial, dictionary, samples.to_vec(), sight)?;
            Ok::<_, TableError>(bytes as f64 / samples.len().max(1) as f64 * count as f64)
        };
        let rest = others.len() as u64;
        // What the dictionary will take compressed, or its pieces where it is not taken.
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
        value: &dyn Fn(u64) -> u16,
    ) -> Vec<u8> {
        let (mut bytes, mut piece) = (Vec::new(), Vec::new());
        for numbers in pieces {
            let neighbour = self.fill.unwrap_or(Neighbour::Before);
            self.list.put(fill_holes(numbers.map(value), neighbour), &mut piece);
            bytes.extend_from_slice(&piece[..piece.len() - SHORTER]);
        }
        bytes
    }
}

fn failed(error: io::Error) -> TableError {
    TableError::malformed("the dictionary", error)
}

/// So many of all pieces, at equal distances.
fn spread(all: u64, pieces: u64) -> impl Iterator<Item = u64> {
    (0..pieces).map(move |at| all * at / pieces)
}
