//! Reading the parts of a table, with every check.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use zstd::bulk::Decompressor;
use zstd::dict::DecoderDictionary;

use crate::error::TableError;
use crate::table::cache::{Cache, Cached};
use crate::table::directory;
use crate::table::directory::{Directory, PAGE_SECTIONS};
use crate::table::frame::{Frame, Section, Seed};
use crate::table::records::TableLayout;
use crate::table::states;
use crate::table::storage::Storage;
use crate::table::values::{Decoder, LONGEST_DICTIONARY, Values};

/// How a table is laid out, as its frame and its header say.
#[derive(Debug)]
pub(crate) struct Layout {
    /// How many numbers there are.
    pub(crate) len: u64,
    pub(crate) arrangement: TableLayout,
    pub(crate) values: Directory,
    pub(crate) states: Directory,
    /// How many states there are on each level, from the states themselves up; none in a table that
    /// has no states.
    pub(crate) levels: Vec<u64>,
}

/// The bytes of a table, read a part at a time.
#[derive(Debug)]
pub(crate) struct Reader<S> {
    storage: S,
    frame: Frame,
    layout: Layout,
    dictionary: OnceLock<Dictionary>,
    cache: Cache,
    /// One bit for each block of values that lies in memory, is intact, and can be read in place.
    in_place: Vec<AtomicU64>,
}

struct Dictionary(DecoderDictionary<'static>);

impl fmt::Debug for Dictionary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Dictionary")
    }
}

impl<S: Storage> Reader<S> {
    /// A reader that knows the frame alone, for the header.
    pub(crate) fn new(storage: S, frame: Frame) -> Reader<S> {
        let arrangement =
            TableLayout { list: Vec::new(), filled: false, block_values: 1, block_states: 1 };
        let none = Directory { offset: 0, sections: 0 };
        let layout = Layout { len: 0, arrangement, values: none, states: none, levels: Vec::new() };
        let (dictionary, cache) = (OnceLock::new(), Cache::of(0));
        Reader { storage, frame, layout, dictionary, cache, in_place: Vec::new() }
    }

    pub(crate) fn lay_out(&mut self, layout: Layout) {
        if self.storage.bytes().is_some() {
            let words = layout.values.sections.div_ceil(64);
            self.in_place = (0..words).map(|_| AtomicU64::new(0)).collect();
        }
        self.layout = layout;
    }

    /// Keeps about so many bytes of what was read last.
    pub(crate) fn keep(&mut self, bytes: usize) {
        self.cache = Cache::of(bytes);
    }

    pub(crate) fn layout(&self) -> &Layout {
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

    /// So many bytes, which are within the file.
    fn read_raw(&self, offset: u64, length: u64) -> Result<Vec<u8>, TableError> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
            .map_err(|_| TableError::OutOfMemory { bytes: length })?;
        bytes.resize(length as usize, 0);
        self.storage.read_at(offset, &mut bytes).map_err(TableError::io("read the table"))?;
        Ok(bytes)
    }

    /// The section that a directory lists at a place.
    fn section(&self, directory: Directory, at: u64) -> Result<Section, TableError> {
        let (offset, length) = directory.page(at / PAGE_SECTIONS);
        let section = |page: &[u8]| directory::section(page, at % PAGE_SECTIONS);
        if let Some(section) = self.kept_bytes(offset, |page| section(page)) {
            return Ok(section);
        }
        let page = self.read_raw(offset, length as u64)?;
        if !directory::is_intact(&page, offset, self.seed()) {
            return Err(TableError::Damaged { part: "the directory".into(), offset });
        }
        let section = section(&page);
        self.cache.put(offset, Cached::Bytes(page.into()));
        Ok(section)
    }

    /// How many values block number `block` has.
    fn block_len(&self, block: u64) -> usize {
        let Layout { len, arrangement, .. } = &self.layout;
        (len - block * arrangement.block_values).min(arrangement.block_values) as usize
    }

