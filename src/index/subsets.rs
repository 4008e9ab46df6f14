//! Sets of cells of any size.

use crate::index::bits::{MOST_CELLS, check_cells};
use crate::index::starts::Starts;
use crate::index::{IndexError, Ranking};

/// All sets of cells of a board, of any size: the number of a set is its bit mask. For leading parts
/// ([`Orbits`](super::Orbits)).
///
/// ```
/// use retrograde::index::{AllSubsets, Ranking};
///
/// let marks = AllSubsets::new(16)?;
/// assert_eq!(marks.len(), 65_536);
/// assert_eq!(marks.rank(0b_1001), 9);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllSubsets {
    cells: u32,
}

impl AllSubsets {
    /// The sets of cells of a board of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 63 cells: the sets of 64 are 2^64.
    pub fn new(cells: u32) -> Result<AllSubsets, IndexError> {
        check_cells(cells, MOST_CELLS - 1)?;
        Ok(AllSubsets { cells })
    }
}

impl Ranking for AllSubsets {
    /// A set of cells.
    type Item = u64;

    #[inline]
    fn len(&self) -> u64 {
        1 << self.cells
    }

    #[inline]
    fn rank(&self, set: u64) -> u64 {
        debug_assert!(set >> self.cells == 0, "{set:#x} has cells beyond {}", self.cells);
        set
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        rank
    }
}

/// Chosen sets of cells, whichever they are: those that a rule accepts, or those of a list.
///
/// ```
/// use retrograde::index::{Ranking, Subsets};
///
/// // The sets of a row of twelve cells in which no two are neighbours: a Fibonacci number of them.
/// let apart = Subsets::accepting(12, |set| set & set << 1 == 0)?;
/// assert_eq!(apart.len(), 377);
/// assert_eq!(apart.unrank(376), 0b_1010_1010_1010);
/// assert_eq!(apart.find(0b_1011), None);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// They are in ascending order as numbers. To unrank is one load from the list, which takes 8 bytes
/// a set. To rank is a load and a count of bits in a bitmap of all masks, where that takes up to 32
/// bytes a chosen set; where the chosen sets are fewer, it is a look into a directory by the highest
/// bits, of 8 to 16 bytes a set, and a search: a short one unless most sets share their highest
/// bits.
#[derive(Clone, Debug)]
pub struct Subsets {
    /// The sets, each of them the start of a range that the others are no part of; at the end one
    /// more than the last set.
    sets: Starts,
    len: u64,
    /// 64 masks each, or nothing.
    bitmap: Vec<Masks>,
}

/// 64 masks, one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Masks {
    /// Which of them are among the sets.
    chosen: u64,
    /// How many sets come before.
    before: u64,
}

impl Masks {
    fn of(sets: &[u64]) -> Vec<Masks> {
        let block = |set: u64| (set / 64) as usize;
        let blocks = sets.last().map_or(0, |&last| last / 64 + 1);
        if blocks > 2 * sets.len() as u64 {
            return Vec::new();
        }
        let mut bitmap = vec![Masks::default(); blocks as usize];
        for &set in sets {
            bitmap[block(set)].chosen |= 1 << (set % 64);
        }
        let mut before = 0;
        for masks in &mut bitmap {
            masks.before = before;
            before += u64::from(masks.chosen.count_ones());
        }
        bitmap
    }
}

/// The most cells of which all sets are gone through.
const MOST_TRIED: u32 = 32;

impl Subsets {
    /// The sets of cells of a board of `cells` cells that a rule accepts. All 2^cells are tried.
    ///
    /// # Errors
    /// When there are more than 32 cells, or more than 2^32 - 1 sets.
    pub fn accepting(cells: u32, accept: impl Fn(u64) -> bool) -> Result<Subsets, IndexError> {
        check_cells(cells, MOST_TRIED)?;
        Subsets::of_sorted((0..1_u64 << cells).filter(|&set| accept(set)).collect())
    }

    /// These sets, in any order; one that is there several times counts once.
    ///
    /// # Errors
    /// When there are more than 2^32 - 1 sets.
    pub fn listed(sets: impl IntoIterator<Item = u64>) -> Result<Subsets, IndexError> {
        let mut sets: Vec<u64> = sets.into_iter().collect();
        sets.sort_unstable();
        sets.dedup();
        Subsets::of_sorted(sets)
    }

    fn of_sorted(mut sets: Vec<u64>) -> Result<Subsets, IndexError> {
        let len = sets.len() as u64;
        if len > u64::from(u32::MAX) {
            return Err(IndexError::TooManySets { sets: len });
        }
        let bitmap = Masks::of(&sets);
        sets.push(sets.last().map_or(0, |last| last.saturating_add(1)));
        Ok(Subsets { sets: Starts::at(sets), len, bitmap })
    }

    /// The number of a set, or `None` if it is not among them.
    #[inline]
    #[must_use]
    pub fn find(&self, set: u64) -> Option<u64> {
        let last = self.len.checked_sub(1)?;
        if !(self.unrank(0)..=self.unrank(last)).contains(&set) {
            return None;
        }
        self.place(set)
    }

    /// The number of a set between the first and the last, if it is among them.
    #[inline]
    fn place(&self, set: u64) -> Option<u64> {
        if let Some(masks) = self.bitmap.get((set / 64) as usize) {
            let at = set % 64;
            let before = (masks.chosen & !(u64::MAX << at)).count_ones();
            (masks.chosen >> at & 1 == 1).then_some(masks.before + u64::from(before))
        } else {
            let (place, beyond) = self.sets.find(set);
            (beyond == 0).then_some(place as u64)
        }
    }
}

impl Ranking for Subsets {
    /// A set of cells.
    type Item = u64;

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, set: u64) -> u64 {
        let place = self.place(set);
        debug_assert!(place.is_some(), "{set:#x} is not among the sets");
        place.unwrap_or(self.len)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        self.sets.start(rank as usize)
    }
}
