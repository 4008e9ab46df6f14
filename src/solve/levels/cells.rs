//! The cells of the analysis: one packed number a state, which is a counter first and a value
//! later.
//!
//! While a state is open, its cell counts the successors that are open too. Once the state is
//! settled, the cell holds its value.
//!
//! Cells are one byte wide for as long as that is enough, and are then widened to two bytes. A byte
//! holds 0 for a hole, 1 to 63 for open states, and above 63 a code that the palette maps to a
//! value. Levels add codes to the palette in the order in which they need them. Most levels settle
//! only wins or only losses, so that one byte is enough for some 190 levels. Two bytes hold values
//! as [`Value::pack`] packs them, and numbers below [`WIN`] for open states.

use std::sync::Mutex;

use bytemuck::Pod;
use hashbrown::HashMap;

use crate::error::SolveError;
use crate::numbering::TierValues;
use crate::runtime::memory::Array;
use crate::value::{DRAW, ENDLESS, HOLE, LOSS, Value, WIN};

/// A cell of one width.
pub(crate) trait Cell: Pod + Eq + Send + Sync {
    /// The highest count of open successors: the state has as many or more. How many more is in the
    /// [`OverflowCounts`]. Open cells are 1..=`SATURATED`; a hole is 0.
    const SATURATED: Self;
    /// [`SATURATED`](Cell::SATURATED) as a `u64`.
    const HIGHEST_COUNT: u64;
    /// Whether there is a wider cell.
    const CAN_WIDEN: bool;

    /// The cell of an open state with `degree` open successors.
    fn open(degree: u64) -> Self;

    /// The cell of a state where play is over. The distance of its value is 0 or 1.
    fn ended(value: Value) -> Self;

    /// The cell with a code that [`Cells::code`] returned.
    fn of_code(code: u16) -> Self;

    /// Whether the state's value is not known yet.
    fn is_open(self) -> bool;

    /// An open cell with one successor fewer; with none left it equals a hole. Other cells give
    /// something that is not open.
    fn less_one(self) -> Self;

    /// Whether this is [`less_one`](Cell::less_one) of an open cell below
    /// [`SATURATED`](Cell::SATURATED).
    fn is_countable(self) -> bool;
}

macro_rules! cell {
    ($cell:ty, $saturated:expr, $can_widen:expr, $ended:expr) => {
        impl Cell for $cell {
            const SATURATED: $cell = $saturated;
            const HIGHEST_COUNT: u64 = $saturated as u64;
            const CAN_WIDEN: bool = $can_widen;

            #[inline]
            fn open(degree: u64) -> $cell {
                degree.min(Self::HIGHEST_COUNT) as $cell
            }

            #[inline]
            fn ended(value: Value) -> $cell {
                $ended(value)
            }

            #[inline]
            fn of_code(code: u16) -> $cell {
                code as $cell
            }

            #[inline]
            fn is_open(self) -> bool {
                self.wrapping_sub(1) < Self::SATURATED
            }

            #[inline]
            fn is_countable(self) -> bool {
                self < Self::SATURATED - 1
            }

            #[inline]
            fn less_one(self) -> $cell {
                self.wrapping_sub(1)
            }
        }
    };
}

cell!(u8, 63, true, |end| match end {
    Value::Win(0) => 64,
    Value::Loss(0) => 65,
    Value::Draw(0) | Value::Endless => 66,
    Value::Win(_) => 67,
    Value::Loss(_) => 68,
    Value::Draw(_) => 69,
});
cell!(u16, WIN - 1, false, Value::pack);

/// How many open successors states have beyond what their cells can count, by index. Few states
/// have more successors than [`Cell::SATURATED`].
#[derive(Debug, Default)]
pub(crate) struct OverflowCounts(Mutex<HashMap<u64, u64>>);

