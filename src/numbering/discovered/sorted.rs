//! Discovered states in ascending order, and what finds them there.

use std::fmt;
use std::ops::Range;

use crate::codec;
use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::discovered::Encoding;

/// The discovered states of a game or of one tier, canonical and in ascending order of their keys.
/// The index of a state is its place in that order.
pub struct Sorted<G: Game, E: Encoding<G>> {
    keys: Vec<E::Key>,
    lookup: E::Lookup,
}

impl<G: Game, E: Encoding<G>> fmt::Debug for Sorted<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sorted").field("states", &self.keys.len()).finish_non_exhaustive()
    }
}

/// States for a file to list, in the order of their indices.
pub trait ListedStates: Sync {
    /// How many states there are.
    fn len(&self) -> u64;

    /// The stored form of the state of an index, as bytes.
    ///
    /// # Errors
    /// When the type of the state can't be written.
    fn record(&self, index: u64) -> Result<Vec<u8>, String>;
}

impl<G: Game, E: Encoding<G>> ListedStates for Sorted<G, E> {
    fn len(&self) -> u64 {
        Sorted::len(self)
    }

    fn record(&self, index: u64) -> Result<Vec<u8>, String> {
        codec::encode(&self.keys[index as usize])
    }
}

impl<G: Game, E: Encoding<G>> Sorted<G, E> {
    /// The states with these keys, which are sorted and without repetition.
    ///
    /// # Errors
    /// When there are too many states, or there is no memory for the lookup.
    pub(crate) fn of(keys: Vec<E::Key>) -> Result<Self, SolveError> {
        Ok(Sorted { lookup: E::lookup(&keys)?, keys })
    }

    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    /// The index of a state of `game`.
    #[inline]
    pub(crate) fn index(&self, game: &G, state: &G::State) -> Option<u64> {
        let key = E::encode(game, &game.canonical(state))?;
        E::find(&self.lookup, &self.keys, &key)
    }

    /// The state of an index.
    #[inline]
    pub(crate) fn state(&self, game: &G, index: u64) -> Option<G::State> {
        self.keys.get(index as usize).map(|key| E::decode(game, key))
    }

    /// Visits the states of a range of indices.
    #[inline]
    pub(crate) fn states_in(
        &self,
        game: &G,
        indices: Range<u64>,
        mut visit: impl FnMut(u64, G::State),
    ) {
        let keys = &self.keys[indices.start as usize..indices.end as usize];
        for (index, key) in indices.zip(keys) {
            visit(index, E::decode(game, key));
        }
    }

    /// How much memory the states and the lookup take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let keys = self.keys.capacity() * size_of::<E::Key>();
        keys as u64 + E::lookup_bytes(&self.lookup)
    }
}
