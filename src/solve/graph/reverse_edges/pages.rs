//! Pages of memory that go from one use to the next without a way back to the system.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::runtime::pool::lock;

/// A page.
pub(super) type Page = Box<[u8]>;

/// Pages, and how many there may be.
#[derive(Debug)]
pub(super) struct PagePool {
    bytes: usize,
    /// How many pages there may be.
    most: u64,
    /// How many there are, free or not.
    count: AtomicU64,
    free: Mutex<Vec<Page>>,
}

impl PagePool {
    /// A pool of pages of so many bytes, and of at most so many pages.
    pub(super) fn new(bytes: usize, most: u64) -> PagePool {
        PagePool { bytes, most, count: AtomicU64::new(0), free: Mutex::default() }
    }

    /// How many pages there may be.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// A page with anything in it; `None` if there are too many.
    pub(super) fn take(&self) -> Option<Page> {
        if let Some(page) = lock(&self.free).pop() {
            return Some(page);
        }
        if self.count.fetch_add(1, Ordering::Relaxed) >= self.most {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(vec![0; self.bytes].into_boxed_slice())
    }

    /// Takes pages back, for others to use.
    pub(super) fn put_back(&self, pages: impl IntoIterator<Item = Page>) {
        lock(&self.free).extend(pages);
    }
}
