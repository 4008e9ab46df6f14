//! `moves`: lists every legal move of a position with its value.

use serde_json::json;

use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, output};

/// Prints a position and those that its moves lead to.
pub(super) fn run(
    words: &Wording,
    position: &Position,
    moves: &[Position],
    session: &mut Session,
) -> Result<(), CliError> {
    session.answer(
        || {
            let moves: Vec<_> = moves.iter().map(|to| to.json(words)).collect();
            json!({ "position": position.json(words), "moves": moves })
        },
        || {
            let row = |to: &Position| {
                let played = to.played.clone().unwrap_or_default();
                [played, to.state.clone(), to.worth(words)]
            };
            let moves = match moves {
                [] => "  no moves: play is over\n".into(),
                moves => output::columns(&moves.iter().map(row).collect::<Vec<_>>()),
            };
            let Position { state, picture, verdict, .. } = position;
            format!("{state}: {}\n{picture}{moves}", words.verdict(*verdict))
        },
    )
}