impl OverflowCounts {
    pub(crate) fn new(entries: impl IntoIterator<Item = (u64, u64)>) -> OverflowCounts {
        OverflowCounts(Mutex::new(entries.into_iter().collect()))
    }

    /// Adds entries of states that have none.
    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = (u64, u64)>) {
        self.entries().extend(entries);
    }

    /// How many entries there are.
    pub(crate) fn count(&self) -> usize {
        self.entries().len()
    }

    /// The entries, in ascending order.
    pub(crate) fn listed(&self) -> Vec<(u64, u64)> {
        let mut listed: Vec<_> = self.entries().iter().map(|(&key, &more)| (key, more)).collect();
        listed.sort_unstable();
        listed
    }

    pub(super) fn entries(&self) -> std::sync::MutexGuard<'_, HashMap<u64, u64>> {
        // A panic elsewhere ends the run anyway.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes one from the overflow count of a state; `false` if it has none.
    fn take_one(&self, index: u64) -> bool {
        let mut entries = self.entries();
        let Some(count) = entries.get_mut(&index) else { return false };
        *count -= 1;
        if *count == 0 {
            entries.remove(&index);
        }
        true
    }
}

/// The cells that states get when one level settles them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelCodes<C> {
    /// For states that any one settled successor settles.
    pub(crate) any: C,
    /// For states that are settled once all their successors are.
    pub(crate) all: C,
}

/// What a level needs for applying updates to cells.
#[derive(Clone, Copy)]
pub(crate) struct Settling<'b, C> {
    pub(crate) codes: LevelCodes<C>,
    pub(crate) overflow: &'b OverflowCounts,
}

/// What an update did to a state. An update says that one successor of the state is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    /// It settled nothing: the state waits for more updates, was settled before, or is a hole.
    Nothing,
    /// It settled the state.
    Settled,
    /// It is not applied yet, because the state may have more open successors than its cell can
    /// count: [`Settling::apply_saturated`] applies it.
    Saturated,
}

impl<C: Cell> Settling<'_, C> {
    /// Updates the cell of a state one of whose successors is settled. With `any` that settles an
    /// open state; otherwise only the last open successor does, and any other is counted off.
    ///
    /// There is no call in here, not even a rare one, so that the loops around it keep their
    /// variables in registers.
    #[inline(always)]
    pub(crate) fn apply(&self, cell: &mut C, any: bool) -> Update {
        let less = cell.less_one();
        if !less.is_countable() {
            return if *cell == C::SATURATED { Update::Saturated } else { Update::Nothing };
        }
        self.take_one(cell, less, any)
    }

    /// Updates the cell of a state that may be saturated, like [`apply`](Settling::apply) for the
    /// others. Never returns [`Update::Saturated`].
    #[cold]
    pub(crate) fn apply_saturated(&self, cell: &mut C, any: bool, index: u64) -> Update {
        match self.apply(cell, any) {
            Update::Saturated if !any && self.overflow.take_one(index) => Update::Nothing,
            Update::Saturated => self.take_one(cell, cell.less_one(), any),
            update => update,
        }
    }

    #[inline(always)]
    fn take_one(&self, cell: &mut C, less: C, any: bool) -> Update {
        if !any && less != C::zeroed() {
            *cell = less;
            return Update::Nothing;
        }
        *cell = if any { self.codes.any } else { self.codes.all };
        Update::Settled
    }
}

/// The cells of all states.
#[derive(Debug)]
pub(crate) struct Cells {
    /// Room for two bytes a state. While cells are narrow, the second half is never touched and
    /// costs nothing.
    bytes: Array<u8>,
    len: usize,
    /// The index of the first cell. More than 0 where other processes have the cells before it.
    first: u64,
    width: Width,
    /// By index.
    pub(crate) overflow: OverflowCounts,
}

#[derive(Debug)]
enum Width {
    /// One byte; the palette maps it to a packed value, or to [`ENDLESS`] for an open state.
    Narrow(Vec<u16>),
    /// Two bytes.
    Wide,
}

