//! Pieces of a table that are gone through together.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::TableError;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool, lock};
use crate::runtime::progress::Progress;
use crate::summary::Counts;

/// How many numbers are checked in one go.
pub(crate) const STRETCH: u64 = 1 << 14;

/// States that are gone through together.
#[derive(Clone, Copy)]
pub(crate) struct Lot {
    /// How much was done before, of how much.
    pub(crate) done: u64,
    pub(crate) of: u64,
    pub(crate) states: u64,
    /// How many are in a piece, but for the last.
    pub(crate) piece: u64,
}

impl Lot {
    /// Checks the pieces, in parallel; the first that fails is the same with any number of threads.
    pub(crate) fn check<I: Send>(
        self,
        pool: &mut WorkerPool<'_>,
        pieces: Vec<I>,
        check: impl Fn(I, &dyn CancellationToken) -> Result<Counts, TableError> + Sync,
    ) -> Result<Counts, TableError> {
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        // The first piece that failed: those before it are never passed over.
        let (a_piece, failed) = (self.states.min(self.piece), AtomicUsize::new(usize::MAX));
        let event = |more: u64| Progress::Verifying {
            done: (self.done + more).min(self.done + self.states),
            of: self.of,
        };
        let counts = Mutex::new(Counts::default());
        let work = |(at, piece), token: &dyn CancellationToken| {
            if failed.load(Ordering::Relaxed) < at || token.done(a_piece).is_break() {
                return Ok(());
            }
            let result = check(piece, token).map(|found| lock(&counts).add(&found));
            if result.is_err() {
                failed.fetch_min(at, Ordering::Relaxed);
            }
            result
        };
        let pieces = pieces.into_iter().enumerate().collect();
        pool.run(size, pieces, event, work)?;
        Ok(counts.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Numbers cut into ranges of this length, the last shorter.
pub(crate) fn ranges(numbers: Range<u64>, length: u64) -> Vec<Range<u64>> {
    let Range { start, end } = numbers;
    (start..end)
        .step_by(usize::try_from(length).unwrap_or(usize::MAX))
        .map(|start| start..end.min(start.saturating_add(length)))
        .collect()
}

pub(crate) fn stretches(numbers: Range<u64>) -> Vec<Range<u64>> {
    ranges(numbers, STRETCH)
}
