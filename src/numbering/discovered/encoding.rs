//! The encodings of discovered states: as they are, or packed into 8 or 16 bytes.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use bytemuck::Pod;
use hashbrown::{DefaultHashBuilder, HashTable};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::SolveError;
use crate::game::packed_word::Word as _;
use crate::game::{Game, PackedState};
use crate::numbering::discovered::directory::KeyDirectory;
use crate::numbering::discovered::{KeyList, MappedKeys};
use crate::numbering::kind::StateForm;
use crate::runtime::sort::sort_by;

/// How discovered states are stored in memory and in files, and how they are found.
pub trait Encoding<G: Game>: 'static {
    /// The stored form of a state.
    type Key: Clone + Ord + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// A list of keys while states are discovered.
    type Keys: KeyList<Self::Key>;

    /// Finds the index of a key in the sorted list of all keys.
    type Lookup: Send + Sync;

    /// The form of the states in files.
    const FORM: StateForm;

    /// Reads and writes keys as raw bytes, if they have a fixed width.
    const RAW: Option<RawKeys<Self::Key>>;

    /// The stored form of a state; `None` if this encoding has none for it.
    fn encode(game: &G, state: G::State) -> Option<Self::Key>;

    /// The state with this stored form.
    fn decode(game: &G, key: &Self::Key) -> G::State;

    /// Calls `work` with the state that has this stored form.
    #[inline]
    fn with_state<T>(game: &G, key: &Self::Key, work: impl FnOnce(&G::State) -> T) -> T {
        work(&Self::decode(game, key))
    }

    /// Whether this is the stored form of a state. Files are not trusted.
    fn is_key(game: &G, key: &Self::Key) -> bool {
        let _ = (game, key);
        true
    }

    /// Sorts keys.
    fn sort(keys: &mut [Self::Key], threads: usize);

    /// Sorts keys, each with a number.
    fn sort_numbered(keys: &mut [(Self::Key, u32)], threads: usize);

    /// A lookup among these sorted keys.
    ///
    /// # Errors
    /// When there are too many keys, or there is no memory for the lookup.
    fn lookup(keys: &[Self::Key]) -> Result<Self::Lookup, SolveError>;

    /// The index of a key in `keys`, for which the lookup was made.
    fn find(lookup: &Self::Lookup, keys: &[Self::Key], key: &Self::Key) -> Option<u64>;

    /// The memory that the lookup takes, in bytes.
    fn lookup_bytes(lookup: &Self::Lookup) -> u64;
}

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
}

