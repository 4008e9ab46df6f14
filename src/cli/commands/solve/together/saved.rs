//! What is said of the progress of a run of several processes that failed.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::cli::CliError;
use crate::cli::commands::solve::checkpoints::interrupted;
use crate::error::TableError;
use crate::table::{Checkpoints, SavedProgress};

/// The error of a run that failed. It says where the progress is.
pub(super) fn failed(error: TableError, checkpoints: Option<&Checkpoints>) -> CliError {
    let Some(checkpoints) = checkpoints else {
        return match error.is_interrupted() {
            true => interrupted(None),
            false => CliError::failed(error),
        };
    };
    let error = match error.is_interrupted() {
        true => "interrupted: ".to_owned(),
        false => format!("{error}; "),
    };
    CliError::failed(match checkpoints.progress() {
        Some(progress) => error + &saved(checkpoints.folder(), progress),
        None => {
            let folder = checkpoints.folder().display();
            format!("{error}nothing was saved in {folder} before the first checkpoint")
        }
    })
}

/// Says what an earlier or a failed run of several processes has saved in the folder that the options name,
/// if there is anything.
pub(super) fn saved_by_others(options: &ArgMatches) -> Option<String> {
    let folder = options.get_one::<PathBuf>("checkpoint")?;
    Checkpoints::progress_in(folder).map(|progress| saved(folder, progress))
}

/// How far a run is that is saved in a folder, and how to resume it.
fn saved(folder: &Path, progress: SavedProgress) -> String {
    let place = match progress {
        SavedProgress::Counting => "within the first pass".into(),
        SavedProgress::Level(level) => format!("level {level} is next"),
        SavedProgress::Solved => "all states are solved".into(),
    };
    let folder = folder.display();
    format!("progress is saved in {folder} ({place}): run the same command again to resume")
}
