//! Checkpoints: what is saved of a solve, so that it can be resumed after an interruption.
//!
//! A solve can be resumed from these places: where the states have been discovered, between two
//! slices of the first pass, between two levels, and between two slices of a level. A slice is so
//! much work that it takes a few seconds at most. This file says what a [`Snapshot`] of each place
//! has. A [`CheckpointStore`] saves and loads them.
//!
//! Several processes save between two levels alone, where they agree anyway on what is next. Each saves
//! a snapshot of its window. Any number of processes resumes from these, or from that of one process.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::numbering::NumberingKind;
use crate::numbering::discovered::RawKeys;
use crate::runtime::pool::WorkerPool;
use crate::solve::graph::incoming::Pass;
use crate::solve::levels::LevelCounts;
use crate::solve::saved::SavedLevels;
use crate::summary::{Counts, Summary};

/// The state of a solve, but for its arrays, which are saved behind it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Snapshot {
    /// So many states are discovered; the array is their keys.
    Discovered { states: u64 },
    /// Some levels are done; the arrays are those of [`LevelsSnapshot`].
    Levels(Box<LevelsSnapshot>),
    /// Everything is settled; the array is the cells of these indices.
    Settled { indices: Range<u64>, palette: Option<Vec<u16>>, summary: Summary },
    /// A part of the first pass is done; the arrays are those of [`InitialSnapshot`].
    Initial(Box<InitialSnapshot>),
}

/// A first pass that is not finished, but for its arrays: the cells, the states where play is over,
/// those where it stops one ply early, and the messages of each segment of incoming values.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InitialSnapshot {
    /// The indices that it is of, unused ones included.
    pub(crate) indices: Range<u64>,
    /// The first index that is not passed.
    pub(crate) next: u64,
    /// Whether cells have two bytes.
    pub(crate) is_wide: bool,
    /// Counts too large for a cell: the index, and how much is missing in the cell.
    pub(crate) overflow: Vec<(u64, u64)>,
    pub(crate) counts: Counts,
    pub(crate) drawn_ends: u64,
    pub(crate) incoming: Vec<SegmentPlace>,
}

/// An analysis between two levels or within one, but for its arrays: the cells, as many frontiers as
/// it says, and the messages of each segment of incoming values.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LevelsSnapshot {
    /// The indices that it is of, unused ones included. All counts are those of the whole game.
    pub(crate) indices: Range<u64>,
    /// Whether levels walk the frontier.
    pub(crate) walks: bool,
    pub(crate) pass: Pass,
    /// The level that comes next or is begun.
    pub(crate) level: u32,
    /// What is done of the level, if it is begun.
    pub(crate) begun: Option<BegunLevel>,
    /// How many frontiers are saved: none, that of the level, or also that of the next level.
    pub(crate) frontiers: u8,
    /// The packed value of each code of narrow cells; `None` if the cells are wide.
    pub(crate) palette: Option<Vec<u16>>,
    /// Counts too large for a cell: the index, and how much is missing in the cell.
    pub(crate) overflow: Vec<(u64, u64)>,
    pub(crate) counts: Counts,
    pub(crate) incoming: Vec<SegmentPlace>,
    pub(crate) drawn_ends: u64,
    pub(crate) stopped_early: [u64; 3],
    pub(crate) settled: u64,
    pub(crate) uniform: Option<bool>,
}

/// What is done of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BegunLevel {
    pub(crate) counts: LevelCounts,
    /// Where the level goes on, if it goes through all indices.
    pub(crate) next: u64,
}

/// Where a segment of incoming values belongs, and how many messages it has.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentPlace {
    pub(crate) pass: Pass,
    pub(crate) distance: u32,
    pub(crate) base: u64,
    pub(crate) messages: u32,
}

/// Saves and loads checkpoints, each complete or not at all. Where several processes solve a game, all of
/// them save, load and remove the same ones together.
pub(crate) trait CheckpointStore {
    /// Whether it is time for a checkpoint of so many bytes.
    fn is_due(&self, bytes: u64) -> bool;

    /// How many states each thread handles in one slice.
    fn slice(&self) -> u64;

