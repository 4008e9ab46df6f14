//! The options of `solve` for several processes.

use std::env;
use std::path::PathBuf;

use clap::{ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::arguments::option;
use crate::cli::numberings::has_tiers;

/// The names of the options.
pub(super) const PROCESSES: &str = "processes";
pub(super) const HOSTS: &str = "hosts";
pub(super) const PROCESS: &str = "process";
pub(super) const TOKEN: &str = "token";

/// What tells a copy of this program that a supervisor started it: its place, the supervisor's port,
/// and the token.
pub(super) const MEMBER: &str = "RETROGRADE_MEMBER";

/// Adds `--processes`, `--hosts`, `--process` and `--token`.
pub(in crate::cli) fn arguments(command: Command) -> Command {
    let processes = option(PROCESSES, "N").help("Solve with so many processes of this machine. Each has a part of the positions in \
             memory, --threads threads and --memory bytes. With --checkpoint, any number of processes \
             resumes").display_order(806).allow_negative_numbers(true).conflicts_with(HOSTS).value_parser(value_parser!(u16).range(1..=256));
    let hosts = option(HOSTS, "FILE").help("Solve together with processes of other machines. The file has a line for each process: \
             ADDRESS:PORT, where it listens. Start the same command for each, with its --process")
    .display_order(807)
    .requires_all([PROCESS, TOKEN])
    .value_parser(value_parser!(PathBuf));
    let process = option(PROCESS, "K")
        .help("Which line of the hosts file this process is, from 0. Process 0 writes the table")
        .display_order(808)
        .requires(HOSTS)
        .allow_negative_numbers(true)
        .value_parser(value_parser!(u16));
    let token = option(TOKEN, "FILE")
        .help("A file with a secret of 16 bytes or more that all processes of the run have")
        .display_order(809)
        .requires(HOSTS)
        .value_parser(value_parser!(PathBuf));
    command.args([processes, hosts, process, token])
}

/// Whether this program is to start the processes.
pub(in crate::cli) fn is_supervisor(options: &ArgMatches) -> bool {
    options.contains_id(PROCESSES) && env::var_os(MEMBER).is_none()
}

/// How many processes the options ask for.
pub(super) fn processes(options: &ArgMatches) -> usize {
    options.get_one::<u16>(PROCESSES).map_or(1, |&count| count.into())
}

/// Refuses what several processes can't do.
pub(in crate::cli) fn check(numbering: &str, options: &ArgMatches) -> Result<(), CliError> {
    if !options.contains_id(PROCESSES) && !options.contains_id(HOSTS) {
        return Ok(());
    }
    if has_tiers(numbering) && options.contains_id("outcome-only") {
        return Err(CliError::usage(
            "several processes write the tables of tiers alone: leave --outcome-only out",
        ));
    }
    if options.contains_id("output") || options.contains_id("outcome-only") {
        return Ok(());
    }
    Err(CliError::usage("several processes need --output FILE, where the first writes the table"))
}
