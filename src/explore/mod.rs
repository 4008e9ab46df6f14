//! Discovering the states that play can reach, ply by ply.
//!
//! The threads take the states of the last ply between them and gather what their moves lead to; see
//! [`shards`] for what they share. Which states are found, and at which ply, does not depend on how
//! many threads there are; the order does, and is forgotten when the states are sorted, which also
//! puts states together that are alike.

mod dense;
mod index;
mod shards;
mod survey;
mod tiers;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use rayon::ThreadPoolBuilder;
use rayon::slice::ParallelSliceMut;

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::Keeping;
use crate::runtime::Cancelled;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, lock};
use crate::runtime::progress::Progress;
use shards::{Budget, Refused, SHARDS, Shards};
pub use survey::{Ply, Survey};

pub(crate) use dense::survey_dense;

/// A ply with fewer states than this is not worth waking any threads.
const BIG: usize = 1 << 12;

/// How many states of a shard are taken at a time.
const CHUNK: usize = 1 << 10;

/// How many bytes of states a thread gathers for a shard before they are put in: the more, the more
/// of the shard's table is still in the cache from one to the next.
const GATHERED: usize = 1 << 16;

/// What explores: threads, and what they may take.
pub(crate) struct Explorer<'c, 'p> {
    pub(crate) pool: &'c mut WorkerPool<'p>,
    pub(crate) most_states: Option<u64>,
    pub(crate) memory: Option<u64>,
}

/// Some states of a ply: the shard, and the places in it.
type Piece = (usize, std::ops::Range<usize>);

impl Explorer<'_, '_> {
    /// Discovers every state that play can reach from the roots of `game`, sorted.
    ///
    /// # Errors
    /// When the game has no roots, when a limit is reached, when the states do not fit into memory
    /// or into 32 bits of number, when the order of the states is none, and when progress
    /// interrupts.
    pub(crate) fn discover<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<(Vec<K::Key>, Survey), SolveError> {
        let (shards, survey) = self.search_all::<G, K>(game)?;
        Ok((self.sorted(shards)?, survey))
    }

    /// Tells what there is to discover.
    ///
    /// # Errors
    /// As [`discover`](Explorer::discover).
    pub(crate) fn survey<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<Survey, SolveError> {
        Ok(self.search_all::<G, K>(game)?.1)
    }

    fn search_all<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<(Shards<K::Key>, Survey), SolveError> {
        K::check(game)?;
        let roots = game.roots();
        if roots.is_empty() {
            return Err(SolveError::NoRoots);
        }
        let gathering = self.gathering();
        let budget = self.budget(gathering);
        let shards = Shards::new(&budget);
        let sets = [&shards];
        let mut search = Search::<G, K, _>::new(game, &sets, |_| Some(0), &budget, gathering, self);
        search.begin(roots)?;
        let survey = search.run()?;
        Ok((shards, survey))
    }

    /// How many bytes of states may be gathered, by all threads for all shards.
    fn gathering(&self) -> u64 {
        let wanted = (GATHERED * self.pool.threads() * SHARDS) as u64;
        // What is gathered may take an eighth of the memory.
        self.memory.map_or(wanted, |memory| wanted.min(memory / 8))
    }

    /// What is left for the states.
    fn budget(&self, gathering: u64) -> Arc<Budget> {
        Budget::new(self.most_states, self.memory.map(|memory| memory - gathering))
    }

    /// What to say when no more can be found: which ply it was, and how many states had had their
    /// moves looked at.
    fn refusal(&self, refused: Refused, budget: &Budget, expanded: u64, ply: u32) -> SolveError {
        let states = budget.states();
        match refused {
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
        }
    }

    /// All states of some shards, sorted.
    fn sorted<T>(&self, shards: Shards<T>) -> Result<Vec<T>, SolveError>
    where
        T: Ord + Hash + Debug + Send,
    {
        let mut keys = shards.into_keys()?;
        let threads = self.pool.threads();
        if threads > 1 && keys.len() >= BIG
            // Where the system has no threads to give, this one sorts alone.
            && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
        {
            pool.install(|| keys.par_sort_unstable());
        } else {
            keys.sort_unstable();
        }
        // A file's states are found by their order alone, so one that contradicts `Eq` loses some.
        match keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(SolveError::FaultyOrder { states: format!("{pair:?}") }),
            None => Ok(keys),
        }
    }
}

