//! The check of a table whose values fit into memory.

use crate::error::TableError;
use crate::game::summary::Counts;
use crate::numbering::Numbering;
use crate::runtime::pool::WorkerPool;
use crate::table::loaded::{Code, CodedValues, LoadedValues};
use crate::table::storage::Storage;
use crate::verify::chunk::{Chunk, TASK_LEN, ranges};
use crate::verify::group::{Passes, SuccessorValues};
use crate::verify::rank::Rank;
use crate::verify::stored::{CodeTables, StoredValues};
use crate::verify::successors::Ranks;
use crate::verify::table_check::{TableCheck, Wrong};

/// The bytes of values from which on successors are listed before they are looked up. Most of fewer
/// bytes are in the processor's caches, where a list takes more time than it saves.
const LISTED_FROM: usize = 32 << 20;

impl<N: Numbering + Sync, S: Storage> TableCheck<'_, N, S> {
    /// Checks all values, which fit into memory, and counts them.
    pub(crate) fn in_memory(&self, pool: &mut WorkerPool<'_>) -> Result<Counts, TableError> {
        match &self.state_check.table.load_values(pool.on_progress())? {
            LoadedValues::Bytes(values) => self.loaded(values, pool),
            LoadedValues::Words(values) => self.loaded(values, pool),
        }
    }

    /// Checks all values, which are in memory, and counts them.
    fn loaded<C: Code>(
        &self,
        values: &CodedValues<C>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.numbering.len();
        let preferences = self.state_check.preferences;
        let tables = &CodeTables::new(&values.palette, values.scale, preferences);
        let ranks = Ranks::new(tables, preferences, self.numbering, u64::MAX);
        let stored = StoredValues { first: 0, codes: &values.codes, tables };
        let chunk = Chunk { done: 0, of: len, states: len, task_len: TASK_LEN };
        let (source, lists) = (stored.codes, size_of_val(stored.codes) >= LISTED_FROM);
        let values = SuccessorValues { ranks: &ranks, source, with_exits: true, lists };
        let counts = chunk.check(pool, ranges(0..len, TASK_LEN), &|indices, _| {
            self.check_states(indices, stored, values, &OnePass)
        });
        counts.map_err(|Wrong { error, .. }| error)
    }
}

/// One pass that checks all states.
struct OnePass;

impl Passes for OnePass {
    #[inline]
    fn so_far(&self, _: u64) -> Option<Rank> {
        Some(Rank::NONE)
    }

    #[inline]
    fn is_known(&self, _: u64, _: Rank) -> bool {
        true
    }
}
