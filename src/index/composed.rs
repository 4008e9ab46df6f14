//! Numberings made of others: pairs of items, and one numbering after the other.

use crate::index::mixed_radix::product;
use crate::index::starts::Starts;
use crate::index::{Divisor, IndexError, Ranking};

/// Pairs of an item of one numbering and an item of another that does not depend on the first. For
/// more than two, pairs of pairs, or [`MixedRadix`](super::MixedRadix) over the ranks.
///
/// ```
/// use retrograde::index::{Combinations, Pairs, Permutations, Ranking};
///
/// // Where three pieces stand, and which of them stands where.
/// let pieces = Pairs::new(Combinations::new(12, 3)?, Permutations::<3>::new())?;
/// assert_eq!(pieces.len(), 220 * 6);
/// let (cells, order) = pieces.unrank(1000);
/// assert_eq!(pieces.rank((cells, order)), 1000);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// The rank of the first item is the most significant. Costs a multiplication on the way there and a
/// division by a known number on the way back, beside what the two numberings cost.
#[derive(Clone, Debug)]
pub struct Pairs<A, B> {
    first: A,
    second: B,
    len: u64,
    /// How many items the second numbering has.
    width: Divisor,
}

impl<A: Ranking, B: Ranking> Pairs<A, B> {
    /// The pairs of an item of `first` and an item of `second`.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 pairs.
    pub fn new(first: A, second: B) -> Result<Pairs<A, B>, IndexError> {
        let len = product([first.len(), second.len()])?;
        // Where there is no pair nothing is divided.
        let width = Divisor::new(second.len().max(1));
        Ok(Pairs { first, second, len, width })
    }
}

impl<A: Ranking, B: Ranking> Ranking for Pairs<A, B> {
    /// The two items.
    type Item = (A::Item, B::Item);

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, (first, second): (A::Item, B::Item)) -> u64 {
        self.first.rank(first) * self.width.get() + self.second.rank(second)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> (A::Item, B::Item) {
        let (first, second) = self.width.div_rem(rank);
        (self.first.unrank(first), self.second.unrank(second))
    }
}

/// Several numberings one after the other: an item is a place in the list and an item of the
/// numbering there.
///
/// ```
/// use retrograde::index::{Combinations, InTurn, Ranking};
///
/// // Up to three stones on a board of nine cells: 1 + 9 + 36 + 84 ways.
/// let sizes: Result<Vec<_>, _> = (0..=3).map(|stones| Combinations::new(9, stones)).collect();
/// let stones = InTurn::new(sizes?)?;
/// assert_eq!(stones.len(), 130);
/// assert_eq!(stones.unrank(stones.rank((2, 0b_1001))), (2, 0b_1001));
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// Costs a load more than the numberings do on the way there, and two loads and a short search on the
/// way back.
#[derive(Clone, Debug)]
pub struct InTurn<R> {
    numberings: Vec<R>,
    starts: Starts,
}

impl<R: Ranking> InTurn<R> {
    /// These numberings one after the other.
    ///
    /// # Errors
    /// When they have more than 2^64 - 1 items together.
    pub fn new(numberings: Vec<R>) -> Result<InTurn<R>, IndexError> {
        let starts = Starts::new(numberings.iter().map(R::len))?;
        Ok(InTurn { numberings, starts })
    }

    /// The numberings.
    #[must_use]
    pub fn numberings(&self) -> &[R] {
        &self.numberings
    }
}

impl<R: Ranking> Ranking for InTurn<R> {
    /// The place of the numbering in the list, and its item.
    type Item = (usize, R::Item);

    #[inline]
    fn len(&self) -> u64 {
        self.starts.len()
    }

    #[inline]
    fn rank(&self, (place, item): (usize, R::Item)) -> u64 {
        self.starts.start(place) + self.numberings[place].rank(item)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> (usize, R::Item) {
        let (place, rank) = self.starts.find(rank);
        (place, self.numberings[place].unrank(rank))
    }
}
