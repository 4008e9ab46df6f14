//! Keys of 8 or 16 bytes in ascending order, coded in blocks.
//!
//! Reachable states lie close together in this order, so that a key takes one to two bytes. A
//! directory finds the block of a key, and the code of a block finds the key in it without decoding
//! the others.

mod block;
mod cursor;

use std::ops::Range;
use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::directory::{NOWHERE, TOGETHER};
use crate::numbering::discovered::{KeyFiles, KeyList, MappedKeys};
use crate::runtime::memory::prefetch;
use crate::runtime::scratch::Scratch;
pub use block::CodedKey;
use block::{BLOCK, Block, MORE_BITS, encode, first_word};
pub(crate) use cursor::Cursor;

/// Ascending keys, coded.
#[derive(Debug)]
pub struct CodedKeys<K> {
    /// The first key of each block, and how the block is coded.
    heads: MappedKeys<[K; 2]>,
    words: MappedKeys<u64>,
    len: u64,
}

impl<K> Default for CodedKeys<K> {
    fn default() -> Self {
        CodedKeys { heads: MappedKeys::default(), words: MappedKeys::default(), len: 0 }
    }
}

impl<K> CodedKeys<K> {
    /// The number of keys.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

/// Fills an array of bytes from a file.
pub(crate) type ReadArray<'r> = &'r mut dyn FnMut(&mut [u8]) -> Result<(), SolveError>;

impl<K: CodedKey> CodedKeys<K> {
    /// Codes some ascending keys.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn of(keys: &[K]) -> Result<CodedKeys<K>, SolveError> {
        let mut coder = Coder::default();
        coder.extend(keys);
        coder.finish()
    }

