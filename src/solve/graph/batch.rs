//! The neighbours of many states, which are looked up together.
//!
//! Among discovered states, a single lookup waits for memory several times. A batch has the memory
//! of many lookups on its way at once.

use std::ops::Range;

use crate::error::{BrokenLaw, SolveError};
use crate::game::{Game, Turns};
use crate::numbering::Numbering;
use crate::numbering::discovered::NOWHERE;
use crate::solve::graph::links::{Link, Links, keep_distinct, successors};

/// From this number of neighbours on, a batch is looked up.
const FULL: usize = 1 << 10;

/// Some states, each with data of type `T`, and their successors, or their predecessors, by keys of
/// type `K`.
pub(crate) struct Batch<K, T> {
    keys: Vec<K>,
    /// Whether the same player is to move in the state and in each neighbour.
    same_mover: Vec<bool>,
    /// The index of each neighbour, once they are looked up.
    found: Vec<u64>,
    sources: Vec<Source<T>>,
}

struct Source<T> {
    index: u64,
    data: T,
    /// The end of its neighbours among all.
    end: usize,
}

impl<K, T: Copy> Batch<K, T> {
    pub(crate) fn new() -> Batch<K, T> {
        let (keys, same_mover) = (Vec::new(), Vec::new());
        Batch { keys, same_mover, found: Vec::new(), sources: Vec::new() }
    }

    /// Whether it is time to look the neighbours up.
    pub(crate) fn is_full(&self) -> bool {
        self.keys.len() >= FULL
    }

    /// Adds the successors of a state that is not terminal.
    #[inline]
    pub(crate) fn add<N: Numbering<Key = K>>(
        &mut self,
        numbering: &N,
        index: u64,
        state: &<N::Game as Game>::State,
        data: T,
    ) -> Result<(), SolveError> {
        let (game, context) = (numbering.game(), numbering.context());
        let mover = game.mover(state);
        let mut is_broken = false;
        game.moves(state, |next| match N::key_of(context, &next) {
            Some(key) => self.push(key, game.is_mover_of(mover, &next)),
            None => is_broken |= !N::HAS_EXITS,
        });
        self.end(index, data);
        if is_broken { Err(broken(numbering, index)) } else { Ok(()) }
    }

    /// Adds a neighbour of the state that [`end`](Batch::end) names next.
    #[inline]
    pub(crate) fn push(&mut self, key: K, same_mover: bool) {
        self.keys.push(key);
        self.same_mover.push(same_mover);
    }

    /// Adds the state whose neighbours were added.
    #[inline]
    pub(crate) fn end(&mut self, index: u64, data: T) {
        self.sources.push(Source { index, data, end: self.keys.len() });
    }

    /// Looks the neighbours up.
    pub(crate) fn find<N: Numbering<Key = K>>(&mut self, numbering: &N) {
        self.find_by(|keys, found| numbering.find_all(keys, found));
    }

    /// Looks the neighbours up by `find_all`.
    pub(crate) fn find_by(&mut self, find_all: impl FnOnce(&[K], &mut [u64])) {
        self.found.resize(self.keys.len(), NOWHERE);
        find_all(&self.keys, &mut self.found);
    }

    /// The indices of all neighbours that were looked up; [`NOWHERE`] for those without one.
    pub(crate) fn found(&self) -> &[u64] {
        &self.found
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.sources.len()
    }

    /// The index and the data of a state.
    pub(crate) fn source(&self, at: usize) -> (u64, T) {
        (self.sources[at].index, self.sources[at].data)
    }

    fn range_of(&self, at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| self.sources[before].end);
        start..self.sources[at].end
    }

    /// The successors of a state within the numbering, one for each move.
    ///
    /// # Errors
    /// If one has no index, which only a faulty game causes.
    #[inline]
    pub(crate) fn links<N: Numbering<Key = K>>(
        &self,
        numbering: &N,
        at: usize,
    ) -> Result<impl Iterator<Item = Link>, SolveError> {
        let len = numbering.len();
        let is_wrong = |index: u64| index >= len && !(N::HAS_EXITS && index == NOWHERE);
        if self.found[self.range_of(at)].iter().any(|&index| is_wrong(index)) {
            return Err(broken(numbering, self.sources[at].index));
        }
        Ok(self.known(at).filter(|link| !N::HAS_EXITS || link.index != NOWHERE))
    }

    /// The neighbours of a state, [`NOWHERE`] for those without an index.
    #[inline]
    fn known(&self, at: usize) -> impl Iterator<Item = Link> {
        let range = self.range_of(at);
        let links = self.found[range.clone()].iter().zip(&self.same_mover[range]);
        links.map(|(&index, &same_mover)| Link { index, same_mover })
    }

    /// Puts the neighbours of a state that have an index into `links`, each once. They are distinct
    /// already if `are_distinct`.
    #[inline]
    pub(crate) fn reached(&self, at: usize, are_distinct: bool, links: &mut Links) {
        links.clear();
        links.extend(self.known(at).filter(|link| link.index != NOWHERE));
        if !are_distinct {
            keep_distinct(links);
        }
    }

    /// Puts the distinct successors of a state within the numbering into `links`.
    ///
    /// # Errors
    /// As [`links`](Batch::links).
    #[inline]
    pub(crate) fn distinct<N: Numbering<Key = K>>(
        &self,
        numbering: &N,
        at: usize,
        links: &mut Links,
    ) -> Result<(), SolveError> {
        links.clear();
        links.extend(self.links(numbering, at)?);
        if !N::DISTINCT {
            keep_distinct(links);
        }
        Ok(())
    }

    /// Removes all states.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.same_mover.clear();
        self.found.clear();
        self.sources.clear();
    }
}

/// The error for the state of an index, one of whose successors has none.
#[cold]
fn broken<N: Numbering>(numbering: &N, index: u64) -> SolveError {
    let state = numbering.state(index);
    // Names the successor.
    let named = state.as_ref().map(|state| successors(numbering, state, &mut Links::new()));
    match (named, state) {
        (Some(Err(error)), _) => error,
        (_, state) => {
            let state = state.map_or_else(String::new, |state| numbering.write(&state));
            BrokenLaw::index_beyond(state, NOWHERE, numbering.len()).into()
        }
    }
}
