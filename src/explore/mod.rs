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
mod shards;
mod statistics;
mod tiers;
#[cfg(any(test, feature = "cluster"))]
mod together;

use std::sync::{Arc, Mutex};

use rayon::ThreadPoolBuilder;
use rayon::slice::ParallelSliceMut;

use crate::error::SolveError;
use crate::game::{Game, WriteState};
use crate::numbering::discovered::Encoding;
use crate::runtime::Cancelled;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, lock};
use crate::runtime::progress::Progress;
use gathered::{Gathered, Sink};
use growth::Growth;
use shards::{Budget, Refused, SHARDS, Shards};
pub use statistics::{Ply, Statistics};

pub(crate) use dense::statistics_of_numbering;
pub(crate) use tiers::discover_parts;
#[cfg(any(test, feature = "cluster"))]
pub(crate) use together::OwnKeys;

/// A ply with fewer states than this is not worth waking any threads.
const BIG: usize = 1 << 12;

/// The ply after which a discovery looks for something in the states that grows without end.
const MANY_PLIES: u32 = 128;

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

/// The states of a game that are discovered so far, in an encoding.
type ShardsOf<G, K> = Shards<<K as Encoding<G>>::Key, <K as Encoding<G>>::Keys>;

/// Some states of a ply: their shard, and their places in the shard.
type ShardRange = (usize, std::ops::Range<usize>);

impl<G: Game> Explorer<'_, '_, G> {
    /// Discovers every state that play can reach from the roots of `game`, sorted.
    ///
    /// # Errors
    /// When the game has no roots, when a limit is reached, when the states do not fit into memory
    /// or have no indices of 32 bits, when the order of the states contradicts their equality, and
    /// when progress interrupts.
    pub(crate) fn discover<K: Encoding<G>>(
        &mut self,
        game: &G,
    ) -> Result<(Vec<K::Key>, Statistics), SolveError> {
        let (shards, statistics) = self.search_all::<K>(game)?;
        Ok((self.sorted::<K>(game, shards)?, statistics))
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

/// A breadth-first search. Each state found belongs to one of several sets, which `W` tells. The
/// first set is the one that is searched.
struct Search<'s, 'c, 'p, G: Game, K: Encoding<G>, W> {
    sink: Sink<'s, G, K, W>,
    budget: &'s Budget,
    /// Gathered states that are not inserted yet; one entry for each thread.
    gathered: Mutex<Vec<Gathered<'s, G, K, W>>>,
    /// How many states have had their moves looked at.
    expanded: u64,
    /// How many states other processes had found before this ply.
    elsewhere: u64,
    /// Whether the search is of one tier, and so begins not with the roots alone.
    is_of_tier: bool,
    limits: &'s mut Explorer<'c, 'p, G>,
}

impl<'s, 'c, 'p, G, K, W> Search<'s, 'c, 'p, G, K, W>
where
    G: Game,
    K: Encoding<G>,
    W: Fn(&G::State) -> Option<usize> + Copy + Send + Sync,
{
    /// A search whose threads gather at most `gathering` bytes of states.
    fn new(
        game: &'s G,
        sets: &'s [&'s ShardsOf<G, K>],
        which: W,
        budget: &'s Budget,
        gathering: u64,
        limits: &'s mut Explorer<'c, 'p, G>,
    ) -> Self {
        let shards = limits.pool.threads() * SHARDS * sets.len();
        let room = (gathering as usize / shards / size_of::<K::Key>().max(1)).max(1);
        // A list that grows by doubling has room for a power of two.
        let room = 1 << room.ilog2();
        let write = limits.write;
        let sink = Sink { game, write, sets, which, room, owners: None };
        Search {
            sink,
            budget,
            gathered: Mutex::default(),
            expanded: 0,
            elsewhere: 0,
            is_of_tier: false,
            limits,
        }
    }

    /// Inserts the roots.
    fn begin(&mut self, roots: Vec<G::State>) -> Result<(), SolveError> {
        let mut gathered = Gathered::new(self.sink);
        for root in roots {
            gathered.add(&root, &root);
        }
        let result = std::mem::replace(&mut gathered.result, Ok(()));
        lock(&self.gathered).push(gathered);
        result.map_err(|refused| self.refusal(refused, 0))?;
        self.insert_gathered(Size::Small)?.map_err(|refused| self.refusal(refused, 0))
    }

    /// Searches ply by ply until no new states are found.
    fn run(&mut self) -> Result<Statistics, SolveError> {
        let mut statistics = Statistics::default();
        let mut known = vec![0; SHARDS];
        loop {
            let found: Vec<usize> = (0..SHARDS).map(|shard| self.sink.sets[0].len(shard)).collect();
            let ply: Vec<ShardRange> = known
                .iter()
                .zip(&found)
                .enumerate()
                .map(|(shard, (&a, &b))| (shard, a..b))
                .collect();
            if ply.iter().all(|(_, places)| places.is_empty()) {
                return Ok(statistics);
            }
            let plies = statistics.plies.len() as u32;
            let ply = self.expand(ply, plies)?;
            statistics.plies.push(ply);
            self.limits.pool.report(ply.report(plies))?;
            if plies == MANY_PLIES && growth::find(self.sink.game, self.sink.write).is_some() {
                self.limits.pool.report(Progress::Growing { ply: plies })?;
            }
            known = found;
        }
    }

