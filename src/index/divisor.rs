//! Division by a number that is known beforehand.

use serde::{Deserialize, Serialize};

use crate::index::error::IndexError;

/// A divisor that is known when a game is set up. Dividing by it takes a multiplication instead of
/// a division, which is several times as fast.
///
/// Numberings with mixed radices (`a * width + b`) divide at least once for every index that they
/// turn back into a state.
///
/// ```
/// use retrograde::index::Divisor;
///
/// let width = Divisor::new(10);
/// assert_eq!(width.div_rem(1234), (123, 4));
/// ```
///
/// The quotient is the upper half of the product with the reciprocal, which has 64 bits and is
/// rounded up. The quotient is exact while the dividend times the divisor is less than 2^64
/// (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994). For
/// larger dividends the processor divides, so every result is exact.
///
/// With serde a divisor is written as the number, and reading 0 is an error.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Divisor {
    divisor: u64,
    /// 2^64 / divisor, rounded up; 0 for the divisor 1, whose reciprocal does not fit.
    reciprocal: u64,
    /// Dividends below this are divided exactly by multiplying.
    exact_below: u64,
}

impl Divisor {
    /// Prepares divisions by `divisor`.
    ///
    /// # Panics
    /// If `divisor` is 0.
    #[must_use]
    pub const fn new(divisor: u64) -> Divisor {
        assert!(divisor > 0, "the divisor is 0");
        if divisor == 1 {
            return Divisor { divisor, reciprocal: 0, exact_below: 0 };
        }
        let reciprocal = u64::MAX / divisor + 1;
        Divisor { divisor, reciprocal, exact_below: u64::MAX / divisor }
    }

    /// The divisor.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u64 {
        self.divisor
    }

    /// The quotient of `dividend` and the divisor, rounded down.
    #[inline]
    #[must_use]
    pub const fn div(self, dividend: u64) -> u64 {
        if dividend < self.exact_below {
            ((dividend as u128 * self.reciprocal as u128) >> 64) as u64
        } else {
            dividend / self.divisor
        }
    }

    /// The quotient of `dividend` and the divisor, rounded down, and the remainder.
    #[inline]
    #[must_use]
    pub const fn div_rem(self, dividend: u64) -> (u64, u64) {
        let quotient = self.div(dividend);
        (quotient, dividend - quotient * self.divisor)
    }
}

impl TryFrom<u64> for Divisor {
    type Error = IndexError;

    /// Prepares divisions by `divisor`, or refuses 0.
    fn try_from(divisor: u64) -> Result<Divisor, IndexError> {
        if divisor == 0 { Err(IndexError::ZeroDivisor) } else { Ok(Divisor::new(divisor)) }
    }
}

impl From<Divisor> for u64 {
    fn from(divisor: Divisor) -> u64 {
        divisor.get()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::index::divisor::Divisor;

    #[test]
    fn the_edges_are_exact() {
        let powers = (0..64).map(|bits| 1_u64 << bits);
        let edges: Vec<u64> = powers
            .flat_map(|power| [power - 1, power, power + 1])
            .chain([u64::MAX, u64::MAX - 1, 10, 9_999, 19_998])
            .collect();
        for &divisor in edges.iter().filter(|&&divisor| divisor > 0) {
            let fixed = Divisor::new(divisor);
            let multiples = [fixed.exact_below, fixed.exact_below.saturating_add(1)]
                .into_iter()
                .flat_map(|about| [about - about % divisor, about.saturating_sub(1), about]);
            for dividend in edges.iter().copied().chain(multiples) {
                let expected = (dividend / divisor, dividend % divisor);
                assert_eq!(fixed.div_rem(dividend), expected, "{dividend} by {divisor}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_division_is_exact(dividend: u64, divisor in 1_u64.., shift in 0..64_u32) {
            let divisor = (divisor >> shift).max(1);
            let expected = (dividend / divisor, dividend % divisor);
            prop_assert_eq!(Divisor::new(divisor).div_rem(dividend), expected);
        }
    }
}
