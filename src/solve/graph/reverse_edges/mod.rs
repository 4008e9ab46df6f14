//! Reverse edges: the predecessors of every state, collected from the moves of a game that does not
//! compute them itself.
//!
//! The first pass writes the edges into buckets by their targets ([`EdgeWriter`]), in order. Each
//! bucket is then reversed separately: counted, and sorted by target, all within the caches. Sparse
//! matrices are transposed in this way, and graph engines propagate updates in this way
//! ("propagation blocking", Beamer, Asanović, Patterson 2017). Pages that held a bucket hold rows
//! of later buckets afterwards, so edges are never in memory twice.
//!
//! If edges lead to states near by, gaps between their indices take a byte or two instead of four.
//! If the buckets of all edges do not fit, there are several passes over the moves. Each collects
//! the edges into the buckets that fit.

mod again;
mod buckets;
mod collector;
mod pages;
mod rows;
mod sink;

pub(crate) use self::again::collect_again;
use self::buckets::Buckets;
pub(crate) use self::buckets::EdgeWriter;
pub(crate) use self::collector::{Collected, Collector, EdgeMemory, MOST_PASSES};
use self::rows::{Layout, Rows};
pub(crate) use self::sink::{EdgeSink, Targets, write_arrived};
use crate::runtime::memory::Array;
use crate::solve::graph::links::Link;

/// For every index, the links to the states that have a move to it. The rows of links of a bucket
/// follow each other.
///
/// A link takes the bytes that the greatest one needs, which is 4 up to 2^31 indices.
/// Alternatively, it takes the bytes of the gap to the link before it. The end of each row takes 4
/// bytes an index.
#[derive(Debug)]
pub(crate) struct ReverseEdges<'m> {
    buckets: Buckets,
    /// The end of the row of each index, counted from the beginning of its bucket. A row begins at
    /// the end of the one before.
    ends: Array<u32>,
    /// The rows of each bucket.
    rows: Vec<Rows<'m>>,
    layout: Layout,
}

/// The memory of the ends of the rows, in bytes.
fn ends_bytes(len: u64) -> u64 {
    len.saturating_mul(4)
}

/// The most pages that the rows of `len` targets take, with sources among `all` indices.
fn pages_for(len: u64, all: u64, edges: u64) -> u64 {
    // The last page of each bucket may be nearly empty.
    Layout::fixed(all).pages(edges).saturating_add(Buckets::new(len).count() as u64)
}

