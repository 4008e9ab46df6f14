//! Boards whose cells are each empty, the first player's or the second's.

use serde::{Deserialize, Serialize};

use crate::index::bits::check_cells;
use crate::index::error::IndexError;

/// The most cells of a board: 3^40 is less than 2^64, 3^41 is not.
const MOST_TERNARY: u32 = 40;
/// The number of cells that are looked up at once.
const STEP: u32 = 8;
/// The number of ways to fill [`STEP`] cells.
const RADIX: u64 = 3_u64.pow(STEP);

/// For each set of eight cells, the sum of the powers of 3 of its cells.
static TERNARY: [u16; 1 << STEP] = ternary();
/// For each number of eight ternary digits, the cells with digit 1 and, above bit 8, the cells with
/// digit 2.
static DIGITS: [u16; RADIX as usize] = digits();

const fn ternary() -> [u16; 1 << STEP] {
    let mut table = [0; 1 << STEP];
    let mut set = 1;
    while set < table.len() {
        let highest = set.ilog2();
        table[set] = table[set - (1 << highest)] + 3_u16.pow(highest);
        set += 1;
    }
    table
}

const fn digits() -> [u16; RADIX as usize] {
    let mut table = [0; RADIX as usize];
    let mut number = 1;
    while number < table.len() {
        let rest = table[number / 3];
        let shifted = (rest << 1) & 0xfefe;
        table[number] = shifted | [0, 1, 1 << STEP][number % 3];
        number += 1;
    }
    table
}

/// A numbering of the pairs of disjoint sets of cells, of any sizes: each cell of the board is
/// empty, the first player's or the second's.
///
/// The board may have up to 40 cells. There are 3^cells pairs, and every index below
/// [`len`](DisjointSets::len) is used.
///
/// ```
/// use retrograde::index::DisjointSets;
///
/// let board = DisjointSets::new(9)?;
/// assert_eq!(board.len(), 19_683);
/// let [crosses, noughts] = [0b_000_010_001, 0b_100_000_010];
/// assert_eq!(board.unrank(board.rank([crosses, noughts])), [crosses, noughts]);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order
/// An index has a ternary digit for each cell, cell 0 the least significant. The digit is 0 if the
/// cell is empty, 1 if it is in the first set, 2 if it is in the second.
///
/// # Cost
/// For every eight cells of the board: two loads to rank, one load and a division by a constant to
/// unrank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct DisjointSets {
    cells: u32,
    #[serde(skip_serializing)]
    len: u64,
    /// The number of groups of eight cells.
    #[serde(skip_serializing)]
    steps: u32,
}

/// The serialized form of [`DisjointSets`].
#[derive(Deserialize)]
#[serde(rename = "DisjointSets", deny_unknown_fields)]
struct Written {
    cells: u32,
}

impl TryFrom<Written> for DisjointSets {
    type Error = IndexError;

    fn try_from(Written { cells }: Written) -> Result<DisjointSets, IndexError> {
        DisjointSets::new(cells)
    }
}

impl DisjointSets {
    /// The pairs of disjoint sets on a board of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 40 cells.
    pub fn new(cells: u32) -> Result<DisjointSets, IndexError> {
        check_cells(cells, MOST_TERNARY)?;
        Ok(DisjointSets { cells, len: 3_u64.pow(cells), steps: cells.div_ceil(STEP) })
    }

    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// The index of a pair of disjoint sets: the first player's cells, and the second's.
    ///
    /// For sets that overlap or reach beyond the board, the result is any number, or the method
    /// panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, [first, second]: [u64; 2]) -> u64 {
        debug_assert!(first & second == 0, "{first:#x} and {second:#x} have cells in common");
        let digit =
            |set: u64, step: u32| u64::from(TERNARY[usize::from((set >> (STEP * step)) as u8)]);
        (0..self.steps)
            .rev()
            .fold(0, |index, step| index * RADIX + digit(first, step) + 2 * digit(second, step))
    }

    /// The first player's cells and the second's, in the pair of sets with this index.
    ///
    /// For a number not below `len`, the result is any two sets.
    #[inline]
    #[must_use]
    pub fn unrank(&self, mut index: u64) -> [u64; 2] {
        let (mut first, mut second) = (0, 0);
        for step in 0..self.steps {
            let cells = u64::from(DIGITS[(index % RADIX) as usize]);
            index /= RADIX;
            first |= (cells & 0xff) << (STEP * step);
            second |= (cells >> STEP) << (STEP * step);
        }
        [first, second]
    }
}

impl_ranking!(
    [] DisjointSets, [u64; 2],
    /// The number of pairs of disjoint sets: 3^cells.
    len: |part| part.len,
    board: |part| Some(part.cells()),
    unrank: |part, index| Some(part.unrank(index)),
);
