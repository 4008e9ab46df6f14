//! The options of `solve` for several processes.

use std::env;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches as _, value_parser};

use crate::program::cli::CliError;
use crate::program::cli::numberings::has_tiers;

/// The environment variable of a copy of this program that a supervisor started: its place, the
/// supervisor's port, and the token.
pub(super) const MEMBER: &str = "RETROGRADE_MEMBER";

// The options, as the help shows them.
#[derive(Args)]
#[group(skip)]
pub(super) struct Options {
    /// Solve with this many processes on this machine. Each has a part of the positions in memory,
    /// --threads threads and --memory bytes. With --checkpoint, any number of processes can resume
    #[arg(long, value_name = "N", display_order = 806, allow_negative_numbers = true)]
    #[arg(conflicts_with = "hosts", value_parser = value_parser!(u16).range(1..=256))]
    pub(super) processes: Option<u16>,
    /// Solve together with processes of other machines. The file has a line for each process:
    /// ADDRESS:PORT, where it listens. Start the same command for each, with its --process
    #[arg(long, value_name = "FILE", display_order = 807, requires_all = ["process", "token"])]
    pub(super) hosts: Option<PathBuf>,
    /// Which line of the hosts file this process is, from 0. Process 0 writes the table
    #[arg(long, value_name = "K", display_order = 808, allow_negative_numbers = true)]
    #[arg(requires = "hosts")]
    pub(super) process: Option<u16>,
    /// A file with a secret of at least 16 bytes, the same for all processes of the run
    #[arg(long, value_name = "FILE", display_order = 809, requires = "hosts")]
    pub(super) token: Option<PathBuf>,
}

impl Options {
    pub(super) fn of(arguments: &ArgMatches) -> Result<Options, CliError> {
        Options::from_arg_matches(arguments).map_err(CliError::usage)
    }
}

/// Adds `--processes`, `--hosts`, `--process` and `--token`.
pub(in crate::program::cli) fn arguments(command: Command) -> Command {
    Options::augment_args(command)
}

/// Whether this program has to start the processes.
pub(in crate::program::cli) fn is_supervisor(options: &ArgMatches) -> bool {
    options.contains_id("processes") && env::var_os(MEMBER).is_none()
}

/// Refuses options that several processes can't obey.
pub(in crate::program::cli) fn check(
    numbering: &str,
    options: &ArgMatches,
) -> Result<(), CliError> {
    if !options.contains_id("processes") && !options.contains_id("hosts") {
        return Ok(());
    }
    if has_tiers(numbering) && options.contains_id("outcomes-only") {
        return Err(CliError::usage(
            "several processes write only the tables of the tiers: leave --outcomes-only out",
        ));
    }
    if options.contains_id("output") || options.contains_id("outcomes-only") {
        return Ok(());
    }
    Err(CliError::usage(
        "several processes need --output FILE, where the first one writes the table",
    ))
}
