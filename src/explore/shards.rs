//! The states discovered so far, in a hash table of many shards.
//!
//! The hash of a state determines its shard. States are gathered by shard and inserted by the
//! thousand. The current shard is then in the cache, and is locked once for all of them. Shards
//! grow one at a time, so the old and the new table of all states never exist together.

use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashbrown::DefaultHashBuilder;
use serde::Serialize;

use crate::error::SolveError;
use crate::explore::budget::{Budget, Refused};
use crate::explore::hash_index::{HashIndex, MOST_KEYS};
use crate::explore::moves::Number;
use crate::explore::ranges::{ShardRange, cut};
use crate::numbering::discovered::KeyList;
use crate::runtime::codec;
use crate::runtime::lock::lock;
use crate::runtime::memory::prefetch;
use crate::runtime::saved_array::{SavedArray, keys_a_list};

/// How many shards there are.
pub(super) const SHARDS: usize = 256;

/// How many keys are looked up together, so that the memory works on all of them at once.
const AHEAD: usize = 32;

/// The number of hash slots, which are divided among the shards.
const SLOTS: usize = 1 << 14;

/// The states discovered so far, in lists of this kind.
pub(super) struct Shards<K, L> {
    shards: Vec<Mutex<Shard<L>>>,
    key: PhantomData<fn(K)>,
    /// The shard of each slot's states.
    slots: Vec<u8>,
    hasher: DefaultHashBuilder,
    budget: Arc<Budget>,
}

/// Extra data for keys of one shard that are not inserted yet. They are separate from the keys, so
/// that only the keys fill the caches if there are no extra data.
#[derive(Default)]
pub(super) struct Extras {
    /// The hash of each key, if keys are so large that hashing them twice would take longer.
    hashes: Vec<u64>,
    /// The slot of the move that leads to each key, if moves are recorded.
    pub(super) slots: Vec<u32>,
    /// The number of each key, once the keys are inserted; `None` for a place without a number.
    pub(super) numbers: Vec<Option<Number>>,
}

/// Whether the hashes of keys of this type are stored.
const fn keeps_hashes<K>() -> bool {
    size_of::<K>() > size_of::<u128>()
}

impl Extras {
    /// Adds the extra data of a key.
    #[inline(always)]
    pub(super) fn push<K>(&mut self, hash: u64, slot: Option<u32>) {
        if keeps_hashes::<K>() {
            self.hashes.push(hash);
        }
        if let Some(slot) = slot {
            self.slots.push(slot);
        }
    }

    pub(super) fn clear(&mut self) {
        self.hashes.clear();
        self.slots.clear();
        self.numbers.clear();
    }
}

/// The states of one shard.
struct Shard<L> {
    /// The keys in the order in which they were found.
    keys: L,
    /// The place of each key.
    index: HashIndex,
}

impl<K: Hash + Eq, L: KeyList<K>> Shards<K, L> {
    pub(super) fn new(budget: &Arc<Budget>) -> Shards<K, L> {
        // Tables double when they are full. The shares of the shards differ by up to a factor of
        // two, so the tables double one after the other instead of all together. Half of the room
        // is never empty.
        let weights: Vec<f64> =
            (0..SHARDS).map(|shard| 2_f64.powf(shard as f64 / SHARDS as f64)).collect();
        let total: f64 = weights.iter().sum();
        let mut slots = Vec::with_capacity(SLOTS);
        let mut end = 0.0;
        for (shard, weight) in weights.iter().enumerate() {
            end += weight / total * SLOTS as f64;
            slots.resize((end.round() as usize).min(SLOTS), shard as u8);
        }
        slots.resize(SLOTS, (SHARDS - 1) as u8);
        let empty = || Mutex::new(Shard { keys: L::default(), index: HashIndex::default() });
        Shards {
            shards: (0..SHARDS).map(|_| empty()).collect(),
            key: PhantomData,
            slots,
            hasher: DefaultHashBuilder::default(),
            budget: Arc::clone(budget),
        }
    }

