//! Numberings made of others: lists of digits, pairs of items, and one numbering after another.

use serde::{Deserialize, Serialize};

use crate::index::error::IndexError;
use crate::index::starts::Starts;
use crate::index::{Divisor, Ranking};

/// The product of the lengths of several numberings: the number of lists with an item of each.
pub(super) fn product<const PARTS: usize>(lens: [u64; PARTS]) -> Result<u64, IndexError> {
    if lens.contains(&0) {
        return Ok(0);
    }
    lens.into_iter().try_fold(1_u64, u64::checked_mul).ok_or(IndexError::TooLong)
}

/// A numbering of lists of numbers, each below its own limit: the digits of an index in mixed
/// radix, the first the most significant (Knuth, *The Art of Computer Programming* 2, 4.1).
///
/// The digits may be the places of two animals and whose turn it is, or the indices of several
/// independent parts of a state. Every index below [`len`](MixedRadix::len) is used.
///
/// ```
/// use retrograde::index::MixedRadix;
///
/// // Two animals on 100 cells, and two players.
/// let states = MixedRadix::new([100, 100, 2])?;
/// assert_eq!(states.len(), 20_000);
/// assert_eq!(states.rank([12, 34, 1]), (12 * 100 + 34) * 2 + 1);
/// assert_eq!(states.unrank(2469), [12, 34, 1]);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Cost
/// Ranking costs a multiplication for each digit. Unranking costs a division by a prepared divisor
/// ([`Divisor`]) for each digit but the first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenDigits", into = "WrittenDigits")]
pub struct MixedRadix<const DIGITS: usize> {
    limits: [u64; DIGITS],
    len: u64,
    /// The limits, as divisors.
    radices: [Divisor; DIGITS],
}

/// The serialized form of a [`MixedRadix`].
#[derive(Serialize, Deserialize)]
#[serde(rename = "MixedRadix", deny_unknown_fields)]
struct WrittenDigits {
    limits: Vec<u64>,
}

impl<const DIGITS: usize> TryFrom<WrittenDigits> for MixedRadix<DIGITS> {
    type Error = IndexError;

    fn try_from(WrittenDigits { limits }: WrittenDigits) -> Result<Self, IndexError> {
        let wrong_length =
            |limits: Vec<u64>| IndexError::WrongLength { found: limits.len(), expected: DIGITS };
        MixedRadix::new(limits.try_into().map_err(wrong_length)?)
    }
}

impl<const DIGITS: usize> From<MixedRadix<DIGITS>> for WrittenDigits {
    fn from(numbering: MixedRadix<DIGITS>) -> WrittenDigits {
        WrittenDigits { limits: numbering.limits.to_vec() }
    }
}

impl<const DIGITS: usize> MixedRadix<DIGITS> {
    /// The lists whose digits are below these limits, one limit for each digit. If a limit is 0,
    /// there is no list, and `len` is 0.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 lists.
    pub fn new(limits: [u64; DIGITS]) -> Result<MixedRadix<DIGITS>, IndexError> {
        let len = product(limits)?;
        // If there is no list, nothing is divided.
        let radices = limits.map(|limit| Divisor::new(limit.max(1)));
        Ok(MixedRadix { limits, len, radices })
    }

    /// The index of a list of digits, the most significant first.
    ///
    /// For a digit not below its limit, the result is any number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, digits: [u64; DIGITS]) -> u64 {
        let pairs = digits.into_iter().zip(&self.radices);
        pairs.fold(0, |index, (digit, radix)| {
            debug_assert!(digit < radix.get(), "{digit} is not below {}", radix.get());
            index * radix.get() + digit
        })
    }

    /// The digits of an index, the most significant first.
    ///
    /// For a number not below `len`, the first digit is not below its limit.
    #[inline]
    #[must_use]
    pub fn unrank(&self, mut index: u64) -> [u64; DIGITS] {
        let mut digits = [0; DIGITS];
        for at in (1..DIGITS).rev() {
            (index, digits[at]) = self.radices[at].div_rem(index);
        }
        if let Some(first) = digits.first_mut() {
            *first = index;
        }
        digits
    }
}

impl_ranking!(
    [const DIGITS: usize] MixedRadix<DIGITS>, [u64; DIGITS],
    /// The number of lists of digits: the product of the limits.
    len: |part| part.len,
    board: |_part| None,
    unrank: |part, index| Some(part.unrank(index)),
);

/// A numbering of the pairs of an item of one numbering and an item of another; any two items go
/// together.
///
/// For more than two parts, use pairs of pairs, or [`MixedRadix`] over the indices of the parts.
///
/// ```
/// use retrograde::index::{Combinations, MixedRadix, Pairs};
///
/// // Where three pieces are, and whose turn it is.
/// let states = Pairs::new(Combinations::new(12, 3)?, MixedRadix::new([2])?)?;
/// assert_eq!(states.len(), 220 * 2);
/// let (pieces, turn) = states.unrank(101).expect("every index is used");
/// assert_eq!(states.rank((pieces, turn)), 101);
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order and cost
/// The first item's index is the more significant. Beside the cost of the two numberings, ranking
/// takes a multiplication, and unranking a division by a prepared divisor ([`Divisor`]).
///
/// An index is unused if either numbering leaves its part of the index unused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    try_from = "WrittenPairs<A, B>",
    bound(deserialize = "A: Ranking + Deserialize<'de>, B: Ranking + Deserialize<'de>")
)]
pub struct Pairs<A, B> {
    first: A,
    second: B,
    #[serde(skip_serializing)]
    len: u64,
    /// The number of indices of the second numbering.
    #[serde(skip_serializing)]
    width: Divisor,
}

