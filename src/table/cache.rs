//! A cache of the blocks that were read last, shared by threads and by the files of a folder.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use arc_swap::ArcSwap;
use hashbrown::HashMap;

use crate::table::values::Values;

/// The number of shards. With many shards, an insertion copies few entries.
const SHARDS: usize = 16;

/// The most entries of a shard, since an insertion copies all of them. Blocks are large, unless a
/// file was made to have tiny ones.
const MOST_ENTRIES: usize = 1 << 12;

/// Blocks that together take at most this many bytes while they are decoded never wait for each
/// other.
const LEAST_ROOM: usize = 1 << 24;

/// A part of a file that was read and checked.
#[derive(Debug)]
pub(crate) enum Cached {
    /// A page of a directory, or the record of a block of states.
    Bytes(Arc<[u8]>),
    Values(Values),
}

impl Cached {
    fn bytes(&self) -> usize {
        match self {
            Cached::Bytes(bytes) => bytes.len(),
            Cached::Values(values) => values.bytes(),
        }
    }
}

/// The kind of a part of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartKind {
    /// A page of the directory of the values.
    ValuePage,
    /// A page of the directory of the states.
    StatePage,
    /// A block of values.
    Values,
    /// A block of states.
    States,
}

/// Identifies a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CacheKey {
    /// The number of the file among the files that share the cache.
    file: u32,
    /// The kind of the part in the highest two bits, and its number among the parts of the kind.
    part: u64,
}

impl CacheKey {
    /// The key of the part with this number. Numbers stay below 2^62: no file is long enough for
    /// more parts.
    #[inline]
    pub(crate) fn new(file: u32, kind: PartKind, number: u64) -> CacheKey {
        CacheKey { file, part: (kind as u64) << 62 | number }
    }
}

/// The parts of files that were used last, up to a limit in bytes for all of them.
///
/// Threads that look something up never wait for each other. They write to shared memory in two
/// cases only: at the first use of an entry after an insertion, and while they hold a record of
/// states. Threads that decode wait while they would take too much memory together.
#[derive(Debug)]
pub(crate) struct Cache {
    shards: Vec<Shard>,
    /// The limit in bytes.
    most: AtomicUsize,
    /// The number of bytes that the entries take.
    held: AtomicUsize,
    /// The number of insertions so far.
    time: AtomicU64,
    /// The number of files that share the cache.
    files: AtomicU64,
    /// The number of bytes that are taken for decoding now.
    decoding: Mutex<usize>,
    decoded: Condvar,
}

#[derive(Debug, Default)]
struct Shard {
    /// Replaced as a whole.
    entries: ArcSwap<CacheEntries>,
    /// Held while the entries are replaced.
    replacing: Mutex<()>,
}

/// The entries of a shard.
#[derive(Clone, Debug, Default)]
struct CacheEntries {
    /// The time of the last insertion.
    time: u64,
    by_key: HashMap<CacheKey, Arc<CacheEntry>>,
}

#[derive(Debug)]
struct CacheEntry {
    cached: Cached,
    /// The time of the last use.
    used: AtomicU64,
}

impl Cache {
    pub(crate) fn new(bytes: usize) -> Cache {
        Cache {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            most: bytes.into(),
            held: 0.into(),
            time: 0.into(),
            files: 0.into(),
            decoding: Mutex::new(0),
            decoded: Condvar::new(),
        }
    }

    /// Changes the limit. Entries beyond a smaller limit are removed by the next insertions.
    pub(crate) fn set_limit(&self, bytes: usize) {
        self.most.store(bytes, Ordering::Relaxed);
    }

    /// A number for a file that is going to use the cache.
    pub(crate) fn number_of_file(&self) -> u32 {
        // No folder has 2^32 tiers.
        self.files.fetch_add(1, Ordering::Relaxed) as u32
    }

    #[inline]
    fn shard_of(key: CacheKey) -> usize {
        // Numbers are spread by a multiplication.
        let mixed = (key.part ^ u64::from(key.file) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 60) as usize
    }

