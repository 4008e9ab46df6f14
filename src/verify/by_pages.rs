//! The check of a table for which the memory has no room for all values.
//!
//! States are checked in chunks, with some pages of values in memory. Each pass over a chunk looks
//! up the successors whose pages are in memory. A state with other successors keeps its best rank
//! so far. Then the missing pages replace others, and the next pass visits these states again,
//! until no page is missing.
//!
//! This is fast if states with neighbouring indices have successors with neighbouring indices, as
//! in most numberings. A chunk then needs few pages, and most are in memory from the chunk before.

use std::cell::Cell;
use std::ops::Range;

use crate::error::TableError;
use crate::game::summary::Counts;
use crate::numbering::Numbering;
use crate::runtime::pool::WorkerPool;
use crate::table::loaded::{Code, CodedValues, ValueRange, not_a_value};
use crate::table::storage::Storage;
use crate::verify::chunk::{Chunk, TASK_LEN, ranges};
use crate::verify::group::{Passes, SuccessorValues};
use crate::verify::pages::Pages;
use crate::verify::rank::Rank;
use crate::verify::stored::{CodeTables, StoredValues};
use crate::verify::successors::Ranks;
use crate::verify::table_check::{TableCheck, Wrong};

/// The least number of states of a chunk, even if memory is short.
const LEAST_STATES: u64 = TASK_LEN;

/// Chunks take 1/`CHUNK_PART` of the memory.
const CHUNK_PART: u64 = 4;

/// Bounds take at most 1/`BOUNDS_PART` of the memory, and pages the rest.
const BOUNDS_PART: u64 = 16;

/// Replaces the best rank of a state that is checked.
const CHECKED: Rank = Rank::IMPOSSIBLE;

