//! Reverse edges: the predecessors of every state, collected from the moves of a game that does not
//! compute them itself.
//!
//! The first pass writes the edges into buckets by where they lead ([`EdgeWriter`]), in order. Each
//! bucket is then turned round by itself: counted, and sorted by target, all within the caches. This
//! is how sparse matrices are transposed and graph engines propagate updates ("propagation blocking",
//! Beamer, Asanović, Patterson 2017). Pages that held a bucket hold rows of later buckets afterwards,
//! so that edges are never in memory twice.

mod buckets;
mod pages;

use std::ops::Range;

pub(crate) use self::buckets::EdgeWriter;
use self::buckets::{BucketPart, Buckets};
use self::pages::{Page, PagePool};
use crate::error::SolveError;
use crate::runtime::memory::Array;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::graph::initialize::BIG;
use crate::solve::graph::positions::Link;

/// For every index, the links to the states that have a move to it: rows of links, those of a bucket
/// one after the other.
///
/// A link takes as many bytes as the greatest one needs, which is 4 up to 2^31 indices. The end of
/// each row takes 4 bytes an index.
#[derive(Debug)]
pub(crate) struct ReverseEdges<'m> {
    buckets: Buckets,
    /// Where the row of each index ends, counted in links from the beginning of its bucket. A row
    /// begins where the one before it ends.
    ends: Array<u32>,
    /// The rows of each bucket.
    rows: Vec<Rows<'m>>,
    paging: Paging,
}

/// How links are laid out in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Paging {
    /// How many bytes a link has.
    width: usize,
    /// The binary logarithm of the number of links in a page.
    shift: u32,
}

/// The rows of a bucket: links in pages, each page full but for the last.
type Rows<'m> = Vec<Page<'m>>;

/// Among fewer indices than this, pages are small.
const FEW: u64 = 1 << 20;

impl Paging {
    /// The paging of links to `len` indices.
    fn of(len: u64) -> Paging {
        let greatest = len.saturating_mul(2).saturating_sub(1);
        let bytes = (u64::BITS - greatest.leading_zeros()).div_ceil(8) as usize;
        let width = if bytes > 6 { 8 } else { bytes.max(4) };
        Paging { width, shift: if len < FEW { 10 } else { 14 } }
    }

    fn page_bytes(self) -> usize {
        self.width << self.shift
    }

    /// The page of a link, and its place in that page in links.
    #[inline(always)]
    fn place(self, link: usize) -> (usize, usize) {
        (link >> self.shift, link & ((1 << self.shift) - 1))
    }
}

/// How many bytes of memory [`ReverseEdges`] with so many indices and edges take.
pub(crate) fn bytes(len: u64, edges: u64) -> u64 {
    let pages = pages_for(len, edges).saturating_mul(Paging::of(len).page_bytes() as u64);
    ends_bytes(len).saturating_add(pages)
}

/// How many bytes of them the ends of the rows take.
fn ends_bytes(len: u64) -> u64 {
    len.saturating_mul(4)
}

/// How many pages the rows take at most.
fn pages_for(len: u64, edges: u64) -> u64 {
    // The last page of each bucket may be nearly empty.
    (edges >> Paging::of(len).shift).saturating_add(Buckets::of(len).count() as u64)
}

/// The memory that edges are kept in. What is not used of it costs nothing.
#[derive(Debug)]
pub(crate) struct EdgeMemory {
    bytes: Array<u8>,
    len: u64,
}

/// No game has so many moves in most states that its edges take more bytes a state.
const MOST_BYTES_A_STATE: u64 = 1 << 12;

