//! Edges as they are found, in buckets by their targets.
//!
//! Edges into one range of indices are appended to the bucket of this range, in the order of their
//! sources. A bucket stores two numbers of each edge: the place of its target within the range, and
//! the gap to the source of the edge before. The gap takes a variable number of bytes. Most edges
//! of ten million states take 3 bytes.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::solve::graph::links::Link;
use crate::solve::graph::reverse_edges::pages::{Page, PagePool};

/// The most bytes that an edge takes, plus a little room.
const MOST_BYTES: usize = 16;

/// The least and the most bits of the place of a target within its bucket. With the least, the
/// in-degrees and the rows of a bucket stay in the caches while it is reversed.
const LEAST_BITS: u32 = 16;
const MOST_BITS: u32 = 32;

/// More buckets than this do not stay in the caches while they are filled.
const MOST_BUCKETS: u64 = 2048;

/// How indices are divided among buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// The number of indices.
    pub(super) len: u64,
    /// The number of bits of the place of an index within its bucket.
    pub(super) bits: u32,
}

impl Buckets {
    pub(super) fn new(len: u64) -> Buckets {
        let needed = u64::BITS - len.div_ceil(MOST_BUCKETS).saturating_sub(1).leading_zeros();
        Buckets { len, bits: needed.clamp(LEAST_BITS, MOST_BITS) }
    }

    /// The number of buckets.
    pub(super) fn count(self) -> usize {
        self.len.div_ceil(1 << self.bits) as usize
    }

    /// The indices of a bucket.
    pub(super) fn range(self, bucket: usize) -> Range<u64> {
        let start = (bucket as u64) << self.bits;
        start..self.len.min(start + (1 << self.bits))
    }

    /// The size of the place of a target in bytes.
    fn place_bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

/// The room for the edges of one pass, which all writers share.
#[derive(Debug)]
pub(super) struct Space<'m> {
    pub(super) buckets: Buckets,
    pub(super) pages: PagePool<'m>,
    /// The first bucket of this pass.
    pub(super) first: usize,
    /// The end of the buckets that fit.
    pub(super) kept: AtomicUsize,
}

impl Space<'_> {
    /// The buckets of this pass that fit.
    pub(super) fn kept(&self) -> Range<usize> {
        self.first..self.kept.load(Ordering::Relaxed)
    }

    /// Drops some of the last of these buckets, since they do not fit, or the ones that another
    /// thread has dropped. Returns the buckets that are left.
    pub(super) fn drop_some(&self, kept: &Range<usize>) -> Range<usize> {
        let by_others = self.kept.load(Ordering::Relaxed);
        if by_others < kept.end {
            return kept.start..by_others;
        }
        let end = kept.end - kept.len().div_ceil(16);
        self.kept.fetch_min(end, Ordering::Relaxed);
        kept.start..end
    }
}

/// The edges of some states, in buckets.
#[derive(Debug)]
pub(crate) struct EdgeWriter<'p, 'm> {
    space: &'p Space<'m>,
    buckets: Buckets,
    tails: Vec<Bucket<'m>>,
    /// The buckets whose edges are stored.
    kept: Range<usize>,
    /// The first state that edges may come from.
    start: u64,
    edges: u64,
}

/// The edges of one bucket.
#[derive(Debug, Default)]
struct Bucket<'m> {
    /// Full pages, with the number of bytes used.
    full: Vec<(Page<'m>, usize)>,
    page: Page<'m>,
    used: usize,
    /// The source of the last edge.
    last: u64,
}

impl<'p, 'm> EdgeWriter<'p, 'm> {
    /// A writer of edges from the state of index `start` and later states.
    pub(super) fn new(space: &'p Space<'m>, start: u64) -> Self {
        let buckets = space.buckets;
        let tail = || Bucket { last: start, ..Bucket::default() };
        let tails = std::iter::repeat_with(tail).take(buckets.count()).collect();
        EdgeWriter { space, buckets, tails, kept: space.kept(), start, edges: 0 }
    }

    /// Stores the edges from a state to its successors. States come in ascending order.
    #[inline]
    pub(crate) fn write(&mut self, source: u64, links: &[Link]) {
        let place_bytes = self.buckets.place_bytes();
        let mask = (1_u64 << self.buckets.bits) - 1;
        for link in links {
            let bucket = (link.index >> self.buckets.bits) as usize;
            if !self.kept.contains(&bucket) {
                continue;
            }
            let mut tail = &mut self.tails[bucket];
            if tail.used + MOST_BYTES > tail.page.len() {
                if !self.turn_page(bucket) {
                    continue;
                }
                tail = &mut self.tails[bucket];
            }
            let place = link.index & mask;
            let mut gap = (source - tail.last) << 1 | u64::from(link.same_mover);
            tail.last = source;
            let mut at = tail.used;
            tail.used += place_bytes + 1;
            // Most gaps take one byte, so that an edge is one word.
            let word = place | (gap & 0x7f) << (8 * place_bytes);
            if gap < 0x80 {
                tail.page[at..at + 8].copy_from_slice(&word.to_le_bytes());
                continue;
            }
            let more = word | 0x80 << (8 * place_bytes);
            tail.page[at..at + 8].copy_from_slice(&more.to_le_bytes());
            at += place_bytes + 1;
            gap >>= 7;
            while gap >= 0x80 {
                tail.page[at] = gap as u8 | 0x80;
                gap >>= 7;
                at += 1;
            }
            tail.page[at] = gap as u8;
            tail.used = at + 1;
        }
        self.edges += links.len() as u64;
    }

