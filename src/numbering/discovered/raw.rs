//! Keys of a fixed width, as their bytes and as numbers.

use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::{CodedKey, CodedKeys, KeyFiles, ReadArray};

/// Keys of a fixed width, read and written as their bytes in memory.
#[derive(Clone, Copy, Debug)]
pub struct RawKeys<T> {
    zero: T,
    pub(crate) bytes: fn(&[T]) -> &[u8],
    pub(crate) bytes_mut: fn(&mut [T]) -> &mut [u8],
    /// A key as a number, in the same order.
    pub(crate) to_word: fn(&T) -> u128,
    /// The key of such a number; `None` if no key has it.
    pub(crate) of_word: fn(u128) -> Option<T>,
    /// Codes ascending keys.
    pub(crate) code: fn(&[T]) -> Result<CodedKeys<T>, SolveError>,
    /// Codes ascending keys as they come: see [`CodedKeys::coded_in`].
    pub(crate) code_in: CodeIn<T>,
    /// Lists coded keys.
    pub(crate) list: fn(&CodedKeys<T>) -> Result<Vec<T>, SolveError>,
    /// The two arrays of coded keys, as bytes.
    pub(crate) coded_bytes: fn(&CodedKeys<T>) -> [&[u8]; 2],
    /// Coded keys with this many keys and words: see [`CodedKeys::read`].
    pub(crate) read_coded: ReadCoded<T>,
}

/// See [`RawKeys::code_in`]. The last argument hands each key to the function that it gets.
type CodeIn<T> = fn(
    Option<&Arc<KeyFiles>>,
    u64,
    u64,
    &dyn Fn(&mut dyn FnMut(T)),
) -> Result<CodedKeys<T>, SolveError>;

/// See [`RawKeys::read_coded`].
type ReadCoded<T> =
    fn([u64; 2], Option<&Arc<KeyFiles>>, ReadArray<'_>) -> Result<Option<CodedKeys<T>>, SolveError>;

impl<T: CodedKey> RawKeys<T> {
    pub(super) const fn new(
        zero: T,
        to_word: fn(&T) -> u128,
        of_word: fn(u128) -> Option<T>,
    ) -> RawKeys<T> {
        let (bytes, bytes_mut) = (bytemuck::cast_slice, bytemuck::cast_slice_mut);
        let (code, coded_bytes) = (CodedKeys::of, CodedKeys::arrays);
        let code_in: CodeIn<T> = |files, len, bytes, add| {
            CodedKeys::coded_in(files, len, bytes, |coder| add(&mut |key| coder.push(key)))
        };
        let (list, read_coded) = (CodedKeys::list, CodedKeys::read);
        RawKeys {
            zero,
            bytes,
            bytes_mut,
            to_word,
            of_word,
            code,
            code_in,
            list,
            coded_bytes,
            read_coded,
        }
    }
}

impl<T: Clone> RawKeys<T> {
    /// This many zero keys, to be overwritten.
    ///
    /// # Errors
    /// When there is no memory for them.
    pub(crate) fn zeroed(&self, len: u64) -> Result<Vec<T>, SolveError> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let failed = |_| SolveError::OutOfMemory { what: "the discovered states", bytes };
        let mut keys = Vec::new();
        keys.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX)).map_err(failed)?;
        keys.resize(len as usize, self.zero.clone());
        Ok(keys)
    }
}