impl<T: Pod> RawKeys<T> {
    const fn new(zero: T, to_word: fn(&T) -> u128, of_word: fn(u128) -> Option<T>) -> RawKeys<T> {
        let (bytes, bytes_mut) = (bytemuck::cast_slice, bytemuck::cast_slice_mut);
        RawKeys { zero, bytes, bytes_mut, to_word, of_word }
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

/// States are stored as they are, and found by their hash.
#[derive(Clone, Copy, Debug)]
pub enum Unpacked {}

/// Finds the index of a key by its hash.
#[derive(Debug)]
pub struct HashLookup {
    indices: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<G: Game> Encoding<G> for Unpacked
where
    G::State: Hash + Ord + Serialize + DeserializeOwned,
{
    const FORM: StateForm = StateForm::Unpacked;
    type Key = G::State;
    type Keys = Vec<G::State>;
    type Lookup = HashLookup;
    const RAW: Option<RawKeys<G::State>> = None;

    #[inline]
    fn encode(_: &G, state: G::State) -> Option<G::State> {
        Some(state)
    }

    #[inline]
    fn decode(_: &G, key: &G::State) -> G::State {
        key.clone()
    }

    #[inline]
    fn with_state<T>(_: &G, key: &G::State, work: impl FnOnce(&G::State) -> T) -> T {
        work(key)
    }

    fn sort(keys: &mut [G::State], threads: usize) {
        sort_by(keys, threads, G::State::cmp);
    }

    fn sort_numbered(keys: &mut [(G::State, u32)], threads: usize) {
        sort_by(keys, threads, |(one, _), (other, _)| one.cmp(other));
    }

    fn lookup(keys: &[G::State]) -> Result<HashLookup, SolveError> {
        let hasher = DefaultHashBuilder::default();
        let mut indices = HashTable::new();
        // The table is empty, so making room hashes nothing again.
        indices.try_reserve(keys.len(), |_| 0).map_err(|_| SolveError::OutOfMemory {
            what: "finding the discovered states",
            bytes: keys.len() as u64 * 8,
        })?;
        for (index, key) in keys.iter().enumerate() {
            let index = u32::try_from(index).map_err(|_| SolveError::TooManyStates)?;
            indices.insert_unique(hasher.hash_one(key), index, |_| 0);
        }
        Ok(HashLookup { indices, hasher })
    }

    #[inline]
    fn find(lookup: &HashLookup, keys: &[G::State], key: &G::State) -> Option<u64> {
        let hash = lookup.hasher.hash_one(key);
        let index = lookup.indices.find(hash, |&index| keys[index as usize] == *key)?;
        Some(u64::from(*index))
    }

    fn lookup_bytes(lookup: &HashLookup) -> u64 {
        lookup.indices.allocation_size() as u64
    }
}

/// States are packed into `K`, 8 or 16 bytes, and found through a [`KeyDirectory`].
#[derive(Clone, Copy, Debug)]
pub struct PackedIn<K>(std::convert::Infallible, std::marker::PhantomData<K>);

/// Sorting of packed keys, compiled once and not for each game.
trait SortedKey: Sized {
    fn sort(keys: &mut [Self], threads: usize);
    fn sort_numbered(keys: &mut [(Self, u32)], threads: usize);
}

macro_rules! packed {
    ($key:ty, $form:ident) => {
        impl SortedKey for $key {
            #[inline(never)]
            fn sort(keys: &mut [$key], threads: usize) {
                sort_by(keys, threads, <$key>::cmp);
            }

            #[inline(never)]
            fn sort_numbered(keys: &mut [($key, u32)], threads: usize) {
                sort_by(keys, threads, |(one, _), (other, _)| one.cmp(other));
            }
        }

        impl<G: PackedState> Encoding<G> for PackedIn<$key> {
            const FORM: StateForm = StateForm::$form;
            type Key = $key;
            type Keys = MappedKeys<$key>;
            type Lookup = KeyDirectory<$key>;
            const RAW: Option<RawKeys<$key>> =
                Some(RawKeys::new(0, |&key| u128::from(key), |word| <$key>::try_from(word).ok()));

            #[inline]
            fn encode(game: &G, state: G::State) -> Option<$key> {
                <$key>::try_from(game.pack(&state).to_u128()).ok()
            }

            #[inline]
            fn decode(game: &G, key: &$key) -> G::State {
                game.unpack(G::Word::of_u128(u128::from(*key)))
            }

            fn is_key(game: &G, key: &$key) -> bool {
                let word = G::Word::of_u128(u128::from(*key));
                word.to_u128() == u128::from(*key) && game.is_packed(word)
            }

            fn sort(keys: &mut [$key], threads: usize) {
                <$key>::sort(keys, threads);
            }

            fn sort_numbered(keys: &mut [($key, u32)], threads: usize) {
                <$key>::sort_numbered(keys, threads);
            }

            fn lookup(keys: &[$key]) -> Result<KeyDirectory<$key>, SolveError> {
                KeyDirectory::<$key>::of(keys)
            }

            #[inline]
            fn find(directory: &KeyDirectory<$key>, keys: &[$key], key: &$key) -> Option<u64> {
                directory.find(keys, *key)
            }

            fn lookup_bytes(directory: &KeyDirectory<$key>) -> u64 {
                directory.bytes()
            }
        }
    };
}

packed!(u64, Packed8);
packed!(u128, Packed16);
