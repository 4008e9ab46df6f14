//! The check of a table for which the memory has no room for its states.
//!
//! States are read from the file a task at a time. Their successors are sorted into the order of
//! the files and looked up in batches, so that each block of the files is read once for each batch.
//! The check assumes only the properties of states that a [`FileSource`] checks.

use std::ops::Range;

use crate::error::TableError;
use crate::game::summary::Counts;
use crate::game::value::Value;
use crate::game::{Game, Turns};
use crate::runtime::pool::{CancellationToken, WorkerPool};
use crate::table::storage::Storage;
use crate::verify::chunk::{Chunk, TASK_LEN, ranges};
use crate::verify::rank::Rank;
use crate::verify::state_check::StateCheck;

/// The states of a table and the values of their successors, read from files on demand.
pub(crate) trait FileSource<G: Game>: Sync {
    /// The key that finds a state. Keys have the order of the states in the files.
    type Key: Ord;

    /// The place in the files that was read last.
    type Cursor: Default;

    /// The state of an index of the table; `None` for an unused index. Fails for a state that must
    /// not be there.
    fn state(&self, cursor: &mut Self::Cursor, index: u64) -> Result<Option<G::State>, TableError>;

    /// The key of a successor; `None` if no file can contain it.
    fn key(&self, state: &G::State) -> Option<Self::Key>;

    /// The value of the state with this key; `None` if there is no such state.
    fn value(
        &self,
        cursor: &mut Self::Cursor,
        key: &Self::Key,
    ) -> Result<Option<Value>, TableError>;
}

/// The assumed number of successors of a state, to choose the length of tasks.
const SUCCESSORS: u64 = 8;

/// The most tasks of a chunk. A length in a file may be anything, and each task takes some memory.
const TASKS: u64 = 1 << 10;

/// The check of a table.
pub(crate) struct BatchCheck<'b, G: Game, F, S> {
    pub(crate) state_check: StateCheck<'b, G, S>,
    pub(crate) source: F,
}

/// A successor that is going to be looked up.
struct Successor<K, State> {
    key: K,
    /// The place of the predecessor among the task's states.
    from: u32,
    state: State,
}

/// A state of a task.
struct Checked<State> {
    index: u64,
    state: State,
    /// The best rank among its successors so far.
    best: Rank,
}

impl<G: Game, F: FileSource<G>, S: Storage> BatchCheck<'_, G, F, S> {
    /// Checks all values in roughly this much memory, and counts them.
    pub(crate) fn check(
        &self,
        memory: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Counts, TableError> {
        let len = self.state_check.table.header().len;
        let successor = size_of::<Successor<F::Key, G::State>>() as u64;
        let threads_share = |all: u64| all / pool.threads() as u64;
        // The other half is for the states of tasks, and for sorting.
        let batch = (threads_share(memory / 2) / successor).max(TASK_LEN);
        // Longer tasks read blocks less often, but every thread needs some tasks.
        let task_len = (batch / SUCCESSORS).min(threads_share(len / 4)).max(TASK_LEN);
        let (mut counts, mut start) = (Counts::default(), 0);
        while start < len {
            let end = len.min(start.saturating_add(task_len.saturating_mul(TASKS)));
            let chunk = Chunk { done: start, of: len, states: end - start, task_len };
            let checked = chunk.check(pool, ranges(start..end, task_len), &|indices, token| {
                self.task(indices, batch as usize, token)
            });
            counts.add(&checked?);
            start = end;
        }
        Ok(counts)
    }

    /// Checks the values of these indices, and counts them.
    fn task(
        &self,
        indices: Range<u64>,
        batch: usize,
        token: &dyn CancellationToken,
    ) -> Result<Counts, TableError> {
        let BatchCheck { state_check: check, source } = self;
        let (mut states, mut cursor) = (Vec::new(), F::Cursor::default());
        for index in indices {
            if index.is_multiple_of(TASK_LEN) {
                check_cancelled(token)?;
            }
            match source.state(&mut cursor, index)? {
                Some(state) => states.push(Checked { index, state, best: Rank::NONE }),
                None => check.check_unused(index, check.table.value(index, &index)?)?,
            }
        }
        let mut waiting = Vec::new();
        for at in 0..states.len() {
            let state = &states[at].state;
            if check.terminal(state).is_some() {
                continue;
            }
            let mut missing = None;
            check.game.moves(state, |next| match source.key(&next) {
                Some(key) => waiting.push(Successor { key, from: at as u32, state: next }),
                None => missing = Some(next),
            });
            if let Some(next) = missing {
                return Err(check.missing(state, &next));
            }
            if waiting.len() >= batch {
                self.look_up(&mut waiting, &mut states, token)?;
            }
        }
        self.look_up(&mut waiting, &mut states, token)?;
        let mut counts = Counts::default();
        for Checked { index, state, best } in &states {
            let stored = check.table.value(*index, state)?;
            let terminal = check.terminal(state);
            let value = check.compare(state, stored, terminal, *best)?;
            counts.add_state(check.counted(value, terminal, *best), check.game.mover(state));
        }
        Ok(counts)
    }

    /// Looks up the waiting successors, and raises the best ranks of the states that lead there.
    fn look_up(
        &self,
        waiting: &mut Vec<Successor<F::Key, G::State>>,
        states: &mut [Checked<G::State>],
        token: &dyn CancellationToken,
    ) -> Result<(), TableError> {
        waiting.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        let mut cursor = F::Cursor::default();
        let mut last: Option<(F::Key, Value)> = None;
        for (count, Successor { key, from, state: next }) in (0_u64..).zip(waiting.drain(..)) {
            if count.is_multiple_of(TASK_LEN) {
                check_cancelled(token)?;
            }
            let Checked { state, best, .. } = &mut states[from as usize];
            let value = match last {
                Some((ref same, value)) if *same == key => value,
                _ => {
                    let value = self.source.value(&mut cursor, &key)?;
                    let value = value.ok_or_else(|| self.state_check.missing(state, &next))?;
                    last = Some((key, value));
                    value
                }
            };
            *best = self.state_check.rank_of_move(state, &next, value).max(*best);
        }
        Ok(())
    }
}

fn check_cancelled(token: &dyn CancellationToken) -> Result<(), TableError> {
    if token.done(0).is_break() { Err(TableError::Interrupted) } else { Ok(()) }
}
