//! The resources that checking a table may use.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// The resources that checking a table may use. All handles of a table share them.
#[derive(Debug)]
pub(crate) struct CheckLimits {
    /// The number of threads.
    threads: AtomicUsize,
    /// The bytes that a tier's values and states may take; `u64::MAX` for no limit.
    memory: AtomicU64,
}

impl CheckLimits {
    /// All cores, and no limit for the memory.
    pub(crate) fn new() -> CheckLimits {
        let threads = available_parallelism().map_or(1, usize::from);
        CheckLimits { threads: threads.into(), memory: u64::MAX.into() }
    }

    pub(crate) fn set_threads(&self, threads: usize) {
        self.threads.store(threads.max(1), Ordering::Relaxed);
    }

    pub(crate) fn set_memory(&self, bytes: u64) {
        self.memory.store(bytes, Ordering::Relaxed);
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// The bytes that a tier's values and states may take; `u64::MAX` for no limit.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }
}
