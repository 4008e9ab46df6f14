//! Numbers of several digits, each with its own range.

use crate::index::{Divisor, IndexError, Ranking};

/// Lists of numbers, each below a limit of its own: the digits of a number in mixed radix (Knuth,
/// *The Art of Computer Programming* 2, 4.1), the first the most significant.
///
/// The place of one animal, that of another, and whose turn it is; or the ranks of several parts of
/// a state that do not depend on one another.
///
/// ```
/// use retrograde::index::{MixedRadix, Ranking};
///
/// // Two animals on 100 cells, and two players.
/// let states = MixedRadix::new([100, 100, 2])?;
/// assert_eq!(states.len(), 20_000);
/// assert_eq!(states.rank([12, 34, 1]), (12 * 100 + 34) * 2 + 1);
/// assert_eq!(states.unrank(2469), [12, 34, 1]);
/// # Ok::<(), retrograde::index::IndexError>(())
/// ```
///
/// A multiplication for each digit on the way there, a division by a known number ([`Divisor`]) on
/// the way back, but for the first.
#[derive(Clone, Copy, Debug)]
pub struct MixedRadix<const DIGITS: usize> {
    len: u64,
    limits: [Divisor; DIGITS],
}

impl<const DIGITS: usize> MixedRadix<DIGITS> {
    /// Digits below these limits. Where a limit is 0 there is no list, and `len` is 0.
    ///
    /// # Errors
    /// When there are more than 2^64 - 1 lists.
    pub fn new(limits: [u64; DIGITS]) -> Result<MixedRadix<DIGITS>, IndexError> {
        let len = product(limits)?;
        // Where there is no list nothing is divided.
        Ok(MixedRadix { len, limits: limits.map(|limit| Divisor::new(limit.max(1))) })
    }
}

/// How many lists there are of items of which there are so many.
pub(super) fn product(lens: impl IntoIterator<Item = u64> + Clone) -> Result<u64, IndexError> {
    if lens.clone().into_iter().any(|len| len == 0) {
        return Ok(0);
    }
    lens.into_iter().try_fold(1_u64, u64::checked_mul).ok_or(IndexError::TooLong)
}

impl<const DIGITS: usize> Ranking for MixedRadix<DIGITS> {
    /// The digits, the most significant first.
    type Item = [u64; DIGITS];

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, digits: [u64; DIGITS]) -> u64 {
        let pairs = digits.into_iter().zip(&self.limits);
        pairs.fold(0, |rank, (digit, limit)| {
            debug_assert!(digit < limit.get(), "{digit} is not below {}", limit.get());
            rank * limit.get() + digit
        })
    }

    #[inline]
    fn unrank(&self, mut rank: u64) -> [u64; DIGITS] {
        let mut digits = [0; DIGITS];
        for at in (1..DIGITS).rev() {
            (rank, digits[at]) = self.limits[at].div_rem(rank);
        }
        if let Some(first) = digits.first_mut() {
            *first = rank;
        }
        digits
    }
}
