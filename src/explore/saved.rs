//! A search between two plies, as it is saved, and goes on from there.

use serde::{Deserialize, Serialize};

use crate::error::SolveError;
use crate::explore::statistics::Statistics;
use crate::runtime::pool::WorkerPool;

/// The figures of a search between two plies. Its states are in runs of keys, which follow.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SearchFigures {
    /// The plies that are complete.
    pub(crate) statistics: Statistics,
    /// The bounds between the buckets of keys, as numbers.
    pub(crate) bounds: Vec<u128>,
    /// The runs of each bucket: how many keys and words they have. The last run of a bucket has the
    /// keys that are expanded next.
    pub(crate) runs: Vec<Vec<[u64; 2]>>,
}

/// A saved search: the plies that are complete, and the states, of which the last run of each bucket
/// is expanded next.
pub(crate) struct SavedSearch<O> {
    pub(crate) statistics: Statistics,
    pub(crate) keys: O,
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
