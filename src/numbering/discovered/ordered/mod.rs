//! The keys of a search in ascending order: gathered, sorted, and merged with those that are known.
//!
//! A key that is found is only gathered, in the bucket between whose bounds it lies. Once a bucket
//! has gathered enough, or the ply ends, it sorts what it gathered, drops repeated keys and those
//! that are known, and codes the others. This is delayed detection of duplicates: R. Korf,
//! "Best-first frontier search with delayed duplicate detection", 2004. A key takes one to two
//! bytes, and memory is read in order.

mod bucket;
mod interface;
mod unordered;

use std::cmp::Ordering::{Equal, Greater, Less};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use crate::error::SolveError;
use crate::numbering::discovered::{CodedKey, CodedKeys, Coder, KeyFiles};
use crate::runtime::sort::each_of;
use bucket::{Bucket, are_distinct, each_merged, merge, merge_into};
pub use interface::{Change, KeyRoom, OrderedKeys};
pub use unordered::Unordered;

pub(crate) use bucket::{AllRuns, BucketRuns};

/// The most buckets of a set.
pub(crate) const MOST_BUCKETS: usize = 256;

/// There are so many buckets that each has about this number of keys, up to [`MOST_BUCKETS`].
const BUCKET_KEYS: u64 = 1 << 13;

/// A bucket with fewer gathered keys than this seldom sorts them before the ply ends.
const FEW: usize = 1 << 12;

/// Fewer keys than this are listed by one thread.
const PARALLEL_FROM: u64 = 1 << 16;

/// Ordered keys of 8 or 16 bytes.
#[derive(Debug)]
pub struct Ordered<K> {
    /// The least key that each bucket but the first may have.
    bounds: Vec<K>,
    buckets: Vec<Mutex<Bucket<K>>>,
    /// The keys of the ply that is expanded, which nobody changes meanwhile.
    frontiers: Vec<RwLock<Arc<CodedKeys<K>>>>,
    /// The bytes of gathered keys in all buckets.
    gathered: AtomicU64,
    room: KeyRoom,
    /// The bytes of all runs.
    runs: AtomicU64,
    /// The memory of all buckets, in bytes.
    taken: AtomicU64,
}

impl<K: CodedKey> Ordered<K> {
    /// A set with these bounds and buckets.
    fn of_buckets(bounds: Vec<K>, buckets: Vec<[CodedKeys<K>; 3]>, room: &KeyRoom) -> Self {
        let buckets = buckets
            .into_iter()
            .map(|[known, frontier, next]| Bucket::of(known, frontier, next))
            .collect();
        Self::of_all(bounds, buckets, room.clone())
    }

    fn of_all(bounds: Vec<K>, buckets: Vec<Bucket<K>>, room: KeyRoom) -> Self {
        let frontiers = buckets.iter().map(|it| RwLock::new(Arc::clone(it.frontier()))).collect();
        let [runs, taken] = [Bucket::run_bytes, Bucket::bytes]
            .map(|bytes| AtomicU64::new(buckets.iter().map(bytes).sum()));
        let buckets = buckets.into_iter().map(Mutex::new).collect();
        Ordered { bounds, buckets, frontiers, gathered: AtomicU64::new(0), room, runs, taken }
    }

    /// The buckets, without room for gathered keys.
    fn into_buckets(self) -> Vec<Bucket<K>> {
        drop(self.frontiers);
        let open = |bucket: Mutex<Bucket<K>>| {
            let mut bucket = bucket.into_inner().unwrap_or_else(PoisonError::into_inner);
            bucket.drop_list();
            bucket
        };
        self.buckets.into_iter().map(open).collect()
    }

