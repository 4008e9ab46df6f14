//! Ranges of indices one after another.

use crate::index::error::IndexError;

/// Several ranges of indices, one after another: the start of each, and the range of an index.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// The first index of each range, followed by the number of all indices.
    starts: Vec<u64>,
    /// The indices are divided into pieces. For each piece, the range of its first index.
    guesses: Vec<u32>,
    /// The number of bits by which an index is shifted right to get its piece.
    shift: u32,
    /// Fewer ranges than this, a power of two, begin in one piece.
    reach: usize,
}

impl Starts {
    /// Ranges of the lengths `lens`. An error if they have more than 2^64 - 1 indices in total.
    pub(super) fn new(lens: impl Iterator<Item = u64>) -> Result<Starts, IndexError> {
        let mut starts = vec![0_u64];
        let mut len = 0_u64;
        for range in lens {
            len = len.checked_add(range).ok_or(IndexError::TooLong)?;
            starts.push(len);
        }
        let ranges = starts.len() - 1;
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(ranges.max(1).ilog2() + 1);
        let last = ranges.saturating_sub(1);
        let last_guess = last as u32;
        let pieces = if len == 0 { 0 } else { ((len - 1) >> shift) + 1 };
        let range_of = |piece: u64| {
            let first = piece << shift;
            starts.partition_point(|&start| start <= first).saturating_sub(1).min(last) as u32
        };
        let guesses: Vec<u32> = (0..pieces).map(range_of).collect();
        let ends = guesses.iter().skip(1).chain([&last_guess]);
        let begun = guesses.iter().zip(ends).map(|(&first, &end)| end - first).max();
        let reach = (begun.unwrap_or(0) as usize + 1).next_power_of_two();
        Ok(Starts { starts, guesses, shift, reach })
    }

    /// The total number of indices of all ranges.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The first index of a range.
    #[inline]
    pub(super) fn start(&self, range: usize) -> u64 {
        self.starts[range]
    }

    /// The range of an index, and the index's place in it.
    #[inline]
    pub(super) fn find(&self, index: u64) -> (usize, u64) {
        let last = self.starts.len() - 2;
        let mut range = self.guesses[(index >> self.shift) as usize] as usize;
        // Finds the last range that does not begin later. It takes the same number of steps for any
        // index, without a branch that could be mispredicted.
        let mut half = self.reach / 2;
        while half > 0 {
            let later = (range + half).min(last);
            range = if self.starts[later] <= index { later } else { range };
            half /= 2;
        }
        (range, index - self.starts[range])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_index_is_found_in_its_range(
            lens in prop::collection::vec(prop_oneof![Just(0), 0..4_u64, 0..300_u64], 0..60)
        ) {
            let starts = Starts::new(lens.iter().copied()).unwrap();
            let pairs = lens.iter().enumerate().flat_map(|(at, &len)| (0..len).map(move |p| (at, p)));
            let mut count = 0;
            for (index, (range, place)) in (0..).zip(pairs) {
                prop_assert_eq!(starts.find(index), (range, place));
                prop_assert_eq!(starts.start(range) + place, index);
                count += 1;
            }
            prop_assert_eq!(starts.len(), count);
        }
    }

    #[test]
    fn too_many_indices_are_an_error() {
        assert_eq!(Starts::new([u64::MAX, 0].into_iter()).unwrap().len(), u64::MAX);
        assert_eq!(Starts::new([u64::MAX, 1].into_iter()).unwrap_err(), IndexError::TooLong);
    }
}
