//! The threads of an exploration, and its limits.

use std::sync::Arc;

use crate::error::{BrokenLaw, SolveError};
use crate::explore::budget::{Budget, Refused};
use crate::explore::growth::{self, Growth};
use crate::explore::moves::{MoveLog, Places, RecordedMoves};
use crate::explore::shards::{SHARDS, Shards};
use crate::game::{Game, WriteState};
use crate::numbering::discovered::{
    Encoding, FoundKeys, KeyFiles, KeyRoom, KeyWindow, OrderedKeys as _,
};
use crate::runtime::memory;
use crate::runtime::pool::WorkerPool;

/// A ply with fewer states than this runs on one thread.
pub(super) const BIG: usize = 1 << 12;

/// The discovered states, sorted: all of them, or with several processes the states of this
/// process's window, which `window` then describes.
pub(crate) struct DiscoveredStates<K> {
    pub(crate) keys: FoundKeys<K>,
    pub(crate) window: Option<KeyWindow<K>>,
    /// The moves of the states, if they were recorded.
    pub(crate) moves: Option<RecordedMoves>,
}

/// The memory limit if the system's memory is not known.
const UNKNOWN_MEMORY: u64 = 4 << 30;

/// How many bytes of states a thread gathers for a shard before it inserts them. With more states,
/// a larger part of the shard's table stays in the cache from one insertion to the next.
const GATHERED: usize = 1 << 16;

/// When keys are to stand in memory as they are, and not coded.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    /// The bytes that a number of listed keys takes, and how many they may take.
    pub(crate) bytes_of: fn(u64) -> u64,
    pub(crate) most: u64,
}

impl Listing {
    /// Whether so many keys are listed.
    pub(crate) fn pays(self, keys: u64) -> bool {
        (self.bytes_of)(keys) <= self.most
    }
}

/// The threads of an exploration, and its limits.
pub(crate) struct Explorer<'c, 'p, G: Game> {
    pub(crate) pool: &'c mut WorkerPool<'p>,
    /// The most states that may be discovered.
    pub(crate) most_states: Option<u64>,
    /// The most memory that the states may take, in bytes.
    pub(crate) memory: Option<u64>,
    /// Whether the moves are recorded, if there is memory for them.
    pub(crate) records: bool,
    /// When the keys of a search without tiers are listed; never if it is `None`.
    pub(crate) listing: Option<Listing>,
    /// Writes states in errors.
    pub(crate) write: WriteState<G>,
    /// Writes states with all their parts.
    pub(crate) parts: WriteState<G>,
}

impl<G: Game> Explorer<'_, '_, G> {
    /// The most bytes of states that all threads together may gather.
    pub(super) fn gathering(&self) -> u64 {
        let wanted = (GATHERED * self.pool.threads() * SHARDS) as u64;
        // The lists of gathered states grow by doubling, so the allocator keeps as much memory
        // again. Both together may take an eighth of the memory.
        self.memory.map_or(wanted, |memory| wanted.min(memory / 16))
    }

    /// The limits on the states, without the memory for gathering. A 32nd of the memory is left for
    /// what the allocator keeps of short lists.
    pub(super) fn budget<K: Encoding<G>>(&self, gathering: u64) -> Arc<Budget> {
        let most = self.memory.map(|memory| memory - 2 * gathering - memory / 32);
        // Recorded moves get only a quarter, since a solve needs memory besides. Not every system
        // reports its memory.
        let of_system = || {
            let memory = memory::available().unwrap_or(UNKNOWN_MEMORY);
            memory / self.pool.processes() as u64
        };
        let memory = self.memory.unwrap_or_else(of_system);
        let room = KeyRoom { gathering: memory / 4, files: self.make_key_files() };
        let is_shared = self.pool.has_peers();
        let has_code = K::Ordered::HAVE_CODE && cfg!(target_os = "linux") && !is_shared;
        // Only who solves can name a folder.
        let can_be_in_files = has_code && self.records;
        Budget::new([self.most_states, most], memory / 4, room, can_be_in_files)
    }

