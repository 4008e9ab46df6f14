//! The check of a table whose states are numbered in memory.
//!
//! Every value is compared with the values of its successors. `in_memory.rs` finds them where all
//! values of the table fit into memory, and `by_pages.rs` where they don't. Both look at groups of
//! states (`group.rs`).

use std::ops::Range;

use crate::error::TableError;
use crate::game::value::Value;
use crate::game::{Game, Player};
use crate::numbering::Numbering;
use crate::runtime::Cancelled;
use crate::table::loaded::Code;
use crate::table::storage::Storage;
use crate::verify::rank::Rank;
use crate::verify::source::ValueSource;
use crate::verify::state_check::StateCheck;
use crate::verify::stored::StoredValues;
use crate::verify::successors::Successors;

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
    /// Checks indices that have no state.
    pub(crate) fn check_all_unused<C: Code>(
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

    /// Compares the stored value of a state with the one that follows from its best successor.
    pub(crate) fn compare<V: ValueSource>(
        &self,
        state: &StateOf<N>,
        value: Option<Value>,
        terminal: Option<Value>,
        best: Rank,
        successors: &Successors<'_, V>,
    ) -> Result<(), TableError> {
        if best != Rank::UNKNOWN {
            return self.state_check.compare(state, value, terminal, best).map(drop);
        }
        Err(self.missing(state, &|next| {
            let rank = match self.numbering.index(next) {
                Some(index) => successors.rank(index, false),
                None => self.exit_rank(state, next, successors),
            };
            rank == Rank::UNKNOWN
        }))
    }

    /// The rank of a successor without an index in the table. Out of line, since exits are rare in
    /// most games.
    #[inline(never)]
    pub(crate) fn exit_rank<V: ValueSource>(
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
