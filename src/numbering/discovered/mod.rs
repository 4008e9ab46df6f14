//! Discovered states: how they are stored, sorted and found.

mod coded;
mod directory;
mod encoding;
mod found;
mod keys;
mod ordered;
mod packed;
mod raw;
mod sorted;
mod window;

pub(crate) use coded::{CodedKey, CodedKeys, CodedLookup, Coder, Cursor, ReadArray};
pub(crate) use directory::NOWHERE;
pub(crate) use encoding::{Encoding, PackedIn, Unpacked};
pub(crate) use found::{FoundKeys, KeyForm, KeyLookup, bytes_of_coded, bytes_to_find_coded};
pub(crate) use keys::{KeyFiles, KeyList, MappedKeys};
pub(crate) use ordered::{
    BucketRuns, Change, KeyRoom, MOST_BUCKETS, Ordered, OrderedKeys, Unordered,
};
pub(crate) use packed::PackedLookup;
pub(crate) use raw::RawKeys;
pub(crate) use sorted::{ListedStates, Sorted};
pub(crate) use window::{FindKeys, ForeignKey, KeyWindow, Location};
