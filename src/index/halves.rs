//! Sets of a given size on boards of up to 32 cells: the parts of [`Combinations`].
//!
//! A board is divided in two. The sets of k cells are ordered by the number of cells in the upper
//! part, then by the index of the upper part, then by the index of the lower part:
//!
//! ```text
//! index = start[upper cells] + index(upper) * width[upper cells] + index(lower)
//! ```
//!
//! The width is the number of lower parts for each upper part. Parts of up to 16 cells are looked
//! up; larger ones are divided in two again.
//!
//! [`Combinations`]: super::Combinations

use std::sync::OnceLock;

use crate::index::Divisor;
use crate::index::bits::binomial;

/// The most cells that are looked up at once, as a word of a set.
const WORD: u32 = 16;
/// The most cells of a half board.
pub(super) const MOST_HALF: u32 = 2 * WORD;

/// All sets of 16 cells, with their indices among the sets of the same size, in ascending order.
///
/// The sets on a smaller board come first among them. So the tables serve boards of any size up to
/// 16, and a small board uses only the beginning of each.
struct Words {
    /// For each set its index, and above bit 16 its number of cells.
    places: [u32; 1 << WORD],
    /// The sets, by their number of cells.
    sorted: [u16; 1 << WORD],
    /// The place in `sorted` at which the sets of each size begin.
    starts: [u32; WORD as usize + 1],
}

#[cfg(not(target_family = "wasm"))]
static WORDS: Words = words();
/// Made when it is first used: a module for browsers would be twice as long with it.
#[cfg(target_family = "wasm")]
static WORDS: std::sync::LazyLock<Box<Words>> = std::sync::LazyLock::new(|| Box::new(words()));

const fn words() -> Words {
    let mut words =
        Words { places: [0; 1 << WORD], sorted: [0; 1 << WORD], starts: [0; WORD as usize + 1] };
    let mut sizes = [0_u32; WORD as usize + 1];
    let mut set = 0;
    while set < 1 << WORD {
        let size = (set as u32).count_ones();
        words.places[set] = size << 16 | sizes[size as usize];
        sizes[size as usize] += 1;
        set += 1;
    }
    let mut size = 1;
    while size < sizes.len() {
        words.starts[size] = words.starts[size - 1] + sizes[size - 1];
        size += 1;
    }
    let mut set = 0;
    while set < 1 << WORD {
        let place = words.places[set];
        let start = words.starts[(place >> 16) as usize];
        words.sorted[(start + (place & 0xffff)) as usize] = set as u16;
        set += 1;
    }
    words
}

/// The size of a set on a board of up to 16 cells, and its index among the sets of that size.
#[inline]
pub(super) fn place_of_word(set: u64) -> (usize, u64) {
    let place = WORDS.places[usize::from(set as u16)];
    ((place >> 16) as usize, u64::from(place as u16))
}

/// The set of `size` of 16 cells with this index.
#[inline]
pub(super) fn word_at(size: usize, index: u64) -> u64 {
    u64::from(WORDS.sorted[WORDS.starts[size] as usize + index as usize])
}

/// The number of pieces into which the indices are divided. For each piece the block of its first
/// index is known.
const GUESSES: usize = 64;

/// The sets of a given size on a board that is divided in two: a block for each number of cells in
/// the upper part.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The blocks, by the number of cells in the upper part. An extra block begins where the last
    /// one ends.
    blocks: Box<[Block]>,
    /// The block of the first index of each piece.
    guesses: [u8; GUESSES],
    /// The number of bits by which an index is shifted right to get its piece.
    shift: u32,
}

/// The sets with a given number of cells in the upper part.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The index of the first set.
    start: u64,
    /// The number of lower parts for each upper part.
    width: Divisor,
}

impl Split {
    /// The sets of `chosen` cells; the parts have `low_cells` and `high_cells` cells.
    pub(super) fn new(low_cells: u32, high_cells: u32, chosen: u32) -> Split {
        let mut start = 0;
        let mut blocks = Vec::new();
        for high in 0..=high_cells {
            let width = chosen.checked_sub(high).map_or(0, |low| binomial(low_cells, low));
            // An empty block is never divided by.
            blocks.push(Block { start, width: Divisor::new(width.max(1)) });
            start += binomial(high_cells, high) * width;
        }
        let len = start;
        blocks.push(Block { start: len, width: Divisor::new(1) });
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(GUESSES.ilog2());
        let block_of = |piece: usize| {
            let first = (piece as u64) << shift;
            blocks.partition_point(|block| block.start <= first).saturating_sub(1) as u8
        };
        let guesses = std::array::from_fn(block_of);
        Split { blocks: blocks.into_boxed_slice(), guesses, shift }
    }

    /// The index of a set with `high_size` cells in its upper part, from the indices `high` and
    /// `low` of its two parts.
    #[inline]
    pub(super) fn rank(&self, high_size: usize, high: u64, low: u64) -> u64 {
        let block = &self.blocks[high_size];
        block.start + high * block.width.get() + low
    }

    /// The number of cells in the upper part of a set, and the indices of its upper and lower part.
    #[inline]
    pub(super) fn unrank(&self, index: u64) -> (usize, u64, u64) {
        let mut size = usize::from(self.guesses[(index >> self.shift) as usize]);
        while self.blocks[size + 1].start <= index {
            size += 1;
        }
        let block = &self.blocks[size];
        let (high, low) = block.width.div_rem(index - block.start);
        (size, high, low)
    }
}

/// All sets of a board of up to 32 cells, with their indices among the sets of the same size.
#[derive(Debug)]
pub(super) struct Half {
    /// The number of cells of the lower part.
    low_cells: u32,
    /// For each size, the sets of that size.
    splits: Vec<Split>,
}

impl Half {
    /// The board of `cells` cells, up to 32. Each board is made once and shared.
    pub(super) fn of(cells: u32) -> &'static Half {
        static HALVES: [OnceLock<Half>; MOST_HALF as usize + 1] =
            [const { OnceLock::new() }; MOST_HALF as usize + 1];
        HALVES[cells as usize].get_or_init(|| {
            let low_cells = cells / 2;
            let split = |chosen| Split::new(low_cells, cells - low_cells, chosen);
            Half { low_cells, splits: (0..=cells).map(split).collect() }
        })
    }

    /// The number of cells of the lower part.
    pub(super) fn low_cells(&self) -> u32 {
        self.low_cells
    }

    /// The sets of `chosen` cells.
    #[inline]
    pub(super) fn split(&self, chosen: usize) -> &Split {
        &self.splits[chosen]
    }

    /// The size of a set, and its index among the sets of that size.
    #[inline]
    pub(super) fn place(&self, set: u64) -> (usize, u64) {
        let (low_size, low) = place_of_word(set & !(u64::MAX << self.low_cells));
        let (high_size, high) = place_of_word(set >> self.low_cells);
        let size = low_size + high_size;
        (size, self.split(size).rank(high_size, high, low))
    }

    /// The set of `size` cells with this index.
    #[inline]
    pub(super) fn set_at(&self, size: usize, index: u64) -> u64 {
        set_of_words(self.split(size), size, self.low_cells, index)
    }
}

/// The set of `size` cells with this index, on a board that is divided into two words.
#[inline]
pub(super) fn set_of_words(split: &Split, size: usize, low_cells: u32, index: u64) -> u64 {
    let (high_size, high, low) = split.unrank(index);
    word_at(high_size, high) << low_cells | word_at(size - high_size, low)
}
