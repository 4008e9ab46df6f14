//! Some of the values of a table in memory, by pages: those that successors lie in.

use std::cell::Cell as Note;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TableError;
use crate::runtime::progress::OnProgress;
use crate::table::loaded::{Goal, LoadedValues};
use crate::table::open::Tablebase;
use crate::table::storage::Storage;
use crate::verify::cells::{Cell, best};
use crate::verify::choice::Held;
use crate::verify::worth::Worth;

/// How many values a page has at the least.
const SHORTEST: u64 = 1 << 12;

/// For how many pages there is room, whatever memory is allowed.
const LEAST: u64 = 4;

/// For how many pages there should be room. A page is a block of the file if that is so, since the whole
/// block is decompressed for any part of it; and else less, so that little is in memory beside what is
/// wanted.
const ENOUGH: u64 = 64;

/// That a page is not in memory.
const NOWHERE: u32 = u32::MAX;

/// Pages of values.
pub(crate) struct Pages {
    /// How often a number is halved to get that of its page.
    shift: u32,
    /// The cells of all slots, each of which has room for a page.
    values: LoadedValues,
    /// In which slot each page is.
    slot_of: Vec<u32>,
    /// Which page each slot has.
    page_in: Vec<Option<u64>>,
    /// The slot that is filled next: that of the page that has been here longest.
    next: usize,
    /// Whether each page is here, or was since the lot began.
    had: Vec<bool>,
    /// Whether each page is wanted: a successor lies in it, and it has not been here.
    wanted: Vec<AtomicBool>,
    /// How many numbers the table has.
    of: u64,
}

impl Pages {
    /// For about so many bytes of a table's values, in cells like these: no page is here.
    pub(crate) fn new<C: Cell, S: Storage + Sync>(
        table: &Tablebase<S>,
        bytes: u64,
    ) -> Result<Pages, TableError> {
        let (of, room) = (table.header().len, bytes / size_of::<C>() as u64);
        let page = table.block_values().min(room / ENOUGH).max(SHORTEST);
        let shift = page.ilog2();
        let pages = of.div_ceil(1 << shift) as usize;
        let room = (room >> shift).max(LEAST).min(pages as u64);
        Ok(Pages {
            shift,
            values: table.room(room << shift, C::IS_BYTE)?,
            slot_of: filled(pages, || NOWHERE)?,
            page_in: filled(room as usize, || None)?,
            next: 0,
            had: filled(pages, || false)?,
            wanted: filled(pages, || AtomicBool::new(false))?,
            of,
        })
    }

    /// What is here, in cells of this kind, for somebody who notes whether anything was missed.
    #[inline]
    pub(crate) fn here<'p, C: Cell>(&'p self, missed: &'p Note<bool>) -> Here<'p, C> {
        Here { pages: self, cells: C::of(&self.values), missed }
    }

    /// The page of a number, and its place there.
    #[inline]
    fn page(&self, number: u64) -> (usize, usize) {
        ((number >> self.shift) as usize, (number & ((1 << self.shift) - 1)) as usize)
    }

    /// Other states begin to want pages.
    pub(crate) fn begin(&mut self) {
        for (had, &slot) in self.had.iter_mut().zip(&self.slot_of) {
            *had = slot != NOWHERE;
        }
        self.want_none();
    }

    /// No page is wanted, until somebody asks for it again.
    pub(crate) fn want_none(&mut self) {
        self.wanted.iter_mut().for_each(|wanted| *wanted.get_mut() = false);
    }

    /// Loads pages that are wanted, as many as there is room for, and says whether there is a cell for each of
    /// their values; if not, or where that fails, nothing is here that can be relied on.
    pub(crate) fn load<S: Storage + Sync>(
        &mut self,
        table: &Tablebase<S>,
        done: (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<bool, TableError> {
        let wanted =
            (0_u64..).zip(&self.wanted).filter(|(_, wanted)| wanted.load(Ordering::Relaxed));
        let pages: Vec<u64> = wanted.map(|(page, _)| page).take(self.page_in.len()).collect();
        let mut goals = Vec::with_capacity(pages.len());
        for page in pages {
            let slot = self.next;
            self.next = (slot + 1) % self.page_in.len();
            if let Some(before) = self.page_in[slot].replace(page) {
                self.slot_of[before as usize] = NOWHERE;
            }
            let at = page as usize;
            (self.slot_of[at], self.had[at]) = (slot as u32, true);
            *self.wanted[at].get_mut() = false;
            let numbers = page << self.shift..self.of.min((page + 1) << self.shift);
            goals.push(Goal { numbers, first_cell: (slot as u64) << self.shift });
        }
        table.load_into(&mut self.values, goals, done, progress)
    }
}

/// So many of these, if there is memory for them.
fn filled<T>(len: usize, item: impl Fn() -> T) -> Result<Vec<T>, TableError> {
    let mut items = Vec::new();
    let bytes = (len * size_of::<T>()) as u64;
    items.try_reserve_exact(len).map_err(|_| TableError::OutOfMemory { bytes })?;
    items.resize_with(len, item);
    Ok(items)
}

/// The pages that are here.
#[derive(Clone, Copy)]
pub(crate) struct Here<'p, C> {
    pages: &'p Pages,
    cells: &'p [C],
    /// Whether a page was wanted that has not been here.
    missed: &'p Note<bool>,
}

impl<C: Cell> Here<'_, C> {
    #[cold]
    fn want(&self, page: usize) {
        if !self.pages.had[page] {
            let wanted = &self.pages.wanted[page];
            // Others have it in their memory to read it, too.
            if !wanted.load(Ordering::Relaxed) {
                wanted.store(true, Ordering::Relaxed);
            }
            self.missed.set(true);
        }
    }
}

