//! `line`: shows best play from a position to the end.

use serde_json::json;

use crate::cli::CliError;
use crate::cli::commands::Explain;
use crate::cli::output;
use crate::cli::session::Session;
use crate::game::Outcome;
use crate::notation::Notation;
use crate::query::{Line, LineEnd, Query};

pub(super) fn run<G: Notation>(
    query: &dyn Query<Game = G>,
    state: &G::State,
    board: bool,
    explain: &Explain<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    let line = query.line(state).map_err(explain)?;
    session.answer(|| json(query, &line), || text(query, &line, board))
}

fn json<G: Notation>(query: &dyn Query<Game = G>, line: &Line<G::State>) -> serde_json::Value {
    let game = query.game();
    let (end, repeats) = match line.end {
        LineEnd::Over => ("over", None),
        LineEnd::Repetition { first } => ("repetition", Some(first)),
        LineEnd::PlyLimit => ("ply-limit", None),
    };
    let start = &line.steps[0];
    let steps: Vec<_> =
        line.steps.windows(2).map(|pair| output::step(game, &pair[0].state, &pair[1])).collect();
    json!({
        "position": output::position(game, &start.state, start.verdict),
        "line": steps,
        "end": end,
        "repeats_ply": repeats,
    })
}

/// The line in words. With `board`, a picture follows each position.
fn text<G: Notation>(query: &dyn Query<Game = G>, line: &Line<G::State>, board: bool) -> String {
    let game = query.game();
    let rows: Vec<[String; 4]> = line
        .steps
        .iter()
        .enumerate()
        .map(|(ply, step)| {
            let played = match ply.checked_sub(1) {
                Some(before) => game.write_move(&line.steps[before].state, &step.state),
                None => String::new(),
            };
            let words = output::verdict(game, step.verdict);
            [ply.to_string(), played, game.write_state(&step.state), words]
        })
        .collect();
    let last = &line.steps[line.steps.len() - 1];
    let end = match line.end {
        LineEnd::Over => {
            let words = match last.verdict.outcome {
                Outcome::Draw => "a draw".into(),
                _ => output::verdict(game, last.verdict),
            };
            format!("over: {words}")
        }
        LineEnd::Repetition { first } => {
            let outcome = query.rules().endless;
            let words = outcome
                .winner()
                .map_or("a draw".into(), |winner| format!("a win for {}", game.player(winner)));
            format!("the position after ply {first} repeats; endless play is {words}")
        }
        LineEnd::PlyLimit => "the ply limit is reached".into(),
    };
    let mut rows = output::columns(&rows);
    if board {
        let steps = rows.lines().zip(&line.steps);
        rows = steps.map(|(row, step)| format!("{row}\n{}\n", game.draw(&step.state))).collect();
    }
    format!("{rows}{end}\n")
}
