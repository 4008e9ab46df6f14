//! One packed number a state: how many successors are open while its value is, then the value.
//!
//! A cell is one byte as long as that is enough, and two from then on. A byte holds 0 for a hole,
//! 1 to 63 for open states, and above that values, in the order in which levels brought them up:
//! since most levels settle only wins or only losses, that is enough for some 190 levels. Two bytes
//! hold what [`Value::pack`] says, and numbers below [`WIN`] for open states.

use std::sync::Mutex;

use bytemuck::Pod;
use hashbrown::HashMap;

use crate::error::SolveError;
use crate::numbering::TierValues;
use crate::runtime::memory::Array;
use crate::value::{DRAW, ENDLESS, HOLE, LOSS, Value, WIN};

/// A cell of one width.
pub(crate) trait Cell: Pod + Eq + Send + Sync {
    /// An open cell with this number has at least as many open successors; how many more is kept
    /// aside. The open numbers are 1..=`MANY`; a hole is 0.
    const MANY: Self;
    /// The same as a number.
    const HIGHEST_COUNT: u64;
    /// Whether there is a wider cell.
    const CAN_WIDEN: bool;

    /// The cell of an open state with `degree` open successors.
    fn open(degree: u64) -> Self;

    /// The cell of a state where play is over, with that value, which is of distance 0 or 1.
    fn ended(value: Value) -> Self;

    /// The cell with the number that [`Cells::code`] gave.
    fn of_code(code: u16) -> Self;

    fn is_open(self) -> bool;

    /// An open cell, one successor fewer: what has none left is equal to a hole. Of other cells,
    /// something that is not open.
    fn less_one(self) -> Self;

    /// Whether this is [`less_one`](Cell::less_one) of an open cell below [`MANY`](Cell::MANY).
    fn is_countable(self) -> bool;
}

