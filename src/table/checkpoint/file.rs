//! The file of a checkpoint: a record, followed by arrays of bytes.
//!
//! ```text
//! byte  0   a mark, 8 bytes; version, u32; the byte order, u32
//! byte 16   length of the record, u64, and its checksum, u64
//! byte 32   the record
//!           pieces of the arrays: length, u32; checksum, u64; that many bytes of zstd
//! ```
//!
//! An array that is made only when it is written has its length, u64, as an array before it.
//! Checksums of pieces have the same seeds as the checksums of a table's parts. The arrays are as
//! they are in memory, so only machines with the same byte order can read the file.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::runtime::codec;
use crate::runtime::codec::LONGEST_RECORD;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::saved_array::{SavedArray, SavedPiece};
use crate::solve::checkpoint::snapshot::Arrays;
use crate::table::frame::Seed;
use crate::table::storage::open_file;
use crate::table::unfinished;
use crate::table::zstd::{bulk, zstd_safe};

/// The end of the names of checkpoints.
pub(crate) const EXTENSION: &str = "checkpoint";

const MARK: [u8; 8] = *b"\x89RTC\r\n\x1a\n";

/// The version of the format. It increases with each change of the saved data.
const VERSION: u32 = 6;

/// Reads as another number on a machine with another byte order.
const ORDER: u32 = 0x0102_0304;

/// The number of bytes of an array that are compressed together.
const PIECE: usize = 1 << 20;

/// The compression level, which is low because a checkpoint is read at most once.
const LEVEL: i32 = 1;

/// Arrays with fewer bytes in total wake no threads.
const BIG: u64 = 4 * PIECE as u64;

/// The number of pieces that each thread compresses before they are written.
const PIECES_A_THREAD: usize = 2;

/// Distinguishes a file from others of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The checksum of the record.
    pub(crate) record: u64,
    /// The checksum of the lengths and checksums of all pieces; `None` if it is not known.
    pub(crate) pieces: Option<u64>,
}

