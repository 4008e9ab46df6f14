//! The saved data of a solve: figures, and the arrays behind them.

use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::explore::{SavedSearch, SavedSet, SearchFigures, SetFigures};
use crate::game::summary::{Counts, Summary};
use crate::numbering::discovered::{
    BucketRuns, CodedKeys, FoundKeys, KeyFiles, OrderedKeys, RawKeys,
};
use crate::runtime::codec::{self, LONGEST_RECORD};
use crate::runtime::pool::WorkerPool;
use crate::runtime::saved_array::{SavedArray, keys_a_list};
use crate::solve::graph::incoming::Pass;

/// The state of a solve without its arrays, which are saved behind it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Snapshot {
    /// The states are discovered. If there is a number of words, the keys are coded, and the arrays
    /// are the heads of the blocks and the words; otherwise they are lists of keys.
    Discovered { states: u64, words: Option<u64> },
    /// Some plies of the search are done; the arrays are those of the states of each tier.
    Searching(Box<SearchFigures>),
    /// Some levels are done; [`LevelsSnapshot`] lists the arrays.
    Levels(Box<LevelsSnapshot>),
    /// Everything is settled; the array is the cells of these indices.
    Settled { indices: Range<u64>, palette: Option<Vec<u16>>, summary: Summary },
}

/// An analysis between two levels, without its arrays: the cells, `frontiers` frontiers, and the
/// messages of each segment of incoming values.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LevelsSnapshot {
    /// The indices of this snapshot, unused ones included. All counts are for the whole game.
    pub(crate) indices: Range<u64>,
    /// Whether levels walk the frontier.
    pub(crate) walks: bool,
    pub(crate) pass: Pass,
    /// The level that comes next.
    pub(crate) level: u32,
    /// How many frontiers are saved: 0, 1 (the next level's), or 2 (also the one after).
    pub(crate) frontiers: u8,
    /// The packed value of each code of narrow cells; `None` if the cells are wide.
    pub(crate) palette: Option<Vec<u16>>,
    /// Counts too large for a cell: the index, and the part that the cell lacks.
    pub(crate) overflow: Vec<(u64, u64)>,
    pub(crate) counts: Counts,
    pub(crate) incoming: Vec<SegmentPlace>,
    pub(crate) ends: Vec<Ends>,
    pub(crate) settled: u64,
    pub(crate) uniform: Option<bool>,
}

/// The number of states where play is over with the points of a pass.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ends {
    /// At distance 0: won and lost, or drawn.
    pub(crate) over: [u64; 2],
    /// At distance 1, where play stops one ply early.
    pub(crate) early: [u64; 2],
}

/// Where a segment of incoming values belongs, and its number of messages.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentPlace {
    pub(crate) pass: Pass,
    pub(crate) distance: u32,
    pub(crate) base: u64,
    pub(crate) messages: u32,
}

/// The kinds of snapshots. The newest of each kind is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SnapshotKind {
    /// The discovered states.
    States,
    /// The analysis, from before its first level until after the last one.
    Levels,
}

impl Snapshot {
    pub(crate) fn kind(&self) -> SnapshotKind {
        match self {
            Snapshot::Discovered { .. } | Snapshot::Searching(_) => SnapshotKind::States,
            Snapshot::Levels(_) | Snapshot::Settled { .. } => SnapshotKind::Levels,
        }
    }

    /// The indices of the snapshot.
    pub(crate) fn indices(&self) -> Range<u64> {
        match self {
            Snapshot::Discovered { states, .. } => 0..*states,
            Snapshot::Searching(_) => 0..0,
            Snapshot::Levels(levels) => levels.indices.clone(),
            Snapshot::Settled { indices, .. } => indices.clone(),
        }
    }

    /// The figures that the snapshots of all parts have in common, for the whole game with these
    /// `indices`.
    pub(crate) fn figures(&self, indices: Range<u64>) -> Snapshot {
        match self {
            Snapshot::Discovered { states, words } => {
                Snapshot::Discovered { states: *states, words: *words }
            }
            // Each part has states of its own.
            Snapshot::Searching(search) => Snapshot::Searching(Box::new(SearchFigures {
                tier: search.tier,
                before: search.before,
                statistics: search.statistics.clone(),
                sets: Vec::new(),
            })),
            Snapshot::Levels(levels) => Snapshot::Levels(Box::new(LevelsSnapshot {
                indices,
                palette: levels.palette.clone(),
                overflow: Vec::new(),
                counts: levels.counts.clone(),
                incoming: Vec::new(),
                ends: levels.ends.clone(),
                ..**levels
            })),
            Snapshot::Settled { palette, summary, .. } => {
                let (palette, summary) = (palette.clone(), summary.clone());
                Snapshot::Settled { indices, palette, summary }
            }
        }
    }
}

