//! Where to look for a number among many that are sorted.

use std::ops::Range;

use crate::solve::SolveError;

/// How many keys there are for each entry of the directory, about.
const KEYS_AN_ENTRY: u64 = 8;

/// Sorted keys, cut where their highest bits change: for each value of those, the place of the first
/// key. A search then only has to look among a few keys, unless they are very unevenly spread, and
/// there it is a binary search like any other. Costs half a byte to a byte a key.
#[derive(Debug)]
pub struct Directory {
    least: u128,
    shift: u32,
    /// The place of the first key of each entry, and the end of the last.
    starts: Vec<u32>,
}

impl Directory {
    /// The directory of these keys, which are sorted.
    ///
    /// # Errors
    /// When there are more than 2^32, or there is no memory for it.
    pub(super) fn of(
        keys: impl ExactSizeIterator<Item = u128> + DoubleEndedIterator + Clone,
    ) -> Result<Directory, SolveError> {
        let len = u32::try_from(keys.len()).map_err(|_| SolveError::TooManyStates)?;
        let least = keys.clone().next().unwrap_or(0);
        let span = keys.clone().next_back().unwrap_or(0) - least;
        let wanted = u64::from(len).div_ceil(KEYS_AN_ENTRY).next_power_of_two().ilog2();
        let shift = (u128::BITS - span.leading_zeros()).saturating_sub(wanted);
        let entries = (span >> shift.min(127)) as usize + 1;
        let mut starts = Vec::new();
        starts.try_reserve_exact(entries + 1).map_err(|_| SolveError::OutOfMemory {
            what: "finding the discovered states",
            bytes: entries as u64 * 4,
        })?;
        let shift = shift.min(127);
        for (place, key) in (0..).zip(keys) {
            let entry = ((key - least) >> shift) as usize;
            if starts.len() <= entry {
                starts.resize(entry + 1, place);
            }
        }
        starts.push(len);
        Ok(Directory { least, shift, starts })
    }

    /// The places among which a key stands, if it is there; at least one.
    #[inline]
    pub(super) fn places(&self, key: u128) -> Option<Range<usize>> {
        let entry = key.checked_sub(self.least)? >> self.shift;
        let entry = usize::try_from(entry).ok()?;
        let (&start, &end) = (self.starts.get(entry)?, self.starts.get(entry + 1)?);
        (start < end).then_some(start as usize..end as usize)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.starts.capacity() as u64 * 4
    }
}
