//! Finds a key among many sorted keys.

use crate::error::SolveError;
use crate::runtime::memory::prefetch;

/// The place of a key that is not found.
pub(crate) const NOWHERE: u64 = u64::MAX;

/// How many keys are found together. What each needs next is on its way to the caches while the
/// others are looked at (S. Chen and others, "Improving hash join performance through prefetching",
/// 2004).
pub(super) const TOGETHER: usize = 64;

/// The average number of keys for each entry of the directory.
const KEYS_AN_ENTRY: u64 = 8;

/// A directory of sorted keys: for each value of their highest bits, the place of the first key. A
/// search is then a binary search among a few keys, unless the keys are very unevenly spread. The
/// directory takes half a byte to a byte for each key.
#[derive(Debug)]
pub struct KeyDirectory<K> {
    least: K,
    shift: u32,
    /// The place of the first key of each entry, followed by the number of keys.
    starts: Vec<u32>,
}

macro_rules! directory {
    ($key:ty) => {
        impl KeyDirectory<$key> {
            /// The directory of these sorted keys.
            ///
            /// # Errors
            /// When there are more than 2^32 keys, or there is no memory for the directory.
            pub(crate) fn of(keys: &[$key]) -> Result<Self, SolveError> {
                let len = u32::try_from(keys.len()).map_err(|_| SolveError::TooManyStates)?;
                let least = keys.first().copied().unwrap_or(0);
                let span = keys.last().copied().unwrap_or(0) - least;
                let wanted = u64::from(len).div_ceil(KEYS_AN_ENTRY).next_power_of_two().ilog2();
                let bits = <$key>::BITS - span.leading_zeros();
                let shift = bits.saturating_sub(wanted).min(<$key>::BITS - 1);
                let entries = (span >> shift) as usize + 1;
                let mut starts = Vec::new();
                starts.try_reserve_exact(entries + 1).map_err(|_| SolveError::OutOfMemory {
                    what: "finding the discovered states",
                    bytes: entries as u64 * 4,
                })?;
                for (place, key) in (0..).zip(keys) {
                    let entry = ((key - least) >> shift) as usize;
                    if starts.len() <= entry {
                        starts.resize(entry + 1, place);
                    }
                }
                starts.push(len);
                Ok(KeyDirectory { least, shift, starts })
            }

            /// Writes the place of each of some keys in `all`, of which the directory was made, or
            /// [`NOWHERE`].
            #[inline(never)]
            pub(crate) fn find_all(&self, all: &[$key], keys: &[$key], places: &mut [u64]) {
                let entry = |key: &$key| (key.wrapping_sub(self.least) >> self.shift) as usize;
                for (keys, places) in keys.chunks(TOGETHER).zip(places.chunks_mut(TOGETHER)) {
                    keys.iter().for_each(|key| prefetch(&self.starts, entry(key)));
                    for key in keys {
                        if let Some(&start) = self.starts.get(entry(key)) {
                            prefetch(all, start as usize);
                        }
                    }
                    for (key, place) in keys.iter().zip(places) {
                        *place = self.find(all, *key).unwrap_or(NOWHERE);
                    }
                }
            }

            /// The place of a key in `keys`, of which the directory was made.
            #[inline]
            pub(crate) fn find(&self, keys: &[$key], key: $key) -> Option<u64> {
                let entry = (key.checked_sub(self.least)? >> self.shift) as usize;
                let &[start, end] = self.starts.get(entry..entry.checked_add(2)?)? else {
                    return None;
                };
                // The last key that is not greater, found without a branch that could be
                // mispredicted.
                let keys = keys.get(start as usize..end as usize)?;
                let (mut place, mut len) = (0, keys.len());
                while len > 1 {
                    let half = len / 2;
                    place += if keys[place + half] <= key { half } else { 0 };
                    len -= half;
                }
                (keys.get(place) == Some(&key)).then_some(u64::from(start) + place as u64)
            }
        }
    };
}

directory!(u64);
directory!(u128);

impl<K> KeyDirectory<K> {
    pub(crate) fn bytes(&self) -> u64 {
        self.starts.capacity() as u64 * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_at_its_place_and_no_other_is() {
        let even = (0..3000).map(|at| 7 + 3 * at).collect();
        let uneven = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
        let clustered =
            (0..4).flat_map(|far| (0..2000).map(move |at| (far << 60) + 2 * at)).collect();
        let lists: [Vec<u64>; 6] = [vec![], vec![0], vec![u64::MAX], even, uneven, clustered];
        for mut keys in lists {
            keys.sort_unstable();
            keys.dedup();
            let wide: Vec<u128> = keys.iter().map(|&key| u128::from(key) << 40).collect();
            let (narrow, wider) =
                (KeyDirectory::<u64>::of(&keys).unwrap(), KeyDirectory::<u128>::of(&wide).unwrap());
            let around = |&key: &u64| [key.wrapping_sub(1), key, key.wrapping_add(1)];
            for key in keys.iter().flat_map(around).chain([0, 1, 1 << 63, u64::MAX]) {
                let expected = keys.binary_search(&key).ok().map(|place| place as u64);
                assert_eq!(narrow.find(&keys, key), expected, "{key}");
                assert_eq!(wider.find(&wide, u128::from(key) << 40), expected, "{key}");
                assert_eq!(wider.find(&wide, u128::from(key) << 40 | 1), None, "{key}");
            }
            let wanted: Vec<u64> = keys.iter().flat_map(around).chain([0, u64::MAX]).collect();
            let mut places = vec![1; wanted.len()];
            narrow.find_all(&keys, &wanted, &mut places);
            for (key, place) in wanted.iter().zip(places) {
                assert_eq!(place, narrow.find(&keys, *key).unwrap_or(NOWHERE), "{key}");
            }
        }
    }
}
