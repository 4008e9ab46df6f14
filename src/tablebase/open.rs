//! Opening a table, and reading its parts with every check.

use std::fs::File;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;
use serde::de::DeserializeOwned;

use super::Stored;
use super::codec;
use super::error::TableError;
use super::frame::{FRAME_BYTES, Frame, Section, is_intact};
use super::prober::values_part;
use super::records::{BLOCK_STATES, Directory, Header, StateSection};
use super::storage::Storage;

/// How many blocks are kept once read.
const KEPT_BLOCKS: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// An open tablebase. To ask it about states, give it its game: [`dense`](Tablebase::dense) or
/// [`explored`](Tablebase::explored).
///
/// It can be shared between threads.
#[derive(Debug)]
pub struct Tablebase<S = File> {
    reader: Reader<S>,
    header: Header,
    directory: Directory,
    /// The last blocks of states read, by their offset. Their checksums matched.
    kept: Mutex<LruCache<u64, Arc<[u8]>>>,
    /// The values of the last blocks read, by block.
    kept_values: Mutex<LruCache<usize, Arc<[u16]>>>,
}

/// The bytes of a table, read a section at a time.
#[derive(Debug)]
struct Reader<S> {
    storage: S,
    file_length: u64,
}

impl Tablebase {
    /// Opens the table in the file at `path`.
    ///
    /// # Errors
    /// When the file can't be read, is no table, is of a newer format, truncated, or damaged in
    /// one of the parts that opening reads: the frame, the header and the directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TableError> {
        let failed = TableError::io("open the file");
        let file = File::open(path).map_err(&failed)?;
        if !file.metadata().map_err(&failed)?.is_file() {
            return Err(TableError::NotAFile);
        }
        Tablebase::from_storage(file)
    }
}

impl<S: Storage> Tablebase<S> {
    /// Opens the table in these bytes.
    ///
    /// # Errors
    /// As [`open`](Tablebase::open).
    pub fn from_storage(storage: S) -> Result<Tablebase<S>, TableError> {
        let found = storage.length().map_err(TableError::io("tell the file's length"))?;
        let mut beginning = vec![0; found.min(FRAME_BYTES as u64) as usize];
        storage.read_at(0, &mut beginning).map_err(TableError::io("read the frame"))?;
        let frame = Frame::from_bytes(&beginning, found)?;
        let reader = Reader { storage, file_length: frame.file_length };
        let header: Header = reader.record(frame.header, "the header")?;
        let directory: Directory = reader.record(frame.directory, "the directory")?;
        let kept = Mutex::new(LruCache::new(KEPT_BLOCKS));
        let kept_values = Mutex::new(LruCache::new(KEPT_BLOCKS));
        let table = Tablebase { reader, header, directory, kept, kept_values };
        table.check_directory()?;
        Ok(table)
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The game that the table is of, made from the parameters in the header.
    ///
    /// # Errors
    /// When the header names another game, or the parameters are not such as `G` takes.
    pub fn game<G: Stored>(&self) -> Result<G, TableError> {
        let Header { game, parameters, .. } = &self.header;
        if game != G::NAME {
            let (found, asked) = (game.clone(), G::NAME.to_owned());
            return Err(TableError::OtherGame { found, asked });
        }
        serde_json::from_str(parameters)
            .map_err(|error| TableError::malformed("the game's parameters:", error))
    }

    /// How long the file is, in bytes.
    pub fn file_length(&self) -> u64 {
        self.reader.file_length
    }

    pub(super) fn value_sections(&self) -> &[Section] {
        &self.directory.values
    }

    pub(super) fn state_sections(&self) -> &[StateSection] {
        &self.directory.states
    }

    /// Whether there are as many blocks as the numbering needs.
    fn check_directory(&self) -> Result<(), TableError> {
        use crate::numbering::NumberingKind::{Dense, Explored, Packed8, Packed16, Tier};
        let blocks = self.header.len.div_ceil(BLOCK_STATES);
        let of_states = match self.header.numbering {
            Dense | Tier(_) => 0,
            Explored | Packed8 | Packed16 => blocks,
        };
        let Directory { values, states } = &self.directory;
        if (values.len() as u64, states.len() as u64) == (blocks, of_states) {
            return Ok(());
        }
        let problem = format!(
            "has {} blocks of values and {} of states, where {blocks} and {of_states} were expected",
            values.len(),
            states.len(),
        );
        Err(TableError::malformed("the directory", problem))
    }

    /// How many states block number `block` has.
    pub(super) fn block_len(&self, block: usize) -> usize {
        let before = block as u64 * BLOCK_STATES;
        self.header.len.saturating_sub(before).min(BLOCK_STATES) as usize
    }

    /// The bytes of a section, read anew and checked.
    pub(super) fn read(&self, section: Section, part: &str) -> Result<Vec<u8>, TableError> {
        self.reader.read(section, part)
    }

    /// The values of a block, checked, from among those kept if they are.
    pub(super) fn kept_values(&self, block: usize) -> Result<Arc<[u16]>, TableError> {
        let kept = || self.kept_values.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(values) = kept().get(&block) {
            return Ok(Arc::clone(values));
        }
        let bytes = self.read(self.value_sections()[block], &values_part(block))?;
        let values: Arc<[u16]> = self.values_of(block, &bytes)?.into();
        kept().put(block, Arc::clone(&values));
        Ok(values)
    }

    /// The bytes of a section, checked, from among those kept if they are.
    pub(super) fn read_kept(&self, section: Section, part: &str) -> Result<Arc<[u8]>, TableError> {
        // A panic elsewhere can't leave the kept blocks half-changed, so a poisoned lock is fine.
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = kept().get(&section.offset) {
            return Ok(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = self.read(section, part)?.into();
        kept().put(section.offset, Arc::clone(&bytes));
        Ok(bytes)
    }
}

impl<S: Storage> Reader<S> {
    /// The bytes of a section, read anew and checked.
    fn read(&self, section: Section, part: &str) -> Result<Vec<u8>, TableError> {
        let offset = section.offset;
        if section.end().is_none_or(|end| end > self.file_length) {
            return Err(TableError::malformed(part, "lies outside the file"));
        }
        let mut bytes = Vec::new();
        let length = usize::try_from(section.length).unwrap_or(usize::MAX);
        bytes
            .try_reserve_exact(length)
            .map_err(|_| TableError::OutOfMemory { bytes: section.length })?;
        bytes.resize(length, 0);
        self.storage.read_at(offset, &mut bytes).map_err(TableError::io("read the table"))?;
        if !is_intact(section, &bytes) {
            return Err(TableError::Damaged { part: part.into(), offset });
        }
        Ok(bytes)
    }

    /// The record in a section.
    fn record<T: DeserializeOwned>(&self, section: Section, part: &str) -> Result<T, TableError> {
        let bytes = self.read(section, part)?;
        codec::decode(&bytes).map_err(|problem| TableError::malformed(part, problem))
    }
}
