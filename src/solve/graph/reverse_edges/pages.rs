//! Pages of memory that pass from one use to the next without returning to the system.

use std::slice::ChunksExactMut;
use std::sync::Mutex;

use crate::runtime::pool::lock;

/// A page.
pub(super) type Page<'m> = &'m mut [u8];

/// The pages of one piece of memory. Memory of pages that were never taken is not touched.
#[derive(Debug)]
pub(super) struct PagePool<'m> {
    /// The number of pages, free or not.
    count: u64,
    fresh: Mutex<ChunksExactMut<'m, u8>>,
    /// Pages that were taken and put back.
    free: Mutex<Vec<Page<'m>>>,
}

impl<'m> PagePool<'m> {
    /// Divides this memory into pages of `page_bytes` bytes.
    pub(super) fn new(memory: &'m mut [u8], page_bytes: usize) -> PagePool<'m> {
        let fresh = memory.chunks_exact_mut(page_bytes);
        PagePool { count: fresh.len() as u64, fresh: Mutex::new(fresh), free: Mutex::default() }
    }

    /// The number of pages, free or not.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The number of free pages.
    pub(super) fn available(&self) -> u64 {
        (lock(&self.fresh).len() + lock(&self.free).len()) as u64
    }

    /// A page with any contents; `None` if all are taken.
    pub(super) fn take(&self) -> Option<Page<'m>> {
        lock(&self.free).pop().or_else(|| lock(&self.fresh).next())
    }

    /// Takes pages back, for others to use.
    pub(super) fn put_back(&self, pages: impl IntoIterator<Item = Page<'m>>) {
        lock(&self.free).extend(pages);
    }
}
