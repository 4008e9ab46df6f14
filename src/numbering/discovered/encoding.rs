//! The encodings of discovered states: as they are, or packed into 8 or 16 bytes.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::SolveError;
use crate::game::packed_word::Word as _;
use crate::game::{Game, PackedState};
use crate::numbering::discovered::{
    FoundKeys, KeyList, KeyLookup, MappedKeys, Ordered, OrderedKeys, PackedLookup, RawKeys,
    Unordered,
};
use crate::numbering::kind::StateForm;
use crate::runtime::sort::sort_by;

/// How discovered states are stored in memory and in files, and how they are found.
pub trait Encoding<G: Game>: 'static {
    /// The stored form of a state.
    type Key: Clone + Ord + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// A list of keys while states are discovered.
    type Keys: KeyList<Self::Key>;

    /// The keys of a search in ascending order.
    type Ordered: OrderedKeys<Self::Key>;

    /// All keys in ascending order, and how one is found among them.
    type Lookup: KeyLookup<Self::Key>;

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
    fn lookup(keys: FoundKeys<Self::Key>) -> Result<Self::Lookup, SolveError>;
}

/// States are stored as they are, and found by their hash.
#[derive(Clone, Copy, Debug)]
pub enum Unpacked {}

/// Sorted keys, of which one is found by its hash.
#[derive(Debug)]
pub struct HashLookup<K> {
    keys: Vec<K>,
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
    type Ordered = Unordered;
    type Lookup = HashLookup<G::State>;
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

    fn lookup(keys: FoundKeys<G::State>) -> Result<HashLookup<G::State>, SolveError> {
        let keys = match keys {
            FoundKeys::Listed(keys) => keys,
            FoundKeys::Coded(_) => Vec::new(),
        };
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
        Ok(HashLookup { keys, indices, hasher })
    }
}

impl<K: Hash + Eq + Send + Sync> KeyLookup<K> for HashLookup<K> {
    fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    #[inline]
    fn find(&self, key: &K) -> Option<u64> {
        let hash = self.hasher.hash_one(key);
        let index = self.indices.find(hash, |&index| self.keys[index as usize] == *key)?;
        Some(u64::from(*index))
    }

    #[inline]
    fn with_key<T>(&self, place: u64, work: impl FnOnce(&K) -> T) -> Option<T> {
        self.keys.get(place as usize).map(work)
    }

    #[inline]
    fn each(&self, places: Range<u64>, mut visit: impl FnMut(u64, &K)) {
        let keys = &self.keys[places.start as usize..places.end as usize];
        places.zip(keys).for_each(|(place, key)| visit(place, key));
    }

    fn bytes(&self) -> u64 {
        (self.keys.capacity() * size_of::<K>() + self.indices.allocation_size()) as u64
    }

    fn into_keys(self) -> FoundKeys<K> {
        FoundKeys::Listed(self.keys)
    }
}

/// States are packed into `K`, 8 or 16 bytes, and found through a [`PackedLookup`].
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
            type Ordered = Ordered<$key>;
            type Lookup = PackedLookup<$key>;
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

            fn lookup(keys: FoundKeys<$key>) -> Result<PackedLookup<$key>, SolveError> {
                PackedLookup::<$key>::of(keys)
            }
        }
    };
}

packed!(u64, Packed8);
packed!(u128, Packed16);
