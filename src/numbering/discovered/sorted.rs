//! Discovered states in ascending order, and the lookup that finds them.

use std::fmt;
use std::ops::Range;

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::discovered::{
    Encoding, FindKeys, ForeignKey, FoundKeys, KeyLookup, KeyWindow, Location, NOWHERE,
};
use crate::runtime::codec;

/// The discovered states of a game or of one tier, canonical and in ascending order of their keys.
/// The index of a state is its place in this order. Several processes may share the states.
pub struct Sorted<G: Game, E: Encoding<G>> {
    keys: E::Lookup,
    /// The index of the first key: 0, unless other processes have earlier states.
    first: u64,
    /// The window of these keys among all keys, if several processes share them.
    window: Option<KeyWindow<E::Key>>,
}

impl<G: Game, E: Encoding<G>> fmt::Debug for Sorted<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sorted").field("states", &self.len()).finish_non_exhaustive()
    }
}

/// States that a file lists, in the order of their indices.
pub trait ListedStates: Sync {
    /// The number of states.
    fn len(&self) -> u64;

    /// The indices whose states this process has: all, unless several processes share the states.
    fn here(&self) -> Range<u64>;

    /// The stored form of the state of an index, as bytes.
    ///
    /// # Errors
    /// When the type of the state can't be written.
    fn record(&self, index: u64) -> Result<Vec<u8>, String>;

    /// The records of `count` indices, from `first` on in steps of `step`.
    ///
    /// # Errors
    /// As [`record`](ListedStates::record).
    fn records(&self, first: u64, step: u64, count: u64) -> Result<Vec<Vec<u8>>, String> {
        (0..count).map(|at| self.record(first + at * step)).collect()
    }
}

impl<G: Game, E: Encoding<G>> ListedStates for Sorted<G, E> {
    fn len(&self) -> u64 {
        Sorted::len(self)
    }

    fn here(&self) -> Range<u64> {
        self.first..self.first + self.keys.len()
    }

    fn record(&self, index: u64) -> Result<Vec<u8>, String> {
        let record = self.keys.with_key(index.wrapping_sub(self.first), codec::encode);
        record.ok_or("has states of another process")?
    }
}

impl<G: Game, E: Encoding<G>> FindKeys for Sorted<G, E> {
    fn width(&self) -> usize {
        size_of::<E::Key>()
    }

    fn find(&self, key: u128) -> Option<u64> {
        self.find_key(&(E::RAW?.of_word)(key)?)
    }

    fn locate(&self, key: u128) -> Location {
        match E::RAW.and_then(|raw| (raw.of_word)(key)) {
            Some(key) => self.locate_key(&key),
            None => Location::Nowhere,
        }
    }
}

impl<G: Game, E: Encoding<G>> Sorted<G, E> {
    /// The states with these keys, which are sorted and distinct.
    ///
    /// # Errors
    /// When there are too many states, or there is no memory for the lookup.
    pub(crate) fn of(keys: FoundKeys<E::Key>) -> Result<Self, SolveError> {
        Ok(Sorted { keys: E::lookup(keys)?, first: 0, window: None })
    }

    /// The states with these keys, which are one window of the keys that several processes share.
    ///
    /// # Errors
    /// As [`of`](Sorted::of).
    pub(crate) fn of_window(
        keys: FoundKeys<E::Key>,
        window: KeyWindow<E::Key>,
    ) -> Result<Self, SolveError> {
        Ok(Sorted { first: window.first(), window: Some(window), ..Sorted::of(keys)? })
    }

    /// The number of states, including the states of other processes.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.window.as_ref().map_or(self.keys.len(), KeyWindow::all)
    }

    /// Whether several processes share the states.
    pub(crate) fn is_shared(&self) -> bool {
        self.window.is_some()
    }

    /// The index of a key, if this process has it.
    #[inline]
    fn find_key(&self, key: &E::Key) -> Option<u64> {
        Some(self.first + self.keys.find(key)?)
    }

    /// Writes the index of each of some keys that this process may have, or [`NOWHERE`].
    pub(crate) fn find_all(&self, keys: &[E::Key], found: &mut [u64]) {
        self.keys.find_all(keys, found);
        if self.first > 0 {
            found.iter_mut().filter(|at| **at < NOWHERE).for_each(|at| *at += self.first);
        }
    }

    /// The location of a state of `game`.
    #[inline]
    pub(crate) fn locate(&self, game: &G, state: &G::State) -> Location {
        match E::encode(game, game.canonical(state)) {
            Some(key) => self.locate_key(&key),
            None => Location::Nowhere,
        }
    }

    /// The location of the state with this key.
    #[inline]
    fn locate_key(&self, key: &E::Key) -> Location {
        if let Some(window) = &self.window
            && let Some(owner) = window.other_owner(key)
            && let Some(raw) = E::RAW
        {
            return Location::Elsewhere(ForeignKey { owner, key: (raw.to_word)(key) });
        }
        self.find_key(key).map_or(Location::Nowhere, Location::Here)
    }

    /// The index of a state of `game`, if this process has the state.
    #[inline]
    pub(crate) fn index(&self, game: &G, state: &G::State) -> Option<u64> {
        self.find_key(&E::encode(game, game.canonical(state))?)
    }

    /// The state of an index, if this process has the state.
    #[inline]
    pub(crate) fn state(&self, game: &G, index: u64) -> Option<G::State> {
        self.keys.with_key(index.wrapping_sub(self.first), |key| E::decode(game, key))
    }

    /// Visits the states of a range of indices; this process must have all of them.
    #[inline]
    pub(crate) fn states_in(
        &self,
        game: &G,
        indices: Range<u64>,
        mut visit: impl FnMut(u64, G::State),
    ) {
        let first = self.first;
        let places = indices.start - first..indices.end - first;
        self.keys.each(places, |place, key| visit(first + place, E::decode(game, key)));
    }

    /// Whether the states are coded in memory.
    pub(crate) fn is_coded(&self) -> bool {
        self.keys.is_coded()
    }

    /// The memory that the states and the lookup take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.keys.bytes()
    }
}
