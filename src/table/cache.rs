//! A cache of the blocks that were read last, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use hashbrown::HashMap;

use crate::table::values::Values;

/// How many shards the cache has, so that little is copied when something is inserted.
const SHARDS: usize = 16;

/// How many entries a shard has at most, since an insertion goes through all of them. Blocks are large,
/// unless a file was made to have tiny ones.
const MOST_ENTRIES: usize = 1 << 12;

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

/// The parts of a file that were used last, by their offsets, up to a limit in bytes.
///
/// Threads that look something up never wait for each other. They write to memory that others read only
/// at the first use of an entry after an insertion, and where they hold a record of states.
#[derive(Debug)]
pub(crate) struct Cache {
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    /// Replaced as a whole.
    entries: ArcSwap<CacheEntries>,
    /// Held while the entries are replaced.
    replacing: Mutex<()>,
    /// The limit in bytes.
    most: usize,
}

/// The entries of a shard, by their offsets.
#[derive(Clone, Debug, Default)]
struct CacheEntries {
    /// How many insertions there were so far.
    time: u64,
    by_offset: HashMap<u64, Arc<CacheEntry>>,
}

#[derive(Debug)]
struct CacheEntry {
    cached: Cached,
    /// The time of the last use.
    used: AtomicU64,
}

impl CacheEntries {
    fn bytes(&self) -> usize {
        self.by_offset.values().map(|entry| entry.cached.bytes()).sum()
    }
}

impl Cache {
    pub(crate) fn of(bytes: usize) -> Cache {
        let shard = || Shard {
            entries: ArcSwap::default(),
            replacing: Mutex::new(()),
            most: bytes / SHARDS,
        };
        Cache { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    #[inline]
    fn shard(&self, offset: u64) -> &Shard {
        // Neighbours are of about the same length, so that offsets are spread by a multiplication.
        &self.shards[(offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize]
    }

    /// What `read` makes of the entry at an offset, if there is one.
    #[inline]
    pub(crate) fn get<T>(&self, offset: u64, read: impl FnOnce(&Cached) -> T) -> Option<T> {
        let entries = self.shard(offset).entries.load();
        let CacheEntry { cached, used } = &**entries.by_offset.get(&offset)?;
        if used.load(Ordering::Relaxed) != entries.time {
            used.store(entries.time, Ordering::Relaxed);
        }
        Some(read(cached))
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        for shard in &self.shards {
            shard.replace(|entries| entries.by_offset.clear());
        }
    }

    /// Adds an entry, and removes those that were not used for longest where there is no room. The new
    /// one stays however long it is.
    pub(crate) fn insert(&self, offset: u64, cached: Cached) {
        let shard = self.shard(offset);
        shard.replace(|entries| {
            entries.time += 1;
            let entry = CacheEntry { cached, used: AtomicU64::new(entries.time) };
            entries.by_offset.insert(offset, Arc::new(entry));
            let mut bytes = entries.bytes();
            while bytes > shard.most || entries.by_offset.len() > MOST_ENTRIES {
                let others = entries.by_offset.iter().filter(|(at, _)| **at != offset);
                let oldest = others.min_by_key(|(_, entry)| entry.used.load(Ordering::Relaxed));
                let Some((&oldest, entry)) = oldest else { break };
                bytes -= entry.cached.bytes();
                entries.by_offset.remove(&oldest);
            }
        });
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
        let cache = Cache::of(SHARDS * 10_000);
        let is_cached = |offset| cache.get(offset, |_| ()).is_some();
        for offset in 0..100_000 {
            cache.insert(offset, Cached::Bytes(vec![0; 100].into()));
            assert!(is_cached(offset) && is_cached(0));
        }
        let cached = (0..100_000).filter(|&offset| is_cached(offset)).count();
        assert!((1_000..=SHARDS * 100).contains(&cached), "{cached}");
        assert!(is_cached(0));
        for shard in &cache.shards {
            assert!(shard.entries.load().bytes() <= shard.most);
        }
    }

    #[test]
    fn threads_find_the_right_entry_or_none() {
        // Each with something else in the same places.
        let caches = [(); 3].map(|()| Cache::of(SHARDS * 500));
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
                match cache.get(offset, is_right) {
                    Some(right) => {
                        assert!(right);
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                    None => {
                        cache.insert(offset, Cached::Bytes(expected.into()));
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
