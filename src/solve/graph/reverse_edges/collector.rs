//! Collects edges into buckets, in as few passes over the moves as the memory allows.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::SolveError;
use crate::runtime::memory::Array;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::scratch::{Growth, Scratch};
use crate::solve::graph::reverse_edges::buckets::{BucketPart, Buckets, EdgeWriter, Space};
use crate::solve::graph::reverse_edges::pages::PagePool;
use crate::solve::graph::reverse_edges::rows::{self, Layout, Rows};
use crate::solve::graph::reverse_edges::{ReverseEdges, ends_bytes, pages_for};

/// The memory for edges, or the file for them. Unused parts cost nothing.
#[derive(Debug)]
pub(crate) struct EdgeMemory {
    bytes: Array<u8>,
    /// Takes place on the disk, if it is a file.
    growth: Option<Growth>,
    len: u64,
    all: u64,
}

/// The most bytes a state that edges may take: no game has more moves in most states.
const MOST_BYTES_A_STATE: u64 = 1 << 12;

/// More passes than this take longer than going through the moves at every level.
pub(crate) const MOST_PASSES: usize = 12;

impl EdgeMemory {
    /// Reserves memory for the edges that lead to `len` indices from `all` indices, within `spare`
    /// bytes. `None` if not even the ends of the rows fit.
    pub(crate) fn reserve(len: u64, all: u64, spare: u64) -> Option<EdgeMemory> {
        let most = len.saturating_mul(MOST_BYTES_A_STATE);
        let least = (Buckets::new(len).count() * rows::page_bytes(all)) as u64;
        let mut wanted = spare.checked_sub(ends_bytes(len))?.min(most.max(16 * least));
        while wanted >= least {
            // The system may refuse more than the machine has.
            if let Ok(bytes) = Array::zeroed(wanted, "the reverse edges") {
                return Some(EdgeMemory { bytes, growth: None, len, all });
            }
            wanted -= wanted.div_ceil(8);
        }
        None
    }

    /// A scratch file for the edges between `len` indices. It takes as much of the disk as they need.
    ///
    /// # Errors
    /// If the file can't be made.
    pub(crate) fn in_file(len: u64, scratch: &Arc<Scratch>) -> Result<EdgeMemory, SolveError> {
        let most = len.saturating_mul(MOST_BYTES_A_STATE);
        let length = scratch.free_space().map_or(most, |free| free.min(most));
        let (bytes, growth) = Array::growing_in(length, scratch)?;
        Ok(EdgeMemory { bytes, growth: Some(growth), len, all: len })
    }

    /// Memory that is enough for this many edges between `len` indices, in bytes.
    pub(crate) fn least(len: u64, edges: u64, threads: usize) -> u64 {
        // Each thread fills a page for each bucket, and a bucket is in memory twice while it is
        // reversed.
        let buckets = Buckets::new(len).count() as u64;
        let pages =
            buckets.saturating_mul(threads as u64 + 1).saturating_add(edges / buckets / 256);
        let pages = pages.saturating_mul(rows::page_bytes(len) as u64);
        ends_bytes(len).saturating_add(edges.saturating_mul(5)).saturating_add(pages)
    }

    /// A collector of edges into this memory.
    pub(crate) fn collector(&mut self) -> Collector<'_> {
        let buckets = Buckets::new(self.len);
        let scratch = self.bytes.scratch().cloned();
        let mut pages = PagePool::new(&mut self.bytes, rows::page_bytes(self.all));
        if let (Some(growth), Some(scratch)) = (&mut self.growth, scratch) {
            pages = pages.in_file(growth, scratch);
        }
        let kept = AtomicUsize::new(buckets.count());
        Collector { all: self.all, space: Space { buckets, pages, first: 0, kept } }
    }
}

