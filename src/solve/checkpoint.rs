//! Checkpoints: what it takes to go on with a solve that was interrupted.
//!
//! There are two places where a solve can be left and entered again: when the states of an explored
//! game are discovered, and between two levels. Here is what is kept there; how it is kept is
//! somebody else's, who implements [`Keeper`].

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SolveError;
use super::crew::Crew;
use super::entering::Pass;
use super::summary::{Counts, Summary};
use crate::numbering::{NumberingKind, Plain};

/// Why a checkpoint could not be written, or gone on from. Each says which file or folder it is
/// about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system failed to read or write. The checkpoint before is still there.
    #[error("{path}: can't {action}: {problem}")]
    Io {
        /// The file or folder.
        path: String,
        /// What was being done.
        action: &'static str,
        /// What the system said.
        problem: String,
    },
    /// Another run uses the folder.
    #[error("{path}: another run keeps its checkpoints there")]
    InUse {
        /// The folder.
        path: String,
    },
    /// The file was not written by this version of the program, on this kind of machine.
    #[error(
        "{path}: not a checkpoint that this program can go on from; remove it to begin anew, or use \
         the version that wrote it"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file is of another game, of other parameters, or of another numbering.
    #[error(
        "{path}: a checkpoint of something else: of {found}, not of {asked}; name another folder, or \
         remove it to begin anew"
    )]
    OfAnother {
        /// The file.
        path: String,
        /// What the checkpoint is of.
        found: String,
        /// What is to be solved.
        asked: String,
    },
    /// The solve that was interrupted kept the moves turned round, and there is not enough memory
    /// for them now.
    #[error(
        "{path}: made with the moves turned round and kept in memory; allow as much memory as then, \
         or remove it to begin anew"
    )]
    NeedsEdges {
        /// The file.
        path: String,
    },
    /// The game's parameters, or how far the solve has come, can't be written.
    #[error("a checkpoint can't be written: {problem}")]
    Unstorable {
        /// Why not.
        problem: String,
    },
    /// Bytes are not as they were written, or make no sense.
    #[error("{path}: damaged: {problem}; remove it to begin anew")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

/// How far a solve has come.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// So many states are discovered; the array is their keys.
    Discovered { states: u64 },
    /// Some levels are done. The arrays are those of [`Between`].
    Between(Box<Between>),
    /// Everything is settled; the array is the cells of so many numbers.
    Settled { len: u64, book: Option<Vec<u16>>, summary: Summary },
}

/// An analysis between two levels, but for its arrays: the cells, the frontier if levels walk one,
/// and the messages of each segment that is to come in.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Between {
    /// How many numbers there are.
    pub(super) len: u64,
    /// Whether levels walk the states of their distance.
    pub(super) walks: bool,
    pub(super) pass: Pass,
    /// The level that comes next.
    pub(super) level: u32,
    /// What narrow cells stand for; none if they are wide.
    pub(super) book: Option<Vec<u16>>,
    pub(super) beyond: Vec<(u64, u64)>,
    pub(super) counts: Counts,
    pub(super) entering: Vec<SegmentPlace>,
    pub(super) drawn_ends: u64,
    pub(super) stopped_early: [u64; 3],
    pub(super) settled: u64,
    pub(super) all: Option<bool>,
}

/// Where a segment of messages belongs, and how many those are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct SegmentPlace {
    pub(super) pass: Pass,
    pub(super) distance: u32,
    pub(super) base: u64,
    pub(super) messages: u32,
}

/// Keeps checkpoints, each complete or not at all.
pub(crate) trait Keeper {
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
        crew: &mut Crew<'_>,
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
    keeper: Option<&'k mut (dyn Keeper + 'k)>,
    numbering: NumberingKind,
}

impl<'k> Checkpointing<'k> {
    pub(crate) fn new(keeper: Option<&'k mut (dyn Keeper + 'k)>, numbering: NumberingKind) -> Self {
        Checkpointing { keeper, numbering }
    }

    /// Whether there are to be any.
    pub(crate) fn is_on(&self) -> bool {
        self.keeper.is_some()
    }

    /// Whether it is time for one, of so many bytes.
    pub(super) fn is_due(&self, bytes: u64) -> bool {
        self.keeper.as_ref().is_some_and(|keeper| keeper.is_due(bytes))
    }

    /// Keeps how far the solve has come, to the end even when it is told to stop meanwhile.
    pub(super) fn keep(
        &mut self,
        stage: &Stage,
        arrays: &[&[u8]],
        crew: &mut Crew<'_>,
    ) -> Result<(), SolveError> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let before = crew.put_off_stopping();
        let kept = keeper.keep(self.numbering, stage, arrays, crew);
        let stop = !before && crew.stop_when_told();
        match kept {
            Ok(()) if stop => Err(SolveError::Interrupted),
            kept => kept,
        }
    }

    /// What was kept of it.
    pub(super) fn find(&mut self, what: Kind) -> Result<Option<Kept>, CheckpointError> {
        match &mut self.keeper {
            Some(keeper) => keeper.find(self.numbering, what),
            None => Ok(None),
        }
    }

    /// Forgets what was kept of it.
    pub(super) fn forget(&mut self) -> Result<(), CheckpointError> {
        match &mut self.keeper {
            Some(keeper) => keeper.forget(self.numbering),
            None => Ok(()),
        }
    }
}
