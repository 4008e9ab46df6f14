//! The buckets of a [sorter](super::sorted): how they are filled and applied.

use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};

use crate::error::SolveError;
use crate::runtime::NoRoom;
use crate::runtime::frontier::Part;
use crate::runtime::memory::prefetch;
use crate::runtime::plain_file::PlainFile;
use crate::runtime::pool::CancellationToken;
use crate::runtime::scratch::{Scratch, ScratchError};
use crate::solve::cells::cell::{Cell, Settling, Update};
use crate::solve::graph::batch::Batch;
use crate::solve::graph::predecessors::Predecessors;
use crate::solve::levels::backward::rule::Rule;
use crate::solve::levels::backward::states::Target;
use crate::solve::levels::backward::walk::{STRETCH, Walk, out_of_range};

/// The number of updates in a page, if no pages are written into files.
pub(super) const PAGE: usize = 1 << 10;

/// How many updates ahead a cell is fetched.
const AHEAD: usize = 16;

/// Updates. Each is twice the place within its bucket, plus a bit: whether the update settles the
/// state on its own.
type Page = Box<[u32]>;

/// The updates that one thread found, by bucket.
#[derive(Default)]
pub(super) struct FoundUpdates {
    pub(super) buckets: Vec<Bucket>,
    /// Unused pages, with any contents.
    free: Vec<Page>,
    /// The number of updates in a page.
    pub(super) page: usize,
    /// Where full pages go, if not into memory.
    pub(super) file: Option<PageFile>,
    /// How many pages may be filled in a round, and how many are left in this round.
    pub(super) most: usize,
    left: usize,
    /// An index beyond the last one for which an update was found.
    unowned: Option<u64>,
    /// Why a page could not be written.
    failed: Option<ScratchError>,
}

/// The updates of one bucket.
#[derive(Default)]
pub(super) struct Bucket {
    full: Vec<Page>,
    /// Its pages in the file.
    in_file: Vec<PageInFile>,
    page: Page,
    used: usize,
}

/// Applies the updates of one bucket, whose first state has the index `start`. Returns how many
/// states any one successor settled, and how many needed all successors.
pub(super) fn apply<C: Cell>(
    start: u64,
    cells: &mut [C],
    next: &mut Part<'_>,
    pages: &mut [&mut [u32]],
    settling: Settling<'_, C>,
) -> [u64; 2] {
    let mut settled = [0; 2];
    let line = 64 / size_of::<C>();
    let count: usize = pages.iter().map(|page| page.len()).sum();
    let are_many = count >= cells.len() / line;
    if are_many {
        (0..cells.len()).step_by(line).for_each(|at| prefetch(cells, at));
    }
    for page in pages {
        let [any, all, left] = match are_many {
            true => apply_page::<false, C>(cells, next, page, settling),
            false => apply_page::<true, C>(cells, next, page, settling),
        };
        settled = [settled[0] + any as u64, settled[1] + all as u64];
        for &update in &page[..left] {
            let (place, any) = place_and_kind(update);
            let index = start + place as u64;
            if settling.apply_saturated(&mut cells[place], any, index) == Update::Settled {
                next.insert(place as u64);
                settled[usize::from(!any)] += 1;
            }
        }
    }
    settled
}

/// Applies a page of updates, except the updates that need a call. Moves these to the front.
/// Returns how many states any one successor settled, how many needed all successors, and how many
/// updates are left.
///
/// Not inlined, so that its loop has all the registers.
#[inline(never)]
fn apply_page<const FETCH: bool, C: Cell>(
    cells: &mut [C],
    next: &mut Part<'_>,
    page: &mut [u32],
    settling: Settling<'_, C>,
) -> [usize; 3] {
    let (mut any_settled, mut all_settled, mut left) = (0, 0, 0);
    for at in 0..page.len() {
        if FETCH && let Some(&later) = page.get(at + AHEAD) {
            prefetch(cells, place_and_kind(later).0);
        }
        let update = page[at];
        let (place, any) = place_and_kind(update);
        let Some(cell) = cells.get_mut(place) else { continue };
        match settling.apply(cell, any) {
            Update::Nothing => {}
            Update::Settled => {
                next.insert(place as u64);
                any_settled += usize::from(any);
                all_settled += usize::from(!any);
            }
            Update::Saturated => {
                page[left] = update;
                left += 1;
            }
        }
    }
    [any_settled, all_settled, left]
}

