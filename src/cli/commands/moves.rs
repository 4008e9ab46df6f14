//! `moves`: lists every legal move of a position with its value.

use serde_json::json;

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
    let moves = query.moves(state).map_err(explain)?;
    session.answer(
        || {
            let steps: Vec<_> = moves.iter().map(|to| output::step(game, state, to)).collect();
            json!({ "position": output::position(game, state, verdict), "moves": steps })
        },
        || {
            let words = output::verdict(game, verdict);
            let rows: Vec<[String; 3]> = moves
                .iter()
                .map(|to| {
                    let words = output::verdict(game, to.verdict);
                    [game.write_move(state, &to.state), game.write_state(&to.state), words]
                })
                .collect();
            let moves = if rows.is_empty() {
                "  no moves: play is over\n".into()
            } else {
                output::columns(&rows)
            };
            let picture = if board { game.draw(state) + "\n" } else { String::new() };
            format!("{}: {words}\n{picture}{moves}", game.write_state(state))
        },
    )
}