/// A search under way. What is found belongs to one of several sets, of which the first is the one
/// that is searched; `W` tells which.
struct Search<'s, 'c, 'p, G: Game, K: Keeping<G>, W> {
    sink: Sink<'s, G, K, W>,
    budget: &'s Budget,
    /// What was gathered and is not put in yet, by as many as there are threads.
    gathered: Mutex<Vec<Gathered<'s, G, K, W>>>,
    /// How many states have had their moves looked at.
    expanded: u64,
    limits: &'s mut Explorer<'c, 'p>,
}

/// Where what is found goes.
struct Sink<'s, G: Game, K: Keeping<G>, W> {
    game: &'s G,
    sets: &'s [&'s Shards<K::Key>],
    /// Which of the sets a state belongs to, if it is one of them.
    which: W,
    /// How many states are gathered for a shard.
    room: usize,
}

impl<G: Game, K: Keeping<G>, W: Copy> Clone for Sink<'_, G, K, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, K: Keeping<G>, W: Copy> Copy for Sink<'_, G, K, W> {}

impl<'s, 'c, 'p, G, K, W> Search<'s, 'c, 'p, G, K, W>
where
    G: Game,
    K: Keeping<G>,
    W: Fn(&G::State) -> Option<usize> + Copy + Send + Sync,
{
    /// A search that gathers so many bytes of states.
    fn new(
        game: &'s G,
        sets: &'s [&'s Shards<K::Key>],
        which: W,
        budget: &'s Budget,
        gathering: u64,
        limits: &'s mut Explorer<'c, 'p>,
    ) -> Self {
        let shards = limits.pool.threads() * SHARDS * sets.len();
        let room = (gathering as usize / shards / size_of::<K::Key>().max(1)).max(1);
        let sink = Sink { game, sets, which, room };
        Search { sink, budget, gathered: Mutex::default(), expanded: 0, limits }
    }

    /// Puts in the first states.
    fn begin(&mut self, roots: Vec<G::State>) -> Result<(), SolveError> {
        let mut gathered = Gathered::new(self.sink);
        for root in roots {
            gathered.add(&root, &root);
        }
        let result = std::mem::replace(&mut gathered.result, Ok(()));
        lock(&self.gathered).push(gathered);
        result.map_err(|refused| self.refusal(refused, 0))?;
        self.put_in_all(Size::Small)?.map_err(|refused| self.refusal(refused, 0))
    }

    /// Goes on, ply by ply, until nothing more is found.
    fn run(&mut self) -> Result<Survey, SolveError> {
        let mut survey = Survey::default();
        let mut known = vec![0; SHARDS];
        loop {
            let found: Vec<usize> = (0..SHARDS).map(|shard| self.sink.sets[0].len(shard)).collect();
            let ply: Vec<Piece> = known
                .iter()
                .zip(&found)
                .enumerate()
                .map(|(shard, (&a, &b))| (shard, a..b))
                .collect();
            if ply.iter().all(|(_, places)| places.is_empty()) {
                return Ok(survey);
            }
            let number = survey.plies.len() as u32;
            survey.plies.push(self.expand(ply, number)?);
            known = found;
        }
    }

    /// Finds what the moves of a ply's states lead to.
    fn expand(&mut self, ply: Vec<Piece>, number: u32) -> Result<Ply, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { 4 * self.limits.pool.threads() };
        let (budget, before, sink) = (self.budget, self.expanded, self.sink);
        let event =
            |done| Progress::Exploring { expanded: before + done, discovered: budget.states() };
        let pool = &self.gathered;
        let work = |pieces: Vec<Piece>, token: &dyn CancellationToken| {
            let taken = lock(pool).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(sink));
            let tally = expand_pieces(&mut gathered, pieces, token);
            lock(pool).push(gathered);
            Ok::<_, Cancelled>(tally)
        };
        let results = self.limits.pool.run(size, cut(ply, states.div_ceil(parts)), event, work)?;
        self.expanded += states as u64;
        let mut sum = Ply::default();
        for result in results {
            sum = sum.and(result.map_err(|refused| self.refusal(refused, number))?);
        }
        self.put_in_all(size)?.map_err(|refused| self.refusal(refused, number))?;
        Ok(sum)
    }

    /// Puts in all that is gathered, what each thread has for a shard behind one another.
    fn put_in_all(&mut self, size: Size) -> Result<Result<(), Refused>, SolveError> {
        let mut gathered = std::mem::take(&mut *lock(&self.gathered));
        let mut by_place = (0..SHARDS * self.sink.sets.len()).map(|place| {
            let keys =
                gathered.iter_mut().map(|gathered| std::mem::take(&mut gathered.keys[place]));
            (place, keys.filter(|keys| !keys.is_empty()).collect::<Vec<_>>())
        });
        let pieces = match size {
            Size::Small => vec![by_place.collect::<Vec<_>>()],
            Size::Big => {
                const PARTS: usize = 16;
                let a_part = by_place.len() / PARTS;
                (0..PARTS).map(|_| by_place.by_ref().take(a_part).collect()).collect()
            }
        };
        let (sets, budget, expanded) = (self.sink.sets, self.budget, self.expanded);
        let event = |_| Progress::Exploring { expanded, discovered: budget.states() };
        let work = |piece: Vec<(usize, Vec<Vec<K::Key>>)>, token: &dyn CancellationToken| {
            let mut result = Ok(());
            for (place, keys) in piece {
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
        let results = self.limits.pool.run(size, pieces, event, work)?;
        Ok(results.into_iter().collect())
    }

    /// What to say when a ply could not be finished.
    fn refusal(&self, refused: Refused, ply: u32) -> SolveError {
        self.limits.refusal(refused, self.budget, self.expanded, ply)
    }
}

/// Cuts a ply into lists of pieces with about so many states each.
fn cut(ply: Vec<Piece>, states: usize) -> Vec<Vec<Piece>> {
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

/// Finds what the moves of some states lead to.
fn expand_pieces<G, K, W>(
    gathered: &mut Gathered<'_, G, K, W>,
    pieces: Vec<Piece>,
    token: &dyn CancellationToken,
) -> Result<Ply, Refused>
where
    G: Game,
    K: Keeping<G>,
    W: Fn(&G::State) -> Option<usize> + Copy,
{
    let Sink { game, sets, .. } = gathered.sink;
    let mut tally = Ply::default();
    let mut chunk = Vec::new();
    for (shard, places) in pieces {
        for start in places.clone().step_by(CHUNK) {
            sets[0].copy(shard, start..places.end.min(start + CHUNK), &mut chunk);
            for key in &chunk {
                let state = K::state(game, key);
                if game.terminal(&state).is_some() {
                    tally.add_terminal();
                    continue;
                }
                let mut moves = 0;
                game.moves(&state, |next| {
                    moves += 1;
                    gathered.add(&next, &state);
                });
                tally.add_open(moves);
            }
            std::mem::replace(&mut gathered.result, Ok(()))?;
            if token.done(chunk.len() as u64).is_break() {
                return Ok(tally);
            }
        }
    }
    Ok(tally)
}

/// States found by one thread, by set and shard.
struct Gathered<'s, G: Game, K: Keeping<G>, W> {
    sink: Sink<'s, G, K, W>,
    keys: Vec<Vec<K::Key>>,
    /// What was refused, or nothing yet.
    result: Result<(), Refused>,
}

impl<'s, G, K, W> Gathered<'s, G, K, W>
where
    G: Game,
    K: Keeping<G>,
    W: Fn(&G::State) -> Option<usize> + Copy,
{
    fn new(sink: Sink<'s, G, K, W>) -> Self {
        let keys = (0..SHARDS * sink.sets.len()).map(|_| Vec::new()).collect();
        Gathered { sink, keys, result: Ok(()) }
    }

    /// Gathers a state that a move leads to from another.
    #[inline]
    fn add(&mut self, state: &G::State, from: &G::State) {
        let Sink { game, sets, which, room } = self.sink;
        let Some(set) = which(state) else { return self.refuse(state, from) };
        let key = K::key(game, &game.canonical(state));
        let place = set * SHARDS + sets[set].shard_of(&key);
        let keys = &mut self.keys[place];
        keys.push(key);
        if keys.len() >= room {
            self.put_in(place);
        }
    }

    #[cold]
    fn refuse(&mut self, next: &G::State, state: &G::State) {
        let (state, next) = (format!("{state:?}"), format!("{next:?}"));
        self.result = Err(Refused::Unannounced { state, next });
    }

    /// Puts in what was found for a shard.
    #[cold]
    fn put_in(&mut self, place: usize) {
        if self.result.is_ok() {
            let shards = self.sink.sets[place / SHARDS];
            self.result = shards.insert(place % SHARDS, &mut self.keys[place]);
        }
        self.keys[place].clear();
    }
}
