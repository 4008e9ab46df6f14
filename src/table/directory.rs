//! Directories: the section of each block of a table, in pages.
//!
//! A formula locates each page, and each page has its own checksum. So a probe reads one page and
//! the page before it, and opening a table reads none.
//!
//! The blocks lie between their directory and the part before it, in the order of the directory. So
//! no two parts share bytes, and the length of a file bounds the time to read it.

use std::ops::Range;

use crate::error::TableError;
use crate::table::cache::PartKind;
use crate::table::frame::{FRAME_BYTES, Frame, Section, Seed};

/// The number of sections on a full page.
pub(crate) const PAGE_SECTIONS: u64 = 256;

/// The length of a full page in bytes.
const PAGE_BYTES: u64 = PAGE_SECTIONS * Section::BYTES as u64 + CHECKSUM_BYTES;

const CHECKSUM_BYTES: u64 = 8;

/// The place of a directory, and the number of its sections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockDirectory {
    /// The kind of its pages.
    pub(crate) pages: PartKind,
    /// The lowest offset of its blocks.
    pub(crate) room: u64,
    pub(crate) offset: u64,
    pub(crate) sections: u64,
}

impl BlockDirectory {
    /// The length of the directory in bytes; `None` if it exceeds 64 bits.
    fn bytes(self) -> Option<u64> {
        let pages = self.sections.div_ceil(PAGE_SECTIONS);
        let sections = self.sections.checked_mul(Section::BYTES as u64)?;
        sections.checked_add(pages.checked_mul(CHECKSUM_BYTES)?)
    }

    /// The bytes of the file that the directory takes; `None` if their end exceeds 64 bits.
    fn range(self) -> Option<Range<u64>> {
        Some(self.offset..self.offset.checked_add(self.bytes()?)?)
    }

    /// The directory, with room for its blocks behind the last of these parts that ends before it.
    fn behind(self, parts: &[Range<u64>]) -> BlockDirectory {
        let ends = parts.iter().map(|part| part.end).filter(|&end| end <= self.offset);
        BlockDirectory { room: ends.max().unwrap_or(0), ..self }
    }

    /// Refuses a page whose sections overlap each other or another part, or are out of order.
    /// `before` is the previous page, if there is one.
    pub(crate) fn check_order(
        self,
        page: u64,
        before: Option<&[u8]>,
        bytes: &[u8],
    ) -> Result<(), String> {
        let last = before.map(|bytes| section(bytes, PAGE_SECTIONS - 1).end());
        let mut end = last.map_or(Some(self.room), |end| end);
        for at in 0..(bytes.len() - CHECKSUM_BYTES as usize) / Section::BYTES {
            let next = section(bytes, at as u64);
            let is_in_order = end.is_some_and(|end| end <= next.offset);
            end = next.end().filter(|&end| is_in_order && end <= self.offset);
            if end.is_none() {
                let block = page * PAGE_SECTIONS + at as u64;
                return Err(format!(
                    "lists {} bytes at {} for block {block}, which overlap another part",
                    next.length, next.offset
                ));
            }
        }
        Ok(())
    }

    /// The offset of a page, and its length in bytes.
    pub(crate) fn page(self, page: u64) -> (u64, usize) {
        let sections = (self.sections - page * PAGE_SECTIONS).min(PAGE_SECTIONS);
        let length = sections as usize * Section::BYTES + CHECKSUM_BYTES as usize;
        (self.offset + page * PAGE_BYTES, length)
    }
}

impl Frame {
    /// The directories of the blocks of values and of states, for these numbers of blocks. Refuses
    /// a file in which they, the header or the dictionary overlap each other or lie outside.
    pub(crate) fn directories(
        &self,
        values: u64,
        states: u64,
    ) -> Result<[BlockDirectory; 2], TableError> {
        let frame: Range<u64> = 0..FRAME_BYTES as u64;
        let mut ranges = Vec::from([frame]);
        for (part, section) in [("the header", self.header), ("the dictionary", self.dictionary)] {
            match section.end() {
                Some(end) if end <= self.file_length => ranges.push(section.offset..end),
                _ => return Err(TableError::malformed(part, "lies outside the file")),
            }
        }
        let directories = [
            (PartKind::ValuePage, self.values, values),
            (PartKind::StatePage, self.states, states),
        ]
        .map(|(pages, offset, sections)| BlockDirectory {
            pages,
            room: 0,
            offset,
            sections,
        });
        for (what, directory) in ["values", "states"].into_iter().zip(directories) {
            match directory.range() {
                Some(range) if range.end <= self.file_length => {
                    ranges.push(range);
                }
                _ => {
                    let problem = format!("of {} blocks lies outside the file", directory.sections);
                    return Err(TableError::malformed(
                        format!("the directory of the {what}"),
                        problem,
                    ));
                }
            }
        }
        ranges.retain(|range| !range.is_empty());
        check_apart(&mut ranges).map_err(|problem| TableError::malformed("the frame", problem))?;
        Ok(directories.map(|directory| directory.behind(&ranges)))
    }
}

