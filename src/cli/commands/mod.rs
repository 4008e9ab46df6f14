//! The subcommands, each in a file of its own.

mod amounts;
mod checkpoints;
pub(super) mod completions;
mod destinations;
mod draw;
pub(super) mod explore;
pub(super) mod games;
pub(super) mod laws;
mod line;
pub(super) mod missing;
mod moves;
mod play;
mod plots;
mod probe;
mod resources;
#[cfg(feature = "serve")]
pub(super) mod serve;
pub(super) mod solve;
#[cfg(feature = "cluster")]
mod solve_together;
mod solved;
pub(super) mod stats;
#[cfg(feature = "cluster")]
mod supervisor;
#[cfg(feature = "cluster")]
mod together;
pub(super) mod verify;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::Registered;
use crate::cli::commands::play::{BoardOf, Played};
use crate::cli::entry;
use crate::cli::entry::{Entry, OpenTable};
use crate::cli::session::Session;
use crate::cli::words::{Position, Words};
use crate::numbering::scheme::{Numberings as _, SchemeVisitor, Solvable};
use crate::query::{Line, Query, QueryError};
use crate::words::start;

/// The name of the option `--board`.
const BOARD: &str = "board";

/// The name of the argument that is a position.
const STATE: &str = "state";

/// What to show of one position of a table.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    show: Show,
    /// The arguments of the command, which name the position.
    arguments: &'a ArgMatches,
}

#[derive(Clone, Copy)]
enum Show {
    Verdict,
    Moves,
    Line,
    Play,
    Picture,
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
    let of_state = |name, about| {
        let state = Arg::new(STATE)
            .value_name("POSITION")
            .help("The position in the game's notation [default: the start position]");
        of_table(name, about).arg(state)
    };
    let of_board = |name, about, board| {
        let board = Arg::new(BOARD).long(BOARD).help(board).action(ArgAction::SetTrue);
        of_state(name, about).arg(board)
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
        of_board(
            "probe",
            "Show who wins from a position, and in how many plies",
            "Draw the position; without --quiet it is always drawn",
        ),
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
    if ["stats", "verify"].contains(&name) {
        table.check_tiers()?;
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
    let probe = |show, session: &mut _| entry.probe(&table, Probe { show, arguments }, session);
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

/// Answers a probe of the table at `path`.
pub(super) fn probe<G: Registered>(
    query: &dyn Query<Game = G>,
    path: &Path,
    Probe { show, arguments }: Probe<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = query.game();
    let state = position(query, arguments.get_one::<String>(STATE))?;
    let explain = explain(path, game.write_state(&state));
    let board =
        matches!(show, Show::Verdict | Show::Moves | Show::Line) && arguments.get_flag(BOARD);
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
            let moves = Position::after_each(game, &state, &moves);
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
        Show::Play => {
            let (endless, has_distances) = (query.rules().endless, query.has_distances());
            let played = Played { game: G::NAME, words, endless, has_distances };
            play::run(&played, &mut BoardOf::new(query, path, state), arguments, session)
        }
        Show::Picture => {
            let verdict = query.verdict(&state).map_err(explain)?;
            let position = Position::of(game, &state, verdict, true);
            draw::run(G::NAME, words, &position, game.scene(&state), arguments, session)
        }
    }
}

/// The position that `text` describes, or the start position.
fn position<G: Registered>(
    query: &dyn Query<Game = G>,
    text: Option<&String>,
) -> Result<G::State, CliError> {
    let game = query.game();
    let write = |state: &G::State| game.write_state(state);
    match text {
        Some(text) => game.parse_state(text).map_err(|error| {
            let start = start(query).as_ref().map(write);
            let read = |text: &str| game.parse_state(text).ok().as_ref().map(write);
            missing::explain_position(text, &error, start, &read)
        }),
        None => start(query).ok_or_else(|| {
            CliError::usage("the game has no start position: name the position to probe")
        }),
    }
}

/// Turns an error of a probe for the position `written` of the table at `path` into one of the command.
fn explain(path: &Path, written: String) -> impl Fn(QueryError) -> CliError {
    move |error| match error {
        QueryError::NotInTable { .. } => {
            CliError::failed(QueryError::NotInTable { state: written.clone() })
        }
        QueryError::OutcomesOnly { .. } => CliError::failed(format!("{}: {error}", path.display())),
        QueryError::Table(error) => CliError::table(path)(error),
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
