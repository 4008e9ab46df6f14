//! Why checkpoints can't be written or read.

use thiserror::Error;

use crate::error::SystemError;

/// Why a checkpoint could not be written, or a solve could not be resumed from it. Each error names
/// its file or folder.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system failed to read or write. The last checkpoint is still there.
    #[error("{path}: can't {action}: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// The action that failed, as in "read it".
        action: &'static str,
        /// The error of the system.
        error: SystemError,
    },
    /// Another run uses the folder.
    #[error(
        "{path}: another run saves its checkpoints there: wait until it ends, or choose another \
         folder"
    )]
    InUse {
        /// The folder.
        path: String,
    },
    /// Another version of the program wrote the file, or another kind of machine.
    #[error(
        "{path}: not a checkpoint that this program can resume from: use the version that wrote \
         it, or delete it to start again"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file is of another game, of other parameters, or of another numbering.
    #[error(
        "{path}: this is a checkpoint of {found}, not of {asked}: choose another folder, or delete \
         the file to start again"
    )]
    OfAnother {
        /// The file.
        path: String,
        /// The game of the checkpoint.
        found: String,
        /// The game that is being solved.
        asked: String,
    },
    /// The interrupted solve had reverse edges in memory, and now there is not enough memory for
    /// them.
    #[error(
        "{path}: the interrupted run had the reverse edges in memory, and now there is too little \
         for them: allow as much memory as that run had, or delete the file to start again"
    )]
    NeedsEdges {
        /// The file.
        path: String,
    },
    /// A file that one of several processes saved is not there.
    #[error(
        "{path}: missing: process {process} saved its part of the progress there; bring the file \
         back, or delete {list} to start again"
    )]
    PartMissing {
        /// The file.
        path: String,
        /// The process of the interrupted run that wrote it.
        process: u32,
        /// The file that lists all parts.
        list: String,
    },
    /// The game's parameters or the snapshot can't be written.
    #[error("a checkpoint can't be written: {problem}; solve without checkpoints")]
    Unstorable {
        /// Why not.
        problem: String,
    },
    /// Bytes are not as they were written, or make no sense.
    #[error("{path}: damaged: {problem}; delete the file to start again")]
    Damaged {
        /// The file.
        path: String,
        /// The fault.
        problem: String,
    },
}
