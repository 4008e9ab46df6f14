//! The indices of positions with a number of seeds: the order of their bits.
//!
//! An index counts the positions with as many seeds and a smaller number of bits. The two players'
//! houses have their bits in turns. So positions with near indices are also near each other when the
//! other player sees them, and so are those before a move.

use std::ops::Range;

use super::board::{BITS, COUNTS, HOUSES, Houses, MASK};

/// How many houses there are.
const ALL_HOUSES: usize = 2 * HOUSES;

/// The houses of the lowest bits, which are found with one look at a table.
const LOW: usize = 3;

/// How many positions there are for each number of seeds on the board.
static LENS: [u64; COUNTS] = ways(ALL_HOUSES);

/// For each house but the highest, in the order of the bits, and a number of seeds: the ways to put
/// fewer than so many seeds into this house and the lower ones.
static FEWER: [[u64; COUNTS]; ALL_HOUSES - 1] = {
    let mut fewer = [[0; COUNTS]; ALL_HOUSES - 1];
    let mut house = 0;
    while house < ALL_HOUSES - 1 {
        let (ways, mut seeds) = (ways(house + 1), 1);
        while seeds < COUNTS {
            fewer[house][seeds] = fewer[house][seeds - 1] + ways[seeds - 1];
            seeds += 1;
        }
        house += 1;
    }
    fewer
};

/// How many ways there are to put at most 31 seeds into [`LOW`] houses.
const LOW_WAYS: usize = {
    let ways = ways(LOW);
    let (mut sum, mut seeds) = (0, 0);
    while seeds < COUNTS {
        sum += ways[seeds] as usize;
        seeds += 1;
    }
    sum
};

/// The sums of the lowest houses by the entries of [`FEWER`] for them, added up.
static LOW_SUMS: [u16; LOW_WAYS] = {
    let mut low = [0; LOW_WAYS];
    let (mut at, mut third) = (0, 0);
    while third < COUNTS {
        let mut second = 0;
        while second <= third {
            let mut first = 0;
            while first <= second {
                low[at] = ((third << BITS | second) << BITS | first) as u16;
                (at, first) = (at + 1, first + 1);
            }
            second += 1;
        }
        third += 1;
    }
    low
};

/// How many ways there are to put each number of seeds into this many houses.
const fn ways(houses: usize) -> [u64; COUNTS] {
    let mut ways = [1; COUNTS];
    let mut house = 1;
    while house < houses {
        let mut seeds = 1;
        while seeds < COUNTS {
            ways[seeds] += ways[seeds - 1];
            seeds += 1;
        }
        house += 1;
    }
    ways
}

/// How many positions have so many seeds.
#[inline]
pub(super) fn len(seeds: usize) -> u64 {
    LENS[seeds]
}

/// The index of a position among those with as many seeds, which are `seeds`.
#[inline]
pub(super) fn rank(seeds: usize, houses: Houses) -> u64 {
    let sums = houses.sums();
    let mut later = sums & MASK;
    for (house, fewer) in FEWER.iter().enumerate().skip(1) {
        later += fewer[(sums >> (BITS * house as u32) & MASK) as usize];
    }
    LENS[seeds % COUNTS] - 1 - later
}

/// The position of an index below [`len`] among those with so many seeds.
#[inline]
pub(super) fn unrank(seeds: usize, index: u64) -> Houses {
    let (mut sums, mut sum, mut later) = (seeds as u64, seeds, LENS[seeds % COUNTS] - 1 - index);
    for fewer in FEWER[LOW..].iter().rev() {
        while fewer[sum] > later {
            sum -= 1;
        }
        later -= fewer[sum];
        sums = sums << BITS | sum as u64;
    }
    Houses::of_sums(sums << (LOW as u32 * BITS) | u64::from(LOW_SUMS[later as usize]))
}

/// The position with the next index. After the last there is none, and the result is any position.
#[inline]
fn next(houses: Houses) -> Houses {
    let bits = houses.0;
    let highest = (ALL_HOUSES as u32 - 1) * BITS;
    let shift = (bits.trailing_zeros() / BITS * BITS).min(highest);
    // One seed of the lowest house that has some goes up by a house, and the others to the lowest.
    let (seed, seeds) = (1 << shift, bits >> shift & MASK);
    let without = bits.wrapping_sub(seeds << shift);
    Houses(without.wrapping_add(seed << BITS).wrapping_add(seeds.wrapping_sub(1)))
}

/// Visits the positions with so many seeds, in the order of these indices.
#[inline]
pub(super) fn each(seeds: usize, indices: Range<u64>, mut visit: impl FnMut(u64, Houses)) {
    if indices.is_empty() {
        return;
    }
    let mut houses = unrank(seeds, indices.start);
    for index in indices {
        visit(index, houses);
        houses = next(houses);
    }
}
