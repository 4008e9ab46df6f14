//! Pieces of a table that are gone through together.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::error::TableError;
use crate::solve::crew::{Crew, Signals, Size, lock};
use crate::solve::{Counts, Progress, SolveError};

/// How many numbers are checked in one go.
pub(super) const STRETCH: u64 = 1 << 14;

/// States that are gone through together.
#[derive(Clone, Copy)]
pub(super) struct Lot {
    /// How much was done before, of how much.
    pub(super) done: u64,
    pub(super) of: u64,
    pub(super) states: u64,
    /// How many are in a piece, but for the last.
    pub(super) piece: u64,
}

impl Lot {
    /// Checks the pieces, in parallel; the first that fails is the same with any number of threads.
    pub(super) fn check<I: Send>(
        self,
        crew: &mut Crew<'_>,
        pieces: Vec<I>,
        check: impl Fn(I, &dyn Signals) -> Result<Counts, TableError> + Sync,
    ) -> Result<Counts, TableError> {
        let size = if pieces.len() > 1 { Size::Big } else { Size::Small };
        // The first piece that failed: those before it are never passed over.
        let (a_piece, failed) = (self.states.min(self.piece), AtomicUsize::new(usize::MAX));
        let event = |more: u64| Progress::Verifying {
            done: (self.done + more).min(self.done + self.states),
            of: self.of,
        };
        let counts = Mutex::new(Counts::default());
        let work = |(at, piece), signals: &dyn Signals| {
            if failed.load(Ordering::Relaxed) < at || signals.done(a_piece).is_break() {
                return Ok::<_, SolveError>(Ok(()));
            }
            let result = check(piece, signals).map(|found| lock(&counts).add(&found));
            if result.is_err() {
                failed.fetch_min(at, Ordering::Relaxed);
            }
            Ok(result)
        };
        let pieces = pieces.into_iter().enumerate().collect();
        let results = crew.run(size, pieces, event, work).map_err(|_| TableError::Interrupted)?;
        results.into_iter().collect::<Result<(), TableError>>()?;
        Ok(counts.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Numbers cut into ranges of this length, the last shorter.
pub(super) fn ranges(numbers: Range<u64>, length: u64) -> Vec<Range<u64>> {
    let Range { start, end } = numbers;
    (start..end)
        .step_by(usize::try_from(length).unwrap_or(usize::MAX))
        .map(|start| start..end.min(start.saturating_add(length)))
        .collect()
}

pub(super) fn stretches(numbers: Range<u64>) -> Vec<Range<u64>> {
    ranges(numbers, STRETCH)
}
