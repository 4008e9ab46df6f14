//! A hash index: maps the hash of a key to the key's place in a list.
//!
//! An entry is four bytes: the place, and seven bits of the hash. These bits exclude nearly all
//! other keys without reading them. [`HashIndex::prefetch`] and [`HashIndex::candidate`] prefetch
//! the memory that a lookup reads. Ready-made hash tables do not offer this, and lookups take most
//! of the time of an exploration.

use std::ops::{Deref, DerefMut};

use crate::runtime::memory::{Array, prefetch};

/// How many bits of an entry hold the place plus one. An entry of 0 is an empty slot.
const PLACE_BITS: u32 = 25;

/// The most keys that an index can hold.
pub(super) const MOST_KEYS: usize = (1 << PLACE_BITS) - 2;

/// An open-addressing table with linear probing, starting at the slot that the hash determines.
#[derive(Debug, Default)]
pub(super) struct HashIndex {
    slots: Slots,
    len: usize,
}

/// Tables with fewer slots are left to the allocator.
const MAPPED_FROM: usize = 1 << 10;

/// The slots, zero at first. If memory is tight, large tables come straight from the system, which
/// gets them back as soon as the index grows or is dropped. Allocators keep the memory that
/// hundreds of growing lists leave.
#[derive(Debug)]
enum Slots {
    Few(Vec<u32>),
    Many(Array<u32>),
}

impl Default for Slots {
    fn default() -> Slots {
        Slots::Few(Vec::new())
    }
}

impl Slots {
    fn zeroed(len: usize, is_tight: bool) -> Result<Slots, ()> {
        if is_tight && len >= MAPPED_FROM {
            return Array::zeroed(len as u64, "the discovered states")
                .map(Slots::Many)
                .map_err(drop);
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(len).map_err(drop)?;
        slots.resize(len, 0);
        Ok(Slots::Few(slots))
    }
}

impl Deref for Slots {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Slots::Few(slots) => slots,
            Slots::Many(slots) => slots,
        }
    }
}

impl DerefMut for Slots {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        match self {
            Slots::Few(slots) => slots,
            Slots::Many(slots) => slots,
        }
    }
}

impl HashIndex {
    /// Whether the index has to [`grow`](HashIndex::grow) before another entry, because three
    /// quarters of its slots are taken.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len >= self.slots.len() / 4 * 3
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }

    /// The number of slots after the next growth.
    pub(super) fn next_slots(&self) -> usize {
        (2 * self.slots.len()).max(16)
    }

    /// Grows to [`next_slots`](HashIndex::next_slots) slots. `hashes` are the hashes of all keys,
    /// by place.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub(super) fn grow(
        &mut self,
        hashes: impl Iterator<Item = u64>,
        is_tight: bool,
    ) -> Result<(), ()> {
        let slots = self.next_slots();
        // The hashes contain all the information of the old slots.
        self.slots = Slots::default();
        self.slots = Slots::zeroed(slots, is_tight)?;
        self.len = 0;
        hashes.for_each(|hash| self.insert(hash));
        Ok(())
    }

    /// Prefetches the slot where the search for a hash begins.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        let slots = &*self.slots;
        prefetch(slots, home(slots, hash));
    }

    /// The most likely place of the key of a hash, if there is any candidate.
    #[inline]
    pub(super) fn candidate(&self, hash: u64) -> Option<usize> {
        let slots = &*self.slots;
        let entry = *slots.get(home(slots, hash))?;
        (entry != 0 && entry >> PLACE_BITS == tag(hash)).then(|| place(entry))
    }

    /// The first place whose key may have this hash and that `is_it` accepts.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        let slots = &*self.slots;
        if slots.is_empty() {
            return None;
        }
        let mut at = home(slots, hash);
        loop {
            match slots[at] {
                0 => return None,
                entry if entry >> PLACE_BITS == tag(hash) && is_it(place(entry)) => {
                    return Some(place(entry));
                }
                _ => at = if at + 1 == slots.len() { 0 } else { at + 1 },
            }
        }
    }

    /// Adds the next place for a key with this hash. The index must not be full.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64) {
        let slots = &mut *self.slots;
        let mut at = home(slots, hash);
        while slots[at] != 0 {
            at = if at + 1 == slots.len() { 0 } else { at + 1 };
        }
        slots[at] = tag(hash) << PLACE_BITS | (self.len as u32 + 1);
        self.len += 1;
    }
}

/// The slot where the search for a hash begins: its upper half, scaled to the number of slots.
#[inline]
fn home(slots: &[u32], hash: u64) -> usize {
    (((hash >> 32) * slots.len() as u64) >> 32) as usize
}

/// The seven bits of a hash that an entry stores.
#[inline]
fn tag(hash: u64) -> u32 {
    hash as u32 & 0x7f
}

/// The place that an entry stores.
#[inline]
fn place(entry: u32) -> usize {
    (entry & ((1 << PLACE_BITS) - 1)) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found_again_by_its_hash_and_no_other() {
        // Few different hashes, so that many share slots and tags.
        for different in [1, 3, 100, 5000] {
            let hashes: Vec<u64> = (0..5000_u64)
                .map(|at| (at % different).wrapping_mul(0x9E37_79B9_7F4A_7C15))
                .collect();
            let mut index = HashIndex::default();
            assert!(index.candidate(7).is_none() && index.find(7, |_| true).is_none());
            for (at, &hash) in hashes.iter().enumerate() {
                assert!(index.find(hash, |place| place == at).is_none());
                if index.is_full() {
                    index.grow(hashes[..at].iter().copied(), at % 2 == 0).unwrap();
                }
                index.insert(hash);
            }
            for (at, &hash) in hashes.iter().enumerate() {
                assert_eq!(index.find(hash, |place| place == at), Some(at), "{different}");
                let shares = |place: usize| tag(hashes[place]) == tag(hash);
                assert!(index.find(hash, |place| !shares(place)).is_none());
                assert!(index.candidate(hash).is_none_or(shares));
            }
        }
    }
}
