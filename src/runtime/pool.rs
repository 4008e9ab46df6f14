//! The worker pool: the threads of a run, their progress and their cancellation.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::runtime::Cancelled;
use crate::runtime::lock::lock;
use crate::runtime::peers::{Peers, Traffic};
use crate::runtime::progress::{OnProgress, Progress};
use crate::runtime::scratch::Scratch;

/// The time between two reports of progress during work.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// The threads of a run, and the other processes that take part in it. Work is cut into tasks. No
/// task changes data that another one uses, so the result does not depend on the number of threads.
///
/// The thread that started the run works too. Only this thread reports progress, and finds out that
/// the run is cancelled. It does small work without the others, and all work if there is one
/// thread.
pub(crate) struct WorkerPool<'p> {
    threads: usize,
    /// The other threads, once there was big work for them.
    workers: Option<ThreadPool>,
    /// The amount of work done in the last call of `run`.
    done: u64,
    /// The last report, and its time.
    last: Option<(Progress, Instant)>,
    progress: &'p mut OnProgress<'p>,
    /// The other processes, if there are any.
    pub(super) peers: Option<&'p mut dyn Peers>,
    /// The messages to and from the other processes.
    pub(super) traffic: Traffic,
    /// The folder for scratch files, if there is one.
    scratch: Option<Arc<Scratch>>,
}

/// Takes the progress of a task, and signals cancellation to it.
pub(crate) trait CancellationToken {
    /// Adds `more` to the work done, and breaks if the run is cancelled. Meant to be called every
    /// few thousand states.
    fn done(&self, more: u64) -> ControlFlow<()>;
}

/// The cancellation and the progress that all threads share; the token of the workers.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    done: AtomicU64,
    scratch: Option<Arc<Scratch>>,
}

impl CancellationToken for Shared {
    fn done(&self, more: u64) -> ControlFlow<()> {
        if let Some(scratch) = &self.scratch {
            scratch.relieve();
        }
        self.done.fetch_add(more, Ordering::Relaxed);
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The token of the thread that started the run, which also reports progress.
struct Reporting<'r> {
    shared: &'r Shared,
    reported: Cell<Instant>,
    report: RefCell<&'r mut dyn FnMut(u64) -> ControlFlow<()>>,
}

impl Reporting<'_> {
    /// Reports the work done, and cancels the run if the report returns `Break`.
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

/// A task and its result.
enum Slot<I, R> {
    Open(I),
    Taken,
    Done(R),
}

/// Whether work is big enough to wake other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Big,
}

/// A pass over fewer indices than this wakes no threads.
const BIG_PASS: u64 = 1 << 15;

/// How many indices a pass goes through between two checks for cancellation.
pub(crate) const STRETCH: u64 = 1 << 13;

impl Size {
    /// The size of a pass over this number of indices.
    pub(crate) fn of_pass(indices: u64) -> Size {
        if indices < BIG_PASS { Size::Small } else { Size::Big }
    }
}

impl<'p> WorkerPool<'p> {
    pub(crate) fn new(threads: usize, progress: &'p mut OnProgress<'p>) -> Self {
        let threads = threads.max(1);
        WorkerPool {
            threads,
            workers: None,
            done: 0,
            last: None,
            progress,
            peers: None,
            scratch: None,
            traffic: Traffic::default(),
        }
    }

    /// The pool with a folder for scratch files.
    pub(crate) fn with_scratch(self, folder: Option<&Path>) -> Self {
        WorkerPool { scratch: folder.map(|folder| Scratch::in_folder(folder, u64::MAX)), ..self }
    }

    /// The folder for scratch files, if there is one.
    pub(crate) fn scratch(&self) -> Option<&Arc<Scratch>> {
        self.scratch.as_ref()
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The amount of work done in the last call of [`run`](WorkerPool::run).
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// The function that receives progress.
    pub(crate) fn on_progress(&mut self) -> &mut OnProgress<'_> {
        &mut *self.progress
    }