/// Writes a checkpoint, which replaces the existing one. It is synced to disk afterwards.
pub(crate) fn write(
    path: &Path,
    record: &impl Serialize,
    arrays: &[SavedArray<'_>],
    pool: &mut WorkerPool<'_>,
) -> Result<Identity, SolveError> {
    let (folder, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
    let file = unfinished::create(folder, name).map_err(failed(path, "write the file"))?;
    let identity = write_to(path, file.as_file(), record, arrays, pool)?;
    unfinished::persist_on_disk(file, path).map_err(failed(path, "give the file its name"))?;
    Ok(identity)
}

/// Writes a checkpoint to a file. Errors name `path`.
fn write_to(
    path: &Path,
    file: &File,
    record: &impl Serialize,
    arrays: &[SavedArray<'_>],
    pool: &mut WorkerPool<'_>,
) -> Result<Identity, SolveError> {
    let failed = failed(path, "write the file");
    let record =
        codec::encode(record).map_err(|problem| CheckpointError::Unstorable { problem })?;
    let checksum = Seed::Header.checksum(0, &record);
    let mut head = MARK.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend(ORDER.to_ne_bytes());
    head.extend((record.len() as u64).to_le_bytes());
    head.extend(checksum.to_le_bytes());
    head.extend(record);

    let mut writer = BufWriter::new(file);
    writer.write_all(&head).map_err(&failed)?;
    let seed = Seed::Table(checksum);
    let mut offset = head.len() as u64;
    let pieces: Vec<SavedPiece<'_>> = arrays.iter().flat_map(|array| array.pieces(PIECE)).collect();
    let of: u64 = pieces.iter().map(SavedPiece::about).sum();
    let size = if of < BIG { Size::Small } else { Size::Big };
    let mut done = 0;
    let mut heads = Vec::new();
    for pieces in pieces.chunks(pool.threads() * PIECES_A_THREAD) {
        let event = |_| Progress::Checkpointing { done, of };
        let compressed = pool.run(size, pieces.to_vec(), event, |piece, _| compressed(piece))?;
        for compressed in compressed.into_iter().flatten() {
            let compressed = compressed.map_err(&failed)?;
            let start = heads.len();
            heads.extend((compressed.len() as u32).to_le_bytes());
            heads.extend(seed.checksum(offset, &compressed).to_le_bytes());
            writer.write_all(&heads[start..]).map_err(&failed)?;
            writer.write_all(&compressed).map_err(&failed)?;
            offset += PIECE_HEAD as u64 + compressed.len() as u64;
        }
        done += pieces.iter().map(SavedPiece::about).sum::<u64>();
    }
    let file = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(&failed)?;
    Ok(Identity { record: checksum, pieces: Some(seed.checksum(0, &heads)) })
}

/// The compressed pieces of a part of an array, of which one that is made has its length before it.
fn compressed(piece: SavedPiece<'_>) -> Result<Vec<io::Result<Vec<u8>>>, SolveError> {
    let compress = |bytes: &[u8]| bulk::compress(bytes, LEVEL);
    match piece {
        SavedPiece::Bytes(bytes) => Ok(vec![compress(bytes)]),
        SavedPiece::Made { make, .. } => {
            let bytes = make().map_err(|problem| CheckpointError::Unstorable { problem })?;
            let length = (bytes.len() as u64).to_le_bytes();
            Ok([&length[..]].into_iter().chain(bytes.chunks(PIECE)).map(compress).collect())
        }
    }
}

/// Whether the file at a path begins like a checkpoint of any version.
pub(crate) fn is_checkpoint(path: &Path) -> bool {
    let mut beginning = [0; MARK.len()];
    let read = open_file(path).map(|file| file.map(|mut file| file.read_exact(&mut beginning)));
    matches!(read, Ok(Some(Ok(())))) && beginning == MARK
}

/// The length of a piece's head: its length and checksum.
const PIECE_HEAD: usize = 12;

/// A checkpoint that is being read.
pub(crate) struct CheckpointReader {
    path: PathBuf,
    file: BufReader<File>,
    seed: Seed,
    offset: u64,
    length: u64,
    /// The lengths and checksums of the pieces so far, if they will be compared.
    heads: Vec<u8>,
    expected: Option<u64>,
}

impl CheckpointReader {
    /// Opens a checkpoint and reads its record; `None` if there is none.
    pub(crate) fn open<R: DeserializeOwned>(
        path: &Path,
    ) -> Result<Option<(R, CheckpointReader)>, CheckpointError> {
        let foreign = || CheckpointError::Foreign { path: shown(path) };
        let file = match open_file(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(failed(path, "open the file"))?.ok_or_else(foreign)?,
        };
        let length = file.metadata().map_err(failed(path, "look at the file"))?.len();
        let file = BufReader::new(file);
        let (path, seed) = (PathBuf::from(path), Seed::Header);
        let (heads, expected) = (Vec::new(), None);
        let mut reader = CheckpointReader { path, file, seed, offset: 0, length, heads, expected };
        let path = reader.path.clone();
        let foreign = || CheckpointError::Foreign { path: shown(&path) };
        let mut head = [0; 16];
        if length < 32 {
            return Err(foreign());
        }
        reader.read(&mut head)?;
        let expected = [&MARK[..], &VERSION.to_le_bytes(), &ORDER.to_ne_bytes()].concat();
        if head[..] != expected {
            return Err(foreign());
        }
        let (record_length, checksum) = (reader.read_u64()?, reader.read_u64()?);
        if record_length > length.min(LONGEST_RECORD as u64) {
            return Err(reader.malformed("the file is cut short".into()));
        }
        let mut record = vec![0; record_length as usize];
        reader.read(&mut record)?;
        if Seed::Header.checksum(0, &record) != checksum {
            return Err(reader.malformed("the checksum of the record does not match".into()));
        }
        reader.seed = Seed::Table(checksum);
        let decoded = codec::decode(&record)
            .map_err(|problem| reader.malformed(format!("the record {problem}")))?;
        Ok(Some((decoded, reader)))
    }

    /// The identity of the file, as far as it is known before the arrays are read.
    pub(crate) fn identity(&self) -> Identity {
        let record = if let Seed::Table(checksum) = self.seed { checksum } else { 0 };
        Identity { record, pieces: None }
    }

    /// Checks that the file has this identity: the record now, the arrays once all are read.
    pub(crate) fn expect(&mut self, identity: Identity) -> Result<(), CheckpointError> {
        if identity.record != self.identity().record {
            return Err(self.malformed(OF_ANOTHER.into()));
        }
        self.expected = identity.pieces;
        Ok(())
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), CheckpointError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.malformed("the file is cut short".into()),
            _ => failed(&self.path, "read the file")(error),
        })?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn read_u64(&mut self) -> Result<u64, CheckpointError> {
        let mut bytes = [0; 8];
        self.read(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// The problem of a file that is not the listed one.
const OF_ANOTHER: &str = "it is not the one that was saved together with the others";

impl CheckpointReader {
    /// Reads the head of a piece: its length, which is checked to be possible, and its checksum.
    fn head(&mut self) -> Result<(usize, u64), CheckpointError> {
        let start = self.offset;
        let mut length = [0; 4];
        self.read(&mut length)?;
        let checksum = self.read_u64()?;
        if self.expected.is_some() {
            self.heads.extend(length);
            self.heads.extend(checksum.to_le_bytes());
        }
        let length = u32::from_le_bytes(length) as usize;
        match length <= zstd_safe::compress_bound(PIECE) {
            true => Ok((length, checksum)),
            false => Err(self.wrong_checksum(start)),
        }
    }

    fn wrong_checksum(&self, start: u64) -> CheckpointError {
        self.malformed(format!("the checksum of the piece at byte {start} does not match"))
    }

    /// Reads the next piece into `piece`, which has the length of the decompressed piece.
    fn piece(&mut self, piece: &mut [u8]) -> Result<(), CheckpointError> {
        let start = self.offset;
        let (length, checksum) = self.head()?;
        let mut compressed = vec![0; length];
        self.read(&mut compressed)?;
        if self.seed.checksum(start, &compressed) != checksum {
            return Err(self.wrong_checksum(start));
        }
        match bulk::decompress_to_buffer(&compressed, piece) {
            Ok(length) if length == piece.len() => Ok(()),
            _ => Err(self.malformed(format!("the piece at byte {start} can't be decompressed"))),
        }
    }

    /// Skips the next piece.
    fn skip_piece(&mut self) -> Result<(), CheckpointError> {
        let (length, _) = self.head()?;
        let skipped = self.file.seek_relative(length as i64);
        skipped.map_err(failed(&self.path, "read the file"))?;
        self.offset += length as u64;
        match self.offset <= self.length {
            true => Ok(()),
            false => Err(self.malformed("the file is cut short".into())),
        }
    }
}

impl Arrays for CheckpointReader {
    fn fill_from(
        &mut self,
        length: u64,
        start: u64,
        stretch: &mut [u8],
    ) -> Result<(), CheckpointError> {
        let end = start + stretch.len() as u64;
        let mut at = 0;
        while at < length {
            let piece = at..length.min(at + PIECE as u64);
            let wanted = piece.start.max(start)..piece.end.min(end);
            if wanted.is_empty() {
                self.skip_piece()?;
            } else {
                let place = (wanted.start - start) as usize..(wanted.end - start) as usize;
                if wanted == piece {
                    self.piece(&mut stretch[place])?;
                } else {
                    let mut whole = vec![0; (piece.end - piece.start) as usize];
                    self.piece(&mut whole)?;
                    let from = (wanted.start - piece.start) as usize;
                    let length = place.len();
                    stretch[place].copy_from_slice(&whole[from..from + length]);
                }
            }
            at = piece.end;
        }
        Ok(())
    }

    fn check_length(&self, bytes: u64) -> Result<(), CheckpointError> {
        if bytes.div_ceil(PIECE as u64) > self.length / PIECE_HEAD as u64 {
            return Err(self.malformed(format!("it is too short for {bytes} bytes")));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), CheckpointError> {
        let mut more = [0];
        match self.file.read(&mut more).map_err(failed(&self.path, "read the file"))? {
            0 => match self.expected {
                Some(expected) if expected != self.seed.checksum(0, &self.heads) => {
                    Err(self.malformed(OF_ANOTHER.into()))
                }
                _ => Ok(()),
            },
            _ => Err(self.malformed(format!("there is more after byte {}", self.offset))),
        }
    }

    fn malformed(&self, problem: String) -> CheckpointError {
        CheckpointError::Damaged { path: shown(&self.path), problem }
    }
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), CheckpointError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failed(path, "remove the file")(error))
        }
        _ => Ok(()),
    }
}

/// A path as errors show it.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Makes an error from a system error at a path.
pub(super) fn failed(path: &Path, action: &'static str) -> impl Fn(io::Error) -> CheckpointError {
    let path = shown(path);
    move |error| CheckpointError::Io { path: path.clone(), action, error: error.into() }
}
