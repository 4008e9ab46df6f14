//! Pages of a table's values in memory, which contain the values of successors.
//!
//! All pages have the same length, a power of two. During a pass the pages don't change, and
//! threads mark the pages that they miss. Between passes the missing pages are loaded, and replace
//! the pages that were loaded first.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TableError;
use crate::runtime::memory::prefetch;
use crate::runtime::progress::OnProgress;
use crate::table::loaded::{Code, CodedValues, ValueRange};
use crate::table::open::TableFile;
use crate::table::storage::Storage;
use crate::verify::rank::Rank;
use crate::verify::source::{ValueSource, best_of};

/// The least number of values of a page.
const SHORTEST: u64 = 1 << 12;

/// The least number of pages that there is room for, even if memory is short.
const LEAST: u64 = 4;

/// The number of pages that there should be room for. If there is, a page is a block of the file,
/// since any part of a block costs the decompression of the whole block. Otherwise pages are
/// shorter, to hold fewer unneeded values.
const ENOUGH: u64 = 64;

/// The slot of a page that is not in memory.
const NOWHERE: u32 = u32::MAX;

/// Some of the values of a table, by pages.
pub(crate) struct Pages<C> {
    /// The number of bits by which an index is shifted right to get its page.
    shift: u32,
    /// The codes of all slots. Each slot has room for a page.
    values: CodedValues<C>,
    /// The slot of each page.
    slot_of: Vec<u32>,
    /// The page in each slot.
    page_in: Vec<Option<u64>>,
    /// The slot to fill next, whose page was loaded first.
    next: usize,
    /// Whether each page was in memory at some time since the chunk began.
    was_loaded: Vec<bool>,
    /// Whether each page is missing: it contains a successor, and was not loaded for this chunk.
    missing: Vec<AtomicBool>,
    /// The number of indices of the table.
    len: u64,
}

impl<C: Code> Pages<C> {
    /// Makes room for roughly this many bytes of a table's values, with no page loaded.
    pub(crate) fn new<S: Storage>(
        table: &TableFile<S>,
        palette: Vec<u16>,
        bytes: u64,
    ) -> Result<Pages<C>, TableError> {
        let (len, room) = (table.header().len, bytes / size_of::<C>() as u64);
        let page = table.block_values().min(room / ENOUGH).max(SHORTEST);
        let shift = page.ilog2();
        let pages = len.div_ceil(1 << shift) as usize;
        let slots = (room >> shift).max(LEAST).min(pages as u64);
        Ok(Pages {
            shift,
            values: CodedValues::zeroed(palette, table.scale(), slots << shift)?,
            slot_of: filled(pages, || NOWHERE)?,
            page_in: filled(slots as usize, || None)?,
            next: 0,
            was_loaded: filled(pages, || false)?,
            missing: filled(pages, || AtomicBool::new(false))?,
            len,
        })
    }

    /// The values in memory, as one thread sees them. `missed` is set when it needs a page that was
    /// not loaded.
    #[inline]
    pub(crate) fn view<'p>(&'p self, missed: &'p Cell<bool>) -> PageView<'p, C> {
        PageView { pages: self, codes: &self.values.codes, missed }
    }

    /// The page of an index, and its place in that page.
    #[inline]
    fn page(&self, index: u64) -> (usize, usize) {
        ((index >> self.shift) as usize, (index & ((1 << self.shift) - 1)) as usize)
    }

    /// Begins another chunk.
    pub(crate) fn begin(&mut self) {
        for (was_loaded, &slot) in self.was_loaded.iter_mut().zip(&self.slot_of) {
            *was_loaded = slot != NOWHERE;
        }
        self.forget_missing();
    }

    /// Clears the marks of missing pages, until a pass misses them again.
    pub(crate) fn forget_missing(&mut self) {
        self.missing.iter_mut().for_each(|missing| *missing.get_mut() = false);
    }

    /// Loads as many missing pages as there is room for. Returns false if one of their values has
    /// no code. After that, or after an error, the pages in memory are unreliable.
    pub(crate) fn load<S: Storage>(
        &mut self,
        table: &TableFile<S>,
        done: (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<bool, TableError> {
        let missing =
            (0_u64..).zip(&self.missing).filter(|(_, missing)| missing.load(Ordering::Relaxed));
        let pages: Vec<u64> = missing.map(|(page, _)| page).take(self.page_in.len()).collect();
        let mut parts = Vec::with_capacity(pages.len());
        for page in pages {
            let slot = self.next;
            self.next = (slot + 1) % self.page_in.len();
            if let Some(before) = self.page_in[slot].replace(page) {
                self.slot_of[before as usize] = NOWHERE;
            }
            let at = page as usize;
            (self.slot_of[at], self.was_loaded[at]) = (slot as u32, true);
            *self.missing[at].get_mut() = false;
            let indices = page << self.shift..self.len.min((page + 1) << self.shift);
            parts.push(ValueRange { indices, first_code: (slot as u64) << self.shift });
        }
        table.load_into(&mut self.values, parts, done, progress)
    }
}

/// A vector of this many items, or an error if there is no memory for them.
fn filled<T>(len: usize, item: impl Fn() -> T) -> Result<Vec<T>, TableError> {
    let mut items = Vec::new();
    let bytes = (len * size_of::<T>()) as u64;
    items.try_reserve_exact(len).map_err(|_| TableError::OutOfMemory { bytes })?;
    items.resize_with(len, item);
    Ok(items)
}

/// The pages in memory, as one thread sees them.
#[derive(Clone, Copy)]
pub(crate) struct PageView<'p, C> {
    pages: &'p Pages<C>,
    codes: &'p [C],
    missed: &'p Cell<bool>,
}

impl<C: Code> PageView<'_, C> {
    #[cold]
    fn miss(&self, page: usize) {
        if !self.pages.was_loaded[page] {
            let missing = &self.pages.missing[page];
            // Other threads read the same cache line, so it is written only once.
            if !missing.load(Ordering::Relaxed) {
                missing.store(true, Ordering::Relaxed);
            }
            self.missed.set(true);
        }
    }
}

