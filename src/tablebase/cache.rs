//! The blocks that were read last, shared by threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::values::Values;

/// How many parts the cache has, each with a lock of its own, so that threads rarely wait.
const PARTS: usize = 16;

/// Something that was read and checked.
#[derive(Clone, Debug)]
pub(super) enum Cached {
    /// A page of a directory, or the record of a block of states.
    Bytes(Arc<[u8]>),
    Values(Arc<Values>),
}

impl Cached {
    fn bytes(&self) -> usize {
        match self {
            Cached::Bytes(bytes) => bytes.len(),
            Cached::Values(values) => values.bytes(),
        }
    }
}

/// What was read last, by where it stands in the file, up to so many bytes.
#[derive(Debug)]
pub(super) struct Cache {
    parts: Vec<Mutex<Part>>,
}

#[derive(Debug)]
struct Part {
    kept: LruCache<u64, Cached>,
    bytes: usize,
    most: usize,
}

impl Cache {
    pub(super) fn of(bytes: usize) -> Cache {
        let part = || Part { kept: LruCache::unbounded(), bytes: 0, most: bytes / PARTS };
        Cache { parts: (0..PARTS).map(|_| Mutex::new(part())).collect() }
    }

    fn part(&self, offset: u64) -> MutexGuard<'_, Part> {
        // Neighbours are of about the same length, so that offsets are spread by a multiplication.
        let part = (offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize;
        // A panic elsewhere can't leave a part half changed, so a poisoned lock is fine.
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, offset: u64) -> Option<Cached> {
        self.part(offset).kept.get(&offset).cloned()
    }

    /// Keeps nothing any more.
    pub(super) fn clear(&self) {
        for part in &self.parts {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            part.kept.clear();
            part.bytes = 0;
        }
    }

    /// Keeps what stands there; what was not asked for longest gives way. The last is kept however
    /// long it is.
    pub(super) fn put(&self, offset: u64, cached: Cached) {
        let mut part = self.part(offset);
        part.bytes += cached.bytes();
        if let Some(before) = part.kept.put(offset, cached) {
            part.bytes -= before.bytes();
        }
        while part.bytes > part.most && part.kept.len() > 1 {
            let Some((_, oldest)) = part.kept.pop_lru() else { break };
            part.bytes -= oldest.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_forgets_what_was_not_asked_for_longest() {
        let cache = Cache::of(PARTS * 10_000);
        for offset in 0..100_000 {
            cache.put(offset, Cached::Bytes(vec![0; 100].into()));
            assert!(cache.get(offset).is_some() && cache.get(offset / 100_000).is_some());
        }
        let kept = (0..100_000).filter(|&offset| cache.get(offset).is_some()).count();
        assert!((1_000..=PARTS * 100).contains(&kept), "{kept}");
        assert!(cache.get(0).is_some());
        for part in &cache.parts {
            let part = part.lock().unwrap();
            assert_eq!(part.bytes, part.kept.len() * 100);
        }
    }
}
