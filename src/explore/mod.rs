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

use std::sync::Mutex;

use rayon::ThreadPoolBuilder;
use rayon::slice::ParallelSliceMut;

use crate::game::Game;
use crate::numbering::Keeping;
use crate::solve::crew::{Crew, Signals, Size, lock};
use crate::solve::{Progress, SolveError};
use shards::{Refused, SHARDS, Shards};
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
    pub(crate) crew: &'c mut Crew<'p>,
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
    /// or into 32 bits of number, and when progress interrupts.
    pub(crate) fn discover<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<(Vec<K::Key>, Survey), SolveError> {
        let (shards, survey) = self.search::<G, K>(game)?;
        let mut keys = shards.into_keys()?;
        let threads = self.crew.threads();
        // Where the system has no threads to give, this one sorts alone.
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) if threads > 1 && keys.len() >= BIG => {
                pool.install(|| keys.par_sort_unstable());
            }
            _ => keys.sort_unstable(),
        }
        Ok((keys, survey))
    }

    /// Tells what there is to discover.
    ///
    /// # Errors
    /// As [`discover`](Explorer::discover).
    pub(crate) fn survey<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<Survey, SolveError> {
        Ok(self.search::<G, K>(game)?.1)
    }

    fn search<G: Game, K: Keeping<G>>(
        &mut self,
        game: &G,
    ) -> Result<(Shards<K::Key>, Survey), SolveError> {
        K::check(game)?;
        let threads = self.crew.threads();
        // What is gathered may take an eighth of the memory.
        let most = self.memory.map_or(u64::MAX, |memory| memory / 8 / (threads * SHARDS) as u64);
        let bytes = (GATHERED as u64).min(most);
        let gathered = bytes * (threads * SHARDS) as u64;
        let shards = Shards::new(self.most_states, self.memory.map(|memory| memory - gathered));
        let room = (bytes as usize / size_of::<K::Key>().max(1)).max(1);
        let mut survey = Survey::default();
        let mut search: Search<'_, '_, '_, G, K> = Search {
            game,
            shards: &shards,
            room,
            gathered: Mutex::default(),
            expanded: 0,
            limits: self,
        };
        let mut gathered = Gathered::new(game, &shards, room);
        for root in game.roots() {
            gathered.add(&root);
        }
        lock(&search.gathered).push(gathered);
        search.put_in_all(Size::Small)?.map_err(|refused| search.refusal(refused, 0))?;
        if shards.states() == 0 {
            return Err(SolveError::NoRoots);
        }
        let mut known = vec![0; SHARDS];
        loop {
            let found: Vec<usize> = (0..SHARDS).map(|shard| shards.len(shard)).collect();
            let ply: Vec<Piece> = known
                .iter()
                .zip(&found)
                .enumerate()
                .map(|(shard, (&a, &b))| (shard, a..b))
                .collect();
            if ply.iter().all(|(_, places)| places.is_empty()) {
                break;
            }
            let number = survey.plies.len() as u32;
            survey.plies.push(search.expand(ply, number)?);
            known = found;
        }
        Ok((shards, survey))
    }
}

/// A search under way.
struct Search<'s, 'c, 'p, G: Game, K: Keeping<G>> {
    game: &'s G,
    shards: &'s Shards<K::Key>,
    /// How many states are gathered for a shard.
    room: usize,
    /// What was gathered and is not put in yet, by as many as there are threads.
    gathered: Mutex<Vec<Gathered<'s, G, K>>>,
    /// How many states have had their moves looked at.
    expanded: u64,
    limits: &'s mut Explorer<'c, 'p>,
}