    /// Reports progress.
    ///
    /// # Errors
    /// If the report returns `Break`.
    pub(crate) fn report(&mut self, progress: Progress) -> Result<(), Cancelled> {
        self.last = Some((progress, Instant::now()));
        match (self.progress)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Cancelled),
        }
    }

    /// Repeats the last report, if one is due.
    ///
    /// # Errors
    /// See [`report`](WorkerPool::report).
    pub(super) fn report_again(&mut self) -> Result<(), Cancelled> {
        match self.last {
            Some((progress, at)) if at.elapsed() >= REPORT_EVERY => self.report(progress),
            _ => Ok(()),
        }
    }

    /// Does `work` on every task, and returns the results in the order of the tasks. `event`
    /// creates the report for an amount of work done.
    ///
    /// # Errors
    /// The error of the first task that fails, or the cancellation of the run.
    pub(crate) fn run<I: Send, T: Send, E: From<Cancelled> + Send>(
        &mut self,
        size: Size,
        tasks: Vec<I>,
        event: impl Fn(u64) -> Progress,
        work: impl Fn(I, &dyn CancellationToken) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let threads = match size {
            Size::Small => 1,
            Size::Big => self.threads,
        };
        self.run_by(threads, tasks, event, work)
    }

    /// Does `work` on every task as [`run`](WorkerPool::run) does, with at most `threads` threads.
    /// For work that takes memory in each thread.
    ///
    /// # Errors
    /// See [`run`](WorkerPool::run).
    pub(crate) fn run_by<I: Send, T: Send, E: From<Cancelled> + Send>(
        &mut self,
        threads: usize,
        tasks: Vec<I>,
        event: impl Fn(u64) -> Progress,
        work: impl Fn(I, &dyn CancellationToken) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        // Loops in place of adapters: this is compiled for every use.
        let mut slots = Vec::with_capacity(tasks.len());
        for task in tasks {
            slots.push(Mutex::new(Slot::Open(task)));
        }
        self.run_in_threads(threads, slots.len(), &event, &|at, token| {
            // Not in the condition, which would keep the lock.
            let slot = std::mem::replace(&mut *lock(&slots[at]), Slot::Taken);
            if let Slot::Open(task) = slot {
                let result = work(task, token);
                *lock(&slots[at]) = Slot::Done(result);
            }
        })?;
        let mut results = Vec::with_capacity(slots.len());
        for slot in slots {
            // No result is missing: the panic of a task goes through this thread.
            if let Slot::Done(result) = slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
                results.push(result?);
            }
        }
        Ok(results)
    }

    /// Calls `work` with each number below `tasks`, in this thread and `threads - 1` others, and
    /// reports progress until all have returned. Compiled once.
    fn run_in_threads(
        &mut self,
        threads: usize,
        tasks: usize,
        event: &dyn Fn(u64) -> Progress,
        work: &(dyn Fn(usize, &dyn CancellationToken) + Sync),
    ) -> Result<(), Cancelled> {
        self.report(event(0))?;
        let helpers = threads.min(tasks).min(self.threads).saturating_sub(1);
        let next = AtomicUsize::new(0);
        let work = |token: &dyn CancellationToken| {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    break;
                }
                work(task, token);
            }
        };
        if helpers > 0 && self.workers.is_none() {
            // If the system provides no threads, this thread works without helpers.
            self.workers = ThreadPoolBuilder::new().num_threads(self.threads - 1).build().ok();
        }
        let WorkerPool { workers, progress, last, .. } = self;
        let shared = Shared { scratch: self.scratch.clone(), ..Shared::default() };
        let mut report = |done| {
            let event = event(done);
            *last = Some((event, Instant::now()));
            progress(event)
        };
        let reporting = Reporting {
            shared: &shared,
            reported: Cell::new(Instant::now()),
            report: RefCell::new(&mut report),
        };
        match workers {
            Some(workers) if helpers > 0 => workers.in_place_scope(|scope| {
                let (finished, all_finished) = mpsc::channel::<()>();
                for _ in 0..helpers {
                    let (finished, shared, work) = (finished.clone(), &shared, &work);
                    scope.spawn(move |_| {
                        work(shared);
                        drop(finished);
                    });
                }
                drop(finished);
                work(&reporting);
                while all_finished.recv_timeout(REPORT_EVERY)
                    == Err(mpsc::RecvTimeoutError::Timeout)
                {
                    reporting.report();
                }
            }),
            _ => work(&reporting),
        }
        self.done = shared.done.load(Ordering::Relaxed);
        if shared.stop.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: fn(u64) -> Progress = |done| Progress::Counting { done, of: 100 };

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        for (threads, size) in [(1, Size::Small), (1, Size::Big), (3, Size::Big), (8, Size::Big)] {
            let mut ignore = |_| ControlFlow::Continue(());
            let mut pool = WorkerPool::new(threads, &mut ignore);
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
        let mut ignore = |_| ControlFlow::Continue(());
        let mut pool = WorkerPool::new(2, &mut ignore);
        let _: Result<Vec<()>, Cancelled> = pool.run(Size::Big, vec![0, 1], EVENT, |n, _| {
            assert_ne!(n, 1, "a faulty game");
            Ok(())
        });
    }
}
