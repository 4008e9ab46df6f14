//! Orders of several different items.

use crate::index::Ranking;

/// The most items: 20! is less than 2^64, 21! is not.
const MOST_ITEMS: usize = 20;
/// How many bits an item takes where several are kept in one word.
const BITS: u32 = 5;
/// A one for each item, and more than there can be.
const ONES: u128 = {
    let mut ones = 0;
    let mut item = 0;
    while item * BITS + BITS <= u128::BITS {
        ones |= 1 << (item * BITS);
        item += 1;
    }
    ones
};
/// Item i at place i.
const IN_ORDER: u128 = {
    let mut word = 0;
    let mut item = 0;
    while item < MOST_ITEMS as u32 {
        word |= (item as u128) << (item * BITS);
        item += 1;
    }
    word
};

/// The same in words of half the length, for up to 16 items of 4 bits.
mod short {
    pub(super) const MOST_ITEMS: usize = 16;
    pub(super) const BITS: u32 = 4;
    pub(super) const ONES: u64 = 0x1111_1111_1111_1111;
    pub(super) const IN_ORDER: u64 = 0xfedc_ba98_7654_3210;
}

const fn factorial(items: usize) -> u64 {
    if items == 0 { 1 } else { items as u64 * factorial(items - 1) }
}

/// The digits of a rank are found in groups: those with radices above 16, those above 12, and the
/// others.
const GROUPS: [usize; 4] = [MOST_ITEMS, 16, 12, 0];

/// With so many items, for each group: the reciprocal of the product of its radices in units of
/// 2^-64, rounded up; 0 where there is nothing to divide.
const fn reciprocals(items: usize) -> [u64; GROUPS.len() - 1] {
    let mut reciprocals = [0; GROUPS.len() - 1];
    let mut group = 0;
    while group < reciprocals.len() {
        let (above, from) = (GROUPS[group + 1], GROUPS[group]);
        let from = if from < items { from } else { items };
        if above < from {
            let product = factorial(from) / factorial(above);
            assert!(product <= 1 << 32, "a group of digits is too large to be exact");
            reciprocals[group] = if product == 1 { 0 } else { u64::MAX / product + 1 };
        }
        group += 1;
    }
    reciprocals
}

/// The orders of the items 0, 1, …, N - 1: N! of them, for up to 20 items.
///
/// ```
/// use retrograde::index::{Permutations, Ranking};
///
/// let orders = Permutations::<4>::new();
/// assert_eq!(orders.len(), 24);
/// assert_eq!(orders.unrank(0), [0, 1, 2, 3]);
/// assert_eq!(orders.unrank(23), [3, 2, 1, 0]);
/// assert_eq!(orders.rank([1, 0, 2, 3]), 6);
/// ```
///
/// More items do not compile:
///
/// ```compile_fail
/// let too_many = retrograde::index::Permutations::<21>::new();
/// ```
///
/// # Order and cost
/// They are in lexicographic order. The digits of a rank in the factorial number system are the
/// Lehmer code: for each place, how many of the items that come later are less (Lehmer 1960; Knuth,
/// *The Art of Computer Programming* 3, 5.1.1). Each place takes a few instructions: a word holds for
/// every item how many lesser ones are left, which is one subtraction to update; and on the way back
/// all items that are left, in order, while a digit is one multiplication. (Myrvold and Ruskey,
/// "Ranking and unranking permutations in linear time", 2001, give up the lexicographic order for
/// constant time a place; words give it with the order.) Up to 16 items fit into a word of 64 bits,
/// more take one of 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permutations<const N: usize>;

impl<const N: usize> Permutations<N> {
    const LEN: u64 = {
        assert!(N <= MOST_ITEMS, "expected 20 items at most");
        factorial(N)
    };

    const RECIPROCALS: [u64; GROUPS.len() - 1] = reciprocals(N);

    /// The orders of N items.
    #[must_use]
    pub const fn new() -> Permutations<N> {
        let _ = Self::LEN;
        Permutations
    }
}

macro_rules! rank_in_words {
    ($items:ident, $word:ty, $bits:expr, $ones:expr, $in_order:expr) => {{
        let mut lesser: $word = $in_order;
        let mut rank = 0;
        for (place, &item) in $items.iter().enumerate() {
            let shift = u32::from(item) * $bits;
            rank = rank * (N - place) as u64 + (lesser >> shift) as u64 % (1 << $bits);
            // One less for all items that are greater. Items that are gone have no less left than
            // they need: what is subtracted from them are the lesser ones that were left.
            lesser = lesser.wrapping_sub($ones << shift << $bits);
        }
        rank
    }};
}

macro_rules! unrank_in_words {
    ($rank:ident, $word:ty, $bits:expr, $in_order:expr) => {{
        let mut left: $word = $in_order;
        let mut items = [0_u8; N];
        let mut take = |part: u64, group: usize| {
            // The part of the rank as a fraction of all that the group can be. Each radix in turn
            // brings its digit before the point. Rounded up, the fraction is too large by less than
            // the product of the radices in units of 2^-64, and that is less than the step from one
            // part to the next, since the product is at most 2^32: no digit is wrong.
            let mut fraction = part * Self::RECIPROCALS[group];
            for radix in (GROUPS[group + 1] + 1..=GROUPS[group].min(N)).rev() {
                let product = u128::from(fraction) * radix as u128;
                fraction = product as u64;
                let shift = (product >> 64) as u32 * $bits;
                let below: $word = (1 << shift) - 1;
                items[N - radix] = (left >> shift) as u8 % (1 << $bits);
                left = left & below | left >> $bits & !below;
            }
        };
        if N > GROUPS[1] {
            take($rank / const { factorial(GROUPS[1]) }, 0);
        }
        if N > GROUPS[2] {
            take($rank % const { factorial(GROUPS[1]) } / const { factorial(GROUPS[2]) }, 1);
        }
        take($rank % const { factorial(GROUPS[2]) }, 2);
        items
    }};
}

impl<const N: usize> Ranking for Permutations<N> {
    /// The items in order.
    type Item = [u8; N];

    #[inline]
    fn len(&self) -> u64 {
        Self::LEN
    }

    #[inline]
    fn rank(&self, items: [u8; N]) -> u64 {
        debug_assert!(
            items.iter().fold(0_u32, |set, item| set | 1 << item) == (1 << N) - 1,
            "{items:?} is no order of {N} items"
        );
        if N <= short::MOST_ITEMS {
            rank_in_words!(items, u64, short::BITS, short::ONES, short::IN_ORDER)
        } else {
            rank_in_words!(items, u128, BITS, ONES, IN_ORDER)
        }
    }

    #[inline]
    fn unrank(&self, rank: u64) -> [u8; N] {
        debug_assert!(rank < Self::LEN, "number {rank} of {}", Self::LEN);
        if N <= short::MOST_ITEMS {
            unrank_in_words!(rank, u64, short::BITS, short::IN_ORDER)
        } else {
            unrank_in_words!(rank, u128, BITS, IN_ORDER)
        }
    }
}
