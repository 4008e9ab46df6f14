//! The states that can be reached from a game's roots, discovered by search.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Numbering, NumberingKind};
use crate::game::Game;
use crate::solve::{OnProgress, Progress, SolveError};

/// The canonical states that play can reach from the roots of a game, numbered in their own order
/// ([`Ord`]), so that the numbering does not depend on how the search found them.
///
/// It holds each state once and about 6 to 12 bytes a state beside it for finding the number of a
/// state.
pub struct Explored<'g, G: Game> {
    game: &'g G,
    states: Vec<G::State>,
    /// Positions in `states`, to be found by the hash of the state that stands there.
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<G: Game> fmt::Debug for Explored<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explored").field("states", &self.states.len()).finish_non_exhaustive()
    }
}

impl<'g, G> Explored<'g, G>
where
    G: Game,
    G::State: Hash + Ord,
{
    /// Discovers every state that play can reach from the roots of `game`.
    ///
    /// # Errors
    /// When the game has no roots, when the states do not fit into memory or into 32 bits of
    /// number, and when `progress` interrupts.
    pub(crate) fn discover(game: &'g G, progress: &mut OnProgress<'_>) -> Result<Self, SolveError> {
        let mut found = Explored::empty(game);
        for root in game.roots() {
            found.insert(game.canonical(&root))?;
        }
        if found.states.is_empty() {
            return Err(SolveError::NoRoots);
        }
        let mut expanded = 0;
        while expanded < found.states.len() {
            if expanded.is_multiple_of(1 << 14) {
                let discovered = found.states.len() as u64;
                let event = Progress::Exploring { expanded: expanded as u64, discovered };
                if let ControlFlow::Break(()) = progress(event) {
                    return Err(SolveError::Interrupted);
                }
            }
            let state = found.states[expanded].clone();
            expanded += 1;
            if game.terminal(&state).is_some() {
                continue;
            }
            let mut result = Ok(());
            game.moves(&state, |next| {
                if result.is_ok() {
                    result = found.insert(game.canonical(&next));
                }
            });
            result?;
        }
        found.states.sort_unstable();
        // A file's states are found by their order alone, so one that contradicts `Eq` loses some.
        if let Some(pair) = found.states.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(SolveError::FaultyOrder { states: format!("{pair:?}") });
        }
        Explored::from_sorted(game, found.states)
    }

    /// The numbering of states that are known already, sorted and without repetition.
    pub(crate) fn from_sorted(game: &'g G, states: Vec<G::State>) -> Result<Self, SolveError> {
        let mut numbering = Explored::empty(game);
        let hasher = &numbering.hasher;
        let numbers = &mut numbering.numbers;
        // The table is empty, so that nothing has to be hashed again to make room.
        numbers.try_reserve(states.len(), |_| 0).map_err(|_| out_of_memory(states.len() * 8))?;
        for (number, state) in states.iter().enumerate() {
            let number = u32::try_from(number).map_err(|_| SolveError::TooManyStates)?;
            numbers.insert_unique(hasher.hash_one(state), number, |_| 0);
        }
        numbering.states = states;
        Ok(numbering)
    }

    /// The states, in ascending order: the one at place `n` has number `n`.
    pub(crate) fn states(&self) -> &[G::State] {
        &self.states
    }

    fn empty(game: &'g G) -> Self {
        let hasher = DefaultHashBuilder::default();
        Explored { game, states: Vec::new(), numbers: HashTable::new(), hasher }
    }

    fn insert(&mut self, state: G::State) -> Result<(), SolveError> {
        let Explored { states, numbers, hasher, .. } = self;
        let hash = hasher.hash_one(&state);
        if numbers.find(hash, |&number| states[number as usize] == state).is_some() {
            return Ok(());
        }
        let number = u32::try_from(states.len()).map_err(|_| SolveError::TooManyStates)?;
        let rehash = |&number: &u32| hasher.hash_one(&states[number as usize]);
        numbers.try_reserve(1, rehash).map_err(|_| out_of_memory(numbers.capacity() * 16))?;
        numbers.insert_unique(hash, number, rehash);
        let bytes = states.capacity() * 2 * size_of::<G::State>();
        states.try_reserve(1).map_err(|_| out_of_memory(bytes))?;
        states.push(state);
        Ok(())
    }
}

fn out_of_memory(bytes: usize) -> SolveError {
    SolveError::OutOfMemory { what: "the discovered states", bytes: bytes as u64 }
}

impl<G> Numbering for Explored<'_, G>
where
    G: Game,
    G::State: Hash + Ord,
{
    type Game = G;
    type Base = Self;
    const KIND: NumberingKind = NumberingKind::Explored;

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
        self.states.len() as u64
    }

    #[inline]
    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        let state = base.game.canonical(state);
        let hash = base.hasher.hash_one(&state);
        base.numbers
            .find(hash, |&number| base.states[number as usize] == state)
            .map(|&number| u64::from(number))
    }

    #[inline]
    fn state_of(base: &Self, number: u64) -> Option<G::State> {
        base.states.get(number as usize).cloned()
    }
}
