//! `laws`: whether a game's rules and numbering are consistent.

use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use serde_json::json;

use crate::cli::CliError;
use crate::cli::session::Session;
use crate::laws::{LawError, Report, Scope};
use crate::runtime::progress::OnProgress;

/// Adds the options of `laws` to those of a game.
pub(crate) fn arguments(command: Command) -> Command {
    let sample = Arg::new("sample")
        .long("sample")
        .value_name("STATES")
        .help("Check so many states drawn at random instead of all")
        .value_parser(value_parser!(u64).range(1..));
    let seed = Arg::new("seed")
        .long("seed")
        .value_name("NUMBER")
        .help("Where the random numbers of --sample begin [default: 1]")
        .requires("sample")
        .value_parser(value_parser!(u64));
    command.arg(sample).arg(seed)
}

/// Checks the laws on all states of a game or on some, which is what `check` does.
pub(crate) fn run(
    name: &str,
    options: &ArgMatches,
    session: &mut Session,
    check: impl FnOnce(Scope, &mut OnProgress<'_>) -> Result<Report, LawError>,
) -> Result<(), CliError> {
    let seed = options.get_one::<u64>("seed").copied().unwrap_or(1);
    let scope = match options.get_one::<u64>("sample") {
        Some(&states) => Scope::Sample { states, seed },
        None => Scope::All,
    };
    session.begin_work();
    let report = check(scope, &mut |progress| session.report(progress))?;
    session.answer(
        || {
            json!({
                "lawful": true,
                "states": report.states,
                "moves": report.moves,
                "predecessors": report.predecessors,
            })
        },
        || {
            format!(
                "{name} keeps the laws: {} states, {} moves and {} predecessors were checked\n",
                HumanCount(report.states),
                HumanCount(report.moves),
                HumanCount(report.predecessors),
            )
        },
    )
}
