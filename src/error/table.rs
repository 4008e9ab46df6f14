//! What can be wrong with a tablebase file.

use std::io;

use thiserror::Error;

use crate::numbering::NumberingKind;
use crate::runtime::{Cancelled, OutOfMemory};

/// What is wrong with a tablebase file, or with what was done to it. The path is for the caller to
/// add.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system failed to read or write.
    #[error("can't {action}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file does not begin like a tablebase.
    #[error("not a retrograde tablebase: it does not begin with the mark of one")]
    NotATablebase,
    /// The file is of a later format than this program reads.
    #[error(
        "made by a newer program: its format is version {found}, and this program reads versions \
         up to {known}; use a newer release"
    )]
    NewerVersion {
        /// The version in the file.
        found: u32,
        /// The latest version that this program reads.
        known: u32,
    },
    /// The file is shorter than it says, or too short to say.
    #[error("truncated: {expected} bytes expected, {found} found; copy or make the file again")]
    Truncated {
        /// How long it should be, at least.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The file is longer than it says.
    #[error("longer than it should be: {expected} bytes expected, {found} found")]
    Overlong {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// Bytes have changed since the file was written.
    #[error(
        "damaged: the checksum of {part} (at byte {offset}) does not match; copy or make the file \
         again"
    )]
    Damaged {
        /// Which part.
        part: String,
        /// Where it begins.
        offset: u64,
    },
    /// A part has the right checksum and makes no sense, which no writer of ours brings about.
    #[error("malformed: {part} {problem}")]
    Malformed {
        /// Which part.
        part: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The table belongs to another game, or to the same with other parameters.
    #[error("the table of another game: it is of {found}, not of {asked}")]
    OtherGame {
        /// The game of the file, with its parameters.
        found: String,
        /// The game that was asked for, with its parameters.
        asked: String,
    },
    /// The table numbers its states the other way.
    #[error("the table has {found} numbering and was opened as {asked}")]
    OtherNumbering {
        /// The numbering of the file.
        found: NumberingKind,
        /// The numbering that was asked for.
        asked: NumberingKind,
    },
    /// There is something else than a file: a folder, a device.
    #[error("not a regular file")]
    NotAFile,
    /// The game's parameters are too long to be stored.
    #[error("the game's parameters are too long to be stored: {bytes} bytes, {most} at most")]
    ParametersTooLong {
        /// How long they are.
        bytes: usize,
        /// How long they may be.
        most: usize,
    },
    /// A table of outcomes alone can't be of a game whose ply limit cuts something off.
    #[error(
        "outcomes alone do not tell what a limit of {limit} plies cuts off, where some positions \
         take {longest} plies or more"
    )]
    LimitWithoutDistances {
        /// The limit.
        limit: u32,
        /// The longest distance within it.
        longest: u32,
    },
    /// The table has outcomes alone, where distances are needed.
    #[error("has outcomes alone, where distances are needed")]
    OutcomesOnly,
    /// The system did not give the memory that the whole table needs.
    #[error("not enough memory: {bytes} bytes for the table's values and states")]
    OutOfMemory {
        /// How much was asked for.
        bytes: u64,
    },
    /// A stored value contradicts the values of its successors.
    #[error("wrong value: {state} is stored as {stored}, and its successors make it {expected}")]
    WrongValue {
        /// The state.
        state: String,
        /// What the table says.
        stored: String,
        /// What follows from the states that its moves lead to.
        expected: String,
    },
    /// The counts in the header are not those of the values.
    #[error("wrong counts: the header's figures are not those of the stored values")]
    WrongSummary,
    /// The caller's progress function asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl TableError {
    /// An error for what the system said while `action` was done.
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> TableError {
        move |source| TableError::Io { action, source }
    }

    pub(crate) fn malformed(part: impl ToString, problem: impl ToString) -> TableError {
        TableError::Malformed { part: part.to_string(), problem: problem.to_string() }
    }
}

impl From<Cancelled> for TableError {
    fn from(_: Cancelled) -> TableError {
        TableError::Interrupted
    }
}

impl From<OutOfMemory> for TableError {
    fn from(OutOfMemory { bytes, .. }: OutOfMemory) -> TableError {
        TableError::OutOfMemory { bytes }
    }
}