impl ReverseEdges<'_> {
    /// Visits the links to the states that have a move to the state of `index`.
    #[inline]
    pub(crate) fn predecessors(&self, index: u64, visit: impl FnMut(Link)) {
        let first = index & ((1 << self.buckets.bits) - 1) == 0;
        let end = self.ends[index as usize] as usize;
        let start = if first { 0 } else { self.ends[index as usize - 1] as usize };
        let rows = &self.rows[(index >> self.buckets.bits) as usize];
        rows::visit(rows, self.layout, index, start..end, visit);
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::rows::Code;
    use super::*;
    use crate::runtime::pool::WorkerPool;

    /// Some edges: `degree` edges from each source, whose targets are computed from the source and
    /// the edge's number.
    struct Pattern {
        len: u64,
        degree: u64,
        target: fn(u64, u64) -> u64,
    }

    impl Pattern {
        fn links(&self, source: u64) -> Vec<Link> {
            let link = |at| Link {
                index: (self.target)(source, at) % self.len,
                same_mover: (source + at).is_multiple_of(3),
            };
            (0..self.degree).map(link).collect()
        }

        /// Collects the edges of a pass by several writers.
        fn collect<'m>(&self, collector: &Collector<'m>, writers: u64) -> Collected<'m> {
            let parts = (0..writers).map(|part| {
                let sources = self.len * part / writers..self.len * (part + 1) / writers;
                let mut writer = collector.writer(sources.clone());
                sources.for_each(|source| writer.write(source, &self.links(source)));
                writer
            });
            collector.collect(parts.collect())
        }

        /// Reverses the edges within this memory, and compares every row. Returns the code of the
        /// rows and the number of passes; `None` if there was no room.
        fn compare(&self, spare: u64, writers: u64, threads: usize) -> Option<(Code, u32)> {
            let mut memory = EdgeMemory::reserve(self.len, self.len, spare)?;
            let mut collector = memory.collector();
            let mut collected = self.collect(&collector, writers);
            assert_eq!(collected.edges(), self.len * self.degree);
            let plan = collector.plan(&collected)?;
            assert!(plan.bytes <= spare, "{plan:?}");
            let mut ignore = |_| ControlFlow::Continue(());
            let mut pool = WorkerPool::new(threads, &mut ignore);
            let mut edges = collector.begin(plan).unwrap();
            let mut passes = 1;
            loop {
                if !collector.turn(collected, &mut edges, &mut pool).unwrap() {
                    return None;
                }
                if !collector.next_pass() {
                    break;
                }
                passes += 1;
                collected = self.collect(&collector, writers);
            }
            let mut expected: Vec<Vec<u64>> = vec![Vec::new(); self.len as usize];
            for source in 0..self.len {
                for link in self.links(source) {
                    expected[link.index as usize].push(Link { index: source, ..link }.packed());
                }
            }
            for (index, expected) in expected.iter().enumerate() {
                let mut found = Vec::new();
                edges.predecessors(index as u64, |link| found.push(link.packed()));
                assert_eq!(found, *expected, "{index} of {}", self.len);
            }
            Some((edges.layout.code, passes))
        }
    }

    fn far(source: u64, at: u64) -> u64 {
        (source.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) ^ (at * at * 977)
    }

    fn near(source: u64, at: u64) -> u64 {
        source / 64 * 64 + at * 7
    }

    #[test]
    fn rows_have_the_edges_that_were_written() {
        for (len, degree, writers, threads) in
            [(1, 1, 1, 1), (10, 3, 1, 1), (1_000, 9, 4, 2), (200_000, 5, 3, 2), (70_000, 40, 2, 1)]
        {
            for target in [far, near] {
                let pattern = Pattern { len, degree, target };
                let (_, passes) = pattern.compare(1 << 30, writers, threads).unwrap();
                assert_eq!(passes, 1);
            }
        }
    }

    #[test]
    fn near_edges_are_coded_as_gaps() {
        let (len, degree) = (300_000, 8);
        let code = |target| Pattern { len, degree, target }.compare(1 << 30, 2, 2).unwrap().0;
        assert_eq!(code(far), Code::Fixed { width: 4 });
        assert_eq!(code(near), Code::Gaps);
    }

    #[test]
    fn edges_are_collected_in_several_passes_where_memory_is_short() {
        let (len, degree) = (kit::few(1 << 19, 1 << 21), 6);
        let near = Pattern { len, degree, target: near };
        let most =
            ends_bytes(len) + pages_for(len, len, len * degree) * rows::page_bytes(len) as u64;
        // The less memory there is, the more passes it takes, until even the rows do not fit.
        let passes: Vec<Option<u32>> = [100, 70, 60, 50, 45, 40, 30, 20]
            .map(|percent| near.compare(most * percent / 100, 2, 2).map(|(_, passes)| passes))
            .to_vec();
        assert_eq!(passes[0], Some(1), "{passes:?}");
        assert_eq!(passes[7], None, "{passes:?}");
        assert!(passes.iter().flatten().is_sorted(), "{passes:?}");
        assert!(passes.iter().flatten().any(|&passes| passes > 1), "{passes:?}");
        assert!(passes.is_sorted_by_key(Option::is_none), "{passes:?}");
    }

    #[test]
    fn edges_are_given_up_where_there_is_no_room() {
        assert!(EdgeMemory::reserve(1_000, 1_000, 3_999).is_none());
        assert!(EdgeMemory::reserve(1_000, 1_000, 4_000 + 4_095).is_none());
        let pattern = Pattern { len: 1_000, degree: 50, target: far };
        assert_eq!(pattern.compare(4_000 + 2 * 4_096, 1, 1), None);
    }
}
