//! The checkpoint options of `solve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::commands::amounts::parse_time;
use crate::cli::commands::destinations;
use crate::error::SolveError;
#[cfg(feature = "cluster")]
use crate::error::TableError;
use crate::table::{Checkpoints, SavedProgress};

/// Adds `--checkpoint` and `--checkpoint-every` to the options of `solve`.
pub(super) fn arguments(command: Command) -> Command {
    let folder = Arg::new("checkpoint")
        .long("checkpoint")
        .value_name("FOLDER")
        .display_order(804)
        .help(
            "Save progress in this folder: run the same command again to resume after Ctrl-C, a \
             crash or a power failure. The folder is emptied when the run is complete",
        )
        .value_parser(value_parser!(PathBuf));
    let every = Arg::new("checkpoint-every")
        .long("checkpoint-every")
        .value_name("TIME")
        .display_order(805)
        .requires("checkpoint")
        .allow_hyphen_values(true)
        .help(
            "Time between checkpoints, as in 90s, 10m or 1h30m [default: 30s, or longer where that \
             would cost more than 4 % of the time]",
        )
        .value_parser(parse_time);
    command.args([folder, every])
}

/// Whether the options name a folder for checkpoints.
pub(super) fn are_wanted(options: &ArgMatches) -> bool {
    options.contains_id("checkpoint")
}

/// The checkpoints that the options name.
pub(super) fn open(options: &ArgMatches) -> Result<Option<Checkpoints>, CliError> {
    open_as(true, options)
}

/// The checkpoints that the options name; `first` says that this is the only process of the run, or the
/// first one.
pub(super) fn open_as(first: bool, options: &ArgMatches) -> Result<Option<Checkpoints>, CliError> {
    let Some(folder) = options.get_one::<PathBuf>("checkpoint") else { return Ok(None) };
    destinations::check(folder)?;
    let checkpoints = match first {
        #[cfg(feature = "cluster")]
        false => Checkpoints::of_other_process(folder),
        _ => Checkpoints::in_folder(folder),
    };
    let checkpoints = checkpoints.map_err(CliError::failed)?;
    Ok(Some(match options.get_one::<Duration>("checkpoint-every") {
        Some(&apart) => checkpoints.every(apart),
        None => checkpoints,
    }))
}

/// The error of an interrupted run, whose progress is in these checkpoints.
pub(super) fn interrupted(checkpoints: Option<&Checkpoints>) -> CliError {
    match checkpoints {
        None => CliError::failed(
            "interrupted: nothing was written (with --checkpoint FOLDER, progress is saved)",
        ),
        Some(checkpoints) => {
            CliError::failed(format!("interrupted: {}", what_is_saved(checkpoints)))
        }
    }
}

/// What a run that ends has saved, what it loses, and how to resume it.
fn what_is_saved(checkpoints: &Checkpoints) -> String {
    let folder = checkpoints.folder();
    match checkpoints.progress() {
        Some(progress) => saved(folder, progress, Some(checkpoints.unsaved())),
        None if checkpoints.is_empty() => {
            format!("nothing was saved in {} before the first checkpoint", folder.display())
        }
        None => format!(
            "the discovered states are saved in {}: run the same command again to resume",
            folder.display()
        ),
    }
}

/// The error of a run that failed. Where it ended for want of memory, it says where the progress is.
pub(super) fn failed(error: SolveError, checkpoints: Option<&Checkpoints>) -> CliError {
    match (&error, checkpoints) {
        (SolveError::WideningOverLimit { .. }, Some(checkpoints)) => {
            let folder = checkpoints.folder().display();
            CliError::failed(format!("{error} (progress is saved in {folder})"))
        }
        (SolveError::WideningOverLimit { .. }, None) => CliError::failed(format!(
            "{error} (nothing was saved; with --checkpoint FOLDER, progress is)"
        )),
        _ => error.into(),
    }
}

/// Says of a run of several processes that failed where its progress is.
#[cfg(feature = "cluster")]
pub(super) fn together(error: TableError, checkpoints: Option<&Checkpoints>) -> CliError {
    let Some(checkpoints) = checkpoints else {
        return match error.is_interrupted() {
            true => interrupted(None),
            false => CliError::failed(error),
        };
    };
    match error.is_interrupted() {
        true => interrupted(Some(checkpoints)),
        false => CliError::failed(format!("{error}; {}", what_is_saved(checkpoints))),
    }
}

/// Says what an earlier or a failed run of several processes has saved in the folder that the options name,
/// if there is anything.
#[cfg(feature = "cluster")]
pub(super) fn saved_by_others(options: &ArgMatches) -> Option<String> {
    let folder = options.get_one::<PathBuf>("checkpoint")?;
    Checkpoints::progress_in(folder).map(|progress| saved(folder, progress, None))
}

/// How far a run is that is saved in a folder, for how long it has worked since, and how to resume it.
fn saved(folder: &Path, progress: SavedProgress, unsaved: Option<Duration>) -> String {
    let place = match (progress, unsaved) {
        (SavedProgress::Level(level), Some(unsaved)) => {
            format!("level {level} is next; {} s of work since then are lost", unsaved.as_secs())
        }
        (SavedProgress::Level(level), None) => format!("level {level} is next"),
        (SavedProgress::Solved, _) => "all states are solved".into(),
    };
    let folder = folder.display();
    format!("progress is saved in {folder} ({place}): run the same command again to resume")
}

/// Removes the checkpoints once the answer is printed and the table is written.
pub(super) fn clear(checkpoints: Option<Checkpoints>) -> Result<(), CliError> {
    checkpoints.map_or(Ok(()), Checkpoints::clear).map_err(CliError::failed)
}
