//! The threads of a run, and the thread that watches them.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::runtime::Cancelled;
use crate::runtime::progress::{OnProgress, Progress};

/// How often progress is reported while the work goes on.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// The threads of a run. Work comes in pieces that share nothing that any of them changes, so that
/// the result does not depend on how many threads there are.
///
/// The thread that the run was started on works with the others, and it alone reports progress and
/// hears about interruptions. Small work it does by itself, and so it does all where there is one
/// thread.
pub(crate) struct WorkerPool<'p> {
    threads: usize,
    /// The others, once there was big work for them.
    others: Option<ThreadPool>,
    /// How much was done in the last run.
    done: u64,
    /// Whether a report that says to stop is put off until somebody asks.
    defers: bool,
    /// Whether one has been put off.
    is_deferred: bool,
    progress: &'p mut OnProgress<'p>,
}

/// Where those who work say how far they are, and hear whether to go on.
pub(crate) trait CancellationToken {
    /// Adds to what is done; says whether to go on. Meant to be called every few thousand states.
    fn done(&self, more: u64) -> ControlFlow<()>;
}

/// What goes between the threads.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    done: AtomicU64,
}

impl CancellationToken for Shared {
    fn done(&self, more: u64) -> ControlFlow<()> {
        self.done.fetch_add(more, Ordering::Relaxed);
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The signals of the thread that reports.
struct Reporting<'r> {
    shared: &'r Shared,
    reported: Cell<Instant>,
    report: RefCell<&'r mut dyn FnMut(u64) -> ControlFlow<()>>,
}

impl Reporting<'_> {
    /// Reports what is done; from a refusal on, everybody stops.
    fn report(&self) {
        self.reported.set(Instant::now());
        let done = self.shared.done.load(Ordering::Relaxed);
        if (self.report.borrow_mut())(done).is_break() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl CancellationToken for Reporting<'_> {
    fn done(&self, more: u64) -> ControlFlow<()> {
        if self.reported.get().elapsed() >= REPORT_EVERY {
            self.report();
        }
        self.shared.done(more)
    }
}

/// Whether a piece of work is worth waking other threads for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Big,
}

impl<'p> WorkerPool<'p> {
    pub(crate) fn new(threads: usize, progress: &'p mut OnProgress<'p>) -> Self {
        let threads = threads.max(1);
        WorkerPool { threads, others: None, done: 0, defers: false, is_deferred: false, progress }
    }

    /// From now on, a report that says to stop does not, but is remembered: see
    /// [`is_cancelled`](WorkerPool::is_cancelled). Returns whether it was so before.
    pub(crate) fn defer_cancellation(&mut self) -> bool {
        std::mem::replace(&mut self.defers, true)
    }

    /// From now on, a report that says to stop does so. Returns whether one did before.
    pub(crate) fn honour_cancellation(&mut self) -> bool {
        self.defers = false;
        std::mem::take(&mut self.is_deferred)
    }