    /// The limits on these states and others.
    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// The hash of a key.
    #[inline]
    pub(super) fn hash(&self, key: &K) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The shard of a hash.
    #[inline]
    pub(super) fn shard_of(&self, hash: u64) -> usize {
        // The hash index uses other bits.
        usize::from(self.slots[(hash >> 32) as usize % SLOTS])
    }

    /// Inserts the new ones among these keys of one shard, and empties `keys`. If moves are
    /// recorded, `extras` then contains the numbers of the keys.
    pub(super) fn insert(
        &self,
        shard_at: usize,
        keys: &mut Vec<K>,
        extras: &mut Extras,
    ) -> Result<(), Refused> {
        let mut shard = self.lock(shard_at);
        let before = shard.keys.len();
        let mut result = Ok(());
        let mut hashes = [0; AHEAD];
        let mut kept = extras.hashes.iter();
        let mut keys = keys.drain(..);
        let records = !extras.slots.is_empty();
        while keys.len() > 0 && result.is_ok() {
            let ahead = &mut hashes[..keys.len().min(AHEAD)];
            for (hash, key) in ahead.iter_mut().zip(keys.as_slice()) {
                *hash = match kept.next() {
                    Some(&hash) if keeps_hashes::<K>() => hash,
                    _ => self.hash(key),
                };
                shard.index.prefetch(*hash);
            }
            for candidate in ahead.iter().filter_map(|&hash| shard.index.candidate(hash)) {
                prefetch(&shard.keys, candidate);
                if keeps_hashes::<K>() {
                    // The end of the key.
                    prefetch(&shard.keys, candidate + 1);
                }
            }
            let mut now = ahead.iter().zip(keys.by_ref());
            result = now.try_for_each(|(&hash, key)| {
                let place = shard.insert(hash, key, self)?;
                if records {
                    extras.numbers.push(Number::new(shard_at, place));
                }
                Ok(())
            });
        }
        drop(keys);
        extras.hashes.clear();
        let new = (shard.keys.len() - before) as u64;
        let added = self.budget.add_states(new);
        result.and(added)
    }

    /// Whether all shards are empty.
    pub(super) fn is_empty(&self) -> bool {
        (0..SHARDS).all(|shard| self.len(shard) == 0)
    }

    /// The number of states in a shard.
    pub(super) fn len(&self, shard: usize) -> usize {
        self.lock(shard).keys.len()
    }

    /// Copies the keys at these places of a shard into `copies`, in the order in which they were
    /// found.
    pub(super) fn copy(&self, shard: usize, places: std::ops::Range<usize>, copies: &mut Vec<K>)
    where
        K: Clone,
    {
        copies.clear();
        copies.extend_from_slice(&self.lock(shard).keys[places]);
    }

    /// All keys, shard by shard in the order in which they were found; and the number in each
    /// shard.
    pub(super) fn into_keys(self) -> Result<(Vec<K>, Vec<usize>), SolveError> {
        let mut shards: Vec<L> = Vec::with_capacity(SHARDS);
        for shard in self.shards {
            let Shard { keys, index } = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            // The index is dropped now, and the keys below.
            self.budget.give_back(index.bytes() + (keys.capacity() * size_of::<K>()) as u64);
            shards.push(keys);
        }
        let lens: Vec<usize> = shards.iter().map(|keys| keys.len()).collect();
        let len = lens.iter().sum();
        let mut keys = Vec::new();
        let bytes = (len * size_of::<K>()) as u64;
        let what = "the discovered states";
        keys.try_reserve_exact(len).map_err(|_| SolveError::OutOfMemory { what, bytes })?;
        // Each shard is dropped once it is copied. Reserved memory costs nothing before it is used.
        shards.into_iter().for_each(|shard| shard.move_to(&mut keys));
        Ok((keys, lens))
    }

