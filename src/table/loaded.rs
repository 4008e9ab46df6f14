//! Values of a table in memory, by index, 1 or 2 bytes each.
//!
//! Used for tiers that other tiers lead to, for the checks in `verify/`, and for writing outcomes.
//! The file is not trusted: each block's checksum is compared, and each code must be the code of a
//! value or of an unused index.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use crate::error::{SolveError, TableError};
use crate::game::value::{ENDLESS, NotAValue, Scale, Value};
use crate::numbering::TierValues;
use crate::runtime::memory::{Array, prefetch};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::runtime::scratch::Scratch;
use crate::table::open::TableFile;
use crate::table::storage::Storage;
use crate::table::values::Values;

/// The number of values that a code of one byte can stand for.
const MOST_IN_PALETTE: usize = 1 << u8::BITS;

/// The code of a value in memory: either one byte, a place in a palette, or two bytes, the packed
/// value itself.
pub(crate) trait Code: Pod + Debug + Send + Sync {
    /// The packed value of each code, for the values of a table; `None` if there are too few codes.
    fn palette<S: Storage>(table: &TableFile<S>) -> Option<Vec<u16>>;

    /// The place in the palette.
    fn index(self) -> usize;

    /// Makes a function that finds the code of a packed value; `None` if the palette lacks the
    /// value.
    fn encoder(palette: &[u16], scale: Scale) -> impl Fn(u16) -> Option<Self> + Sync;

    /// The codes of a block, if the file stores such codes.
    fn of_block(block: &Values) -> Option<&[Self]>;
}

impl Code for u8 {
    /// The values that the table lists, and endless play, which fills blocks that consist of unused
    /// indices.
    fn palette<S: Storage>(table: &TableFile<S>) -> Option<Vec<u16>> {
        let list = &table.reader.layout().format.palette;
        let endless = (!list.contains(&ENDLESS)).then_some(ENDLESS);
        let palette: Vec<u16> = list.iter().copied().chain(endless).collect();
        let scale = table.scale();
        let is_one = |&packed: &u16| scale.unpack(packed).is_ok();
        (!list.is_empty() && palette.len() <= MOST_IN_PALETTE && palette.iter().all(is_one))
            .then_some(palette)
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }

    fn encoder(palette: &[u16], _: Scale) -> impl Fn(u16) -> Option<u8> + Sync {
        let mut code_of = vec![0; 1 << u16::BITS];
        (0..=u8::MAX).zip(palette).for_each(|(code, &packed)| code_of[usize::from(packed)] = code);
        move |packed| {
            let code: u8 = code_of[usize::from(packed)];
            (palette[usize::from(code)] == packed).then_some(code)
        }
    }

    fn of_block(block: &Values) -> Option<&[u8]> {
        if let Values::Codes(codes) = block { Some(codes) } else { None }
    }
}

impl Code for u16 {
    fn palette<S: Storage>(_: &TableFile<S>) -> Option<Vec<u16>> {
        Some((0..=u16::MAX).collect())
    }

    #[inline]
    fn index(self) -> usize {
        self.into()
    }

    fn encoder(_: &[u16], scale: Scale) -> impl Fn(u16) -> Option<u16> + Sync {
        move |packed| scale.unpack(packed).is_ok().then_some(packed)
    }

    /// Always `None`: the codes of a block need not be values.
    fn of_block(_: &Values) -> Option<&[u16]> {
        None
    }
}

/// Values in memory, one code each.
#[derive(Debug)]
pub(crate) struct CodedValues<C> {
    /// The packed value of each code.
    pub(crate) palette: Vec<u16>,
    pub(crate) codes: Array<C>,
    /// How values are packed.
    pub(crate) scale: Scale,
}

impl<C: Code> CodedValues<C> {
    /// This many values, all with code 0.
    pub(crate) fn zeroed(palette: Vec<u16>, scale: Scale, len: u64) -> Result<Self, TableError> {
        let bytes = len.saturating_mul(size_of::<C>() as u64);
        let codes = Array::zeroed(len, "the values");
        let codes = codes.map_err(|_| TableError::OutOfMemory { bytes })?;
        Ok(CodedValues { palette, codes, scale })
    }

