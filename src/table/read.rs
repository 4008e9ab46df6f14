//! Reading the parts of a table, with every check.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::table::zstd::bulk::Decompressor;
use crate::table::zstd::dict::DecoderDictionary;

use crate::error::TableError;
use crate::game::value::Scale;
use crate::table::cache::{Cache, CacheKey, Cached, PartKind};
use crate::table::directory;
use crate::table::directory::{BlockDirectory, PAGE_SECTIONS};
use crate::table::frame::{Frame, Section, Seed};
use crate::table::packing;
use crate::table::records::BlockFormat;
use crate::table::states;
use crate::table::storage::Storage;
use crate::table::values::{Decoder, LONGEST_DICTIONARY, Values};

/// How the file of a table is laid out, as its frame and its header say.
#[derive(Debug)]
pub(crate) struct FileLayout {
    /// The number of indices.
    pub(crate) len: u64,
    pub(crate) format: BlockFormat,
    /// How values are packed, in a table of outcomes only; `None` if values have distances.
    pub(crate) outcomes: Option<Scale>,
    pub(crate) values: BlockDirectory,
    pub(crate) states: BlockDirectory,
    /// The number of states on each level, from the states themselves up. Empty if the table lists
    /// no states.
    pub(crate) levels: Vec<u64>,
}

/// The bytes of a table, read part by part.
#[derive(Debug)]
pub(crate) struct TableReader<S> {
    storage: S,
    frame: Frame,
    layout: FileLayout,
    dictionary: OnceLock<LoadedDictionary>,
    cache: Arc<Cache>,
    /// The number of the file among the files that share the cache.
    number: u32,
    /// A bit for each block of values, set once it is known to be intact and readable in place.
    in_place: Vec<AtomicU64>,
}

/// The dictionary of a table, ready for decoders.
struct LoadedDictionary(DecoderDictionary<'static>);

impl fmt::Debug for LoadedDictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("LoadedDictionary")
    }
}

impl<S: Storage> TableReader<S> {
    /// A reader with the frame only, enough to read the header.
    pub(crate) fn new(storage: S, frame: Frame) -> TableReader<S> {
        let format =
            BlockFormat { palette: Vec::new(), filled: false, block_values: 1, block_states: 1 };
        let none = |pages| BlockDirectory { pages, room: 0, offset: 0, sections: 0 };
        let (values, states) = (none(PartKind::ValuePage), none(PartKind::StatePage));
        let (outcomes, levels) = (None, Vec::new());
        let layout = FileLayout { len: 0, format, outcomes, values, states, levels };
        let (dictionary, cache, number) = (OnceLock::new(), Arc::new(Cache::new(0)), 0);
        TableReader { storage, frame, layout, dictionary, cache, number, in_place: Vec::new() }
    }

    /// Sets the layout, once the header was read.
    pub(crate) fn set_layout(&mut self, layout: FileLayout) {
        if self.storage.as_slice().is_some() {
            let words = layout.values.sections.div_ceil(64);
            self.in_place = (0..words).map(|_| AtomicU64::new(0)).collect();
        }
        self.layout = layout;
    }

    /// Sets how many bytes of the last parts read stay in memory, roughly.
    pub(crate) fn set_cache_size(&self, bytes: usize) {
        self.cache.set_limit(bytes);
    }

    /// Uses a cache that several files share.
    pub(crate) fn share(&mut self, cache: &Arc<Cache>) {
        (self.cache, self.number) = (Arc::clone(cache), cache.number_of_file());
    }

    fn key(&self, kind: PartKind, number: u64) -> CacheKey {
        CacheKey::new(self.number, kind, number)
    }

    pub(crate) fn layout(&self) -> &FileLayout {
        &self.layout
    }

    pub(crate) fn file_length(&self) -> u64 {
        self.frame.file_length
    }

    fn seed(&self) -> Seed {
        Seed::Table(self.frame.header.checksum)
    }

    /// The bytes of a section, read anew and checked.
    pub(crate) fn read(
        &self,
        section: Section,
        part: &str,
        seed: Seed,
    ) -> Result<Vec<u8>, TableError> {
        if section.end().is_none_or(|end| end > self.frame.file_length) {
            return Err(TableError::malformed(part, "lies outside the file"));
        }
        let bytes = self.read_raw(section.offset, section.length)?;
        if !section.is_intact(&bytes, seed) {
            return Err(TableError::Damaged { part: part.into(), offset: section.offset });
        }
        Ok(bytes)
    }