/// The place of an update within its bucket, and whether the update settles the state on its own.
#[inline(always)]
fn place_and_kind(update: u32) -> (usize, bool) {
    ((update >> 1) as usize, update & 1 == 1)
}

impl Bucket {
    /// The number of updates, with this number in a full page.
    pub(super) fn updates(&self, page: usize) -> usize {
        (self.full.len() + self.in_file.len()) * page + self.used
    }

    /// The pages, as far as they contain updates.
    pub(super) fn pages(&mut self) -> impl Iterator<Item = &mut [u32]> {
        let last = &mut self.page[..self.used];
        self.full.iter_mut().map(|page| &mut page[..]).chain([last])
    }
}

impl FoundUpdates {
    /// Empty buckets, with `pages` pages for a round.
    pub(super) fn new(buckets: usize, pages: usize) -> FoundUpdates {
        let buckets = std::iter::repeat_with(Bucket::default).take(buckets).collect();
        FoundUpdates { buckets, most: pages, left: pages, page: PAGE, ..FoundUpdates::default() }
    }

    /// Empty buckets, whose full pages of `page` updates go into a file.
    pub(super) fn in_file(buckets: usize, page: usize, file: PageFile) -> FoundUpdates {
        let file = Some(file);
        FoundUpdates { page, file, ..FoundUpdates::new(buckets, usize::MAX) }
    }

    /// Begins a new page for a bucket, with an update.
    #[cold]
    #[inline(never)]
    fn turn_page(&mut self, bucket: usize, update: u32) {
        let bucket = &mut self.buckets[bucket];
        if let Some(file) = self.file.as_mut().filter(|_| !bucket.page.is_empty()) {
            match file.add(&bucket.page) {
                Ok(Some(page)) => {
                    bucket.in_file.push(page);
                    bucket.page[0] = update;
                    bucket.used = 1;
                    return;
                }
                Ok(None) => {}
                Err(error) => self.failed = Some(error),
            }
            // The file has no room, so the updates found so far are applied first.
            self.left = 0;
        }
        let mut page = self.free.pop().unwrap_or_else(|| vec![0; self.page].into_boxed_slice());
        page[0] = update;
        let full = std::mem::replace(&mut bucket.page, page);
        if !full.is_empty() {
            bucket.full.push(full);
        }
        bucket.used = 1;
        // `left` can be 0 already: a walk continues to the end of its chunk.
        self.left = self.left.saturating_sub(1);
    }

    /// Takes back the pages of a bucket, whose updates are applied.
    pub(super) fn put_back(&mut self, bucket: Bucket) {
        let pages = bucket.full.into_iter().chain([bucket.page]);
        self.free.extend(pages.filter(|page| !page.is_empty()));
        if let Some(file) = &mut self.file {
            // More than one for each bucket were for a file without room.
            self.free.truncate(self.buckets.len());
            file.used = 0;
        }
        self.left = self.most;
    }
}

/// Full pages in a scratch file.
pub(super) struct PageFile {
    scratch: Arc<Scratch>,
    file: Option<PlainFile>,
    /// The number of updates in a page.
    page: usize,
    /// The number of pages in use, and the most.
    used: u32,
    most: u32,
}

/// A page in a file, which is noticed if it is not what was written.
pub(super) struct PageInFile {
    number: u32,
    checksum: u32,
}

/// The least and the most updates in a page that is written into a file.
pub(super) const LEAST_PAGE: u64 = 1 << 6;
pub(super) const MOST_PAGE: u64 = 1 << 14;

impl PageFile {
    /// Room for `pages` pages of `page` updates.
    pub(super) fn new(scratch: &Arc<Scratch>, pages: u64, page: usize) -> PageFile {
        let (scratch, most) = (Arc::clone(scratch), u32::try_from(pages).unwrap_or(u32::MAX));
        PageFile { scratch, file: None, page, used: 0, most }
    }