impl<N: Numbering + Sync, S: Storage> TableCheck<'_, N, S> {
    /// Checks all values with some of them in memory at a time, and counts them.
    pub(crate) fn by_pages(
        &self,
        memory: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, TableError> {
        if let Some(counts) = self.chunks::<u8>(memory, pool)? {
            return Ok(counts);
        }
        // A table with values that it does not list can still be right.
        self.chunks::<u16>(memory, pool)?.ok_or_else(not_a_value)
    }

    /// Checks the chunks of states one after another; `None` if a value has no such code.
    fn chunks<C: Code>(
        &self,
        memory: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<Counts>, TableError> {
        let (table, preferences) = (self.state_check.table, self.state_check.preferences);
        let len = self.numbering.len();
        let Some(palette) = C::palette(table) else { return Ok(None) };
        let tables = &CodeTables::new(&palette, table.scale(), preferences);
        let ranks = &Ranks::new(tables, preferences, self.numbering, memory / BOUNDS_PART);
        let for_chunk = memory / CHUNK_PART;
        let for_pages = memory - for_chunk - ranks.bounds.bytes();
        let mut pages = Pages::<C>::new(table, palette.clone(), for_pages)?;
        let a_state = (size_of::<Rank>() + size_of::<C>()) as u64;
        let most = (for_chunk / a_state).max(LEAST_STATES).min(len);
        let mut own = CodedValues::<C>::zeroed(palette, table.scale(), most)?;
        let mut best = Vec::new();
        best.try_reserve_exact(most as usize)
            .map_err(|_| TableError::OutOfMemory { bytes: most * size_of::<Rank>() as u64 })?;
        let mut counts = Counts::default();
        for states in ranges(0..len, most) {
            let part = ValueRange { indices: states.clone(), first_code: 0 };
            if !table.load_into(&mut own, vec![part], (states.start, len), pool.on_progress())? {
                return Ok(None);
            }
            let stored = StoredValues { first: states.start, codes: &own.codes, tables };
            best.clear();
            best.resize((states.end - states.start) as usize, CHECKED);
            match self.chunk(stored, ranks, &mut pages, &mut best, pool)? {
                Some(found) => counts.add(&found),
                None => return Ok(None),
            }
        }
        Ok(Some(counts))
    }

    /// Checks the states of a chunk, and counts them; `None` if the value of a successor has no
    /// such code. `best` has a rank for each state.
    fn chunk<C: Code>(
        &self,
        stored: StoredValues<'_, C>,
        ranks: &Ranks<'_>,
        pages: &mut Pages<C>,
        mut best: &mut [Rank],
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<Counts>, TableError> {
        let (first, states, of) = (stored.first, best.len() as u64, self.numbering.len());
        let end = first + states;
        let mut chunk = Chunk { done: first, of, states, task_len: TASK_LEN };
        let (mut counts, mut is_first, mut found) = (Counts::default(), true, None);
        pages.begin();
        loop {
            let pass = PagesPass { is_first, chunk, stored, ranks, pages };
            let result = self.pass(&pass, first, best, pool);
            // Later passes have no progress to report.
            chunk = Chunk { done: end, states: 0, ..chunk };
            is_first = false;
            match result {
                Ok(more) => counts.add(&more),
                Err(Wrong { index, error }) if index >= end => return Err(error),
                // Some states before this one may be unchecked. The states after it don't matter.
                Err(Wrong { index, error }) => {
                    found = Some(error);
                    best = &mut best[..(index - first) as usize];
                    pages.forget_missing();
                    continue;
                }
            }
            if best.iter().all(|&best| best == CHECKED) {
                return found.map_or(Ok(Some(counts)), Err);
            }
            if !pages.load(self.state_check.table, (end, of), pool.on_progress())? {
                return Ok(None);
            }
        }
    }

    /// Visits the unchecked states once, from the first of a chunk on, and counts the states that
    /// are checked now.
    fn pass<C: Code>(
        &self,
        pass: &PagesPass<'_, C>,
        first: u64,
        best: &mut [Rank],
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, Wrong> {
        let is_left = |(_, best): &(_, &mut [Rank])| {
            pass.is_first || best.iter().any(|&best| best != CHECKED)
        };
        let tasks = ranges(first..first + best.len() as u64, TASK_LEN).into_iter();
        let tasks = tasks.zip(best.chunks_mut(TASK_LEN as usize)).filter(is_left).collect();
        pass.chunk.check(pool, tasks, &|(indices, best): (_, &mut [Rank]), _| {
            self.task(pass, indices, best)
        })
    }

    /// Checks these states as far as the values of their successors are in memory, or were in an
    /// earlier pass. Stores the best rank so far of the others.
    fn task<C: Code>(
        &self,
        pass: &PagesPass<'_, C>,
        indices: Range<u64>,
        best: &mut [Rank],
    ) -> Result<Counts, Wrong> {
        let missed = &Cell::new(false);
        let best = Cell::from_mut(best).as_slice_of_cells();
        let passes = TaskPasses { is_first: pass.is_first, first: indices.start, best, missed };
        let source = pass.pages.view(missed);
        let (ranks, with_exits) = (pass.ranks, pass.is_first);
        let values = SuccessorValues { ranks, source, with_exits, lists: true };
        self.check_states(indices, pass.stored, values, &passes)
    }
}

/// The states of a task, between passes.
struct TaskPasses<'p> {
    is_first: bool,
    /// The first index.
    first: u64,
    /// The best rank so far of each state, or [`CHECKED`].
    best: &'p [Cell<Rank>],
    /// Whether a page was missed since the last state.
    missed: &'p Cell<bool>,
}

impl TaskPasses<'_> {
    #[inline]
    fn best(&self, index: u64) -> &Cell<Rank> {
        &self.best[(index - self.first) as usize]
    }
}

impl Passes for TaskPasses<'_> {
    #[inline]
    fn so_far(&self, index: u64) -> Option<Rank> {
        if self.is_first {
            return Some(Rank::NONE);
        }
        Some(self.best(index).get()).filter(|&best| best != CHECKED)
    }

    #[inline]
    fn is_known(&self, index: u64, best: Rank) -> bool {
        // A successor without a value is reported while its page is in memory, or never.
        let is_known = !self.missed.replace(false) || best == Rank::UNKNOWN;
        self.best(index).set(if is_known { CHECKED } else { best });
        is_known
    }
}

/// One pass over the states of a chunk.
struct PagesPass<'p, C> {
    /// Whether it is the first. Later passes visit only unchecked states, and no exits.
    is_first: bool,
    chunk: Chunk,
    /// The values of the states.
    stored: StoredValues<'p, C>,
    ranks: &'p Ranks<'p>,
    /// The values of successors.
    pages: &'p Pages<C>,
}
