//! Updates that are sorted by the range of their states before they are applied.
//!
//! If the cells of all states are far larger than the caches, an update at a random place costs an
//! access to memory. A walk then puts its updates into buckets, one for each range of indices whose
//! cells fit into a cache. Once there are enough updates, the buckets are applied one by one. This
//! is propagation blocking (Beamer, Asanović and Patterson, "Reducing Pagerank communication via
//! propagation blocking", IPDPS 2017). Sorting also shares out the work without messages: in each
//! of the two steps any thread can take any part.

use std::sync::Arc;
use std::time::Duration;

use crate::error::SolveError;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::Cell;
use crate::solve::levels::backward::buckets::{
    Bucket, FoundUpdates, LEAST_PAGE, MOST_PAGE, PAGE, PageFile, PageInFile, SortedUpdates, apply,
};
use crate::solve::levels::backward::task::LevelWalk;
use crate::solve::levels::backward::walk::{TrialTime, Walk};
use crate::solve::levels::step::LevelCounts;
use crate::solve::plan::UPDATE_BYTES;

/// Fewer cells than this are in the caches anyway.
const LEAST_CELLS: u64 = 4 << 20;

/// The least and the most bits of a place in a bucket. With the least, the cells of a bucket and
/// its part of the next frontier stay in the second cache.
const LEAST_BITS: u32 = 19;
const MOST_BITS: u32 = 31;

/// In scratch files, ranges of more cells are not in the caches, and take no fewer accesses to the disk.
const MOST_BITS_IN_FILES: u32 = 22;

/// How many bytes of scratch files the updates by 64 neighbouring states touch, about: 16 pages.
const BYTES_A_WORD: u64 = 16 << 12;

/// With more updates of a range than one for this many bytes of cells, nearly all pages are changed.
const BYTES_AN_UPDATE: usize = 1 << 11;

/// More buckets than this do not stay in the caches while they are filled.
const MOST_BUCKETS: u64 = 2048;

/// There is room for one update of four bytes for each 32 indices. With twice as many updates,
/// random games take 5 to 10 % less time.
const INDICES_AN_UPDATE: u64 = 32;

/// Sorting is chosen if it takes less than this share of the time: the gain must be worth its
/// memory.
const GAIN: f64 = 0.85;

/// Room for fewer updates is used up so soon that the threads wait for each other.
const LEAST_UPDATES: u64 = 2 << 20;

/// Sort only if at least one word of the frontier per `WORTH` indices is non-zero. Time both ways
/// only if at least one per `TRIED` indices is.
const WORTH: u64 = 1024;
const TRIED: u64 = 256;

/// Sorts updates, and decides whether sorting is faster.
pub(crate) struct UpdateSorter {
    /// The number of indices.
    len: u64,
    /// The number of bits of a place within a bucket.
    bits: u32,
    /// The updates that each thread found. Kept from level to level, with the memory.
    found: Vec<FoundUpdates>,
    /// How many states each thread walks to try a way in this level; `None` if no way is tried.
    tries: Option<u64>,
    /// The time of each way in this level, in the order of [`Updating`].
    trials: [TrialTime; 2],
    /// Whether sorting was faster at the last trial of both ways.
    pub(super) is_faster: bool,
    /// The folder of scratch files, if the cells are in such files.
    pub(super) files: Option<Arc<Scratch>>,
}

/// How updates are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Updating {
    Direct,
    Sorted,
}

/// The next round of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SortingRound {
    pub(super) way: Updating,
    /// How many states each thread walks at most, if the way is only tried.
    pub(super) most: Option<u64>,
}

impl UpdateSorter {
    /// A sorter of the updates for `len` indices, within `spare` bytes. `None` if sorting is no
    /// faster, or there is no room for it. With one thread it is no faster: the detour through the
    /// buckets costs what the caches save. With more threads, sorting also saves the messages
    /// between them.
    pub(crate) fn within(len: u64, spare: u64, pool: &WorkerPool<'_>) -> Option<UpdateSorter> {
        if pool.threads() == 1 || pool.has_peers() || len < LEAST_CELLS {
            return None;
        }
        let needed = u64::BITS - len.div_ceil(MOST_BUCKETS).saturating_sub(1).leading_zeros();
        let bits = Some(needed.max(LEAST_BITS)).filter(|&bits| bits <= MOST_BITS)?;
        let updates =
            (len / INDICES_AN_UPDATE).max(LEAST_UPDATES).min(spare / size_of::<u32>() as u64);
        UpdateSorter::with_bits(len, bits, updates, pool.threads())
    }

