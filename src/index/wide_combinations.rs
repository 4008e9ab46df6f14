//! Sets of a given size on boards of more than 64 cells.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::index::bits::{MOST_CELLS, check_cells};
use crate::index::composed::product;
use crate::index::error::IndexError;
use crate::index::starts::Starts;
use crate::index::{Combinations, Divisor};

/// The most cells that a wide board can have: a set of cells is a `u128`.
const MOST_WIDE: u32 = u128::BITS;

/// A numbering of the sets of exactly `chosen` of `cells` cells, for boards of up to 128 cells. A
/// set is a `u128`, with cell 0 as its lowest bit.
///
/// [`Combinations`] do the same for up to 64 cells, in less time. Every index below
/// [`len`](WideCombinations::len) is used.
///
/// ```
/// use retrograde::index::WideCombinations;
///
/// // Five stones on a board of 9 x 9.
/// let stones = WideCombinations::new(81, 5)?;
/// assert_eq!(stones.len(), 25_621_596);
/// let corners_and_centre = 1 | 1 << 8 | 1 << 40 | 1 << 72 | 1 << 80;
/// assert_eq!(stones.unrank(stones.rank(corners_and_centre)), corners_and_centre);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order
/// The sets are ordered by their number of cells above cell 63, then by the index of these upper
/// cells among the upper sets of the same size, then by the index of the lower cells.
/// [`Combinations`] define the order within the upper and the lower cells. So up to 64 cells the
/// indices are the same as in [`Combinations`].
///
/// # Cost
/// Ranking costs as much as in two [`Combinations`], and a multiplication. Unranking also costs a
/// short search and a division by a prepared divisor ([`Divisor`]). A numbering takes up to 1 MB,
/// which its clones share.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct WideCombinations {
    cells: u32,
    chosen: u32,
    #[serde(skip_serializing)]
    parts: Arc<Parts>,
}

/// The serialized form of [`WideCombinations`].
#[derive(Deserialize)]
#[serde(rename = "WideCombinations", deny_unknown_fields)]
struct Written {
    cells: u32,
    chosen: u32,
}

impl TryFrom<Written> for WideCombinations {
    type Error = IndexError;

    fn try_from(Written { cells, chosen }: Written) -> Result<WideCombinations, IndexError> {
        WideCombinations::new(cells, chosen)
    }
}

/// The sets, by their number of cells above cell 63.
#[derive(Debug)]
struct Parts {
    starts: Starts,
    blocks: Vec<Block>,
}

/// The sets with a given number of cells above cell 63.
#[derive(Debug)]
struct Block {
    high: Combinations,
    low: Combinations,
    /// The number of lower parts for each upper part.
    width: Divisor,
}

impl WideCombinations {
    /// The sets of `chosen` of `cells` cells.
    ///
    /// # Errors
    /// When there are more than 128 cells, or more than 2^64 - 1 sets. On 128 cells this is true
    /// for all sizes from 16 to 112.
    pub fn new(cells: u32, chosen: u32) -> Result<WideCombinations, IndexError> {
        check_cells(cells, MOST_WIDE)?;
        let low_cells = cells.min(MOST_CELLS);
        let high_cells = cells - low_cells;
        let (mut lens, mut blocks) = (Vec::new(), Vec::new());
        for high in 0..=high_cells.min(chosen) {
            let low = Combinations::on(low_cells, chosen - high);
            let high = Combinations::on(high_cells, high);
            lens.push(product([high.len(), low.len()])?);
            // An empty block is never divided by.
            let width = Divisor::new(low.len().max(1));
            blocks.push(Block { high, low, width });
        }
        let starts = Starts::new(lens.into_iter())?;
        Ok(WideCombinations { cells, chosen, parts: Arc::new(Parts { starts, blocks }) })
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

    /// The number of sets: the binomial coefficient.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.parts.starts.len()
    }

    /// Whether there is no set: more cells are chosen than the board has.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chosen > self.cells
    }

    /// The index of a set of `chosen` cells of the board.
    ///
    /// For any other set, the result is any number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, set: u128) -> u64 {
        let (high, low) = ((set >> MOST_CELLS) as u64, set as u64);
        let size = high.count_ones() as usize;
        let block = &self.parts.blocks[size];
        let start = self.parts.starts.start(size);
        start + block.high.rank(high) * block.width.get() + block.low.rank(low)
    }

    /// The set of `chosen` cells with this index.
    ///
    /// For a number not below `len`, the result is any set, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> u128 {
        debug_assert!(index < self.len(), "index {index} of {}", self.len());
        let (size, place) = self.parts.starts.find(index);
        let block = &self.parts.blocks[size];
        let (high, low) = block.width.div_rem(place);
        u128::from(block.high.unrank(high)) << MOST_CELLS | u128::from(block.low.unrank(low))
    }
}

impl_ranking!(
    [] WideCombinations, u128,
    board: |part| Some(part.cells()),
    unrank: |part, index| Some(part.unrank(index)),
);
