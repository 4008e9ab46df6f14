//! The unit of work of a check: a chunk of states, divided into tasks for the worker pool.
//!
//! The task whose failure is reported does not depend on the number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::game::summary::Counts;
use crate::runtime::Cancelled;
use crate::runtime::lock::lock;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::Progress;

/// The number of indices of a task, unless memory requires another length.
pub(crate) const TASK_LEN: u64 = 1 << 14;

/// The check of a task: counts its states.
pub(crate) type CheckTask<'c, T, E> =
    dyn Fn(T, &dyn CancellationToken) -> Result<Counts, E> + Sync + 'c;

/// States that are checked in one run of the worker pool.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    /// The number of states that were done before, and the number of all states.
    pub(crate) done: u64,
    pub(crate) of: u64,
    /// The number of states in the chunk.
    pub(crate) states: u64,
    /// The number of states of each task; the last may have fewer.
    pub(crate) task_len: u64,
}

impl Chunk {
    /// Runs `check` for each task, in parallel, and adds up their counts. Fails with the error of
    /// the first task, in order, that fails.
    pub(crate) fn check<T: Send, E: From<Cancelled> + Send>(
        self,
        pool: &mut WorkerPool<'_>,
        tasks: Vec<T>,
        check: &CheckTask<'_, T, E>,
    ) -> Result<Counts, E> {
        let size = if tasks.len() > 1 { Size::Big } else { Size::Small };
        // No task before the first failed one is skipped.
        let (a_task, failed) = (self.states.min(self.task_len), AtomicUsize::new(usize::MAX));
        let event = |more: u64| Progress::Verifying {
            done: (self.done + more).min(self.done + self.states),
            of: self.of,
        };
        let counts = Mutex::new(Counts::default());
        let work = |(at, task), token: &dyn CancellationToken| {
            if failed.load(Ordering::Relaxed) < at || token.done(a_task).is_break() {
                return Ok(());
            }
            let result = check(task, token).map(|found| lock(&counts).add(&found));
            if result.is_err() {
                failed.fetch_min(at, Ordering::Relaxed);
            }
            result
        };
        pool.run(size, tasks.into_iter().enumerate().collect(), event, work)?;
        Ok(counts.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Divides indices into ranges of a length; the last may be shorter.
pub(crate) fn ranges(indices: Range<u64>, length: u64) -> Vec<Range<u64>> {
    let Range { start, end } = indices;
    (start..end)
        .step_by(usize::try_from(length).unwrap_or(usize::MAX))
        .map(|start| start..end.min(start.saturating_add(length)))
        .collect()
}
