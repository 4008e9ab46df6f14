//! Successors by their indices, for games whose tables must be verified fast.

use crate::game::{Player, TierIndexed};

/// A game in tiers that computes the indices of successors. This may be faster than making the
/// states.
///
/// [`Table::verify`](crate::Table::verify) uses them instead of [`moves`](crate::Game::moves) if
/// the game lists [`scheme::TiersWithSuccessors`](crate::scheme::TiersWithSuccessors).
/// [`laws::check`](crate::laws::check) compares the two. Few games need this: chess and the morris
/// family do, since verifying them spends most of its time on moves.
pub trait SuccessorIndices: TierIndexed {
    /// The length of a run of a tier's indices, a power of two. From 0 on, the indices are divided
    /// into runs of this length. A game overrides it if the successors of a state are in few runs.
    /// Its [`successors`](SuccessorIndices::successors) can then leave out runs that do not matter
    /// ([`VisitSuccessors::run_matters`]). Runs of fewer than 1,024 indices are too short to be
    /// useful.
    #[inline]
    fn run_len(&self, tier: usize) -> u64 {
        let _ = tier;
        1
    }

    /// Visits the successor after each legal move from a state of the tier `tier`. Never called for
    /// a terminal state.
    fn successors(
        &self,
        tier: usize,
        state: &Self::State,
        visitor: &mut impl VisitSuccessors<Self::State>,
    );
}

/// A visitor of the successors of a state: see [`SuccessorIndices::successors`].
pub trait VisitSuccessors<State> {
    /// Whether the successors in the same [run](SuccessorIndices::run_len) as this index still
    /// matter; `turn` is to move in all of them. If it returns false, they may be left out, even if
    /// an earlier call returned true. Calling it is never necessary.
    #[inline]
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        let _ = (index, turn);
        true
    }

    /// Whether the successors in other tiers still matter. If it returns false, they may be left
    /// out. Calling it is never necessary.
    #[inline]
    fn others_matter(&mut self) -> bool {
        true
    }

    /// Visits the successor of this index in the same tier, in which this player is to move.
    fn stay(&mut self, index: u64, turn: Player);

    /// Visits this successor, which has no index in the tier.
    fn leave(&mut self, state: State);
}
