//! Checkpoints: the saved progress of a solve, from which it resumes after an interruption.
//!
//! A solve can be resumed from four places: between two plies of a search, after the states are
//! discovered, between two levels, and after all states are settled. `snapshot` defines the saved data of each place. `saved` reads
//! the part of it that a window needs. A [`CheckpointStore`] keeps the snapshots.
//!
//! Each of several processes saves a snapshot of its window, or of the states of a search that it
//! owns. Any number of processes can resume from these snapshots, or from the snapshot of a single
//! process, but for states that are all discovered or have no code, which several processes search again. A search of
//! tiers, or of states without a code, is saved by one process alone.

pub(crate) mod saved;
pub(crate) mod snapshot;

use std::ops::Range;

use crate::error::SolveError;
use crate::explore::{SaveSearch, SearchFigures};
use crate::numbering::NumberingKind;
use crate::runtime::pool::WorkerPool;
use crate::runtime::saved_array::SavedArray;
use saved::SavedLevels;
use snapshot::{SavedStates, Snapshot};

/// Saves and loads checkpoints, each complete or not at all. If several processes solve a game, all
/// of them call `save`, `load_states`, `load_levels` and `remove` together.
pub(crate) trait CheckpointStore {
    /// Whether it is time for a checkpoint of this number of bytes.
    fn is_due(&self, bytes: u64) -> bool;

    /// Saves a snapshot and its arrays. They replace the last snapshot of the same kind.
    ///
    /// # Errors
    /// If they can't be written. The last snapshot is kept.
    fn save(
        &mut self,
        numbering: NumberingKind,
        snapshot: &Snapshot,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;

    /// Loads the states of a solve in this numbering, if any were saved.
    ///
    /// # Errors
    /// If the solve can't be resumed from the saved states, or another process is lost.
    fn load_states(
        &mut self,
        numbering: NumberingKind,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedStates>, SolveError>;

    /// Loads the saved analysis in this numbering for the indices of a window, if there is one.
    ///
    /// # Errors
    /// If the solve can't be resumed from the saved analysis, or another process is lost.
    fn load_levels(
        &mut self,
        numbering: NumberingKind,
        window: Range<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedLevels>, SolveError>;

    /// Removes the snapshots of a solve in this numbering, once it is complete.
    ///
    /// # Errors
    /// If a snapshot can't be removed, or another process is lost.
    fn remove(
        &mut self,
        numbering: NumberingKind,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;
}

/// The checkpoints of one solve, if they are saved.
pub(crate) struct Checkpointing<'k> {
    store: Option<&'k mut (dyn CheckpointStore + 'k)>,
    numbering: NumberingKind,
    /// Whether a snapshot was saved or loaded.
    has_saved: bool,
}

impl<'k> Checkpointing<'k> {
    pub(crate) fn new(
        store: Option<&'k mut (dyn CheckpointStore + 'k)>,
        numbering: NumberingKind,
    ) -> Self {
        Checkpointing { store, numbering, has_saved: false }
    }

    /// No checkpoints.
    pub(crate) fn none(numbering: NumberingKind) -> Self {
        Checkpointing::new(None, numbering)
    }

    /// Whether a snapshot was saved, or loaded and not replaced.
    pub(crate) fn has_saved(&self) -> bool {
        self.has_saved
    }

    /// Whether checkpoints are saved.
    pub(crate) fn are_kept(&self) -> bool {
        self.store.is_some()
    }

    /// Whether it is time for a checkpoint of this number of bytes. The first of several processes
    /// decides for all: see [`are_due`](Checkpointing::are_due).
    pub(crate) fn is_due(&self, bytes: u64, pool: &WorkerPool<'_>) -> bool {
        pool.is_first() && self.store.as_ref().is_some_and(|store| store.is_due(bytes))
    }

    /// Whether all processes save a checkpoint now. All of them have to call this at the same
    /// place.
    ///
    /// # Errors
    /// If another process is lost.
    pub(crate) fn are_due(
        &self,
        bytes: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let mut due = [u64::from(self.is_due(bytes, pool))];
        if self.store.is_some() {
            pool.sum(&mut due)?;
        }
        Ok(due != [0])
    }

    /// Saves a snapshot, if checkpoints are saved.
    pub(crate) fn save(
        &mut self,
        snapshot: &Snapshot,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        match &mut self.store {
            Some(store) => {
                store.save(self.numbering, snapshot, arrays, pool)?;
                self.has_saved = true;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Loads the states, if any were saved.
    pub(crate) fn load_states(
        &mut self,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedStates>, SolveError> {
        match &mut self.store {
            Some(store) => {
                let saved = store.load_states(self.numbering, pool)?;
                self.has_saved |= saved.is_some();
                Ok(saved)
            }
            None => Ok(None),
        }
    }

    /// Loads the saved analysis for the indices of a window, if there is one.
    pub(crate) fn load_levels(
        &mut self,
        window: Range<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedLevels>, SolveError> {
        match &mut self.store {
            Some(store) => store.load_levels(self.numbering, window, pool),
            None => Ok(None),
        }
    }

    /// Removes the snapshots of the solve.
    pub(crate) fn remove(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        match &mut self.store {
            Some(store) => store.remove(self.numbering, pool),
            None => Ok(()),
        }
    }
}

impl SaveSearch for Checkpointing<'_> {
    fn are_due(&self, bytes: u64, pool: &mut WorkerPool<'_>) -> Result<bool, SolveError> {
        Checkpointing::are_due(self, bytes, pool)
    }

    fn save(
        &mut self,
        figures: SearchFigures,
        arrays: &[SavedArray<'_>],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        Checkpointing::save(self, &Snapshot::Searching(Box::new(figures)), arrays, pool)
    }
}
