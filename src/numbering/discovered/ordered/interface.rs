//! The keys of a search in ascending order, as the search sees them.

use std::ops::Range;
use std::sync::Arc;

use crate::error::SolveError;
use crate::numbering::discovered::ordered::{AllRuns, BucketRuns};
use crate::numbering::discovered::{CodedKeys, KeyFiles};

/// The difference that a change of a bucket makes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// How many more keys are known.
    pub(crate) keys: u64,
    /// The bytes that were and are taken.
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// The room for the keys of a search.
#[derive(Clone, Debug, Default)]
pub struct KeyRoom {
    /// The most bytes of gathered keys.
    pub(crate) gathering: u64,
    /// Where the others go once memory is short.
    pub(crate) files: Option<Arc<KeyFiles>>,
}

/// The keys of a search, in ascending order.
pub trait OrderedKeys<K>: Sized + Send + Sync {
    /// Whether keys of this type have a code.
    const HAVE_CODE: bool;

    /// A set without keys in this room; `None` if keys of this type have no code.
    fn new(room: &KeyRoom) -> Option<Self>;

    /// A set of the keys of earlier plies, of the ply that is expanded, and of those found in it.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn of(keys: [Vec<K>; 3], room: &KeyRoom) -> Option<Result<Self, SolveError>>;

    /// The number of buckets.
    fn buckets(&self) -> usize;

    /// Whether there are gathered keys.
    fn has_gathered(&self) -> bool;

    /// The bucket of a key.
    fn bucket_of(&self, key: &K) -> usize;

    /// Gathers keys of a bucket.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn gather(&self, bucket: usize, keys: &[K]) -> Result<Change, SolveError>;

    /// Adds the gathered keys of a bucket to those that are known, and ends the ply if `ends`.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn settle(&self, bucket: usize, ends: bool) -> Result<Change, SolveError>;

    /// The number of keys of earlier plies in a bucket, and of those of the ply that is expanded.
    fn lens(&self, bucket: usize) -> [u64; 2];

    /// The number of all known keys.
    fn len(&self) -> u64;

    /// Copies the keys at some places of the ply that is expanded.
    fn copy(&self, bucket: usize, places: Range<usize>, copies: &mut Vec<K>);

    /// Whether the buckets differ so much, or are so few, that they are cut anew.
    fn is_uneven(&self) -> bool;

    /// The bounds of buckets that are about equal.
    fn even_bounds(&self) -> Vec<K>;

    /// The bucket number `bucket` of a set with these bounds, cut out of this set.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn cut(&self, bounds: &[K], bucket: usize) -> Result<[CodedKeys<K>; 3], SolveError>;

    /// This set with these bounds and the buckets that were [`cut`](OrderedKeys::cut) for them. No
    /// key may be gathered.
    fn recut(&self, bounds: Vec<K>, buckets: Vec<[CodedKeys<K>; 3]>) -> Self;

    /// The bounds of the buckets and the runs of each. No key may be gathered.
    fn runs(&mut self) -> (&[K], AllRuns<'_, K>);

    /// A set with these bounds and [`runs`](OrderedKeys::runs); `None` if they can't be those of a
    /// set. Files are not trusted.
    fn of_runs(bounds: Vec<K>, runs: Vec<BucketRuns<Vec<CodedKeys<K>>>>) -> Option<Self>;

    /// The known keys that `is_kept` accepts: those of earlier plies, of the ply that is expanded, and
    /// those found in it. No key may be gathered.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn kept(
        &self,
        is_kept: &dyn Fn(&K) -> bool,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<[CodedKeys<K>; 3], SolveError>;

    /// A set of all keys that were [`kept`](OrderedKeys::kept) of others; `None` if one is there
    /// twice.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn joined(
        parts: Vec<[CodedKeys<K>; 3]>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<Option<Self>, SolveError>;

    /// Sets the room for the keys.
    fn set_room(&mut self, room: &KeyRoom);

    /// The memory of the keys, in bytes.
    fn bytes(&self) -> u64;

    /// All keys. No key is gathered any longer.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn into_keys(self) -> Result<CodedKeys<K>, SolveError>;

    /// All keys as they are, listed by `threads` threads. No key is gathered any longer.
    ///
    /// # Errors
    /// If there is no memory for them.
    fn into_list(self, threads: usize) -> Result<Vec<K>, SolveError>;
}
