//! What successors are worth to a player who can choose among them, as far as their values are in memory.

use std::ops::Range;

use crate::game::Player;
use crate::numbering::Numbering;
use crate::value::Value;
use crate::verify::bounds::Bounds;
use crate::verify::cells::Meaning;
use crate::verify::worth::{Scale, Worth};

/// Values that are in memory: those of all numbers, or of some.
pub(crate) trait Held {
    /// The cell of a number, if there is such a number and it is in memory. One that is not there is
    /// remembered to be wanted, unless it has been there for the same states before.
    fn cell(&self, number: u64) -> Option<usize>;

    /// What the best of these numbers is worth, by their cells, without those that have no value; `None`
    /// if they are not all in memory.
    fn most(&self, numbers: Range<u64>, worth: impl Fn(usize) -> Worth) -> Option<Worth>;
}

/// What values are worth, of all numbers and for both players.
pub(crate) struct Worths<'w> {
    /// How many numbers the table has.
    pub(crate) of: u64,
    meaning: &'w Meaning,
    bounds: Bounds,
    /// For each player who has a move: what a successor without a number is worth at most.
    others: [Worth; 2],
}

impl<'w> Worths<'w> {
    /// By what cells mean. The bounds of runs take no more than `most_bounds` bytes.
    pub(crate) fn new<N: Numbering>(
        meaning: &'w Meaning,
        scales: [Scale; 2],
        numbering: &N,
        most_bounds: u64,
    ) -> Worths<'w> {
        let of = numbering.len();
        let outside = numbering.outside_values();
        let others = scales.map(|scale| {
            let worth = |&value: &Value| [false, true].map(|same| scale.worth(value, same));
            let worths = outside.iter().flatten().flat_map(worth);
            if outside.is_some() { worths.max().unwrap_or(Worth::NOTHING) } else { Worth::UNKNOWN }
        });
        let bounds = Bounds::new(numbering.run_len(), of, most_bounds);
        Worths { of, meaning, bounds, others }
    }

    /// Among those that are in memory. `others` tells whether successors without a number are asked for.
    #[inline]
    pub(crate) fn choice<H>(&self, chooser: Player, held: H, others: bool) -> Choice<'_, H> {
        let player = chooser.index();
        let Worths { of, meaning, bounds, .. } = self;
        let others = others.then_some(self.others[player]);
        Choice { chooser, of: *of, held, worth: &meaning.worth[player], bounds, others }
    }
}

/// Values as a player sees them who has a choice.
pub(crate) struct Choice<'c, H> {
    pub(crate) chooser: Player,
    of: u64,
    held: H,
    worth: &'c [[Worth; 2]],
    bounds: &'c Bounds,
    others: Option<Worth>,
}

impl<H: Held> Choice<'_, H> {
    /// Whether successors without a number are asked for: once is enough.
    #[inline]
    pub(crate) fn asks_others(&self) -> bool {
        self.others.is_some()
    }

    /// What a successor of this number is worth: nothing if it is not in memory, and more than anything if
    /// the table has no such number.
    #[inline]
    pub(crate) fn worth(&self, number: u64, same_mover: bool) -> Worth {
        match self.held.cell(number) {
            Some(cell) => self.worth[cell][usize::from(same_mover)],
            None if number >= self.of => Worth::UNKNOWN,
            None => Worth::NOTHING,
        }
    }

    /// Whether a successor in the run of this number could be worth more than this.
    #[inline]
    pub(crate) fn may_exceed(&self, best: Worth, number: u64, same_mover: bool) -> bool {
        let Some(bound) = self.bounds.of(number, self.chooser, same_mover) else {
            return self.bounds.is_empty() || number >= self.of;
        };
        // A first successor always matters, if only to miss its value.
        if best == Worth::NOTHING {
            return true;
        }
        if !bound.is_known() {
            match self.most(bound.run.clone(), same_mover) {
                Some(most) => bound.set(most),
                None => return true,
            }
        }
        !bound.is_at_most(best)
    }

    /// What the best state of a run is worth, if it is in memory.
    #[cold]
    fn most(&self, run: Range<u64>, same_mover: bool) -> Option<Worth> {
        let run = run.start..self.of.min(run.end);
        self.held.most(run, |cell| self.worth[cell][usize::from(same_mover)])
    }

    /// Whether a successor without a number here could be worth more than this.
    #[inline]
    pub(crate) fn others_may_exceed(&self, best: Worth) -> bool {
        self.others.is_some_and(|others| best == Worth::NOTHING || others > best)
    }
}