    /// A sorter for cells in scratch files. It writes the updates of a level into such files, too, and
    /// applies them to one range of the cells after the other. So each thread has one range in memory.
    /// Its own buffers and the pages of files have `room` bytes of memory together.
    pub(crate) fn in_files(
        len: u64,
        scratch: &Arc<Scratch>,
        room: u64,
        threads: usize,
    ) -> UpdateSorter {
        let a_thread = room / threads as u64;
        // Half is for the ranges: cells of up to two bytes, and a bit of the next frontier.
        let cells = a_thread / 2 * 4 / 9;
        let bits = cells.max(CHUNK).ilog2().min(MOST_BITS_IN_FILES);
        let buckets = len.div_ceil(1 << bits).max(1);
        // A quarter is for the pages that are being filled.
        let page = a_thread / 4 / buckets / size_of::<u32>() as u64;
        let page = 1 << page.clamp(LEAST_PAGE, MOST_PAGE).ilog2();
        let bytes = len.saturating_mul(UPDATE_BYTES) / threads as u64;
        // The number and the checksum of each page are in memory.
        let a_page = size_of::<PageInFile>() as u64;
        let pages = (bytes / (page * size_of::<u32>()) as u64).min(a_thread / 8 / a_page);
        let filled = buckets * (page * size_of::<u32>()) as u64 + pages * a_page;
        scratch.set_room(room - filled.min(a_thread / 2) * threads as u64);
        let found = |_| {
            let file = PageFile::new(scratch, pages, page);
            FoundUpdates::in_file(buckets as usize, page, file)
        };
        UpdateSorter {
            len,
            bits,
            found: (0..threads).map(found).collect(),
            tries: None,
            trials: [TrialTime::default(); 2],
            is_faster: true,
            files: Some(Arc::clone(scratch)),
        }
    }

    /// A sorter with buckets of `bits` bits, and room for `updates` updates in all threads
    /// together. `None` if that is too few.
    pub(super) fn with_bits(
        len: u64,
        bits: u32,
        updates: u64,
        threads: usize,
    ) -> Option<UpdateSorter> {
        let buckets = len.div_ceil(1 << bits) as usize;
        let pages = updates as usize / PAGE / threads;
        // The last page of each bucket is half full.
        (pages >= 2 * buckets).then(|| UpdateSorter {
            len,
            bits,
            found: (0..threads).map(|_| FoundUpdates::new(buckets, pages)).collect(),
            tries: None,
            trials: [TrialTime::default(); 2],
            is_faster: false,
            files: None,
        })
    }