    /// Where a page is in the file.
    fn place(&self, number: u32) -> u64 {
        u64::from(number) * (self.page * size_of::<u32>()) as u64
    }

    /// Adds a page. `None` if there is no room.
    fn add(&mut self, page: &[u32]) -> Result<Option<PageInFile>, ScratchError> {
        if self.used == self.most {
            return Ok(None);
        }
        match self.put(page) {
            Err(error) if error.is_of_room() => {
                // Others need the rest of the disk.
                self.file.iter().for_each(|file| file.cut(self.place(self.used)));
                Ok(None)
            }
            added => added.map(Some),
        }
    }

    fn put(&mut self, page: &[u32]) -> Result<PageInFile, ScratchError> {
        let (number, place) = (self.used, self.place(self.used));
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(PlainFile::new_in(&self.scratch)?),
        };
        let checksum = file.write(cast_slice(page), place)?;
        self.used += 1;
        Ok(PageInFile { number, checksum })
    }

    /// Hands each page of a bucket to `apply`, which may change the copy that it gets.
    ///
    /// # Errors
    /// If a page can't be read, or is not what was written.
    pub(super) fn each(
        &self,
        bucket: &Bucket,
        mut apply: impl FnMut(&mut [u32]),
    ) -> Result<(), SolveError> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut page = vec![0; if bucket.in_file.is_empty() { 0 } else { self.page }];
        for &PageInFile { number, checksum } in &bucket.in_file {
            let read = file.read(cast_slice_mut(&mut page), self.place(number), checksum);
            read.map_err(NoRoom::OnDisk)?;
            apply(&mut page);
        }
        Ok(())
    }
}

/// Sorts the updates for the states of all threads into buckets, to be applied later.
pub(super) struct SortedUpdates<'f, C> {
    pub(super) found: &'f mut FoundUpdates,
    pub(super) cells: &'f [C],
    /// The number of indices.
    pub(super) len: u64,
    /// The number of bits of a place within a bucket.
    pub(super) bits: u32,
}

impl<C: Cell> SortedUpdates<'_, C> {
    /// Walks until there is no room for more updates, or `most` states are walked.
    pub(super) fn walk<P: Predecessors>(
        &mut self,
        walk: &mut Walk<'_>,
        graph: &P,
        rule: impl Rule<C>,
        most: u64,
        token: &dyn CancellationToken,
    ) -> Result<(), SolveError> {
        let (mut walked, mut found) = (0, Batch::new());
        while !walk.is_done() && !self.is_full() && walked < most {
            let end = walk.end_of_words(STRETCH.min(most));
            match P::LOOKED_UP {
                true => walk.walk_looked_up(end, graph, rule, self, &mut found),
                false => walk.walk::<P, C>(end, graph.context(), rule, self),
            }
            let before = std::mem::replace(&mut walked, walk.count());
            if token.done(walked - before).is_break() {
                break;
            }
        }
        if let Some(error) = self.found.failed.take() {
            return Err(NoRoom::OnDisk(error).into());
        }
        self.found.unowned.map_or(Ok(()), |index| Err(out_of_range(graph, index)))
    }
}

impl<C: Cell> Target<C> for SortedUpdates<'_, C> {
    #[inline(always)]
    fn place(&self, index: u64) -> u64 {
        index
    }

    #[inline(always)]
    fn cell(&self, index: u64) -> C {
        self.cells[index as usize]
    }

    #[inline(always)]
    fn prefetch(&self, _: u64) {}

    /// Not inlined, so that its loop has all the registers.
    #[inline(never)]
    fn apply(&mut self, places: &mut [u64], any: bool) {
        let SortedUpdates { len, bits, .. } = *self;
        let mask = (1 << bits) - 1;
        for &mut index in places {
            if index >= len {
                self.found.unowned = Some(index);
                continue;
            }
            let at = (index >> bits) as usize;
            let update = ((index & mask) as u32) << 1 | u32::from(any);
            let bucket = &mut self.found.buckets[at];
            if let Some(free) = bucket.page.get_mut(bucket.used) {
                *free = update;
                bucket.used += 1;
            } else {
                self.found.turn_page(at, update);
            }
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.found.left == 0
    }
}
