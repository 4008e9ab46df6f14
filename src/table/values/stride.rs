//! The stride of a block: the order of its values.
//!
//! Many games compute their indices from digits, and the lowest digit is not always the least
//! important one. In a chess ending the kings are the highest digit. Positions that differ in the
//! place of one king mostly have the same value, but their indices are far apart. With a stride
//! they are neighbours.

use serde::{Deserialize, Serialize};

use crate::game::value::UNUSED;

/// The distance between the indices of neighbouring values in a block, a power of two.
///
/// A block contains first the values whose places are 0 modulo the stride, then the values at 1,
/// and so on. The usual stride is 1: values in the order of their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub(crate) struct Stride {
    log: u8,
}

/// The number of remainders that are processed together: the bytes of a cache line.
const TOGETHER: usize = 64;

impl Stride {
    /// The number of bits of the logarithm.
    pub(crate) const BITS: u32 = 4;

    /// The stride with this logarithm to the base 2. Only the lowest bits of `log` count.
    pub(crate) fn of_log(log: u8) -> Stride {
        Stride { log: log & ((1 << Stride::BITS) - 1) }
    }

    /// The logarithm to the base 2.
    pub(crate) fn log(self) -> u8 {
        self.log
    }

    /// All strides, from 1 on.
    pub(crate) fn all() -> impl Iterator<Item = Stride> {
        (0..1 << Stride::BITS).map(|log| Stride { log })
    }

    pub(crate) fn get(self) -> u64 {
        1 << self.log
    }

    pub(crate) fn is_one(self) -> bool {
        self.log == 0
    }

    /// Visits each of `len` places of a block, together with the place of its value under this
    /// stride.
    pub(crate) fn visit(self, len: usize, mut visit: impl FnMut(usize, usize)) {
        let stride = 1 << self.log;
        let (rows, longer) = (len >> self.log, len & (stride - 1));
        for first in (0..stride.min(len)).step_by(TOGETHER) {
            for row in 0..rows + usize::from(first < longer) {
                // The last row may be shorter.
                let end = if row < rows { stride } else { longer };
                for remainder in first..end.min(first + TOGETHER) {
                    let before = remainder * rows + remainder.min(longer);
                    visit(row << self.log | remainder, before + row);
                }
            }
        }
    }

    /// The share of values that differ from the previous one in the order of this stride. Unused
    /// indices differ from nothing, and the first value of each remainder is left out.
    pub(crate) fn changes(self, values: &[u16]) -> f64 {
        let next = values.get(1 << self.log..).unwrap_or_default();
        let differ = |(&one, &other): (&u16, &u16)| {
            usize::from((one != other) & (one != UNUSED) & (other != UNUSED))
        };
        let changes: usize = values.iter().zip(next).map(differ).sum();
        changes as f64 / next.len().max(1) as f64
    }

    /// Puts values into the order of this stride.
    pub(crate) fn apply<T: Copy + Default>(self, values: &[T], strided: &mut Vec<T>) {
        strided.clear();
        strided.resize(values.len(), T::default());
        self.visit(values.len(), |at, to| strided[to] = values[at]);
    }

    /// Puts values back into the order of their indices.
    pub(crate) fn undo<T: Copy + Default>(self, strided: Vec<T>) -> Box<[T]> {
        if self.is_one() {
            return strided.into();
        }
        let mut values = vec![T::default(); strided.len()];
        self.visit(strided.len(), |at, from| values[at] = strided[from]);
        values.into()
    }
}

impl From<u8> for Stride {
    fn from(log: u8) -> Stride {
        Stride::of_log(log)
    }
}

impl From<Stride> for u8 {
    fn from(stride: Stride) -> u8 {
        stride.log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(stride: Stride, values: Vec<u64>) -> Vec<u64> {
        let mut strided = vec![1, 2, 3];
        stride.apply(&values, &mut strided);
        strided
    }

    #[test]
    fn every_stride_is_undone() {
        for len in [0, 1, 2, 3, 63, 64, 65, 1_000, 4_096, 5_003, 70_000] {
            for stride in Stride::all() {
                let strided = applied(stride, (0..len).collect());
                assert_eq!(strided.len() as u64, len);
                let remainders = strided.iter().map(|place| place % stride.get());
                assert!(remainders.is_sorted(), "{stride:?} {len}");
                let undone = stride.undo(strided);
                assert!(undone.iter().copied().eq(0..len), "{stride:?} {len}");
            }
        }
    }

    #[test]
    fn changes_are_counted_between_neighbours() {
        let values = [5, 7, 5, 7, UNUSED, 7, 6];
        for (log, share) in [(0, 4.0 / 6.0), (1, 0.0), (2, 1.0 / 3.0), (3, 0.0)] {
            assert!((Stride::of_log(log).changes(&values) - share).abs() < 1e-9);
        }
    }

    #[test]
    fn values_stand_by_their_remainders() {
        let [two, four] = [Stride::of_log(1), Stride::of_log(2)];
        assert_eq!(applied(two, (0..5).collect()), [0, 2, 4, 1, 3]);
        assert_eq!(applied(four, (8..14).collect()), [8, 12, 9, 13, 10, 11]);
        assert_eq!(applied(Stride::default(), (3..6).collect()), [3, 4, 5]);
    }
}
