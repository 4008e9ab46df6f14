//! The saved data of a solve: figures, and the arrays behind them.

use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::explore::{SavedSearch, SearchFigures, SetFigures};
use crate::game::summary::{Counts, Summary};
use crate::numbering::discovered::{CodedKeys, FoundKeys, KeyFiles, OrderedKeys, RawKeys};
use crate::runtime::codec;
use crate::runtime::pool::WorkerPool;
use crate::solve::graph::incoming::Pass;

/// The state of a solve without its arrays, which are saved behind it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Snapshot {
    /// The states are discovered. If there is a number of words, the keys are coded, and the arrays
    /// are the heads of the blocks and the words; otherwise they are written one after the other.
    Discovered { states: u64, words: Option<u64> },
    /// Some plies of the search are done; the arrays are those of its runs.
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
/// they are not coded yet.
pub(crate) fn with_coded<T>(
    keys: &FoundKeys<T>,
    raw: RawKeys<T>,
    save: impl FnOnce(Snapshot, &[&[u8]]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let coded;
    let keys = match keys {
        FoundKeys::Coded(keys) => keys,
        FoundKeys::Listed(keys) => {
            coded = (raw.code)(keys)?;
            &coded
        }
    };
    let arrays = (raw.coded_bytes)(keys);
    let words = Some(arrays[1].len() as u64 / 8);
    save(Snapshot::Discovered { states: keys.len(), words }, &arrays)
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
    pub(crate) fn keys<T>(
        mut self,
        raw: RawKeys<T>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<FoundKeys<T>, SolveError> {
        match self.parts.pop() {
            Some(whole) if self.parts.is_empty() => whole.keys(raw, files),
            _ => Err(self.misfits()),
        }
    }

    /// The search of a game with this number of tiers that was saved between two plies: all states, or
    /// those that `is_own` accepts in this one of several processes. See [`SavedSnapshot::keys`].
    pub(crate) fn search<K, O: OrderedKeys<K>>(
        mut self,
        raw: &RawKeys<K>,
        tiers: usize,
        files: Option<&Arc<KeyFiles>>,
        is_own: Option<&dyn Fn(&K) -> bool>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<SavedSearch<O>, SolveError> {
        let parts = std::mem::take(&mut self.parts);
        note(files, parts.iter().map(SavedSnapshot::words).fold(0, u64::saturating_add));
        let is_whole = is_own.is_none() && parts.len() == 1;
        let mut parts = parts.into_iter().map(|part| part.search(raw, tiers, files));
        let saved = match is_whole {
            true => parts.next().transpose()?,
            false => SavedSearch::of_parts(parts, is_own.unwrap_or(&|_| true), files)?,
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
    /// The keys of the discovered states, in scratch files if there are some and memory is short.
    ///
    /// # Errors
    /// If they are damaged or not sorted, or there is no memory for them.
    pub(crate) fn keys<T>(
        mut self,
        raw: RawKeys<T>,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<FoundKeys<T>, SolveError> {
        let Snapshot::Discovered { states, words: Some(words) } = self.snapshot else {
            let problem = "has something else in place of coded states";
            return Err(self.arrays.malformed(problem.into()).into());
        };
        note(files, words);
        let keys = read_coded(&mut *self.arrays, &raw, [states, words], files)?;
        self.arrays.finish()?;
        Ok(FoundKeys::Coded(keys))
    }

    /// The number of words of the keys of a search.
    fn words(&self) -> u64 {
        let Snapshot::Searching(search) = &self.snapshot else { return 0 };
        let runs = search.sets.iter().flatten().flat_map(|set| &set.runs).flatten().flatten();
        runs.fold(0_u64, |sum, &[_, words]| sum.saturating_add(words))
    }

    /// The search of a game with this number of tiers that was saved between two plies.
    ///
    /// # Errors
    /// See [`keys`](SavedSnapshot::keys).
    fn search<K, O: OrderedKeys<K>>(
        mut self,
        raw: &RawKeys<K>,
        tiers: usize,
        files: Option<&Arc<KeyFiles>>,
    ) -> Result<SavedSearch<O>, SolveError> {
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
        for figures in figures {
            let set = figures.map(|figures| read_set(&mut *self.arrays, raw, figures, files));
            sets.push(set.transpose()?);
        }
        self.arrays.finish()?;
        Ok(SavedSearch { tier, before, statistics, sets, elsewhere: 0 })
    }

    /// The keys of the discovered states, where they have no fixed width: one array has the length of the next,
    /// which has all keys one after the other.
    ///
    /// # Errors
    /// See [`keys`](SavedSnapshot::keys).
    pub(crate) fn encoded_keys<T: Ord + DeserializeOwned>(
        mut self,
    ) -> Result<FoundKeys<T>, SolveError> {
        let mut length = [0; 8];
        self.arrays.fill(&mut length)?;
        let length = u64::from_le_bytes(length);
        self.arrays.check_length(length)?;
        let no_memory =
            |_| SolveError::OutOfMemory { what: "the discovered states", bytes: length };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length as usize).map_err(no_memory)?;
        bytes.resize(length as usize, 0);
        self.arrays.fill(&mut bytes)?;
        self.arrays.finish()?;
        let malformed = |problem: String| SolveError::from(self.arrays.malformed(problem));
        let (mut keys, mut rest) = (Vec::new(), &bytes[..]);
        while !rest.is_empty() {
            let (key, behind) = codec::decode_prefix(rest)
                .map_err(|problem| malformed(format!("has a state that {problem}")))?;
            if behind.len() == rest.len() {
                return Err(malformed("has a state without bytes".into()));
            }
            keys.push(key);
            rest = behind;
        }
        if keys.len() as u64 != self.snapshot.indices().end {
            return Err(malformed("has another number of states than it says".into()));
        }
        if !keys.is_sorted_by(|one, next| one < next) {
            return Err(malformed("has states that do not ascend".into()));
        }
        Ok(FoundKeys::Listed(keys))
    }
}

/// Reads the states of a search in a tier.
fn read_set<K, O: OrderedKeys<K>>(
    arrays: &mut dyn Arrays,
    raw: &RawKeys<K>,
    SetFigures { bounds, runs: lens }: SetFigures,
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
    let coded = (raw.read_coded)(keys, words, &mut |array| Ok(arrays.fill(array)?))?;
    match coded {
        Some(keys) => Ok((raw.into_files)(keys, files)),
        None => Err(arrays.malformed("has states that do not ascend".into()).into()),
    }
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