    /// All keys.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn list(&self) -> Result<Vec<K>, SolveError> {
        let bytes = self.len.saturating_mul(size_of::<K>() as u64);
        let mut keys = Vec::new();
        keys.try_reserve_exact(self.len as usize)
            .map_err(|_| SolveError::OutOfMemory { what: "the discovered states", bytes })?;
        self.each(0..self.len, |_, key| keys.push(key));
        Ok(keys)
    }

    /// The two arrays as bytes: the heads of the blocks, and the words.
    pub(crate) fn arrays(&self) -> [&[u8]; 2] {
        [bytemuck::cast_slice(&self.heads), bytemuck::cast_slice(&self.words)]
    }

    /// Reads the arrays of `len` keys with `words` words, into scratch files if these are used for so many;
    /// `None` if they are not the code of ascending keys. Files are not trusted.
    ///
    /// # Errors
    /// If `read` fails, or there is no room for the keys.
    pub(crate) fn read(
        [len, words]: [u64; 2],
        files: Option<&Arc<KeyFiles>>,
        read: ReadArray<'_>,
    ) -> Result<Option<CodedKeys<K>>, SolveError> {
        let blocks = len.div_ceil(BLOCK as u64);
        let a_head = size_of::<[K; 2]>() as u64;
        let bytes = blocks.saturating_mul(a_head).saturating_add(words.saturating_mul(8));
        let in_files = |scratch: &Arc<Scratch>| {
            let heads = MappedKeys::zeroed_in(scratch, blocks)?;
            Ok((heads, MappedKeys::zeroed_in(scratch, words)?))
        };
        let made = files.map(|files| files.make(bytes, in_files)).transpose()?;
        let (heads, words) = match made.flatten() {
            Some(lists) => lists,
            None => (zeros(blocks)?, zeros(words)?),
        };
        let mut keys = CodedKeys { heads, words, len };
        read(bytemuck::cast_slice_mut(&mut keys.heads[..]))?;
        read(bytemuck::cast_slice_mut(&mut keys.words[..]))?;
        let is_right = keys.is_right();
        keys.heads.let_go();
        keys.words.let_go();
        Ok(is_right.then_some(keys))
    }

    /// The keys in scratch files, if these are used for so many.
    pub(crate) fn into_files(self, files: Option<&Arc<KeyFiles>>) -> CodedKeys<K> {
        let Some(files) = files else { return self };
        let Some(scratch) = files.for_bytes(self.in_memory()) else { return self };
        let CodedKeys { heads, words, len } = self;
        let heads = heads.into_file(scratch).unwrap_or_else(|heads| {
            files.fail();
            heads
        });
        let words = words.into_file(scratch).unwrap_or_else(|words| {
            files.fail();
            words
        });
        CodedKeys { heads, words, len }
    }

    /// At most `len` keys that `add` adds to a coder, and that take about this number of bytes: in
    /// scratch files if these are used for so many, and in memory otherwise.
    ///
    /// # Errors
    /// If there is no room for the keys.
    pub(crate) fn coded_in(
        files: Option<&Arc<KeyFiles>>,
        len: u64,
        bytes: u64,
        add: impl Fn(&mut Coder<K>),
    ) -> Result<CodedKeys<K>, SolveError> {
        let in_files = |scratch: &Arc<Scratch>| {
            let mut coder = Coder::in_files(scratch, len)?;
            add(&mut coder);
            coder.finish().map_err(drop)
        };
        if let Some(files) = files.filter(|files| files.are_many(bytes))
            && let Some(keys) = files.make(bytes, in_files)?
        {
            return Ok(keys);
        }
        let mut coder = Coder::default();
        add(&mut coder);
        Ok(coder.finish()?.into_files(files))
    }

    /// Whether all blocks can be decoded, and the keys ascend.
    fn is_right(&self) -> bool {
        let mut before = None;
        (0..self.heads.len()).all(|at| {
            let head = self.heads[at];
            let last = Block::checked(head, &self.words, self.keys_in(at));
            let ascends = before.is_none_or(|before| before < head[0]);
            before = last;
            last.is_some() && ascends
        })
    }

    /// The length of the keys, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&*self.heads) + size_of_val(&*self.words)) as u64
    }

    /// The memory of the keys, in bytes.
    pub(crate) fn in_memory(&self) -> u64 {
        self.heads.in_memory() + self.words.in_memory()
    }

    /// The first key of each block.
    pub(crate) fn firsts(&self) -> impl ExactSizeIterator<Item = K> {
        self.heads.iter().map(|&[first, _]| first)
    }

    #[inline]
    fn block(&self, block: usize) -> Block<'_, K> {
        Block::new(self.heads[block], &self.words)
    }

    /// The number of keys in a block.
    #[inline]
    fn keys_in(&self, block: usize) -> usize {
        (self.len - (block * BLOCK) as u64).min(BLOCK as u64) as usize
    }

    /// The last key.
    pub(crate) fn last(&self) -> Option<K> {
        self.get(self.len.checked_sub(1)?)
    }

    /// The key at a place.
    #[inline]
    pub(crate) fn get(&self, place: u64) -> Option<K> {
        if place >= self.len {
            return None;
        }
        let place = place as usize;
        Some(self.block(place / BLOCK).key(place % BLOCK))
    }

    /// Visits the keys at some places in ascending order.
    #[inline]
    pub(crate) fn each(&self, places: Range<u64>, mut visit: impl FnMut(u64, K)) {
        let mut keys = [K::from(0); BLOCK];
        let mut place = places.start;
        while place < places.end {
            let (block, first) = (place as usize / BLOCK, place as usize % BLOCK);
            let end = self.keys_in(block).min(first + (places.end - place) as usize);
            self.block(block).decode(&mut keys[..end]);
            for &key in &keys[first..end] {
                visit(place, key);
                place += 1;
            }
        }
    }

    /// The last block whose first key is not greater, among some blocks.
    #[inline]
    fn block_of(&self, key: K, blocks: Range<usize>) -> usize {
        let (mut block, mut len) = (blocks.start, blocks.len());
        while len > 1 {
            let half = len / 2;
            block += if self.heads[block + half][0] <= key { half } else { 0 };
            len -= half;
        }
        block
    }

    /// The place of the first key that is not less.
    pub(crate) fn lower_bound(&self, key: K) -> u64 {
        if self.len == 0 {
            return 0;
        }
        let block = self.block_of(key, 0..self.heads.len());
        let mut keys = [K::from(0); BLOCK];
        let keys = &mut keys[..self.keys_in(block)];
        self.block(block).decode(keys);
        (block * BLOCK + keys.partition_point(|it| *it < key)) as u64
    }
}

