//! `probe`: shows who wins from a position, and in how many plies.

use crate::cli::CliError;
use crate::cli::commands::Explain;
use crate::cli::output;
use crate::cli::session::Session;
use crate::notation::Notation;
use crate::query::Query;

pub(super) fn run<G: Notation>(
    query: &dyn Query<Game = G>,
    state: &G::State,
    board: bool,
    explain: &Explain<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = query.game();
    let verdict = query.verdict(state).map_err(explain)?;
    let quiet = session.is_quiet();
    session.answer(
        || output::position(game, state, verdict),
        || {
            let words = output::verdict(game, verdict);
            let picture = if board || !quiet { game.draw(state) + "\n" } else { String::new() };
            match quiet {
                true => format!("{picture}{words}\n"),
                false => format!("{}\n{picture}{words}\n", game.write_state(state)),
            }
        },
    )
}