    /// Inserts the keys of these lists.
    pub(super) fn insert_all(&self, lists: Vec<Vec<K>>) -> Result<(), Refused> {
        let mut by_shard: Vec<Vec<K>> = (0..SHARDS).map(|_| Vec::new()).collect();
        let mut extras = Extras::default();
        for list in lists {
            for key in list {
                by_shard[self.shard_of(self.hash(&key))].push(key);
            }
            for (shard, keys) in by_shard.iter_mut().enumerate() {
                self.insert(shard, keys, &mut extras)?;
            }
        }
        Ok(())
    }

    /// How many of the states were expanded, and how many others there are: those at some places, of which
    /// each shard has all from one place on, or all. Their arrays are added to `arrays`.
    pub(super) fn saved<'s>(
        &'s self,
        others: Option<Vec<ShardRange>>,
        arrays: &mut Vec<SavedArray<'s>>,
    ) -> [u64; 2]
    where
        K: Send + Sync + Serialize,
        L: Send,
    {
        let all = || (0..SHARDS).map(|shard| (shard, 0..self.len(shard))).collect();
        let others: Vec<ShardRange> = others.unwrap_or_else(all);
        let expanded = others.iter().map(|(shard, places)| (*shard, 0..places.start)).collect();
        [expanded, others].map(|places: Vec<ShardRange>| {
            let lists = cut(places, keys_a_list::<K>()).into_iter().filter(|list| !list.is_empty());
            let lens = lists.map(|list| {
                let keys: usize = list.iter().map(|(_, places)| places.len()).sum();
                arrays.push(SavedArray::of_keys::<K>(keys, move || self.encoded(&list)));
                keys as u64
            });
            lens.sum()
        })
    }

    /// The bytes of the keys at some places.
    fn encoded(&self, places: &[ShardRange]) -> Result<Vec<u8>, String>
    where
        K: Serialize,
    {
        let mut bytes = Vec::new();
        for (shard, places) in places {
            codec::encode_onto(&mut bytes, &self.lock(*shard).keys[places.clone()])?;
        }
        Ok(bytes)
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<L>> {
        lock(&self.shards[shard])
    }
}

impl<L> Shard<L> {
    /// The place of a key, which is inserted if it is new.
    #[inline(always)]
    fn insert<K: Hash + Eq>(
        &mut self,
        hash: u64,
        key: K,
        all: &Shards<K, L>,
    ) -> Result<usize, Refused>
    where
        L: KeyList<K>,
    {
        let keys: &[K] = &self.keys;
        if let Some(place) = self.index.find(hash, |place| keys[place] == key) {
            return Ok(place);
        }
        if self.index.is_full() || self.keys.len() == self.keys.capacity() {
            self.grow(all)?;
        }
        self.keys.push(key);
        self.index.insert(hash);
        Ok(self.keys.len() - 1)
    }

    /// Makes room for one more key, if that is allowed.
    #[cold]
    fn grow<K: Hash + Eq>(&mut self, all: &Shards<K, L>) -> Result<(), Refused>
    where
        L: KeyList<K>,
    {
        let budget = &all.budget;
        if self.keys.len() >= MOST_KEYS {
            return Err(Refused::TooMany);
        }
        if self.keys.len() == self.keys.capacity() {
            let more = (self.keys.capacity() / 4).max(32).min(MOST_KEYS - self.keys.len());
            let bytes = (more * size_of::<K>()) as u64;
            budget.take(bytes)?;
            self.keys.grow(more, budget.is_tight()).map_err(|()| Refused::OutOfMemory(bytes))?;
        }
        if self.index.is_full() {
            let (before, after) = (self.index.bytes(), self.index.next_slots() as u64 * 4);
            budget.take(after)?;
            let hashes = self.keys.iter().map(|key| all.hash(key));
            self.index.grow(hashes, budget.is_tight()).map_err(|()| Refused::OutOfMemory(after))?;
            budget.give_back(before);
        }
        Ok(())
    }
}