    /// Saves a snapshot and its arrays. They replace the last one of the same kind.
    ///
    /// # Errors
    /// When they can't be written. The last snapshot is still there.
    fn save(
        &mut self,
        numbering: NumberingKind,
        snapshot: &Snapshot,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;

    /// Loads the discovered states that were saved of a solve in this numbering, if there are any.
    ///
    /// # Errors
    /// When the solve can't be resumed from what is there.
    fn load_states(
        &mut self,
        numbering: NumberingKind,
    ) -> Result<Option<SavedSnapshot>, CheckpointError>;

    /// Loads what was saved of an analysis in this numbering for the indices of a window, if there is
    /// anything.
    ///
    /// # Errors
    /// When the solve can't be resumed from what is there, or another process is lost.
    fn load_levels(
        &mut self,
        numbering: NumberingKind,
        window: Range<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedLevels>, SolveError>;

    /// Removes the snapshots of a solve in this numbering, which is complete.
    ///
    /// # Errors
    /// When one can't be removed, or another process is lost.
    fn remove(
        &mut self,
        numbering: NumberingKind,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;
}

/// The kinds of snapshots. The newest of each kind is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SnapshotKind {
    /// The discovered states.
    States,
    /// The analysis, from its first pass until after the last level.
    Levels,
}

impl Snapshot {
    pub(crate) fn kind(&self) -> SnapshotKind {
        match self {
            Snapshot::Discovered { .. } => SnapshotKind::States,
            Snapshot::Initial(_) | Snapshot::Levels(_) | Snapshot::Settled { .. } => {
                SnapshotKind::Levels
            }
        }
    }

    /// The indices that the snapshot is of.
    pub(crate) fn indices(&self) -> Range<u64> {
        match self {
            Snapshot::Discovered { states } => 0..*states,
            Snapshot::Levels(levels) => levels.indices.clone(),
            Snapshot::Settled { indices, .. } => indices.clone(),
            Snapshot::Initial(initial) => initial.indices.clone(),
        }
    }

    /// The figures of the whole game, of which this is the snapshot of a part: what all parts have in
    /// common. `indices` are those of the game.
    pub(crate) fn figures(&self, indices: Range<u64>) -> Snapshot {
        match self {
            Snapshot::Discovered { states } => Snapshot::Discovered { states: *states },
            Snapshot::Levels(levels) => Snapshot::Levels(Box::new(LevelsSnapshot {
                indices,
                palette: levels.palette.clone(),
                overflow: Vec::new(),
                counts: levels.counts.clone(),
                incoming: Vec::new(),
                ..**levels
            })),
            Snapshot::Settled { palette, summary, .. } => {
                let (palette, summary) = (palette.clone(), summary.clone());
                Snapshot::Settled { indices, palette, summary }
            }
            Snapshot::Initial(initial) => Snapshot::Initial(Box::new(InitialSnapshot {
                indices,
                overflow: Vec::new(),
                counts: initial.counts.clone(),
                incoming: Vec::new(),
                ..**initial
            })),
        }
    }
}

/// A snapshot that was saved, and its arrays in order.
pub(crate) struct SavedSnapshot {
    pub(crate) snapshot: Snapshot,
    pub(crate) arrays: Box<dyn Arrays>,
}

impl SavedSnapshot {
    /// The keys of the discovered states.
    ///
    /// # Errors
    /// When they are damaged or not sorted, or there is no memory for them.
    pub(crate) fn keys<T: Clone + Ord>(mut self, raw: RawKeys<T>) -> Result<Vec<T>, SolveError> {
        let Snapshot::Discovered { states } = self.snapshot else {
            return Err(self.arrays.malformed("has levels in place of states".into()).into());
        };
        self.arrays.check_length(states.saturating_mul(size_of::<T>() as u64))?;
        let mut keys = raw.zeroed(states)?;
        self.arrays.fill((raw.bytes_mut)(&mut keys))?;
        self.arrays.finish()?;
        if !keys.is_sorted_by(|one, next| one < next) {
            return Err(self.arrays.malformed("has states that do not ascend".into()).into());
        }
        Ok(keys)
    }
}

/// Arrays that are read one after the other.
pub(crate) trait Arrays {
    /// Reads a stretch of the next array, which has `length` bytes: as many bytes from `start` on as there
    /// is room for.
    ///
    /// # Errors
    /// When it is damaged, or can't be read.
    fn fill_from(
        &mut self,
        length: u64,
        start: u64,
        stretch: &mut [u8],
    ) -> Result<(), CheckpointError>;

    /// Reads the next array, which has this length.
    ///
    /// # Errors
    /// As [`fill_from`](Arrays::fill_from).
    fn fill(&mut self, array: &mut [u8]) -> Result<(), CheckpointError> {
        self.fill_from(array.len() as u64, 0, array)
    }

    /// Refuses an array that is longer than the file can have, before there is memory for it.
    ///
    /// # Errors
    /// When it is.
    fn check_length(&self, bytes: u64) -> Result<(), CheckpointError>;

    /// Makes sure that there are no more arrays.
    ///
    /// # Errors
    /// When there are, or the file is not the one that was to be read.
    fn finish(&mut self) -> Result<(), CheckpointError>;

    /// The error for something that was read whole and makes no sense.
    fn malformed(&self, problem: String) -> CheckpointError;
}

/// What is to be done at a place where a checkpoint can be saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Whether a checkpoint is to be saved.
    pub(crate) save: bool,
    /// Whether the run is to stop then.
    pub(crate) stop: bool,
}

impl Wish {
    /// The wish as figures that processes add up.
    pub(crate) fn figures(self) -> [u64; 2] {
        [self.save.into(), self.stop.into()]
    }

