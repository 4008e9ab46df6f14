//! The blocks that were read last, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use hashbrown::HashMap;

use crate::table::values::Values;

/// How many parts the cache has, so that little is copied when something is put in.
const PARTS: usize = 16;

/// How many things a part has at most, since all are gone through when another is put in: blocks are
/// large, unless a file was made to have tiny ones.
const MOST_ENTRIES: usize = 1 << 12;

/// Something that was read and checked.
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

/// What was read last, by where it stands in the file, up to so many bytes.
///
/// Those who ask for what is there never wait for each other. They write to memory that others read only
/// when something is asked for the first time after anything was put in, and where they keep a record of
/// states for themselves.
#[derive(Debug)]
pub(crate) struct Cache {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    /// Replaced as a whole.
    kept: ArcSwap<Kept>,
    /// Held by whoever replaces it.
    replacing: Mutex<()>,
    most: usize,
}

/// What a part keeps.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// How many were put in so far.
    turn: u64,
    entries: HashMap<u64, Arc<Entry>>,
}

#[derive(Debug)]
struct Entry {
    cached: Cached,
    /// In which turn it was asked for last.
    asked: AtomicU64,
}

impl Kept {
    fn bytes(&self) -> usize {
        self.entries.values().map(|entry| entry.cached.bytes()).sum()
    }
}

impl Cache {
    pub(crate) fn of(bytes: usize) -> Cache {
        let part =
            || Part { kept: ArcSwap::default(), replacing: Mutex::new(()), most: bytes / PARTS };
        Cache { parts: (0..PARTS).map(|_| part()).collect() }
    }

    #[inline]
    fn part(&self, offset: u64) -> &Part {
        // Neighbours are of about the same length, so that offsets are spread by a multiplication.
        &self.parts[(offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize]
    }

    /// What `read` makes of what stands there, if that is kept.
    #[inline]
    pub(crate) fn ask<T>(&self, offset: u64, read: impl FnOnce(&Cached) -> T) -> Option<T> {
        let kept = self.part(offset).kept.load();
        let Entry { cached, asked } = &**kept.entries.get(&offset)?;
        if asked.load(Ordering::Relaxed) != kept.turn {
            asked.store(kept.turn, Ordering::Relaxed);
        }
        Some(read(cached))
    }

    /// Keeps nothing any more.
    pub(crate) fn clear(&self) {
        for part in &self.parts {
            part.replace(|kept| kept.entries.clear());
        }
    }

    /// Keeps what stands there; what was not asked for longest gives way. The last is kept however
    /// long it is.
    pub(crate) fn put(&self, offset: u64, cached: Cached) {
        let part = self.part(offset);
        part.replace(|kept| {
            kept.turn += 1;
            let entry = Entry { cached, asked: AtomicU64::new(kept.turn) };
            kept.entries.insert(offset, Arc::new(entry));
            let mut bytes = kept.bytes();
            while bytes > part.most || kept.entries.len() > MOST_ENTRIES {
                let others = kept.entries.iter().filter(|(at, _)| **at != offset);
                let oldest = others.min_by_key(|(_, entry)| entry.asked.load(Ordering::Relaxed));
                let Some((&oldest, entry)) = oldest else { break };
                bytes -= entry.cached.bytes();
                kept.entries.remove(&oldest);
            }
        });
    }
}

impl Part {
    fn replace(&self, change: impl FnOnce(&mut Kept)) {
        // A panic elsewhere can't leave a part half changed, so a poisoned lock is fine.
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = Kept::clone(&self.kept.load());
        change(&mut kept);
        self.kept.store(Arc::new(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_forgets_what_was_not_asked_for_longest() {
        let cache = Cache::of(PARTS * 10_000);
        let is_kept = |offset| cache.ask(offset, |_| ()).is_some();
        for offset in 0..100_000 {
            cache.put(offset, Cached::Bytes(vec![0; 100].into()));
            assert!(is_kept(offset) && is_kept(0));
        }
        let kept = (0..100_000).filter(|&offset| is_kept(offset)).count();
        assert!((1_000..=PARTS * 100).contains(&kept), "{kept}");
        assert!(is_kept(0));
        for part in &cache.parts {
            assert!(part.kept.load().bytes() <= part.most);
        }
    }

    #[test]
    fn threads_find_what_stands_there_or_nothing() {
        // Each with something else in the same places.
        let caches = [(); 3].map(|()| Cache::of(PARTS * 500));
        let found = AtomicU64::new(0);
        let ask_and_put = &|thread: u64| {
            for step in 0..20_000 {
                let offset = (thread + 7 * step + step * step / 5) % 300;
                let length = 100 + offset as usize % 10;
                let which = step as usize % caches.len();
                let (cache, expected) = (&caches[which], vec![offset as u8 ^ which as u8; length]);
                let is_right = |cached: &Cached| match cached {
                    Cached::Bytes(bytes) => **bytes == expected,
                    Cached::Values(_) => false,
                };
                match cache.ask(offset, is_right) {
                    Some(right) => {
                        assert!(right);
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                    None => {
                        cache.put(offset, Cached::Bytes(expected.into()));
                    }
                }
                if thread == 0 && step % 1_000 == 0 {
                    cache.clear();
                }
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || ask_and_put(thread));
            }
        });
        assert!(found.into_inner() > 1_000);
    }
}
