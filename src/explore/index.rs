//! Where in a list each key stands, found by the key's hash.
//!
//! An entry is four bytes: seven bits of the hash, by which nearly all other keys are told apart
//! without a look at them, and the place. What looks a key up can be asked for ahead of time
//! ([`Index::prefetch`], [`Index::candidate`]), which tables made for single lookups do not offer, and
//! which is most of the time that exploring takes.

use crate::runtime::memory::prefetch;

/// How many bits of an entry say the place; one more than the place, since 0 is an empty slot.
const PLACE_BITS: u32 = 25;

/// The most keys that an index can tell the places of.
pub(super) const MOST_KEYS: usize = (1 << PLACE_BITS) - 2;

/// Slots of entries, looked through from the one that the hash says until an empty one is found.
#[derive(Debug, Default)]
pub(super) struct Index {
    slots: Vec<u32>,
    len: usize,
}

impl Index {
    /// Whether it has to [`grow`](Index::grow) before there is another entry: three quarters of its
    /// slots are taken.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len >= self.slots.len() / 4 * 3
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }

    /// How many slots there will be after the next growth.
    pub(super) fn next_slots(&self) -> usize {
        (2 * self.slots.len()).max(16)
    }

    /// Makes room. `hashes` are those of all keys, by place.
    pub(super) fn grow(&mut self, hashes: impl Iterator<Item = u64>) -> Result<(), ()> {
        let slots = self.next_slots();
        // The old ones say nothing that the hashes don't.
        self.slots = Vec::new();
        self.slots.try_reserve_exact(slots).map_err(|_| ())?;
        self.slots.resize(slots, 0);
        self.len = 0;
        hashes.for_each(|hash| self.insert(hash));
        Ok(())
    }

    /// Has the processor fetch where the search for a hash begins.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.slots, self.home(hash));
    }

    /// A place where the key of a hash may well stand, if any.
    #[inline]
    pub(super) fn candidate(&self, hash: u64) -> Option<usize> {
        let entry = *self.slots.get(self.home(hash))?;
        (entry != 0 && entry >> PLACE_BITS == tag(hash)).then(|| place(entry))
    }

    /// Whether `is_it` accepts one of the places that may be that of the key of a hash.
    #[inline]
    pub(super) fn has(&self, hash: u64, mut is_it: impl FnMut(usize) -> bool) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let mut at = self.home(hash);
        loop {
            match self.slots[at] {
                0 => return false,
                entry if entry >> PLACE_BITS == tag(hash) && is_it(place(entry)) => return true,
                _ => at = if at + 1 == self.slots.len() { 0 } else { at + 1 },
            }
        }
    }

    /// Enters the next place for the key of a hash. There has to be room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64) {
        let mut at = self.home(hash);
        while self.slots[at] != 0 {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = tag(hash) << PLACE_BITS | (self.len as u32 + 1);
        self.len += 1;
    }

    /// The upper half of the hash, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }
}

/// The lowest seven bits of a hash.
#[inline]
fn tag(hash: u64) -> u32 {
    hash as u32 & 0x7f
}

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
            let mut index = Index::default();
            assert!(index.candidate(7).is_none() && !index.has(7, |_| true));
            for (at, &hash) in hashes.iter().enumerate() {
                assert!(!index.has(hash, |place| place == at));
                if index.is_full() {
                    index.grow(hashes[..at].iter().copied()).unwrap();
                }
                index.insert(hash);
            }
            for (at, &hash) in hashes.iter().enumerate() {
                assert!(index.has(hash, |place| place == at), "{different}: {at}");
                let shares = |place: usize| tag(hashes[place]) == tag(hash);
                assert!(!index.has(hash, |place| !shares(place)));
                assert!(index.candidate(hash).is_none_or(shares));
            }
        }
    }
}
