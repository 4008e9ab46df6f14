//! Discovered states in their order, and what finds them there.

use std::fmt;
use std::ops::Range;

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::explored::Keeping;

/// The canonical states of a game that were discovered, or some of them, in ascending order.
pub struct Sorted<G: Game, K: Keeping<G>> {
    keys: Vec<K::Key>,
    finder: K::Finder,
}

impl<G: Game, K: Keeping<G>> fmt::Debug for Sorted<G, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sorted").field("states", &self.keys.len()).finish_non_exhaustive()
    }
}

impl<G: Game, K: Keeping<G>> Sorted<G, K> {
    /// Those of which these are kept, sorted and without repetition.
    ///
    /// # Errors
    /// When there are too many, or there is no memory for it.
    pub(crate) fn of(keys: Vec<K::Key>) -> Result<Self, SolveError> {
        Ok(Sorted { finder: K::finder(&keys)?, keys })
    }

    /// What is kept of the states: the one at place `n` has number `n`.
    pub(crate) fn keys(&self) -> &[K::Key] {
        &self.keys
    }

    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    /// The number of a state of `game`.
    #[inline]
    pub(crate) fn number(&self, game: &G, state: &G::State) -> Option<u64> {
        let key = K::key(game, &game.canonical(state));
        K::find(&self.finder, &self.keys, &key)
    }

    /// The state of a number.
    #[inline]
    pub(crate) fn state(&self, game: &G, number: u64) -> Option<G::State> {
        self.keys.get(number as usize).map(|key| K::state(game, key))
    }

    /// Visits the states of a range of numbers.
    #[inline]
    pub(crate) fn states_in(
        &self,
        game: &G,
        numbers: Range<u64>,
        mut visit: impl FnMut(u64, G::State),
    ) {
        let keys = &self.keys[numbers.start as usize..numbers.end as usize];
        for (number, key) in numbers.zip(keys) {
            visit(number, K::state(game, key));
        }
    }

    /// How much memory they take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let keys = self.keys.capacity() * size_of::<K::Key>();
        keys as u64 + K::finder_bytes(&self.finder)
    }
}
