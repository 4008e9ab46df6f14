//! Values of a table in memory.

use std::ops::Range;

use crate::error::TableError;
use crate::numbering::TierValues;
use crate::runtime::memory::Array;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::open::Tablebase;
use crate::table::storage::Storage;
use crate::table::values::Values;
use crate::value::{ENDLESS, NotAValue, Value};

/// How many values a cell of one byte can stand for.
const MOST_IN_PALETTE: usize = 1 << u8::BITS;

/// The values of a range of numbers, or of some pages: a byte each where the table lists all that it has, else two.
#[derive(Debug)]
pub(crate) enum LoadedValues {
    /// Places in a book of packed values.
    Listed { palette: Vec<u16>, places: Array<u8> },
    /// Packed values.
    Packed(Array<u16>),
}

impl LoadedValues {
    /// The packed value of an index below the length.
    #[inline]
    pub(crate) fn packed(&self, index: u64) -> u16 {
        match self {
            LoadedValues::Listed { palette, places } => {
                palette[usize::from(places[index as usize])]
            }
            LoadedValues::Packed(packed) => packed[index as usize],
        }
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            LoadedValues::Listed { places, .. } => places.len() as u64,
            LoadedValues::Packed(packed) => packed.len() as u64,
        }
    }
}

impl TierValues for LoadedValues {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let packed = (index < self.len()).then(|| self.packed(index))?;
        Value::unpack(packed).ok().flatten()
    }

    fn kinds(&self) -> Option<Vec<Value>> {
        let LoadedValues::Listed { palette, .. } = self else { return None };
        Some(palette.iter().filter_map(|&packed| Value::unpack(packed).ok().flatten()).collect())
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
    pub(crate) fn bytes_of_values(&self) -> u64 {
        self.bytes_of(self.reader.layout().len)
    }

    /// How many bytes so many of the values take in memory.
    pub(crate) fn bytes_of(&self, values: u64) -> u64 {
        values.saturating_mul(if self.palette().is_some() { 1 } else { 2 })
    }

    /// How many values are in a block.
    pub(crate) fn block_values(&self) -> u64 {
        self.reader.layout().arrangement.block_values
    }

    /// The packed values that there are, where a byte is enough to tell which: those that the table
    /// lists, and endless play, of which a block is made that has nothing but filled holes.
    fn palette(&self) -> Option<Vec<u16>> {
        let list = &self.reader.layout().arrangement.list;
        let endless = (!list.contains(&ENDLESS)).then_some(ENDLESS);
        let palette: Vec<u16> = list.iter().copied().chain(endless).collect();
        let is_one = |&packed: &u16| Value::unpack(packed).is_ok();
        (!list.is_empty() && palette.len() <= MOST_IN_PALETTE && palette.iter().all(is_one))
            .then_some(palette)
    }

    /// All values, every block checked.
    pub(crate) fn load_values(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        let len = self.reader.layout().len;
        self.load(0..len, (0, len), progress)
    }

    /// The values of some numbers, every block checked.
    ///
    /// `done` is how much of the whole check was done before, of how much.
    pub(crate) fn load(
        &self,
        numbers: Range<u64>,
        done: (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        let len = numbers.end - numbers.start;
        let mut of_a_byte = true;
        loop {
            let mut values = self.room(len, of_a_byte)?;
            let goal = Goal { numbers: numbers.clone(), first_cell: 0 };
            if self.load_into(&mut values, vec![goal], done, progress)? {
                return Ok(values);
            }
            of_a_byte = false;
        }
    }

    /// Room for so many values, of a byte each if they are to be, and the table lists all that it has.
    pub(crate) fn room(&self, len: u64, of_a_byte: bool) -> Result<LoadedValues, TableError> {
        let out_of_memory = |bytes| move |_| TableError::OutOfMemory { bytes };
        match self.palette().filter(|_| of_a_byte) {
            Some(palette) => {
                let places = Array::zeroed(len, "the values").map_err(out_of_memory(len))?;
                Ok(LoadedValues::Listed { palette, places })
            }
            None => {
                let bytes = len.saturating_mul(2);
                let packed = Array::zeroed(len, "the values").map_err(out_of_memory(bytes))?;
                Ok(LoadedValues::Packed(packed))
            }
        }
    }

    /// Puts values where they are to be, every block checked. Says whether there is a cell for each: a table
    /// that lists too little can be right all the same, in two bytes a value.
    pub(crate) fn load_into(
        &self,
        values: &mut LoadedValues,
        goals: Vec<Goal>,
        (done, of): (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<bool, TableError> {
        let event = Progress::Verifying { done, of };
        let list = &self.reader.layout().arrangement.list;
        match values {
            LoadedValues::Listed { palette, places } => {
                let mut place_of = vec![0_u8; 1 << u16::BITS];
                (0..=u8::MAX)
                    .zip(&*palette)
                    .for_each(|(place, &packed)| place_of[usize::from(packed)] = place);
                let place = |packed: u16| {
                    let place = place_of[usize::from(packed)];
                    (palette[usize::from(place)] == packed).then_some(place)
                };
                self.fill(places, goals, event, progress, |values, first, cells| match values {
                    Values::Codes(codes) => {
                        cells.copy_from_slice(&codes[first..first + cells.len()]);
                        Ok(())
                    }
                    values => each(values, list, first, cells, place),
                })
            }
            LoadedValues::Packed(packed) => {
                self.fill(packed, goals, event, progress, |values, first, cells| {
                    each(values, list, first, cells, |packed| {
                        Value::unpack(packed).is_ok().then_some(packed)
                    })
                })
            }
        }
    }

    /// Has cells filled: `fill` is given a block's values, the place in it of the first, and the cells.
    /// Says whether there is a cell for each value.
    fn fill<C: Send>(
        &self,
        cells: &mut [C],
        goals: Vec<Goal>,
        event: Progress,
        progress: &mut OnProgress<'_>,
        fill: impl Fn(&Values, usize, &mut [C]) -> Result<(), NoCell> + Sync,
    ) -> Result<bool, TableError> {
        let block_values = self.block_values();
        // By blocks, each of which is read once.
        let mut pieces: Vec<(u64, Parts<'_, C>)> = Vec::new();
        for (numbers, mut cells) in cells_of(cells, goals) {
            for block in numbers.start / block_values..numbers.end.div_ceil(block_values) {
                let first = numbers.start.max(block * block_values);
                let end = numbers.end.min((block + 1) * block_values);
                let (part, rest) = cells.split_at_mut((end - first) as usize);
                cells = rest;
                let part = ((first - block * block_values) as usize, part);
                match pieces.last_mut() {
                    Some((last, parts)) if *last == block => parts.push(part),
                    _ => pieces.push((block, vec![part])),
                }
            }
        }
        // Each thread has a block in memory, as it is in the file and decoded.
        let room = self.memory.unwrap_or(u64::MAX) / (4 * block_values);
        let threads = self.threads.min(room.try_into().unwrap_or(usize::MAX));
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        let work = |(block, parts): (u64, Parts<'_, C>), token: &dyn CancellationToken| {
            if token.done(0).is_break() {
                return Err(TableError::Interrupted);
            }
            self.reader.values(block).and_then(|values| {
                let mut parts = parts.into_iter();
                let filled = parts.try_for_each(|(first, cells)| fill(&values, first, cells));
                let Err(NoCell { at, packed }) = filled else {
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
            })
        };
        let filled = pool.run(size, pieces, |_| event, work)?;
        Ok(filled.into_iter().all(|filled| filled))
    }
}

/// Cells for parts of a block's values, each from a place in it on.
type Parts<'c, C> = Vec<(usize, &'c mut [C])>;

/// Numbers whose values go into cells side by side.
pub(crate) struct Goal {
    pub(crate) numbers: Range<u64>,
    pub(crate) first_cell: u64,
}

/// The cells of each goal, in the order of the numbers.
fn cells_of<C>(mut cells: &mut [C], mut goals: Vec<Goal>) -> Vec<(Range<u64>, &mut [C])> {
    goals.sort_unstable_by_key(|goal| goal.first_cell);
    let mut at = 0;
    let mut parts = Vec::with_capacity(goals.len());
    for Goal { numbers, first_cell } in goals {
        let (_, from_here) = cells.split_at_mut((first_cell - at) as usize);
        let len = numbers.end - numbers.start;
        let (part, rest) = from_here.split_at_mut(len as usize);
        (cells, at) = (rest, first_cell + len);
        parts.push((numbers, part));
    }
    parts.sort_unstable_by_key(|(numbers, _)| numbers.start);
    parts
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