/// Codes keys that come in ascending order. The memory of many keys comes straight from the system,
/// which gets it back with them: an allocator would keep much of it.
#[derive(Debug)]
pub(crate) struct Coder<K> {
    /// The keys of a block that is not full yet, and the words of the last one.
    pending: Vec<K>,
    block: Vec<u64>,
    keys: CodedKeys<K>,
    /// Whether there was no memory for some keys.
    failed: bool,
}

impl<K> Default for Coder<K> {
    fn default() -> Self {
        let keys = CodedKeys::default();
        Coder { pending: Vec::new(), block: Vec::new(), keys, failed: false }
    }
}

impl<K: CodedKey> Coder<K> {
    /// A coder of at most `len` keys into scratch files.
    fn in_files(scratch: &Arc<Scratch>, len: u64) -> Result<Coder<K>, ()> {
        let blocks = len.div_ceil(BLOCK as u64);
        let a_block = (BLOCK * (size_of::<K>() * 8 + MORE_BITS)).div_ceil(64) as u64;
        let heads = MappedKeys::growing_in(scratch, blocks)?;
        let words = MappedKeys::growing_in(scratch, blocks * a_block + 1)?;
        Ok(Coder { keys: CodedKeys { heads, words, len: 0 }, ..Coder::default() })
    }

    /// Adds a key, which is greater than those before.
    #[inline]
    pub(crate) fn push(&mut self, key: K) {
        self.pending.push(key);
        if self.pending.len() == BLOCK {
            self.end_block();
        }
    }

    /// Adds ascending keys, which are greater than those before.
    pub(crate) fn extend(&mut self, keys: &[K]) {
        for &key in keys {
            self.push(key);
        }
    }

    #[inline(never)]
    fn end_block(&mut self) {
        let CodedKeys { heads, words, len } = &mut self.keys;
        let head = encode(&self.pending, words.len(), &mut self.block);
        self.failed |= heads.extend(&[head]).and_then(|()| words.extend(&self.block)).is_err();
        *len += self.pending.len() as u64;
        self.pending.clear();
    }

    /// The coded keys.
    ///
    /// # Errors
    /// If there was no memory for the keys.
    pub(crate) fn finish(mut self) -> Result<CodedKeys<K>, SolveError> {
        if !self.pending.is_empty() {
            self.end_block();
        }
        // A block is read with a word behind it.
        self.failed |= self.keys.words.extend(&[0]).is_err();
        match self.failed {
            false => {
                let CodedKeys { heads, words, len } = self.keys;
                Ok(CodedKeys { heads: heads.finished(), words: words.finished(), len })
            }
            true => {
                let (what, bytes) = ("the discovered states", self.keys.bytes());
                Err(SolveError::OutOfMemory { what, bytes })
            }
        }
    }
}

/// A list of zeros, as long as a file says.
fn zeros<T: bytemuck::Pod + Send>(len: u64) -> Result<MappedKeys<T>, SolveError> {
    let mut list = MappedKeys::default();
    let bytes = len.saturating_mul(size_of::<T>() as u64);
    let grown = usize::try_from(len).map_err(drop).and_then(|len| list.grow(len, true));
    grown.map_err(|()| SolveError::OutOfMemory { what: "the discovered states", bytes })?;
    (0..len).for_each(|_| list.push(T::zeroed()));
    Ok(list)
}

/// Coded keys, and a directory that finds the block of a key: for each value of the highest bits,
/// the first block that may have such a key.
#[derive(Debug)]
pub struct CodedLookup<K> {
    keys: CodedKeys<K>,
    least: K,
    shift: u32,
    /// The last block whose first key is less than all keys of an entry, followed by the last block.
    starts: Vec<u32>,
}

/// How many entries the directory has for each block, unless the keys are very unevenly spread.
const ENTRIES_A_BLOCK: u64 = 4;

