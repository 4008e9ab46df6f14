//! What can be wrong with a folder of tiers.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::error::SolveError;
use crate::error::TableError;

/// What is wrong with a folder of tiers, or with what was done to it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The game could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A tier's table.
    #[error("{}: {source}", path.display())]
    Table {
        /// The table's file.
        path: PathBuf,
        /// What is wrong with it.
        source: TableError,
    },
    /// The system failed to read or write.
    #[error("{}: can't {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was being done.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The folder has no manifest.
    #[error("{}: not a folder of tiers: there is no manifest.json in it", path.display())]
    NotOfTiers {
        /// The folder.
        path: PathBuf,
    },
    /// The manifest makes no sense.
    #[error("{}: malformed: {problem}", path.display())]
    Malformed {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The folder is of another game, or of the same with other parameters.
    #[error("{}: the tiers of another game: of {found}, not of {asked}", path.display())]
    OtherGame {
        /// The folder.
        path: PathBuf,
        /// The game of the folder, with its parameters.
        found: String,
        /// The game that was asked for, with its parameters.
        asked: String,
    },
    /// The folder has outcomes alone, and tiers are solved by the distances of others.
    #[error("{}: has outcomes alone, where distances are needed: name another folder", path.display())]
    OutcomesOnly {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has distances, and outcomes alone were to be written into it.
    #[error("{}: has distances, where outcomes alone were to be: name another folder", path.display())]
    Distances {
        /// The folder.
        path: PathBuf,
    },
    /// The folder's tiers are numbered in another way.
    #[error("{}: its tiers are {found}, where they were to be {asked}: name another folder", path.display())]
    OtherNumbering {
        /// The folder.
        path: PathBuf,
        /// How they are numbered: "explored", or "numbered by the game".
        found: &'static str,
        /// How they were to be.
        asked: &'static str,
    },
    /// The states of a tier that is not solved yet are not there any more.
    #[error("{}: not there, and the tier's table neither: remove the folder to begin anew", path.display())]
    NoStates {
        /// The file where they should be.
        path: PathBuf,
    },
    /// Another run writes into the folder.
    #[error("{}: another run writes into it", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The game has no tier of that name.
    #[error("no such tier: \"{name}\"; expected {known}")]
    NoSuchTier {
        /// What was asked for.
        name: String,
        /// The tiers that there are, or the first of them.
        known: String,
    },
}