    /// This many values, all with code 0, in a scratch file if there is a folder.
    fn zeroed_in(
        palette: Vec<u16>,
        scale: Scale,
        len: u64,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<Self, TableError> {
        if scratch.is_none() {
            return CodedValues::zeroed(palette, scale, len);
        }
        let codes = Array::zeroed_in(len, "the values", scratch).map_err(SolveError::from)?;
        Ok(CodedValues { palette, codes, scale })
    }

    /// The memory that the values take, in bytes. In a file they take none.
    fn bytes(&self) -> u64 {
        if self.codes.scratch().is_some() { 0 } else { size_of_val(&*self.codes) as u64 }
    }
}

/// All values of a table: a byte each if its palette has all of them, otherwise two bytes.
#[derive(Debug)]
pub(crate) enum LoadedValues {
    Bytes(CodedValues<u8>),
    Words(CodedValues<u16>),
}

impl LoadedValues {
    /// The packed value of an index; `None` beyond the end.
    #[inline]
    pub(crate) fn packed(&self, index: u64) -> Option<u16> {
        let at = usize::try_from(index).ok()?;
        match self {
            LoadedValues::Bytes(CodedValues { palette, codes, .. }) => {
                codes.get(at).map(|&code| palette[usize::from(code)])
            }
            LoadedValues::Words(CodedValues { codes, .. }) => codes.get(at).copied(),
        }
    }
}

impl LoadedValues {
    /// How values are packed.
    fn scale(&self) -> Scale {
        match self {
            LoadedValues::Bytes(values) => values.scale,
            LoadedValues::Words(values) => values.scale,
        }
    }
}

impl TierValues for LoadedValues {
    #[inline]
    fn value(&self, index: u64) -> Option<Value> {
        self.scale().unpack(self.packed(index)?).ok().flatten()
    }

    fn possible_values(&self) -> Option<Vec<Value>> {
        let LoadedValues::Bytes(CodedValues { palette, scale, .. }) = self else { return None };
        Some(palette.iter().filter_map(|&packed| scale.unpack(packed).ok().flatten()).collect())
    }

    #[inline]
    fn prefetch(&self, index: u64) {
        match self {
            LoadedValues::Bytes(values) => prefetch(&values.codes, index as usize),
            LoadedValues::Words(values) => prefetch(&values.codes, index as usize),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            LoadedValues::Bytes(values) => values.bytes(),
            LoadedValues::Words(values) => values.bytes(),
        }
    }
}

impl<S: Storage> TableFile<S> {
    /// The memory that all values take, in bytes.
    pub(crate) fn bytes_of_values(&self) -> u64 {
        self.bytes_of(self.reader.layout().len)
    }

    /// The memory that this many of the values take, in bytes.
    pub(crate) fn bytes_of(&self, values: u64) -> u64 {
        values.saturating_mul(if u8::palette(self).is_some() { 1 } else { 2 })
    }

    /// How values are packed.
    pub(crate) fn scale(&self) -> Scale {
        self.header().rules.scale()
    }

    /// The number of values in a block.
    pub(crate) fn block_values(&self) -> u64 {
        self.reader.layout().format.block_values
    }

    /// Loads all values into memory, and checks every block.
    pub(crate) fn load_values(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        self.load_values_in(None, progress)
    }

    /// Loads all values into memory, or into a scratch file if there is a folder for them, and checks every
    /// block.
    pub(crate) fn load_values_in(
        &self,
        scratch: Option<&Arc<Scratch>>,
        progress: &mut OnProgress<'_>,
    ) -> Result<LoadedValues, TableError> {
        if let Some(values) = self.load(scratch, progress)? {
            return Ok(LoadedValues::Bytes(values));
        }
        // A table with values that its palette lacks can still be right.
        self.load(scratch, progress)?.map(LoadedValues::Words).ok_or_else(not_a_value)
    }

    /// Loads the packed values of some indices, and checks the blocks that contain them.
    pub(crate) fn packed_values(
        &self,
        indices: Range<u64>,
        progress: &mut OnProgress<'_>,
    ) -> Result<Vec<u16>, TableError> {
        // In the palette of two bytes, each value is its own code.
        let mut values =
            CodedValues::<u16>::zeroed(Vec::new(), self.scale(), indices.end - indices.start)?;
        let done = (indices.start, self.reader.layout().len);
        let part = vec![ValueRange { indices, first_code: 0 }];
        match self.load_into(&mut values, part, done, progress)? {
            true => Ok(values.codes.to_vec()),
            false => Err(not_a_value()),
        }
    }

    /// Loads all values as codes of one width; `None` if one of them has no code.
    fn load<C: Code>(
        &self,
        scratch: Option<&Arc<Scratch>>,
        progress: &mut OnProgress<'_>,
    ) -> Result<Option<CodedValues<C>>, TableError> {
        let len = self.reader.layout().len;
        let Some(palette) = C::palette(self) else { return Ok(None) };
        let mut values = CodedValues::zeroed_in(palette, self.scale(), len, scratch)?;
        let all = vec![ValueRange { indices: 0..len, first_code: 0 }];
        let is_complete = self.load_into(&mut values, all, (0, len), progress)?;
        Ok(is_complete.then_some(values))
    }

