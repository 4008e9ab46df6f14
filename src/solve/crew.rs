//! The threads of a run, and the thread that watches them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{OnProgress, Progress, SolveError};

/// How often the watching thread reports while the others work.
const WATCH: Duration = Duration::from_millis(50);

/// The threads of a run. Work comes in pieces that share nothing that any of them changes, so that
/// the result does not depend on how many threads there are.
///
/// The thread that the run was started on reports progress and hears about interruptions; the
/// others work. Work too small for that is done on the spot.
pub(super) struct Crew<'p> {
    threads: usize,
    /// Made when the first big piece of work comes.
    pool: Option<ThreadPool>,
    signals: Signals,
    progress: &'p mut OnProgress<'p>,
}

/// What goes between those who work and the one who watches.
#[derive(Default)]
pub(super) struct Signals {
    stop: AtomicBool,
    done: AtomicU64,
}

impl Signals {
    /// Adds to what is done.
    #[inline]
    pub(super) fn count(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// Adds to what is done; says whether to go on.
    #[inline]
    pub(super) fn done(&self, more: u64) -> ControlFlow<()> {
        self.count(more);
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Whether a piece of work is worth waking the threads for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Small,
    Big,
}

impl<'p> Crew<'p> {
    pub(super) fn new(threads: usize, progress: &'p mut OnProgress<'p>) -> Self {
        Crew { threads: threads.max(1), pool: None, signals: Signals::default(), progress }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// How much was done in the last run.
    pub(super) fn done(&self) -> u64 {
        self.signals.done.load(Ordering::Relaxed)
    }

    /// Reports; an error if that says to stop.
    pub(super) fn report(&mut self, progress: Progress) -> Result<(), SolveError> {
        match (self.progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SolveError::Interrupted),
        }
    }

    /// Does `work` on every piece, and returns what came of them in the order of the pieces.
    /// `event` says what to report when so much is done.
    ///
    /// # Errors
    /// The error of the first piece that has one, and when a report says to stop.
    pub(super) fn run<I: Send, T: Send>(
        &mut self,
        size: Size,
        pieces: Vec<I>,
        event: impl Fn(u64) -> Progress,
        work: impl Fn(I, &Signals) -> Result<T, SolveError> + Sync,
    ) -> Result<Vec<T>, SolveError> {
        self.signals = Signals::default();
        self.report(event(0))?;
        if size == Size::Big && self.pool.is_none() {
            // Where the system has no threads to give, this one works alone.
            self.pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        }
        let Crew { pool, signals, progress, .. } = self;
        let (Size::Big, Some(pool)) = (size, pool) else {
            return pieces.into_iter().map(|piece| work(piece, signals)).collect();
        };
        let mut results: Vec<Option<Result<T, SolveError>>> = Vec::new();
        results.resize_with(pieces.len(), || None);
        let signals: &Signals = signals;
        let work = &work;
        pool.in_place_scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for (at, piece) in pieces.into_iter().enumerate() {
                let sender = sender.clone();
                scope.spawn(move |_| {
                    // The receiver is there until all have sent.
                    let _ = sender.send((at, work(piece, signals)));
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(WATCH) {
                    Ok((at, result)) => results[at] = Some(result),
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        let done = signals.done.load(Ordering::Relaxed);
                        if progress(event(done)).is_break() {
                            signals.stop.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        if signals.stop.load(Ordering::Relaxed) {
            return Err(SolveError::Interrupted);
        }
        // All have sent: a piece that panics has taken this thread along.
        results.into_iter().flatten().collect()
    }
}

/// Cuts `0..len` into about `parts` equal ranges, each a multiple of `grain` long but for the last;
/// ascending, the end of each.
pub(super) fn equal_cuts(len: u64, parts: usize, grain: u64) -> Vec<u64> {
    let step = len.div_ceil(parts as u64).next_multiple_of(grain).max(grain);
    (1..=len.div_ceil(step).max(1)).map(|part| (part * step).min(len)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: fn(u64) -> Progress = |done| Progress::Counting { done, of: 100 };

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for (threads, size) in [(1, Size::Small), (1, Size::Big), (3, Size::Big), (8, Size::Big)] {
            let mut unheard = |_| ControlFlow::Continue(());
            let mut crew = Crew::new(threads, &mut unheard);
            let squares = crew.run(size, (0..100).collect(), EVENT, |n, _| Ok(n * n)).unwrap();
            assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
            let fail = |n, _: &Signals| if n < 5 { Ok(n) } else { Err(SolveError::TooLong) };
            assert_eq!(crew.run(size, (0..100).collect(), EVENT, fail), Err(SolveError::TooLong));
        }
    }

    #[test]
    fn work_that_never_ends_by_itself_is_interrupted() {
        let mut reports = 0;
        let mut stop = |_| {
            reports += 1;
            if reports > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut crew = Crew::new(2, &mut stop);
        let result = crew.run(Size::Big, vec![(); 2], EVENT, |(), signals| {
            while signals.done(1).is_continue() {
                std::thread::yield_now();
            }
            Ok(())
        });
        assert_eq!(result, Err(SolveError::Interrupted));
    }

    #[test]
    #[should_panic(expected = "a faulty game")]
    fn a_panic_goes_through() {
        let mut unheard = |_| ControlFlow::Continue(());
        let mut crew = Crew::new(2, &mut unheard);
        let _ = crew.run(Size::Big, vec![0, 1], EVENT, |n, _| {
            assert_ne!(n, 1, "a faulty game");
            Ok(())
        });
    }

    #[test]
    fn equal_cuts_cover_everything() {
        for (len, parts, grain) in [(0, 3, 64), (1, 3, 64), (100_000, 3, 64), (64, 1, 64)] {
            let cuts = equal_cuts(len, parts, grain);
            assert!(cuts.len() <= parts && cuts.is_sorted());
            assert_eq!(cuts.last(), Some(&len));
        }
    }
}