/// The cells as a slice of the width that they have.
pub(crate) enum Slice<'c> {
    Narrow(&'c mut [u8]),
    Wide(&'c mut [u16]),
}

/// How many entries a palette can have.
const MOST_IN_PALETTE: usize = 1 << u8::BITS;

impl Cells {
    /// The palette of narrow cells before any level.
    pub(crate) fn initial_palette() -> Vec<u16> {
        let open = 1..=u8::SATURATED;
        let mut palette = vec![HOLE];
        palette.extend(open.map(|_| ENDLESS));
        // The three kinds of end, at distance 0 and then at distance 1, in the order of
        // `Cell::ended`.
        palette.extend([WIN, LOSS, DRAW, WIN + 1, LOSS + 1, DRAW + 1]);
        palette
    }

    /// Narrow cells that are all holes.
    pub(crate) fn holes(len: u64) -> Result<Cells, SolveError> {
        let bytes = Array::zeroed(len.saturating_mul(2), "the values")?;
        let (len, width) = (len as usize, Width::Narrow(Cells::initial_palette()));
        Ok(Cells { bytes, len, first: 0, width, overflow: OverflowCounts::default() })
    }

    /// Wide cells that are all holes.
    pub(crate) fn wide_holes(len: u64) -> Result<Cells, SolveError> {
        Ok(Cells { width: Width::Wide, ..Cells::holes(len)? })
    }

    /// Makes these the cells of the indices from `first` on.
    pub(crate) fn from(self, first: u64) -> Cells {
        Cells { first, ..self }
    }

    /// Cells with this palette, as [`palette`](Cells::palette) gave it, to be filled with what
    /// [`as_bytes`](Cells::as_bytes) gave. `None` if no cells can have this palette.
    pub(crate) fn like(len: u64, palette: Option<&[u16]>) -> Result<Option<Cells>, SolveError> {
        let width = match palette {
            None => Width::Wide,
            Some(palette)
                if palette.starts_with(&Cells::initial_palette())
                    && palette.len() <= MOST_IN_PALETTE =>
            {
                Width::Narrow(palette.to_vec())
            }
            Some(_) => return Ok(None),
        };
        Ok(Some(Cells { width, ..Cells::holes(len)? }))
    }

    /// The palette of narrow cells; `None` where cells are wide.
    pub(crate) fn palette(&self) -> Option<&[u16]> {
        match &self.width {
            Width::Narrow(palette) => Some(palette),
            Width::Wide => None,
        }
    }

    /// The cells byte by byte.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.bytes() as usize]
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        let length = self.bytes() as usize;
        &mut self.bytes[..length]
    }

    /// Whether the palette has an entry for every cell.
    pub(crate) fn are_in_palette(&self) -> bool {
        let last = |palette: &[u16]| palette.len().checked_sub(1).map(|last| last as u8);
        match &self.width {
            Width::Narrow(palette) => self.as_bytes().iter().max() <= last(palette).as_ref(),
            Width::Wide => true,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len as u64
    }

    /// The indices that these are the cells of.
    pub(crate) fn indices(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.len()
    }

    /// How much memory the cells take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.len()
            * match self.width {
                Width::Narrow(_) => 1,
                Width::Wide => 2,
            }
    }

    pub(crate) fn slice(&mut self) -> Slice<'_> {
        self.parts().0
    }

    /// The cells and their overflow counts.
    pub(crate) fn parts(&mut self) -> (Slice<'_>, &OverflowCounts) {
        let slice = match self.width {
            Width::Narrow(_) => Slice::Narrow(&mut self.bytes[..self.len]),
            Width::Wide => Slice::Wide(bytemuck::cast_slice_mut(&mut self.bytes)),
        };
        (slice, &self.overflow)
    }

    /// The packed value at an index below the length. An open state's is [`ENDLESS`].
    #[inline]
    pub(crate) fn get(&self, index: usize) -> u16 {
        match &self.width {
            Width::Narrow(palette) => palette[usize::from(self.bytes[..self.len][index])],
            Width::Wide => {
                let cell = u16::from_ne_bytes([self.bytes[2 * index], self.bytes[2 * index + 1]]);
                if cell.is_open() { ENDLESS } else { cell }
            }
        }
    }

    /// Fills a slice with the packed values from an index on, as [`get`](Cells::get) returns them.
    /// There have to be as many.
    pub(crate) fn read(&self, first: u64, packed: &mut [u16]) {
        let first = first as usize;
        match &self.width {
            Width::Narrow(palette) => {
                let mut all = [HOLE; 1 << u8::BITS];
                all.iter_mut().zip(palette).for_each(|(value, &packed)| *value = packed);
                let cells = &self.bytes[first..first + packed.len()];
                for (packed, &cell) in packed.iter_mut().zip(cells) {
                    *packed = all[usize::from(cell)];
                }
            }
            Width::Wide => {
                let cells = self.bytes[2 * first..].chunks_exact(2);
                for (packed, cell) in packed.iter_mut().zip(cells) {
                    let cell = u16::from_ne_bytes([cell[0], cell[1]]);
                    *packed = if cell.is_open() { ENDLESS } else { cell };
                }
            }
        }
    }

    /// The code of a packed value, if it has one.
    pub(crate) fn code(&self, packed: u16) -> Option<u16> {
        match &self.width {
            Width::Narrow(palette) => {
                let values = usize::from(u8::SATURATED) + 1;
                let at = palette[values..].iter().position(|&value| value == packed)?;
                Some((values + at) as u16)
            }
            Width::Wide => Some(packed),
        }
    }

    /// The code of a packed value, which is added to the palette if need be. `None` where the
    /// palette of narrow cells is full.
    pub(crate) fn add_code(&mut self, packed: u16) -> Option<u16> {
        if let Some(code) = self.code(packed) {
            return Some(code);
        }
        let Width::Narrow(palette) = &mut self.width else { return Some(packed) };
        let code = u8::try_from(palette.len()).ok()?;
        palette.push(packed);
        Some(code.into())
    }

    /// How many codes can be added to the palette; `None` where cells are wide, which need none.
    pub(crate) fn free_codes(&self) -> Option<usize> {
        self.palette().map(|palette| MOST_IN_PALETTE - palette.len())
    }

    /// Removes the code added last, if it is that of `packed`. No cell may have it.
    pub(crate) fn remove_code(&mut self, packed: u16) {
        if let Width::Narrow(palette) = &mut self.width
            && palette.last() == Some(&packed)
        {
            palette.pop();
        }
    }

    /// Widens the cells in place.
    pub(crate) fn widen(&mut self) {
        let Width::Narrow(palette) = std::mem::replace(&mut self.width, Width::Wide) else {
            return;
        };
        // From the back, so that nothing is overwritten before it is read.
        for index in (0..self.len).rev() {
            let cell = self.bytes[index];
            let wide = if cell.is_open() { cell.into() } else { palette[usize::from(cell)] };
            self.bytes[2 * index..2 * index + 2].copy_from_slice(&wide.to_ne_bytes());
        }
        let narrow = std::mem::take(&mut self.overflow);
        let cells: &mut [u16] = bytemuck::cast_slice_mut(&mut self.bytes);
        let mut overflow = HashMap::new();
        for (&index, more) in narrow.entries().iter() {
            let degree = u64::from(u8::SATURATED) + more;
            let cell = u16::open(degree);
            cells[(index - self.first) as usize] = cell;
            if degree > u64::from(cell) {
                overflow.insert(index, degree - u64::from(cell));
            }
        }
        self.overflow = OverflowCounts(Mutex::new(overflow));
    }
}