    /// Begins a new page for a bucket. If there is none, drops buckets until there is one. Returns
    /// false if this bucket is dropped, too.
    #[cold]
    #[inline(never)]
    fn turn_page(&mut self, bucket: usize) -> bool {
        loop {
            if !self.kept.contains(&bucket) {
                return false;
            }
            if let Some(page) = self.space.pages.take() {
                self.space.pages.let_go(&self.tails[bucket].page);
                self.tails[bucket].turn_page(page);
                return true;
            }
            let kept = self.space.drop_some(&self.kept);
            for tail in &mut self.tails[kept.end..self.kept.end] {
                let pages = std::mem::take(tail).into_pages();
                self.space.pages.put_back(pages.map(|(page, _)| page));
            }
            self.kept = kept;
        }
    }

    /// The number of edges, stored or not.
    pub(super) fn edges(&self) -> u64 {
        self.edges
    }

    /// The edges of each bucket.
    pub(super) fn into_parts(self) -> impl Iterator<Item = BucketPart<'m>> {
        let (start, place_bytes) = (self.start, self.buckets.place_bytes());
        self.tails.into_iter().map(move |tail| BucketPart {
            pages: tail.into_pages().collect(),
            start,
            place_bytes,
        })
    }
}

impl<'m> Bucket<'m> {
    /// Begins a new page.
    fn turn_page(&mut self, page: Page<'m>) {
        let full = std::mem::replace(&mut self.page, page);
        if !full.is_empty() {
            self.full.push((full, self.used));
        }
        self.used = 0;
    }

    fn into_pages(self) -> impl Iterator<Item = (Page<'m>, usize)> {
        let last = (!self.page.is_empty()).then_some((self.page, self.used));
        self.full.into_iter().chain(last)
    }
}

/// The edges that one writer put into one bucket.
#[derive(Debug)]
pub(super) struct BucketPart<'m> {
    pub(super) pages: Vec<(Page<'m>, usize)>,
    start: u64,
    place_bytes: usize,
}

impl<'m> BucketPart<'m> {
    /// The number of pages.
    pub(super) fn pages(&self) -> u64 {
        self.pages.len() as u64
    }

    /// The pages.
    pub(super) fn into_pages(self) -> impl Iterator<Item = Page<'m>> {
        self.pages.into_iter().map(|(page, _)| page)
    }

    /// Visits the edges in the order in which they were written: the place of the target within the
    /// bucket, and the packed link back.
    #[inline]
    pub(super) fn each(&self, mut visit: impl FnMut(usize, u64)) {
        let place_bits = 8 * self.place_bytes as u32;
        let mask = (1_u64 << place_bits) - 1;
        let mut source = self.start;
        for (page, used) in &self.pages {
            let mut at = 0;
            while at < *used {
                let mut word = [0; 8];
                word.copy_from_slice(&page[at..at + 8]);
                let word = u64::from_le_bytes(word);
                let place = word & mask;
                let mut gap = word >> place_bits & 0x7f;
                let mut more = word >> place_bits & 0x80 != 0;
                at += self.place_bytes + 1;
                let mut shift = 7;
                while more {
                    gap |= u64::from(page[at] & 0x7f) << shift;
                    more = page[at] & 0x80 != 0;
                    at += 1;
                    shift += 7;
                }
                source += gap >> 1;
                visit(place as usize, source << 1 | gap & 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::graph::reverse_edges::EdgeMemory;

    #[test]
    fn buckets_cover_all_indices_and_are_few() {
        for (len, bits) in
            [(1, 16), (1 << 16, 16), (1 << 27, 16), ((1 << 27) + 1, 17), (1 << 40, 29)]
        {
            let buckets = Buckets::new(len);
            assert_eq!(buckets.bits, bits, "{len}");
            assert!(buckets.count() as u64 <= MOST_BUCKETS);
            assert!((len - 1) >> bits < buckets.count() as u64);
        }
    }

    #[test]
    fn what_is_written_is_read_in_its_order() {
        for len in [100_u64, 1 << 17, 1 << 36] {
            let mut memory = EdgeMemory::reserve(len, len, 4 * len + (1 << 28)).unwrap();
            let collector = memory.collector();
            let buckets = Buckets::new(len);
            let mut writer = collector.writer(5..u64::MAX);
            let mut expected = vec![Vec::new(); buckets.count()];
            let mut random = 1_u64;
            let mut source = 5;
            for _ in 0..3_000 {
                let links: Vec<Link> = (0..3)
                    .map(|at| {
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at);
                        Link { index: (random >> 20) % len, same_mover: random >> 63 == 1 }
                    })
                    .collect();
                writer.write(source, &links);
                for link in links {
                    let bucket = (link.index >> buckets.bits) as usize;
                    let place = (link.index & ((1 << buckets.bits) - 1)) as usize;
                    let back = Link { index: source, ..link }.packed();
                    expected[bucket].push((place, back));
                }
                // Gaps of every length.
                source += 1 << ((random >> 58) % 30);
            }
            assert_eq!(writer.edges(), 9_000);
            for (part, expected) in writer.into_parts().zip(expected) {
                let mut found = Vec::new();
                part.each(|place, back| found.push((place, back)));
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_writer_drops_the_last_buckets_where_there_are_too_many_edges() {
        let len = 1 << 17;
        let mut memory = EdgeMemory::reserve(len, len, 4 * len + 4 * (1 << 12)).unwrap();
        let collector = memory.collector();
        let mut writer = collector.writer(0..u64::MAX);
        let to = |index| Link { index, same_mover: false };
        (0..3_000).for_each(|source| writer.write(source, &[to(7), to(len - 7)]));
        assert_eq!((writer.edges(), collector.space.kept()), (6_000, 0..1));
        let parts: Vec<BucketPart> = writer.into_parts().collect();
        let mut found = 0;
        parts[0].each(|place, _| found += u64::from(place == 7));
        assert_eq!((found, parts[1].pages()), (3_000, 0));
    }
}