    fn lock(&self, bucket: usize) -> MutexGuard<'_, Bucket<K>> {
        self.buckets[bucket].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn frontier(&self, bucket: usize) -> Arc<CodedKeys<K>> {
        let frontier = self.frontiers[bucket].read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&frontier)
    }

    /// Changes a bucket, and adds up what has changed.
    fn change(
        &self,
        bucket: &mut Bucket<K>,
        change: impl FnOnce(&mut Bucket<K>) -> Result<(), SolveError>,
    ) -> Result<Change, SolveError> {
        let figures =
            |bucket: &Bucket<K>| [bucket.run_bytes(), bucket.gathered_bytes(), bucket.bytes()];
        let (keys, before) = (bucket.len(), figures(bucket));
        change(bucket)?;
        bucket.move_runs(self.room.files.as_ref());
        let after = figures(bucket);
        let sums = [&self.runs, &self.gathered, &self.taken];
        for ((sum, before), after) in sums.iter().zip(before).zip(after) {
            match after.cmp(&before) {
                Greater => drop(sum.fetch_add(after - before, Ordering::Relaxed)),
                Less => drop(sum.fetch_sub(before - after, Ordering::Relaxed)),
                Equal => {}
            }
        }
        let keys = bucket.len() - keys;
        Ok(Change { keys, before: before[2], after: after[2] })
    }

    /// How many bytes of gathered keys are allowed now: in proportion to the keys that are known.
    fn room(&self) -> u64 {
        /// With fewer bytes, sorting in parts would take longer than it saves.
        const LEAST: u64 = 16 << 20;
        let runs = self.runs.load(Ordering::Relaxed);
        (runs + runs / 2).max(LEAST).min(self.room.gathering)
    }

    /// Whether the buckets take most of the memory of the search, of which gathered keys may have a quarter.
    fn is_short(&self) -> bool {
        self.taken.load(Ordering::Relaxed) / 5 > self.room.gathering / 2
    }

    /// How many gathered keys are a bucket's share of the room.
    fn share(&self) -> usize {
        (self.room() / size_of::<K>() as u64) as usize / self.buckets.len()
    }

    /// How many keys a list may have had that a bucket keeps for later keys: none where memory is
    /// short.
    fn kept(&self) -> usize {
        if self.room() < self.room.gathering { self.share() } else { 0 }
    }

    /// All runs, by the ply to which they belong.
    fn with_ply<T>(&self, ply: usize, work: impl FnOnce(&[&CodedKeys<K>]) -> T) -> T {
        let buckets: Vec<MutexGuard<'_, Bucket<K>>> =
            (0..self.buckets.len()).map(|bucket| self.lock(bucket)).collect();
        let runs: Vec<&CodedKeys<K>> =
            buckets.iter().flat_map(|bucket| bucket.runs()[ply]).collect();
        work(&runs)
    }
}

/// The first keys of blocks, from which bounds are chosen, are at most this many.
const SAMPLES: usize = 1 << 16;

impl<K: CodedKey> OrderedKeys<K> for Ordered<K> {
    const HAVE_CODE: bool = true;

    fn new(room: &KeyRoom) -> Option<Self> {
        Some(Self::of_buckets(Vec::new(), vec![Default::default()], room))
    }

    fn of(keys: [Vec<K>; 3], room: &KeyRoom) -> Option<Result<Self, SolveError>> {
        let code = |mut keys: Vec<K>| {
            keys.sort_unstable();
            CodedKeys::of(&keys)
        };
        let [known, frontier, next] = keys.map(code);
        let bucket = known.and_then(|known| Ok([known, frontier?, next?]));
        Some(bucket.map(|bucket| Self::of_buckets(Vec::new(), vec![bucket], room)))
    }

    fn buckets(&self) -> usize {
        self.buckets.len()
    }

    fn has_gathered(&self) -> bool {
        self.gathered.load(Ordering::Relaxed) > 0
    }

    #[inline]
    fn bucket_of(&self, key: &K) -> usize {
        self.bounds.partition_point(|bound| bound <= key)
    }

    fn gather(&self, bucket: usize, keys: &[K]) -> Result<Change, SolveError> {
        let share = self.share();
        let mut bucket = self.lock(bucket);
        self.change(&mut bucket, |bucket| {
            let pending = bucket.gather(keys)?;
            // Only a bucket that has many keys of its own makes room, unless memory is short.
            let is_full = self.gathered.load(Ordering::Relaxed) > self.room();
            let few = if self.is_short() { FEW.min(share) } else { FEW };
            if !is_full || pending <= (share / 4).max(few) {
                return Ok(());
            }
            match bucket.sort() > pending / 2 {
                true => bucket.settle(self.kept(), self.room.files.as_ref()),
                false => bucket.shorten(share),
            }
        })
    }

