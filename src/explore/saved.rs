//! A search between two plies, as it is saved, and goes on from there.

use std::hash::Hash;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::explore::budget::{Budget, Refused};
use crate::explore::course::Course;
use crate::explore::states::{SavedSet, SetFigures, States};
use crate::explore::statistics::Statistics;
use crate::numbering::discovered::{KeyFiles, KeyList, OrderedKeys, RawKeys};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{Progress, Resumed};
use crate::runtime::saved_array::SavedArray;

/// The figures of a search between two plies. Its states follow.
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
pub(crate) struct SavedSearch<K, O> {
    /// The path for errors.
    pub(crate) path: String,
    pub(crate) tier: usize,
    pub(crate) before: [u64; 2],
    pub(crate) statistics: Statistics,
    /// The tier that is searched has a set.
    pub(crate) sets: Vec<Option<SavedSet<K, O>>>,
    /// The number of states that other processes have.
    pub(crate) elsewhere: u64,
}

/// Saves a search.
pub(crate) trait SaveSearch {
    /// Whether it is time to save a search of this number of bytes. All of several processes ask this
    /// at the same place.
    ///
    /// # Errors
    /// If another process is lost.
    fn are_due(&self, bytes: u64, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError>;

    /// Saves the figures and the arrays of all states.
    ///
    /// # Errors
    /// If they can't be written.
    fn save(
        &mut self,
        figures: SearchFigures,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;
}

/// Where a search is saved, and the saved one from which it goes on.
pub(crate) struct Saving<'s, K, O> {
    pub(crate) store: &'s mut dyn SaveSearch,
    pub(crate) saved: Option<SavedSearch<K, O>>,
}

impl<K, O> Saving<'_, K, O> {
    /// Saves the states of each tier between two plies, if that is due.
    pub(super) fn save<L>(
        &mut self,
        raw: Option<&RawKeys<K>>,
        course: &Course,
        mut sets: Vec<Option<&mut States<K, L, O>>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Result<(), Refused>, SolveError>
    where
        K: Hash + Eq + Clone + Send + Sync + Serialize,
        L: KeyList<K>,
        O: OrderedKeys<K>,
    {
        let bytes = sets.iter().flatten().map(|set| set.bytes()).sum();
        if !self.store.are_due(bytes, pool)? {
            return Ok(Ok(()));
        }
        for set in sets.iter_mut().flatten() {
            if let Err(refused) = set.make_ready_to_save(course, pool)? {
                return Ok(Err(refused));
            }
        }
        let mut arrays = Vec::new();
        let sets = sets.into_iter().enumerate().map(|(tier, set)| {
            let course = (tier == course.tier).then_some(course);
            set.and_then(|set| set.saved(raw, course, &mut arrays))
        });
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

/// These states, and how far the search is.
type Resumption<K, L, O> = (TierSets<K, L, O>, Course);

impl<K, O> SavedSearch<K, O> {
    /// The search of which processes saved these parts, with the states that `is_own` accepts, in
    /// scratch files if there are some and memory is short. `None` if the parts do not fit together.
    ///
    /// # Errors
    /// If a part can't be read, or there is no memory for the states.
    pub(crate) fn of_parts(
        path: &str,
        parts: impl Iterator<Item = Result<SavedSearch<K, O>, SolveError>>,
        is_own: &dyn Fn(&K) -> bool,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<Option<SavedSearch<K, O>>, SolveError>
    where
        O: OrderedKeys<K>,
    {
        let (mut place, mut kept) = (None, Vec::new());
        for part in parts {
            let SavedSearch { tier, before, statistics, sets, .. } = part?;
            kept.resize_with(sets.len(), Vec::new);
            for (of_tier, set) in kept.iter_mut().zip(sets) {
                match set {
                    None => {}
                    Some(SavedSet::Ordered(keys)) => of_tier.push(keys.kept(is_own, files)?),
                    // Only one process saves hash tables.
                    Some(SavedSet::Hashed(_)) => return Ok(None),
                }
            }
            let of_part = (tier, before, statistics);
            if *place.get_or_insert_with(|| of_part.clone()) != of_part {
                return Ok(None);
            }
        }
        let Some((tier, before, statistics)) = place else { return Ok(None) };
        let mut sets = Vec::with_capacity(kept.len());
        for of_tier in kept {
            if of_tier.is_empty() {
                sets.push(None);
            } else if let Some(keys) = O::joined(of_tier, files)? {
                sets.push(Some(SavedSet::Ordered(keys)));
            } else {
                return Ok(None);
            }
        }
        let path = path.into();
        Ok(Some(SavedSearch { path, tier, before, statistics, sets, elsewhere: 0 }))
    }

    /// Whether a search with these figures is at the same place.
    pub(crate) fn is_at(&self, figures: &SearchFigures) -> bool {
        let SearchFigures { tier, before, statistics, sets: _ } = figures;
        (self.tier as u64, &self.before, &self.statistics) == (*tier, before, statistics)
    }

    /// Whether all processes together have the states that were expanded in the tier.
    ///
    /// # Errors
    /// If another process is lost.
    pub(crate) fn is_whole(&self, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError>
    where
        O: OrderedKeys<K>,
    {
        let mut expanded = [0];
        if let Some(Some(set)) = self.sets.get(self.tier) {
            [expanded[0], _] = set.lens();
        }
        pool.sum(&mut expanded)?;
        Ok(expanded == [self.statistics.total().states])
    }

    /// The number of states that were expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.before[0] + self.statistics.total().states
    }

    /// Reports that the search goes on. Returns the number of states that all processes have.
    ///
    /// # Errors
    /// If progress interrupts, or another process is lost.
    pub(crate) fn report(&mut self, pool: &mut WorkerPool<'_>) -> Result<u64, SolveError>
    where
        O: OrderedKeys<K>,
    {
        let own = self.sets.iter().flatten().map(|set| set.lens()[1]).sum::<u64>();
        let mut found = [own];
        pool.sum(&mut found)?;
        self.elsewhere = found[0] - own;
        let (states, plies) = (self.before[0] + found[0], self.statistics.plies.len() as u32);
        let tier = (self.sets.len() > 1).then_some(self.tier);
        pool.report(Progress::Resumed(Resumed::Searching { tier, plies, states }))?;
        Ok(states)
    }

    /// The states of each tier, and how far the search of its tier is.
    ///
    /// # Errors
    /// If a state is there twice.
    pub(super) fn go_on<L>(
        self,
        budget: &Arc<Budget>,
    ) -> Result<Result<Resumption<K, L, O>, Refused>, SolveError>
    where
        K: Hash + Eq + Clone + Send + Sync,
        L: KeyList<K>,
        O: OrderedKeys<K>,
    {
        let expanded = self.expanded();
        let SavedSearch { path, tier, before, statistics, sets, elsewhere } = self;
        let [before, moves] = before;
        let course = Course::new(tier, before, moves);
        let mut course = Course { statistics, is_first: false, expanded, elsewhere, ..course };
        let mut states = Vec::with_capacity(sets.len());
        let mut result = budget.add_states(before);
        for (at, set) in sets.into_iter().enumerate() {
            let Some(set) = set.filter(|_| result.is_ok()) else {
                states.push(None);
                continue;
            };
            let (of_course, len) = ((at == tier).then_some(&mut course), set.lens()[1]);
            match States::of_saved(set, of_course, budget) {
                Ok(set) if set.len() == len => states.push(Some(set)),
                Ok(_) => {
                    let problem = "has a state twice".into();
                    return Err(CheckpointError::Damaged { path, problem }.into());
                }
                Err(refused) => result = Err(refused),
            }
        }
        if let Err(refused) = result {
            return Ok(Err(refused));
        }
        if let Some(Some(searched)) = states.get(tier) {
            course.rest = Some(searched.begin_ply(&mut course.known).1);
        }
        Ok(Ok((states, course)))
    }
}
