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
    explain: &Explain<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    let game = query.game();
    let verdict = query.verdict(state).map_err(explain)?;
    session.answer(
        || output::position(game, state, verdict),
        || {
            let (state, picture) = (game.write_state(state), game.draw(state));
            let words = output::verdict(game, verdict);
            format!("{state}\n{picture}\n{words}\n")
        },
    )
}