impl<'s, G: Game, K: Keeping<G>> Search<'s, '_, '_, G, K> {
    /// Finds what the moves of a ply's states lead to.
    fn expand(&mut self, ply: Vec<Piece>, number: u32) -> Result<Ply, SolveError> {
        let states: usize = ply.iter().map(|(_, places)| places.len()).sum();
        let size = if states < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { 4 * self.limits.crew.threads() };
        let (shards, before) = (self.shards, self.expanded);
        let event =
            |done| Progress::Exploring { expanded: before + done, discovered: shards.states() };
        let (game, room, pool) = (self.game, self.room, &self.gathered);
        let work = |pieces: Vec<Piece>, signals: &dyn Signals| {
            let taken = lock(pool).pop();
            let mut gathered = taken.unwrap_or_else(|| Gathered::new(game, shards, room));
            let tally = expand_pieces(&mut gathered, pieces, signals);
            lock(pool).push(gathered);
            Ok(tally)
        };
        let results = self.limits.crew.run(size, cut(ply, states.div_ceil(parts)), event, work)?;
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
        let mut by_shard = (0..SHARDS).map(|shard| {
            let keys =
                gathered.iter_mut().map(|gathered| std::mem::take(&mut gathered.keys[shard]));
            (shard, keys.filter(|keys| !keys.is_empty()).collect::<Vec<_>>())
        });
        let (shards, expanded) = (self.shards, self.expanded);
        let pieces = match size {
            Size::Small => vec![by_shard.collect::<Vec<_>>()],
            Size::Big => std::iter::repeat_with(|| by_shard.by_ref().take(SHARDS / 16).collect())
                .take(16)
                .collect(),
        };
        let event = |_| Progress::Exploring { expanded, discovered: shards.states() };
        let work = |piece: Vec<(usize, Vec<Vec<K::Key>>)>, signals: &dyn Signals| {
            let mut result = Ok(());
            for (shard, keys) in piece {
                for mut keys in keys {
                    result = result.and_then(|()| shards.insert(shard, &mut keys));
                }
                if signals.done(0).is_break() {
                    break;
                }
            }
            Ok(result)
        };
        let results = self.limits.crew.run(size, pieces, event, work)?;
        Ok(results.into_iter().collect())
    }

    /// What to say when a ply could not be finished.
    fn refusal(&self, refused: Refused, ply: u32) -> SolveError {
        let states = self.shards.states();
        let expanded = self.expanded;
        match refused {
            Refused::States => {
                let limit = self.limits.most_states.unwrap_or(u64::MAX);
                SolveError::TooManyToExplore { limit, ply, expanded }
            }
            Refused::Memory(needed) => {
                let allowed = self.limits.memory.unwrap_or(u64::MAX);
                SolveError::ExplorationOverLimit { states, ply, expanded, needed, allowed }
            }
            Refused::OutOfMemory(bytes) => {
                SolveError::OutOfMemory { what: "the discovered states", bytes }
            }
            Refused::TooMany => SolveError::TooManyStates,
        }
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
fn expand_pieces<G: Game, K: Keeping<G>>(
    gathered: &mut Gathered<'_, G, K>,
    pieces: Vec<Piece>,
    signals: &dyn Signals,
) -> Result<Ply, Refused> {
    let Gathered { game, shards, .. } = *gathered;
    let mut tally = Ply::default();
    let mut chunk = Vec::new();
    for (shard, places) in pieces {
        for start in places.clone().step_by(CHUNK) {
            shards.copy(shard, start..places.end.min(start + CHUNK), &mut chunk);
            for key in &chunk {
                let state = K::state(game, key);
                if game.terminal(&state).is_some() {
                    tally.add_terminal();
                    continue;
                }
                let mut moves = 0;
                game.moves(&state, |next| {
                    moves += 1;
                    gathered.add(&next);
                });
                tally.add_open(moves);
            }
            gathered.check()?;
            if signals.done(chunk.len() as u64).is_break() {
                return Ok(tally);
            }
        }
    }
    Ok(tally)
}

/// States found by one thread, by shard.
struct Gathered<'s, G: Game, K: Keeping<G>> {
    game: &'s G,
    shards: &'s Shards<K::Key>,
    keys: Vec<Vec<K::Key>>,
    /// How many are gathered for each.
    room: usize,
    result: Result<(), Refused>,
}

impl<'s, G: Game, K: Keeping<G>> Gathered<'s, G, K> {
    fn new(game: &'s G, shards: &'s Shards<K::Key>, room: usize) -> Self {
        let keys = (0..SHARDS).map(|_| Vec::new()).collect();
        Gathered { game, shards, keys, room, result: Ok(()) }
    }

    #[inline]
    fn add(&mut self, state: &G::State) {
        let key = K::key(self.game, &self.game.canonical(state));
        let shard = self.shards.shard_of(&key);
        let keys = &mut self.keys[shard];
        keys.push(key);
        if keys.len() >= self.room {
            self.put_in_one(shard);
        }
    }

    /// Puts in what was found for a shard.
    #[cold]
    fn put_in_one(&mut self, shard: usize) {
        if self.result.is_ok() {
            self.result = self.shards.insert(shard, &mut self.keys[shard]);
        }
        self.keys[shard].clear();
    }

    /// Whether all that was put in until now was accepted.
    fn check(&mut self) -> Result<(), Refused> {
        std::mem::replace(&mut self.result, Ok(()))
    }
}
