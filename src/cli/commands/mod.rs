//! The subcommands, one file each.

mod checkpoints;
pub(super) mod completions;
pub(super) mod explore;
pub(super) mod games;
pub(super) mod laws;
mod line;
mod moves;
mod probe;
mod resources;
pub(super) mod solve;
pub(super) mod stats;
pub(super) mod tiers;
pub(super) mod verify;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::entry;
use crate::cli::entry::{Entry, OpenTable, from_folder};
use crate::cli::session::Session;
use crate::game::Game;
use crate::notation::Notation;
use crate::query::{Query, QueryError};
pub(super) use stats::Stats;

/// What can be asked about one position of a table.
#[derive(Clone, Copy)]
pub(super) enum Question {
    Probe,
    Moves,
    Line,
}

/// Every subcommand, in the order that the help shows.
pub(super) fn all(program: &str, entries: &[Box<dyn Entry>]) -> Vec<Command> {
    let of_games = |command: Command, arguments: fn(Command) -> Command| {
        let games = entries.iter().map(|entry| {
            let help = format!(
                "Example:   {program} {} {} {}\nPositions: {}",
                command.get_name(),
                entry.name(),
                entry.about().example,
                entry.about().states
            );
            // The options' own documentation is not that of the game.
            let game = entry.with_options(Command::new(entry.name())).long_about(None);
            let command_of_game = arguments(game.about(entry.about().about).after_help(help));
            match command.get_name() {
                "solve" => entry.with_solve_options(command_of_game),
                _ => command_of_game,
            }
        });
        let games: Vec<Command> = games.collect();
        command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            .disable_help_subcommand(true)
            // For an error that lists the games.
            .allow_external_subcommands(true)
            .subcommands(games)
    };
    let of_table = |name: &'static str, about: &'static str| {
        let file = Arg::new("table")
            .value_name("FILE")
            .help("The table, or folder of tables, as `solve --output` wrote it")
            .required(true)
            .value_parser(value_parser!(PathBuf));
        Command::new(name).about(about).arg(file)
    };
    let of_state = |name, about| {
        of_table(name, about).arg(
            Arg::new("state")
                .value_name("POSITION")
                .help("The position, in the game's notation [default: the start position]"),
        )
    };
    vec![
        Command::new("games").about("List the games, their options and how positions are written"),
        of_games(
            Command::new("solve").about("Solve a game completely, and store the table"),
            solve::arguments,
        ),
        of_games(
            Command::new("explore")
                .about("Count the states of a game that play can reach, without solving it"),
            explore::arguments,
        ),
        of_state("probe", "Tell who wins from a position, and in how many plies"),
        of_state("moves", "List the legal moves of a position with their values, best first"),
        of_state("line", "Show best play from a position to the end"),
        stats::arguments(of_table(
            "stats",
            "Show the counts of a table, and how many states each distance has",
        )),
        verify::arguments(of_table(
            "verify",
            "Check a table: its checksums, and every value against its neighbours",
        )),
        of_games(
            Command::new("laws").about("Check that a game's rules and numbering are consistent"),
            laws::arguments,
        ),
        completions::command(),
    ]
}

/// Runs a subcommand that is about a table.
pub(super) fn with_table(
    entries: &[Box<dyn Entry>],
    name: &str,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let Some(path) = arguments.get_one::<PathBuf>("table") else {
        return Err(CliError::usage("no table was named"));
    };
    if name == "verify" && arguments.get_flag("bytes") {
        return verify::bytes(path, session);
    }
    let mut table = OpenTable::open(path)?;
    if name == "verify" {
        if let Some(threads) = resources::threads(arguments) {
            table = table.with_threads(threads);
        }
        if let Some(bytes) = resources::memory(arguments) {
            table = table.with_memory(bytes);
        }
    }
    let game = table.game_name();
    let Some(entry) = entry::find(entries, game) else {
        let (path, known) = (path.display(), entry::names(entries));
        return Err(CliError::failed(format!(
            "{path}: the table of another game: it is of \"{game}\", and this program knows {known}"
        )));
    };
    let ask = |question, session: &mut _| {
        let state = arguments.get_one::<String>("state").map(String::as_str);
        entry.ask(&table, question, state, session)
    };
    match name {
        "probe" => ask(Question::Probe, session),
        "moves" => ask(Question::Moves, session),
        "line" => ask(Question::Line, session),
        "stats" => entry.stats(&table, stats::examples(arguments), session),
        "verify" => entry.verify(&table, session),
        _ => Err(CliError::usage(format!("no such command: {name}"))),
    }
}

/// Answers a question about the position that `text` stands for, or about the start position, from
/// the table in the file at `path`.
pub(super) fn ask<Q: Query>(
    query: &Q,
    path: &Path,
    question: Question,
    text: Option<&str>,
    session: &mut Session,
) -> Result<(), CliError>
where
    Q::Game: Notation,
{
    let game = query.game();
    let state = match text {
        Some(text) => game.parse_state(text)?,
        None => game.roots().into_iter().next().ok_or_else(|| {
            CliError::usage("the game has no start position: name the position to ask about")
        })?,
    };
    let written = game.write_state(&state);
    let explain = |error| match error {
        QueryError::NotInTable { .. } => {
            CliError::failed(QueryError::NotInTable { state: written.clone() })
        }
        QueryError::OutcomesOnly { .. } => CliError::failed(format!("{}: {error}", path.display())),
        QueryError::Table(error) => CliError::file(path)(error),
        QueryError::Folder(error) => from_folder(error),
    };
    match question {
        Question::Probe => probe::run(query, &state, &explain, session),
        Question::Moves => moves::run(query, &state, &explain, session),
        Question::Line => line::run(query, &state, &explain, session),
    }
}

/// Tells an error of a query with the position in the game's notation and the file's name.
type Explain<'a> = dyn Fn(QueryError) -> CliError + 'a;

/// The state type of a query's game.
type StateOf<Q> = <<Q as Query>::Game as Game>::State;
