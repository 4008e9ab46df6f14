//! Sets of cells as bit masks: gathers and spreads bits, and counts sets.

use crate::index::error::IndexError;

/// The most cells that a board can have: a set of cells is a `u64`.
pub(super) const MOST_CELLS: u32 = u64::BITS;

/// Pascal's triangle: `PASCAL[n][k]` is the number of sets of k of n cells. All fit into 64 bits.
static PASCAL: [[u64; 65]; 65] = pascal();

const fn pascal() -> [[u64; 65]; 65] {
    let mut rows = [[0; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
}

/// The binomial coefficient: the number of sets of `chosen` of `cells` cells. It is 0 if `chosen`
/// is more than `cells`. Costs a load.
///
/// ```
/// assert_eq!(retrograde::index::binomial(24, 9), 1_307_504);
/// ```
///
/// # Panics
/// If there are more than 64 cells.
#[inline]
#[must_use]
pub fn binomial(cells: u32, chosen: u32) -> u64 {
    assert!(cells <= MOST_CELLS, "{cells} cells: expected 64 at most");
    PASCAL[cells as usize].get(chosen as usize).copied().unwrap_or(0)
}

/// The set of all cells of a board of `cells` cells: its lowest `cells` bits are set.
///
/// # Panics
/// If there are more than 64 cells.
#[inline]
#[must_use]
pub const fn all_cells(cells: u32) -> u64 {
    assert!(cells <= MOST_CELLS, "more than 64 cells");
    if cells == 0 { 0 } else { u64::MAX >> (u64::BITS - cells) }
}

/// Checks that a board has no more than `most` cells.
pub(super) fn check_cells(cells: u32, most: u32) -> Result<(), IndexError> {
    if cells > most { Err(IndexError::TooManyCells { cells, most }) } else { Ok(()) }
}

/// The number of cells that are processed together: 64 x 64 entries fit into the fastest cache.
const STEP: u32 = 6;
const STEP_MASK: u64 = (1 << STEP) - 1;

/// For each mask of six cells and set of six cells: the bits of the set that lie in the mask,
/// gathered, and above them (from bit 8) the number of cells of the mask.
static COMPRESSED: [u16; 1 << (2 * STEP)] = six_by_six(true);
/// For each mask of six cells and six bits: the bits spread over the mask, and above them (from bit
/// 8) the number of cells of the mask.
static EXPANDED: [u16; 1 << (2 * STEP)] = six_by_six(false);

const fn six_by_six(gather: bool) -> [u16; 1 << (2 * STEP)] {
    let mut table = [0; 1 << (2 * STEP)];
    let mut at = 0;
    while at < table.len() {
        let (mask, set) = (at >> STEP, at as u64 & STEP_MASK);
        let (mut result, mut cells, mut cell) = (0, 0, 0);
        while cell < STEP {
            if mask >> cell & 1 == 1 {
                let (from, to) = if gather { (cell, cells) } else { (cells, cell) };
                result |= (set >> from & 1) << to;
                cells += 1;
            }
            cell += 1;
        }
        table[at] = result as u16 | (cells as u16) << 8;
        at += 1;
    }
    table
}

/// Gathers the bits of `set` that lie in `mask` into the lowest bits, in order. So a set of cells
/// of `mask` becomes a set on a board with as many cells as `mask`.
///
/// Takes a load for every six cells up to the highest of `mask`, and no instruction that only some
/// processors have (x86 calls this operation `pext`).
///
/// ```
/// assert_eq!(retrograde::index::compress(0b_1010_0100, 0b_1110_0100), 0b_1011);
/// ```
#[inline]
#[must_use]
pub fn compress(mut set: u64, mut mask: u64) -> u64 {
    let (mut result, mut filled) = (0, 0);
    while mask != 0 {
        let at = (mask & STEP_MASK) << STEP | set & STEP_MASK;
        let entry = u64::from(COMPRESSED[at as usize]);
        result |= (entry & STEP_MASK) << filled;
        filled += entry >> 8;
        mask >>= STEP;
        set >>= STEP;
    }
    result
}

/// [`compress`] by one mask, prepared for many sets: the loads for a set do not wait for each
/// other.
#[derive(Clone, Copy)]
pub(super) struct Compressor {
    /// For every six cells: the place of their mask's entries, and the number of lower cells in the
    /// mask.
    steps: [(u16, u8); MOST_CELLS.div_ceil(STEP) as usize],
    /// The number of steps up to the highest cell of the mask.
    used: usize,
}

impl Compressor {
    /// Prepares a mask.
    #[inline]
    pub(super) fn new(mut mask: u64) -> Compressor {
        let mut steps = [(0, 0); MOST_CELLS.div_ceil(STEP) as usize];
        let (mut used, mut filled) = (0, 0);
        while mask != 0 {
            let six = mask & STEP_MASK;
            steps[used] = ((six << STEP) as u16, filled);
            filled += six.count_ones() as u8;
            used += 1;
            mask >>= STEP;
        }
        Compressor { steps, used }
    }

    /// The result of [`compress`] for a set.
    #[inline]
    pub(super) fn compress(&self, mut set: u64) -> u64 {
        let mut result = 0;
        for &(start, filled) in &self.steps[..self.used] {
            let entry = COMPRESSED[usize::from(start) | (set & STEP_MASK) as usize];
            result |= (u64::from(entry) & STEP_MASK) << filled;
            set >>= STEP;
        }
        result
    }
}

/// The cells of a set, ascending, each as a set of its own.
///
/// ```
/// use retrograde::index::singles;
///
/// assert!(singles(0b_1010_0001).eq([0b_0000_0001, 0b_0010_0000, 0b_1000_0000]));
/// ```
#[inline]
pub fn singles(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Spreads the lowest bits of `compact` over the cells of `mask`, in order: the inverse of
/// [`compress`]. Bits beyond the number of cells of `mask` are ignored.
///
/// Takes a load for every six cells up to the highest of `mask` (x86 calls this operation `pdep`).
///
/// ```
/// use retrograde::index::{compress, expand};
///
/// let (set, mask) = (0b_1010_0000, 0b_1110_0100);
/// assert_eq!(expand(compress(set, mask), mask), set);
/// ```
#[inline]
#[must_use]
pub fn expand(mut compact: u64, mut mask: u64) -> u64 {
    let (mut result, mut cell) = (0, 0);
    while mask != 0 {
        let at = (mask & STEP_MASK) << STEP | compact & STEP_MASK;
        let entry = u64::from(EXPANDED[at as usize]);
        result |= (entry & STEP_MASK) << cell;
        compact >>= entry >> 8;
        cell += STEP;
        mask >>= STEP;
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cells of a set, ascending.
    fn cells(set: u64) -> impl Iterator<Item = u32> {
        (0..64).filter(move |cell| set >> cell & 1 == 1)
    }

    proptest! {
        #[test]
        fn bits_are_gathered_and_spread_in_order(set: u64, mask: u64, shift in 0..64_u32) {
            for mask in [mask, mask >> shift, mask << shift, 0, u64::MAX] {
                let gathered =
                    (0..).zip(cells(mask)).fold(0, |all, (at, cell)| all | (set >> cell & 1) << at);
                prop_assert_eq!(compress(set, mask), gathered);
                prop_assert_eq!(Compressor::new(mask).compress(set), gathered);
                let spread =
                    (0..).zip(cells(mask)).fold(0, |all, (at, cell)| all | (set >> at & 1) << cell);
                prop_assert_eq!(expand(set, mask), spread);
            }
        }
    }

    #[test]
    fn binomials_count_the_sets() {
        for cells in 0..=16 {
            for chosen in 0..=20 {
                let sets = (0_u32..1 << cells).filter(|set| set.count_ones() == chosen).count();
                assert_eq!(binomial(cells, chosen), sets as u64, "{chosen} of {cells}");
            }
        }
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
    }
}