/// The serialized form of [`Pairs`].
#[derive(Deserialize)]
#[serde(rename = "Pairs", deny_unknown_fields)]
struct WrittenPairs<A, B> {
    first: A,
    second: B,
}

impl<A: Ranking, B: Ranking> TryFrom<WrittenPairs<A, B>> for Pairs<A, B> {
    type Error = IndexError;

    fn try_from(WrittenPairs { first, second }: WrittenPairs<A, B>) -> Result<Self, IndexError> {
        Pairs::new(first, second)
    }
}

impl<A: Ranking, B: Ranking> Pairs<A, B> {
    /// The pairs of an item of `first` and an item of `second`.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 pairs.
    pub fn new(first: A, second: B) -> Result<Pairs<A, B>, IndexError> {
        let len = product([first.len(), second.len()])?;
        // If there is no pair, nothing is divided.
        let width = Divisor::new(second.len().max(1));
        Ok(Pairs { first, second, len, width })
    }

    /// The index of an item of the first numbering and an item of the second.
    ///
    /// For values that are not items of the two, the result is any number, or the method panics.
    #[inline]
    #[must_use]
    pub fn rank(&self, (first, second): (A::Item, B::Item)) -> u64 {
        self.first.rank(first) * self.width.get() + self.second.rank(second)
    }

    /// The two items of an index; `None` if the index is unused.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> Option<(A::Item, B::Item)> {
        let (first, second) = self.width.div_rem(index);
        Some((self.first.unrank(first)?, self.second.unrank(second)?))
    }
}

impl_ranking!(
    [A: Ranking, B: Ranking] Pairs<A, B>, (A::Item, B::Item),
    /// The number of indices: the product of the lengths of the two numberings.
    len: |part| part.len,
    board: |part| part.first.board().filter(|_| part.first.board() == part.second.board()),
    unrank: |part, index| part.unrank(index),
);

/// Several numberings one after another. An item is the place of a numbering in the list, and an
/// item of that numbering.
///
/// ```
/// use retrograde::index::{Combinations, Concatenated};
///
/// // Up to three stones on a board of nine cells: 1 + 9 + 36 + 84 ways.
/// let sizes: Result<Vec<_>, _> = (0..=3).map(|stones| Combinations::new(9, stones)).collect();
/// let stones = Concatenated::new(sizes?)?;
/// assert_eq!(stones.len(), 130);
/// let two_stones = (2, 0b_1001);
/// assert_eq!(stones.unrank(stones.rank(two_stones)), Some(two_stones));
/// # Ok::<(), retrograde::error::IndexError>(())
/// ```
///
/// # Order and cost
/// All indices of the first numbering come first, then the indices of the second, and so on. Beside
/// the cost of the numberings, ranking takes a load, and unranking two loads and a short search.
///
/// An index is unused if its numbering leaves it unused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "WrittenInTurn<R>", bound(deserialize = "R: Ranking + Deserialize<'de>"))]
pub struct Concatenated<R> {
    numberings: Vec<R>,
    #[serde(skip_serializing)]
    starts: Starts,
}

/// The serialized form of [`Concatenated`].
#[derive(Deserialize)]
#[serde(rename = "Concatenated", deny_unknown_fields)]
struct WrittenInTurn<R> {
    numberings: Vec<R>,
}

impl<R: Ranking> TryFrom<WrittenInTurn<R>> for Concatenated<R> {
    type Error = IndexError;

    fn try_from(WrittenInTurn { numberings }: WrittenInTurn<R>) -> Result<Self, IndexError> {
        Concatenated::new(numberings)
    }
}

impl<R: Ranking> Concatenated<R> {
    /// The numberings of a list, one after another.
    ///
    /// # Errors
    /// When they have more than 2^64 - 1 indices together.
    pub fn new(numberings: Vec<R>) -> Result<Concatenated<R>, IndexError> {
        let starts = Starts::new(numberings.iter().map(R::len))?;
        Ok(Concatenated { numberings, starts })
    }

    /// The numberings that follow one another.
    #[must_use]
    pub fn numberings(&self) -> &[R] {
        &self.numberings
    }

    /// The first index of the numbering at this place in the list.
    ///
    /// # Panics
    /// If the list has no such place.
    #[inline]
    #[must_use]
    pub fn start(&self, place: usize) -> u64 {
        self.starts.start(place)
    }

    /// The index of an item of the numbering at this place in the list.
    ///
    /// For a value that is not an item of that numbering, the result is any number, or the method
    /// panics.
    ///
    /// # Panics
    /// If the list has no such place.
    #[inline]
    #[must_use]
    pub fn rank(&self, (place, item): (usize, R::Item)) -> u64 {
        self.starts.start(place) + self.numberings[place].rank(item)
    }

    /// The place of the index's numbering in the list, and the item of that numbering. `None` if
    /// the index is unused.
    ///
    /// For a number not below `len`, the result is anything, or the method panics.
    #[inline]
    #[must_use]
    pub fn unrank(&self, index: u64) -> Option<(usize, R::Item)> {
        let (place, index) = self.starts.find(index);
        Some((place, self.numberings[place].unrank(index)?))
    }
}

impl_ranking!(
    [R: Ranking] Concatenated<R>, (usize, R::Item),
    /// The number of indices: the sum of the lengths of the numberings.
    len: |part| part.starts.len(),
    board: |_part| None,
    unrank: |part, index| part.unrank(index),
);
