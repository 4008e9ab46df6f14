//! Discovers the reachable states: a breadth-first search, ply by ply.
//!
//! The threads divide the states of the last ply among them, and gather the successors. [`states`]
//! holds the states discovered so far: in hash tables while one process records moves, and otherwise in
//! ascending order. The ply at which a state is found does not depend on the number of threads. The
//! order within a ply of hash tables does, but sorting the states removes it. Sorting also brings
//! similar states together.

mod budget;
mod course;
mod dense;
mod expand;
mod explorer;
mod gathered;
mod growth;
mod hash_index;
mod moves;
mod pays;
mod plies;
mod ranges;
mod saved;
mod search;
mod shards;
mod shared_moves;
mod states;
mod statistics;
mod tiers;
mod together;

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::discovered::{Encoding, FoundKeys, KeyLookup as _};
use crate::numbering::indexing::Untiered;
use crate::runtime::peers::SEVERAL;
use course::Course;
use moves::Log;
use pays::recording_pays;
use plies::Stopped;
use search::Search;
use states::{States, StatesOf};
pub use statistics::{Ply, Statistics};

pub(crate) use dense::statistics_of_numbering;
pub(crate) use explorer::{DiscoveredStates, Explorer, Listing};
pub(crate) use moves::{IndexedMoves, KeyedMoves, Movers, Places, RecordedMoves, Said};
pub(crate) use saved::{SaveSearch, SavedSearch, Saving, SearchFigures};
pub(crate) use states::{SavedSet, SetFigures};
pub(crate) use tiers::discover_parts;

impl<G: Game> Explorer<'_, '_, G> {
    /// Discovers every state that can be reached from the roots of `game`. Several processes share
    /// packed states: each gets the states of its window. A search is saved after a ply, if that is
    /// due.
    ///
    /// # Errors
    /// If the game has no roots, a limit is reached, the states do not fit into memory or into
    /// indices of 32 bits, the order of the states contradicts their equality, or progress
    /// interrupts.
    pub(crate) fn discover<K: Encoding<G>>(
        &mut self,
        game: &G,
        saving: Option<Saving<'_, K::Key, K::Ordered>>,
    ) -> Result<DiscoveredStates<K::Key>, SolveError> {
        let searched = self.search_all::<K>(game, saving)?;
        self.found::<K>(game, searched.states, searched.log, vec![0])
    }

    /// All states in ascending order: those of this process's window, if several share them. Adds the
    /// moves of a log, which lead to these tiers.
    fn found<K: Encoding<G>>(
        &mut self,
        game: &G,
        states: StatesOf<G, K>,
        log: Option<Log>,
        tiers: Vec<usize>,
    ) -> Result<DiscoveredStates<K::Key>, SolveError> {
        let (log, keyed) = match log {
            Some(Log::Numbered(log)) => (Some(log), None),
            Some(Log::Keyed(log)) => (None, Some(log)),
            None => (None, None),
        };
        let shards = match states {
            States::Hashed(shards) => shards,
            States::Ordered(states) => {
                if SEVERAL && let Some(raw) = K::RAW.filter(|_| self.shares_states::<K>()) {
                    let keys = states.into_list(self.pool.threads())?;
                    let log = self.agree(keyed, keys.len() as u64, size_of::<K::Key>())?;
                    let (keys, window) = self.share_out(keys, &raw, K::sort)?;
                    let lookup = K::lookup(FoundKeys::Listed(keys))?;
                    let moves = self.share_moves::<K>(log, &raw, &lookup, &window, tiers)?;
                    let moves = moves.map(RecordedMoves::Keyed);
                    let (keys, window) = (lookup.into_keys(), Some(window));
                    return Ok(DiscoveredStates { keys, window, moves });
                }
                let keys = match self.listing.is_some_and(|listing| listing.pays(states.len())) {
                    true => FoundKeys::Listed(states.into_list(self.pool.threads())?),
                    false => FoundKeys::Coded(states.into_keys()?),
                };
                return Ok(DiscoveredStates { keys, window: None, moves: None });
            }
        };
        let log = log.filter(|log| self.has_room_for::<K>(&shards, log));
        let (keys, places) = self.sorted::<K>(game, shards, log.is_some())?;
        let moves = match log.zip(places) {
            Some((log, places)) => IndexedMoves::new(log, places, tiers, self.pool)?,
            None => None,
        };
        let keys = FoundKeys::Listed(keys);
        Ok(DiscoveredStates { keys, window: None, moves: moves.map(RecordedMoves::Indexed) })
    }