/// Cells serve as the values of a solved tier.
impl TierValues for Cells {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        let packed = (index < self.len()).then(|| self.get(index as usize))?;
        Value::unpack(packed).ok().flatten()
    }

    fn bytes(&self) -> u64 {
        Cells::bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cell of a state with `degree` successors, updated for all but the last.
    fn all_but_the_last<C: Cell>(degree: u64, settling: Settling<'_, C>) -> C {
        let mut cell = C::open(degree);
        for _ in 1..degree {
            assert_eq!(settling.apply_saturated(&mut cell, false, 5), Update::Nothing);
        }
        cell
    }

    #[test]
    fn a_state_with_more_successors_than_a_cell_can_count_is_counted_to_the_last() {
        for degree in [1, 62, 63, 64, 65, 16_382, 16_383, 16_384, 70_000] {
            let overflow =
                |most: u64| OverflowCounts::new((degree > most).then(|| (5, degree - most)));
            let codes = LevelCodes { any: 100_u8, all: 101 };
            let settling = Settling { codes, overflow: &overflow(63) };
            let mut cell = all_but_the_last(degree, settling);
            let last = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(last, Update::Settled, "degree {degree}");
            assert_eq!(cell, 101);
            let codes = LevelCodes { any: WIN + 7, all: LOSS + 7 };
            let settling = Settling { codes, overflow: &overflow(16_383) };
            let mut cell = all_but_the_last(degree, settling);
            let last = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(last, Update::Settled, "degree {degree}");
            assert_eq!(cell, LOSS + 7);
        }
    }

    #[test]
    fn only_open_cells_are_settled() {
        let codes = LevelCodes { any: 100_u8, all: 101 };
        let settling = Settling { codes, overflow: &OverflowCounts::default() };
        for closed in [0, 64, 65, 255] {
            for any in [true, false] {
                let mut cell = closed;
                assert_eq!(settling.apply(&mut cell, any), Update::Nothing);
                assert_eq!(cell, closed);
            }
        }
        let mut cell = 2;
        assert_eq!(settling.apply(&mut cell, true), Update::Settled);
        assert_eq!(cell, 100);
    }

    #[test]
    fn widening_keeps_every_value_and_every_count() {
        let mut cells = Cells::holes(300).unwrap();
        let mut codes = Vec::new();
        for plies in 0..200 {
            codes.extend(cells.add_code(WIN + plies).map(|code| (code, WIN + plies)));
        }
        assert_eq!(codes.len(), 256 - 64 - 4, "losses and draws that ends have");
        let Slice::Narrow(narrow) = cells.slice() else { panic!("wide") };
        for &(code, _) in &codes {
            narrow[usize::from(code)] = code as u8;
        }
        (narrow[1], narrow[2], narrow[3], narrow[4]) = (1, 62, 63, 63);
        (narrow[298], narrow[299]) = (2, 65);
        cells.overflow = OverflowCounts::new([(4, 20_000)]);
        let before: Vec<u16> = (0..300).map(|index| cells.get(index)).collect();
        let read_at_once = |cells: &Cells| {
            let mut values = vec![HOLE; 200];
            cells.read(90, &mut values);
            values
        };
        let read = read_at_once(&cells);
        assert_eq!(read, before[90..290]);
        cells.widen();
        let after: Vec<u16> = (0..300).map(|index| cells.get(index)).collect();
        assert_eq!(before, after);
        assert_eq!(read, read_at_once(&cells));
        for &(code, packed) in &codes {
            assert_eq!(cells.get(usize::from(code)), packed);
        }
        assert_eq!((cells.get(299), cells.get(1), cells.get(0)), (LOSS, ENDLESS, HOLE));
        let Slice::Wide(wide) = cells.slice() else { panic!("narrow") };
        assert_eq!(wide[..5], [0, 1, 62, 63, 16_383]);
        assert_eq!(cells.overflow.entries().get(&4), Some(&(63 + 20_000 - 16_383)));
    }
}
