//! Sorting, and work on many items, by several threads.

use std::cmp::Ordering;

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// With fewer items than this, one thread sorts.
const BIG: usize = 1 << 12;

/// Sorts items by `threads` threads. Equal items may change places.
pub(crate) fn sort_by<T: Send>(
    items: &mut [T],
    threads: usize,
    compare: impl Fn(&T, &T) -> Ordering + Send + Sync,
) {
    if threads > 1 && items.len() >= BIG
        // If the system provides no threads, this thread sorts.
        && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
    {
        pool.install(|| items.par_sort_unstable_by(compare));
    } else {
        items.sort_unstable_by(compare);
    }
}

/// Does some work for each item, by `threads` threads, in any order.
pub(crate) fn each_of<T: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) + Send + Sync) {
    if threads > 1
        && items.len() > 1
        && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
    {
        pool.install(|| items.into_par_iter().for_each(work));
    } else {
        items.into_iter().for_each(work);
    }
}
