//! The states that can be reached from a game's roots, discovered by search.

mod directory;
mod keeping;
mod sorted;

use std::fmt;
use std::ops::Range;

pub(crate) use keeping::Plain;
pub use keeping::{Keeping, Whole, Word};
pub use sorted::Sorted;

use crate::error::SolveError;
use crate::explore::{Explorer, Survey};
use crate::game::Game;
use crate::numbering::{Numbering, NumberingKind};

/// The canonical states that play can reach from the roots of a game, numbered in their own order
/// ([`Ord`]), so that the numbering does not depend on how the search found them. `K` is how they
/// are kept: [`Whole`], or packed into `u64` or `u128`.
///
/// It holds each state once, and beside it, to find the number of a state, half a byte to a byte
/// for packed states and 6 to 12 bytes for whole ones.
pub struct Explored<'g, G: Game, K: Keeping<G> = Whole> {
    game: &'g G,
    states: Sorted<G, K>,
    survey: Survey,
}

impl<G: Game, K: Keeping<G>> fmt::Debug for Explored<'_, G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explored").field("states", &self.states).finish_non_exhaustive()
    }
}

impl<'g, G: Game, K: Keeping<G>> Explored<'g, G, K> {
    /// Discovers every state that play can reach from the roots of `game`.
    ///
    /// # Errors
    /// Those of the explorer, and when the order of the states is none.
    pub(crate) fn discover(
        game: &'g G,
        explorer: &mut Explorer<'_, '_>,
    ) -> Result<Self, SolveError> {
        let (keys, survey) = explorer.discover::<G, K>(game)?;
        Ok(Explored { survey, ..Explored::of(game, Sorted::of(keys)?) })
    }

    /// The numbering of states that are known already.
    pub(crate) fn of(game: &'g G, states: Sorted<G, K>) -> Self {
        Explored { game, states, survey: Survey::default() }
    }

    /// What was seen on the way when the states were discovered. Empty where they come from a file.
    #[must_use]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// What is kept of the states, in ascending order: the one at place `n` has number `n`.
    pub(crate) fn keys(&self) -> &[K::Key] {
        self.states.keys()
    }
}

impl<G: Game, K: Keeping<G>> Numbering for Explored<'_, G, K> {
    type Game = G;
    type Base = Self;
    const KIND: NumberingKind = K::KIND;

    #[inline]
    fn base(&self) -> &Self {
        self
    }

    #[inline]
    fn game_of(base: &Self) -> &G {
        base.game
    }

    #[inline]
    fn len(&self) -> u64 {
        self.states.len()
    }

    #[inline]
    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        base.states.number(base.game, state)
    }

    #[inline]
    fn state_of(base: &Self, number: u64) -> Option<G::State> {
        base.states.state(base.game, number)
    }

    #[inline]
    fn states_in(&self, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        self.states.states_in(self.game, numbers, visit);
    }

    fn bytes(&self) -> u64 {
        self.states.bytes()
    }

    fn kept(&self, state: &G::State) -> G::State {
        K::state(self.game, &K::key(self.game, state))
    }
}
