//! Checkpoints of `solve`: where they are kept, and what to say of them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::session::Session;
use crate::table::Checkpoints;

/// Adds the options to those of `solve`.
pub(super) fn arguments(command: Command) -> Command {
    let folder = Arg::new("checkpoint")
        .long("checkpoint")
        .value_name("FOLDER")
        .display_order(804)
        .help(
            "Keep in this folder how far the run has come; the same command goes on from there \
             after Ctrl-C, a crash or a loss of power, and the folder is emptied at the end",
        )
        .value_parser(value_parser!(PathBuf));
    let every = Arg::new("checkpoint-every")
        .long("checkpoint-every")
        .value_name("TIME")
        .display_order(805)
        .requires("checkpoint")
        .allow_hyphen_values(true)
        .help(
            "How long to wait from one checkpoint to the next, as in 90s, 10m or 1h30m [default: \
             30s, or as long as it takes for them to cost at most 4 % of the time]",
        )
        .value_parser(parse_time);
    command.args([folder, every])
}

fn parse_time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .map_err(|error| format!("{error}; expected a time as in 90s, 10m or 1h30m"))
}

/// Whether any are asked for.
pub(super) fn are_wanted(options: &ArgMatches) -> bool {
    options.contains_id("checkpoint")
}

/// The checkpoints that are asked for.
pub(super) fn open(
    options: &ArgMatches,
    session: &mut Session,
) -> Result<Option<Checkpoints>, CliError> {
    let Some(folder) = options.get_one::<PathBuf>("checkpoint") else { return Ok(None) };
    let checkpoints = Checkpoints::in_folder(folder).map_err(CliError::failed)?;
    session.finish_levels();
    Ok(Some(match options.get_one::<Duration>("checkpoint-every") {
        Some(&apart) => checkpoints.every(apart),
        None => checkpoints,
    }))
}

/// The error for a run that was interrupted and has no more to show than these.
pub(super) fn interrupted(checkpoints: Option<&Checkpoints>) -> CliError {
    match checkpoints {
        None => CliError::failed("interrupted: nothing was written"),
        Some(checkpoints) => {
            let folder = checkpoints.folder().display();
            CliError::failed(if checkpoints.is_empty() {
                format!("interrupted before the first checkpoint: there is nothing in {folder}")
            } else {
                format!(
                    "interrupted: how far the run came is kept in {folder}, and the same command \
                     goes on from there"
                )
            })
        }
    }
}

/// Removes them, once the answer is safe.
pub(super) fn clear(checkpoints: Option<Checkpoints>) -> Result<(), CliError> {
    checkpoints.map_or(Ok(()), Checkpoints::clear).map_err(CliError::failed)
}
