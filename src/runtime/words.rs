//! Words that all threads change.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::runtime::OutOfMemory;

/// Visits the places of the items of a set, ascending.
#[inline(always)]
pub(crate) fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// A set of up to 64 items for each number, which all threads may change at the same time. What one thread has changed,
/// another knows of when both have finished a task.
pub(crate) struct Words(Vec<AtomicU64>);

impl Words {
    /// The memory of so many sets, in bytes.
    pub(crate) fn bytes(sets: u64) -> u64 {
        sets.saturating_mul(8)
    }

    /// So many empty sets.
    pub(crate) fn empty(sets: u64) -> Result<Words, OutOfMemory> {
        let failed = || OutOfMemory { what: "sets of states", bytes: Words::bytes(sets) };
        let mut all = Vec::new();
        let len = usize::try_from(sets).map_err(|_| failed())?;
        all.try_reserve_exact(len).map_err(|_| failed())?;
        all.resize_with(len, AtomicU64::default);
        Ok(Words(all))
    }

    /// The set of a number; an empty one beyond the end.
    #[inline(always)]
    pub(crate) fn of(&self, number: u64) -> u64 {
        self.0.get(number as usize).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// Replaces a set.
    #[inline(always)]
    pub(crate) fn set(&self, number: u64, items: u64) {
        self.0[number as usize].store(items, Ordering::Relaxed);
    }

    /// Adds items to a set, and returns what was in it.
    #[inline(always)]
    pub(crate) fn add(&self, number: u64, items: u64) -> u64 {
        let word = &self.0[number as usize];
        let known = word.load(Ordering::Relaxed);
        // To read takes less time than to write.
        if known & items == items { known } else { word.fetch_or(items, Ordering::Relaxed) }
    }

    /// Takes all items out of a set.
    #[inline(always)]
    pub(crate) fn take(&self, number: u64) -> u64 {
        let word = &self.0[number as usize];
        if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) }
    }
}
