//! The recorded moves of all tiers, until each tier is solved.

use std::sync::Arc;

use crate::explore::{Places, RecordedMoves};

/// The recorded moves of the tiers that are not solved yet, and the places of the states that they
/// lead to.
#[derive(Default)]
pub(super) struct TierMoves {
    /// By tier.
    recorded: Vec<Option<RecordedMoves>>,
    /// For each tier, the indices of its states by the numbers in moves.
    places: Vec<Option<Arc<Places>>>,
}

impl TierMoves {
    /// The moves of each tier. Drops all moves if any tier's moves are missing, since other moves
    /// may lead to that tier.
    pub(super) fn new(recorded: Vec<Option<RecordedMoves>>) -> TierMoves {
        if recorded.iter().any(Option::is_none) {
            return TierMoves::default();
        }
        let places = recorded.iter().flatten().map(|moves| moves.places().cloned());
        TierMoves { places: places.collect(), recorded }
    }

    /// The moves of a tier.
    pub(super) fn of(&self, tier: usize) -> Option<&RecordedMoves> {
        self.recorded.get(tier)?.as_ref()
    }

    /// Takes the moves of a tier out.
    pub(super) fn take(&mut self, tier: usize) -> Option<RecordedMoves> {
        let mut moves = self.recorded.get_mut(tier)?.take()?;
        let places_of = |tier: usize| self.places.get(tier)?.clone();
        moves.follow(places_of).then_some(moves)
    }

    /// The memory of the moves, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let moves = self.recorded.iter().flatten().map(RecordedMoves::bytes);
        // The places of the tiers whose moves were taken out.
        let places = self.places.iter().zip(&self.recorded).filter(|(_, moves)| moves.is_none());
        let places = places.filter_map(|(places, _)| Some(places.as_ref()?.bytes()));
        moves.chain(places).sum()
    }
}
