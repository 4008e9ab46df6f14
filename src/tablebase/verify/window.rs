//! Stretches of a table's values in memory.

use std::ops::Range;

use thiserror::Error;

use super::super::error::TableError;
use super::super::open::Tablebase;
use super::super::storage::Storage;
use crate::numbering::Known as _;
use crate::solve::crew::{Crew, Size};
use crate::solve::known::KnownValues;
use crate::solve::{OnProgress, Progress, SolveError};
use crate::value::{NotAValue, Value};

/// With so many different values, or fewer, each takes one byte in memory.
const NARROW: usize = 180;

/// How many blocks each thread reads before they are put together.
const BLOCKS_A_THREAD: usize = 2;

/// The values of a range of numbers.
pub(super) struct Window {
    first: u64,
    len: u64,
    /// How many numbers the table has.
    of: u64,
    values: KnownValues,
}

/// What a window knows of a number.
pub(super) enum Found {
    /// Its value.
    Value(Value),
    /// That it has none.
    Nothing,
    /// Nothing: another window has it.
    Elsewhere,
}

impl Window {
    /// The value of a number.
    #[inline]
    pub(super) fn find(&self, number: u64) -> Found {
        let at = number.wrapping_sub(self.first);
        if at < self.len {
            self.values.value(at).map_or(Found::Nothing, Found::Value)
        } else if number >= self.of {
            Found::Nothing
        } else {
            Found::Elsewhere
        }
    }

    /// The value of a number, if it is here and has one.
    #[inline]
    pub(super) fn value(&self, number: u64) -> Option<Value> {
        match self.find(number) {
            Found::Value(value) => Some(value),
            Found::Nothing | Found::Elsewhere => None,
        }
    }

    /// Whether it is the one that begins at number 0.
    pub(super) fn is_first(&self) -> bool {
        self.first == 0
    }
}

impl<S: Storage + Sync> Tablebase<S> {
    /// How many bytes all values take in memory, at most.
    pub(in crate::tablebase) fn values_bytes_of_all(&self) -> u64 {
        self.values_bytes(self.reader.layout().len)
    }

    /// How many bytes so many of the values take in memory, at most.
    pub(super) fn values_bytes(&self, values: u64) -> u64 {
        let list = &self.reader.layout().arrangement.list;
        values.saturating_mul(if (1..=NARROW).contains(&list.len()) { 1 } else { 2 })
    }

    /// The values of some numbers, every block checked.
    ///
    /// `done` is how much of the whole check was done before, of how much.
    pub(super) fn window(
        &self,
        numbers: Range<u64>,
        done: (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<Window, TableError> {
        let (first, len) = (numbers.start, numbers.end - numbers.start);
        let values = self.load_range(numbers, done, progress)?;
        Ok(Window { first, len, of: self.reader.layout().len, values })
    }

    /// All values, every block checked.
    pub(in crate::tablebase) fn load_values(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<KnownValues, TableError> {
        let len = self.reader.layout().len;
        self.load_range(0..len, (0, len), progress)
    }

    fn load_range(
        &self,
        numbers: Range<u64>,
        (done, of): (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<KnownValues, TableError> {
        let block_values = self.reader.layout().arrangement.block_values;
        let len = numbers.end - numbers.start;
        let blocks: Vec<u64> =
            (numbers.start / block_values..numbers.end.div_ceil(block_values)).collect();
        let mut progress = |event| progress(event);
        let mut crew = Crew::new(self.threads, &mut progress);
        let size = if blocks.len() > 1 { Size::Big } else { Size::Small };
        let event = |_| Progress::Verifying { done, of };
        let filled = KnownValues::fill(len, |add| {
            // Before they are put together, values take two bytes each, for a while.
            let room = self.memory.unwrap_or(u64::MAX) / (4 * block_values);
            let together = room.clamp(1, (BLOCKS_A_THREAD * self.threads) as u64);
            for blocks in blocks.chunks(together as usize) {
                let read = crew.run(size, blocks.to_vec(), event, |block, _| {
                    Ok(self.part_of_block(block, &numbers))
                });
                for packed in read.map_err(|_| TableError::Interrupted)? {
                    add(&packed?);
                }
            }
            Ok::<(), LoadError>(())
        });
        filled.map_err(|error| match error {
            LoadError::Table(error) => error,
            LoadError::Memory(_) => TableError::OutOfMemory { bytes: len },
        })
    }

    /// Those values of a block that are of these numbers.
    fn part_of_block(&self, block: u64, numbers: &Range<u64>) -> Result<Vec<u16>, TableError> {
        let arrangement = &self.reader.layout().arrangement;
        let mut packed = Vec::new();
        self.reader.values(block)?.copy_to(&mut packed, &arrangement.list);
        let start = block * arrangement.block_values;
        packed.truncate(usize::try_from(numbers.end - start).unwrap_or(usize::MAX));
        packed.drain(..numbers.start.saturating_sub(start) as usize);
        for (number, &packed) in (start.max(numbers.start)..).zip(&packed) {
            Value::unpack(packed).map_err(|NotAValue(packed)| {
                let problem = format!("stores {packed:#06x} at number {number}, which is no value");
                TableError::malformed("the table", problem)
            })?;
        }
        Ok(packed)
    }
}

#[derive(Debug, Error)]
enum LoadError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Memory(#[from] SolveError),
}
