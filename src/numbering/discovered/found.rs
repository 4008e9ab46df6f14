//! All keys of a search, and how one is found among them.

use std::ops::Range;

use crate::error::SolveError;
use crate::numbering::discovered::directory::NOWHERE;
use crate::numbering::discovered::{CodedKeys, RawKeys};

/// All keys in ascending order, and how one is found among them.
pub trait KeyLookup<K>: Send + Sync {
    /// The number of keys.
    fn len(&self) -> u64;

    /// The place of a key.
    fn find(&self, key: &K) -> Option<u64>;

    /// Finds many keys: writes the place of each, or [`NOWHERE`], into `places`. If they are not in
    /// the caches, they are found sooner than one by one.
    fn find_all(&self, keys: &[K], places: &mut [u64]) {
        for (key, place) in keys.iter().zip(places) {
            *place = self.find(key).unwrap_or(NOWHERE);
        }
    }

    /// Calls `work` with the key at a place.
    fn with_key<T>(&self, place: u64, work: impl FnOnce(&K) -> T) -> Option<T>;

    /// Visits the keys at some places in ascending order.
    fn each(&self, places: Range<u64>, visit: impl FnMut(u64, &K));

    /// Whether the keys are coded, so that finding one takes longer.
    fn is_coded(&self) -> bool {
        false
    }

    /// The memory of the keys and the lookup, in bytes.
    fn bytes(&self) -> u64;

    /// The keys without the lookup.
    fn into_keys(self) -> FoundKeys<K>;
}

/// All keys in ascending order, once they are found.
#[derive(Debug)]
pub enum FoundKeys<K> {
    /// As they are.
    Listed(Vec<K>),
    /// Coded, as only packed states are.
    Coded(CodedKeys<K>),
}

impl<K> FoundKeys<K> {
    /// The keys as they are, in which one is found sooner than among coded ones.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn listed(self, raw: Option<RawKeys<K>>) -> Result<FoundKeys<K>, SolveError> {
        match (raw, self) {
            (Some(raw), FoundKeys::Coded(keys)) => Ok(FoundKeys::Listed((raw.list)(&keys)?)),
            (_, keys) => Ok(keys),
        }
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> u64 {
        match self {
            FoundKeys::Listed(keys) => keys.len() as u64,
            FoundKeys::Coded(keys) => keys.len(),
        }
    }
}

impl<K> Default for FoundKeys<K> {
    fn default() -> Self {
        FoundKeys::Listed(Vec::new())
    }
}
