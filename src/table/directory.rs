//! Directories: the section of each block of a table, in pages.
//!
//! A formula says where each page is, and each has a checksum of its own. So a probe reads one page, and
//! opening a table reads none.

use crate::table::frame::{Section, Seed};

/// How many sections a page lists.
pub(crate) const PAGE_SECTIONS: u64 = 256;

/// How many bytes a full page takes.
const PAGE_BYTES: u64 = PAGE_SECTIONS * Section::BYTES as u64 + CHECKSUM_BYTES;

const CHECKSUM_BYTES: u64 = 8;

/// Where a directory begins, and how many sections it lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockDirectory {
    pub(crate) offset: u64,
    pub(crate) sections: u64,
}

impl BlockDirectory {
    /// How many bytes the directory takes; `None` where that is more than 64 bits can count.
    pub(crate) fn bytes(self) -> Option<u64> {
        let pages = self.sections.div_ceil(PAGE_SECTIONS);
        let sections = self.sections.checked_mul(Section::BYTES as u64)?;
        sections.checked_add(pages.checked_mul(CHECKSUM_BYTES)?)
    }

    /// The offset of a page, and its length in bytes.
    pub(crate) fn page(self, page: u64) -> (u64, usize) {
        let sections = (self.sections - page * PAGE_SECTIONS).min(PAGE_SECTIONS);
        let length = sections as usize * Section::BYTES + CHECKSUM_BYTES as usize;
        (self.offset + page * PAGE_BYTES, length)
    }
}

/// The bytes of a directory of these sections that begins at `offset`.
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

/// Whether a page has the bytes that were written at this offset.
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
            let directory = BlockDirectory { offset: 1_000, sections };
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
        assert_eq!(BlockDirectory { offset: 0, sections: u64::MAX }.bytes(), None);
    }
}
