//! Boards whose cells are each empty, the first player's or the second's.

use crate::index::bits::check_cells;
use crate::index::{IndexError, Ranking};

/// The most cells: 3^40 is less than 2^64, 3^41 is not.
const MOST_TERNARY: u32 = 40;
/// How many cells are looked up at once.
const STEP: u32 = 8;
/// How many ways there are to fill so many cells.
const RADIX: u64 = 3_u64.pow(STEP);

/// For a set of eight cells: the sum of the powers of 3 that its cells stand for.
static TERNARY: [u16; 1 << STEP] = ternary();
/// For a number of eight ternary digits: the cells with digit 1, and above them those with digit 2.
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

/// Pairs of disjoint sets of cells, of any sizes: each cell is empty, the first player's or the
/// second's.
///
/// There are 3^cells of them, and the board may have up to 40 cells.
///
/// ```
/// use retrograde::index::{DisjointSets, Ranking};
///
/// let board = DisjointSets::new(9)?;
/// assert_eq!(board.len(), 19_683);
/// let [crosses, noughts] = [0b_000_010_001, 0b_100_000_010];
/// assert_eq!(board.unrank(board.rank([crosses, noughts])), [crosses, noughts]);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// # Order and cost
/// The number has a ternary digit for each cell, cell 0 the least significant: 0 where it is empty,
/// 1 in the first set, 2 in the second. Eight cells are two loads on the way there, and one load and
/// a division by a constant on the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisjointSets {
    len: u64,
    /// How often eight cells are looked up.
    steps: u32,
}

impl DisjointSets {
    /// The pairs of disjoint sets on a board of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 40 cells.
    pub fn new(cells: u32) -> Result<DisjointSets, IndexError> {
        check_cells(cells, MOST_TERNARY)?;
        Ok(DisjointSets { len: 3_u64.pow(cells), steps: cells.div_ceil(STEP) })
    }
}

impl Ranking for DisjointSets {
    /// The first set and the second.
    type Item = [u64; 2];

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, [first, second]: [u64; 2]) -> u64 {
        debug_assert!(first & second == 0, "{first:#x} and {second:#x} have cells in common");
        let digit =
            |set: u64, step: u32| u64::from(TERNARY[usize::from((set >> (STEP * step)) as u8)]);
        (0..self.steps)
            .rev()
            .fold(0, |rank, step| rank * RADIX + digit(first, step) + 2 * digit(second, step))
    }

    #[inline]
    fn unrank(&self, mut rank: u64) -> [u64; 2] {
        let (mut first, mut second) = (0, 0);
        for step in 0..self.steps {
            let cells = u64::from(DIGITS[(rank % RADIX) as usize]);
            rank /= RADIX;
            first |= (cells & 0xff) << (STEP * step);
            second |= (cells >> STEP) << (STEP * step);
        }
        [first, second]
    }
}