impl<K: CodedKey> CodedLookup<K> {
    /// A lookup among these keys.
    ///
    /// # Errors
    /// If there is no memory for the directory.
    pub(crate) fn of(keys: CodedKeys<K>) -> Result<CodedLookup<K>, SolveError> {
        let blocks = keys.heads.len();
        let least = keys.firsts().next().unwrap_or(K::from(0));
        let span = keys.heads.last().map_or(K::from(0), |&[last, _]| last - least).to_u128();
        let wanted = (blocks as u64 * ENTRIES_A_BLOCK).max(1).next_power_of_two().ilog2();
        let shift = (u128::BITS - span.leading_zeros()).saturating_sub(wanted);
        let shift = shift.min(size_of::<K>() as u32 * 8 - 1);
        let entries = (span >> shift) as usize + 1;
        let mut starts: Vec<u32> = Vec::new();
        starts.try_reserve_exact(entries + 2).map_err(|_| SolveError::OutOfMemory {
            what: "finding the discovered states",
            bytes: entries as u64 * 4,
        })?;
        for (block, first) in keys.firsts().enumerate() {
            let entry = ((first - least) >> shift).to_u128() as usize;
            let before = u32::try_from(block).map_err(|_| SolveError::TooManyStates)?;
            starts.resize((entry + 1).max(starts.len()), before.saturating_sub(1));
        }
        let last = blocks.saturating_sub(1) as u32;
        starts.push(last);
        starts.push(last);
        Ok(CodedLookup { keys, least, shift, starts })
    }

    /// The keys.
    #[inline]
    pub(crate) fn keys(&self) -> &CodedKeys<K> {
        &self.keys
    }

    /// The keys without the directory.
    pub(crate) fn into_keys(self) -> CodedKeys<K> {
        self.keys
    }

    /// The entry of a key in the directory.
    #[inline]
    fn entry(&self, key: K) -> usize {
        let above = if key < self.least { K::from(0) } else { key - self.least };
        let entry = usize::try_from((above >> self.shift).to_u128()).unwrap_or(usize::MAX);
        entry.min(self.starts.len() - 2)
    }

    /// The block where a key of this entry is, if it is there.
    #[inline]
    fn block_of(&self, key: K, entry: usize) -> usize {
        let (start, end) = (self.starts[entry], self.starts[entry + 1]);
        self.keys.block_of(key, start as usize..end as usize + 1)
    }

    /// Writes the place of each of some keys, or [`NOWHERE`].
    pub(crate) fn find_all(&self, keys: &[K], places: &mut [u64]) {
        if self.keys.len == 0 {
            places.fill(NOWHERE);
            return;
        }
        let CodedKeys { heads, words, .. } = &self.keys;
        let mut at = [0; TOGETHER];
        for (keys, places) in keys.chunks(TOGETHER).zip(places.chunks_mut(TOGETHER)) {
            for (at, &key) in at.iter_mut().zip(keys) {
                *at = self.entry(key);
                prefetch(&self.starts, *at);
            }
            for &mut entry in at.iter_mut().take(keys.len()) {
                prefetch(heads, self.starts[entry] as usize);
            }
            for (at, &key) in at.iter_mut().zip(keys) {
                *at = self.block_of(key, *at);
                // A block is seldom longer than this.
                let first = first_word(heads[*at]);
                (0..3).for_each(|line| prefetch(words, first + 8 * line));
            }
            for ((&block, &key), place) in at.iter().zip(keys).zip(places) {
                *place = self.find_in(block, key).unwrap_or(NOWHERE);
            }
        }
    }

    /// The place of a key.
    #[inline]
    pub(crate) fn find(&self, key: K) -> Option<u64> {
        if self.keys.len == 0 {
            return None;
        }
        self.find_in(self.block_of(key, self.entry(key)), key)
    }

    /// The place of a key, if it is in this block.
    #[inline]
    fn find_in(&self, block: usize, key: K) -> Option<u64> {
        let count = self.keys.keys_in(block);
        let place = self.keys.block(block).find(key, count)?;
        Some((block * BLOCK + place) as u64)
    }

    /// The memory of the keys and the directory, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.keys.in_memory() + self.starts.capacity() as u64 * 4
    }
}

#[cfg(test)]
mod tests;