    /// The memory of the sorter, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        // The room for files is taken in any case.
        if self.files.is_some() {
            return 0;
        }
        self.found.iter().map(|found| (found.most * PAGE * size_of::<u32>()) as u64).sum()
    }

    /// Begins a level. Its frontier has `words` non-zero words and `states` states.
    pub(super) fn begin_level(&mut self, words: u64, states: u64) {
        let share = states / 16 / self.found.len() as u64;
        self.tries = (words >= self.len / TRIED && share > 0).then_some(share);
        self.trials = [TrialTime::default(); 2];
    }

    /// The next round if the frontier has `words` non-zero words left; `None` to apply all updates
    /// at once.
    /// `has_exits`: whether values of exits are to be applied, which is done at once.
    pub(super) fn next_round(&self, words: u64, has_exits: bool) -> Option<SortingRound> {
        if let Some(files) = &self.files {
            // The pages that the updates by few states touch fit into memory.
            let are_few = words < files.room() / BYTES_A_WORD;
            return match (are_few, has_exits) {
                (true, _) => None,
                (false, true) => Some(SortingRound { way: Updating::Direct, most: Some(1) }),
                (false, false) => Some(SortingRound { way: Updating::Sorted, most: None }),
            };
        }
        if has_exits || words < self.len / WORTH {
            return None;
        }
        let untried = [Updating::Direct, Updating::Sorted]
            .into_iter()
            .find(|&way| self.trials[way as usize].is_empty());
        match (self.tries, untried) {
            (most @ Some(_), Some(way)) => Some(SortingRound { way, most }),
            _ => self.is_faster.then_some(SortingRound { way: Updating::Sorted, most: None }),
        }
    }

    /// Notes the time of a round.
    pub(super) fn note(&mut self, round: SortingRound, states: u64, took: Duration) {
        self.trials[round.way as usize].add(states, took);
        let [at_once, sorted] = self.trials;
        if round.most.is_some() && !at_once.is_empty() && !sorted.is_empty() {
            self.is_faster = sorted.seconds_a_state() < GAIN * at_once.seconds_a_state();
        }
    }

    /// Walks the frontier until there is no room for more updates, or each thread has walked `most`
    /// states; then applies the updates.
    pub(super) fn round<C: Cell>(
        &mut self,
        task: &dyn LevelWalk<C>,
        cells: &mut [C],
        [frontier, next]: [&mut Frontier; 2],
        most: Option<u64>,
        event: &dyn Fn(u64) -> Progress,
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let settling = task.settling();
        let most = most.unwrap_or(u64::MAX);
        let mut counts = LevelCounts::default();
        let (len, bits) = (self.len, self.bits);
        let parts = frontier.even_cuts(self.found.len());
        let parts = frontier.whole().cut(&parts).into_iter();
        let shared = &*cells;
        let walked = pool.run(
            Size::Big,
            parts.zip(&mut self.found).collect(),
            event,
            |((range, part), found), token| {
                let mut walk = Walk::new(part, range.start);
                let mut later = SortedUpdates { found, cells: shared, len, bits };
                task.walk_sorted(&mut later, &mut walk, most, token)?;
                Ok::<_, SolveError>(walk.walked)
            },
        )?;
        for walked in walked {
            counts.add(&LevelCounts { walked, ..LevelCounts::default() });
        }
        let ends: Vec<u64> = (1..=len.div_ceil(1 << bits)).map(|it| len.min(it << bits)).collect();
        let ranges = cells.chunks_mut(1 << bits).zip(next.whole().cut(&ends));
        let tasks = ranges.enumerate().map(|(at, (cells, (range, next)))| {
            let take = |found: &mut FoundUpdates| std::mem::take(&mut found.buckets[at]);
            let buckets: Vec<Bucket> = self.found.iter_mut().map(take).collect();
            (range.start, cells, next, buckets)
        });
        let tasks: Vec<_> = tasks.collect();
        let files: Vec<_> = self.found.iter().map(|found| found.file.as_ref()).collect();
        let scratch = self.files.as_ref();
        let all_walked = counts.all_walked();
        let page = self.found.first().map_or(0, |found| found.page);
        let applied = pool.run(
            Size::Big,
            tasks,
            |_| event(all_walked),
            |(start, cells, mut next, mut buckets), _| {
                if let Some(scratch) = scratch {
                    let updates: usize = buckets.iter().map(|it| it.updates(page)).sum();
                    if updates > size_of_val(cells) / BYTES_AN_UPDATE {
                        scratch.fetch_to_change(cells);
                    }
                }
                let mut pages: Vec<_> = buckets.iter_mut().flat_map(Bucket::pages).collect();
                let mut settled = apply(start, cells, &mut next, &mut pages, settling);
                for (file, bucket) in files.iter().zip(&buckets) {
                    let Some(file) = file else { continue };
                    file.each(bucket, |page| {
                        let more = apply(start, cells, &mut next, &mut [page], settling);
                        settled = [settled[0] + more[0], settled[1] + more[1]];
                    })?;
                }
                if let Some(scratch) = scratch {
                    scratch.let_go(cells);
                }
                Ok::<_, SolveError>((settled, buckets))
            },
        )?;
        for (settled, buckets) in applied {
            counts.add(&LevelCounts { settled, ..LevelCounts::default() });
            for (found, bucket) in self.found.iter_mut().zip(buckets) {
                found.put_back(bucket);
            }
        }
        Ok(counts)
    }
}