    /// The bytes at an offset, which are within the file.
    fn read_raw(&self, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
            .map_err(|_| TableError::OutOfMemory { bytes: length })?;
        bytes.resize(length as usize, 0);
        self.storage.read_at(offset, &mut bytes).map_err(TableError::io("read the table"))?;
        Ok(bytes)
    }

    /// The section at a place in a directory.
    fn section(&self, directory: BlockDirectory, at: u64) -> Result<Section, TableError> {
        let number = at / PAGE_SECTIONS;
        let section = |page: &[u8]| directory::section(page, at % PAGE_SECTIONS);
        let key = self.key(directory.pages, number);
        if let Some(section) = self.cached_bytes(key, |page| section(page)) {
            return Ok(section);
        }
        let page = self.page(directory, number);
        // The previous page determines where the blocks of this one can begin.
        let before = number.checked_sub(1).map(|before| self.page(directory, before));
        let (page, before) = (page?, before.transpose()?);
        directory
            .check_order(number, before.as_deref(), &page)
            .map_err(|problem| TableError::malformed("the directory", problem))?;
        let section = section(&page);
        self.cache.insert(key, Cached::Bytes(page.into()));
        Ok(section)
    }

    /// A page of a directory, read anew, with the right checksum.
    fn page(&self, directory: BlockDirectory, number: u64) -> Result<Vec<u8>, TableError> {
        let (offset, length) = directory.page(number);
        let page = self.read_raw(offset, length as u64)?;
        match directory::is_intact(&page, offset, self.seed()) {
            true => Ok(page),
            false => Err(TableError::Damaged { part: "the directory".into(), offset }),
        }
    }

    /// The number of values in a block.
    fn block_len(&self, block: u64) -> usize {
        let FileLayout { len, format, .. } = &self.layout;
        (len - block * format.block_values).min(format.block_values) as usize
    }

    /// The packed value of an index below the table's length.
    #[inline]
    pub(crate) fn packed_value(&self, index: u64) -> Result<u16, TableError> {
        let BlockFormat { block_values, palette, .. } = &self.layout.format;
        // The length of a block is a power of two.
        let (block, at) = (index >> block_values.trailing_zeros(), index & (block_values - 1));
        if let Some(value) = self.value_in_place(block, at as usize) {
            return Ok(value);
        }
        let value = |values: &Values| values.get(at as usize, palette);
        let key = self.key(PartKind::Values, block);
        let cached = self.cache.get(key, |cached| match cached {
            Cached::Values(values) => Some(value(values)),
            Cached::Bytes(_) => None,
        });
        let value = match cached.flatten() {
            Some(value) => value,
            None => {
                let values = self.values_in_turn(block)?;
                let value = value(&values);
                self.cache.insert(key, Cached::Values(values));
                value
            }
        };
        value.ok_or_else(|| {
            TableError::malformed(values_part(block), "names a value that is not in the palette")
        })
    }

    /// The result of `read` for the bytes of a part; `None` if they are not in the cache.
    fn cached_bytes<T>(&self, key: CacheKey, read: impl FnOnce(&Arc<[u8]>) -> T) -> Option<T> {
        let cached = self.cache.get(key, |cached| match cached {
            Cached::Bytes(bytes) => Some(read(bytes)),
            Cached::Values(_) => None,
        });
        cached.flatten()
    }

    /// The value at a place of a block in memory that is intact and not compressed; `None` for
    /// other blocks.
    #[inline]
    fn value_in_place(&self, block: u64, at: usize) -> Option<u16> {
        let word = self.in_place.get((block / 64) as usize)?.load(Ordering::Relaxed);
        if word >> (block % 64) & 1 == 0 {
            return None;
        }
        let bytes = self.storage.as_slice()?;
        let (offset, length) = self.layout.values.page(block / PAGE_SECTIONS);
        let page = bytes.get(offset as usize..offset as usize + length)?;
        let section = directory::section(page, block % PAGE_SECTIONS);
        let block = bytes.get(section.offset as usize..section.end()? as usize)?;
        Decoder { palette: &self.layout.format.palette, dictionary: None }.in_place(block, at)
    }

