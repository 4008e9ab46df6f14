//! A search between two plies, as it is saved, and goes on from there.

use std::hash::Hash;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::SolveError;
use crate::explore::budget::{Budget, Refused};
use crate::explore::course::Course;
use crate::explore::states::{SetFigures, States};
use crate::explore::statistics::Statistics;
use crate::numbering::discovered::{KeyList, OrderedKeys, RawKeys};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Resumed;

/// The figures of a search between two plies. Its states are in runs of keys, which follow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SearchFigures {
    /// The tier that is searched, or 0 if there are none. The tiers after it in solving order are
    /// complete.
    pub(crate) tier: u64,
    /// The states of these tiers, and their moves.
    pub(crate) before: [u64; 2],
    /// The plies that are complete in the tier that is searched.
    pub(crate) statistics: Statistics,
    /// The states that are found in each tier; `None` if there are none, or the tier is complete.
    pub(crate) sets: Vec<Option<SetFigures>>,
}

/// A saved search: its figures, and the states of each tier.
pub(crate) struct SavedSearch<O> {
    pub(crate) tier: usize,
    pub(crate) before: [u64; 2],
    pub(crate) statistics: Statistics,
    /// The tier that is searched has a set.
    pub(crate) sets: Vec<Option<O>>,
}

/// Saves a search.
pub(crate) trait SaveSearch {
    /// Whether it is time to save a search of this number of bytes.
    fn is_due(&self, bytes: u64, pool: &WorkerPool<'_>) -> bool;

    /// Saves the figures and the arrays of all runs.
    ///
    /// # Errors
    /// If they can't be written.
    fn save(
        &mut self,
        figures: SearchFigures,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;
}

/// Where a search is saved, and the saved one from which it goes on.
pub(crate) struct Saving<'s, O> {
    pub(crate) store: &'s mut dyn SaveSearch,
    pub(crate) saved: Option<SavedSearch<O>>,
}

impl<O> Saving<'_, O> {
    /// Saves the states of each tier between two plies, if that is due.
    pub(super) fn save<K, L>(
        &mut self,
        raw: &RawKeys<K>,
        course: &Course,
        mut sets: Vec<Option<&mut States<K, L, O>>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Result<(), Refused>, SolveError>
    where
        K: Hash + Eq + Clone + Send + Sync,
        L: KeyList<K>,
        O: OrderedKeys<K>,
    {
        let bytes = sets.iter().flatten().map(|set| set.bytes()).sum();
        if !self.store.is_due(bytes, pool) {
            return Ok(Ok(()));
        }
        for set in sets.iter_mut().flatten() {
            if let Err(refused) = set.make_ready_to_save(course, pool)? {
                return Ok(Err(refused));
            }
        }
        let mut arrays = Vec::new();
        let sets = sets.into_iter().map(|set| set.and_then(|set| set.saved(raw, &mut arrays)));
        let figures = SearchFigures {
            tier: course.tier as u64,
            before: [course.before, course.moves],
            statistics: course.statistics.clone(),
            sets: sets.collect(),
        };
        self.store.save(figures, &arrays, pool).map(Ok)
    }
}

/// The states that are found in each tier.
type TierSets<K, L, O> = Vec<Option<States<K, L, O>>>;

impl<O> SavedSearch<O> {
    /// The report that the search goes on.
    pub(crate) fn resumed<K>(&self) -> Resumed
    where
        O: OrderedKeys<K>,
    {
        let [complete, _] = self.before;
        let states = complete + self.sets.iter().flatten().map(O::len).sum::<u64>();
        Resumed::Searching { plies: self.statistics.plies.len() as u32, states }
    }

    /// The states of each tier, and how far the search of its tier is.
    pub(super) fn go_on<K, L>(
        self,
        budget: &Arc<Budget>,
    ) -> Result<(TierSets<K, L, O>, Course), Refused>
    where
        K: Hash + Eq + Clone + Send + Sync,
        L: KeyList<K>,
        O: OrderedKeys<K>,
    {
        let SavedSearch { tier, before: [before, moves], statistics, sets } = self;
        budget.add_states(before)?;
        let mut states = Vec::with_capacity(sets.len());
        for set in sets {
            states.push(set.map(|keys| States::of_saved(keys, budget)).transpose()?);
        }
        let mut course = Course { statistics, is_first: false, ..Course::new(tier, before, moves) };
        if let Some(Some(searched)) = states.get(tier) {
            let ([known, _], rest) = searched.begin_ply(&mut course.known);
            (course.rest, course.expanded) = (Some(rest), before + known);
        }
        Ok((states, course))
    }
}
