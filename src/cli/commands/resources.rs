//! What a run may use: threads, memory, states.

use bytesize::ByteSize;
use clap::{Arg, ArgMatches, Command, value_parser};
use sysinfo::System;

use crate::cli::Registered;
use crate::solve::Solver;

/// Adds the options to those of a game.
pub(crate) fn arguments(command: Command) -> Command {
    let memory = memory_argument(
        "The most memory the run may take, as in 500MB or 4GiB; a game without predecessors is \
         solved slower where less is allowed [default: what is free]",
    );
    let states = Arg::new("max-states")
        .long("max-states")
        .allow_negative_numbers(true)
        .value_name("N")
        .display_order(803)
        .help("The most states there may be [default: as many as the memory holds]")
        .value_parser(value_parser!(u64).range(1..));
    command.args([threads_argument(), memory, states])
}

/// How much memory may be taken, and for what.
pub(super) fn memory_argument(help: &'static str) -> Arg {
    Arg::new("memory")
        .long("memory")
        .allow_negative_numbers(true)
        .value_name("SIZE")
        .display_order(802)
        .help(help)
        .value_parser(value_parser!(ByteSize))
}

/// How many threads work.
pub(super) fn threads_argument() -> Arg {
    Arg::new("threads")
        .long("threads")
        .allow_negative_numbers(true)
        .value_name("N")
        .display_order(801)
        .help("How many threads work, which makes no difference to the result [default: all cores]")
        .value_parser(value_parser!(u16).range(1..=1024))
}

/// How many threads are asked for, if it is said.
pub(super) fn threads(options: &ArgMatches) -> Option<usize> {
    options.get_one::<u16>("threads").map(|&threads| threads.into())
}

/// A solver for the game that keeps to the options.
pub(super) fn solver<'g, 'p, G: Registered>(
    game: &'g G,
    options: &ArgMatches,
) -> Solver<'g, 'p, G> {
    let mut solver = Solver::new(game);
    if let Some(threads) = threads(options) {
        solver = solver.threads(threads);
    }
    if let Some(&states) = options.get_one::<u64>("max-states") {
        solver = solver.max_states(states);
    }
    match memory(options) {
        Some(bytes) => solver.memory(bytes),
        None => solver,
    }
}

/// How much memory the options allow: if they don't say, as much as is free, if the system says.
pub(super) fn memory(options: &ArgMatches) -> Option<u64> {
    let memory = options.get_one::<ByteSize>("memory").map(ByteSize::as_u64);
    memory.or_else(free_memory)
}

/// How much memory the system could give now, if it says.
fn free_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| free.min(limits.free_memory));
    (free > 0).then_some(free)
}
