//! `probe`: shows who wins from a position, and in how many plies.

use crate::program::cli::CliError;
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};

pub(super) fn run(
    words: &Wording,
    position: &Position,
    session: &mut Session,
) -> Result<(), CliError> {
    let quiet = session.is_quiet();
    session.answer(
        || position.json(words),
        || {
            let Position { state, picture, verdict, .. } = position;
            let verdict = words.verdict(*verdict);
            match quiet {
                true => format!("{picture}{verdict}\n"),
                false => format!("{state}\n{picture}{verdict}\n"),
            }
        },
    )
}
