//! `line`: shows best play from a position to the end.

use serde_json::{Value as Json, json};

use crate::game::Outcome;
use crate::game::value::{Rules, Verdict};
use crate::program::cli::session::Session;
use crate::program::cli::wording::{Position, Wording};
use crate::program::cli::{CliError, output};
use crate::program::wording::line_end;
use crate::query::LineEnd;

/// Prints a line: its positions, the first of which is the start, and why it stops.
pub(super) fn run(
    words: &Wording,
    steps: &[Position],
    end: LineEnd,
    rules: Rules,
    session: &mut Session,
) -> Result<(), CliError> {
    session.answer(|| json(words, steps, end), || text(words, steps, end, rules))
}

fn json(words: &Wording, steps: &[Position], end: LineEnd) -> Json {
    let (end, repeats) = line_end(end);
    json!({
        "position": steps.first().map(|start| start.json(words)),
        "line": steps.iter().skip(1).map(|step| step.json(words)).collect::<Vec<_>>(),
        "end": end,
        "repeats_ply": repeats,
    })
}

/// The line in words. The picture of a position follows it, if it has one.
fn text(words: &Wording, steps: &[Position], end: LineEnd, rules: Rules) -> String {
    let row = |(ply, step): (usize, &Position)| {
        let played = step.played.clone().unwrap_or_default();
        let only = if step.only == Some(true) { "; only move" } else { "" };
        [ply.to_string(), played, step.state.clone(), step.verdict(words) + only]
    };
    let rows: Vec<[String; 4]> = steps.iter().enumerate().map(row).collect();
    let end = match end {
        LineEnd::Over => {
            // With points, the end is worth only a part of what the line gains.
            let decides = steps.iter().find(|step| step.verdict.points.is_some());
            let decides = decides.or(steps.last()).map(|step| step.verdict);
            let has_won = decides.map_or("a draw".into(), |verdict| match verdict.outcome {
                Outcome::Draw => "a draw".into(),
                _ if verdict.points.is_some() => {
                    let ended = Verdict { plies: Some(0), ..verdict };
                    format!("{}, counted from the first position", words.verdict(ended))
                }
                _ => words.verdict(verdict),
            });
            format!("over: {has_won}")
        }
        LineEnd::Repetition { first } => words.repeats(first, rules),
        LineEnd::PlyLimit => "the ply limit is reached".into(),
        LineEnd::Cut => "and so on".into(),
    };
    let rows = output::columns(&rows);
    let drawn: String = rows
        .lines()
        .zip(steps)
        .map(|(row, Position { picture, .. })| format!("{row}\n{picture}"))
        .collect();
    format!("{drawn}{end}\n")
}