impl<C: Cell> Held for Here<'_, C> {
    #[inline]
    fn cell(&self, number: u64) -> Option<usize> {
        if number >= self.pages.of {
            return None;
        }
        let (page, place) = self.pages.page(number);
        match self.pages.slot_of[page] {
            NOWHERE => {
                self.want(page);
                None
            }
            slot => Some(self.cells[(slot as usize) << self.pages.shift | place].index()),
        }
    }

    fn most(&self, numbers: Range<u64>, worth: impl Fn(usize) -> Worth) -> Option<Worth> {
        let (first, last) = (self.pages.page(numbers.start).0, self.pages.page(numbers.end - 1).0);
        // All of it before any of the work.
        if self.pages.slot_of[first..=last].contains(&NOWHERE) {
            return None;
        }
        let mut most = Worth::NOTHING;
        let mut at = numbers.start;
        while at < numbers.end {
            let (page, place) = self.pages.page(at);
            let end = numbers.end.min((page as u64 + 1) << self.pages.shift);
            let first = (self.pages.slot_of[page] as usize) << self.pages.shift | place;
            most = most.max(best(&self.cells[first..first + (end - at) as usize], &worth));
            at = end;
        }
        Some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::memory::Array;
    use crate::value::Value;
    use crate::verify::worth::Scale;

    /// Three pages of four numbers, the last of two, with the cells 100 to 109; pages 0 and 2 are here.
    fn two_of_three() -> Pages {
        let mut cells = Array::zeroed(8, "a test").unwrap();
        cells.copy_from_slice(&[108, 109, 0, 0, 100, 101, 102, 103]);
        Pages {
            shift: 2,
            values: LoadedValues::Packed(cells),
            slot_of: vec![1, NOWHERE, 0],
            page_in: vec![Some(2), Some(0)],
            next: 0,
            had: vec![false; 3],
            wanted: [false; 3].map(AtomicBool::new).into(),
            of: 10,
        }
    }

    #[test]
    fn what_is_not_here_is_wanted_unless_it_was_here_before() {
        let mut pages = two_of_three();
        pages.begin();
        let missed = Note::new(false);
        let here = pages.here::<u16>(&missed);
        let cells = [0, 3, 8, 9, 10, 11, 12, u64::MAX].map(|number| here.cell(number));
        assert_eq!(
            cells,
            [Some(100), Some(103), Some(108), Some(109), None, None, None, None],
            "there are ten numbers"
        );
        assert!(!missed.get());
        assert_eq!([4, 7].map(|number| here.cell(number)), [None; 2]);
        assert!(missed.replace(false));
        let wanted = |pages: &mut Pages| {
            pages.wanted.iter_mut().map(|page| *page.get_mut()).collect::<Vec<_>>()
        };
        assert_eq!(wanted(&mut pages), [false, true, false]);

        // Another takes the place of page 0.
        (pages.slot_of, pages.page_in) = (vec![NOWHERE, 1, 0], vec![Some(2), Some(1)]);
        *pages.wanted[1].get_mut() = false;
        assert_eq!(pages.here::<u16>(&missed).cell(0), None);
        assert!(!missed.get(), "it was here for these states");
        pages.begin();
        assert_eq!(pages.here::<u16>(&missed).cell(0), None);
        assert!(missed.get(), "it was not here for others");
        assert_eq!(wanted(&mut pages), [true, false, false]);
    }

    #[test]
    fn the_best_of_numbers_is_known_where_all_their_pages_are_here() {
        let mut pages = two_of_three();
        let scale = Scale { hurries_to_draws: true, outcomes_only: false };
        let worth = |cell: usize| scale.worth(Value::Win(cell as u32), false);
        let best_of = |pages: &Pages, numbers| {
            let most = pages.here::<u16>(&Note::new(false)).most(numbers, worth)?;
            (100..110).find(|&cell| worth(cell) == most)
        };
        assert_eq!(best_of(&pages, 0..4), Some(103));
        assert_eq!(best_of(&pages, 1..3), Some(102));
        assert_eq!(best_of(&pages, 8..10), Some(109));
        assert_eq!(best_of(&pages, 0..8), None);
        assert_eq!(best_of(&pages, 7..10), None);
        // The first two pages instead.
        let LoadedValues::Packed(cells) = &mut pages.values else { unreachable!() };
        cells[..4].copy_from_slice(&[104, 105, 106, 107]);
        pages.slot_of = vec![1, 0, NOWHERE];
        assert_eq!(best_of(&pages, 0..8), Some(107));
        assert_eq!(best_of(&pages, 2..6), Some(105));
    }
}
