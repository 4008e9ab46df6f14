//! Edges in buckets by where they lead, as they are found.
//!
//! Edges that lead into one range of indices are appended to the bucket of that range, in the order of
//! the states that they come from. Of each edge the bucket has the place of its target within the
//! range, and the gap to the source of the edge before, in as few bytes as it needs: 3 bytes for most
//! edges of ten million states.

use crate::solve::graph::positions::Link;
use crate::solve::graph::reverse_edges::pages::{Page, PagePool};

/// The most bytes that an edge takes, and a little room.
const MOST_BYTES: usize = 16;

/// The least and the most bits of the place of a target within its bucket. With the least, the
/// in-degrees and the rows of a bucket stay in the caches while it is turned round.
const LEAST_BITS: u32 = 16;
const MOST_BITS: u32 = 32;

/// More buckets than this do not stay in the caches while they are filled.
const MOST_BUCKETS: u64 = 2048;

/// How indices are divided among buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// How many indices there are.
    pub(super) len: u64,
    /// How many bits the place of an index within its bucket has.
    pub(super) bits: u32,
}

impl Buckets {
    pub(super) fn of(len: u64) -> Buckets {
        let needed = u64::BITS - len.div_ceil(MOST_BUCKETS).saturating_sub(1).leading_zeros();
        Buckets { len, bits: needed.clamp(LEAST_BITS, MOST_BITS) }
    }

    /// How many buckets there are.
    pub(super) fn count(self) -> usize {
        self.len.div_ceil(1 << self.bits) as usize
    }

    /// How many bytes the place of a target takes.
    fn place_bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

/// The edges of some states, in buckets.
#[derive(Debug)]
pub(crate) struct EdgeWriter<'p, 'm> {
    pages: &'p PagePool<'m>,
    buckets: Buckets,
    tails: Vec<Bucket<'m>>,
    /// The first state that edges may come from.
    start: u64,
    edges: u64,
    /// There were too many edges: nothing is stored any more.
    is_full: bool,
}

/// The edges of one bucket.
#[derive(Debug, Default)]
struct Bucket<'m> {
    /// Pages that are full, with the number of bytes in them.
    full: Vec<(Page<'m>, usize)>,
    page: Page<'m>,
    used: usize,
    /// The source of the last edge.
    last: u64,
}

impl<'p, 'm> EdgeWriter<'p, 'm> {
    /// A writer of edges that come from the state of index `start` and later ones.
    pub(super) fn new(buckets: Buckets, start: u64, pages: &'p PagePool<'m>) -> Self {
        let tail = || Bucket { last: start, ..Bucket::default() };
        let tails = std::iter::repeat_with(tail).take(buckets.count()).collect();
        EdgeWriter { pages, buckets, tails, start, edges: 0, is_full: false }
    }

    /// Stores the edges from a state to its successors. States come in ascending order.
    #[inline]
    pub(crate) fn write(&mut self, source: u64, links: &[Link]) {
        if self.is_full {
            return;
        }
        let place_bytes = self.buckets.place_bytes();
        let mask = (1_u64 << self.buckets.bits) - 1;
        for link in links {
            let tail = &mut self.tails[(link.index >> self.buckets.bits) as usize];
            if tail.used + MOST_BYTES > tail.page.len() && !tail.turn_page(self.pages) {
                return self.give_up();
            }
            let bytes = &mut tail.page[tail.used..tail.used + MOST_BYTES];
            let place = (link.index & mask) as u32;
            bytes[..4].copy_from_slice(&place.to_le_bytes());
            let mut gap = (source - tail.last) << 1 | u64::from(link.same_mover);
            tail.last = source;
            let mut at = place_bytes;
            while gap >= 0x80 {
                bytes[at] = gap as u8 | 0x80;
                gap >>= 7;
                at += 1;
            }
            bytes[at] = gap as u8;
            tail.used += at + 1;
        }
        self.edges += links.len() as u64;
    }

    /// Forgets all edges, since there is no room for them.
    #[cold]
    fn give_up(&mut self) {
        self.is_full = true;
        for tail in std::mem::take(&mut self.tails) {
            self.pages.put_back(tail.into_pages().map(|(page, _)| page));
        }
    }

    /// How many edges there are; `None` if there were too many.
    pub(super) fn edges(&self) -> Option<u64> {
        (!self.is_full).then_some(self.edges)
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
    /// Begins a new page; false if there is none left.
    #[cold]
    fn turn_page(&mut self, pages: &PagePool<'m>) -> bool {
        let Some(page) = pages.take() else { return false };
        let full = std::mem::replace(&mut self.page, page);
        if !full.is_empty() {
            self.full.push((full, self.used));
        }
        self.used = 0;
        true
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

impl BucketPart<'_> {
    /// Visits the edges in the order in which they were written: the place of the target within the
    /// bucket, and the packed link back.
    #[inline]
    pub(super) fn each(&self, mut visit: impl FnMut(usize, u64)) {
        let mask = u32::MAX >> (32 - 8 * self.place_bytes as u32);
        let mut source = self.start;
        for (page, used) in &self.pages {
            let mut at = 0;
            while at < *used {
                let mut place = [0; 4];
                place.copy_from_slice(&page[at..at + 4]);
                let place = u32::from_le_bytes(place) & mask;
                at += self.place_bytes;
                let (mut gap, mut shift) = (u64::from(page[at] & 0x7f), 7);
                while page[at] & 0x80 != 0 {
                    at += 1;
                    gap |= u64::from(page[at] & 0x7f) << shift;
                    shift += 7;
                }
                at += 1;
                source += gap >> 1;
                visit(place as usize, source << 1 | gap & 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_all_indices_and_are_few() {
        for (len, bits) in
            [(1, 16), (1 << 16, 16), (1 << 27, 16), ((1 << 27) + 1, 17), (1 << 40, 29)]
        {
            let buckets = Buckets::of(len);
            assert_eq!(buckets.bits, bits, "{len}");
            assert!(buckets.count() as u64 <= MOST_BUCKETS);
            assert!((len - 1) >> bits < buckets.count() as u64);
        }
    }

    #[test]
    fn what_is_written_is_read_in_its_order() {
        for len in [100_u64, 1 << 17, 1 << 36] {
            let mut memory = vec![0; 1 << 24];
            let pages = PagePool::new(&mut memory, 1 << 12);
            let buckets = Buckets::of(len);
            let mut writer = EdgeWriter::new(buckets, 5, &pages);
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
            assert_eq!(writer.edges(), Some(9_000));
            for (part, expected) in writer.into_parts().zip(expected) {
                let mut found = Vec::new();
                part.each(|place, back| found.push((place, back)));
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_writer_gives_up_where_there_are_too_many_edges() {
        let mut memory = vec![0; 2 << 12];
        let pages = PagePool::new(&mut memory, 1 << 12);
        let mut writer = EdgeWriter::new(Buckets::of(100), 0, &pages);
        let link = Link { index: 7, same_mover: false };
        (0..10_000).for_each(|source| writer.write(source, &[link]));
        assert_eq!(writer.edges(), None);
        assert!(pages.take().is_some() && pages.take().is_some() && pages.take().is_none());
    }
}