impl<C: Code> ValueSource for PageView<'_, C> {
    #[inline]
    fn code(&self, index: u64) -> Option<usize> {
        if index >= self.pages.len {
            return None;
        }
        let (page, place) = self.pages.page(index);
        match self.pages.slot_of[page] {
            NOWHERE => {
                self.miss(page);
                None
            }
            slot => Some(self.codes[(slot as usize) << self.pages.shift | place].index()),
        }
    }

    #[inline]
    fn prefetch(&self, index: u64) {
        if index < self.pages.len {
            let (page, place) = self.pages.page(index);
            // A page that is not in memory has the greatest slot, which is beyond the codes.
            prefetch(self.codes, (self.pages.slot_of[page] as usize) << self.pages.shift | place);
        }
    }

    fn best(&self, indices: Range<u64>, rank: impl Fn(usize) -> Rank) -> Option<Rank> {
        let (first, last) = (self.pages.page(indices.start).0, self.pages.page(indices.end - 1).0);
        // All pages must be in memory before any work is done.
        if self.pages.slot_of[first..=last].contains(&NOWHERE) {
            return None;
        }
        let mut best = Rank::NONE;
        let mut at = indices.start;
        while at < indices.end {
            let (page, place) = self.pages.page(at);
            let end = indices.end.min((page as u64 + 1) << self.pages.shift);
            let first = (self.pages.slot_of[page] as usize) << self.pages.shift | place;
            best = best.max(best_of(&self.codes[first..first + (end - at) as usize], &rank));
            at = end;
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::value::{Scale, Value};
    use crate::runtime::memory::Array;
    use crate::verify::rank::Preference;

    /// Three pages of four indices (the last of two) with the codes 100 to 109. Pages 0 and 2 are
    /// in memory.
    fn two_of_three() -> Pages<u16> {
        let mut codes = Array::zeroed(8, "a test").unwrap();
        codes.copy_from_slice(&[108, 109, 0, 0, 100, 101, 102, 103]);
        Pages {
            shift: 2,
            values: CodedValues { palette: Vec::new(), codes, scale: Scale::PLAIN },
            slot_of: vec![1, NOWHERE, 0],
            page_in: vec![Some(2), Some(0)],
            next: 0,
            was_loaded: vec![false; 3],
            missing: [false; 3].map(AtomicBool::new).into(),
            len: 10,
        }
    }

    #[test]
    fn a_page_is_missing_unless_it_was_loaded_for_the_chunk() {
        let mut pages = two_of_three();
        pages.begin();
        let missed = Cell::new(false);
        let view = pages.view(&missed);
        let codes = [0, 3, 8, 9, 10, 11, 12, u64::MAX].map(|index| view.code(index));
        assert_eq!(
            codes,
            [Some(100), Some(103), Some(108), Some(109), None, None, None, None],
            "there are ten indices"
        );
        assert!(!missed.get());
        assert_eq!([4, 7].map(|index| view.code(index)), [None; 2]);
        assert!(missed.replace(false));
        let missing = |pages: &mut Pages<u16>| {
            pages.missing.iter_mut().map(|page| *page.get_mut()).collect::<Vec<_>>()
        };
        assert_eq!(missing(&mut pages), [false, true, false]);

        // Page 1 replaces page 0.
        (pages.slot_of, pages.page_in) = (vec![NOWHERE, 1, 0], vec![Some(2), Some(1)]);
        *pages.missing[1].get_mut() = false;
        assert_eq!(pages.view(&missed).code(0), None);
        assert!(!missed.get(), "it was loaded for this chunk");
        pages.begin();
        assert_eq!(pages.view(&missed).code(0), None);
        assert!(missed.get(), "it was not loaded for the next chunk");
        assert_eq!(missing(&mut pages), [true, false, false]);
    }

    #[test]
    fn the_best_rank_is_known_where_all_pages_are_in_memory() {
        let mut pages = two_of_three();
        let preference =
            Preference { endless_loses: true, outcomes_only: false, has_points: false };
        let rank = |code: usize| preference.rank(Value::Win(code as u32), false);
        let best_of = |pages: &Pages<u16>, indices| {
            let best = pages.view(&Cell::new(false)).best(indices, rank)?;
            (100..110).find(|&code| rank(code) == best)
        };
        assert_eq!(best_of(&pages, 0..4), Some(103));
        assert_eq!(best_of(&pages, 1..3), Some(102));
        assert_eq!(best_of(&pages, 8..10), Some(109));
        assert_eq!(best_of(&pages, 0..8), None);
        assert_eq!(best_of(&pages, 7..10), None);
        // The first two pages instead.
        pages.values.codes[..4].copy_from_slice(&[104, 105, 106, 107]);
        pages.slot_of = vec![1, 0, NOWHERE];
        assert_eq!(best_of(&pages, 0..8), Some(107));
        assert_eq!(best_of(&pages, 2..6), Some(105));
    }
}