    fn settle(&self, at: usize, ends: bool) -> Result<Change, SolveError> {
        let mut bucket = self.lock(at);
        let frontier = || self.frontiers[at].write().unwrap_or_else(PoisonError::into_inner);
        if ends {
            // The keys become those of an earlier ply without a copy.
            *frontier() = Arc::default();
        }
        let change = self.change(&mut bucket, |bucket| match ends {
            true => bucket.end_ply(self.kept(), self.room.files.as_ref()),
            // Of a set that is not searched now.
            false => bucket.settle(0, self.room.files.as_ref()),
        })?;
        *frontier() = Arc::clone(bucket.frontier());
        Ok(change)
    }

    fn lens(&self, bucket: usize) -> [u64; 2] {
        match bucket < self.buckets.len() {
            true => [self.lock(bucket).known_len(), self.frontier(bucket).len()],
            false => [0; 2],
        }
    }

    fn len(&self) -> u64 {
        (0..self.buckets.len()).map(|bucket| self.lock(bucket).len()).sum()
    }

    fn copy(&self, bucket: usize, places: Range<usize>, copies: &mut Vec<K>) {
        copies.clear();
        let places = places.start as u64..places.end as u64;
        self.frontier(bucket).each(places, |_, key| copies.push(key));
    }

    fn is_uneven(&self) -> bool {
        let lens: Vec<u64> = (0..self.buckets.len()).map(|at| self.lock(at).len()).collect();
        let (all, most) = (lens.iter().sum::<u64>(), lens.iter().max().copied().unwrap_or(0));
        let wanted = all / BUCKET_KEYS;
        // Bounds that favour the last ply leave up to four times as many keys in a bucket.
        most > 2 * BUCKET_KEYS && most > 8 * (all / wanted.clamp(1, MOST_BUCKETS as u64))
    }

    fn even_bounds(&self) -> Vec<K> {
        let mut samples = Vec::new();
        // The keys to come are near those of the ply that is expanded.
        for (ply, weight) in [(0, 1), (1, 3), (2, 3)] {
            self.with_ply(ply, |runs| {
                let blocks: usize = runs.iter().map(|run| run.firsts().len()).sum();
                let step = (3 * blocks / (SAMPLES * weight)).max(1);
                let firsts = runs.iter().flat_map(|run| run.firsts());
                samples.extend(firsts.step_by(step));
            });
        }
        samples.sort_unstable();
        samples.dedup();
        let buckets = (self.len() / BUCKET_KEYS).clamp(1, MOST_BUCKETS as u64) as usize;
        let mut bounds: Vec<K> = (1..buckets)
            .filter_map(|at| samples.get(at * samples.len() / buckets).copied())
            .collect();
        bounds.dedup();
        bounds
    }

    fn cut(&self, bounds: &[K], bucket: usize) -> Result<[CodedKeys<K>; 3], SolveError> {
        let from = bucket.checked_sub(1).map_or(K::from(0), |before| bounds[before]);
        let to = bounds.get(bucket).copied();
        let first = self.bucket_of(&from);
        let last = to.map_or(self.buckets.len() - 1, |to| self.bucket_of(&to));
        let mut coders = [const { None }; 3].map(|_: Option<()>| Coder::default());
        for at in first..=last {
            let mut bucket = self.lock(at);
            bucket.shorten(0)?;
            for (coder, runs) in coders.iter_mut().zip(bucket.runs()) {
                merge_into(coder, &runs.iter().collect::<Vec<_>>(), from, to);
            }
        }
        let files = self.room.files.as_ref();
        let [known, frontier, next] =
            coders.map(|coder| Ok::<_, SolveError>(coder.finish()?.into_files(files)));
        Ok([known?, frontier?, next?])
    }

    fn recut(&self, bounds: Vec<K>, buckets: Vec<[CodedKeys<K>; 3]>) -> Self {
        Self::of_buckets(bounds, buckets, &self.room)
    }

    fn runs(&mut self) -> (&[K], AllRuns<'_, K>) {
        let mut runs = Vec::with_capacity(self.buckets.len());
        for bucket in &mut self.buckets {
            let bucket: &Bucket<K> = bucket.get_mut().unwrap_or_else(PoisonError::into_inner);
            runs.push(bucket.runs());
        }
        (&self.bounds, runs)
    }

