//! The check of a table whose states are numbered in memory.
//!
//! Every value is compared with the values of its successors. A game with successor indices may
//! skip successors that can't be better than the best one so far. This file checks tables whose
//! values all fit into memory. If they don't fit, `by_pages.rs` uses the same loop.

use std::ops::Range;

use crate::error::TableError;
use crate::game::summary::Counts;
use crate::game::{Game, Player, Turns, VisitSuccessors};
use crate::numbering::Numbering;
use crate::runtime::Cancelled;
use crate::runtime::pool::WorkerPool;
use crate::table::loaded::{Code, CodedValues, LoadedValues};
use crate::table::storage::Storage;
use crate::verify::chunk::{Chunk, TASK_LEN, ranges};
use crate::verify::rank::Rank;
use crate::verify::source::ValueSource;
use crate::verify::state_check::StateCheck;
use crate::verify::stored::{CodeTables, StoredValues};
use crate::verify::successors::{Ranks, Successors};

/// The check of a table.
pub(crate) struct TableCheck<'c, N: Numbering, S> {
    pub(crate) numbering: &'c N,
    pub(crate) state_check: StateCheck<'c, N::Game, S>,
}

/// An error, and the first index with an error.
pub(crate) struct Wrong {
    pub(crate) index: u64,
    pub(crate) error: TableError,
}

impl From<Cancelled> for Wrong {
    /// A cancellation is an error at no index.
    fn from(cancelled: Cancelled) -> Wrong {
        Wrong { index: u64::MAX, error: cancelled.into() }
    }
}

pub(crate) type StateOf<N> = <<N as Numbering>::Game as Game>::State;