    /// The values of a block, read anew and checked. Waits until there is room in memory beside
    /// what other threads decode.
    pub(crate) fn values_in_turn(&self, block: u64) -> Result<Values, TableError> {
        // One thread alone needs no turn, and each read of a web host takes time.
        if cfg!(target_family = "wasm") {
            return self.values(block);
        }
        let section = self.section(self.layout.values, block)?;
        let mut first = [0];
        if section.length > 0 {
            self.storage
                .read_at(section.offset, &mut first)
                .map_err(TableError::io("read the table"))?;
        }
        let bytes = Decoder::bytes(first[0], self.block_len(block));
        let _room = self.cache.room(bytes.saturating_add(section.length as usize));
        self.values(block)
    }

    /// The values of a block, read anew and checked.
    pub(crate) fn values(&self, block: u64) -> Result<Values, TableError> {
        let part = values_part(block);
        let section = self.section(self.layout.values, block)?;
        let (bytes, dictionary) = (self.read(section, &part, self.seed()), self.dictionary());
        let (bytes, dictionary) = (bytes?, dictionary?);
        let palette = &self.layout.format.palette[..];
        let values = Decoder { palette, dictionary }
            .decode(&bytes, self.block_len(block))
            .map_err(|problem| TableError::malformed(&part, problem))?;
        // The palette was checked when the table was opened.
        if let (Some(scale), Values::Packed(packed)) = (self.layout.outcomes, &values)
            && packed.iter().any(|&value| scale.has_plies(value))
        {
            return Err(TableError::malformed(&part, "has a distance, in a table of outcomes"));
        }
        if let Some(word) = self.in_place.get((block / 64) as usize)
            && Decoder::is_in_place(&bytes)
        {
            word.fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        Ok(values)
    }

    fn dictionary(&self) -> Result<Option<&DecoderDictionary<'static>>, TableError> {
        if self.frame.dictionary == Section::NONE {
            return Ok(None);
        }
        if let Some(dictionary) = self.dictionary.get() {
            return Ok(Some(&dictionary.0));
        }
        let part = "the dictionary";
        let compressed = self.read(self.frame.dictionary, part, self.seed())?;
        let malformed = |error| TableError::malformed(part, format!("can't be read: {error}"));
        let bytes = Decompressor::new()
            .and_then(|mut decompressor| decompressor.decompress(&compressed, LONGEST_DICTIONARY))
            .map_err(malformed)?;
        if bytes.is_empty() {
            return Err(TableError::malformed(part, "is empty"));
        }
        let dictionary = DecoderDictionary::try_copy(&bytes).map_err(malformed)?;
        Ok(Some(&self.dictionary.get_or_init(|| LoadedDictionary(dictionary)).0))
    }

    /// The record of a block of states, from the cache or read and checked. The blocks of all
    /// levels are numbered in one sequence, from the states themselves up.
    pub(crate) fn state_record(&self, block: u64, most: usize) -> Result<Arc<[u8]>, TableError> {
        let key = self.key(PartKind::States, block);
        if let Some(record) = self.cached_bytes(key, Arc::clone) {
            return Ok(record);
        }
        let part = states_part(block);
        let section = self.section(self.layout.states, block)?;
        let _room = if cfg!(target_family = "wasm") {
            None
        } else {
            let mut beginning = vec![0; section.length.min(packing::BEGINNING) as usize];
            self.storage
                .read_at(section.offset, &mut beginning)
                .map_err(TableError::io("read the table"))?;
            let bytes = states::bytes_of_decoding(&beginning, section.length, most);
            Some(self.cache.room(bytes))
        };
        let bytes = self.read(section, &part, self.seed())?;
        let record = states::decode(&bytes, most);
        let record: Arc<[u8]> =
            record.map_err(|problem| TableError::malformed(&part, problem))?.into();
        self.cache.insert(key, Cached::Bytes(Arc::clone(&record)));
        Ok(record)
    }
}

fn values_part(block: u64) -> String {
    format!("block {block} of the values")
}

pub(crate) fn states_part(block: u64) -> String {
    format!("block {block} of the states")
}
