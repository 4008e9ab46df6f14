//! The checkpoint options of `solve`.

#[cfg(feature = "cluster")]
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::commands::amounts::parse_time;
use crate::cli::commands::destinations;
use crate::cli::session::Session;
use crate::error::SolveError;
#[cfg(feature = "cluster")]
use crate::error::TableError;
use crate::table::Checkpoints;
#[cfg(feature = "cluster")]
use crate::table::SavedProgress;

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
pub(super) fn open(
    options: &ArgMatches,
    session: &mut Session,
) -> Result<Option<Checkpoints>, CliError> {
    open_as(true, options, session)
}

/// The checkpoints that the options name; `first` says that this is the only process of the run, or the
/// first one.
pub(super) fn open_as(
    first: bool,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<Option<Checkpoints>, CliError> {
    let Some(folder) = options.get_one::<PathBuf>("checkpoint") else { return Ok(None) };
    destinations::check(folder)?;
    let checkpoints = match first {
        #[cfg(feature = "cluster")]
        false => Checkpoints::of_other_process(folder),
        _ => Checkpoints::in_folder(folder),
    };
    let checkpoints = checkpoints.map_err(CliError::failed)?;
    session.save_first();
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
            let folder = checkpoints.folder().display();
            CliError::failed(if checkpoints.is_empty() {
                format!("interrupted before the first checkpoint: nothing was saved in {folder}")
            } else {
                format!(
                    "interrupted: progress is saved in {folder}; run the same command again to resume"
                )
            })
        }
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
#[cfg(feature = "cluster")]
pub(super) fn saved_by_others(options: &ArgMatches) -> Option<String> {
    let folder = options.get_one::<PathBuf>("checkpoint")?;
    Checkpoints::progress_in(folder).map(|progress| saved(folder, progress))
}

/// How far a run is that is saved in a folder, and how to resume it.
#[cfg(feature = "cluster")]
fn saved(folder: &Path, progress: SavedProgress) -> String {
    let place = match progress {
        SavedProgress::Counting => "within the first pass".into(),
        SavedProgress::Level(level) => format!("level {level} is next"),
        SavedProgress::Solved => "all states are solved".into(),
    };
    let folder = folder.display();
    format!("progress is saved in {folder} ({place}): run the same command again to resume")
}

/// Removes the checkpoints once the answer is printed and the table is written.
pub(super) fn clear(checkpoints: Option<Checkpoints>) -> Result<(), CliError> {
    checkpoints.map_or(Ok(()), Checkpoints::clear).map_err(CliError::failed)
}
