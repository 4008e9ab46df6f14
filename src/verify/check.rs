//! Every value against those of its successors, of which a game may pass over those that can't be
//! better than the best that was seen.

use std::ops::Range;

use crate::error::TableError;
use crate::game::{Game, Player, VisitSuccessors};
use crate::notation::Notation;
use crate::numbering::Numbering;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::summary::Counts;
use crate::table::loaded::LoadedValues;
use crate::table::storage::Storage;
use crate::verify::cells::{Cell, Meaning, View};
use crate::verify::choice::{Choice, Held, Worths};
use crate::verify::judge::Judge;
use crate::verify::lot::{Lot, STRETCH, stretches};
use crate::verify::worth::Worth;

/// The check of a table.
pub(crate) struct Check<'c, N: Numbering, S> {
    pub(crate) numbering: &'c N,
    pub(crate) judge: Judge<'c, N::Game, S>,
}

/// The first number of some where something is wrong.
pub(crate) struct Wrong {
    pub(crate) number: u64,
    pub(crate) error: TableError,
}

pub(crate) type StateOf<N> = <<N as Numbering>::Game as Game>::State;

impl<N: Numbering + Sync, S: Storage + Sync> Check<'_, N, S>
where
    N::Game: Notation,
{
    /// Checks all values, which fit into memory, and counts them.
    pub(crate) fn at_once(
        &self,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let values = self.judge.table.load(0..len, (0, len), progress)?;
        match &values {
            LoadedValues::Listed { .. } => self.whole::<u8>(&values, threads, progress),
            LoadedValues::Packed(_) => self.whole::<u16>(&values, threads, progress),
        }
    }

    /// Checks all values, which are in memory, and counts them.
    fn whole<C: Cell>(
        &self,
        values: &LoadedValues,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let meaning = &Meaning::of(values, self.judge.scales);
        let worths = Worths::new(meaning, self.judge.scales, self.numbering, u64::MAX);
        let view = View { first: 0, cells: C::of(values), meaning };
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let lot = Lot { done: 0, of: len, states: len, piece: STRETCH };
        lot.check(&mut pool, stretches(0..len), |numbers, _| {
            let choice = |mover| worths.choice(mover, view.cells, true);
            let best = |_, state: &StateOf<N>, choice: &Choice<'_, &[C]>| {
                Some(self.best(state, choice, Worth::NOTHING))
            };
            self.compare(numbers, view, choice, |_| true, best).map_err(|wrong| wrong.error)
        })
    }

    /// Checks the values of those of these numbers, which are in view, that are left, and counts them;
    /// `best` tells what the best successor of a state is worth that is not over, unless that has to wait.
    #[inline]
    pub(crate) fn compare<'w, C: Cell, H: Held>(
        &self,
        numbers: Range<u64>,
        view: View<'_, C>,
        choice: impl Fn(Player) -> Choice<'w, H>,
        is_left: impl Fn(u64) -> bool,
        best: impl Fn(u64, &StateOf<N>, &Choice<'w, H>) -> Option<Worth>,
    ) -> Result<Counts, Wrong> {
        let (judge, game) = (&self.judge, self.numbering.game());
        let mut counts = Counts::default();
        let mut failed = None;
        let mut next = numbers.start;
        self.numbering.states_in(numbers.clone(), |number, state| {
            if failed.is_some() {
                return;
            }
            if next < number {
                failed = self.holes(next..number, view).err();
            }
            next = number + 1;
            if !is_left(number) {
                return;
            }
            let mover = game.turn(&state);
            let (stored, needed) = view.value(number, mover);
            let (end, choice) = (judge.end(&state), choice(mover));
            let best =
                if end.is_none() { best(number, &state, &choice) } else { Some(Worth::NOTHING) };
            let Some(best) = best else { return };
            if best != needed && failed.is_none() {
                let error = match best {
                    Worth::UNKNOWN => Some(self.unknown(&state, &choice)),
                    best => judge.check(&state, stored, end, best).err(),
                };
                failed = error.map(|error| Wrong { number, error });
            }
            if let Some(stored) = stored {
                counts.add_state(stored, mover);
            }
        });
        match failed {
            None => self.holes(next..numbers.end, view).map(|()| counts),
            Some(wrong) => Err(wrong),
        }
    }

    /// Checks numbers that stand for no state.
    fn holes<C: Cell>(&self, mut numbers: Range<u64>, view: View<'_, C>) -> Result<(), Wrong> {
        if self.judge.table.has_filled_holes() {
            return Ok(());
        }
        numbers.try_for_each(|number| {
            let value = view.value(number, Player::First).0;
            self.judge.check_hole(number, value).map_err(|error| Wrong { number, error })
        })
    }

    /// What the best of a state's successors is worth, of those that are in view and those that were
    /// before.
    #[inline]
    pub(crate) fn best<H: Held>(
        &self,
        state: &StateOf<N>,
        choice: &Choice<'_, H>,
        so_far: Worth,
    ) -> Worth {
        let mut best = Best { check: self, choice, so_far };
        self.numbering.successors(state, &mut best);
        best.so_far
    }

    /// What a successor is worth that has no number here. Out of line, since that is rare in most
    /// games.
    #[inline(never)]
    fn elsewhere<H: Held>(&self, next: &StateOf<N>, choice: &Choice<'_, H>) -> Worth {
        if !choice.asks_others() {
            return Worth::NOTHING;
        }
        let chooser = choice.chooser;
        let same_mover = self.numbering.game().turn(next) == chooser;
        let worth = |value| self.judge.scale(chooser).worth(value, same_mover);
        self.numbering.outside(next).map_or(Worth::UNKNOWN, worth)
    }

    /// That nothing is known of a successor of a state.
    #[cold]
    fn unknown<H: Held>(&self, state: &StateOf<N>, choice: &Choice<'_, H>) -> TableError {
        let mut unknown = state.clone();
        self.numbering.game().moves(state, |next| {
            let worth = match self.numbering.number(&next) {
                Some(number) => choice.worth(number, false),
                None => self.elsewhere(&next, choice),
            };
            if worth == Worth::UNKNOWN {
                unknown = next;
            }
        });
        self.judge.missing(state, &unknown)
    }
}

/// What the best of a state's successors is worth, of those told so far. One that can't be better than
/// that need not be told.
struct Best<'b, 'c, N: Numbering, S, H> {
    check: &'b Check<'c, N, S>,
    choice: &'b Choice<'b, H>,
    so_far: Worth,
}

impl<N, S, H: Held> VisitSuccessors<StateOf<N>> for Best<'_, '_, N, S, H>
where
    N: Numbering<Game: Notation> + Sync,
    S: Storage + Sync,
{
    #[inline]
    fn run_matters(&mut self, number: u64, turn: Player) -> bool {
        self.choice.may_exceed(self.so_far, number, turn == self.choice.chooser)
    }

    #[inline]
    fn others_matter(&mut self) -> bool {
        self.choice.others_may_exceed(self.so_far)
    }

    #[inline]
    fn stay(&mut self, number: u64, turn: Player) {
        let worth = self.choice.worth(number, turn == self.choice.chooser);
        self.so_far = self.so_far.max(worth);
    }

    #[inline]
    fn leave(&mut self, next: StateOf<N>) {
        self.so_far = self.so_far.max(self.check.elsewhere(&next, self.choice));
    }
}