macro_rules! cell {
    ($cell:ty, $many:expr, $can_widen:expr, $ended:expr) => {
        impl Cell for $cell {
            const MANY: $cell = $many;
            const HIGHEST_COUNT: u64 = $many as u64;
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
                self.wrapping_sub(1) < Self::MANY
            }

            #[inline]
            fn is_countable(self) -> bool {
                self < Self::MANY - 1
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

/// How many open successors states have beyond [`Cell::MANY`]. Few states have any.
#[derive(Debug, Default)]
pub(crate) struct Beyond(Mutex<HashMap<u64, u64>>);

impl Beyond {
    pub(crate) fn new(entries: impl IntoIterator<Item = (u64, u64)>) -> Beyond {
        Beyond(Mutex::new(entries.into_iter().collect()))
    }

    /// The entries, in ascending order.
    pub(crate) fn listed(&self) -> Vec<(u64, u64)> {
        let mut listed: Vec<_> = self.entries().iter().map(|(&key, &more)| (key, more)).collect();
        listed.sort_unstable();
        listed
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, HashMap<u64, u64>> {
        // A panic elsewhere ends the run anyway.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Takes one open successor from those that are kept aside, if there are any.
    fn take_one(&self, number: u64) -> bool {
        let mut entries = self.entries();
        let Some(beyond) = entries.get_mut(&number) else { return false };
        *beyond -= 1;
        if *beyond == 0 {
            entries.remove(&number);
        }
        true
    }
}

/// What a state becomes when it is settled in one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes<C> {
    /// When one successor settles it.
    pub(crate) at_once: C,
    /// When its last open successor settles it.
    pub(crate) at_last: C,
}

/// What a level needs to settle states.
#[derive(Clone, Copy)]
pub(crate) struct Settling<'b, C> {
    pub(crate) codes: Codes<C>,
    pub(crate) beyond: &'b Beyond,
}

/// What became of a state that was told that the value of one of its successors is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing more than that, or it was settled before, or is none.
    Nothing,
    /// It is settled now, and was not before.
    Settled,
    /// It may have more open successors than its cell says: [`Settling::apply_saturated`] knows.
    Many,
}

impl<C: Cell> Settling<'_, C> {
    /// Tells a state that the value of one of its successors is known. If it is open, that settles
    /// it where `at_once`, or else counts, and settles it if that was its last open successor.
    ///
    /// There is no call in here, not even a rare one, so that the loops around it keep what they
    /// know in registers.
    #[inline(always)]
    pub(crate) fn tell(&self, cell: &mut C, at_once: bool) -> Told {
        let less = cell.less_one();
        if !less.is_countable() {
            return if *cell == C::MANY { Told::Many } else { Told::Nothing };
        }
        self.take_one(cell, less, at_once)
    }

    /// The same for a state that has, or had, as many open successors as a cell can count.
    #[cold]
    pub(crate) fn apply_saturated(&self, cell: &mut C, at_once: bool, number: u64) -> Told {
        match self.tell(cell, at_once) {
            Told::Many if !at_once && self.beyond.take_one(number) => Told::Nothing,
            Told::Many => self.take_one(cell, cell.less_one(), at_once),
            told => told,
        }
    }

    #[inline(always)]
    fn take_one(&self, cell: &mut C, less: C, at_once: bool) -> Told {
        if !at_once && less != C::zeroed() {
            *cell = less;
            return Told::Nothing;
        }
        *cell = if at_once { self.codes.at_once } else { self.codes.at_last };
        Told::Settled
    }
}

/// The cells of all states.
#[derive(Debug)]
pub(crate) struct Cells {
    /// Room for two bytes a state; as long as cells are narrow, the second half is never touched
    /// and costs nothing.
    bytes: Array<u8>,
    len: usize,
    width: Width,
    pub(crate) beyond: Beyond,
}

#[derive(Debug)]
enum Width {
    /// One byte; what each stands for, packed, in the order of the bytes.
    Narrow(Vec<u16>),
    /// Two bytes.
    Wide,
}

/// The cells as numbers.
pub(crate) enum Slice<'c> {
    Narrow(&'c mut [u8]),
    Wide(&'c mut [u16]),
}

/// How many numbers a cell of one byte can have.
const MOST_IN_PALETTE: usize = 1 << u8::BITS;

/// What the numbers of narrow cells stand for before any level.
fn first_book() -> Vec<u16> {
    let open = 1..=u8::MANY;
    let mut palette = vec![HOLE];
    palette.extend(open.map(|_| ENDLESS));
    // The three kinds of end, and the same one ply early, as `Cell::ended` numbers them.
    palette.extend([WIN, LOSS, DRAW, WIN + 1, LOSS + 1, DRAW + 1]);
    palette
}

impl Cells {
    /// A hole at every number, in narrow cells.
    pub(crate) fn holes(len: u64) -> Result<Cells, SolveError> {
        let bytes = Array::zeroed(len.saturating_mul(2), "the values")?;
        let (len, width) = (len as usize, Width::Narrow(first_book()));
        Ok(Cells { bytes, len, width, beyond: Beyond::default() })
    }

    /// The same in wide cells.
    pub(crate) fn wide_holes(len: u64) -> Result<Cells, SolveError> {
        Ok(Cells { width: Width::Wide, ..Cells::holes(len)? })
    }

    /// Cells to be filled with what [`as_bytes`](Cells::as_bytes) gave, where `book` is what
    /// [`book`](Cells::book) gave; `None` if that is none.
    pub(crate) fn like(len: u64, palette: Option<&[u16]>) -> Result<Option<Cells>, SolveError> {
        let width = match palette {
            None => Width::Wide,
            Some(palette)
                if palette.starts_with(&first_book()) && palette.len() <= MOST_IN_PALETTE =>
            {
                Width::Narrow(palette.to_vec())
            }
            Some(_) => return Ok(None),
        };
        Ok(Some(Cells { width, ..Cells::holes(len)? }))
    }

    /// What narrow cells stand for, in the order of the bytes; `None` where they are wide.
    pub(crate) fn palette(&self) -> Option<&[u16]> {
        match &self.width {
            Width::Narrow(palette) => Some(palette),
            Width::Wide => None,
        }
    }

    /// The cells as they lie in memory.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.bytes() as usize]
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        let length = self.bytes() as usize;
        &mut self.bytes[..length]
    }

    /// Whether every cell stands for something.
    pub(crate) fn are_in_book(&self) -> bool {
        let last = |palette: &[u16]| palette.len().checked_sub(1).map(|last| last as u8);
        match &self.width {
            Width::Narrow(palette) => self.as_bytes().iter().max() <= last(palette).as_ref(),
            Width::Wide => true,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len as u64
    }

    /// How much memory they take, in bytes.
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

    /// The cells, and what is kept aside for them.
    pub(crate) fn parts(&mut self) -> (Slice<'_>, &Beyond) {
        let slice = match self.width {
            Width::Narrow(_) => Slice::Narrow(&mut self.bytes[..self.len]),
            Width::Wide => Slice::Wide(bytemuck::cast_slice_mut(&mut self.bytes)),
        };
        (slice, &self.beyond)
    }

    /// The packed value at a number below the length; what is still open is endless.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> u16 {
        match &self.width {
            Width::Narrow(palette) => palette[usize::from(self.bytes[..self.len][number])],
            Width::Wide => {
                let cell = u16::from_ne_bytes([self.bytes[2 * number], self.bytes[2 * number + 1]]);
                if cell.is_open() { ENDLESS } else { cell }
            }
        }
    }

    /// The number that stands for a packed value, if any cell can have it.
    pub(crate) fn code(&self, packed: u16) -> Option<u16> {
        match &self.width {
            Width::Narrow(palette) => {
                let values = usize::from(u8::MANY) + 1;
                let at = palette[values..].iter().position(|&value| value == packed)?;
                Some((values + at) as u16)
            }
            Width::Wide => Some(packed),
        }
    }

    /// Makes room for one more packed value and gives its number; `None` where the cells are too
    /// narrow for that.
    pub(crate) fn add_code(&mut self, packed: u16) -> Option<u16> {
        if let Some(code) = self.code(packed) {
            return Some(code);
        }
        let Width::Narrow(palette) = &mut self.width else { return Some(packed) };
        let code = u8::try_from(palette.len()).ok()?;
        palette.push(packed);
        Some(code.into())
    }

    /// Takes back the number given last, if it is that of `packed`, which no cell may have.
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
        for number in (0..self.len).rev() {
            let cell = self.bytes[number];
            let wide = if cell.is_open() { cell.into() } else { palette[usize::from(cell)] };
            self.bytes[2 * number..2 * number + 2].copy_from_slice(&wide.to_ne_bytes());
        }
        let narrow = std::mem::take(&mut self.beyond);
        let cells: &mut [u16] = bytemuck::cast_slice_mut(&mut self.bytes);
        let mut beyond = HashMap::new();
        for (&number, more) in narrow.entries().iter() {
            let degree = u64::from(u8::MANY) + more;
            let cell = u16::open(degree);
            cells[number as usize] = cell;
            if degree > u64::from(cell) {
                beyond.insert(number, degree - u64::from(cell));
            }
        }
        self.beyond = Beyond(Mutex::new(beyond));
    }
}

