//! How the states of an explored game are kept.

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash};

use bytemuck::Pod;
use hashbrown::{DefaultHashBuilder, HashTable};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::SolveError;
use crate::game::{Game, Packed};
use crate::numbering::NumberingKind;
use crate::numbering::explored::directory::Directory;

/// How the states of an explored game are kept: as they are ([`Whole`]), or packed into 8 or 16
/// bytes (`u64`, `u128`). Those are all there are.
pub trait Keeping<G: Game> {
    /// What the file calls it.
    const KIND: NumberingKind;

    /// What is kept of a state.
    type Key: Clone + Ord + Hash + Debug + Send + Sync;

    /// What finds the place of a key among all, sorted.
    type Finder: Send + Sync;

    /// Keys as bytes, where they are nothing more.
    const PLAIN: Option<Plain<Self::Key>>;

    /// Makes sure that the game can be kept in this way.
    ///
    /// # Errors
    /// When its states are too wide.
    fn check(game: &G) -> Result<(), SolveError>;

    /// What is kept of a state.
    fn key(game: &G, state: &G::State) -> Self::Key;

    /// The state of which that is kept.
    fn state(game: &G, key: &Self::Key) -> G::State;

    /// A finder for these keys, which are sorted.
    ///
    /// # Errors
    /// When there are too many, or there is no memory for it.
    fn finder(keys: &[Self::Key]) -> Result<Self::Finder, SolveError>;

    /// The place of a key among those that the finder was made for.
    fn find(finder: &Self::Finder, keys: &[Self::Key], key: &Self::Key) -> Option<u64>;

    /// How much memory the finder takes, in bytes.
    fn finder_bytes(finder: &Self::Finder) -> u64;
}

/// What a state is packed into: `u64` or `u128`.
pub trait Word: Pod + Ord + Hash + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// Such numbers as bytes.
    const PLAIN: Plain<Self>;

    /// What the file of a tier calls a numbering of packed states.
    fn tier(tier: u32) -> NumberingKind;
}

/// Keys of a fixed width, which can be kept and read as the bytes that they are in memory.
#[derive(Clone, Copy, Debug)]
pub struct Plain<T> {
    zero: T,
    pub(crate) bytes: fn(&[T]) -> &[u8],
    pub(crate) bytes_mut: fn(&mut [T]) -> &mut [u8],
}

impl<T: Clone> Plain<T> {
    /// So many keys, to be overwritten.
    pub(crate) fn zeroed(&self, len: u64) -> Result<Vec<T>, SolveError> {
        let bytes = len.saturating_mul(size_of::<T>() as u64);
        let failed = |_| SolveError::OutOfMemory { what: "the discovered states", bytes };
        let mut keys = Vec::new();
        keys.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX)).map_err(failed)?;
        keys.resize(len as usize, self.zero.clone());
        Ok(keys)
    }
}

/// States are kept as they are, and found by their hash.
#[derive(Clone, Copy, Debug)]
pub enum Whole {}

/// Places of keys, to be found by the hash of the key that stands there.
pub struct Hashed {
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<G: Game> Keeping<G> for Whole
where
    G::State: Hash + Ord,
{
    const KIND: NumberingKind = NumberingKind::Explored;
    type Key = G::State;
    type Finder = Hashed;
    const PLAIN: Option<Plain<G::State>> = None;

    fn check(_: &G) -> Result<(), SolveError> {
        Ok(())
    }

    #[inline]
    fn key(_: &G, state: &G::State) -> G::State {
        state.clone()
    }

    #[inline]
    fn state(_: &G, key: &G::State) -> G::State {
        key.clone()
    }

    fn finder(keys: &[G::State]) -> Result<Hashed, SolveError> {
        let hasher = DefaultHashBuilder::default();
        let mut places = HashTable::new();
        // The table is empty, so that nothing has to be hashed again to make room.
        places.try_reserve(keys.len(), |_| 0).map_err(|_| SolveError::OutOfMemory {
            what: "finding the discovered states",
            bytes: keys.len() as u64 * 8,
        })?;
        for (place, key) in keys.iter().enumerate() {
            let place = u32::try_from(place).map_err(|_| SolveError::TooManyStates)?;
            places.insert_unique(hasher.hash_one(key), place, |_| 0);
        }
        Ok(Hashed { places, hasher })
    }

    #[inline]
    fn find(finder: &Hashed, keys: &[G::State], key: &G::State) -> Option<u64> {
        let hash = finder.hasher.hash_one(key);
        let place = finder.places.find(hash, |&place| keys[place as usize] == *key)?;
        Some(u64::from(*place))
    }

    fn finder_bytes(finder: &Hashed) -> u64 {
        finder.places.allocation_size() as u64
    }
}

macro_rules! packed {
    ($key:ty, $kind:ident, $tier:ident) => {
        impl Word for $key {
            const PLAIN: Plain<$key> =
                Plain { zero: 0, bytes: bytemuck::cast_slice, bytes_mut: bytemuck::cast_slice_mut };

            fn tier(tier: u32) -> NumberingKind {
                NumberingKind::$tier(tier)
            }
        }

        impl<G: Packed> Keeping<G> for $key {
            const KIND: NumberingKind = NumberingKind::$kind;
            type Key = $key;
            type Finder = Directory<$key>;
            const PLAIN: Option<Plain<$key>> = Some(<$key as Word>::PLAIN);

            fn check(game: &G) -> Result<(), SolveError> {
                let (bits, room) = (game.bits(), <$key>::BITS);
                if bits > room { Err(SolveError::TooWide { bits, room }) } else { Ok(()) }
            }

            #[inline]
            fn key(game: &G, state: &G::State) -> $key {
                game.pack(state) as $key
            }

            #[inline]
            fn state(game: &G, key: &$key) -> G::State {
                game.unpack(u128::from(*key))
            }

            fn finder(keys: &[$key]) -> Result<Directory<$key>, SolveError> {
                Directory::<$key>::of(keys)
            }

            #[inline]
            fn find(directory: &Directory<$key>, keys: &[$key], key: &$key) -> Option<u64> {
                directory.find(keys, *key)
            }

            fn finder_bytes(directory: &Directory<$key>) -> u64 {
                directory.bytes()
            }
        }
    };
}

packed!(u64, Packed8, TierPacked8);
packed!(u128, Packed16, TierPacked16);