    fn kept(
        &self,
        is_kept: &dyn Fn(&K) -> bool,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<[CodedKeys<K>; 3], SolveError> {
        let mut coders = [const { None }; 3].map(|_: Option<()>| Coder::default());
        for at in 0..self.buckets.len() {
            let bucket = self.lock(at);
            for (coder, runs) in coders.iter_mut().zip(bucket.runs()) {
                let runs: Vec<&CodedKeys<K>> = runs.iter().collect();
                each_merged(&runs, K::from(0), None, |key| {
                    if is_kept(&key) {
                        coder.push(key);
                    }
                });
            }
        }
        let [known, frontier, next] =
            coders.map(|coder| Ok::<_, SolveError>(coder.finish()?.into_files(files)));
        Ok([known?, frontier?, next?])
    }

    fn joined(
        parts: Vec<[CodedKeys<K>; 3]>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<Option<Self>, SolveError> {
        let mut runs = [const { Vec::new() }; 3];
        for part in parts {
            for (runs, run) in runs.iter_mut().zip(part) {
                runs.extend((run.len() > 0).then_some(run));
            }
        }
        if !are_distinct(&runs) {
            return Ok(None);
        }
        let [known, frontier, next] = runs;
        let bucket = Bucket::of_runs(known, merge(&frontier, files)?, next);
        Ok(Some(Self::of_all(Vec::new(), vec![bucket], KeyRoom::default())))
    }

    fn set_room(&mut self, room: &KeyRoom) {
        self.room = room.clone();
    }

    fn of_runs(bounds: Vec<K>, runs: Vec<BucketRuns<Vec<CodedKeys<K>>>>) -> Option<Self> {
        let ascend = bounds.is_sorted_by(|one, next| one < next);
        if !ascend || runs.len() != bounds.len() + 1 || runs.len() > MOST_BUCKETS {
            return None;
        }
        let mut buckets = Vec::new();
        for (at, runs) in runs.into_iter().enumerate() {
            let from = at.checked_sub(1).map(|before| bounds[before]);
            let to = bounds.get(at).copied();
            let is_within = |run: &CodedKeys<K>| {
                run.get(0).is_none_or(|first| from.is_none_or(|from| from <= first))
                    && run.last().is_none_or(|last| to.is_none_or(|to| last < to))
            };
            if !runs.iter().flatten().all(is_within) || !are_distinct(&runs) {
                return None;
            }
            let [known, mut frontier, next] = runs;
            if frontier.len() != 1 {
                return None;
            }
            buckets.push(Bucket::of_runs(known, frontier.pop()?, next));
        }
        Some(Self::of_all(bounds, buckets, KeyRoom::default()))
    }

    fn bytes(&self) -> u64 {
        (0..self.buckets.len()).map(|bucket| self.lock(bucket).bytes()).sum()
    }

    fn into_keys(self) -> Result<CodedKeys<K>, SolveError> {
        let files = self.room.files.clone();
        let (len, bytes) = (self.len(), self.runs.load(Ordering::Relaxed));
        let buckets = self.into_buckets();
        CodedKeys::coded_in(files.as_ref(), len, bytes, |coder| {
            for bucket in &buckets {
                let runs: Vec<&CodedKeys<K>> = bucket.runs().into_iter().flatten().collect();
                merge_into(coder, &runs, K::from(0), None);
            }
        })
    }

    fn into_list(self, threads: usize) -> Result<Vec<K>, SolveError> {
        let buckets = self.into_buckets();
        let len = buckets.iter().map(Bucket::len).sum::<u64>();
        let failed = |()| SolveError::OutOfMemory {
            what: "the discovered states",
            bytes: len.saturating_mul(size_of::<K>() as u64),
        };
        // The threads are the first to touch its pages.
        let mut list = bytemuck::try_zeroed_vec(len as usize).map_err(failed)?;
        let (mut rest, mut parts) = (&mut list[..], Vec::new());
        for bucket in buckets {
            let (part, behind) = rest.split_at_mut(bucket.len() as usize);
            parts.push((bucket, part));
            rest = behind;
        }
        let threads = if len < PARALLEL_FROM { 1 } else { threads };
        each_of(parts, threads, |(bucket, part)| bucket.list(part));
        Ok(list)
    }
}

#[cfg(test)]
mod tests;