    /// What all processes do that have added up their wishes to these figures.
    pub(crate) fn of_all([save, stop]: [u64; 2]) -> Wish {
        Wish { save: save > 0 || stop > 0, stop: stop > 0 }
    }
}

/// The checkpoints of one solve, if they are saved.
pub(crate) struct Checkpointing<'k> {
    store: Option<&'k mut (dyn CheckpointStore + 'k)>,
    numbering: NumberingKind,
}

impl<'k> Checkpointing<'k> {
    pub(crate) fn new(
        store: Option<&'k mut (dyn CheckpointStore + 'k)>,
        numbering: NumberingKind,
    ) -> Self {
        Checkpointing { store, numbering }
    }

    /// Whether checkpoints are saved.
    pub(crate) fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// Whether it is time for a checkpoint of so many bytes.
    pub(crate) fn is_due(&self, bytes: u64) -> bool {
        self.store.as_ref().is_some_and(|store| store.is_due(bytes))
    }

    /// Whether a checkpoint of so many bytes is to be saved here, between two slices: it is time for one,
    /// or the run is told to stop. Several processes save between levels alone.
    pub(crate) fn is_wanted(&self, bytes: u64, pool: &WorkerPool<'_>) -> bool {
        !pool.has_peers() && (self.is_due(bytes) || pool.is_cancelled())
    }

    /// What this process wishes between two levels. The first of several looks at the clock for all.
    pub(crate) fn wish(&self, bytes: u64, pool: &WorkerPool<'_>) -> Wish {
        let stop = self.is_on() && pool.is_cancelled();
        Wish { save: stop || pool.is_first() && self.is_due(bytes), stop }
    }

    /// What all processes agree to do, which have to call this at the same place.
    ///
    /// # Errors
    /// When another process is lost.
    pub(crate) fn agree(&self, bytes: u64, pool: &mut WorkerPool<'_>) -> Result<Wish, SolveError> {
        let mut figures = self.wish(bytes, pool).figures();
        if self.is_on() {
            pool.sum(&mut figures)?;
        }
        Ok(Wish::of_all(figures))
    }

    /// How many states each thread handles between two places where a checkpoint can be saved; the
    /// greatest number where none is saved.
    pub(crate) fn slice(&self) -> u64 {
        self.store.as_ref().map_or(u64::MAX, |store| store.slice().max(1))
    }

    /// Saves a snapshot, and finishes that before it honours a cancellation.
    pub(crate) fn save(
        &mut self,
        snapshot: &Snapshot,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let Some(store) = &mut self.store else { return Ok(()) };
        let before = pool.defer_cancellation();
        let saved = store.save(self.numbering, snapshot, arrays, pool);
        let stop = !before && pool.honour_cancellation();
        match saved {
            Ok(()) if stop => Err(SolveError::Interrupted),
            saved => saved,
        }
    }

    /// Loads the discovered states, if they were saved.
    pub(crate) fn load_states(&mut self) -> Result<Option<SavedSnapshot>, CheckpointError> {
        match &mut self.store {
            Some(store) => store.load_states(self.numbering),
            None => Ok(None),
        }
    }

    /// Loads what was saved of the analysis for the indices of a window, if there is anything.
    pub(crate) fn load_levels(
        &mut self,
        window: Range<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Option<SavedLevels>, SolveError> {
        match &mut self.store {
            Some(store) => store.load_levels(self.numbering, window, pool),
            None => Ok(None),
        }
    }

    /// Removes the snapshots of the solve.
    pub(crate) fn remove(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), SolveError> {
        match &mut self.store {
            Some(store) => store.remove(self.numbering, pool),
            None => Ok(()),
        }
    }
}