    /// The result of `read` for an entry; `None` if there is no such entry.
    #[inline]
    pub(crate) fn get<T>(&self, key: CacheKey, read: impl FnOnce(&Cached) -> T) -> Option<T> {
        let entries = self.shards[Cache::shard_of(key)].entries.load();
        let CacheEntry { cached, used } = &**entries.by_key.get(&key)?;
        if used.load(Ordering::Relaxed) != entries.time {
            used.store(entries.time, Ordering::Relaxed);
        }
        Some(read(cached))
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        for shard in &self.shards {
            shard.replace(|entries| {
                let bytes: usize = entries.by_key.values().map(|entry| entry.cached.bytes()).sum();
                self.held.fetch_sub(bytes, Ordering::Relaxed);
                entries.by_key.clear();
            });
        }
    }

    /// Adds an entry. If there is no room, the entries that were unused for longest are removed.
    /// The new one stays, no matter how long it is.
    pub(crate) fn insert(&self, key: CacheKey, cached: Cached) {
        let own = Cache::shard_of(key);
        let time = self.time.fetch_add(1, Ordering::Relaxed) + 1;
        self.shards[own].replace(|entries| {
            entries.time = time;
            self.held.fetch_add(cached.bytes(), Ordering::Relaxed);
            let entry = CacheEntry { cached, used: AtomicU64::new(time) };
            if let Some(before) = entries.by_key.insert(key, Arc::new(entry)) {
                self.held.fetch_sub(before.cached.bytes(), Ordering::Relaxed);
            }
            self.make_room(entries, key);
        });
        // If blocks are so large that only a few fit, the entries to remove can be in other shards.
        for step in 1..SHARDS {
            if !self.is_over() {
                break;
            }
            let other = &self.shards[(own + step) % SHARDS];
            other.replace(|entries| self.make_room(entries, key));
        }
    }

    fn is_over(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.most.load(Ordering::Relaxed)
    }

    /// Removes entries until there is room: those that were unused for longest first, never the
    /// entry `stays`.
    fn make_room(&self, entries: &mut CacheEntries, stays: CacheKey) {
        while self.is_over() || entries.by_key.len() > MOST_ENTRIES {
            let others = entries.by_key.iter().filter(|(key, _)| **key != stays);
            let oldest = others.min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed));
            let Some((&oldest, entry)) = oldest else { break };
            self.held.fetch_sub(entry.cached.bytes(), Ordering::Relaxed);
            entries.by_key.remove(&oldest);
        }
    }

    /// Waits until this many bytes can be taken for decoding beside what other threads decode. A
    /// thread that decodes while no other does gets any amount.
    pub(crate) fn room(&self, bytes: usize) -> DecodingRoom<'_> {
        let most = self.most.load(Ordering::Relaxed).max(LEAST_ROOM);
        let taken = self.decoding.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken > 0 && taken.saturating_add(bytes) > most;
        let mut taken =
            self.decoded.wait_while(taken, is_full).unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_add(bytes);
        DecodingRoom { cache: self, bytes }
    }
}

/// Memory that one thread may take for decoding.
#[derive(Debug)]
pub(crate) struct DecodingRoom<'c> {
    cache: &'c Cache,
    bytes: usize,
}

impl Drop for DecodingRoom<'_> {
    fn drop(&mut self) {
        let mut taken = self.cache.decoding.lock().unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_sub(self.bytes);
        self.cache.decoded.notify_all();
    }
}