impl<N: Numbering + Sync, S: Storage> TableCheck<'_, N, S> {
    /// Checks all values, which fit into memory, and counts them.
    pub(crate) fn in_memory(&self, pool: &mut WorkerPool<'_>) -> Result<Counts, TableError> {
        match &self.state_check.table.load_values(pool.on_progress())? {
            LoadedValues::Bytes(values) => self.loaded(values, pool),
            LoadedValues::Words(values) => self.loaded(values, pool),
        }
    }

    /// Checks all values, which are in memory, and counts them.
    fn loaded<C: Code>(
        &self,
        values: &CodedValues<C>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let preferences = self.state_check.preferences;
        let tables = &CodeTables::new(&values.palette, values.scale, preferences);
        let ranks = Ranks::new(tables, preferences, self.numbering, u64::MAX);
        let stored = StoredValues { first: 0, codes: &values.codes, tables };
        let chunk = Chunk { done: 0, of: len, states: len, task_len: TASK_LEN };
        let counts = chunk.check(pool, ranges(0..len, TASK_LEN), &|indices, _| {
            let successors = |mover| ranks.successors(mover, stored.codes, true);
            let best = |_, state: &StateOf<N>, successors: &Successors<'_, &[C]>| {
                Some(self.best(state, successors, Rank::NONE))
            };
            self.check_states(indices, stored, successors, |_| true, best)
        });
        counts.map_err(|Wrong { error, .. }| error)
    }

    /// Checks the stored values of the indices for which `is_left` is true, and counts them. `best`
    /// finds the best rank among the successors of a non-terminal state. If it returns `None`, the
    /// state must wait.
    #[inline]
    pub(crate) fn check_states<'s, C: Code, V: ValueSource>(
        &self,
        indices: Range<u64>,
        stored: StoredValues<'_, C>,
        successors: impl Fn(Player) -> Successors<'s, V>,
        is_left: impl Fn(u64) -> bool,
        best: impl Fn(u64, &StateOf<N>, &Successors<'s, V>) -> Option<Rank>,
    ) -> Result<Counts, Wrong> {
        let (check, game) = (&self.state_check, self.numbering.game());
        if N::Game::PREPARES {
            let mut states = Vec::new();
            self.numbering.states_in(indices.clone(), |_, state| states.push(state));
            if !states.is_empty() && game.prepare(&states).is_break() {
                return Err(Cancelled.into());
            }
        }
        let mut counts = Counts::default();
        let mut failed = None;
        let mut next = indices.start;
        self.numbering.states_in(indices.clone(), |index, state| {
            if failed.is_some() {
                return;
            }
            if next < index {
                failed = self.check_all_unused(next..index, stored).err();
            }
            next = index + 1;
            if !is_left(index) {
                return;
            }
            let mover = game.mover(&state);
            let (value, needed) = stored.value(index, mover);
            let (terminal, successors) = (check.terminal(&state), successors(mover));
            let best = match terminal {
                None => best(index, &state, &successors),
                Some(_) => Some(Rank::NONE),
            };
            let Some(best) = best else { return };
            if best != needed && failed.is_none() {
                let error = match best {
                    Rank::UNKNOWN => Some(self.missing(&state, &|next| {
                        let rank = match self.numbering.index(next) {
                            Some(index) => successors.rank(index, false),
                            None => self.exit_rank(&state, next, &successors),
                        };
                        rank == Rank::UNKNOWN
                    })),
                    best => check.compare(&state, value, terminal, best).err(),
                };
                failed = error.map(|error| Wrong { index, error });
            }
            if let Some(value) = value {
                counts.add_state(check.counted(value, terminal, best), mover);
            }
        });
        match failed {
            None => self.check_all_unused(next..indices.end, stored).map(|()| counts),
            Some(wrong) => Err(wrong),
        }
    }

    /// Checks indices that have no state.
    fn check_all_unused<C: Code>(
        &self,
        mut indices: Range<u64>,
        stored: StoredValues<'_, C>,
    ) -> Result<(), Wrong> {
        if self.state_check.table.has_filled_unused() {
            return Ok(());
        }
        indices.try_for_each(|index| {
            let value = stored.value(index, Player::First).0;
            self.state_check.check_unused(index, value).map_err(|error| Wrong { index, error })
        })
    }

    /// The best rank among `so_far` and the ranks of a state's successors.
    #[inline]
    pub(crate) fn best<V: ValueSource>(
        &self,
        state: &StateOf<N>,
        successors: &Successors<'_, V>,
        so_far: Rank,
    ) -> Rank {
        let mut best = Best { check: self, state, successors, so_far };
        self.numbering.successors(state, &mut best);
        best.so_far
    }

    /// The rank of a successor without an index in the table. Out of line, since exits are rare in
    /// most games.
    #[inline(never)]
    fn exit_rank<V: ValueSource>(
        &self,
        state: &StateOf<N>,
        next: &StateOf<N>,
        successors: &Successors<'_, V>,
    ) -> Rank {
        if !successors.has_exits() {
            return Rank::NONE;
        }
        let rank = |value| self.state_check.rank_of_move(state, next, value);
        self.numbering.outside(next).map_or(Rank::UNKNOWN, rank)
    }

    /// The error for a state with a successor that has no value.
    #[cold]
    fn missing(&self, state: &StateOf<N>, is_missing: &dyn Fn(&StateOf<N>) -> bool) -> TableError {
        let mut missing = state.clone();
        self.numbering.game().moves(state, |next| {
            if is_missing(&next) {
                missing = next;
            }
        });
        self.state_check.missing(state, &missing)
    }
}

/// The best rank among the visited successors of a state. A successor that can't be better need not
/// be visited.
struct Best<'b, 'c, N: Numbering, S, V> {
    check: &'b TableCheck<'c, N, S>,
    state: &'b StateOf<N>,
    successors: &'b Successors<'b, V>,
    so_far: Rank,
}

impl<N, S, V: ValueSource> VisitSuccessors<StateOf<N>> for Best<'_, '_, N, S, V>
where
    N: Numbering + Sync,
    S: Storage,
{
    #[inline]
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        self.successors.may_exceed(self.so_far, index, turn == self.successors.chooser)
    }

    #[inline]
    fn others_matter(&mut self) -> bool {
        self.successors.exits_may_exceed(self.so_far)
    }

    #[inline]
    fn stay(&mut self, index: u64, turn: Player) {
        let rank = self.successors.rank(index, turn == self.successors.chooser);
        self.so_far = self.so_far.max(rank);
    }

    #[inline]
    fn leave(&mut self, next: StateOf<N>) {
        self.so_far = self.so_far.max(self.check.exit_rank(self.state, &next, self.successors));
    }

    #[inline]
    fn leave_to(&mut self, tier: usize, index: u64, turn: Player) {
        let (check, chooser) = (self.check, self.successors.chooser);
        let rank = |value| check.state_check.preference(chooser).rank(value, turn == chooser);
        let rank = match self.successors.has_exits() {
            true => check.numbering.outside_at(tier, index).map_or(Rank::UNKNOWN, rank),
            false => Rank::NONE,
        };
        self.so_far = self.so_far.max(rank);
    }
}
