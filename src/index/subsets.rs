//! Sets of cells of any size.

use super::bits::{MOST_CELLS, check_cells};
use super::{IndexError, Ranking};

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
