//! Options that limit a run: threads, memory, states.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Arg, ArgMatches, Command, value_parser};
use sysinfo::System;

use crate::program::cli::Registered;
use crate::program::cli::arguments::option;
use crate::program::cli::commands::amounts::parse_size;
use crate::solve::Solver;

/// Adds `--threads`, `--memory` and `--max-states` to the options of a game.
pub(crate) fn arguments(command: Command) -> Command {
    let memory = memory_argument(
        "Memory limit, as in 500MB or 4GiB. A game without predecessors is solved more slowly with \
         less [default: the free memory]",
    );
    command.args([threads_argument(), memory, states_argument()])
}

/// The option `--max-states`.
pub(super) fn states_argument() -> Arg {
    option("max-states", "N")
        .help("Stop with an error if there are more states [default: as many as fit in memory]")
        .allow_negative_numbers(true)
        .display_order(803)
        .value_parser(value_parser!(u64).range(1..))
}

/// The option `--scratch`.
pub(super) fn scratch_argument() -> Arg {
    option("scratch", "FOLDER")
        .help(
            "Keep what does not fit into --memory in files in this folder, on a disk with room for \
             3.3 bytes a state, and 4 a move without predecessors [default: end with an error]",
        )
        .display_order(802)
        .conflicts_with_all(["processes", "hosts"])
        .value_parser(value_parser!(PathBuf))
}

/// The option `--memory` with this help.
pub(super) fn memory_argument(help: &'static str) -> Arg {
    option("memory", "SIZE")
        .help(help)
        .allow_negative_numbers(true)
        .display_order(802)
        .value_parser(parse_memory)
}

fn parse_memory(text: &str) -> Result<ByteSize, String> {
    match parse_size(text)? {
        ByteSize(0) => Err("expected more than 0 bytes; leave --memory out for the default".into()),
        size => Ok(size),
    }
}

/// The option `--threads`.
pub(super) fn threads_argument() -> Arg {
    option("threads", "N")
        .help("Number of threads; the result is the same for any number [default: all cores]")
        .allow_negative_numbers(true)
        .display_order(801)
        .value_parser(value_parser!(u16).range(1..=1024))
}

/// The number of threads that the options allow, if they say.
pub(super) fn threads(options: &ArgMatches) -> Option<usize> {
    options.get_one::<u16>("threads").map(|&threads| threads.into())
}

/// A solver for the game within the limits of the options.
pub(super) fn solver<'g, 'p, G: Registered>(
    game: &'g G,
    options: &ArgMatches,
) -> Solver<'g, 'p, G> {
    let mut solver = Solver::new(game).notation();
    if let Some(threads) = threads(options) {
        solver = solver.threads(threads);
    }
    if let Some(states) = max_states(options) {
        solver = solver.max_states(states);
    }
    if let Ok(Some(folder)) = options.try_get_one::<PathBuf>("scratch") {
        solver = solver.scratch(folder);
    }
    match memory(options) {
        Some(bytes) => solver.memory(bytes),
        None => solver,
    }
}

/// The most states that the options allow, if they say.
pub(super) fn max_states(options: &ArgMatches) -> Option<u64> {
    options.get_one::<u64>("max-states").copied()
}

/// The memory limit of the options in bytes; by default the free memory, where the system says.
pub(super) fn memory(options: &ArgMatches) -> Option<u64> {
    let memory = options.get_one::<ByteSize>("memory").map(ByteSize::as_u64);
    memory.or_else(free_memory)
}

/// The free memory in bytes, where the system says.
fn free_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory));
    (free > 0).then_some(free)
}