    /// Loads parts of the values, and checks every block. Returns false if one of the values has no
    /// code.
    ///
    /// `done` and `of` are only reported: the part of the whole check that was done before, and all
    /// of it.
    pub(crate) fn load_into<C: Code>(
        &self,
        CodedValues { palette, codes, scale }: &mut CodedValues<C>,
        parts: Vec<ValueRange>,
        (done, of): (u64, u64),
        progress: &mut OnProgress<'_>,
    ) -> Result<bool, TableError> {
        let block_values = self.block_values();
        let list = &self.reader.layout().format.palette;
        let scratch = codes.scratch().cloned();
        let code_of = C::encoder(palette, *scale);
        // Each block is read once, by one task.
        let mut tasks: Vec<(u64, BlockParts<'_, C>)> = Vec::new();
        for (indices, mut codes) in codes_of(codes, parts) {
            for block in indices.start / block_values..indices.end.div_ceil(block_values) {
                let first = indices.start.max(block * block_values);
                let end = indices.end.min((block + 1) * block_values);
                let (part, rest) = codes.split_at_mut((end - first) as usize);
                codes = rest;
                let part = ((first - block * block_values) as usize, part);
                match tasks.last_mut() {
                    Some((last, parts)) if *last == block => parts.push(part),
                    _ => tasks.push((block, vec![part])),
                }
            }
        }
        // Each thread holds one block in memory, both as it is in the file and decoded.
        let room = self.limits.memory() / (4 * block_values);
        let threads = self.limits.threads().min(room.try_into().unwrap_or(usize::MAX));
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let size = if tasks.len() > 1 { Size::Big } else { Size::Small };
        let work = |(block, parts): (u64, BlockParts<'_, C>), token: &dyn CancellationToken| {
            if token.done(0).is_break() {
                return Err(TableError::Interrupted);
            }
            let values = self.reader.values(block)?;
            let mut parts = parts.into_iter();
            // The first value without a code: its place in the block, and the value.
            let filled = parts.try_for_each(|(first, codes)| {
                match C::of_block(&values) {
                    Some(own) => codes.copy_from_slice(&own[first..first + codes.len()]),
                    None => codes.iter_mut().zip(first..).try_for_each(|(code, at)| {
                        let packed = values.get(at, list).unwrap_or_default();
                        *code = code_of(packed).ok_or((at, packed))?;
                        Ok::<_, (usize, u16)>(())
                    })?,
                }
                if let Some(scratch) = &scratch {
                    scratch.let_go(codes);
                }
                Ok(())
            });
            let Err((at, packed)) = filled else { return Ok(true) };
            let index = block * block_values + at as u64;
            match scale.unpack(packed) {
                Ok(_) => Ok(false),
                Err(NotAValue(packed)) => {
                    let problem =
                        format!("stores {packed:#06x} at index {index}, which is no value");
                    Err(TableError::malformed("the table", problem))
                }
            }
        };
        let filled = pool.run(size, tasks, |_| Progress::Verifying { done, of }, work)?;
        Ok(filled.into_iter().all(|filled| filled))
    }
}

/// The error for a table with a packed value that is no value.
pub(crate) fn not_a_value() -> TableError {
    TableError::malformed("the table", "has a packed value that is none")
}

/// Parts of a block's values that are loaded: the place of the first value in the block, and the
/// codes.
type BlockParts<'c, C> = Vec<(usize, &'c mut [C])>;

/// Indices whose values are loaded into adjacent codes.
pub(crate) struct ValueRange {
    pub(crate) indices: Range<u64>,
    /// The place of the first index's code.
    pub(crate) first_code: u64,
}

/// The codes of each part, in the order of the indices.
fn codes_of<C>(mut codes: &mut [C], mut parts: Vec<ValueRange>) -> Vec<(Range<u64>, &mut [C])> {
    parts.sort_unstable_by_key(|part| part.first_code);
    let mut at = 0;
    let mut filled = Vec::with_capacity(parts.len());
    for ValueRange { indices, first_code } in parts {
        let (_, from_here) = codes.split_at_mut((first_code - at) as usize);
        let len = indices.end - indices.start;
        let (own, rest) = from_here.split_at_mut(len as usize);
        (codes, at) = (rest, first_code + len);
        filled.push((indices, own));
    }
    filled.sort_unstable_by_key(|(indices, _)| indices.start);
    filled
}