    /// Makes scratch files for coded keys that take more than half of the memory in a search, or a quarter
    /// in a solve, if there is a folder for them. Their pages may take a quarter.
    pub(crate) fn make_key_files(&self) -> Option<Arc<KeyFiles>> {
        let (scratch, memory) = self.pool.scratch().zip(self.memory)?;
        scratch.set_room(memory / 4);
        Some(Arc::new(KeyFiles::new(scratch, memory / 4)))
    }

    /// The error for states that were refused at this ply, after `expanded` states were expanded.
    /// `ply` is `None` if plies are not counted. If there are too many states, the error also names
    /// a part of the state that grows without end, if there is one.
    pub(super) fn refusal(
        &self,
        game: &G,
        refused: Refused,
        budget: &Budget,
        expanded: u64,
        ply: Option<u32>,
    ) -> SolveError {
        let states = budget.states();
        let is_full = !matches!(refused, Refused::Broken(_) | Refused::Unprepared);
        let error = match refused {
            Refused::States => {
                let limit = self.most_states.unwrap_or(u64::MAX);
                SolveError::TooManyToExplore { limit, ply, expanded }
            }
            Refused::Memory(needed) => {
                let allowed = self.memory.unwrap_or(u64::MAX);
                let enough = budget.expected(needed);
                if let Some(error) = budget.room().files.as_ref().and_then(|it| it.refuse(needed)) {
                    return error;
                }
                let in_scratch = budget.may_go_to_files();
                SolveError::ExplorationOverLimit {
                    states,
                    ply,
                    expanded,
                    needed,
                    enough,
                    allowed,
                    in_scratch,
                }
            }
            Refused::OutOfMemory(bytes) => {
                SolveError::OutOfMemory { what: "the discovered states", bytes }
            }
            Refused::TooMany => SolveError::TooManyStates,
            Refused::Unprepared => SolveError::Interrupted,
            Refused::Broken(broken) => broken.into(),
        };
        if is_full { self.with_growth(game, error) } else { error }
    }

    /// The error of too many states, with a part of the state that grows without end, if there is
    /// one.
    pub(super) fn with_growth(&self, game: &G, error: SolveError) -> SolveError {
        match growth::find(game, self.write, self.parts) {
            Some(Growth { parts, earlier, later }) => {
                SolveError::GrowingStates { refused: Box::new(error), parts, earlier, later }
            }
            None => error,
        }
    }

    /// Whether a part of the state grows without end.
    pub(super) fn finds_growth(&self, game: &G) -> bool {
        growth::find(game, self.write, self.parts).is_some()
    }

    /// Whether there is room to sort the states of some shards and to index the moves of a log.
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

    /// Returns all states of some shards, sorted. With `places`, also returns the index of each.
    pub(super) fn sorted<K: Encoding<G>>(
        &self,
        game: &G,
        shards: Shards<K::Key, K::Keys>,
        places: bool,
    ) -> Result<(Vec<K::Key>, Option<Places>), SolveError> {
        let (mut keys, lens) = shards.into_keys()?;
        let places = if places {
            let mut numbered: Vec<(K::Key, u32)> = keys.into_iter().zip(0..).collect();
            K::sort_numbered(&mut numbered, self.pool.threads());
            let places = Places::new(&lens, numbered.iter().map(|&(_, found)| found))?;
            keys = numbered.into_iter().map(|(key, _)| key).collect();
            Some(places)
        } else {
            K::sort(&mut keys, self.pool.threads());
            None
        };
        // A file stores states only by their order. An order that contradicts `Eq` loses some.
        match keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => {
                let write = |at: usize| (self.write)(game, &K::decode(game, &pair[at]));
                Err(BrokenLaw::unordered([0, 1].map(write)).into())
            }
            None => Ok((keys, places)),
        }
    }
}
