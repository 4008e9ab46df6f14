//! Verdicts and positions in words and in JSON.

use indicatif::HumanCount;
use serde_json::{Map, Value as Json, json};

use crate::game::{Outcome, Player};
use crate::notation::Notation;
use crate::query::Assessed;
use crate::solve::tiers::TierFigures;
use crate::summary::Summary;
use crate::value::{DecidedBy, Verdict};

/// The outcome in one word: a player's name or "draw".
pub(super) fn outcome<G: Notation>(game: &G, outcome: Outcome) -> &str {
    outcome.winner().map_or("draw", |winner| game.player(winner))
}

/// A verdict as a person would say it.
pub(super) fn verdict<G: Notation>(game: &G, verdict: Verdict) -> String {
    let name = outcome(game, verdict.outcome);
    match (verdict.outcome, verdict.decided_by) {
        (Outcome::Win(_), DecidedBy::Play) => match verdict.plies {
            Some(0) => format!("{name} has won"),
            Some(1) => format!("{name} wins in 1 ply"),
            Some(plies) => format!("{name} wins in {plies} plies"),
            None => format!("{name} wins"),
        },
        (Outcome::Win(_), DecidedBy::Endless) => format!("{name} wins by endless play"),
        (Outcome::Draw, DecidedBy::Play) => "draw".into(),
        (Outcome::Draw, DecidedBy::Endless) => "draw by endless play".into(),
        (Outcome::Win(_), DecidedBy::PlyLimit) => format!("{name} wins by the ply limit"),
        (Outcome::Draw, DecidedBy::PlyLimit) => "draw by the ply limit".into(),
    }
}

/// A number of plies in words.
pub(super) fn plies(count: u32) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

/// A position: the object that `solve` has under `start`.
pub(super) fn position<G: Notation>(game: &G, state: &G::State, verdict: Verdict) -> Json {
    json!({
        "state": game.write_state(state),
        "outcome": outcome(game, verdict.outcome),
        "plies": verdict.plies,
    })
}

/// A position that a move led to: as [`position`], after the move.
pub(super) fn step<G: Notation>(game: &G, from: &G::State, to: &Assessed<G::State>) -> Json {
    let mut step = json!({ "move": game.write_move(from, &to.state) });
    if let (Json::Object(step), Json::Object(position)) =
        (&mut step, position(game, &to.state, to.verdict))
    {
        step.extend(position);
    }
    step
}

/// How many states each player wins.
pub(super) fn wins<G: Notation>(game: &G, summary: &Summary) -> Json {
    let win = |player: Player| (game.player(player).to_owned(), summary.wins(player).into());
    Json::Object(Player::BOTH.into_iter().map(win).collect::<Map<_, _>>())
}

/// Tiers in figures, one a line.
pub(super) fn tiers(tiers: &[TierFigures]) -> String {
    let right = |text: String| format!("{text:>15}");
    let mut rows = vec![[
        "tier".to_owned(),
        right("states".into()),
        right("won".into()),
        right("lost".into()),
        right("drawn".into()),
        "longest".into(),
    ]];
    rows.extend(tiers.iter().map(|TierFigures { name, summary, .. }| {
        let count = |count: u64| right(HumanCount(count).to_string());
        [
            name.clone(),
            count(summary.states()),
            count(summary.won()),
            count(summary.lost()),
            count(summary.draws()),
            summary.longest().map_or("none".into(), |plies| format!("{plies:>7}")),
        ]
    }));
    columns(&rows)
}

/// The same for machines.
pub(super) fn tiers_json<G: Notation>(game: &G, tiers: &[TierFigures]) -> Json {
    let object = |TierFigures { name, summary, bytes, found }: &TierFigures| {
        json!({
            "tier": name,
            "states": summary.states(),
            "wins": wins(game, summary),
            "draws": summary.draws(),
            "longest": summary.longest(),
            "bytes": bytes,
            "found": found,
        })
    };
    tiers.iter().map(object).collect()
}

/// Adds how long the file, or the files, of outcomes alone are, where there are any beside the table.
pub(super) fn add_outcome_bytes(object: &mut Json, bytes: Option<u64>) {
    if let (Some(bytes), Some(object)) = (bytes, object.as_object_mut()) {
        object.insert("outcome_bytes".into(), bytes.into());
    }
}

/// Figures with their names, one a line, the figures below each other.
pub(super) fn figures(rows: &[(String, String)]) -> String {
    let width = |column: fn(&(String, String)) -> &String| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0)
    };
    let (names, values) = (width(|row| &row.0), width(|row| &row.1));
    rows.iter().map(|(name, value)| format!("  {name:names$}  {value:>values$}\n")).collect()
}

/// The counts of a summary as rows for [`figures`].
pub(super) fn counts<G: Notation>(game: &G, summary: &Summary) -> Vec<(String, String)> {
    let count = |name: String, count: u64| (name, HumanCount(count).to_string());
    let mut rows: Vec<_> = Player::BOTH
        .into_iter()
        .map(|player| count(format!("{} wins", game.player(player)), summary.wins(player)))
        .collect();
    rows.push(count("draws".into(), summary.draws()));
    rows.push(count("decided by endless play".into(), summary.endless()));
    if summary.beyond_limit() > 0 {
        rows.push(count("decided by the ply limit".into(), summary.beyond_limit()));
    }
    let longest = summary.longest().map_or("none".into(), plies);
    rows.push(("longest distance".into(), longest));
    rows
}

/// Columns of text, each as wide as its widest entry.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = text.chars().count().max(*width);
        }
    }
    rows.iter()
        .map(|row| {
            let line: String =
                widths.iter().zip(row).map(|(&width, text)| format!("  {text:width$}")).collect();
            format!("{}\n", line.trim_end())
        })
        .collect()
}
