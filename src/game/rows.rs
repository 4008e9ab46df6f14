//! Moves of many states at once.

use crate::game::Player;

/// The states and the mover of a row. A row has 64 indices that follow each other, the first a multiple of
/// 64. A set of its states is a word with a bit for each, the lowest for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The states: indices that are used. None is terminal; where play is over, there is no move.
    pub states: u64,
    /// The player to move in all states of the row.
    pub turn: Player,
}

/// The moves of a tier whose states move in rows: see [`TierIndexed::tier_rows`](crate::TierIndexed::tier_rows).
///
/// Turns alternate: a step leads to rows in which the other player is to move.
pub trait Rows: Sync {
    /// Whether there are such tiers at all, so that their solve is compiled.
    #[doc(hidden)]
    const ANY: bool = true;

    /// The states of a row; `None` if all its indices are unused.
    fn row(&self, row: u64) -> Option<Row>;

    /// The player to move in a row that has states. A game may override it where that is found faster.
    fn turn(&self, row: u64) -> Player {
        self.row(row).map_or(Player::First, |row| row.turn)
    }

    /// Visits rows, each with a set of its states: all states of the tier from which a step leads to one of
    /// `states`, a set of this row. A state may be visited several times, and unused indices may be visited.
    fn predecessors(&self, row: u64, states: u64, visit: impl FnMut(u64, u64));

    /// The part of `states`, a set of this row, from which no step leads to a target. `targets` returns the targets
    /// in a row. No unused index is a target.
    fn without_step_to(&self, row: u64, states: u64, targets: impl FnMut(u64) -> u64) -> u64;

    /// Visits the moves that leave the tier: sets of states of the row, each with the tier and the index there that
    /// a move leads to from all of them. A state and what it leads to may be visited several times.
    fn exits(&self, row: u64, states: u64, visit: impl FnMut(u64, usize, u64));
}

/// No rows at all, for games that do not tell of any.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoRows {}

impl Rows for NoRows {
    const ANY: bool = false;

    fn row(&self, _: u64) -> Option<Row> {
        match *self {}
    }

    fn predecessors(&self, _: u64, _: u64, _: impl FnMut(u64, u64)) {
        match *self {}
    }

    fn without_step_to(&self, _: u64, _: u64, _: impl FnMut(u64) -> u64) -> u64 {
        match *self {}
    }

    fn exits(&self, _: u64, _: u64, _: impl FnMut(u64, usize, u64)) {
        match *self {}
    }
}
