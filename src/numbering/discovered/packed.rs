//! All keys of packed states, and how one is found among them.

use std::ops::Range;

use crate::error::SolveError;
use crate::numbering::discovered::directory::KeyDirectory;
use crate::numbering::discovered::{CodedKeys, CodedLookup, FoundKeys, KeyLookup};

/// All keys of packed states in ascending order.
#[derive(Debug)]
pub enum PackedLookup<K> {
    /// As they are: 8 or 16 bytes each, and half a byte to a byte to find them.
    Listed { keys: Vec<K>, directory: KeyDirectory<K> },
    /// Coded: one to two bytes each. Finding one takes up to twice as long.
    Coded(CodedLookup<K>),
}

macro_rules! lookup {
    ($key:ty) => {
        impl PackedLookup<$key> {
            /// A lookup among these keys. More of them than a directory can have are coded.
            ///
            /// # Errors
            /// When there is no memory for it.
            #[inline(never)]
            pub(crate) fn of(keys: FoundKeys<$key>) -> Result<PackedLookup<$key>, SolveError> {
                let coded = match keys {
                    FoundKeys::Coded(coded) => coded,
                    FoundKeys::Listed(keys) if u32::try_from(keys.len()).is_err() => {
                        CodedKeys::of(&keys)?
                    }
                    FoundKeys::Listed(keys) => {
                        let directory = KeyDirectory::<$key>::of(&keys)?;
                        return Ok(PackedLookup::Listed { keys, directory });
                    }
                };
                Ok(PackedLookup::Coded(CodedLookup::of(coded)?))
            }
        }

        impl KeyLookup<$key> for PackedLookup<$key> {
            #[inline]
            fn len(&self) -> u64 {
                match self {
                    PackedLookup::Listed { keys, .. } => keys.len() as u64,
                    PackedLookup::Coded(coded) => coded.keys().len(),
                }
            }

            #[inline]
            fn find(&self, key: &$key) -> Option<u64> {
                match self {
                    PackedLookup::Listed { keys, directory } => directory.find(keys, *key),
                    PackedLookup::Coded(coded) => coded.find(*key),
                }
            }

            fn find_all(&self, keys: &[$key], places: &mut [u64]) {
                match self {
                    PackedLookup::Listed { keys: all, directory } => {
                        directory.find_all(all, keys, places);
                    }
                    PackedLookup::Coded(coded) => coded.find_all(keys, places),
                }
            }

            #[inline]
            fn with_key<T>(&self, place: u64, work: impl FnOnce(&$key) -> T) -> Option<T> {
                let key = match self {
                    PackedLookup::Listed { keys, .. } => keys.get(place as usize).copied(),
                    PackedLookup::Coded(coded) => coded.keys().get(place),
                };
                key.as_ref().map(work)
            }

            #[inline]
            fn each(&self, places: Range<u64>, mut visit: impl FnMut(u64, &$key)) {
                match self {
                    PackedLookup::Listed { keys, .. } => {
                        let keys = &keys[places.start as usize..places.end as usize];
                        places.zip(keys).for_each(|(place, key)| visit(place, key));
                    }
                    PackedLookup::Coded(coded) => {
                        coded.keys().each(places, |place, key| visit(place, &key));
                    }
                }
            }

            fn is_coded(&self) -> bool {
                matches!(self, PackedLookup::Coded(_))
            }

            fn bytes(&self) -> u64 {
                match self {
                    PackedLookup::Listed { keys, directory } => {
                        (keys.capacity() * size_of::<$key>()) as u64 + directory.bytes()
                    }
                    PackedLookup::Coded(coded) => coded.bytes(),
                }
            }

            fn into_keys(self) -> FoundKeys<$key> {
                match self {
                    PackedLookup::Listed { keys, .. } => FoundKeys::Listed(keys),
                    PackedLookup::Coded(coded) => FoundKeys::Coded(coded.into_keys()),
                }
            }
        }
    };
}

lookup!(u64);
lookup!(u128);