    /// Counts the states that [`discover`](Explorer::discover) would discover.
    ///
    /// # Errors
    /// See [`discover`](Explorer::discover).
    pub(crate) fn statistics<K: Encoding<G>>(
        &mut self,
        game: &G,
    ) -> Result<Statistics, SolveError> {
        self.records = false;
        Ok(self.search_all::<K>(game, None)?.statistics)
    }

    /// Whether other processes own some of the states, which are then packed.
    fn shares_states<K: Encoding<G>>(&self) -> bool {
        self.owners::<K>().is_some()
    }

    fn search_all<K: Encoding<G>>(
        &mut self,
        game: &G,
        mut saving: Option<Saving<'_, K::Key, K::Ordered>>,
    ) -> Result<Searched<G, K>, SolveError> {
        let gathering = self.gathering();
        let budget = self.budget::<K>(gathering);
        let is_shared = self.shares_states::<K>();
        let mut records = self.records && recording_pays::<G, Untiered, K>(game, is_shared);
        let saved = saving.as_mut().and_then(|saving| saving.saved.take());
        records &= saved.is_none();
        let expanded = saved.as_ref().map_or(0, SavedSearch::expanded);
        let (states, mut course) = match saved.map(|saved| saved.go_on(&budget)).transpose()? {
            Some(Ok((mut sets, course))) => (sets.pop().flatten(), course),
            None => (None, Course::new(0, 0, 0)),
            Some(Err(refused)) => return Err(self.refusal(game, refused, &budget, expanded, None)),
        };
        let mut states = states
            .unwrap_or_else(|| StatesOf::<G, K>::new(self.orders(records, is_shared), &budget));
        if states.is_uneven() {
            states.put_in_order(Some(&mut course), self.pool)?;
        }
        let mut writers = Vec::new();
        loop {
            let sets = [&states];
            let search = Search::<G, K, Untiered>::new(game, &sets, &[], &budget, gathering, self);
            let search = search.going_on(&course).recording(records, &budget);
            let mut search = search.writing_on(writers);
            if course.is_first {
                search.begin(game.roots().into_iter().map(Ok))?;
            }
            let store = saving.as_ref().map(|saving| &*saving.store);
            let stopped = search.run(&mut course, store)?;
            let written = search.into_writers();
            records = written.is_some();
            if stopped == Stopped::AtEnd {
                let log = written.and_then(Log::new);
                return Ok(Searched { states, statistics: course.statistics, log });
            }
            writers = written.unwrap_or_default();
            if stopped == Stopped::ForOrder {
                states.put_in_order(Some(&mut course), self.pool)?;
            }
            if let Some(saving) = &mut saving
                && course.is_between_plies()
            {
                let saved =
                    saving.save(K::RAW.as_ref(), &course, vec![Some(&mut states)], self.pool)?;
                saved.map_err(|refused| {
                    self.refusal(game, refused, &budget, course.expanded, None)
                })?;
            }
        }
    }

    /// Whether states are kept in ascending order from the start. The recorded moves of one process
    /// name them by their hash tables.
    fn orders(&self, records: bool, is_shared: bool) -> bool {
        !records || is_shared
    }
}

/// The result of a search of all states.
struct Searched<G: Game, K: Encoding<G>> {
    states: StatesOf<G, K>,
    statistics: Statistics,
    /// The moves, if they were recorded.
    log: Option<Log>,
}
