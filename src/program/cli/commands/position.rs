//! The commands about one position of a table.

use std::path::Path;

use clap::ArgMatches;

use crate::program::cli::commands::play::{BoardOf, Played};
use crate::program::cli::commands::{draw, line, moves, play, probe};
use crate::program::cli::entry::Show;
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, Registered, missing};
use crate::program::wording::start;
use crate::query::{Line, Query};

/// The name of the option `--board`.
pub(super) const BOARD: &str = "board";

/// The name of the argument that is a position.
pub(super) const STATE: &str = "state";

/// Shows a position of the table at `path`, which the arguments name.
pub(in crate::program::cli) fn show<G: Registered>(
    query: &dyn Query<Game = G>,
    path: &Path,
    show: Show,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = query.game();
    let state = position(query, arguments.get_one::<String>(STATE))?;
    let explain = CliError::query(path, game.write_state(&state));
    let board =
        matches!(show, Show::Verdict | Show::Moves | Show::Line) && arguments.get_flag(BOARD);
    let words = &Wording::new(game);
    if let Some(text) = arguments.get_one::<String>(STATE)
        && let Ok(verdict) = query.verdict(&state)
        && let Some(note) = game.note(text, &verdict)
    {
        session.note(&note);
    }
    match show {
        Show::Verdict => {
            let verdict = query.verdict(&state).map_err(explain)?;
            let board = board || !session.is_quiet();
            probe::run(words, &Position::new(game, &state, verdict, board), session)
        }
        Show::Moves => {
            let verdict = query.verdict(&state).map_err(&explain)?;
            let moves = query.moves(&state).map_err(&explain)?;
            let moves = Position::after_each(game, &state, &moves);
            moves::run(words, &Position::new(game, &state, verdict, board), &moves, session)
        }
        Show::Line => {
            let Line { positions: steps, end, .. } = query.line(&state).map_err(explain)?;
            let mut positions = vec![Position::new(game, &state, steps[0].verdict, board)];
            positions.extend(
                steps.windows(2).map(|pair| Position::after(game, &pair[0].state, &pair[1], board)),
            );
            line::run(words, &positions, end, query.rules(), session)
        }
        Show::Play => {
            let (rules, has_distances) = (query.rules(), query.has_distances());
            let played = Played { game: game.name(), words, rules, has_distances };
            play::run(&played, &mut BoardOf::new(query, path, state), arguments, session)
        }
        Show::Picture => {
            let verdict = query.verdict(&state).map_err(explain)?;
            let position = Position::new(game, &state, verdict, true);
            draw::run(game.name(), words, &position, game.scene(&state), arguments, session)
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
