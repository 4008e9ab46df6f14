//! The states that a search has found: in hash tables, or in ascending order.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::SolveError;
use crate::explore::budget::{Budget, Refused};
use crate::explore::course::Course;
use crate::explore::ranges::ShardRange;
use crate::explore::shards::{Extras, SHARDS, Shards};
use crate::numbering::discovered::{
    BucketRuns, Change, CodedKeys, Encoding, KeyList, MOST_BUCKETS, OrderedKeys, RawKeys,
};
use crate::runtime::Cancelled;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::runtime::saved_array::SavedArray;

const _: () = assert!(MOST_BUCKETS <= SHARDS);

/// The states of a game that are discovered so far, in an encoding.
pub(super) type StatesOf<G, K> =
    States<<K as Encoding<G>>::Key, <K as Encoding<G>>::Keys, <K as Encoding<G>>::Ordered>;

/// The states that a search has found.
pub(super) enum States<K, L, O> {
    /// In hash tables. Recorded moves name states by their places there.
    Hashed(Shards<K, L>),
    /// In ascending order, which takes a fraction of the memory.
    Ordered(OrderedStates<O>),
}

/// The figures of a set of states.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SetFigures {
    /// Of states in order. The arrays are those of the runs.
    Ordered {
        /// The bounds between the buckets of keys, as numbers.
        bounds: Vec<u128>,
        /// The runs of each bucket: how many keys and words they have.
        runs: Vec<BucketRuns<Vec<[u64; 2]>>>,
    },
    /// Of states in hash tables: how many were expanded, and how many others there are. The arrays are
    /// lists of keys.
    Hashed([u64; 2]),
}

/// The states of a tier in a saved search.
pub(crate) enum SavedSet<K, O> {
    /// In order.
    Ordered(O),
    /// Those that were expanded, and the others, as they stood in hash tables.
    Hashed([Vec<Vec<K>>; 2]),
}

impl<K, O: OrderedKeys<K>> SavedSet<K, O> {
    /// The number of states that were expanded, and of all.
    pub(super) fn lens(&self) -> [u64; 2] {
        match self {
            SavedSet::Ordered(keys) => {
                let expanded = (0..keys.buckets()).map(|bucket| keys.lens(bucket)[0]).sum();
                [expanded, keys.len()]
            }
            SavedSet::Hashed(lists) => {
                let [expanded, others] =
                    lists.each_ref().map(|lists| lists.iter().map(|it| it.len() as u64).sum());
                [expanded, expanded + others]
            }
        }
    }
}

/// States in ascending order, and the memory that they may take.
pub(super) struct OrderedStates<O> {
    keys: O,
    budget: Arc<Budget>,
}

impl<O> OrderedStates<O> {
    /// All states.
    pub(super) fn into_keys<K>(self) -> Result<CodedKeys<K>, SolveError>
    where
        O: OrderedKeys<K>,
    {
        self.budget.give_back(self.keys.bytes());
        self.keys.into_keys()
    }

    /// All states as they are.
    pub(super) fn into_list<K>(self, threads: usize) -> Result<Vec<K>, SolveError>
    where
        O: OrderedKeys<K>,
    {
        self.budget.give_back(self.keys.bytes());
        self.keys.into_list(threads)
    }

    /// The number of states.
    pub(super) fn len<K>(&self) -> u64
    where
        O: OrderedKeys<K>,
    {
        self.keys.len()
    }

    /// Takes or gives back the memory of a change.
    fn note(&self, changed: Result<Change, SolveError>) -> Result<(), Refused> {
        let Change { keys, before, after } = changed.map_err(refused)?;
        self.budget.give_back(before);
        self.budget.take_in_order(after)?;
        self.budget.add_states(keys)
    }
}

/// Why the system refused memory.
fn refused(error: SolveError) -> Refused {
    match error {
        SolveError::OutOfMemory { bytes, .. } => Refused::OutOfMemory(bytes),
        SolveError::Scratch { needed, .. } => Refused::Memory(needed),
        _ => Refused::TooMany,
    }
}

