//! Discovering the states that play can reach: a breadth-first search, ply by ply.
//!
//! The threads share the states of the last ply out, and gather the successors. [`shards`] holds
//! the states discovered so far. Which states are found at which ply does not depend on the number
//! of threads. The order in which they are found does; it is lost when the states are sorted.
//! Sorting also brings similar states together.

mod dense;
mod gathered;
mod growth;
mod hash_index;
mod search;
mod shards;
mod statistics;
mod tiers;
mod together;

use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use rayon::slice::ParallelSliceMut;

use crate::error::SolveError;
use crate::game::{Game, WriteState};
use crate::numbering::discovered::{Encoding, KeyWindow};
use crate::runtime::peers::SEVERAL;
use crate::runtime::pool::WorkerPool;
use growth::Growth;
use search::Search;
use shards::{Budget, Refused, SHARDS, Shards};
pub use statistics::{Ply, Statistics};

pub(crate) use dense::statistics_of_numbering;
pub(crate) use tiers::discover_parts;

/// A ply with fewer states than this is not worth waking any threads.
const BIG: usize = 1 << 12;

/// How many states of a shard are copied and expanded at a time.
const CHUNK: usize = 1 << 10;

/// How many bytes of states a thread gathers for a shard before it inserts them. The more there
/// are, the more of the shard's table is in the cache from one insertion to the next.
const GATHERED: usize = 1 << 16;

/// The threads of an exploration, and its limits.
pub(crate) struct Explorer<'c, 'p, G: Game> {
    pub(crate) pool: &'c mut WorkerPool<'p>,
    /// The most states that may be discovered.
    pub(crate) most_states: Option<u64>,
    /// The most memory that the states may take, in bytes.
    pub(crate) memory: Option<u64>,
    /// Writes states in errors.
    pub(crate) write: WriteState<G>,
}

/// The states that were discovered, sorted: all, or those of the own window of several processes, which is
/// then told.
pub(crate) struct Found<K> {
    pub(crate) keys: Vec<K>,
    pub(crate) window: Option<KeyWindow<K>>,
}

/// The states of a game that are discovered so far, in an encoding.
type ShardsOf<G, K> = Shards<<K as Encoding<G>>::Key, <K as Encoding<G>>::Keys>;

impl<G: Game> Explorer<'_, '_, G> {
    /// Discovers every state that play can reach from the roots of `game`. Several processes share packed
    /// states out: each gets those of its window.
    ///
    /// # Errors
    /// When the game has no roots, when a limit is reached, when the states do not fit into memory
    /// or have no indices of 32 bits, when the order of the states contradicts their equality, and
    /// when progress interrupts.
    pub(crate) fn discover<K: Encoding<G>>(
        &mut self,
        game: &G,
    ) -> Result<Found<K::Key>, SolveError> {
        let (shards, _) = self.search_all::<K>(game)?;
        self.found::<K>(game, shards)
    }

    /// The states of some shards, sorted, and shared out among several processes.
    fn found<K: Encoding<G>>(
        &mut self,
        game: &G,
        shards: ShardsOf<G, K>,
    ) -> Result<Found<K::Key>, SolveError> {
        let keys = self.sorted::<K>(game, shards)?;
        match K::RAW {
            Some(raw) if SEVERAL && self.pool.has_peers() => self.share_out(keys, &raw),
            _ => Ok(Found { keys, window: None }),
        }
    }

    /// Counts the states that [`discover`](Explorer::discover) would discover.
    ///
    /// # Errors
    /// As [`discover`](Explorer::discover).
    pub(crate) fn statistics<K: Encoding<G>>(
        &mut self,
        game: &G,
    ) -> Result<Statistics, SolveError> {
        Ok(self.search_all::<K>(game)?.1)
    }