    /// Finds the successors of a ply's states, which are so many plies from the roots.
    fn expand(&mut self, ply: Vec<ShardRange>, plies: u32) -> Result<Ply, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let ply = self.look_at(ply)?.map_err(|refused| self.refusal(refused, plies))?;
        self.insert_gathered(size)?.map_err(|refused| self.refusal(refused, plies))?;
        Ok(ply)
    }

    /// Gathers the successors of some states of a ply, and counts the states.
    fn look_at(&mut self, ply: Vec<ShardRange>) -> Result<Result<Ply, Refused>, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { 4 * self.limits.pool.threads() };
        let (budget, before, sink) = (self.budget, self.expanded, self.sink);
        let elsewhere = self.elsewhere;
        let discovered = || elsewhere + budget.states();
        let event =
            |done| Progress::Exploring { expanded: before + done, discovered: discovered() };
        let idle = &self.gathered;
        let work = |ranges: Vec<ShardRange>, token: &dyn CancellationToken| {
            let taken = lock(idle).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(sink));
            let ply = expand_ranges(&mut gathered, ranges, token);
            lock(idle).push(gathered);
            Ok::<_, Cancelled>(ply)
        };
        let results = self.limits.pool.run(size, cut(ply, states.div_ceil(parts)), event, work)?;
        self.expanded += states as u64;
        Ok(results.into_iter().try_fold(Ply::default(), |sum, ply| Ok(sum.and(ply?))))
    }

    /// Inserts all gathered states, shard by shard.
    fn insert_gathered(&mut self, size: Size) -> Result<Result<(), Refused>, SolveError> {
        let mut gathered = std::mem::take(&mut *lock(&self.gathered));
        let mut by_place = (0..SHARDS * self.sink.sets.len()).map(|place| {
            let keys =
                gathered.iter_mut().map(|gathered| std::mem::take(&mut gathered.keys[place]));
            (place, keys.filter(|keys| !keys.is_empty()).collect::<Vec<_>>())
        });
        let tasks = match size {
            Size::Small => vec![by_place.collect::<Vec<_>>()],
            Size::Big => {
                const PARTS: usize = 16;
                let a_part = by_place.len() / PARTS;
                (0..PARTS).map(|_| by_place.by_ref().take(a_part).collect()).collect()
            }
        };
        let (sets, budget, expanded) = (self.sink.sets, self.budget, self.expanded);
        let elsewhere = self.elsewhere;
        let event = |_| Progress::Exploring { expanded, discovered: elsewhere + budget.states() };
        let work = |task: Vec<(usize, Vec<Vec<K::Key>>)>, token: &dyn CancellationToken| {
            let mut result = Ok(());
            for (place, keys) in task {
                for mut keys in keys {
                    let shards = sets[place / SHARDS];
                    result = result.and_then(|()| shards.insert(place % SHARDS, &mut keys));
                }
                if token.done(0).is_break() {
                    break;
                }
            }
            Ok::<_, Cancelled>(result)
        };
        let results = self.limits.pool.run(size, tasks, event, work)?;
        Ok(results.into_iter().collect())
    }

    /// How far the states of a ply are from the roots, if that is what plies count.
    fn ply(&self, ply: u32) -> Option<u32> {
        (!self.is_of_tier).then_some(ply)
    }

    /// The error for states that were refused at this ply.
    fn refusal(&self, refused: Refused, ply: u32) -> SolveError {
        self.limits.refusal(self.sink.game, refused, self.budget, self.expanded, self.ply(ply))
    }
}

/// Cuts a ply into tasks of `states` states each; the last one may have fewer.
fn cut(ply: Vec<ShardRange>, states: usize) -> Vec<Vec<ShardRange>> {
    let mut parts = vec![Vec::new()];
    let mut room = states;
    for (shard, mut places) in ply {
        while !places.is_empty() {
            if room == 0 {
                parts.push(Vec::new());
                room = states;
            }
            let end = places.end.min(places.start + room);
            room -= end - places.start;
            if let Some(part) = parts.last_mut() {
                part.push((shard, places.start..end));
            }
            places.start = end;
        }
    }
    parts
}

/// Gathers the successors of some states of a ply, and counts the states.
fn expand_ranges<G, K, W>(
    gathered: &mut Gathered<'_, G, K, W>,
    ranges: Vec<ShardRange>,
    token: &dyn CancellationToken,
) -> Result<Ply, Refused>
where
    G: Game,
    K: Encoding<G>,
    W: Fn(&G::State) -> Option<usize> + Copy,
{
    let Sink { game, sets, .. } = gathered.sink;
    let mut ply = Ply::default();
    let mut chunk = Vec::new();
    for (shard, places) in ranges {
        for start in places.clone().step_by(CHUNK) {
            sets[0].copy(shard, start..places.end.min(start + CHUNK), &mut chunk);
            for key in &chunk {
                let state = K::decode(game, key);
                if game.terminal(&state).is_some() {
                    ply.add_terminal();
                    continue;
                }
                let mut moves = 0;
                game.moves(&state, |next| {
                    moves += 1;
                    gathered.add(&next, &state);
                });
                ply.add_open(moves);
            }
            std::mem::replace(&mut gathered.result, Ok(()))?;
            if token.done(chunk.len() as u64).is_break() {
                return Ok(ply);
            }
        }
    }
    Ok(ply)
}