/// The values of a tier that is solved.
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

    /// Opens a state with `degree` successors and has all but the last told.
    fn all_but_the_last<C: Cell>(degree: u64, settling: Settling<'_, C>) -> C {
        let mut cell = C::open(degree);
        for _ in 1..degree {
            assert_eq!(settling.apply_saturated(&mut cell, false, 5), Told::Nothing);
        }
        cell
    }

    #[test]
    fn a_state_with_more_successors_than_a_cell_can_count_is_counted_to_the_last() {
        for degree in [1, 62, 63, 64, 65, 16_382, 16_383, 16_384, 70_000] {
            let beyond = |many: u64| Beyond::new((degree > many).then(|| (5, degree - many)));
            let codes = Codes { at_once: 100_u8, at_last: 101 };
            let settling = Settling { codes, beyond: &beyond(63) };
            let mut cell = all_but_the_last(degree, settling);
            let told = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(told, Told::Settled, "degree {degree}");
            assert_eq!(cell, 101);
            let codes = Codes { at_once: WIN + 7, at_last: LOSS + 7 };
            let settling = Settling { codes, beyond: &beyond(16_383) };
            let mut cell = all_but_the_last(degree, settling);
            let told = settling.apply_saturated(&mut cell, false, 5);
            assert_eq!(told, Told::Settled, "degree {degree}");
            assert_eq!(cell, LOSS + 7);
        }
    }

    #[test]
    fn only_open_cells_are_settled() {
        let codes = Codes { at_once: 100_u8, at_last: 101 };
        let settling = Settling { codes, beyond: &Beyond::default() };
        for closed in [0, 64, 65, 255] {
            for at_once in [true, false] {
                let mut cell = closed;
                assert_eq!(settling.tell(&mut cell, at_once), Told::Nothing);
                assert_eq!(cell, closed);
            }
        }
        let mut cell = 2;
        assert_eq!(settling.tell(&mut cell, true), Told::Settled);
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
        cells.beyond = Beyond::new([(4, 20_000)]);
        let before: Vec<u16> = (0..300).map(|number| cells.get(number)).collect();
        cells.widen();
        let after: Vec<u16> = (0..300).map(|number| cells.get(number)).collect();
        assert_eq!(before, after);
        for &(code, packed) in &codes {
            assert_eq!(cells.get(usize::from(code)), packed);
        }
        assert_eq!((cells.get(299), cells.get(1), cells.get(0)), (LOSS, ENDLESS, HOLE));
        let Slice::Wide(wide) = cells.slice() else { panic!("narrow") };
        assert_eq!(wide[..5], [0, 1, 62, 63, 16_383]);
        assert_eq!(cells.beyond.entries().get(&4), Some(&(63 + 20_000 - 16_383)));
    }
}
