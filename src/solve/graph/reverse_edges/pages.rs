//! Pages of memory, or of a scratch file, that pass from one use to the next without returning to the
//! system.

use std::slice::ChunksExactMut;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runtime::lock::lock;
use crate::runtime::scratch::{Growth, Scratch};

/// A page.
pub(super) type Page<'m> = &'m mut [u8];

/// The pages of one piece of memory. Memory of pages that were never taken is not touched.
#[derive(Debug)]
pub(super) struct PagePool<'m> {
    fresh: Mutex<Fresh<'m>>,
    /// Pages that were taken and put back.
    free: Mutex<Vec<Page<'m>>>,
    /// Where the memory is a file.
    scratch: Option<Arc<Scratch>>,
}

/// The pages that were never taken.
#[derive(Debug)]
struct Fresh<'m> {
    pages: ChunksExactMut<'m, u8>,
    /// The number of pages that were.
    taken: u64,
    /// Takes place on the disk for them, if they are in a file.
    growth: Option<&'m mut Growth>,
}

impl<'m> PagePool<'m> {
    /// Divides this memory into pages of `page_bytes` bytes.
    pub(super) fn new(memory: &'m mut [u8], page_bytes: usize) -> PagePool<'m> {
        let fresh = Fresh { pages: memory.chunks_exact_mut(page_bytes), taken: 0, growth: None };
        PagePool { fresh: Mutex::new(fresh), free: Mutex::default(), scratch: None }
    }

    /// These pages, whose memory is a file that grows.
    pub(super) fn in_file(mut self, growth: &'m mut Growth, scratch: Arc<Scratch>) -> Self {
        self.fresh.get_mut().unwrap_or_else(PoisonError::into_inner).growth = Some(growth);
        PagePool { scratch: Some(scratch), ..self }
    }

    /// Where the memory is a file.
    pub(super) fn scratch(&self) -> Option<&Arc<Scratch>> {
        self.scratch.as_ref()
    }

    /// The number of pages, free or not.
    pub(super) fn count(&self) -> u64 {
        let fresh = lock(&self.fresh);
        fresh.taken + fresh.pages.len() as u64
    }

    /// The number of free pages.
    pub(super) fn available(&self) -> u64 {
        (lock(&self.fresh).pages.len() + lock(&self.free).len()) as u64
    }

    /// A page with any contents; `None` if all are taken.
    pub(super) fn take(&self) -> Option<Page<'m>> {
        lock(&self.free).pop().or_else(|| lock(&self.fresh).next())
    }

    /// Lets a page go from memory until it is used again, if it is in a file.
    pub(super) fn let_go(&self, page: &Page<'m>) {
        if let Some(scratch) = &self.scratch {
            scratch.let_go(page);
        }
    }

    /// Takes pages back, for others to use.
    pub(super) fn put_back(&self, pages: impl IntoIterator<Item = Page<'m>>) {
        let let_go = |page: &Page<'m>| self.let_go(page);
        lock(&self.free).extend(pages.into_iter().inspect(let_go));
    }
}

impl<'m> Fresh<'m> {
    /// The next page. Without room for it on the disk, there are no more.
    fn next(&mut self) -> Option<Page<'m>> {
        let page = self.pages.next()?;
        let end = (self.taken + 1) * page.len() as u64;
        if self.growth.as_mut().is_some_and(|growth| !growth.reaches(end)) {
            self.pages = [].chunks_exact_mut(1);
            return None;
        }
        self.taken += 1;
        Some(page)
    }
}