impl Shard {
    fn replace(&self, change: impl FnOnce(&mut CacheEntries)) {
        // A panic elsewhere can't leave a shard half changed, so a poisoned lock is fine.
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = CacheEntries::clone(&self.entries.load());
        change(&mut entries);
        self.entries.store(Arc::new(entries));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_removes_what_was_not_used_for_longest() {
        let cache = Cache::new(SHARDS * 10_000);
        let is_cached = |offset| cache.get(key(offset), |_| ()).is_some();
        for offset in 0..100_000 {
            cache.insert(key(offset), Cached::Bytes(vec![0; 100].into()));
            assert!(is_cached(offset) && is_cached(0));
        }
        let cached = (0..100_000).filter(|&offset| is_cached(offset)).count();
        assert!((1_000..=SHARDS * 100).contains(&cached), "{cached}");
        assert!(is_cached(0));
        assert!(held(&cache) <= SHARDS * 10_000);
        cache.clear();
        assert_eq!((held(&cache), cache.held.into_inner()), (0, 0));
    }

    #[test]
    fn blocks_of_any_size_take_the_limit_or_one_block_in_all_files_together() {
        for (limit, block) in [(10_000, 3_000), (10_000, 9_000), (10_000, 20_000), (0, 500)] {
            let cache = Cache::new(1 << 20);
            cache.set_limit(limit);
            for number in 0..200 {
                let key = CacheKey::new(number as u32 % 5, PartKind::States, number / 5);
                cache.insert(key, Cached::Bytes(vec![0; block].into()));
                assert!(cache.get(key, |_| ()).is_some());
                assert!(held(&cache) <= limit.max(block), "{limit} {block}");
            }
            assert!(held(&cache) + block > limit, "{limit} {block}");
        }
    }

    #[test]
    fn parts_of_the_same_number_are_told_apart() {
        let cache = Cache::new(1 << 20);
        let kinds = [PartKind::ValuePage, PartKind::StatePage, PartKind::Values, PartKind::States];
        let all =
            kinds.into_iter().flat_map(|kind| [0, 1].map(|file| CacheKey::new(file, kind, 7)));
        for (key, byte) in all.clone().zip(0..) {
            cache.insert(key, Cached::Bytes(vec![byte].into()));
        }
        for (key, byte) in all.zip(0..) {
            let is_own = |cached: &Cached| matches!(cached, Cached::Bytes(own) if own[0] == byte);
            assert_eq!(cache.get(key, is_own), Some(true), "{key:?}");
        }
    }

    #[test]
    fn what_is_decoded_at_once_fits_or_is_alone() {
        let cache = Cache::new(0);
        let (taken, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let decode = &|bytes: usize| {
            let _room = cache.room(bytes);
            let now = taken.fetch_add(bytes, Ordering::SeqCst) + bytes;
            most.fetch_max(now, Ordering::SeqCst);
            std::thread::yield_now();
            taken.fetch_sub(bytes, Ordering::SeqCst);
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    (0..200).for_each(|step| decode((thread + step) % 5 * 5_000_000))
                });
            }
        });
        assert_eq!(taken.into_inner(), 0);
        let most = most.into_inner();
        assert!((15_000_000..=20_000_000).contains(&most), "{most}");
        // A part that is larger than the limit is decoded while no other part is.
        drop(cache.room(usize::MAX));
        assert_eq!(*cache.decoding.lock().unwrap(), 0);
    }

    fn key(number: u64) -> CacheKey {
        CacheKey::new(0, PartKind::States, number)
    }

    fn held(cache: &Cache) -> usize {
        let entries = cache.shards.iter().map(|shard| shard.entries.load());
        entries
            .flat_map(|entries| {
                entries.by_key.values().map(|one| one.cached.bytes()).collect::<Vec<_>>()
            })
            .sum()
    }

    #[test]
    fn threads_find_the_right_entry_or_none() {
        // Each cache holds other bytes under the same keys.
        let caches = [(); 3].map(|()| Cache::new(SHARDS * 500));
        let found = AtomicU64::new(0);
        let get_and_insert = &|thread: u64| {
            for step in 0..20_000 {
                let offset = (thread + 7 * step + step * step / 5) % 300;
                let length = 100 + offset as usize % 10;
                let which = step as usize % caches.len();
                let (cache, expected) = (&caches[which], vec![offset as u8 ^ which as u8; length]);
                let is_right = |cached: &Cached| match cached {
                    Cached::Bytes(bytes) => **bytes == expected,
                    Cached::Values(_) => false,
                };
                match cache.get(key(offset), is_right) {
                    Some(right) => {
                        assert!(right);
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                    None => {
                        cache.insert(key(offset), Cached::Bytes(expected.into()));
                    }
                }
                if thread == 0 && step % 1_000 == 0 {
                    cache.clear();
                }
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || get_and_insert(thread));
            }
        });
        assert!(found.into_inner() > 1_000);
    }
}
