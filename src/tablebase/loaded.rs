//! Values of a table in memory.

use std::ops::Range;

use super::error::TableError;
use super::open::Tablebase;
use super::storage::Storage;
use super::values::Values;
use crate::numbering::Known;
use crate::solve::crew::{Crew, Signals, Size};
use crate::solve::memory::Array;
use crate::solve::{OnProgress, Progress, SolveError};
use crate::value::{ENDLESS, NotAValue, Value};

/// How many values a cell of one byte can stand for.
const MOST_IN_BOOK: usize = 1 << u8::BITS;

/// The values of a range of numbers: a byte each where the table lists all that it has, else two.
#[derive(Debug)]
pub(crate) enum LoadedValues {
    /// Places in a book of packed values.
    Listed { book: Vec<u16>, places: Array<u8> },
    /// Packed values.
    Packed(Array<u16>),
}

impl LoadedValues {
    /// The packed value of an index below the length.
    #[inline]
    pub(super) fn packed(&self, index: u64) -> u16 {
        match self {
            LoadedValues::Listed { book, places } => book[usize::from(places[index as usize])],
            LoadedValues::Packed(packed) => packed[index as usize],
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            LoadedValues::Listed { places, .. } => places.len() as u64,
            LoadedValues::Packed(packed) => packed.len() as u64,
        }
    }
}

impl Known for LoadedValues {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let packed = (index < self.len()).then(|| self.packed(index))?;
        Value::unpack(packed).ok().flatten()
    }

    fn kinds(&self) -> Option<Vec<Value>> {
        let LoadedValues::Listed { book, .. } = self else { return None };
        Some(book.iter().filter_map(|&packed| Value::unpack(packed).ok().flatten()).collect())
    }

    fn bytes(&self) -> u64 {
        match self {
            LoadedValues::Listed { .. } => self.len(),
            LoadedValues::Packed(_) => 2 * self.len(),
        }
    }
}

impl<S: Storage + Sync> Tablebase<S> {
    /// How many bytes all values take in memory.
    pub(super) fn bytes_of_values(&self) -> u64 {
        self.bytes_of(self.reader.layout().len)
    }

    /// How many bytes so many of the values take in memory.
    pub(super) fn bytes_of(&self, values: u64) -> u64 {
        values.saturating_mul(if self.book().is_some() { 1 } else { 2 })
    }

    /// The packed values that there are, where a byte is enough to tell which: those that the table
    /// lists, and endless play, of which a block is made that has nothing but filled holes.
    fn book(&self) -> Option<Vec<u16>> {
        let list = &self.reader.layout().arrangement.list;
        let endless = (!list.contains(&ENDLESS)).then_some(ENDLESS);
        let book: Vec<u16> = list.iter().copied().chain(endless).collect();
        let is_one = |&packed: &u16| Value::unpack(packed).is_ok();
        (!list.is_empty() && book.len() <= MOST_IN_BOOK && book.iter().all(is_one)).then_some(book)
    }

    /// All values, every block checked.
    pub(super) fn load_values(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        let len = self.reader.layout().len;
        self.load(0..len, (0, len), progress)
    }

    /// The values of some numbers, every block checked.
    ///
    /// `done` is how much of the whole check was done before, of how much.
    pub(super) fn load(
        &self,
        numbers: Range<u64>,
        (done, of): (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        let len = numbers.end - numbers.start;
        let out_of_memory = |_| TableError::OutOfMemory { bytes: self.bytes_of(len) };
        let event = Progress::Verifying { done, of };
        let list = &self.reader.layout().arrangement.list;
        if let Some(book) = self.book() {
            let mut place_of = vec![0_u8; 1 << u16::BITS];
            (0..=u8::MAX)
                .zip(&book)
                .for_each(|(place, &packed)| place_of[usize::from(packed)] = place);
            let place = |packed: u16| {
                let place = place_of[usize::from(packed)];
                (book[usize::from(place)] == packed).then_some(place)
            };
            let mut places = Array::zeroed(len, "the values").map_err(out_of_memory)?;
            let fill = |values: &Values, first: usize, cells: &mut [u8]| match values {
                Values::Codes(codes) => {
                    cells.copy_from_slice(&codes[first..first + cells.len()]);
                    Ok(())
                }
                values => each(values, list, first, cells, place),
            };
            if self.fill(&mut places, numbers.clone(), event, progress, fill)? {
                return Ok(LoadedValues::Listed { book, places });
            }
            // A table that lists too little can be right all the same.
        }
        let mut packed = Array::zeroed(len, "the values").map_err(out_of_memory)?;
        self.fill(&mut packed, numbers, event, progress, |values, first, cells| {
            each(values, list, first, cells, |packed| {
                Value::unpack(packed).is_ok().then_some(packed)
            })
        })?;
        Ok(LoadedValues::Packed(packed))
    }

    /// Has the cells of these numbers filled: `fill` is given a block's values, the place in it of the
    /// first, and the cells. Says whether there is a cell for each value.
    fn fill<C: Send>(
        &self,
        mut cells: &mut [C],
        numbers: Range<u64>,
        event: Progress,
        progress: &mut OnProgress<'_>,
        fill: impl Fn(&Values, usize, &mut [C]) -> Result<(), NoCell> + Sync,
    ) -> Result<bool, TableError> {
        let block_values = self.reader.layout().arrangement.block_values;
        let mut pieces = Vec::new();
        for block in numbers.start / block_values..numbers.end.div_ceil(block_values) {
            let first = numbers.start.max(block * block_values);
            let end = numbers.end.min((block + 1) * block_values);
            let (piece, rest) = cells.split_at_mut((end - first) as usize);
            cells = rest;
            pieces.push((block, (first - block * block_values) as usize, piece));
        }
        // Each thread has a block in memory, as it is in the file and decoded.
        let room = self.memory.unwrap_or(u64::MAX) / (4 * block_values);
        let threads = self.threads.min(room.try_into().unwrap_or(usize::MAX));
        let mut progress = |event| progress(event);
        let mut crew = Crew::new(threads, &mut progress);
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        let work = |(block, first, cells): (u64, usize, &mut [C]), signals: &dyn Signals| {
            if signals.done(0).is_break() {
                return Err(SolveError::Interrupted);
            }
            Ok(self.reader.values(block).and_then(|values| {
                let Err(NoCell { at, packed }) = fill(&values, first, cells) else {
                    return Ok(true);
                };
                let number = block * block_values + at as u64;
                match Value::unpack(packed) {
                    Ok(_) => Ok(false),
                    Err(NotAValue(packed)) => {
                        let problem =
                            format!("stores {packed:#06x} at number {number}, which is no value");
                        Err(TableError::malformed("the table", problem))
                    }
                }
            }))
        };
        let filled =
            crew.run(size, pieces, |_| event, work).map_err(|_| TableError::Interrupted)?;
        filled.into_iter().try_fold(true, |all, filled| Ok(all && filled?))
    }
}

/// That no cell can stand for a value, and at which place of its block that is.
struct NoCell {
    at: usize,
    packed: u16,
}

/// Fills cells with what `cell` makes of the values of a block, from a place on.
fn each<C>(
    values: &Values,
    list: &[u16],
    first: usize,
    cells: &mut [C],
    cell: impl Fn(u16) -> Option<C>,
) -> Result<(), NoCell> {
    cells.iter_mut().zip(first..).try_for_each(|(into, at)| {
        let packed = values.get(at, list).unwrap_or_default();
        *into = cell(packed).ok_or(NoCell { at, packed })?;
        Ok(())
    })
}