    /// The packed value of a number below the table's length.
    #[inline]
    pub(crate) fn packed_value(&self, number: u64) -> Result<u16, TableError> {
        let TableLayout { block_values, list, .. } = &self.layout.arrangement;
        // It is a power of two.
        let (block, at) = (number >> block_values.trailing_zeros(), number & (block_values - 1));
        if let Some(value) = self.value_in_place(block, at as usize) {
            return Ok(value);
        }
        let value = |values: &Values| values.get(at as usize, list);
        // No page stands there.
        let key = !block;
        let kept = self.cache.ask(key, |cached| match cached {
            Cached::Values(values) => Some(value(values)),
            Cached::Bytes(_) => None,
        });
        let value = match kept.flatten() {
            Some(value) => value,
            None => {
                let values = self.values(block)?;
                let value = value(&values);
                self.cache.put(key, Cached::Values(values));
                value
            }
        };
        value.ok_or_else(|| {
            TableError::malformed(values_part(block), "names a value that is not listed")
        })
    }

    /// What `read` makes of the bytes that stand there, if they are among those kept.
    fn kept_bytes<T>(&self, offset: u64, read: impl FnOnce(&Arc<[u8]>) -> T) -> Option<T> {
        let kept = self.cache.ask(offset, |cached| match cached {
            Cached::Bytes(bytes) => Some(read(bytes)),
            Cached::Values(_) => None,
        });
        kept.flatten()
    }

    /// The value where it stands, if the block lies in memory, is known to be intact, and is not
    /// compressed.
    #[inline]
    fn value_in_place(&self, block: u64, at: usize) -> Option<u16> {
        let word = self.in_place.get((block / 64) as usize)?.load(Ordering::Relaxed);
        if word >> (block % 64) & 1 == 0 {
            return None;
        }
        let bytes = self.storage.bytes()?;
        let (offset, length) = self.layout.values.page(block / PAGE_SECTIONS);
        let page = bytes.get(offset as usize..offset as usize + length)?;
        let section = directory::section(page, block % PAGE_SECTIONS);
        let block = bytes.get(section.offset as usize..section.end()? as usize)?;
        Decoder { list: &self.layout.arrangement.list, dictionary: None }.in_place(block, at)
    }

    /// Keeps nothing of what was read.
    pub(crate) fn forget(&self) {
        self.cache.clear();
    }

    /// The values of a block, read anew and checked.
    pub(crate) fn values(&self, block: u64) -> Result<Values, TableError> {
        let part = values_part(block);
        let section = self.section(self.layout.values, block)?;
        let bytes = self.read(section, &part, self.seed())?;
        let (list, dictionary) = (&self.layout.arrangement.list[..], self.dictionary()?);
        let values = Decoder { list, dictionary }
            .decode(&bytes, self.block_len(block))
            .map_err(|problem| TableError::malformed(&part, problem))?;
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
        Ok(Some(&self.dictionary.get_or_init(|| Dictionary(dictionary)).0))
    }

    /// The record of a block of states, checked, from among those kept if it is. Blocks of all
    /// levels are counted through, from the states themselves up.
    pub(crate) fn state_record(&self, block: u64, most: usize) -> Result<Arc<[u8]>, TableError> {
        let part = states_part(block);
        let section = self.section(self.layout.states, block)?;
        if let Some(record) = self.kept_bytes(section.offset, Arc::clone) {
            return Ok(record);
        }
        let bytes = self.read(section, &part, self.seed())?;
        let record = states::decode(&bytes, most);
        let record: Arc<[u8]> =
            record.map_err(|problem| TableError::malformed(&part, problem))?.into();
        self.cache.put(section.offset, Cached::Bytes(Arc::clone(&record)));
        Ok(record)
    }
}

fn values_part(block: u64) -> String {
    format!("block {block} of the values")
}

pub(crate) fn states_part(block: u64) -> String {
    format!("block {block} of the states")
}
