//! Several kinds of pieces on a board, a given number of each.

use serde::{Deserialize, Serialize};

use crate::index::bits::{MOST_CELLS, all_cells, check_cells, compress, expand};
use crate::index::composed::product;
use crate::index::error::IndexError;
use crate::index::{Combinations, Divisor};

/// A numbering of the ways to put several kinds of pieces on a board, a given number of each kind,
/// at most one piece on a cell. An item has a set of cells for each kind; the sets are disjoint.
///
/// The board may have up to 64 cells. There are as many ways as the multinomial coefficient says,
/// and every index below [`len`](Arrangements::len) is used.
///
/// ```
/// use retrograde::index::Arrangements;
///
/// // Nine white and eight black men on the 24 points of a morris board.
/// let men = Arrangements::new(24, [9, 8])?;
/// assert_eq!(men.len(), 8_413_788_240);
/// let [white, black] = men.unrank(123_456_789);
/// assert_eq!((white.count_ones(), black.count_ones(), white & black), (9, 8, 0));
/// assert_eq!(men.rank([white, black]), 123_456_789);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order
/// An index is a number in mixed radix with a digit for each kind; the first kind's digit is the
/// most significant. The first digit is the index of the first set among all sets of its size. The
/// next digit is the index of the second set among the sets of the cells that the first leaves
/// free, and so on. [`Combinations`] defines the order within each digit. Let the kind that moves
/// most often come last: its moves then change the index least.
///
/// # Cost
/// Each kind costs the same as its [`Combinations`]. Each kind but the first also costs a
/// [`compress`] to rank, and to unrank an [`expand`] and a division by a prepared divisor
/// ([`Divisor`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Arrangements<const KINDS: usize> {
    all: u64,
    len: u64,
    kinds: [Combinations; KINDS],
    /// The number of sets of each kind. An index is divided by it to find the kind's digit.
    radices: [Divisor; KINDS],
}

/// The serialized form of [`Arrangements`].
#[derive(Serialize, Deserialize)]
#[serde(rename = "Arrangements", deny_unknown_fields)]
struct Written {
    cells: u32,
    counts: Vec<u32>,
}

impl<const KINDS: usize> TryFrom<Written> for Arrangements<KINDS> {
    type Error = IndexError;

    fn try_from(Written { cells, counts }: Written) -> Result<Self, IndexError> {
        let wrong_length =
            |counts: Vec<u32>| IndexError::WrongLength { found: counts.len(), expected: KINDS };
        Arrangements::new(cells, counts.try_into().map_err(wrong_length)?)
    }
}

impl<const KINDS: usize> From<Arrangements<KINDS>> for Written {
    fn from(arrangements: Arrangements<KINDS>) -> Written {
        let counts = arrangements.kinds.iter().map(Combinations::chosen).collect();
        Written { cells: arrangements.cells(), counts }
    }
}

impl<const KINDS: usize> Arrangements<KINDS> {
    /// The ways to put `counts` pieces of each kind on a board of `cells` cells. If there are more
    /// pieces than cells, `len` is 0.
    ///
    /// # Errors
    /// When there are more than 64 cells, or more than 2^64 - 1 ways.
    pub fn new(cells: u32, counts: [u32; KINDS]) -> Result<Arrangements<KINDS>, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        let mut free = cells;
        let kinds = counts.map(|count| {
            let sets = Combinations::on(free, count);
            free = free.saturating_sub(count);
            sets
        });
        let len = product(kinds.each_ref().map(Combinations::len))?;
        // A kind without sets leaves nothing to unrank, and is never divided by.
        let radices = std::array::from_fn(|kind| Divisor::new(kinds[kind].len().max(1)));
        Ok(Arrangements { all: all_cells(cells), len, kinds, radices })
    }

    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.all.count_ones()
    }

    /// The index of a way to put the pieces: the set of each kind. The sets are disjoint.
    ///
    /// For sets of wrong sizes, or overlapping sets, the result is any number, or the method
    /// panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, sets: [u64; KINDS]) -> u64 {
        let (mut free, mut index) = (self.all, 0);
        for (kind, set) in sets.into_iter().enumerate() {
            let among_free = if kind == 0 { set } else { compress(set, free) };
            index = index * self.radices[kind].get() + self.kinds[kind].rank(among_free);
            free &= !set;
        }
        index
    }

    /// The set of each kind, in the way to put the pieces that has this index.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, mut index: u64) -> [u64; KINDS] {
        let mut sets = [0; KINDS];
        for kind in (1..KINDS).rev() {
            (index, sets[kind]) = self.radices[kind].div_rem(index);
        }
        if let Some(first) = sets.first_mut() {
            *first = index;
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

impl_ranking!(
    [const KINDS: usize] Arrangements<KINDS>, [u64; KINDS],
    /// The number of ways to put the pieces on the board.
    len: |part| part.len,
    board: |part| Some(part.cells()),
    unrank: |part, index| Some(part.unrank(index)),
);
