//! The game's own numbering.

use std::ops::Range;

use crate::game::{Game, Indexed};
use crate::numbering::{Numbering, NumberingKind};

/// The numbering that a game brings along: [`Indexed`].
#[derive(Debug)]
pub struct Dense<'g, G> {
    game: &'g G,
}

impl<'g, G: Indexed> Dense<'g, G> {
    /// The dense numbering of `game`.
    pub fn new(game: &'g G) -> Self {
        Dense { game }
    }
}

impl<G: Indexed> Numbering for Dense<'_, G> {
    type Game = G;
    type Base = G;
    const KIND: NumberingKind = NumberingKind::Dense;

    #[inline]
    fn base(&self) -> &G {
        self.game
    }

    #[inline]
    fn game_of(game: &G) -> &G {
        game
    }

    #[inline]
    fn len(&self) -> u64 {
        self.game.len()
    }

    #[inline]
    fn number_of(game: &G, state: &G::State) -> Option<u64> {
        Some(game.index(state))
    }

    #[inline]
    fn state_of(game: &G, number: u64) -> Option<<G as Game>::State> {
        game.unindex(number)
    }

    #[inline]
    fn states_in(&self, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        self.game.states(numbers, visit);
    }
}
