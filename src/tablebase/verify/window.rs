//! Values in memory, and what they mean to those who can choose among them.

use super::super::loaded::LoadedValues;
use super::worth::{Scale, Worth};
use crate::game::Player;
use crate::value::Value;

/// A value in memory, as a number of its own or a packed value.
pub(super) trait Cell: Copy + Sync {
    fn index(self) -> usize;
}

impl Cell for u8 {
    #[inline]
    fn index(self) -> usize {
        self.into()
    }
}

impl Cell for u16 {
    #[inline]
    fn index(self) -> usize {
        self.into()
    }
}

/// What cells stand for, by cell.
struct Meaning {
    /// The value; `None` for a hole.
    values: Vec<Option<Value>>,
    /// For each player who has a move: what a successor with such a cell is worth where the other player
    /// is to move, and where the same is.
    worth: [Vec<[Worth; 2]>; 2],
    /// For each player who is to move: what the best successor has to be worth.
    needed: [Vec<Worth>; 2],
}

impl Meaning {
    /// What the cells of these values stand for, and for each player.
    fn of(values: &LoadedValues, scales: [Scale; 2]) -> Meaning {
        let value = |packed| Value::unpack(packed).ok().flatten();
        let values: Vec<Option<Value>> = match values {
            LoadedValues::Listed { book, .. } => book.iter().map(|&packed| value(packed)).collect(),
            LoadedValues::Packed(_) => (0..=u16::MAX).map(value).collect(),
        };
        let worth = scales.map(|scale| {
            let worth = |&value: &Option<Value>| match value {
                Some(value) => [false, true].map(|same| scale.worth(value, same)),
                None => [Worth::UNKNOWN; 2],
            };
            values.iter().map(worth).collect()
        });
        let needed = scales.map(|scale| {
            let needed =
                |value: &Option<Value>| value.map_or(Worth::NEVER, |value| scale.needed(value));
            values.iter().map(needed).collect()
        });
        Meaning { values, worth, needed }
    }
}

/// The values of a range of numbers.
pub(super) struct Window {
    first: u64,
    /// How many numbers the table has.
    of: u64,
    pub(super) values: LoadedValues,
    meaning: Meaning,
}

impl Window {
    /// Those from this number on, of so many, as each player sees them.
    pub(super) fn new(first: u64, of: u64, values: LoadedValues, scales: [Scale; 2]) -> Window {
        let meaning = Meaning::of(&values, scales);
        Window { first, of, values, meaning }
    }

    /// The window by its cells.
    pub(super) fn view<'v, C>(&'v self, cells: &'v [C]) -> View<'v, C> {
        View { first: self.first, of: self.of, cells, meaning: &self.meaning }
    }
}

/// A window with cells of one width.
#[derive(Clone, Copy)]
pub(super) struct View<'v, C> {
    first: u64,
    of: u64,
    cells: &'v [C],
    meaning: &'v Meaning,
}

impl<'v, C: Cell> View<'v, C> {
    /// The window for a player who has a choice.
    #[inline]
    pub(super) fn for_chooser(self, chooser: Player) -> Choice<'v, C> {
        let View { first, of, cells, meaning } = self;
        Choice { chooser, first, of, cells, worth: &meaning.worth[chooser.index()] }
    }

    /// The value of a number, and what the best successor of its state has to be worth.
    #[inline]
    pub(super) fn value(self, number: u64, mover: Player) -> (Option<Value>, Worth) {
        match cell(self.cells, self.first, number) {
            Some(cell) => (self.meaning.values[cell], self.meaning.needed[mover.index()][cell]),
            None => (None, Worth::NEVER),
        }
    }
}

/// A window as a player sees it who has a choice.
pub(super) struct Choice<'v, C> {
    pub(super) chooser: Player,
    first: u64,
    of: u64,
    cells: &'v [C],
    worth: &'v [[Worth; 2]],
}

impl<C: Cell> Choice<'_, C> {
    /// Whether it is the window that begins at number 0.
    #[inline]
    pub(super) fn is_first(&self) -> bool {
        self.first == 0
    }

    /// What a successor of this number is worth: nothing if another window has it.
    #[inline]
    pub(super) fn worth(&self, number: u64, same_mover: bool) -> Worth {
        match cell(self.cells, self.first, number) {
            Some(cell) => self.worth[cell][usize::from(same_mover)],
            None if number >= self.of => Worth::UNKNOWN,
            None => Worth::NOTHING,
        }
    }
}

/// The cell of a number, if it is among these, which are those from `first` on.
#[inline]
fn cell<C: Cell>(cells: &[C], first: u64, number: u64) -> Option<usize> {
    let at = usize::try_from(number.wrapping_sub(first)).ok()?;
    cells.get(at).map(|cell| cell.index())
}
