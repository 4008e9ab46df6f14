//! Several kinds of pieces on a board, so many of each.

use crate::index::bits::{MOST_CELLS, all_cells, check_cells, compress, expand};
use crate::index::{Combinations, Divisor, IndexError, Ranking};

/// Ways to put several kinds of pieces on a board, so many of each kind, at most one piece on a
/// cell: disjoint sets of given sizes.
///
/// There are as many as the multinomial coefficient says. The board may have up to 64 cells.
///
/// ```
/// use retrograde::index::{Arrangements, Ranking};
///
/// // Nine white and eight black men on the 24 points of a morris board.
/// let men = Arrangements::new(24, [9, 8])?;
/// assert_eq!(men.len(), 8_413_788_240);
/// let [white, black] = men.unrank(123_456_789);
/// assert_eq!((white.count_ones(), black.count_ones(), white & black), (9, 8, 0));
/// assert_eq!(men.rank([white, black]), 123_456_789);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// # Order and cost
/// The number of the first kind's set among all sets of its size is the most significant digit;
/// then the number of the second kind's set among those of the cells that the first leaves free; and
/// so on (a product of binomial coefficients; see [`Combinations`] for the order within each). Each
/// kind costs what [`Combinations`] cost, and but for the first a [`compress`] or [`expand`]; on the
/// way back also a division by a known number.
///
/// The order of the kinds is a choice: the set that moves most often changes the number least if it
/// comes last.
#[derive(Clone, Debug)]
pub struct Arrangements<const KINDS: usize> {
    all: u64,
    len: u64,
    kinds: [Combinations; KINDS],
    /// How many sets the kind has, by which a number is divided to find its digit.
    radices: [Divisor; KINDS],
}

impl<const KINDS: usize> Arrangements<KINDS> {
    /// `counts` pieces of each kind on a board of `cells` cells. Where they are more than the cells
    /// there is no way to put them, and `len` is 0.
    ///
    /// # Errors
    /// When there are more than 64 cells, or 2^64 ways.
    pub fn new(cells: u32, counts: [u32; KINDS]) -> Result<Arrangements<KINDS>, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        let mut free = cells;
        let kinds = counts.map(|count| {
            let sets = Combinations::on(free, count);
            free = free.saturating_sub(count);
            sets
        });
        let mut len = 1_u64;
        for sets in &kinds {
            len = len.checked_mul(sets.len()).ok_or(IndexError::TooLong)?;
        }
        // A kind without sets leaves nothing to unrank, and is never divided by.
        let radices = std::array::from_fn(|kind| Divisor::new(kinds[kind].len().max(1)));
        Ok(Arrangements { all: all_cells(cells), len, kinds, radices })
    }
}

impl<const KINDS: usize> Ranking for Arrangements<KINDS> {
    /// The set of each kind.
    type Item = [u64; KINDS];

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, sets: [u64; KINDS]) -> u64 {
        let (mut free, mut rank) = (self.all, 0);
        for (kind, set) in sets.into_iter().enumerate() {
            let among_free = if kind == 0 { set } else { compress(set, free) };
            rank = rank * self.radices[kind].get() + self.kinds[kind].rank(among_free);
            free &= !set;
        }
        rank
    }

    #[inline]
    fn unrank(&self, mut rank: u64) -> [u64; KINDS] {
        let mut sets = [0; KINDS];
        for kind in (1..KINDS).rev() {
            (rank, sets[kind]) = self.radices[kind].div_rem(rank);
        }
        if let Some(first) = sets.first_mut() {
            *first = rank;
        }
        let mut free = self.all;
        for (kind, set) in sets.iter_mut().enumerate() {
            let among_free = self.kinds[kind].unrank(*set);
            *set = if kind == 0 { among_free } else { expand(among_free, free) };
            free &= !*set;
        }
        sets
    }
}
