//! The threads of an exploration, and what limits it.

use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use rayon::slice::ParallelSliceMut;

use crate::error::SolveError;
use crate::explore::growth::{self, Growth};
use crate::explore::moves::{MoveLog, Places, RecordedMoves};
use crate::explore::shards::{Budget, Refused, SHARDS, Shards};
use crate::game::{Game, WriteState};
use crate::numbering::discovered::{Encoding, KeyWindow};
use crate::runtime::memory;
use crate::runtime::pool::WorkerPool;

/// A ply with fewer states than this is not worth waking any threads.
pub(super) const BIG: usize = 1 << 12;

/// The states that were discovered, sorted: all, or those of the own window of several processes, which is
/// then told.
pub(crate) struct Found<K> {
    pub(crate) keys: Vec<K>,
    pub(crate) window: Option<KeyWindow<K>>,
    /// Their moves, if they were recorded.
    pub(crate) moves: Option<RecordedMoves>,
}

/// The memory that is allowed for where nothing is known of the system's.
const UNKNOWN_MEMORY: u64 = 4 << 30;

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
    /// Whether the moves are recorded, where there is memory for them.
    pub(crate) records: bool,
    /// Writes states in errors.
    pub(crate) write: WriteState<G>,
}

impl<G: Game> Explorer<'_, '_, G> {
    /// How many bytes of states all threads together may gather.
    pub(super) fn gathering(&self) -> u64 {
        let wanted = (GATHERED * self.pool.threads() * SHARDS) as u64;
        // The lists of gathered states grow by doubling, so that what they leave to the allocator is as
        // much again. Both together may take an eighth of the memory.
        self.memory.map_or(wanted, |memory| wanted.min(memory / 16))
    }

    /// The limits on the states once room is taken off for gathering, and a little for what lists that are
    /// short leave to the allocator.
    pub(super) fn budget(&self, gathering: u64) -> Arc<Budget> {
        let most = self.memory.map(|memory| memory - 2 * gathering - memory / 32);
        // A solve needs more beside them. What the system has is not known everywhere.
        let of_system = || {
            let memory = memory::available().unwrap_or(UNKNOWN_MEMORY);
            memory / self.pool.processes() as u64
        };
        let memory = self.memory.unwrap_or_else(of_system);
        Budget::new(self.most_states, most, memory / 4)
    }

    /// The error for states that were refused at this ply, if plies are counted, when the moves of
    /// `expanded` states had been looked at. Where there are too many, says whether that is for something
    /// in them that grows.
    pub(super) fn refusal(
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
            // The caller knows the tier.
            Refused::Unannounced { state, next } => {
                SolveError::UnexpectedTier { state, tier: String::new(), next }
            }
            Refused::TooWide { state } => SolveError::TooWide { state },
        };
        match is_full.then(|| growth::find(game, self.write)).flatten() {
            Some(Growth { parts, earlier, later }) => {
                SolveError::GrowingStates { refused: Box::new(error), parts, earlier, later }
            }
            None => error,
        }
    }

    /// Whether there is room to sort the states of some shards and to find the moves in a log.
    pub(super) fn has_room_for<K: Encoding<G>>(
        &self,
        shards: &Shards<K::Key, K::Keys>,
        log: &MoveLog,
    ) -> bool {
        let states: u64 = (0..SHARDS).map(|shard| shards.len(shard) as u64).sum();
        let a_state = (size_of::<K::Key>() + size_of::<(K::Key, u32)>() + 8) as u64;
        let needed = log.bytes() + states.saturating_mul(a_state);
        self.memory.is_none_or(|memory| needed <= memory)
    }

    /// All states of some shards, sorted. With `places` it also finds which index each of them gets.
    pub(super) fn sorted<K: Encoding<G>>(
        &self,
        game: &G,
        shards: Shards<K::Key, K::Keys>,
        places: bool,
    ) -> Result<(Vec<K::Key>, Option<Places>), SolveError> {
        let (mut keys, lens) = shards.into_keys()?;
        let places = if places {
            let mut numbered: Vec<(K::Key, u32)> = keys.into_iter().zip(0..).collect();
            self.sort_by(&mut numbered, |(one, _), (other, _)| one.cmp(other));
            let places = Places::new(&lens, numbered.iter().map(|&(_, found)| found))?;
            keys = numbered.into_iter().map(|(key, _)| key).collect();
            Some(places)
        } else {
            self.sort(&mut keys);
            None
        };
        // States in a file are found by their order alone. An order that contradicts `Eq` loses
        // some.
        match keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => {
                let write = |at: usize| (self.write)(game, &K::decode(game, &pair[at]));
                Err(SolveError::FaultyOrder { states: format!("{} and {}", write(0), write(1)) })
            }
            None => Ok((keys, places)),
        }
    }

    pub(super) fn sort<T: Ord + Send>(&self, keys: &mut [T]) {
        self.sort_by(keys, T::cmp);
    }

    fn sort_by<T: Send>(
        &self,
        keys: &mut [T],
        compare: impl Fn(&T, &T) -> std::cmp::Ordering + Send + Sync,
    ) {
        let threads = self.pool.threads();
        if threads > 1 && keys.len() >= BIG
            // Where the system does not give threads, this one sorts alone.
            && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
        {
            pool.install(|| keys.par_sort_unstable_by(compare));
        } else {
            keys.sort_unstable_by(compare);
        }
    }
}