impl<K, L, O> States<K, L, O>
where
    K: Hash + Eq + Clone + Send + Sync,
    L: KeyList<K>,
    O: OrderedKeys<K>,
{
    /// No states yet. They are kept in ascending order if `ordered` is true and the keys have a
    /// code.
    pub(super) fn new(ordered: bool, budget: &Arc<Budget>) -> Self {
        match O::new(budget.room()).filter(|_| ordered) {
            Some(keys) => States::Ordered(OrderedStates { keys, budget: Arc::clone(budget) }),
            None => States::Hashed(Shards::new(budget)),
        }
    }

    fn budget(&self) -> Arc<Budget> {
        match self {
            States::Hashed(shards) => Arc::clone(shards.budget()),
            States::Ordered(states) => Arc::clone(&states.budget),
        }
    }

    /// Whether the states can be put in order, and are not yet.
    pub(super) fn can_be_ordered(&self) -> bool {
        O::HAVE_CODE && matches!(self, States::Hashed(_))
    }

    /// The shard of a key, and the hash that it is inserted with.
    #[inline(always)]
    pub(super) fn place_of(&self, key: &K) -> (usize, u64) {
        match self {
            States::Hashed(shards) => {
                let hash = shards.hash(key);
                (shards.shard_of(hash), hash)
            }
            States::Ordered(states) => (states.keys.bucket_of(key), 0),
        }
    }

    /// Inserts keys of one shard, and empties `keys`. See [`Shards::insert`].
    pub(super) fn insert(
        &self,
        shard: usize,
        keys: &mut Vec<K>,
        extras: &mut Extras,
    ) -> Result<(), Refused> {
        match self {
            States::Hashed(shards) => shards.insert(shard, keys, extras),
            States::Ordered(states) => {
                let noted = states.note(states.keys.gather(shard, keys));
                keys.clear();
                extras.clear();
                noted
            }
        }
    }

    /// Whether the states are in order.
    pub(super) fn is_in_order(&self) -> bool {
        matches!(self, States::Ordered(_))
    }

    /// States that were saved. In the course of their search it is noted which of them are to be expanded.
    pub(super) fn of_saved(
        saved: SavedSet<K, O>,
        course: Option<&mut Course>,
        budget: &Arc<Budget>,
    ) -> Result<Self, Refused> {
        match saved {
            SavedSet::Ordered(mut keys) => {
                keys.set_room(budget.room());
                budget.add_states(keys.len())?;
                budget.take_in_order(keys.bytes())?;
                Ok(States::Ordered(OrderedStates { keys, budget: Arc::clone(budget) }))
            }
            SavedSet::Hashed([expanded, others]) => {
                let shards = Shards::new(budget);
                shards.insert_all(expanded)?;
                if let Some(course) = course {
                    course.known = (0..SHARDS).map(|shard| shards.len(shard)).collect();
                }
                shards.insert_all(others)?;
                Ok(States::Hashed(shards))
            }
        }
    }

    /// The number of states. None may be gathered.
    pub(super) fn len(&self) -> u64 {
        match self {
            States::Hashed(shards) => (0..SHARDS).map(|shard| shards.len(shard) as u64).sum(),
            States::Ordered(states) => states.keys.len(),
        }
    }

    /// Puts the states between two plies in order, as [`saved`](States::saved) needs them, if their
    /// keys have a code.
    pub(super) fn make_ready_to_save(
        &mut self,
        course: &Course,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Result<(), Refused>, SolveError> {
        if !O::HAVE_CODE {
            return Ok(Ok(()));
        }
        self.put_in_order(None, pool)?;
        let (budget, expanded, elsewhere) = (self.budget(), course.expanded, course.elsewhere);
        Ok(self.settle(false, |_| budget.exploring(expanded, elsewhere), pool)?)
    }

    /// The figures of the states that are saved; their arrays are added to `arrays`. The course is
    /// that of their search, if they are searched.
    pub(super) fn saved<'s>(
        &'s mut self,
        raw: Option<&RawKeys<K>>,
        course: Option<&Course>,
        arrays: &mut Vec<SavedArray<'s>>,
    ) -> Option<SetFigures>
    where
        K: Serialize,
    {
        let (states, raw) = match (self, raw) {
            (States::Hashed(shards), None) => {
                let others = course.and_then(|course| course.rest.clone());
                return Some(SetFigures::Hashed(shards.saved(others, arrays)));
            }
            (States::Ordered(states), Some(raw)) => (states, raw),
            _ => return None,
        };
        let (bounds, buckets) = states.keys.runs();
        let mut runs = Vec::with_capacity(buckets.len());
        for bucket in buckets {
            runs.push(bucket.map(|runs| {
                let lens = runs.iter().map(|run| {
                    let [heads, words] = (raw.coded_bytes)(run);
                    arrays.extend([heads, words].map(SavedArray::Bytes));
                    [run.len(), words.len() as u64 / 8]
                });
                lens.collect()
            }));
        }
        Some(SetFigures::Ordered { bounds: bounds.iter().map(raw.to_word).collect(), runs })
    }

    /// The memory of the states without hash tables, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            States::Hashed(_) => self.len() * size_of::<K>() as u64,
            States::Ordered(states) => states.keys.bytes(),
        }
    }

    /// Whether there are no states.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            States::Hashed(shards) => shards.is_empty(),
            States::Ordered(states) => !states.keys.has_gathered() && states.keys.len() == 0,
        }
    }

    /// The number of states that were expanded, or are about to be; and these, as places in their
    /// shards. `known` has the number of expanded states in each hash table, and gets that of all.
    pub(super) fn begin_ply(&self, known: &mut [usize]) -> ([u64; 2], Vec<ShardRange>) {
        let (mut ranges, mut counts) = (Vec::new(), [0; 2]);
        for (shard, known) in known.iter_mut().enumerate() {
            let places = match self {
                States::Hashed(shards) => {
                    let found = shards.len(shard);
                    let places = *known..found;
                    *known = found;
                    counts[0] += places.start as u64;
                    places
                }
                States::Ordered(states) => {
                    let [before, frontier] = states.keys.lens(shard);
                    counts[0] += before;
                    0..frontier as usize
                }
            };
            counts[1] += places.len() as u64;
            ranges.push((shard, places));
        }
        ([counts[0], counts[0] + counts[1]], ranges)
    }

    /// Copies the keys at these places of a shard into `copies`.
    pub(super) fn copy(&self, shard: usize, places: Range<usize>, copies: &mut Vec<K>) {
        match self {
            States::Hashed(shards) => shards.copy(shard, places, copies),
            States::Ordered(states) => states.keys.copy(shard, places, copies),
        }
    }

    /// Sorts what was gathered. The states found in this ply become those of the next if `ends`.
    pub(super) fn settle(
        &self,
        ends: bool,
        event: impl Fn(u64) -> Progress,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Result<(), Refused>, Cancelled> {
        let States::Ordered(states) = self else { return Ok(Ok(())) };
        if !ends && !states.keys.has_gathered() {
            return Ok(Ok(()));
        }
        let buckets: Vec<usize> = (0..states.keys.buckets()).collect();
        let size = if buckets.len() > 1 { Size::Big } else { Size::Small };
        let settled = pool.run(size, buckets, event, |bucket, _| {
            Ok::<_, Cancelled>(states.note(states.keys.settle(bucket, ends)))
        })?;
        Ok(settled.into_iter().collect())
    }

    /// Whether the states are to be cut anew before a ply.
    pub(super) fn is_uneven(&self) -> bool {
        match self {
            States::Hashed(_) => false,
            States::Ordered(states) => states.keys.is_uneven(),
        }
    }

    /// Puts the states in ascending order and even shards, and the rest of the ply among them. A
    /// set that is not searched has no course, and is left as it is if it is in order.
    pub(super) fn put_in_order(
        &mut self,
        course: Option<&mut Course>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let mut none = Course::new(0, 0, 0);
        let course = match course {
            None if matches!(self, States::Ordered(_)) => return Ok(()),
            None => &mut none,
            Some(course) => course,
        };
        let rest = course.rest.take().unwrap_or_default();
        let budget = self.budget();
        let states = std::mem::replace(self, States::Hashed(Shards::new(&budget)));
        let States::Ordered(states) = states.ordered(&course.known, &rest)? else {
            return Err(SolveError::TooManyStates);
        };
        let OrderedStates { keys, budget } = states;
        let (bounds, before) = (keys.even_bounds(), keys.bytes());
        let expanded = course.expanded;
        let elsewhere = course.elsewhere;
        let event = |_| budget.exploring(expanded, elsewhere);
        let buckets: Vec<usize> = (0..=bounds.len()).collect();
        let buckets: Vec<[CodedKeys<K>; 3]> =
            pool.run(Size::Big, buckets, event, |bucket, _| keys.cut(&bounds, bucket))?;
        let keys = keys.recut(bounds, buckets);
        budget.give_back(before);
        // States over the limit are refused when the next are found.
        let _ = budget.take(keys.bytes());
        *self = States::Ordered(OrderedStates { keys, budget });
        course.rest = Some(self.begin_ply(&mut course.known).1);
        Ok(())
    }

    fn ordered(self, known: &[usize], rest: &[ShardRange]) -> Result<Self, SolveError> {
        let shards = match self {
            States::Hashed(shards) => shards,
            ordered => return Ok(ordered),
        };
        let budget = Arc::clone(shards.budget());
        let (all, lens) = shards.into_keys()?;
        let mut parts = [const { Vec::new() }; 3];
        let mut start = 0;
        for (shard, len) in lens.into_iter().enumerate() {
            let keys = &all[start..start + len];
            let rest: Vec<_> = rest.iter().filter(|(of, _)| *of == shard).collect();
            for (place, key) in keys.iter().enumerate() {
                let is_rest = || rest.iter().any(|(_, places)| places.contains(&place));
                let part = match place < known[shard] {
                    false => 2,
                    true => usize::from(is_rest()),
                };
                parts[part].push(key.clone());
            }
            start += len;
        }
        drop(all);
        let keys = O::of(parts, budget.room()).unwrap_or(Err(SolveError::TooManyStates))?;
        let _ = budget.take(keys.bytes());
        Ok(States::Ordered(OrderedStates { keys, budget }))
    }
}
