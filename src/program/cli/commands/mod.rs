//! The subcommands, each in a file of its own.

mod amounts;
pub(super) mod completions;
mod destinations;
mod draw;
pub(super) mod explore;
pub(super) mod games;
pub(super) mod laws;
mod line;
mod moves;
mod option_data;
mod play;
mod plots;
pub(super) mod position;
mod probe;
pub(super) mod probe_lines;
#[cfg(feature = "serve")]
pub(super) mod publish;
mod resources;
pub(super) mod rules;
#[cfg(feature = "serve")]
pub(super) mod serve;
pub(super) mod solve;
pub(super) mod stats;
pub(super) mod verify;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::program::cli::CliError;
use crate::program::cli::arguments::switch;
use crate::program::cli::entry::{self, Entry, Show};
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use position::{BOARD, STATE};

/// Every subcommand, in the order that the help shows.
pub(super) fn all(program: &str, entries: &[Box<dyn Entry>]) -> Vec<Command> {
    let of_games = |name: &'static str, about: &'static str, arguments: fn(Command) -> Command| {
        let games = entries.iter().map(|entry| {
            let help = format!(
                "Example:   {program} {}\nPositions: {}",
                entry.about().example_of(name),
                entry.about().states
            );
            // clap would take the doc comment of the options for a description of the game.
            let game = entry.with_options(Command::new(entry.name().to_owned())).long_about(None);
            let game = match name {
                "rules" => rules::with_example(game, entry.about().example),
                _ => game,
            };
            let command_of_game =
                arguments(game.about(entry.about().about.to_owned()).after_help(help));
            match name {
                "solve" => solve::with_tiers(command_of_game, &entry.numberings().names()),
                _ => command_of_game,
            }
        });
        let games: Vec<Command> = games.collect();
        Command::new(name)
            .about(about)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            .disable_help_subcommand(true)
            // Accepts an unknown game here. The error later lists the games.
            .allow_external_subcommands(true)
            .subcommands(games)
    };
    let of_table = |name: &'static str, about: &'static str| {
        let file = Arg::new("table")
            .value_name("FILE")
            .help("A table file or a folder of tiers that `solve --output` wrote")
            .required(true)
            .value_parser(value_parser!(PathBuf));
        Command::new(name).about(about).arg(file)
    };
    let of_state = |name, about| {
        let state = Arg::new(STATE)
            .value_name("POSITION")
            .help("The position in the game's notation [default: the start position]");
        of_table(name, about).arg(state)
    };
    let of_board = |name, about, board| {
        let board = switch(BOARD, board);
        of_state(name, about).arg(board)
    };
    vec![
        games::command(),
        of_games("rules", "Print the rules of a game", rules::arguments),
        of_games("solve", "Solve a game completely and store the table", solve::arguments),
        of_games(
            "explore",
            "Count the reachable states of a game without solving it",
            resources::arguments,
        ),
        of_board(
            "probe",
            "Show who wins from a position, and in how many plies",
            "Draw the position; without --quiet a single one is always drawn",
        )
        .mut_arg(STATE, |state| state.help(probe_lines::HELP)),
        of_board(
            "moves",
            "List the legal moves of a position with their values, best first",
            "Draw the position",
        ),
        of_board("line", "Show best play from a position to the end", "Draw every position"),
        play::arguments(of_state("play", "Play against perfect play in the terminal")),
        draw::arguments(of_state("draw", "Draw a position as an SVG picture")),
        stats::arguments(of_table(
            "stats",
            "Count the states of a table by outcome and by distance",
        )),
        verify::arguments(of_table(
            "verify",
            "Check a table: its checksums, and every value against those of its successors",
        )),
        of_games("laws", "Check that a game's rules and numbering are consistent", laws::arguments),
        #[cfg(feature = "serve")]
        serve::command(),
        #[cfg(feature = "serve")]
        publish::command(),
        completions::command(),
    ]
}

/// Runs a subcommand that reads a table.
pub(super) fn with_table(
    entries: &[Box<dyn Entry>],
    name: &str,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let Some(path) = arguments.get_one::<PathBuf>("table") else {
        return Err(CliError::usage(format!("{name} needs the path of a table")));
    };
    if name == "verify" && arguments.get_flag("bytes") {
        return verify::bytes(path, session);
    }
    let mut table = OpenTable::open(path)?;
    if name != "stats" || stats::examples(arguments) > 0 {
        table.check_is_whole()?;
    }
    if ["stats", "verify"].contains(&name) {
        table.check_tiers()?;
    }
    if name == "verify" {
        if let Some(threads) = resources::threads(arguments) {
            table.table = table.table.threads(threads);
        }
        if let Some(bytes) = resources::memory(arguments) {
            table.table = table.table.memory(bytes);
        }
    }
    if name == "stats" && stats::examples(arguments) == 0 && entry::known(entries, &table).is_none()
    {
        let plots = plots::planned(arguments)?;
        stats::run_without_rules(&table, session)?;
        return plots.write(&table, session);
    }
    let entry = entry::of_table(entries, &table)?;
    let probe = |show, session: &mut _| entry.probe(&table, show, arguments, session);
    match name {
        "probe" => probe(Show::Verdict, session),
        "moves" => probe(Show::Moves, session),
        "line" => probe(Show::Line, session),
        "play" => probe(Show::Play, session),
        "draw" => probe(Show::Picture, session),
        "stats" => {
            let plots = plots::planned(arguments)?;
            entry.stats(&table, stats::examples(arguments), session)?;
            plots.write(&table, session)
        }
        "verify" => entry.verify(&table, verify::tier(arguments), session),
        _ => Err(CliError::usage(format!("no such command: {name}"))),
    }
}
