//! Values in memory, and what they mean to those who can choose among them.

use std::ops::Range;

use super::super::loaded::LoadedValues;
use super::bounds::Bounds;
use super::worth::{Scale, Worth};
use crate::game::Player;
use crate::numbering::Numbering;
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
    bounds: Bounds,
    /// For each player who has a move: what a successor without a number is worth at most.
    others: [Worth; 2],
}

impl Window {
    /// Those from this number on, as each player sees them.
    pub(super) fn new<N: Numbering>(
        first: u64,
        values: LoadedValues,
        scales: [Scale; 2],
        numbering: &N,
    ) -> Window {
        let meaning = Meaning::of(&values, scales);
        let bounds = Bounds::new(numbering.run_len(), first..first + values.len());
        let outside = numbering.outside_values();
        let others = scales.map(|scale| {
            let worth = |&value: &Value| [false, true].map(|same| scale.worth(value, same));
            let worths = outside.iter().flatten().flat_map(worth);
            if outside.is_some() { worths.max().unwrap_or(Worth::NOTHING) } else { Worth::UNKNOWN }
        });
        Window { first, of: numbering.len(), values, meaning, bounds, others }
    }

    /// The window by its cells.
    pub(super) fn view<'v, C>(&'v self, cells: &'v [C]) -> View<'v, C> {
        let Window { first, of, meaning, bounds, others, .. } = self;
        View { first: *first, of: *of, cells, meaning, bounds, others: *others }
    }
}

/// A window with cells of one width.
#[derive(Clone, Copy)]
pub(super) struct View<'v, C> {
    first: u64,
    of: u64,
    cells: &'v [C],
    meaning: &'v Meaning,
    bounds: &'v Bounds,
    others: [Worth; 2],
}

impl<'v, C: Cell> View<'v, C> {
    /// The window for a player who has a choice.
    #[inline]
    pub(super) fn for_chooser(self, chooser: Player) -> Choice<'v, C> {
        let View { first, of, cells, meaning, bounds, others } = self;
        let player = chooser.index();
        let (worth, others) = (&meaning.worth[player], others[player]);
        Choice { chooser, first, of, cells, worth, bounds, others }
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
    bounds: &'v Bounds,
    others: Worth,
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

    /// Whether a successor in the run of this number could be worth more than this, as far as it is
    /// among these.
    #[inline]
    pub(super) fn may_exceed(&self, best: Worth, number: u64, same_mover: bool) -> bool {
        let Some(bound) = self.bounds.of(number, self.chooser, same_mover) else {
            return self.bounds.is_empty() || number >= self.of;
        };
        // A first successor always matters, if only to miss its value.
        if best == Worth::NOTHING {
            return true;
        }
        if !bound.is_known() {
            bound.set(self.most(bound.run.clone(), same_mover));
        }
        !bound.is_at_most(best)
    }

    /// What the best state of a run is worth, as far as it is among these.
    #[cold]
    fn most(&self, run: Range<u64>, same_mover: bool) -> Worth {
        let [start, end] = [run.start, run.end].map(|at| at.saturating_sub(self.first) as usize);
        let cells = &self.cells[start..end.min(self.cells.len())];
        let worth = cells.iter().map(|cell| self.worth[cell.index()][usize::from(same_mover)]);
        // What should be no hole is found at its own number.
        worth.filter(|&worth| worth != Worth::UNKNOWN).max().unwrap_or(Worth::NOTHING)
    }

    /// Whether a successor without a number here could be worth more than this.
    #[inline]
    pub(super) fn others_may_exceed(&self, best: Worth) -> bool {
        best == Worth::NOTHING || self.others > best
    }
}

/// The cell of a number, if it is among these, which are those from `first` on.
#[inline]
fn cell<C: Cell>(cells: &[C], first: u64, number: u64) -> Option<usize> {
    let at = usize::try_from(number.wrapping_sub(first)).ok()?;
    cells.get(at).map(|cell| cell.index())
}