impl EdgeMemory {
    /// The memory for the edges between `len` indices, of which there are so many bytes to spare; `None`
    /// if not even the ends of the rows fit.
    pub(crate) fn reserve(len: u64, spare: u64) -> Option<EdgeMemory> {
        let most = len.saturating_mul(MOST_BYTES_A_STATE);
        let least = (Buckets::of(len).count() * Paging::of(len).page_bytes()) as u64;
        let mut wanted = spare.checked_sub(ends_bytes(len))?.min(most.max(4 * least));
        while wanted >= least {
            // More than the machine has may be refused.
            if let Ok(bytes) = Array::zeroed(wanted, "the reverse edges") {
                return Some(EdgeMemory { bytes, len });
            }
            wanted -= wanted.div_ceil(8);
        }
        None
    }

    /// A collector of edges into this memory.
    pub(crate) fn collector(&mut self) -> Collector<'_> {
        let (len, page_bytes) = (self.len, Paging::of(self.len).page_bytes());
        Collector { buckets: Buckets::of(len), pages: PagePool::new(&mut self.bytes, page_bytes) }
    }
}

/// Where edges are collected before they are turned round.
#[derive(Debug)]
pub(crate) struct Collector<'m> {
    buckets: Buckets,
    pages: PagePool<'m>,
}

/// The edges of all states, in buckets.
#[derive(Debug)]
pub(crate) struct Collected<'m> {
    edges: u64,
    /// The parts of each bucket, in the order of the states that the edges come from.
    buckets: Vec<Vec<BucketPart<'m>>>,
}

impl<'m> Collector<'m> {
    /// A writer of the edges that come from these states.
    pub(crate) fn writer(&self, sources: Range<u64>) -> EdgeWriter<'_, 'm> {
        EdgeWriter::new(self.buckets, sources.start, &self.pages)
    }

    /// The edges of all writers, which are given in the order of their states; `None` if there is no
    /// room for them.
    pub(crate) fn collect(&self, writers: Vec<EdgeWriter<'_, 'm>>) -> Option<Collected<'m>> {
        let edges = writers.iter().try_fold(0, |sum, writer| Some(sum + writer.edges()?));
        let mut buckets: Vec<Vec<BucketPart<'m>>> = Vec::new();
        buckets.resize_with(self.buckets.count(), Vec::new);
        for writer in writers {
            buckets
                .iter_mut()
                .zip(writer.into_parts())
                .for_each(|(bucket, part)| bucket.push(part));
        }
        let needed = pages_for(self.buckets.len, edges.unwrap_or(u64::MAX));
        match edges {
            Some(edges) if needed <= self.pages.count() => Some(Collected { edges, buckets }),
            _ => None,
        }
    }

    /// Turns the edges round; `None` if a bucket has 2^32 edges or more, or if there is no room.
    pub(crate) fn turn(
        self,
        Collected { buckets, .. }: Collected<'m>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<ReverseEdges<'m>>, SolveError> {
        let (len, pages) = (self.buckets.len, &self.pages);
        let mut ends: Array<u32> = Array::zeroed(len, "the reverse edges")?;
        let paging = Paging::of(len);
        let bucket_len = 1_usize << self.buckets.bits;
        let tasks: Vec<_> = buckets.into_iter().zip(ends.chunks_mut(bucket_len)).collect();
        let size = if len < BIG { Size::Small } else { Size::Big };
        let rows = pool.run(
            size,
            tasks,
            |done| Progress::Reversing { done, of: len },
            |(parts, ends), token| {
                let targets = ends.len() as u64;
                let rows = turn_bucket(parts, ends, paging, pages);
                // A cancelled run ends in any case.
                let _ = token.done(targets);
                Ok::<_, SolveError>(rows)
            },
        )?;
        let rows: Option<Vec<Rows<'m>>> = rows.into_iter().collect();
        Ok(rows.map(|rows| ReverseEdges { buckets: self.buckets, ends, rows, paging }))
    }
}

impl Collected<'_> {
    /// How many edges there are.
    pub(crate) fn edges(&self) -> u64 {
        self.edges
    }
}

