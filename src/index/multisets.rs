//! Like pieces, several of which may lie on one cell.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::index::bits::check_cells;
use crate::index::error::IndexError;

/// The most pieces. A cell may have all of them, and a count is a `u8`.
const MOST_PIECES: u32 = u8::MAX as u32;

/// A numbering of the ways to put `pieces` like pieces on `cells` cells, any number of them on one
/// cell: multisets, also called combinations with repetition. An item contains the number of pieces
/// on each cell.
///
/// An item is an array of `CELLS` counts, so the board may have up to `CELLS` cells. If it has
/// fewer, the counts beyond them are 0. There may be up to 255 pieces. There are as many ways as
/// sets of `pieces` of `cells + pieces - 1` cells ("stars and bars"), and every index below
/// [`len`](Multisets::len) is used.
///
/// For up to k pieces instead of exactly k, add a cell for the pieces that are not on the board.
///
/// ```
/// use retrograde::index::Multisets;
///
/// // 24 seeds in six pits.
/// let seeds = Multisets::<6>::new(6, 24)?;
/// assert_eq!(seeds.len(), 118_755);
/// assert_eq!(seeds.rank([24, 0, 0, 0, 0, 0]), 0);
/// assert_eq!(seeds.unrank(seeds.rank([4, 0, 9, 1, 10, 0])), [4, 0, 9, 1, 10, 0]);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order
/// The counts of the last cell are compared first, then the counts of the cell before it, and so
/// on; more pieces come later. Let the pieces lie on the cells d₁ ≤ d₂ ≤ … ≤ dₖ. Then the index is
/// the index of the set of cells d₁, d₂ + 1, …, dₖ + k - 1 in the combinatorial number system
/// (Knuth, *The Art of Computer Programming* 4A, 7.2.1.3).
///
/// # Cost
/// Ranking takes a load and a subtraction for each cell. Unranking takes a step for each cell and
/// one for each piece. A table takes 8 bytes for each cell and number of pieces: 3 KB for 48 pieces
/// on 12 cells. Clones share the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Multisets<const CELLS: usize> {
    cells: u32,
    pieces: u32,
    #[serde(skip_serializing)]
    len: u64,
    /// A row for each cell but the last. Its entry s is the number of ways to put fewer than s
    /// pieces on this cell and the cells before it: the binomial coefficient of s + cell and cell +
    /// 1.
    #[serde(skip_serializing)]
    table: Arc<[u64]>,
}

/// The serialized form of [`Multisets`].
#[derive(Deserialize)]
#[serde(rename = "Multisets", deny_unknown_fields)]
struct Written {
    cells: u32,
    pieces: u32,
}

impl<const CELLS: usize> TryFrom<Written> for Multisets<CELLS> {
    type Error = IndexError;

    fn try_from(Written { cells, pieces }: Written) -> Result<Self, IndexError> {
        Multisets::new(cells, pieces)
    }
}

impl<const CELLS: usize> Multisets<CELLS> {
    /// The ways to put `pieces` pieces on a board of `cells` cells. On a board without cells there
    /// is one way to put no pieces, and none to put some.
    ///
    /// # Errors
    /// When there are more than `CELLS` cells, more than 255 pieces, or more than 2^64 - 1 ways.
    pub fn new(cells: u32, pieces: u32) -> Result<Multisets<CELLS>, IndexError> {
        check_cells(cells, CELLS as u32)?;
        if pieces > MOST_PIECES {
            return Err(IndexError::TooManyPieces { pieces, most: MOST_PIECES });
        }
        let (mut table, mut len) = (Vec::new(), u64::from(cells > 0 || pieces == 0));
        for row in 0..cells.saturating_sub(1) as usize {
            // Pascal's rule, with a row of ones before the first.
            let mut entry = 0_u64;
            table.push(entry);
            for _ in 1..row_len(pieces) {
                let before = if row == 0 { 1 } else { table[table.len() - row_len(pieces)] };
                entry = entry.checked_add(before).ok_or(IndexError::TooLong)?;
                table.push(entry);
            }
            len = entry;
        }
        Ok(Multisets { cells, pieces, len, table: table.into() })
    }

    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// The number of pieces.
    #[inline]
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The number of ways to put the pieces on the board: the binomial coefficient of `cells +
    /// pieces - 1` and `pieces`.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no way to put the pieces: the board has no cell, but there are pieces.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of rows of the table.
    #[inline]
    fn rows(&self) -> usize {
        self.cells.saturating_sub(1) as usize
    }

    /// The index of the numbers of pieces on the cells.
    ///
    /// For counts whose sum is not `pieces`, or that are not 0 beyond the board, the result is any
    /// number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, counts: [u8; CELLS]) -> u64 {
        debug_assert!(
            counts.iter().map(|&count| u32::from(count)).sum::<u32>() == self.pieces
                && counts.iter().skip(self.cells as usize).all(|&count| count == 0),
            "{counts:?} are not {} pieces on {} cells",
            self.pieces,
            self.cells
        );
        // The ways that come later have fewer pieces on the first cells.
        let (mut index, mut row, mut so_far) = (self.len - 1, 0, 0);
        for &count in counts.iter().take(self.rows()) {
            so_far += usize::from(count);
            index -= self.table[row + so_far];
            row += row_len(self.pieces);
        }
        index
    }

    /// The numbers of pieces on the cells for this index.
    ///
    /// For a number not below `len`, the result is any numbers, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> [u8; CELLS] {
        debug_assert!(index < self.len, "index {index} of {}", self.len);
        let mut counts = [0; CELLS];
        let (mut later, mut so_far) = (self.len - 1 - index, self.pieces as usize);
        for cell in (0..self.rows()).rev() {
            let row = cell * row_len(self.pieces);
            let with_next = so_far;
            while self.table[row + so_far] > later {
                so_far -= 1;
            }
            later -= self.table[row + so_far];
            counts[cell + 1] = (with_next - so_far) as u8;
        }
        if let Some(first) = counts.first_mut() {
            *first = so_far as u8;
        }
        counts
    }
}

/// The length of a row: from 0 pieces to one more than there are. The last entry of the last row is
/// `len`.
#[inline]
fn row_len(pieces: u32) -> usize {
    pieces as usize + 2
}

impl_ranking!(
    [const CELLS: usize] Multisets<CELLS>, [u8; CELLS],
    board: |part| Some(part.cells()),
    unrank: |part, index| Some(part.unrank(index)),
);
