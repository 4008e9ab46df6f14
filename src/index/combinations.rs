//! Sets of cells of a given size.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::index::bits::{MOST_CELLS, all_cells, binomial, check_cells};
use crate::index::error::IndexError;
use crate::index::halves::{Half, MOST_HALF, Split, place_of_word, set_of_words, word_at};

/// The most cells that are looked up in one piece. Two tables for words of half the size stay in
/// the fastest cache when one for the whole word does not.
const ONE_WORD: u32 = 12;

/// A numbering of the sets of exactly `chosen` of `cells` cells: the ways to put that many like
/// pieces on a board.
///
/// The board may have up to 64 cells. There are [`binomial`]`(cells, chosen)` sets, and none if more
/// cells are chosen than there are. Every index below [`len`](Combinations::len) is used.
///
/// ```
/// use retrograde::index::Combinations;
///
/// let pieces = Combinations::new(24, 9)?;
/// assert_eq!(pieces.len(), 1_307_504);
/// let set = 0b_1000_0101_0000_0011_0000_1111;
/// assert_eq!(pieces.unrank(pieces.rank(set)), set);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order
/// Up to 12 cells, and for up to three pieces on more than 32 cells, the sets are in ascending
/// order as numbers. This is the order of the combinatorial number system (Knuth, *The Art of
/// Computer Programming* 4A, 7.2.1.3).
///
/// Any other board is divided in two. The sets are ordered by the number of cells in the upper
/// part, then by the index of the upper part, then by the index of the lower part. Above 32 cells
/// each part is divided in two again. Within each part that is not divided, the sets follow the
/// combinatorial number system.
///
/// # Cost
/// The number of steps is the same for all sets. Up to 32 cells, ranking takes two loads and a
/// multiplication, and unranking two loads and a division by a prepared divisor ([`Divisor`]). All
/// combinations share their tables, of 2^(cells / 2) entries. Above 32 cells the cost is about
/// three times as much. A numbering itself takes a few dozen bytes.
///
/// Up to three pieces on more than 32 cells take a load for each piece to rank. To unrank takes one
/// load from a list of 8 bytes for each set.
///
/// [`Divisor`]: super::Divisor
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Combinations {
    cells: u32,
    chosen: u32,
    #[serde(skip_serializing)]
    parts: Parts,
}

/// The serialized form of [`Combinations`].
#[derive(Deserialize)]
#[serde(rename = "Combinations", deny_unknown_fields)]
struct Written {
    cells: u32,
    chosen: u32,
}

impl TryFrom<Written> for Combinations {
    type Error = IndexError;

    fn try_from(Written { cells, chosen }: Written) -> Result<Combinations, IndexError> {
        Combinations::new(cells, chosen)
    }
}

/// The most pieces whose sets are listed if the board is too large to be divided in two: up to
/// 41,664 sets.
const FEW: u32 = 3;

/// The division of the board.
#[derive(Clone, Debug)]
enum Parts {
    /// One part, looked up as a whole.
    One,
    /// Two parts, each looked up as a whole.
    Two { split: &'static Split, low_cells: u32 },
    /// Two parts, each divided in two again.
    Four(Arc<Four>),
    /// A list of all sets: few pieces on a large board.
    Few(Arc<[u64]>),
}

/// A board of more than 32 cells, divided into two halves.
#[derive(Debug)]
struct Four {
    split: Split,
    low_cells: u32,
    low: &'static Half,
    high: &'static Half,
}

impl Four {
    /// The index of a set.
    #[inline(never)]
    fn rank(&self, set: u64) -> u64 {
        let (_, low) = self.low.place(set & !(u64::MAX << self.low_cells));
        let (high_size, high) = self.high.place(set >> self.low_cells);
        self.split.rank(high_size, high, low)
    }
}

impl Combinations {
    /// The sets of `chosen` of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 64 cells.
    pub fn new(cells: u32, chosen: u32) -> Result<Combinations, IndexError> {
        check_cells(cells, MOST_CELLS)?;
        Ok(Combinations::on(cells, chosen))
    }

    /// The sets of `chosen` of `cells` cells. The caller ensures that `cells` is at most 64.
    pub(super) fn on(cells: u32, chosen: u32) -> Combinations {
        let parts = if cells <= ONE_WORD || chosen > cells {
            Parts::One
        } else if cells <= MOST_HALF {
            let half = Half::of(cells);
            Parts::Two { split: half.split(chosen as usize), low_cells: half.low_cells() }
        } else if chosen <= FEW {
            Parts::Few(few_of_many(cells, chosen))
        } else {
            let low_cells = cells / 2;
            let high_cells = cells - low_cells;
            Parts::Four(Arc::new(Four {
                split: Split::new(low_cells, high_cells, chosen),
                low_cells,
                low: Half::of(low_cells),
                high: Half::of(high_cells),
            }))
        };
        Combinations { cells, chosen, parts }
    }

    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// The number of cells of each set.
    #[inline]
    #[must_use]
    pub fn chosen(&self) -> u32 {
        self.chosen
    }

    /// The index of a set of `chosen` cells of the board.
    ///
    /// For any other set, the result is any number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: u64) -> u64 {
        debug_assert!(
            set.count_ones() == self.chosen && set & !all_cells(self.cells) == 0,
            "{set:#x} is no set of {} of {} cells",
            self.chosen,
            self.cells
        );
        match &self.parts {
            Parts::One => place_of_word(set).1,
            Parts::Two { split, low_cells } => {
                let (_, low) = place_of_word(set & !(u64::MAX << low_cells));
                let (high_size, high) = place_of_word(set >> low_cells);
                split.rank(high_size, high, low)
            }
            // Not inlined, so that the short branches can be.
            Parts::Four(four) => four.rank(set),
            Parts::Few(_) => rank_of_few(set),
        }
    }

    /// The set of `chosen` cells with this index.
    ///
    /// For a number not below `len`, the result is any set, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> u64 {
        debug_assert!(index < self.len(), "index {index} of {}", self.len());
        let size = self.chosen as usize;
        match &self.parts {
            Parts::One => word_at(size, index),
            Parts::Two { split, low_cells } => set_of_words(split, size, *low_cells, index),
            Parts::Four(four) => {
                let (high_size, high, low) = four.split.unrank(index);
                let high = four.high.set_at(high_size, high);
                high << four.low_cells | four.low.set_at(size - high_size, low)
            }
            Parts::Few(sets) => sets[index as usize],
        }
    }
}

impl_ranking!(
    [] Combinations, u64,
    /// The number of sets: [`binomial`]`(cells, chosen)`.
    len: |part| binomial(part.cells, part.chosen),
    board: |part| Some(part.cells()),
    unrank: |part, index| Some(part.unrank(index)),
);

/// The sets of `chosen` of `cells` cells, in ascending order as numbers.
fn few_of_many(cells: u32, chosen: u32) -> Arc<[u64]> {
    let mut sets = vec![0_u64];
    for _ in 0..chosen {
        // Each set with one more cell, above all of its cells.
        let larger =
            |set: u64| (u64::BITS - set.leading_zeros()..cells).map(move |cell| set | 1 << cell);
        sets = sets.into_iter().flat_map(larger).collect();
    }
    sets.sort_unstable();
    sets.into()
}

/// The index of a set among the sets of its size in ascending order: the combinatorial number
/// system.
#[inline(never)]
fn rank_of_few(mut set: u64) -> u64 {
    let (mut index, mut size) = (0, 1);
    while set != 0 {
        index += binomial(set.trailing_zeros(), size);
        set &= set - 1;
        size += 1;
    }
    index
}