/// Sorts the edges of a bucket by where they lead, and gives their pages back. Puts the end of each
/// row into `ends`. `None` if there are 2^32 edges or more, or if there are not enough pages.
fn turn_bucket<'m>(
    parts: Vec<BucketPart<'m>>,
    ends: &mut [u32],
    paging: Paging,
    pages: &PagePool<'m>,
) -> Option<Rows<'m>> {
    match paging.width {
        4 => turn_links::<4>(parts, ends, paging, pages),
        5 => turn_links::<5>(parts, ends, paging, pages),
        6 => turn_links::<6>(parts, ends, paging, pages),
        _ => turn_links::<8>(parts, ends, paging, pages),
    }
}

/// Turns the edges of a bucket round, whose links have so many bytes.
fn turn_links<'m, const WIDTH: usize>(
    parts: Vec<BucketPart<'m>>,
    ends: &mut [u32],
    paging: Paging,
    pages: &PagePool<'m>,
) -> Option<Rows<'m>> {
    let mut edges = 0_u64;
    for part in &parts {
        part.each(|place, _| {
            ends[place] += 1;
            edges += 1;
        });
    }
    if edges > u64::from(u32::MAX) {
        return None;
    }
    // Each in-degree becomes the start of its row. Filling the row moves that to its end.
    let mut start = 0;
    for end in ends.iter_mut() {
        (*end, start) = (start, start + *end);
    }
    let count = (edges as usize).div_ceil(1 << paging.shift);
    let mut rows: Rows = (0..count).map(|_| pages.take()).collect::<Option<_>>()?;
    for part in parts {
        part.each(|place, back| {
            let (page, within) = paging.place(ends[place] as usize);
            ends[place] += 1;
            rows[page][WIDTH * within..WIDTH * (within + 1)]
                .copy_from_slice(&back.to_le_bytes()[..WIDTH]);
        });
        pages.put_back(part.pages.into_iter().map(|(page, _)| page));
    }
    Some(rows)
}

