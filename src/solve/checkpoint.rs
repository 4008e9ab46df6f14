//! Checkpoints: what it takes to go on with a solve that was interrupted.
//!
//! There are two places where a solve can be left and entered again: when the states of an explored
//! game are discovered, and between two levels. Here is what is kept there; how it is kept is
//! somebody else's, who implements [`CheckpointStore`].

use serde::{Deserialize, Serialize};

use crate::error::{CheckpointError, SolveError};
use crate::numbering::{NumberingKind, Plain};
use crate::runtime::pool::WorkerPool;
use crate::solve::graph::incoming::Pass;
use crate::summary::{Counts, Summary};

/// How far a solve has come.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// So many states are discovered; the array is their keys.
    Discovered { states: u64 },
    /// Some levels are done. The arrays are those of [`Between`].
    Between(Box<Between>),
    /// Everything is settled; the array is the cells of so many numbers.
    Settled { len: u64, palette: Option<Vec<u16>>, summary: Summary },
}

/// An analysis between two levels, but for its arrays: the cells, the frontier if levels walk one,
/// and the messages of each segment that is to come in.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Between {
    /// How many numbers there are.
    pub(crate) len: u64,
    /// Whether levels walk the states of their distance.
    pub(crate) walks: bool,
    pub(crate) pass: Pass,
    /// The level that comes next.
    pub(crate) level: u32,
    /// What narrow cells stand for; none if they are wide.
    pub(crate) palette: Option<Vec<u16>>,
    pub(crate) beyond: Vec<(u64, u64)>,
    pub(crate) counts: Counts,
    pub(crate) entering: Vec<SegmentPlace>,
    pub(crate) drawn_ends: u64,
    pub(crate) stopped_early: [u64; 3],
    pub(crate) settled: u64,
    pub(crate) all: Option<bool>,
}

/// Where a segment of messages belongs, and how many those are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SegmentPlace {
    pub(crate) pass: Pass,
    pub(crate) distance: u32,
    pub(crate) base: u64,
    pub(crate) messages: u32,
}

/// Keeps checkpoints, each complete or not at all.
pub(crate) trait CheckpointStore {
    /// Whether it is time for one, of so many bytes.
    fn is_due(&self, bytes: u64) -> bool;

    /// Keeps how far a solve has come, in place of what was kept of the same kind.
    ///
    /// # Errors
    /// When that fails. What was kept before is still there.
    fn keep(
        &mut self,
        numbering: NumberingKind,
        stage: &Stage,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError>;

    /// What was kept of such a solve: the states, or how far its levels were.
    ///
    /// # Errors
    /// When something is there that can't be gone on from.
    fn find(
        &mut self,
        numbering: NumberingKind,
        what: Kind,
    ) -> Result<Option<Kept>, CheckpointError>;

    /// Forgets what was kept of this solve, because it is over.
    ///
    /// # Errors
    /// When that fails.
    fn forget(&mut self, numbering: NumberingKind) -> Result<(), CheckpointError>;
}

/// What there can be of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The discovered states.
    States,
    /// How far the levels are.
    Levels,
}

impl Stage {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Stage::Discovered { .. } => Kind::States,
            Stage::Between(_) | Stage::Settled { .. } => Kind::Levels,
        }
    }
}

/// What was kept: the stage, and then its arrays in order.
pub(crate) struct Kept {
    pub(crate) stage: Stage,
    pub(crate) arrays: Box<dyn Arrays>,
}

impl Kept {
    /// The states that were discovered.
    pub(crate) fn keys<T: Clone + Ord>(mut self, plain: Plain<T>) -> Result<Vec<T>, SolveError> {
        let Stage::Discovered { states } = self.stage else {
            return Err(self.arrays.senseless("has levels in place of states".into()).into());
        };
        self.arrays.check_length(states.saturating_mul(size_of::<T>() as u64))?;
        let mut keys = plain.zeroed(states)?;
        self.arrays.fill((plain.bytes_mut)(&mut keys))?;
        self.arrays.finish()?;
        if !keys.is_sorted_by(|one, next| one < next) {
            return Err(self.arrays.senseless("has states that do not ascend".into()).into());
        }
        Ok(keys)
    }
}

/// Arrays that are read one after the other.
pub(crate) trait Arrays {
    /// Reads the next array, which has this length.
    ///
    /// # Errors
    /// When it is damaged, or can't be read.
    fn fill(&mut self, array: &mut [u8]) -> Result<(), CheckpointError>;

    /// Refuses an array that is longer than the file can have, before there is memory for it.
    ///
    /// # Errors
    /// When it is.
    fn check_length(&self, bytes: u64) -> Result<(), CheckpointError>;

    /// Makes sure that there are no more.
    ///
    /// # Errors
    /// When there are.
    fn finish(&mut self) -> Result<(), CheckpointError>;

    /// The error for what is read and makes no sense.
    fn senseless(&self, problem: String) -> CheckpointError;

    /// The error for what can't be gone on from without the moves turned round.
    fn needs_edges(&self) -> CheckpointError;
}

/// The checkpoints of one solve, if it is to have any.
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

    /// Whether there are to be any.
    pub(crate) fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// Whether it is time for one, of so many bytes.
    pub(crate) fn is_due(&self, bytes: u64) -> bool {
        self.store.as_ref().is_some_and(|store| store.is_due(bytes))
    }

    /// Keeps how far the solve has come, to the end even when it is told to stop meanwhile.
    pub(crate) fn keep(
        &mut self,
        stage: &Stage,
        arrays: &[&[u8]],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        let Some(store) = &mut self.store else { return Ok(()) };
        let before = pool.defer_cancellation();
        let kept = store.keep(self.numbering, stage, arrays, pool);
        let stop = !before && pool.honour_cancellation();
        match kept {
            Ok(()) if stop => Err(SolveError::Interrupted),
            kept => kept,
        }
    }

    /// What was kept of it.
    pub(crate) fn find(&mut self, what: Kind) -> Result<Option<Kept>, CheckpointError> {
        match &mut self.store {
            Some(store) => store.find(self.numbering, what),
            None => Ok(None),
        }
    }

    /// Forgets what was kept of it.
    pub(crate) fn forget(&mut self) -> Result<(), CheckpointError> {
        match &mut self.store {
            Some(store) => store.forget(self.numbering),
            None => Ok(()),
        }
    }
}