    fn search_all<K: Encoding<G>>(
        &mut self,
        game: &G,
    ) -> Result<(ShardsOf<G, K>, Statistics), SolveError> {
        let roots = game.roots();
        if roots.is_empty() {
            return Err(SolveError::NoRoots);
        }
        let gathering = self.gathering();
        let budget = self.budget(gathering);
        let shards = Shards::new(&budget);
        let sets = [&shards];
        let bytes = size_of_val(&roots[..]) as u64;
        let taken = budget.take(bytes);
        taken.map_err(|refused| self.refusal(game, refused, &budget, 0, Some(0)))?;
        let mut search = Search::<G, K, _>::new(game, &sets, |_| Some(0), &budget, gathering, self);
        search.begin(roots)?;
        budget.give_back(bytes);
        let statistics = search.run()?;
        Ok((shards, statistics))
    }

    /// How many bytes of states all threads together may gather.
    fn gathering(&self) -> u64 {
        let wanted = (GATHERED * self.pool.threads() * SHARDS) as u64;
        // The lists of gathered states grow by doubling, so that what they leave to the allocator is as
        // much again. Both together may take an eighth of the memory.
        self.memory.map_or(wanted, |memory| wanted.min(memory / 16))
    }

    /// The limits on the states once room is taken off for gathering, and a little for what lists that are
    /// short leave to the allocator.
    fn budget(&self, gathering: u64) -> Arc<Budget> {
        let most = self.memory.map(|memory| memory - 2 * gathering - memory / 32);
        Budget::new(self.most_states, most)
    }

    /// The error for states that were refused at this ply, if plies are counted, when the moves of
    /// `expanded` states had been looked at. Where there are too many, says whether that is for something
    /// in them that grows.
    fn refusal(
        &self,
        game: &G,
        refused: Refused,
        budget: &Budget,
        expanded: u64,
        ply: Option<u32>,
    ) -> SolveError {
        let states = budget.states();
        let is_full = !matches!(refused, Refused::Unannounced { .. } | Refused::TooWide { .. });
        let error = match refused {
            Refused::States => {
                let limit = self.most_states.unwrap_or(u64::MAX);
                SolveError::TooManyToExplore { limit, ply, expanded }
            }
            Refused::Memory(needed) => {
                let allowed = self.memory.unwrap_or(u64::MAX);
                SolveError::ExplorationOverLimit { states, ply, expanded, needed, allowed }
            }
            Refused::OutOfMemory(bytes) => {
                SolveError::OutOfMemory { what: "the discovered states", bytes }
            }
            Refused::TooMany => SolveError::TooManyStates,
            Refused::Unannounced { state, next } => SolveError::UnexpectedTier { state, next },
            Refused::TooWide { state } => SolveError::TooWide { state },
        };
        match is_full.then(|| growth::find(game, self.write)).flatten() {
            Some(Growth { parts, earlier, later }) => {
                SolveError::GrowingStates { refused: Box::new(error), parts, earlier, later }
            }
            None => error,
        }
    }

    /// All states of some shards, sorted.
    fn sorted<K: Encoding<G>>(
        &self,
        game: &G,
        shards: Shards<K::Key, K::Keys>,
    ) -> Result<Vec<K::Key>, SolveError> {
        let mut keys = shards.into_keys()?;
        self.sort(&mut keys);
        // States in a file are found by their order alone. An order that contradicts `Eq` loses
        // some.
        match keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => {
                let write = |at: usize| (self.write)(game, &K::decode(game, &pair[at]));
                Err(SolveError::FaultyOrder { states: format!("{} and {}", write(0), write(1)) })
            }
            None => Ok(keys),
        }
    }

    fn sort<T: Ord + Send>(&self, keys: &mut [T]) {
        let threads = self.pool.threads();
        if threads > 1 && keys.len() >= BIG
            // Where the system does not give threads, this one sorts alone.
            && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
        {
            pool.install(|| keys.par_sort_unstable());
        } else {
            keys.sort_unstable();
        }
    }
}