impl ReverseEdges<'_> {
    /// Visits the links to the states that have a move to the state of `index`.
    #[inline]
    pub(crate) fn predecessors(&self, index: u64, visit: impl FnMut(Link)) {
        let first = index & ((1 << self.buckets.bits) - 1) == 0;
        let end = self.ends[index as usize] as usize;
        let start = if first { 0 } else { self.ends[index as usize - 1] as usize };
        let rows = &self.rows[(index >> self.buckets.bits) as usize];
        if self.paging.width == 4 {
            self.visit_narrow(rows, start..end, visit)
        } else {
            self.visit_wide(rows, start..end, visit)
        }
    }

    /// Visits links of four bytes.
    #[inline(always)]
    fn visit_narrow(&self, rows: &Rows<'_>, links: Range<usize>, mut visit: impl FnMut(Link)) {
        let mut start = links.start;
        while start < links.end {
            let (page, within) = self.paging.place(start);
            let count = (links.end - start).min((1 << self.paging.shift) - within);
            let bytes = &rows[page][4 * within..4 * (within + count)];
            for link in bytes.as_chunks::<4>().0 {
                visit(Link::unpack(u32::from_le_bytes(*link).into()));
            }
            start += count;
        }
    }

    /// Visits links of more bytes.
    #[inline(never)]
    fn visit_wide(&self, rows: &Rows<'_>, links: Range<usize>, mut visit: impl FnMut(Link)) {
        let width = self.paging.width;
        for at in links {
            let (page, within) = self.paging.place(at);
            let mut eight = [0; 8];
            eight[..width].copy_from_slice(&rows[page][width * within..width * (within + 1)]);
            visit(Link::unpack(u64::from_le_bytes(eight)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// Turns the edges of a pattern round, written by several writers, and compares every row.
    fn compare(len: u64, degree: u64, writers: u64, threads: usize) {
        let mut memory = EdgeMemory::reserve(len, 1 << 30).unwrap();
        let collector = memory.collector();
        let target = |source: u64, at: u64| (source * 31 + at * at * 977 + source % 7) % len;
        let mut expected: Vec<Vec<u64>> = vec![Vec::new(); len as usize];
        let mut parts = Vec::new();
        for part in 0..writers {
            let sources = len * part / writers..len * (part + 1) / writers;
            let mut writer = collector.writer(sources.clone());
            for source in sources {
                let links: Vec<Link> = (0..degree)
                    .map(|at| Link {
                        index: target(source, at),
                        same_mover: (source + at) % 3 == 0,
                    })
                    .collect();
                writer.write(source, &links);
                for link in links {
                    let back = Link { index: source, ..link };
                    expected[link.index as usize].push(back.packed());
                }
            }
            parts.push(writer);
        }
        let collected = collector.collect(parts).unwrap();
        assert_eq!(collected.edges(), len * degree);
        let mut ignore = |_| ControlFlow::Continue(());
        let mut pool = WorkerPool::new(threads, &mut ignore);
        let edges = collector.turn(collected, &mut pool).unwrap().unwrap();
        for (index, expected) in expected.iter().enumerate() {
            let mut found = Vec::new();
            edges.predecessors(index as u64, |link| found.push(link.packed()));
            assert_eq!(found, *expected, "{index} of {len}");
        }
    }

    #[test]
    fn rows_have_the_edges_that_were_written() {
        for (len, degree, writers, threads) in
            [(1, 1, 1, 1), (10, 3, 1, 1), (1_000, 9, 4, 2), (200_000, 5, 3, 2), (70_000, 40, 2, 1)]
        {
            compare(len, degree, writers, threads);
        }
    }

    #[test]
    fn links_take_as_many_bytes_as_they_need() {
        for (len, width) in [(1, 4), (1 << 31, 4), ((1 << 31) + 1, 5), (1 << 40, 6), (1 << 50, 8)] {
            assert_eq!(Paging::of(len).width, width, "{len}");
        }
        // Rows of wide links are read as they were written.
        for width in [4, 5, 6, 8] {
            let paging = Paging { width, shift: 10 };
            let mut memory = vec![0; 1 << 20];
            let pages = PagePool::new(&mut memory, paging.page_bytes());
            let buckets = Buckets { len: 100, bits: 16 };
            let mut writer = EdgeWriter::new(buckets, 0, &pages);
            let far = 1 << (8 * width - 2);
            writer.write(3, &[Link { index: 8, same_mover: true }]);
            writer.write(
                far,
                &[Link { index: 8, same_mover: false }, Link { index: 9, same_mover: true }],
            );
            let mut ends: Array<u32> = Array::zeroed(100, "a test").unwrap();
            let parts: Vec<BucketPart> = writer.into_parts().collect();
            let rows = vec![turn_bucket(parts, &mut ends, paging, &pages).unwrap()];
            let edges = ReverseEdges { buckets, ends, rows, paging };
            let mut found = Vec::new();
            edges.predecessors(8, |link| found.push(link.packed()));
            assert_eq!(found, [3 << 1 | 1, far << 1]);
            edges.predecessors(9, |link| assert_eq!(link.packed(), far << 1 | 1));
            edges.predecessors(10, |_| unreachable!("no edge leads there"));
        }
    }

    #[test]
    fn edges_are_given_up_where_there_is_no_room() {
        assert!(EdgeMemory::reserve(1_000, 3_999).is_none());
        assert!(EdgeMemory::reserve(1_000, 4_000 + 4_095).is_none());
        let mut memory = EdgeMemory::reserve(1_000, 4_000 + 2 * 4_096).unwrap();
        let collector = memory.collector();
        let links: Vec<Link> = (0..50).map(|index| Link { index, same_mover: false }).collect();
        let mut writer = collector.writer(0..1_000);
        (0..1_000).for_each(|source| writer.write(source, &links));
        assert!(collector.collect(vec![writer]).is_none());
    }
}
