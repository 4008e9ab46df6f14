//! States whose successors are looked up together.
//!
//! In a table that is larger than the processor's caches, the successors of a group of states are
//! listed first, and the processor fetches their values meanwhile. Then the values are looked up, so
//! that hardly one is waited for. This saves up to a third of the time of a check.
//!
//! Elsewhere each successor is looked up at once. A game with successor indices may skip those that
//! can't be better than the best one so far.

use std::ops::Range;

use crate::game::summary::Counts;
use crate::game::value::Value;
use crate::game::{Game, Player, Turns, VisitSuccessors};
use crate::numbering::Numbering;
use crate::runtime::Cancelled;
use crate::table::loaded::Code;
use crate::table::storage::Storage;
use crate::verify::rank::Rank;
use crate::verify::source::ValueSource;
use crate::verify::stored::StoredValues;
use crate::verify::successors::{Ranks, Successors};
use crate::verify::table_check::{StateOf, TableCheck, Wrong};

/// The number of successors, or of states, from which on they are looked up.
const FULL: usize = 256;

/// The values of successors that a task looks up.
#[derive(Clone, Copy)]
pub(crate) struct SuccessorValues<'s, V> {
    pub(crate) ranks: &'s Ranks<'s>,
    pub(crate) source: V,
    /// Whether successors outside the table count, too.
    pub(crate) with_exits: bool,
    /// Whether successors are listed before they are looked up, unless there are bounds.
    pub(crate) lists: bool,
}

impl<'s, V: ValueSource + Copy> SuccessorValues<'s, V> {
    #[inline]
    fn of(self, mover: Player) -> Successors<'s, V> {
        self.ranks.successors(mover, self.source, self.with_exits)
    }
}

/// The findings of earlier passes about each state.
pub(crate) trait Passes {
    /// The best rank among the successors that were looked up; `None` if the state is checked.
    fn so_far(&self, index: u64) -> Option<Rank>;

    /// Takes the best rank after this pass. Returns false if the state has to wait for another.
    fn is_known(&self, index: u64, best: Rank) -> bool;
}

impl<N: Numbering + Sync, S: Storage> TableCheck<'_, N, S> {
    /// Checks the stored values of the indices that earlier passes left, and counts those that are
    /// known now.
    #[inline]
    pub(crate) fn check_states<C: Code, V: ValueSource + Copy>(
        &self,
        indices: Range<u64>,
        stored: StoredValues<'_, C>,
        values: SuccessorValues<'_, V>,
        passes: &impl Passes,
    ) -> Result<Counts, Wrong> {
        if N::Game::PREPARES {
            let mut states = Vec::new();
            self.numbering.states_in(indices.clone(), |_, state| states.push(state));
            if !states.is_empty() && self.numbering.game().prepare(&states).is_break() {
                return Err(Cancelled.into());
            }
        }
        let mut group = Group::new(self, stored, values, passes);
        let (mut next, mut failed) = (indices.start, None);
        self.numbering.states_in(indices.clone(), |index, state| {
            if failed.is_some() {
                return;
            }
            // An error is long: nothing is assigned where there is none.
            if let Err(wrong) = group.add(next..index, state) {
                failed = Some(wrong);
            }
            next = index + 1;
        });
        failed.map_or_else(|| group.end(next..indices.end), Err)
    }
}

/// States under check, with the successors that are still to be looked up.
struct Group<'g, N: Numbering, S, C, V, P> {
    check: &'g TableCheck<'g, N, S>,
    stored: StoredValues<'g, C>,
    values: SuccessorValues<'g, V>,
    passes: &'g P,
    /// Whether successors are listed, and not looked up at once.
    lists: bool,
    states: Vec<Listed<StateOf<N>>>,
    successors: Vec<Successor>,
    counts: Counts,
}

/// A state of a group.
struct Listed<State> {
    index: u64,
    state: State,
    terminal: Option<Value>,
    /// The best rank among the successors that are not in the list.
    best: Rank,
    /// The end of its successors in the list.
    end: usize,
}

/// A successor in the list: twice its index, and one more if the same player is to move there.
#[derive(Clone, Copy)]
struct Successor(u64);

impl Successor {
    #[inline]
    fn new(index: u64, same_mover: bool) -> Successor {
        // No table is so long that this matters.
        Successor(index.min(u64::MAX / 2) << 1 | u64::from(same_mover))
    }
}

