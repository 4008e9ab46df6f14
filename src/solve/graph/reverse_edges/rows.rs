//! The rows of a bucket: for each of its targets, the links back to the states with a move to it.

use std::ops::Range;

use smallvec::SmallVec;

use crate::solve::graph::links::Link;
use crate::solve::graph::reverse_edges::buckets::BucketPart;
use crate::solve::graph::reverse_edges::pages::{Page, PagePool};

/// How rows are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Each link takes `width` bytes. Fastest to read.
    Fixed { width: usize },
    /// Each link is the gap to the one before, in as few bytes as the gap needs. The first is the
    /// gap to the target.
    Gaps,
}

/// The code of rows, and the size of the pages that hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) code: Code,
    /// The binary logarithm of a page's capacity: in links of a fixed width, or in bytes.
    shift: u32,
}

/// The rows of a bucket: each page is full except the last.
pub(super) type Rows<'m> = Vec<Page<'m>>;

/// With fewer indices than this, pages are small.
const FEW: u64 = 1 << 20;

impl Layout {
    /// Links of a fixed width between `len` indices.
    pub(super) fn fixed(len: u64) -> Layout {
        let greatest = len.saturating_mul(2).saturating_sub(1);
        let bytes = (u64::BITS - greatest.leading_zeros()).div_ceil(8) as usize;
        let width = if bytes > 6 { 8 } else { bytes.max(4) };
        Layout { code: Code::Fixed { width }, shift: if len < FEW { 10 } else { 14 } }
    }

    /// Gaps, in pages of the same size. A part of each page stays empty if its size is no power of
    /// two.
    pub(super) fn gaps(len: u64) -> Layout {
        Layout { code: Code::Gaps, shift: page_bytes(len).ilog2() }
    }

    /// The pages that this number of links of a fixed width, or of bytes of gaps, takes.
    pub(super) fn pages(self, units: u64) -> u64 {
        units.div_ceil(1 << self.shift)
    }

    /// The page of a link or byte, and its place in that page.
    #[inline(always)]
    fn place(self, unit: usize) -> (usize, usize) {
        (unit >> self.shift, unit & ((1 << self.shift) - 1))
    }
}

/// The size of a page in bytes, for `len` indices.
pub(super) fn page_bytes(len: u64) -> usize {
    let Layout { code: Code::Fixed { width }, shift } = Layout::fixed(len) else { return 1 };
    width << shift
}

/// Sorts the edges of a bucket by their targets, and gives their pages back. Puts the end of each
/// row into `ends`, in links or bytes. `first` is the index of the first target. `None` if the rows
/// are too long, or if there are not enough pages.
pub(super) fn turn<'m>(
    parts: Vec<BucketPart<'m>>,
    first: u64,
    ends: &mut [u32],
    layout: Layout,
    pages: &PagePool<'m>,
) -> Option<Rows<'m>> {
    match layout.code {
        Code::Gaps => turn_gaps(parts, first, ends, layout, pages),
        Code::Fixed { width: 4 } => turn_links::<4>(parts, ends, layout, pages),
        Code::Fixed { width: 5 } => turn_links::<5>(parts, ends, layout, pages),
        Code::Fixed { width: 6 } => turn_links::<6>(parts, ends, layout, pages),
        Code::Fixed { .. } => turn_links::<8>(parts, ends, layout, pages),
    }
}

/// Replaces the length of each row by its start. Filling the row moves the start to the end.
/// Returns the total length.
fn starts(ends: &mut [u32]) -> u32 {
    let mut start = 0;
    for end in ends.iter_mut() {
        (*end, start) = (start, start + *end);
    }
    start
}

/// Reverses the edges of a bucket, as links of `WIDTH` bytes.
fn turn_links<'m, const WIDTH: usize>(
    parts: Vec<BucketPart<'m>>,
    ends: &mut [u32],
    layout: Layout,
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
    let count = layout.pages(starts(ends).into());
    let mut rows: Rows = (0..count).map(|_| pages.take()).collect::<Option<_>>()?;
    for part in parts {
        part.each(|place, back| {
            let (page, within) = layout.place(ends[place] as usize);
            ends[place] += 1;
            rows[page][WIDTH * within..WIDTH * (within + 1)]
                .copy_from_slice(&back.to_le_bytes()[..WIDTH]);
        });
        pages.put_back(part.pages.into_iter().map(|(page, _)| page));
    }
    Some(rows)
}

/// The links back to the targets of a bucket, as gaps: for each target the source of the last link.
struct Gaps {
    first: u64,
    last: Vec<u64>,
}

/// A target without a link so far.
const NONE: u64 = u64::MAX;

impl Gaps {
    fn new(first: u64, targets: usize) -> Gaps {
        Gaps { first, last: vec![NONE; targets] }
    }

    /// The code of the next link of a target.
    #[inline]
    fn code(&mut self, place: usize, back: u64) -> u64 {
        let source = back >> 1;
        let last = std::mem::replace(&mut self.last[place], source);
        let gap = if last == NONE {
            let gap = source.wrapping_sub(self.first + place as u64) as i64;
            (gap << 1 ^ gap >> 63) as u64
        } else {
            source - last
        };
        gap << 1 | back & 1
    }
}

/// The size of a code in bytes, with seven bits in each.
#[inline]
fn code_bytes(code: u64) -> u32 {
    (u64::BITS - (code | 1).leading_zeros()).div_ceil(7)
}

