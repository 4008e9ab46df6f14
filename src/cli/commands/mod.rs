//! The subcommands, each in a file of its own.

mod amounts;
mod checkpoints;
pub(super) mod completions;
mod destinations;
pub(super) mod explore;
pub(super) mod games;
pub(super) mod laws;
mod line;
mod moves;
mod probe;
mod resources;
#[cfg(feature = "serve")]
pub(super) mod serve;
pub(super) mod solve;
mod solved;
pub(super) mod stats;
pub(super) mod verify;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::Registered;
use crate::cli::entry;
use crate::cli::entry::{Entry, OpenTable};
use crate::cli::session::Session;
use crate::cli::words::{Position, Words};
use crate::numbering::scheme::{Numberings as _, SchemeVisitor, Solvable};
use crate::query::{Line, Query, QueryError};
use crate::words::start;

/// The name of the option `--board`.
const BOARD: &str = "board";

/// What to show of one position of a table.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    show: Show,
    /// Whether to draw positions.
    board: bool,
}

#[derive(Clone, Copy)]
enum Show {
    Verdict,
    Moves,
    Line,
}

/// Every subcommand, in the order that the help shows.
pub(super) fn all(program: &str, entries: &[Box<dyn Entry>]) -> Vec<Command> {
    let of_games = |command: Command, arguments: fn(Command) -> Command| {
        let games = entries.iter().map(|entry| {
            let help = format!(
                "Example:   {program} {}\nPositions: {}",
                entry.about().example_of(command.get_name()),
                entry.about().states
            );
            // clap takes the doc comment of the options for a description of the game.
            let game = entry.with_options(Command::new(entry.name())).long_about(None);
            let command_of_game = arguments(game.about(entry.about().about).after_help(help));
            match command.get_name() {
                "solve" => solve::with_tiers(command_of_game, entry.numberings()),
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
            // Lets an unknown game through, so that the error can list the games.
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
    let of_state = |name, about, board| {
        let state = Arg::new("state")
            .value_name("POSITION")
            .help("The position in the game's notation [default: the start position]");
        let board = Arg::new(BOARD).long(BOARD).help(board).action(ArgAction::SetTrue);
        of_table(name, about).args([state, board])
    };
    vec![
        games::command(),
        of_games(
            Command::new("solve").about("Solve a game completely and store the table"),
            solve::arguments,
        ),
        of_games(
            Command::new("explore")
                .about("Count the reachable states of a game without solving it"),
            explore::arguments,
        ),
        of_state(
            "probe",
            "Show who wins from a position, and in how many plies",
            "Draw the position; without --quiet it is always drawn",
        ),
        of_state(
            "moves",
            "List the legal moves of a position with their values, best first",
            "Draw the position",
        ),
        of_state("line", "Show best play from a position to the end", "Draw every position"),
        stats::arguments(of_table(
            "stats",
            "Count the states of a table by outcome and by distance",
        )),
        verify::arguments(of_table(
            "verify",
            "Check a table: its checksums, and every value against those of its successors",
        )),
        of_games(
            Command::new("laws").about("Check that a game's rules and numbering are consistent"),
            laws::arguments,
        ),
        #[cfg(feature = "serve")]
        serve::command(),
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
    if name == "verify" {
        if let Some(threads) = resources::threads(arguments) {
            table.table = table.table.with_threads(threads);
        }
        if let Some(bytes) = resources::memory(arguments) {
            table.table = table.table.with_memory(bytes);
        }
    }
    let entry = table_entry(entries, &table)?;
    let probe = |show, session: &mut _| {
        let state = arguments.get_one::<String>("state").map(String::as_str);
        let probe = Probe { show, board: arguments.get_flag(BOARD) };
        entry.probe(&table, probe, state, session)
    };
    match name {
        "probe" => probe(Show::Verdict, session),
        "moves" => probe(Show::Moves, session),
        "line" => probe(Show::Line, session),
        "stats" => entry.stats(&table, stats::examples(arguments), session),
        "verify" => entry.verify(&table, session),
        _ => Err(CliError::usage(format!("no such command: {name}"))),
    }
}

/// The game of a table.
///
/// # Errors
/// When it is none of these.
fn table_entry<'e>(
    entries: &'e [Box<dyn Entry>],
    table: &OpenTable<'_>,
) -> Result<&'e dyn Entry, CliError> {
    let game = table.table.game_name();
    entry::find(entries, game).ok_or_else(|| {
        let (path, known) = (table.path.display(), entry::names(entries));
        CliError::failed(format!(
            "{path}: the table of another game: it is of \"{game}\", and this program knows {known}"
        ))
    })
}

/// Probes the table at `path` for the position that `text` describes, or for the start position.
pub(super) fn probe<G: Registered>(
    query: &dyn Query<Game = G>,
    path: &Path,
    probe: Probe,
    text: Option<&str>,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = query.game();
    let state = match text {
        Some(text) => game.parse_state(text)?,
        None => start(query).ok_or_else(|| {
            CliError::usage("the game has no start position: name the position to probe")
        })?,
    };
    let written = game.write_state(&state);
    let explain = |error| match error {
        QueryError::NotInTable { .. } => {
            CliError::failed(QueryError::NotInTable { state: written.clone() })
        }
        QueryError::OutcomesOnly { .. } => CliError::failed(format!("{}: {error}", path.display())),
        QueryError::Table(error) => CliError::table(path)(error),
    };
    let Probe { show, board } = probe;
    let words = &Words::of(game);
    match show {
        Show::Verdict => {
            let verdict = query.verdict(&state).map_err(explain)?;
            let board = board || !session.is_quiet();
            probe::run(words, &Position::of(game, &state, verdict, board), session)
        }
        Show::Moves => {
            let verdict = query.verdict(&state).map_err(&explain)?;
            let moves = query.moves(&state).map_err(&explain)?;
            let moves: Vec<Position> =
                moves.iter().map(|to| Position::after(game, &state, to, false)).collect();
            moves::run(words, &Position::of(game, &state, verdict, board), &moves, session)
        }
        Show::Line => {
            let Line { steps, end, .. } = query.line(&state).map_err(explain)?;
            let mut positions = vec![Position::of(game, &state, steps[0].verdict, board)];
            positions.extend(
                steps.windows(2).map(|pair| Position::after(game, &pair[0].state, &pair[1], board)),
            );
            line::run(words, &positions, end, query.rules(), session)
        }
    }
}

/// Runs the visitor with the scheme of this name.
fn in_scheme<G: Solvable, V: SchemeVisitor<G>>(
    name: &str,
    visitor: V,
) -> Result<V::Output, CliError> {
    G::Numberings::visit_name(name, visitor).map_err(|_| {
        CliError::usage({
            let known = G::Numberings::NAMES.join(", ");
            CliError::usage(format!("no such numbering: \"{name}\"; expected one of {known}"))
        })
    })
}
