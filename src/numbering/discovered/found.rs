//! All keys of a search, and how one is found among them.

use std::ops::Range;
use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::directory::NOWHERE;
use crate::numbering::discovered::{CodedKeys, KeyFiles, RawKeys};

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

/// The memory that this many coded keys take, in bytes: about, since that is only known once they are coded.
/// They take 1 to 2 each in most games.
pub(crate) fn bytes_of_coded(keys: u64) -> u64 {
    keys.saturating_mul(2).saturating_add(bytes_to_find_coded(keys))
}

/// The most memory of that which stays there where the keys are in scratch files: what finds one among them.
pub(crate) fn bytes_to_find_coded(keys: u64) -> u64 {
    keys / 4
}

/// How the keys of discovered states stand, for a lookup.
#[derive(Clone, Debug, Default)]
pub(crate) enum KeyForm {
    /// As they are, in which one is found soonest.
    #[default]
    Listed,
    /// Coded, if they have a code: in scratch files where these are used.
    Coded(Option<Arc<KeyFiles>>),
}

impl KeyForm {
    /// How small the keys are in memory: least of all in scratch files.
    pub(crate) fn smallness(&self) -> u8 {
        match self {
            KeyForm::Listed => 0,
            KeyForm::Coded(None) => 1,
            KeyForm::Coded(Some(_)) => 2,
        }
    }

    /// The scratch files in which the keys may be.
    pub(crate) fn files(&self) -> Option<&Arc<KeyFiles>> {
        match self {
            KeyForm::Listed => None,
            KeyForm::Coded(files) => files.as_ref(),
        }
    }
}

impl<K> FoundKeys<K> {
    /// The keys in a form. Those that are listed stay so.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(crate) fn in_form(
        self,
        form: &KeyForm,
        raw: Option<RawKeys<K>>,
    ) -> Result<FoundKeys<K>, SolveError> {
        match (form, raw, self) {
            (KeyForm::Listed, Some(raw), FoundKeys::Coded(keys)) => {
                Ok(FoundKeys::Listed((raw.list)(&keys)?))
            }
            (_, _, keys) => Ok(keys),
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
