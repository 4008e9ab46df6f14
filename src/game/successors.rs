//! Successors by their indices.

use crate::game::Player;

/// A visitor of the successors of a state: see
/// [`TierIndexed::tier_successor_indices`](crate::TierIndexed::tier_successor_indices).
pub trait VisitSuccessors<State> {
    /// Whether the successors in the same [run](crate::TierIndexed::run_len) as this index still
    /// matter; in all of them this player is to move. If it returns false, they may be left out,
    /// whatever an earlier call returned. Calling it is never necessary.
    #[inline]
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        let _ = (index, turn);
        true
    }

    /// Whether the successors in other tiers still matter. If it returns false, they may be left out.
    /// Calling it is never necessary.
    #[inline]
    fn others_matter(&mut self) -> bool {
        true
    }

    /// Visits the successor of this index in the same tier, in which this player is to move. Where
    /// states do not say who is to move, that is [`Player::Second`]: the other player.
    fn stay(&mut self, index: u64, turn: Player);

    /// Visits this successor, which has no index in the tier.
    fn leave(&mut self, state: State);

    /// Visits the successor of this index in another tier, in which this player is to move, as
    /// [`leave`](VisitSuccessors::leave) does. A move that gains points has to be visited there.
    fn leave_to(&mut self, tier: usize, index: u64, turn: Player);
}
