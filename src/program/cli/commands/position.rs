//! The commands about one position of a table.

use std::path::Path;

use clap::ArgMatches;

use crate::program::asking::start;
use crate::program::cli::commands::play::{BoardOf, Played};
use crate::program::cli::commands::{draw, line, moves, play, probe};
use crate::program::cli::entry::Show;
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, Registered, missing};
use crate::query::Line;
use crate::query::view::View;

/// The name of the option `--board`.
pub(super) const BOARD: &str = "board";

/// The name of the argument that is a position.
pub(super) const STATE: &str = "state";

/// Shows a position of the table at `path`, which the arguments name.
pub(in crate::program::cli) fn show<G: Registered>(
    solved: View<'_, G>,
    path: &Path,
    show: Show,
    arguments: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = solved.game;
    let state = position(solved, arguments.get_one::<String>(STATE))?;
    let explain = CliError::query(path, game.write_state(&state));
    let board =
        matches!(show, Show::Verdict | Show::Moves | Show::Line) && arguments.get_flag(BOARD);
    let words = &Wording::new(game);
    if let Some(text) = arguments.get_one::<String>(STATE)
        && let Ok(verdict) = solved.verdict(&state)
        && let Some(note) = game.note(text, &verdict)
    {
        session.note(&note);
    }
    match show {
        Show::Verdict => {
            let verdict = solved.verdict(&state).map_err(explain)?;
            let board = board || !session.is_quiet();
            probe::run(words, &Position::new(game, &state, verdict, board), session)
        }
        Show::Moves => {
            let verdict = solved.verdict(&state).map_err(&explain)?;
            let ranked = solved.ranked_moves(&state).map_err(&explain)?;
            let mut moves = Position::after_each(game, &state, &ranked.moves);
            let replies = solved.replies(&ranked.moves).map_err(&explain)?;
            for (to, replies) in moves.iter_mut().zip(replies) {
                to.replies = replies;
            }
            moves::run(words, &Position::new(game, &state, verdict, board), &moves, session)
        }
        Show::Line => {
            let line = solved.line_within(&state, usize::MAX).map_err(explain)?;
            let scores = line.scores(game);
            let Line { positions: steps, only, end, .. } = line;
            let mut positions = vec![Position::new(game, &state, steps[0].verdict, board)];
            positions.extend(
                steps.windows(2).map(|pair| Position::after(game, &pair[0].state, &pair[1], board)),
            );
            for (position, score) in positions.iter_mut().zip(scores.into_iter().flatten()) {
                position.score = Some(score);
            }
            for (position, only) in positions.iter_mut().skip(1).zip(only) {
                position.only = Some(only);
            }
            line::run(words, &positions, end, solved.rules, session)
        }
        Show::Play => {
            let (rules, has_distances) = (solved.rules, solved.has_distances);
            let played = Played { game: game.name(), words, rules, has_distances };
            play::run(&played, &mut BoardOf::new(solved, path, state), arguments, session)
        }
        Show::Picture => {
            let verdict = solved.verdict(&state).map_err(explain)?;
            let position = Position::new(game, &state, verdict, true);
            draw::run(game.name(), words, &position, game.scene(&state), arguments, session)
        }
    }
}

/// The position that `text` describes, or the start position.
fn position<G: Registered>(
    solved: View<'_, G>,
    text: Option<&String>,
) -> Result<G::State, CliError> {
    let game = solved.game;
    let write = |state: &G::State| game.write_state(state);
    match text {
        Some(text) => game.parse_state(text).map_err(|error| {
            let start = start(solved).as_ref().map(write);
            let read = |text: &str| game.parse_state(text).ok().as_ref().map(write);
            missing::explain_position(text, &error, start, &read)
        }),
        None => start(solved).ok_or_else(|| {
            CliError::usage("the game has no start position: name the position to probe")
        }),
    }
}