/// The size in bytes of the rows of a bucket as gaps, and the number of its edges.
pub(super) fn gap_bytes(parts: &[BucketPart<'_>], first: u64, targets: usize) -> (u64, u64) {
    let mut gaps = Gaps::new(first, targets);
    let (mut bytes, mut edges) = (0, 0);
    for part in parts {
        part.each(|place, back| {
            bytes += u64::from(code_bytes(gaps.code(place, back)));
            edges += 1;
        });
    }
    (bytes, edges)
}

/// Reverses the edges of a bucket, as gaps.
fn turn_gaps<'m>(
    parts: Vec<BucketPart<'m>>,
    first: u64,
    ends: &mut [u32],
    layout: Layout,
    pages: &PagePool<'m>,
) -> Option<Rows<'m>> {
    let mut bytes = 0;
    let mut gaps = Gaps::new(first, ends.len());
    for part in &parts {
        part.each(|place, back| {
            let length = code_bytes(gaps.code(place, back));
            // The check below finds an overflow.
            ends[place] = ends[place].wrapping_add(length);
            bytes += u64::from(length);
        });
    }
    if bytes > u64::from(u32::MAX) {
        return None;
    }
    let count = layout.pages(starts(ends).into());
    let mut rows: Rows = (0..count).map(|_| pages.take()).collect::<Option<_>>()?;
    gaps = Gaps::new(first, ends.len());
    for part in parts {
        part.each(|place, back| {
            let mut code = gaps.code(place, back);
            loop {
                let (page, within) = layout.place(ends[place] as usize);
                ends[place] += 1;
                if code < 0x80 {
                    rows[page][within] = code as u8;
                    break;
                }
                rows[page][within] = code as u8 | 0x80;
                code >>= 7;
            }
        });
        pages.put_back(part.pages.into_iter().map(|(page, _)| page));
    }
    Some(rows)
}

/// Visits the links of a row: `units` are its links or bytes in the bucket's rows.
#[inline]
pub(super) fn visit(
    rows: &Rows<'_>,
    layout: Layout,
    target: u64,
    units: Range<usize>,
    visit: impl FnMut(Link),
) {
    match layout.code {
        Code::Fixed { width: 4 } => visit_narrow(rows, layout, units, visit),
        Code::Fixed { width } => visit_wide(rows, layout, width, units, visit),
        Code::Gaps => visit_gaps(rows, layout, target, units, visit),
    }
}

/// Visits links of four bytes.
#[inline(always)]
fn visit_narrow(rows: &Rows<'_>, layout: Layout, links: Range<usize>, mut visit: impl FnMut(Link)) {
    let mut start = links.start;
    while start < links.end {
        let (page, within) = layout.place(start);
        let count = (links.end - start).min((1 << layout.shift) - within);
        let bytes = &rows[page][4 * within..4 * (within + count)];
        for link in bytes.as_chunks::<4>().0 {
            visit(Link::unpack(u32::from_le_bytes(*link).into()));
        }
        start += count;
    }
}

/// Visits wider links.
#[inline(never)]
fn visit_wide(
    rows: &Rows<'_>,
    layout: Layout,
    width: usize,
    links: Range<usize>,
    mut visit: impl FnMut(Link),
) {
    for at in links {
        let (page, within) = layout.place(at);
        let mut eight = [0; 8];
        eight[..width].copy_from_slice(&rows[page][width * within..width * (within + 1)]);
        visit(Link::unpack(u64::from_le_bytes(eight)));
    }
}

/// The bytes of a row that crosses pages.
#[inline(never)]
fn join(rows: &Rows<'_>, layout: Layout, bytes: Range<usize>) -> SmallVec<[u8; 64]> {
    let byte = |at| {
        let (page, within) = layout.place(at);
        rows[page][within]
    };
    bytes.map(byte).collect()
}

/// Visits links stored as gaps.
#[inline(always)]
fn visit_gaps(
    rows: &Rows<'_>,
    layout: Layout,
    target: u64,
    bytes: Range<usize>,
    mut visit: impl FnMut(Link),
) {
    let (page, within) = layout.place(bytes.start);
    let joined;
    let row = if within + bytes.len() <= 1 << layout.shift {
        rows.get(page).map_or(&[][..], |page| &page[within..within + bytes.len()])
    } else {
        joined = join(rows, layout, bytes);
        &joined[..]
    };
    let mut row = row.iter();
    let mut next = || {
        let mut byte = *row.next()?;
        let (mut code, mut shift) = (u64::from(byte & 0x7f), 7);
        while byte & 0x80 != 0 {
            byte = *row.next()?;
            code |= u64::from(byte & 0x7f) << shift;
            shift += 7;
        }
        Some((code >> 1, code & 1 == 1))
    };
    let Some((gap, same_mover)) = next() else { return };
    let mut index = target.wrapping_add((gap >> 1) ^ (gap & 1).wrapping_neg());
    visit(Link { index, same_mover });
    while let Some((gap, same_mover)) = next() {
        index += gap;
        visit(Link { index, same_mover });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_take_as_many_bytes_as_they_need() {
        for (len, width) in [(1, 4), (1 << 31, 4), ((1 << 31) + 1, 5), (1 << 40, 6), (1 << 50, 8)] {
            assert_eq!(Layout::fixed(len).code, Code::Fixed { width }, "{len}");
            assert!(1 << Layout::gaps(len).shift <= page_bytes(len), "{len}");
        }
    }

    #[test]
    fn a_code_takes_seven_bits_a_byte() {
        for (code, bytes) in [(0, 1), (1, 1), (127, 1), (128, 2), (1 << 14, 3), (u64::MAX, 10)] {
            assert_eq!(code_bytes(code), bytes, "{code}");
        }
    }
}
