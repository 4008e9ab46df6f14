//! So many like pieces on a board.

use std::sync::Arc;

use crate::index::bits::{MOST_CELLS, all_cells, binomial, check_cells};
use crate::index::halves::{Half, MOST_HALF, Split, place_of_word, set_of_words, word_at};
use crate::index::{IndexError, Ranking};

/// The most cells that are looked up in one piece: the tables of two words of half the size stay in
/// the fastest cache where those of one do not.
const ONE_WORD: u32 = 12;

/// The sets of exactly `chosen` of `cells` cells: as many like pieces on a board.
///
/// There are [`binomial`]`(cells, chosen)` of them, none where more are chosen than there are cells.
/// The board may have up to 64 cells.
///
/// ```
/// use retrograde::index::{Combinations, Ranking};
///
/// let pieces = Combinations::new(24, 9)?;
/// assert_eq!(pieces.len(), 1_307_504);
/// let set = 0b_1000_0101_0000_0011_0000_1111;
/// assert_eq!(pieces.unrank(pieces.rank(set)), set);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// # Order and cost
/// Up to 12 cells the sets are in ascending order as numbers, the order of the combinatorial number
/// system (Knuth, *The Art of Computer Programming* 4A, 7.2.1.3). A larger board is cut in two, and
/// the sets are ordered by how many cells lie in the upper part, then by the number of the upper
/// part, then by that of the lower part; above 32 cells each part is cut in two again. Within a part
/// the order is again that of the combinatorial number system; and so it is for up to three pieces
/// on more than 32 cells.
///
/// So both ways take a fixed number of steps, whatever the sets: up to 32 cells two loads and a
/// multiplication to rank, and two loads and a division by a known number ([`Divisor`]) to unrank,
/// with tables of 2^(cells / 2) entries that all combinations share; about three times as much
/// above. A numbering is itself a few dozen bytes. Up to three pieces on more than 32 cells take a
/// load a piece to rank, and one to unrank, from a list of 8 bytes a set.
///
/// [`Divisor`]: super::Divisor
#[derive(Clone, Debug)]
pub struct Combinations {
    cells: u32,
    chosen: u32,
    parts: Parts,
}

/// The most pieces whose sets are listed, where the board is too large to be cut in two: up to
/// 41,664.
const FEW: u32 = 3;

/// How the board is cut.
#[derive(Clone, Debug)]
enum Parts {
    /// Not at all.
    One,
    /// In two, which are looked up.
    Two { split: &'static Split, low_cells: u32 },
    /// In two, each of which is cut in two.
    Four(Arc<Four>),
    /// Not at all: few enough pieces on a large board to list their sets.
    Few(Arc<[u64]>),
}

#[derive(Debug)]
struct Four {
    split: Split,
    low_cells: u32,
    low: &'static Half,
    high: &'static Half,
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

    /// The sets of `chosen` of `cells` cells, which are 64 at most.
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

    /// How many cells the board has.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        self.cells
    }

    /// How many cells each set has.
    #[inline]
    #[must_use]
    pub fn chosen(&self) -> u32 {
        self.chosen
    }
}

impl Ranking for Combinations {
    /// A set of cells.
    type Item = u64;

    #[inline]
    fn len(&self) -> u64 {
        binomial(self.cells, self.chosen)
    }

    #[inline]
    fn rank(&self, set: u64) -> u64 {
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
            Parts::Four(four) => {
                let (_, low) = four.low.place(set & !(u64::MAX << four.low_cells));
                let (high_size, high) = four.high.place(set >> four.low_cells);
                four.split.rank(high_size, high, low)
            }
            Parts::Few(_) => rank_of_few(set),
        }
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        debug_assert!(rank < self.len(), "number {rank} of {}", self.len());
        let size = self.chosen as usize;
        match &self.parts {
            Parts::One => word_at(size, rank),
            Parts::Two { split, low_cells } => set_of_words(split, size, *low_cells, rank),
            Parts::Four(four) => {
                let (high_size, high, low) = four.split.unrank(rank);
                let high = four.high.set_at(high_size, high);
                high << four.low_cells | four.low.set_at(size - high_size, low)
            }
            Parts::Few(sets) => sets[rank as usize],
        }
    }
}

/// The sets of so many cells in ascending order.
fn few_of_many(cells: u32, chosen: u32) -> Arc<[u64]> {
    let mut sets = vec![0_u64];
    for _ in 0..chosen {
        // With a cell above all that a set has.
        let larger =
            |set: u64| (u64::BITS - set.leading_zeros()..cells).map(move |cell| set | 1 << cell);
        sets = sets.into_iter().flat_map(larger).collect();
    }
    sets.sort_unstable();
    sets.into()
}

/// The number of a set of few cells in ascending order: the combinatorial number system.
#[inline]
fn rank_of_few(mut set: u64) -> u64 {
    let (mut rank, mut size) = (0, 1);
    while set != 0 {
        rank += binomial(set.trailing_zeros(), size);
        set &= set - 1;
        size += 1;
    }
    rank
}
