//! Why checkpoints can't be written or read.

use thiserror::Error;

/// Why a checkpoint could not be written, or a solve not resumed from it. Each error names its file
/// or folder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system failed to read or write. The last checkpoint is still there.
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
    #[error("{path}: another run saves its checkpoints there")]
    InUse {
        /// The folder.
        path: String,
    },
    /// Another version of the program wrote the file, or another kind of machine.
    #[error(
        "{path}: not a checkpoint that this program can resume from; remove it to begin anew, or use \
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
        /// The game that is being solved.
        asked: String,
    },
    /// The interrupted solve had reverse edges in memory, and now there is not enough memory for
    /// them.
    #[error(
        "{path}: made with the reverse edges in memory; allow as much memory as then, \
         or remove it to begin anew"
    )]
    NeedsEdges {
        /// The file.
        path: String,
    },
    /// A file that one of several processes saved is not there.
    #[error(
        "{path}: missing: process {process} saved its part of the progress there; bring the file back, \
         or remove {list} to begin anew"
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
