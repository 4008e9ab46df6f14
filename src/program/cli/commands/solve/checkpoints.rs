//! The checkpoint options of `solve`, and the messages on the progress of a failed run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgMatches, Args, Command, FromArgMatches as _};

use crate::error::{CheckpointError, SolveError, TableError};
use crate::program::cli::CliError;
use crate::program::cli::commands::amounts::parse_time;
use crate::program::cli::commands::destinations;
use crate::table::{Checkpoints, SavedProgress, Table};

// The options, as the help shows them.
#[derive(Args)]
#[group(skip)]
struct Options {
    /// Save progress in this folder: run the same command again to resume after Ctrl-C, a
    /// crash or a power failure. The folder is emptied when the run is complete
    #[arg(long, value_name = "FOLDER", display_order = 804)]
    checkpoint: Option<PathBuf>,
    /// Time between checkpoints, as in 90s, 10m or 1h30m [default: 30s, or longer where that
    /// would cost more than 4 % of the time]
    #[arg(long, value_name = "TIME", display_order = 805, requires = "checkpoint")]
    #[arg(allow_hyphen_values = true, value_parser = parse_time)]
    checkpoint_every: Option<Duration>,
}

/// Adds `--checkpoint` and `--checkpoint-every` to the options of `solve`.
pub(super) fn arguments(command: Command) -> Command {
    Options::augment_args(command)
}

/// Whether the options name a folder for checkpoints.
pub(super) fn are_wanted(options: &ArgMatches) -> bool {
    options.contains_id("checkpoint")
}

/// The checkpoints that the options name. `in_folder` opens the checkpoints of a folder.
pub(super) fn open(
    options: &ArgMatches,
    in_folder: impl FnOnce(&Path) -> Result<Checkpoints, CheckpointError>,
) -> Result<Option<Checkpoints>, CliError> {
    let Options { checkpoint, checkpoint_every } =
        Options::from_arg_matches(options).map_err(CliError::usage)?;
    let Some(folder) = checkpoint else { return Ok(None) };
    destinations::check(&folder)?;
    let checkpoints = in_folder(&folder).map_err(CliError::failed)?;
    Ok(Some(match checkpoint_every {
        Some(apart) => checkpoints.interval(apart),
        None => checkpoints,
    }))
}

/// The error of an interrupted run, whose progress is in these checkpoints.
pub(super) fn interrupted(checkpoints: Option<&Checkpoints>) -> CliError {
    match checkpoints {
        None => CliError::interrupted(
            "interrupted: nothing was written (with --checkpoint FOLDER, progress is saved)",
        ),
        Some(checkpoints) => {
            CliError::interrupted(format!("interrupted: {}", what_is_saved(checkpoints)))
        }
    }
}

/// A text for a run that ends: the progress that is saved, the time that is lost, and how to resume.
pub(super) fn what_is_saved(checkpoints: &Checkpoints) -> String {
    let folder = checkpoints.folder();
    match checkpoints.progress() {
        Some(progress) => saved(folder, progress, Some(checkpoints.unsaved())),
        None if checkpoints.is_empty() => {
            format!("nothing was saved in {} before the first checkpoint", folder.display())
        }
        None => format!(
            "progress is saved in {}: run the same command again to resume",
            folder.display()
        ),
    }
}

/// A text on the progress of a run that is saved in a folder, the time of work since then, and how
/// to resume the run.
pub(super) fn saved(folder: &Path, progress: SavedProgress, unsaved: Option<Duration>) -> String {
    let place = match progress {
        SavedProgress::Ply(ply) => format!("ply {ply} of the search is next"),
        SavedProgress::Discovered => "all states are discovered".into(),
        SavedProgress::Level(level) => format!("level {level} is next"),
        SavedProgress::Solved => "all states are solved".into(),
    };
    let lost = match (progress, unsaved) {
        (SavedProgress::Solved, _) | (_, None) => String::new(),
        (_, Some(unsaved)) => format!("; {} s of work since then are lost", unsaved.as_secs()),
    };
    let folder = folder.display();
    format!("progress is saved in {folder} ({place}{lost}): run the same command again to resume")
}

/// The error of a failed run without tiers. If the memory was too little, it says where the
/// progress is.
pub(super) fn failed(error: TableError, checkpoints: Option<&Checkpoints>) -> CliError {
    let is_widening = matches!(error, TableError::Solve(SolveError::WideningOverLimit { .. }));
    if error.is_interrupted() {
        return interrupted(checkpoints);
    }
    let failed = CliError::from(error);
    match checkpoints {
        Some(checkpoints) if is_widening => {
            let folder = checkpoints.folder().display();
            failed.reworded(|error| format!("{error} (progress is saved in {folder})"))
        }
        None if is_widening => failed.reworded(|error| {
            format!("{error} (nothing was saved; with --checkpoint FOLDER, progress is)")
        }),
        _ => failed,
    }
}

/// The error of a failed run into a folder.
pub(super) fn failed_in(folder: &Path, error: TableError) -> CliError {
    let place = folder.display();
    match error {
        error if error.is_interrupted() => CliError::interrupted(match Table::open(folder) {
            Err(_) => "interrupted before the states were discovered: nothing was written (with \
                       --checkpoint FOLDER, the search is saved)"
                .into(),
            Ok(_) => format!(
                "interrupted: the finished tiers are in {place}; run the same command again to \
                 resume"
            ),
        }),
        TableError::Solve(error @ SolveError::WideningOverLimit { .. }) => {
            let failed = CliError::from(error);
            failed.reworded(|error| format!("{error} (the finished tiers are in {place})"))
        }
        TableError::Solve(error) => error.into(),
        error => CliError::table(folder)(error),
    }
}