/// Refuses overlapping parts of a file.
fn check_apart(parts: &mut [Range<u64>]) -> Result<(), String> {
    parts.sort_unstable_by_key(|part| (part.start, part.end));
    match parts.windows(2).find(|pair| pair[1].start < pair[0].end) {
        Some(pair) => Err(format!("has parts that overlap at byte {}", pair[1].start)),
        None => Ok(()),
    }
}

/// The bytes of a directory of these sections; the directory begins at `offset`.
pub(crate) fn encode(sections: &[Section], offset: u64, seed: Seed) -> Vec<u8> {
    let mut bytes = Vec::new();
    for page in sections.chunks(PAGE_SECTIONS as usize) {
        let start = bytes.len();
        page.iter().for_each(|section| bytes.extend(section.to_bytes()));
        let checksum = seed.checksum(offset + start as u64, &bytes[start..]);
        bytes.extend(checksum.to_le_bytes());
    }
    bytes
}

/// Whether a page has the checksum of its bytes at this offset.
pub(crate) fn is_intact(page: &[u8], offset: u64, seed: Seed) -> bool {
    let Some((sections, checksum)) = page.split_last_chunk::<{ CHECKSUM_BYTES as usize }>() else {
        return false;
    };
    seed.checksum(offset, sections).to_le_bytes() == *checksum
}

/// The section at a place in a page.
#[inline]
pub(crate) fn section(page: &[u8], at: u64) -> Section {
    let start = at as usize * Section::BYTES;
    Section::from_bytes(std::array::from_fn(|byte| page[start + byte]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_found_where_the_formula_says() {
        for sections in [0, 1, 255, 256, 257, 1_000] {
            let listed: Vec<Section> = (0..sections)
                .map(|at| Section { offset: at * 7, length: at + 1, checksum: !at })
                .collect();
            let directory = of(1_000, sections);
            let bytes = encode(&listed, directory.offset, Seed::Table(5));
            assert_eq!(directory.bytes(), Some(bytes.len() as u64));
            for at in 0..sections {
                let (offset, length) = directory.page(at / PAGE_SECTIONS);
                let page = &bytes[(offset - 1_000) as usize..][..length];
                assert!(is_intact(page, offset, Seed::Table(5)));
                assert!(!is_intact(page, offset + 1, Seed::Table(5)));
                assert!(!is_intact(page, offset, Seed::Table(6)));
                assert_eq!(section(page, at % PAGE_SECTIONS), listed[at as usize]);
            }
        }
        assert_eq!(of(0, u64::MAX).bytes(), None);
    }

    fn of(offset: u64, sections: u64) -> BlockDirectory {
        BlockDirectory { pages: PartKind::ValuePage, room: 0, offset, sections }
    }

    #[test]
    fn sections_of_a_page_follow_each_other_and_the_page_before() {
        let directory = of(100_000, 300).behind(&[0..92, 92..120, 200_000..200_001]);
        assert_eq!(directory.room, 120);
        let sections = |change: &dyn Fn(&mut [Section])| {
            let mut all: Vec<Section> = (0..300)
                .map(|at| Section { offset: 120 + 7 * at, length: 7, checksum: at })
                .collect();
            change(&mut all);
            let bytes = encode(&all, directory.offset, Seed::Table(5));
            let (before, page) = bytes.split_at(PAGE_BYTES as usize);
            let first = directory.check_order(0, None, before);
            [first, directory.check_order(1, Some(before), page)].map(|checked| checked.is_ok())
        };
        let moved = |at: usize, offset| move |all: &mut [Section]| all[at].offset = offset;
        let long = |at: usize, length| move |all: &mut [Section]| all[at].length = length;
        assert_eq!(sections(&|_| {}), [true, true]);
        assert_eq!(sections(&moved(0, 119)), [false, true]);
        assert_eq!(sections(&moved(5, 120)), [false, true]);
        assert_eq!(sections(&long(5, 8)), [false, true]);
        assert_eq!(sections(&long(255, 8)), [true, false]);
        assert_eq!(sections(&long(255, u64::MAX)), [false, false]);
        assert_eq!(sections(&moved(256, 120)), [true, false]);
        assert_eq!(sections(&moved(299, 100_000)), [true, false]);
        assert_eq!(sections(&moved(299, u64::MAX)), [true, false]);
        assert_eq!(sections(&moved(299, 99_993)), [true, true]);
        assert!(check_apart(&mut [5..9, 0..5, 9..9]).is_ok());
        assert!(check_apart(&mut [5..9, 0..6]).is_err());
    }
}