impl<'g, N, S, C, V, P> Group<'g, N, S, C, V, P>
where
    N: Numbering + Sync,
    S: Storage,
    C: Code,
    V: ValueSource + Copy,
    P: Passes,
{
    fn new(
        check: &'g TableCheck<'g, N, S>,
        stored: StoredValues<'g, C>,
        values: SuccessorValues<'g, V>,
        passes: &'g P,
    ) -> Self {
        // The best rank so far is compared with bounds.
        let lists = values.lists && !values.ranks.has_bounds();
        let (states, successors, counts) = <_>::default();
        Group { check, stored, values, passes, lists, states, successors, counts }
    }

    /// Adds the state of the index that comes after these indices without a state.
    #[inline]
    fn add(&mut self, unused: Range<u64>, state: StateOf<N>) -> Result<(), Wrong> {
        let index = unused.end;
        if !unused.is_empty() {
            self.check_unused(unused)?;
        }
        let Some(mut best) = self.passes.so_far(index) else { return Ok(()) };
        // For a discovered state, finding the index takes most of the time, and its value hardly any.
        let (check, lists) = (self.check, !N::IS_DISCOVERED && self.lists);
        let terminal = check.state_check.terminal(&state);
        let successors = &self.values.of(check.numbering.game().mover(&state));
        if terminal.is_none() {
            let list = lists.then_some(&mut self.successors);
            let mut lister = Lister { check, state: &state, successors, list, best };
            check.numbering.successors(&state, &mut lister);
            best = lister.best;
        }
        if !lists {
            return self.check(index, &state, terminal, best, successors);
        }
        self.states.push(Listed { index, state, terminal, best, end: self.successors.len() });
        let is_full = self.successors.len().max(self.states.len()) >= FULL;
        if is_full { self.look_up() } else { Ok(()) }
    }

    /// Checks the last states, and the indices after them, which have none. Returns the counts.
    fn end(mut self, unused: Range<u64>) -> Result<Counts, Wrong> {
        self.look_up()?;
        self.check_unused(unused)?;
        Ok(self.counts)
    }

    /// Checks indices without states. Wrong values before them are reported first.
    fn check_unused(&mut self, unused: Range<u64>) -> Result<(), Wrong> {
        let checked = self.check.check_all_unused(unused, self.stored);
        if checked.is_err() {
            self.look_up()?;
        }
        checked
    }

    /// Looks up all listed successors, and checks the states.
    fn look_up(&mut self) -> Result<(), Wrong> {
        let (mut states, mut start) = (std::mem::take(&mut self.states), 0);
        for Listed { index, state, terminal, best, end } in states.drain(..) {
            let successors = &self.values.of(self.check.numbering.game().mover(&state));
            let list = self.successors[start..end].iter();
            let ranks = list.map(|&Successor(bits)| successors.rank(bits >> 1, bits & 1 != 0));
            let best = ranks.fold(best, Rank::max);
            start = end;
            self.check(index, &state, terminal, best, successors)?;
        }
        self.states = states;
        self.successors.clear();
        Ok(())
    }

    /// Checks a state by the best rank among its successors, if that is known.
    #[inline]
    fn check(
        &mut self,
        index: u64,
        state: &StateOf<N>,
        terminal: Option<Value>,
        best: Rank,
        successors: &Successors<'_, V>,
    ) -> Result<(), Wrong> {
        if terminal.is_none() && !self.passes.is_known(index, best) {
            return Ok(());
        }
        let (value, needed) = self.stored.value(index, successors.chooser);
        if best != needed {
            let compared = self.check.compare(state, value, terminal, best, successors);
            compared.map_err(|error| Wrong { index, error })?;
        }
        if let Some(value) = value {
            let counted = self.check.state_check.counted(value, terminal, best);
            self.counts.add_state(counted, successors.chooser);
        }
        Ok(())
    }
}

/// Lists the successors of a state, or looks them up. A successor that can't be better than another
/// may be left out.
struct Lister<'l, 'c, N: Numbering, S, V> {
    check: &'l TableCheck<'c, N, S>,
    state: &'l StateOf<N>,
    successors: &'l Successors<'l, V>,
    list: Option<&'l mut Vec<Successor>>,
    /// The best rank among the successors that are not listed.
    best: Rank,
}

impl<N, S, V: ValueSource> VisitSuccessors<StateOf<N>> for Lister<'_, '_, N, S, V>
where
    N: Numbering + Sync,
    S: Storage,
{
    #[inline]
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        self.successors.may_exceed(self.best, index, turn == self.successors.chooser)
    }

    #[inline]
    fn others_matter(&mut self) -> bool {
        self.successors.exits_may_exceed(self.best)
    }

    #[inline]
    fn stay(&mut self, index: u64, turn: Player) {
        let same_mover = turn == self.successors.chooser;
        match &mut self.list {
            Some(list) => {
                self.successors.prefetch(index);
                list.push(Successor::new(index, same_mover));
            }
            None => self.best = self.best.max(self.successors.rank(index, same_mover)),
        }
    }

    #[inline]
    fn leave(&mut self, next: StateOf<N>) {
        let rank = self.check.exit_rank(self.state, &next, self.successors);
        self.best = self.best.max(rank);
    }

    #[inline]
    fn leave_to(&mut self, tier: usize, index: u64, turn: Player) {
        let (check, chooser) = (self.check, self.successors.chooser);
        let rank = |value| check.state_check.preference(chooser).rank(value, turn == chooser);
        let rank = match self.successors.has_exits() {
            true => check.numbering.outside_at(tier, index).map_or(Rank::UNKNOWN, rank),
            false => Rank::NONE,
        };
        self.best = self.best.max(rank);
    }
}
