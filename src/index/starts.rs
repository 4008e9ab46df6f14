//! Ranges of numbers one after the other.

use crate::index::IndexError;

/// Where each of several ranges of numbers begins that lie one after the other, and which of them a
/// number lies in.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    /// The first number of each range, and at the end how many numbers there are.
    starts: Vec<u64>,
    /// The numbers are cut into pieces: the range that the first number of each lies in.
    guesses: Vec<u32>,
    /// How many bits of a number are dropped to find its piece.
    shift: u32,
    /// The ranges that begin in one piece are fewer than this, a power of two.
    reach: usize,
}

impl Starts {
    /// Ranges of these lengths.
    pub(super) fn new(lens: impl Iterator<Item = u64>) -> Result<Starts, IndexError> {
        let mut starts = vec![0_u64];
        let mut len = 0_u64;
        for range in lens {
            len = len.checked_add(range).ok_or(IndexError::TooLong)?;
            starts.push(len);
        }
        Ok(Starts::at(starts))
    }

    /// Ranges that begin at these numbers, which are in ascending order; the last is where the last
    /// range ends.
    ///
    /// # Panics
    /// If there is no number at all.
    pub(super) fn at(starts: Vec<u64>) -> Starts {
        let ranges = starts.len() - 1;
        let end = starts[ranges];
        let bits = u64::BITS - end.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(ranges.max(1).ilog2() + 1);
        let last = ranges.saturating_sub(1);
        let last_guess = last as u32;
        let pieces = if end == 0 { 0 } else { ((end - 1) >> shift) + 1 };
        let range_of = |piece: u64| {
            let first = piece << shift;
            starts.partition_point(|&start| start <= first).saturating_sub(1).min(last) as u32
        };
        let guesses: Vec<u32> = (0..pieces).map(range_of).collect();
        let ends = guesses.iter().skip(1).chain([&last_guess]);
        let begun = guesses.iter().zip(ends).map(|(&first, &end)| end - first).max();
        let reach = (begun.unwrap_or(0) as usize + 1).next_power_of_two();
        Starts { starts, guesses, shift, reach }
    }

    /// Where the last range ends: how many numbers there are, where the first begins at 0.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The first number of a range.
    #[inline]
    pub(super) fn start(&self, range: usize) -> u64 {
        self.starts[range]
    }

    /// The range that a number lies in, which is not before the first, and its place there.
    #[inline]
    pub(super) fn find(&self, number: u64) -> (usize, u64) {
        let last = self.starts.len() - 2;
        let mut range = self.guesses[(number >> self.shift) as usize] as usize;
        // The last range that does not begin later, in as many steps for any number and without a
        // branch that could be guessed wrong.
        let mut half = self.reach / 2;
        while half > 0 {
            let later = (range + half).min(last);
            range = if self.starts[later] <= number { later } else { range };
            half /= 2;
        }
        (range, number - self.starts[range])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_number_is_found_in_its_range(
            lens in prop::collection::vec(prop_oneof![Just(0), 0..4_u64, 0..300_u64], 0..60)
        ) {
            let starts = Starts::new(lens.iter().copied()).unwrap();
            let pairs = lens.iter().enumerate().flat_map(|(at, &len)| (0..len).map(move |p| (at, p)));
            let mut count = 0;
            for (number, (range, place)) in (0..).zip(pairs) {
                prop_assert_eq!(starts.find(number), (range, place));
                prop_assert_eq!(starts.start(range) + place, number);
                count += 1;
            }
            prop_assert_eq!(starts.len(), count);
        }
    }

    #[test]
    fn too_many_numbers_are_an_error() {
        assert_eq!(Starts::new([u64::MAX, 0].into_iter()).unwrap().len(), u64::MAX);
        assert_eq!(Starts::new([u64::MAX, 1].into_iter()).unwrap_err(), IndexError::TooLong);
    }
}
