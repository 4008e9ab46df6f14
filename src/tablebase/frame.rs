//! The frame around the records: what tells a tablebase from any other file, and an intact one
//! from a damaged one.
//!
//! ```text
//! byte  0   the mark, 8 bytes
//! byte  8   format version, u32           \
//! byte 12   length of the file, u64        |  the record `Frame`: 60 bytes
//! byte 20   section of the header          |
//! byte 44   section of the directory      /
//! byte 68   checksum of bytes 0..68, u64
//! byte 76   the header
//!           the blocks of values, and in explored tables the blocks of states
//!           the directory: where each block lies
//! ```
//!
//! A section is its offset, its length and the checksum of its bytes, each u64. Numbers are
//! little-endian; checksums are XXH3 with 64 bits. The mark and the version stay where they are in
//! every future version.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::codec;
use super::error::TableError;

/// The version of the format that is written, and the newest that is read.
pub(super) const FORMAT_VERSION: u32 = 1;

/// The first bytes of every tablebase. The first is no ASCII, and the line ends break when the
/// file is copied as text.
const MARK: [u8; 8] = *b"\x89RTB\r\n\x1a\n";

/// How many bytes the frame takes at the beginning of a file.
pub(super) const FRAME_BYTES: usize = 76;

const CHECKED_BYTES: usize = FRAME_BYTES - 8;

/// Where a record lies, and the checksum of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: u64,
}

impl Section {
    /// The section of `bytes` at `offset`.
    pub(super) fn of(offset: u64, bytes: &[u8]) -> Section {
        Section { offset, length: bytes.len() as u64, checksum: checksum(bytes) }
    }

    /// Where the section ends, if that can be.
    pub(super) fn end(self) -> Option<u64> {
        self.offset.checked_add(self.length)
    }
}

/// What the frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Frame {
    version: u32,
    pub(super) file_length: u64,
    pub(super) header: Section,
    pub(super) directory: Section,
}

impl Frame {
    pub(super) fn new(file_length: u64, header: Section, directory: Section) -> Frame {
        Frame { version: FORMAT_VERSION, file_length, header, directory }
    }

    /// The bytes that stand at the beginning of the file.
    pub(super) fn to_bytes(self) -> Result<Vec<u8>, String> {
        let mut bytes = MARK.to_vec();
        bytes.extend(codec::encode(&self)?);
        bytes.extend(checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the frame from the first bytes of a file of `found` bytes: [`FRAME_BYTES`] of them, or
    /// all there are.
    pub(super) fn from_bytes(bytes: &[u8], found: u64) -> Result<Frame, TableError> {
        let known = bytes.len().min(MARK.len());
        if bytes[..known] != MARK[..known] {
            return Err(TableError::NotATablebase);
        }
        // A newer format may have a longer or shorter frame, so its version is looked at first.
        if let Ok((version, _)) = codec::decode_prefix::<u32>(&bytes[known..])
            && version > FORMAT_VERSION
        {
            return Err(TableError::NewerVersion { found: version });
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

/// Whether these are the bytes that the section was written with.
pub(super) fn is_intact(section: Section, bytes: &[u8]) -> bool {
    bytes.len() as u64 == section.length && checksum(bytes) == section.checksum
}
