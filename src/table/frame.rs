//! The frame at the beginning of a file. It distinguishes tables from other files, and intact
//! tables from damaged ones.
//!
//! ```text
//! byte  0   the mark, 8 bytes
//! byte  8   format version, u32
//! byte 12   length of the file, u64
//! byte 20   section of the header
//! byte 44   section of the dictionary; all zeros where there is none
//! byte 68   where the directory of the values begins, u64
//! byte 76   where the directory of the states begins, u64; 0 where there is none
//! byte 84   checksum of bytes 0..84, u64
//! byte 92   the header, and the other parts in any order
//! ```
//!
//! A section is its offset, its length and the checksum of its bytes, each u64. Numbers are
//! little-endian. Checksums are XXH3 with 64 bits. The checksums of the frame and of the header
//! have the seed 0. The seed of every other checksum is the header's checksum plus the part's
//! offset. So a part of another table, or from another place, does not pass. The mark and the
//! version stay where they are in every future version. `docs/FORMAT.md` describes the whole
//! format.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::error::TableError;
use crate::runtime::codec;

/// The newest version of the format that is read. Tables without points are written in version 1.
pub(crate) const FORMAT_VERSION: u32 = 2;

/// The first version in which the header says something about points.
const VERSION_WITH_POINTS: u32 = 2;

/// The first bytes of every tablebase. The first byte is not ASCII, and copying the file as text
/// breaks the line ends.
const MARK: [u8; 8] = *b"\x89RTB\r\n\x1a\n";

/// Whether a file that begins with these bytes is a tablebase, damaged or not.
pub(crate) fn has_mark(beginning: &[u8]) -> bool {
    beginning.starts_with(&MARK)
}

/// The length of the mark in bytes.
pub(crate) const MARK_BYTES: usize = MARK.len();

/// The length of the frame in bytes.
pub(crate) const FRAME_BYTES: usize = 92;

const CHECKED_BYTES: usize = FRAME_BYTES - 8;

/// The place of a part in a file, and the checksum of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) checksum: u64,
}

impl Section {
    /// The length of a section in the frame or in a directory, in bytes.
    pub(crate) const BYTES: usize = 24;

    /// The section of a part that is missing in the file.
    pub(crate) const NONE: Section = Section { offset: 0, length: 0, checksum: 0 };

    /// The section of `bytes` at `offset`.
    pub(crate) fn new(offset: u64, bytes: &[u8], seed: Seed) -> Section {
        Section { offset, length: bytes.len() as u64, checksum: seed.checksum(offset, bytes) }
    }

    pub(crate) fn to_bytes(self) -> [u8; Section::BYTES] {
        let mut bytes = [0; Section::BYTES];
        let fields = [self.offset, self.length, self.checksum];
        for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: [u8; Section::BYTES]) -> Section {
        let field = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        Section { offset: field(0), length: field(8), checksum: field(16) }
    }

    /// Whether these are the bytes that were written.
    pub(crate) fn is_intact(self, bytes: &[u8], seed: Seed) -> bool {
        bytes.len() as u64 == self.length && seed.checksum(self.offset, bytes) == self.checksum
    }

    /// The offset behind the section; `None` if it exceeds 64 bits.
    pub(crate) fn end(self) -> Option<u64> {
        self.offset.checked_add(self.length)
    }
}

/// The fields of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    version: u32,
    pub(crate) file_length: u64,
    pub(crate) header: Section,
    /// The dictionary of the compressor, if there is one: see [`values`](super::values).
    pub(crate) dictionary: Section,
    /// The offset of the directory of the values.
    pub(crate) values: u64,
    /// The offset of the directory of the states; 0 if there is none.
    pub(crate) states: u64,
}

impl Frame {
    pub(crate) fn new(
        file_length: u64,
        header: Section,
        dictionary: Section,
        has_points: bool,
    ) -> Frame {
        let version = if has_points { VERSION_WITH_POINTS } else { 1 };
        Frame { version, file_length, header, dictionary, values: 0, states: 0 }
    }

    /// Whether the header says something about points.
    pub(crate) fn has_points(&self) -> bool {
        self.version >= VERSION_WITH_POINTS
    }

    /// The first bytes of the file.
    pub(crate) fn to_bytes(self) -> Result<Vec<u8>, String> {
        let mut bytes = MARK.to_vec();
        bytes.extend(codec::encode(&self)?);
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the frame from the first bytes of a file of `found` bytes: the first [`FRAME_BYTES`],
    /// or the whole file if it is shorter.
    pub(crate) fn from_bytes(bytes: &[u8], found: u64) -> Result<Frame, TableError> {
        let known = bytes.len().min(MARK.len());
        if bytes[..known] != MARK[..known] {
            return Err(TableError::NotATablebase);
        }
        // A newer format may have a longer or shorter frame, so its version is checked first.
        if let Ok((version, _)) = codec::decode_prefix::<u32>(&bytes[known..])
            && version > FORMAT_VERSION
        {
            return Err(TableError::NewerVersion { found: version, known: FORMAT_VERSION });
        }
        if bytes.len() < FRAME_BYTES {
            return Err(TableError::Truncated { expected: FRAME_BYTES as u64, found });
        }
        let (checked, stored) = bytes.split_at(CHECKED_BYTES);
        if checksum(checked).to_le_bytes() != *stored {
            return Err(TableError::Damaged { part: "the frame".into(), offset: 0 });
        }
        let frame: Frame = codec::decode(&checked[MARK.len()..])
            .map_err(|problem| TableError::malformed("the frame", problem))?;
        match found {
            _ if frame.version == 0 => Err(TableError::malformed("the frame", "has version 0")),
            found if found < frame.file_length => {
                Err(TableError::Truncated { expected: frame.file_length, found })
            }
            found if found > frame.file_length => {
                Err(TableError::Overlong { expected: frame.file_length, found })
            }
            _ => Ok(frame),
        }
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// The seed of a checksum.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seed {
    /// The seed 0, for the header.
    Header,
    /// The seed for another part: the checksum of the table's header, plus the part's offset.
    Table(u64),
}

impl Seed {
    /// The checksum of these bytes at this offset.
    pub(crate) fn checksum(self, offset: u64, bytes: &[u8]) -> u64 {
        match self {
            Seed::Header => checksum(bytes),
            Seed::Table(table) => XxHash3_64::oneshot_with_seed(table.wrapping_add(offset), bytes),
        }
    }
}
