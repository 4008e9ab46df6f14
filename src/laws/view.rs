//! The interface of any numbering for the laws, so that their checks are compiled once for each
//! game.

use std::ops::Range;

use crate::game::{Game, Player, Repeats};
use crate::numbering::discovered::Location;
use crate::numbering::{Numbering, NumberingKind};

/// A numbering of a game's states: the methods of [`Numbering`] that the laws check.
pub(super) trait NumberingView<G: Game> {
    /// [`Numbering::PREDECESSORS`]
    fn has_predecessors(&self) -> bool;

    /// [`Numbering::DISTINCT`]
    fn is_distinct(&self) -> bool;

    /// [`Numbering::game`]
    fn game(&self) -> &G;

    /// [`Numbering::kind`]
    fn kind(&self) -> NumberingKind;

    /// [`Numbering::len`]
    fn len(&self) -> u64;

    /// [`Numbering::index`]
    fn index(&self, state: &G::State) -> Option<u64>;

    /// [`Numbering::write`]
    fn write(&self, state: &G::State) -> String;

    /// Whether a state rightly has no index in this numbering, since it is of another tier or
    /// process.
    fn is_elsewhere(&self, state: &G::State) -> bool;

    /// Whether other processes have some of the states.
    fn is_shared(&self) -> bool;

    /// [`Numbering::state`]
    fn state(&self, index: u64) -> Option<G::State>;

    /// [`Numbering::states_in`]
    fn states_in(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, G::State));

    /// [`Numbering::predecessors_of`]
    fn predecessors(&self, state: &G::State, visit: &mut dyn FnMut(G::State));

    /// [`Numbering::PREDECESSOR_INDICES`]
    fn has_predecessor_indices(&self) -> bool;

    /// [`Numbering::predecessor_indices_of`]
    fn predecessor_indices(&self, state: &G::State, visit: &mut dyn FnMut(u64, Player)) -> Repeats;

    /// [`Numbering::degree`]
    fn degree(&self, state: &G::State) -> Option<u64>;

    /// Whether two indices belong to the same tier.
    fn same_tier(&self, one: u64, other: u64) -> bool;

    /// The tier of a state, and its location there as far as this numbering knows it; `None` if the
    /// game has no tiers.
    fn location_in_tiers(&self, state: &G::State) -> Option<(usize, Location)>;

    /// [`Numbering::exits`]
    fn exits(&self, state: &G::State, visit: &mut dyn FnMut(G::State));

    /// A state after packing and unpacking: equal to the state, unless the game packs wrongly.
    fn round_trip(&self, state: &G::State) -> G::State;

    /// Whether the numbering has all states of the game, and not only the first ones found.
    fn has_all(&self) -> bool {
        true
    }

    /// Whether a number is not an index but stands for an undiscovered state, since not all are
    /// discovered.
    fn is_undiscovered(&self, index: u64) -> bool {
        let _ = index;
        false
    }

    /// The state that the index of a state stands for, if there is one.
    fn representative(&self, state: &G::State, index: u64) -> Option<G::State> {
        let _ = state;
        self.state(index)
    }
}

impl<N: Numbering> NumberingView<N::Game> for N {
    fn has_predecessors(&self) -> bool {
        N::PREDECESSORS
    }

    fn is_distinct(&self) -> bool {
        N::DISTINCT
    }

    fn game(&self) -> &N::Game {
        Numbering::game(self)
    }

    fn kind(&self) -> NumberingKind {
        Numbering::kind(self)
    }

    fn len(&self) -> u64 {
        Numbering::len(self)
    }

    fn index(&self, state: &<N::Game as Game>::State) -> Option<u64> {
        Numbering::index(self, state)
    }

    fn write(&self, state: &<N::Game as Game>::State) -> String {
        Numbering::write(self, state)
    }

    fn is_elsewhere(&self, state: &<N::Game as Game>::State) -> bool {
        self.is_of_other_tier(state)
            || N::CAN_BE_SHARED
                && matches!(N::location_of(self.context(), state), Location::Elsewhere(_))
    }

    fn is_shared(&self) -> bool {
        N::CAN_BE_SHARED && self.find_keys().is_some()
    }

    fn state(&self, index: u64) -> Option<<N::Game as Game>::State> {
        Numbering::state(self, index)
    }

    fn states_in(&self, indices: Range<u64>, visit: &mut dyn FnMut(u64, <N::Game as Game>::State)) {
        Numbering::states_in(self, indices, visit);
    }

    fn predecessors(
        &self,
        state: &<N::Game as Game>::State,
        visit: &mut dyn FnMut(<N::Game as Game>::State),
    ) {
        N::predecessors_of(self.context(), state, visit);
    }

    fn has_predecessor_indices(&self) -> bool {
        N::PREDECESSOR_INDICES
    }

    fn predecessor_indices(
        &self,
        state: &<N::Game as Game>::State,
        visit: &mut dyn FnMut(u64, Player),
    ) -> Repeats {
        N::predecessor_indices_of(self.context(), state, visit)
    }

    fn degree(&self, state: &<N::Game as Game>::State) -> Option<u64> {
        Numbering::degree(self, state)
    }

    fn same_tier(&self, one: u64, other: u64) -> bool {
        let _ = (one, other);
        true
    }

    fn location_in_tiers(&self, state: &<N::Game as Game>::State) -> Option<(usize, Location)> {
        N::HAS_EXITS.then(|| Numbering::location_in_tiers(self, state))
    }

    fn exits(
        &self,
        state: &<N::Game as Game>::State,
        visit: &mut dyn FnMut(<N::Game as Game>::State),
    ) {
        Numbering::exits(self, state, visit);
    }

    fn round_trip(&self, state: &<N::Game as Game>::State) -> <N::Game as Game>::State {
        Numbering::round_trip(self, state)
    }
}
