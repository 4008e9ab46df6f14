//! What can be wrong with checkpoints.

use thiserror::Error;

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