/// Calls `save` with the snapshot of discovered states and its arrays. The keys are coded for it, if
/// they have a code and are not coded yet.
pub(crate) fn with_arrays<T: Serialize + Sync>(
    keys: &FoundKeys<T>,
    raw: Option<RawKeys<T>>,
    save: impl FnOnce(Snapshot, &[SavedArray<'_>]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let states = keys.len();
    let coded;
    let arrays = match (keys, raw) {
        (FoundKeys::Coded(keys), Some(raw)) => (raw.coded_bytes)(keys),
        (FoundKeys::Listed(keys), Some(raw)) => {
            coded = (raw.code)(keys)?;
            (raw.coded_bytes)(&coded)
        }
        (FoundKeys::Coded(_), None) => return Ok(()),
        (FoundKeys::Listed(keys), None) => {
            let arrays = keys.chunks(keys_a_list::<T>()).map(|keys| {
                SavedArray::of_keys::<T>(keys.len(), || {
                    let mut bytes = Vec::new();
                    codec::encode_onto(&mut bytes, keys).map(|()| bytes)
                })
            });
            let arrays: Vec<SavedArray<'_>> = arrays.collect();
            return save(Snapshot::Discovered { states, words: None }, &arrays);
        }
    };
    let words = Some(arrays[1].len() as u64 / 8);
    save(Snapshot::Discovered { states, words }, &arrays.map(SavedArray::Bytes))
}

/// Saved states: all that were discovered, or those of a search, in one file or in the parts of several
/// processes.
pub(crate) struct SavedStates {
    /// The path for errors: of the file that lists the parts, or of the only file.
    pub(crate) path: String,
    /// The figures that all parts share.
    pub(crate) figures: Snapshot,
    pub(crate) parts: Vec<SavedSnapshot>,
}

impl SavedStates {
    /// Whether they are of a search between two plies.
    pub(crate) fn are_of_search(&self) -> bool {
        matches!(self.figures, Snapshot::Searching(_))
    }

    /// The keys of all states. See [`SavedSnapshot::keys`].
    pub(crate) fn keys<T: Ord + DeserializeOwned>(
        mut self,
        raw: Option<RawKeys<T>>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<FoundKeys<T>, SolveError> {
        match self.parts.pop() {
            Some(whole) if self.parts.is_empty() => whole.keys(raw, files),
            _ => Err(self.misfits()),
        }
    }

    /// The search of a game with this number of tiers that was saved between two plies: all states, or
    /// those that `is_own` accepts in this one of several processes. See [`SavedSnapshot::keys`].
    pub(crate) fn search<K: DeserializeOwned, O: OrderedKeys<K>>(
        mut self,
        raw: Option<&RawKeys<K>>,
        tiers: usize,
        files: Option<&Arc<KeyFiles>>,
        is_own: Option<&dyn Fn(&K) -> bool>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SavedSearch<K, O>, SolveError> {
        let parts = std::mem::take(&mut self.parts);
        note(files, parts.iter().map(SavedSnapshot::words).fold(0, u64::saturating_add));
        let is_whole = is_own.is_none() && parts.len() == 1;
        let path = &self.path;
        let mut parts = parts.into_iter().map(|part| part.search(path, raw, tiers, files));
        let saved = match is_whole {
            true => parts.next().transpose()?,
            false => SavedSearch::of_parts(path, parts, is_own.unwrap_or(&|_| true), files)?,
        };
        let Snapshot::Searching(listed) = &self.figures else { return Err(self.misfits()) };
        let saved = saved.filter(|saved| saved.is_at(listed)).ok_or_else(|| self.misfits())?;
        match saved.is_whole(pool)? {
            true => Ok(saved),
            false => Err(self.misfits()),
        }
    }

    fn misfits(&self) -> SolveError {
        let problem = "its parts do not fit together".into();
        CheckpointError::Damaged { path: self.path.clone(), problem }.into()
    }
}

/// A saved snapshot, and its arrays in order.
pub(crate) struct SavedSnapshot {
    pub(crate) snapshot: Snapshot,
    pub(crate) arrays: Box<dyn Arrays>,
}

impl SavedSnapshot {
    /// The keys of the discovered states. Coded ones are in scratch files if there are some and memory is short.
    ///
    /// # Errors
    /// If they are damaged or not sorted, or there is no memory for them.
    pub(crate) fn keys<T: Ord + DeserializeOwned>(
        mut self,
        raw: Option<RawKeys<T>>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<FoundKeys<T>, SolveError> {
        let arrays = &mut *self.arrays;
        let keys = match (self.snapshot, raw) {
            (Snapshot::Discovered { states, words: Some(words) }, Some(raw)) => {
                note(files, words);
                FoundKeys::Coded(read_coded(arrays, &raw, [states, words], files)?)
            }
            (Snapshot::Discovered { states, words: None }, None) => {
                let keys = joined(read_lists(arrays, states)?)?;
                if !keys.is_sorted_by(|one, next| one < next) {
                    return Err(arrays.malformed("has states that do not ascend".into()).into());
                }
                FoundKeys::Listed(keys)
            }
            _ => {
                let problem = "has something else in place of states of this form";
                return Err(arrays.malformed(problem.into()).into());
            }
        };
        arrays.finish()?;
        Ok(keys)
    }

    /// The number of words of the keys of a search.
    fn words(&self) -> u64 {
        let Snapshot::Searching(search) = &self.snapshot else { return 0 };
        let runs = search.sets.iter().flatten().filter_map(|set| match set {
            SetFigures::Ordered { runs, .. } => Some(runs),
            SetFigures::Hashed(_) => None,
        });
        runs.flatten().flatten().flatten().fold(0_u64, |sum, &[_, words]| sum.saturating_add(words))
    }

    /// The search of a game with this number of tiers that was saved between two plies.
    ///
    /// # Errors
    /// See [`keys`](SavedSnapshot::keys).
    fn search<K: DeserializeOwned, O: OrderedKeys<K>>(
        mut self,
        path: &str,
        raw: Option<&RawKeys<K>>,
        tiers: usize,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<SavedSearch<K, O>, SolveError> {
        let Snapshot::Searching(figures) = self.snapshot else {
            return Err(self.arrays.malformed("has states in place of a search".into()).into());
        };
        let SearchFigures { tier, before, statistics, sets: figures } = *figures;
        let tier = usize::try_from(tier).unwrap_or(usize::MAX);
        let mut all: u128 = before.into_iter().map(u128::from).sum();
        for ply in &statistics.plies {
            all += u128::from(ply.states) + u128::from(ply.terminal) + u128::from(ply.moves);
        }
        let are_counts = all >> 60 == 0;
        if !are_counts
            || figures.len() != tiers
            || !figures.get(tier).is_some_and(Option::is_some)
            || figures[tier + 1..].iter().any(Option::is_some)
        {
            return Err(self
                .arrays
                .malformed("has states of other tiers, or impossible counts".into())
                .into());
        }
        let mut sets = Vec::with_capacity(tiers);
        for (at, figures) in figures.into_iter().enumerate() {
            let arrays = &mut *self.arrays;
            sets.push(match (figures, raw) {
                (None, _) => None,
                (Some(SetFigures::Ordered { bounds, runs }), Some(raw)) => {
                    Some(SavedSet::Ordered(read_runs(arrays, raw, bounds, runs, files)?))
                }
                (Some(SetFigures::Hashed([expanded, others])), None)
                    if at == tier || expanded == 0 =>
                {
                    let lists = [read_lists(arrays, expanded)?, read_lists(arrays, others)?];
                    Some(SavedSet::Hashed(lists))
                }
                _ => {
                    return Err(arrays.malformed("has states of another form".into()).into());
                }
            });
        }
        self.arrays.finish()?;
        let path = path.into();
        Ok(SavedSearch { path, tier, before, statistics, sets, elsewhere: 0 })
    }
}

/// Reads this number of keys that have no code, in lists as they were saved.
fn read_lists<T: DeserializeOwned>(
    arrays: &mut dyn Arrays,
    mut keys: u64,
) -> Result<Vec<Vec<T>>, SolveError> {
    let mut lists = Vec::new();
    while keys > 0 {
        let mut length = [0; 8];
        arrays.fill(&mut length)?;
        let length = u64::from_le_bytes(length);
        arrays.check_length(length)?;
        if length > LONGEST_RECORD as u64 {
            return Err(arrays.malformed("has a list of states that is too long".into()).into());
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length as usize).map_err(|_| no_memory(length))?;
        bytes.resize(length as usize, 0);
        arrays.fill(&mut bytes)?;
        let list: Vec<T> = codec::decode_all(&bytes, keys)
            .map_err(|problem| arrays.malformed(format!("has a state that {problem}")))?;
        if list.is_empty() {
            let problem = "has another number of states than it says";
            return Err(arrays.malformed(problem.into()).into());
        }
        keys -= list.len() as u64;
        lists.push(list);
    }
    Ok(lists)
}

/// All keys of some lists.
fn joined<T>(lists: Vec<Vec<T>>) -> Result<Vec<T>, SolveError> {
    let len: usize = lists.iter().map(Vec::len).sum();
    let mut keys = Vec::new();
    keys.try_reserve_exact(len).map_err(|_| no_memory((len * size_of::<T>()) as u64))?;
    lists.into_iter().for_each(|list| keys.extend(list));
    Ok(keys)
}

fn no_memory(bytes: u64) -> SolveError {
    SolveError::OutOfMemory { what: "the discovered states", bytes }
}

/// Reads the states of a search in a tier, in order.
fn read_runs<K, O: OrderedKeys<K>>(
    arrays: &mut dyn Arrays,
    raw: &RawKeys<K>,
    bounds: Vec<u128>,
    lens: Vec<BucketRuns<Vec<[u64; 2]>>>,
    files: Option<&Arc<KeyFiles>>,
) -> Result<O, SolveError> {
    let mut runs = Vec::new();
    for lens in lens {
        let mut bucket = [const { Vec::new() }; 3];
        for (read, lens) in bucket.iter_mut().zip(lens) {
            for lens in lens {
                read.push(read_coded(arrays, raw, lens, files)?);
            }
        }
        runs.push(bucket);
    }
    let bounds: Option<Vec<K>> = bounds.into_iter().map(raw.of_word).collect();
    let keys = bounds.and_then(|bounds| O::of_runs(bounds, runs));
    keys.ok_or_else(|| arrays.malformed("has states in wrong buckets".into()).into())
}

/// Notes the number of words that are read, of which there may be too many for the memory.
fn note(files: Option<&Arc<KeyFiles>>, words: u64) {
    if let Some(files) = files {
        files.note(words.saturating_mul(8));
    }
}

/// Reads the two arrays of coded keys.
fn read_coded<T>(
    arrays: &mut dyn Arrays,
    raw: &RawKeys<T>,
    [keys, words]: [u64; 2],
    files: Option<&Arc<KeyFiles>>,
) -> Result<CodedKeys<T>, SolveError> {
    let heads = keys / 64 * size_of::<T>() as u64;
    arrays.check_length(words.saturating_mul(8).saturating_add(heads))?;
    let read = &mut |array: &mut [u8]| Ok(arrays.fill(array)?);
    let coded = (raw.read_coded)([keys, words], files, read)?;
    coded.ok_or_else(|| arrays.malformed("has states that do not ascend".into()).into())
}

/// Arrays that are read one after the other.
pub(crate) trait Arrays {
    /// Reads a stretch of the next array, which is `length` bytes long. The stretch begins at byte
    /// `start` and fills the buffer.
    ///
    /// # Errors
    /// If the array is damaged or can't be read.
    fn fill_from(
        &mut self,
        length: u64,
        start: u64,
        stretch: &mut [u8],
    ) -> Result<(), CheckpointError>;

    /// Reads the next array, which is as long as the buffer.
    ///
    /// # Errors
    /// See [`fill_from`](Arrays::fill_from).
    fn fill(&mut self, array: &mut [u8]) -> Result<(), CheckpointError> {
        self.fill_from(array.len() as u64, 0, array)
    }

    /// Refuses an array that is longer than the file can be, before memory is reserved for it.
    ///
    /// # Errors
    /// If the array is too long.
    fn check_length(&self, bytes: u64) -> Result<(), CheckpointError>;

    /// Makes sure that there are no more arrays.
    ///
    /// # Errors
    /// If there are more arrays, or the file is not the expected one.
    fn finish(&mut self) -> Result<(), CheckpointError>;

    /// The error for data that was read completely and makes no sense.
    fn malformed(&self, problem: String) -> CheckpointError;
}
