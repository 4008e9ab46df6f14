//! The course of a search: ply by ply, and within a ply slice by slice.

use crate::error::SolveError;
use crate::explore::course::Course;
use crate::explore::ranges::{ShardRange, take_states};
use crate::explore::saved::SaveSearch;
use crate::explore::search::Search;
use crate::explore::statistics::{Ply, Statistics};
use crate::explore::together::SENT;
use crate::game::Game;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::Tiering;
use crate::runtime::progress::Progress;

/// The ply after which a discovery checks whether a part of the states grows without end.
const MANY_PLIES: u32 = 128;

/// How many states each thread expands in the first slice of a ply, if several processes search.
const FIRST_SLICE: usize = 1 << 12;

/// How many states each thread expands before the room for recorded moves is checked, if memory is
/// limited.
const LIMITED_SLICE: usize = 1 << 14;

/// Where a search has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// There are no more states.
    AtEnd,
    /// The states are to be put in order, or to be cut anew. The search then goes on.
    ForOrder,
    /// A ply is complete, and the search may be saved. It then goes on.
    AfterPly,
}

impl<G, K, T> Search<'_, '_, '_, G, K, T>
where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    /// Searches ply by ply until no process finds new states, or the states are to be put in order.
    /// Once it is time to save the search in `store`, one process records no more moves if they name
    /// states by hash tables, and the states are to be put in order. Moves are not saved.
    pub(super) fn run(
        &mut self,
        course: &mut Course,
        store: Option<&dyn SaveSearch>,
    ) -> Result<Stopped, SolveError> {
        loop {
            if let Some(rest) = course.rest.take() {
                let plies = course.statistics.plies.len() as u32;
                let stopped = self.expand(rest, plies, course)?;
                course.expanded = self.expanded;
                if stopped {
                    return Ok(Stopped::ForOrder);
                }
            }
            if self.end_ply(course)? {
                return Ok(Stopped::AtEnd);
            }
            if let Some(store) = store
                && self.records.is_some()
                && self.sink.sets[0].can_be_ordered()
                && store.are_due(self.budget.taken(), self.limits.pool)?
            {
                self.drop_moves();
            }
            if self.sink.sets[0].is_uneven() || self.is_to_be_ordered() {
                return Ok(Stopped::ForOrder);
            }
            let Some(store) = store else { continue };
            // A search in hash tables has gathered states to lose, so it stops only if it is saved.
            if self.sink.sets[0].is_in_order()
                || !self.sink.sets[0].can_be_ordered()
                    && store.are_due(self.budget.taken(), self.limits.pool)?
            {
                return Ok(Stopped::AfterPly);
            }
        }
    }

    /// Ends a ply, or begins the first: the states that were found are the next to be expanded.
    /// Adds up the figures of the ply. Returns whether there are no new states.
    fn end_ply(&mut self, course: &mut Course) -> Result<bool, SolveError> {
        let plies = course.statistics.plies.len() as u32;
        for set in 0..self.sink.sets.len() {
            self.settle(set, set == 0, plies)?;
        }
        let is_first = course.is_first;
        course.is_first = false;
        let ply = (!is_first).then(|| std::mem::take(&mut course.ply));
        let ([known, found], rest) = self.sink.sets[0].begin_ply(&mut course.known);
        let is_last = self.finish_ply([known, found], ply, &mut course.statistics)?;
        (course.expanded, course.elsewhere) = (self.expanded, self.elsewhere);
        if is_last {
            let event = course.statistics.over_at_roots().filter(|_| !self.is_of_tier);
            event.map_or(Ok(()), |event| self.limits.pool.report(event))?;
            return Ok(true);
        }
        let plies = course.statistics.plies.len() as u32;
        if plies == MANY_PLIES + 1 && self.limits.finds_growth(self.sink.game) {
            self.limits.pool.report(Progress::Growing { ply: MANY_PLIES })?;
        }
        course.rest = Some(rest);
        Ok(false)
    }

    /// Puts the gathered states of a set in order. If `ends`, those of this ply become the next to
    /// be expanded.
    fn settle(&mut self, set: usize, ends: bool, plies: u32) -> Result<(), SolveError> {
        let (sets, budget, expanded) = (self.sink.sets, self.budget, self.expanded);
        let elsewhere = self.elsewhere;
        let event = |_| budget.exploring(expanded, elsewhere);
        let settled = sets[set].settle(ends, event, self.limits.pool)?;
        self.take(settled, plies)?;
        Ok(())
    }

    /// Adds up the figures of a ply, or of the roots if `ply` is `None`. `known` states have been
    /// expanded, in this ply and before, and `found` states exist now. Returns whether there are no
    /// new states.
    fn finish_ply(
        &mut self,
        [known, found]: [u64; 2],
        ply: Option<Ply>,
        statistics: &mut Statistics,
    ) -> Result<bool, SolveError> {
        let Ply { states, terminal, moves, fewest, most } = ply.unwrap_or_default();
        let too_many = u64::from(self.too_many);
        // The states of all sets, and of earlier searches.
        let own = self.budget.states();
        let lacks_moves = u64::from(self.records.is_none());
        let figures =
            [known, found, own, too_many, lacks_moves, states, terminal, moves, fewest, most];
        let mut all = [0; 5];
        let mut of_all = Ply::default();
        let of_processes = match self.is_shared {
            true => self.limits.pool.gather_figures(&figures)?,
            false => vec![figures.to_vec()],
        };
        for figures in of_processes {
            all.iter_mut().zip(&figures).for_each(|(sum, more)| *sum += more);
            if let [states, terminal, moves, fewest, most] = figures[5..] {
                of_all = of_all.and(Ply { states, terminal, moves, fewest, most });
            }
        }
        let [known, found, discovered, too_many, lack_moves] = all;
        if lack_moves > 0 {
            self.drop_moves();
        }
        let expanded = self.before + known;
        let plies = statistics.plies.len() as u32;
        if let Some(limit) = self.limits.most_states
            && (too_many > 0 || discovered > limit)
        {
            // No process leaves before all know, so that all report the same error.
            let _ = self.limits.pool.sum(&mut []);
            let error = SolveError::TooManyToExplore { limit, ply: self.ply(plies), expanded };
            return Err(self.limits.with_growth(self.sink.game, error));
        }
        if u32::try_from(found).is_err() {
            if K::RAW.is_none() {
                // Each process has fewer states, but a reader of the table needs all of them.
                let _ = self.limits.pool.sum(&mut []);
                return Err(SolveError::TooManyStates);
            }
            // Recorded moves have numbers of 32 bits.
            self.drop_moves();
        }
        self.elsewhere = discovered - own;
        self.expanded = expanded;
        if ply.is_some() {
            self.budget.note_ply([of_all.states, found - known, found], [own, discovered]);
            statistics.plies.push(of_all);
            self.limits.pool.report(of_all.report(plies))?;
        }
        Ok(found == known)
    }

    /// Whether the states are to be put in order, since no recorded moves name their places.
    fn is_to_be_ordered(&self) -> bool {
        self.records.is_none() && self.sink.sets[0].can_be_ordered()
    }

    /// Expands the states of a ply, slice by slice, and takes in the states that other processes
    /// send. Returns whether the states are to be put in order before the rest is expanded.
    fn expand(
        &mut self,
        mut rest: Vec<ShardRange>,
        plies: u32,
        course: &mut Course,
    ) -> Result<bool, SolveError> {
        let threads = self.limits.pool.threads();
        // One process expands a whole ply in one step, unless it also has to watch the memory.
        let mut slice = match (self.is_shared, self.limits.memory) {
            (true, _) => FIRST_SLICE * threads,
            (false, Some(_)) if self.records.is_some() || self.sink.sets[0].can_be_ordered() => {
                LIMITED_SLICE * threads
            }
            (false, _) => usize::MAX,
        };
        while !self.too_many {
            let now = take_states(&mut rest, slice);
            let states: usize = now.iter().map(|(_, places)| places.len()).sum();
            if states == 0 {
                break;
            }
            let part = self.look_at(now)?;
            course.ply = course.ply.and(self.take(part, plies)?.unwrap_or_default());
            self.drop_useless_moves();
            if self.is_to_be_ordered() {
                self.insert(plies)?;
                course.rest = Some(rest);
                return Ok(true);
            }
            let sent = self.raw().map_or(0, |raw| self.send(&raw));
            if let Some(raw) = self.raw() {
                // States of one ply have about the same number of moves as the states before.
                slice = (states * SENT * threads / sent.max(1)).clamp(slice / 2, slice * 2);
                slice = slice.clamp(threads, SENT * threads);
                let arrived = self.limits.pool.end_slice()?;
                self.take_in(arrived, &raw, plies)?;
            }
        }
        if let Some(raw) = self.raw() {
            self.limits.pool.end_phase();
            while let Some(arrived) = self.limits.pool.next_arrived()? {
                self.take_in(arrived, &raw, plies)?;
            }
        }
        self.insert(plies)?;
        Ok(false)
    }
}
