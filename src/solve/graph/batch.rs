//! The successors of many states, which are looked up together.
//!
//! Among discovered states, a single lookup waits for memory several times. A batch has the memory
//! of many lookups on its way at once.

use std::ops::Range;

use crate::error::{BrokenLaw, SolveError};
use crate::game::{Game, Turns};
use crate::numbering::Numbering;
use crate::numbering::discovered::NOWHERE;
use crate::solve::graph::links::{Link, Links, keep_distinct, successors};

/// From this number of successors on, a batch is looked up.
const FULL: usize = 1 << 10;

/// Some states, each with data of type `T`, and their successors.
pub(crate) struct Batch<N: Numbering, T> {
    keys: Vec<N::Key>,
    /// Whether the same player is to move after each move.
    same_mover: Vec<bool>,
    /// The index of each successor, once they are looked up.
    found: Vec<u64>,
    sources: Vec<Source<T>>,
}

struct Source<T> {
    index: u64,
    data: T,
    /// The end of its successors among all.
    end: usize,
}

impl<N: Numbering, T: Copy> Batch<N, T> {
    pub(crate) fn new() -> Batch<N, T> {
        let (keys, same_mover) = (Vec::with_capacity(FULL), Vec::with_capacity(FULL));
        Batch { keys, same_mover, found: Vec::with_capacity(FULL), sources: Vec::new() }
    }

    /// Whether it is time to look the successors up.
    pub(crate) fn is_full(&self) -> bool {
        self.keys.len() >= FULL
    }

    /// Adds the successors of a state that is not terminal.
    #[inline]
    pub(crate) fn add(
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
            Some(key) => {
                self.keys.push(key);
                self.same_mover.push(game.is_mover_of(mover, &next));
            }
            None => is_broken |= !N::HAS_EXITS,
        });
        self.sources.push(Source { index, data, end: self.keys.len() });
        if is_broken { Err(broken(numbering, index)) } else { Ok(()) }
    }

    /// Looks the successors up.
    pub(crate) fn find(&mut self, numbering: &N) {
        self.found.resize(self.keys.len(), NOWHERE);
        numbering.find_all(&self.keys, &mut self.found);
    }

    /// The indices of all successors that were looked up; [`NOWHERE`] for those without one.
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

    fn moves_of(&self, at: usize) -> Range<usize> {
        let start = at.checked_sub(1).map_or(0, |before| self.sources[before].end);
        start..self.sources[at].end
    }

    /// The successors of a state within the numbering, one for each move.
    ///
    /// # Errors
    /// If one has no index, which only a faulty game causes.
    #[inline]
    pub(crate) fn links(
        &self,
        numbering: &N,
        at: usize,
    ) -> Result<impl Iterator<Item = Link>, SolveError> {
        let (moves, len) = (self.moves_of(at), numbering.len());
        let found = &self.found[moves.clone()];
        let is_wrong = |index: u64| index >= len && !(N::HAS_EXITS && index == NOWHERE);
        if found.iter().any(|&index| is_wrong(index)) {
            return Err(broken(numbering, self.sources[at].index));
        }
        let links = found.iter().zip(&self.same_mover[moves]);
        let links = links.map(|(&index, &same_mover)| Link { index, same_mover });
        Ok(links.filter(|link| !N::HAS_EXITS || link.index != NOWHERE))
    }

    /// Puts the distinct successors of a state within the numbering into `links`.
    ///
    /// # Errors
    /// As [`links`](Batch::links).
    #[inline]
    pub(crate) fn distinct(
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