/// Collects edges before they are reversed.
///
/// If not all edges fit, the edges into the last buckets are dropped. A later pass over the moves
/// collects them, once the others are reversed and take less room.
#[derive(Debug)]
pub(crate) struct Collector<'m> {
    /// The number of indices that edges may come from: more than they lead to, if other processes
    /// own the rest.
    all: u64,
    pub(super) space: Space<'m>,
}

/// The edges of all states into the buckets of one pass.
#[derive(Debug)]
pub(crate) struct Collected<'m> {
    edges: u64,
    /// The parts of each bucket, in the order of the edges' sources.
    buckets: Vec<Vec<BucketPart<'m>>>,
    /// How many pages are in use twice while a bucket is reversed.
    turning: u64,
}

impl<'m> Collector<'m> {
    /// A writer of the edges that come from these states.
    pub(crate) fn writer(&self, sources: Range<u64>) -> EdgeWriter<'_, 'm> {
        EdgeWriter::new(&self.space, sources.start)
    }

    /// Whether no edges lead into this process's window, since other processes own all indices.
    fn is_of_nothing(&self) -> bool {
        self.space.buckets.len == 0 && self.all > 0
    }

    /// Joins the edges of all writers, which are given in the order of their states. Drops buckets
    /// until there is room to reverse some.
    pub(crate) fn collect(&self, writers: Vec<EdgeWriter<'_, 'm>>) -> Collected<'m> {
        let edges = writers.iter().map(EdgeWriter::edges).sum();
        let kept = self.space.kept();
        let mut buckets: Vec<Vec<BucketPart<'m>>> = Vec::new();
        buckets.resize_with(kept.len(), Vec::new);
        for writer in writers {
            let parts = writer.into_parts().enumerate();
            for (bucket, part) in parts {
                match bucket.checked_sub(kept.start).and_then(|at| buckets.get_mut(at)) {
                    Some(parts) => parts.push(part),
                    None => self.space.pages.put_back(part.into_pages()),
                }
            }
        }
        let pages = |bucket: &Vec<BucketPart<'_>>| bucket.iter().map(BucketPart::pages).sum();
        let largest: u64 = buckets.iter().map(pages).max().unwrap_or(0);
        let turning = largest * 4 / 3 + 2;
        while self.space.pages.available() < turning
            && let Some(dropped) = buckets.pop()
        {
            self.space.kept.fetch_sub(1, Ordering::Relaxed);
            self.space.pages.put_back(dropped.into_iter().flat_map(BucketPart::into_pages));
        }
        Collected { edges, buckets, turning }
    }

    /// How all edges will be stored; `None` if there is no room for them.
    pub(crate) fn plan(&self, collected: &Collected<'_>) -> Option<RowPlan> {
        let kept = self.space.kept();
        let passes = self.space.buckets.count().div_ceil(kept.len().max(1));
        if !self.is_of_nothing() && (kept.is_empty() || passes > MOST_PASSES) {
            return None;
        }
        // Samples from all over the table, whose parts can differ. There are no samples if other
        // processes sent edges: those are not in the order of their sources, which gaps need.
        let samples = if self.space.buckets.len < self.all { 0 } else { SAMPLED };
        let sampled = (0..samples).map(|at| kept.start + kept.len() * at / SAMPLED);
        let sizes = sampled.map(|bucket| {
            let targets = self.space.buckets.range(bucket);
            let parts = &collected.buckets[bucket - kept.start];
            rows::gap_bytes(parts, targets.start, (targets.end - targets.start) as usize)
        });
        let (bytes, edges) = sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1));
        let (len, all) = (self.space.buckets.len, self.all);
        let fixed = pages_for(len, all, collected.edges);
        let gaps = if len < all {
            u64::MAX
        } else if edges == 0 {
            0
        } else {
            let all = u128::from(collected.edges) * u128::from(bytes) / u128::from(edges);
            Layout::gaps(len).pages(all as u64).saturating_add(self.space.buckets.count() as u64)
        };
        let room = self.space.pages.count().saturating_sub(collected.turning);
        let (layout, rows) = if fixed <= room && gaps > fixed / 2 {
            (Layout::fixed(all), fixed)
        } else if gaps <= room {
            (Layout::gaps(len), gaps)
        } else {
            return None;
        };
        let held = self.space.pages.count() - self.space.pages.available();
        let pages = rows.max(held).saturating_add(collected.turning).min(self.space.pages.count());
        let bytes = pages.saturating_mul(rows::page_bytes(all) as u64);
        let bytes = ends_bytes(len).saturating_add(bytes);
        let in_file = self.space.pages.scratch().is_some();
        Some(RowPlan { layout, passes: passes as u32, bytes, in_file })
    }

    /// Edges without rows, prepared to be reversed by this plan.
    pub(crate) fn begin(&self, plan: RowPlan) -> Result<ReverseEdges<'m>, SolveError> {
        let (len, scratch) = (self.space.buckets.len, self.space.pages.scratch());
        let ends = Array::zeroed_in(len, "the reverse edges", scratch)?;
        Ok(ReverseEdges {
            buckets: self.space.buckets,
            ends,
            rows: Vec::new(),
            layout: plan.layout,
        })
    }

    /// Reverses the edges of a pass. Returns whether there was room.
    pub(crate) fn turn(
        &self,
        collected: Collected<'m>,
        edges: &mut ReverseEdges<'m>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let (buckets, pages, layout) = (self.space.buckets, &self.space.pages, edges.layout);
        let kept = self.space.kept();
        if kept.is_empty() {
            return Ok(self.is_of_nothing());
        }
        let start = buckets.range(kept.start).start;
        let ends = edges.ends.get_mut(start as usize..).unwrap_or_default();
        let ends = ends.chunks_mut(1_usize << buckets.bits);
        let tasks: Vec<_> = kept.zip(collected.buckets).zip(ends).collect();
        // Each thread needs room to reverse a bucket.
        let most = usize::try_from(pages.available() / collected.turning).unwrap_or(usize::MAX);
        let threads = match Size::of_pass(buckets.len) {
            Size::Small => 1,
            Size::Big => most.clamp(1, pool.threads()),
        };
        let rows = pool.run_by(
            threads,
            tasks,
            |done| Progress::Reversing { done: start + done, of: buckets.len },
            |((bucket, parts), ends), token| {
                let targets = ends.len() as u64;
                let rows = rows::turn(parts, buckets.range(bucket).start, ends, layout, pages);
                if let Some(scratch) = pages.scratch() {
                    rows.iter().flatten().for_each(|page| pages.let_go(page));
                    scratch.let_go(ends);
                }
                // A cancelled run ends in any case.
                let _ = token.done(targets);
                Ok::<_, SolveError>(rows)
            },
        )?;
        let rows: Option<Vec<Rows<'m>>> = rows.into_iter().collect();
        let has_room = rows.is_some();
        edges.rows.extend(rows.into_iter().flatten());
        Ok(has_room)
    }

    /// Continues with the buckets that were dropped in this pass; false if there were none.
    pub(crate) fn next_pass(&mut self) -> bool {
        self.space.first = *self.space.kept.get_mut();
        *self.space.kept.get_mut() = self.space.buckets.count();
        self.space.first < self.space.buckets.count()
    }
}

/// How many buckets are sampled to choose the code of rows.
const SAMPLED: usize = 4;

/// How all edges will be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlan {
    layout: Layout,
    /// How many passes over the moves collect the edges, estimated from the first.
    pub(crate) passes: u32,
    /// The most memory that the edges take, in bytes, or the length of their file.
    pub(crate) bytes: u64,
    pub(crate) in_file: bool,
}

impl Collected<'_> {
    /// The number of edges, into any bucket.
    pub(crate) fn edges(&self) -> u64 {
        self.edges
    }
}