    /// Whether a report said to stop that was put off.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_deferred
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How much was done in the last run.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// What progress is reported to.
    pub(crate) fn on_progress(&mut self) -> &mut OnProgress<'_> {
        &mut *self.progress
    }

    /// Reports; an error if that says to stop.
    pub(crate) fn report(&mut self, progress: Progress) -> Result<(), Cancelled> {
        match (self.progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) if self.defers => {
                self.is_deferred = true;
                Ok(())
            }
            ControlFlow::Break(()) => Err(Cancelled),
        }
    }

    /// Does `work` on every piece, and returns what came of them in the order of the pieces.
    /// `event` says what to report when so much is done.
    ///
    /// # Errors
    /// The error of the first piece that has one, and when a report says to stop.
    pub(crate) fn run<I: Send, T: Send, E: From<Cancelled> + Send>(
        &mut self,
        size: Size,
        pieces: Vec<I>,
        event: impl Fn(u64) -> Progress,
        work: impl Fn(I, &dyn CancellationToken) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let threads = match size {
            Size::Small => 1,
            Size::Big => self.threads,
        };
        self.run_by(threads, pieces, event, work)
    }

    /// The same, by no more than so many threads: where each takes memory.
    ///
    /// # Errors
    /// As [`run`](WorkerPool::run).
    pub(crate) fn run_by<I: Send, T: Send, E: From<Cancelled> + Send>(
        &mut self,
        threads: usize,
        pieces: Vec<I>,
        event: impl Fn(u64) -> Progress,
        work: impl Fn(I, &dyn CancellationToken) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        self.report(event(0))?;
        let helpers = pieces.len().min(self.threads).min(threads).saturating_sub(1);
        if helpers > 0 && self.others.is_none() {
            // Where the system has no threads to give, this one works alone.
            self.others = ThreadPoolBuilder::new().num_threads(self.threads - 1).build().ok();
        }
        let WorkerPool { others, progress, defers, is_deferred, .. } = self;
        let shared = Shared::default();
        let mut report = |done| match progress(event(done)) {
            ControlFlow::Break(()) if *defers => {
                *is_deferred = true;
                ControlFlow::Continue(())
            }
            flow => flow,
        };
        let reporting = Reporting {
            shared: &shared,
            reported: Cell::new(Instant::now()),
            report: RefCell::new(&mut report),
        };
        let results = Mutex::new(Vec::new());
        results.lock().unwrap_or_else(PoisonError::into_inner).resize_with(pieces.len(), || None);
        let queue = Mutex::new(pieces.into_iter().enumerate());
        let take_pieces = |token: &dyn CancellationToken| {
            loop {
                let Some((at, piece)) = lock(&queue).next() else { break };
                let result = work(piece, token);
                lock(&results)[at] = Some(result);
            }
        };
        match others {
            Some(others) if helpers > 0 => others.in_place_scope(|scope| {
                let (finished, all_finished) = mpsc::channel::<()>();
                for _ in 0..helpers {
                    let (finished, shared, take_pieces) = (finished.clone(), &shared, &take_pieces);
                    scope.spawn(move |_| {
                        take_pieces(shared);
                        drop(finished);
                    });
                }
                drop(finished);
                take_pieces(&reporting);
                while all_finished.recv_timeout(REPORT_EVERY)
                    == Err(mpsc::RecvTimeoutError::Timeout)
                {
                    reporting.report();
                }
            }),
            _ => take_pieces(&reporting),
        }
        self.done = shared.done.load(Ordering::Relaxed);
        if shared.stop.load(Ordering::Relaxed) {
            return Err(Cancelled.into());
        }
        // None is missing: a piece that panics takes this thread along.
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }
}

/// Locks what nobody can leave half done: a panic elsewhere ends the run anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cuts `0..len` into about `parts` equal ranges, each a multiple of `grain` long but for the last;
/// ascending, the end of each.
pub(crate) fn equal_cuts(len: u64, parts: usize, grain: u64) -> Vec<u64> {
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
            let mut pool = WorkerPool::new(threads, &mut unheard);
            let squares = pool
                .run(size, (0..100).collect(), EVENT, |n, _| Ok::<_, Cancelled>(n * n))
                .unwrap();
            assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
            let fail = |n, _: &dyn CancellationToken| if n < 5 { Ok(n) } else { Err(Cancelled) };
            assert_eq!(pool.run(size, (0..100).collect(), EVENT, fail), Err(Cancelled));
        }
    }

    #[test]
    fn work_that_never_ends_by_itself_is_interrupted() {
        let mut reports = 0;
        let mut stop = |_| {
            reports += 1;
            if reports > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut pool = WorkerPool::new(2, &mut stop);
        let result = pool.run(Size::Big, vec![(); 2], EVENT, |(), token| {
            while token.done(1).is_continue() {
                std::thread::yield_now();
            }
            Ok(())
        });
        assert_eq!(result, Err(Cancelled));
    }

    #[test]
    #[should_panic(expected = "a faulty game")]
    fn a_panic_goes_through() {
        let mut unheard = |_| ControlFlow::Continue(());
        let mut pool = WorkerPool::new(2, &mut unheard);
        let _: Result<Vec<()>, Cancelled> = pool.run(Size::Big, vec![0, 1], EVENT, |n, _| {
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
