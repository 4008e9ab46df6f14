//! Verdicts, positions and figures in words and in JSON.

use indicatif::HumanCount;
use serde_json::{Map, Value as Json, json};

use crate::game::{Game, Outcome, Player, Players};
use crate::notation::Notation;
use crate::query::Assessed;
use crate::solve::tiers::TierFigures;
use crate::summary::Summary;
use crate::value::{DecidedBy, Verdict};

/// The outcome in one word: the winner's name or "draw"; where states do not say who is to move,
/// "mover" or "opponent" for the winner.
pub(super) fn outcome<G: Notation>(game: &G, outcome: Outcome) -> &str {
    match outcome {
        Outcome::Win(winner) => game.player(winner),
        Outcome::Draw => "draw",
        Outcome::MoverWins => MOVER,
        Outcome::MoverLoses => OPPONENT,
    }
}

/// Whether the tables of a game distinguish the two players.
pub(super) fn tells_players_apart<G: Game>() -> bool {
    matches!(G::PLAYERS, Players::Distinct | Players::Solitary)
}

/// The names of the player to move and of the other, where a table does not distinguish the players.
const MOVER: &str = "mover";
const OPPONENT: &str = "opponent";

/// A verdict in words, such as "white wins in 3 plies".
pub(super) fn verdict<G: Notation>(game: &G, verdict: Verdict) -> String {
    let (name, wins, won) = match verdict.outcome {
        Outcome::MoverLoses => ("the player to move", "loses", "lost"),
        Outcome::MoverWins => ("the player to move", "wins", "won"),
        named => (outcome(game, named), "wins", "won"),
    };
    match (verdict.outcome, verdict.decided_by) {
        (Outcome::Draw, DecidedBy::Play) => "draw".into(),
        (Outcome::Draw, DecidedBy::Endless) => "draw by endless play".into(),
        (Outcome::Draw, DecidedBy::PlyLimit) => "draw by the ply limit".into(),
        (_, DecidedBy::Play) => match verdict.plies {
            Some(0) => format!("{name} has {won}"),
            Some(count) => format!("{name} {wins} in {}", plies(count)),
            None => format!("{name} {wins}"),
        },
        (_, DecidedBy::Endless) => format!("{name} {wins} by endless play"),
        (_, DecidedBy::PlyLimit) => format!("{name} {wins} by the ply limit"),
    }
}

/// A number of plies in words.
pub(super) fn plies(count: u32) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

/// A number of things in words, such as "1 tier" or "2,000 states".
pub(super) fn number_of(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}

/// A position and its verdict: the JSON object that `solve` has under `start`.
pub(super) fn position<G: Notation>(game: &G, state: &G::State, verdict: Verdict) -> Json {
    json!({
        "state": game.write_state(state),
        "outcome": outcome(game, verdict.outcome),
        "plies": verdict.plies,
    })
}

/// A move and the position it leads to, as a JSON object.
pub(super) fn step<G: Notation>(game: &G, from: &G::State, to: &Assessed<G::State>) -> Json {
    let mut step = json!({ "move": game.write_move(from, &to.state) });
    if let (Json::Object(step), Json::Object(position)) =
        (&mut step, position(game, &to.state, to.verdict))
    {
        step.extend(position);
    }
    step
}

/// The number of states that each player wins; where a table does not distinguish the players, the
/// numbers that the player to move wins and loses.
pub(super) fn wins<G: Notation>(game: &G, summary: &Summary) -> Json {
    if !tells_players_apart::<G>() {
        return json!({ MOVER: summary.won(), OPPONENT: summary.lost() });
    }
    let win = |player: Player| (game.player(player).to_owned(), summary.wins(player).into());
    Json::Object(Player::BOTH.into_iter().map(win).collect::<Map<_, _>>())
}

/// The figures of each tier as text, a line for each tier. They are those of the player to move, whom
/// alone the tables of some games know.
pub(super) fn tiers(tiers: &[TierFigures]) -> String {
    let head = ["tier", "states", "won", "lost", "drawn", "longest"];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(tiers.iter().map(|TierFigures { name, summary, .. }| {
        let count = |count: u64| HumanCount(count).to_string();
        [
            name.clone(),
            count(summary.states()),
            count(summary.won()),
            count(summary.lost()),
            count(summary.draws()),
            summary.longest().map_or("none".into(), |plies| plies.to_string()),
        ]
    }));
    format!("tiers, for the player to move\n{}", columns_with_figures(&rows, 1))
}

/// The figures of each tier as JSON.
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

/// Adds the size of the outcomes that were written beside the table, if any.
pub(super) fn add_outcome_bytes(object: &mut Json, bytes: Option<u64>) {
    if let (Some(bytes), Some(object)) = (bytes, object.as_object_mut()) {
        object.insert("outcome_bytes".into(), bytes.into());
    }
}

/// Rows of a name and a figure, aligned in two columns.
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
    let win = |player| count(format!("{} wins", game.player(player)), summary.wins(player));
    let mut rows: Vec<_> = match tells_players_apart::<G>() {
        true => Player::BOTH.into_iter().map(win).collect(),
        false => vec![
            count("the player to move wins".into(), summary.won()),
            count("the player to move loses".into(), summary.lost()),
        ],
    };
    rows.push(count("draws".into(), summary.draws()));
    rows.push(count("decided by endless play".into(), summary.endless()));
    if summary.beyond_limit() > 0 {
        rows.push(count("decided by the ply limit".into(), summary.beyond_limit()));
    }
    let longest = summary.longest().map_or("none".into(), plies);
    rows.push(("longest distance".into(), longest));
    rows
}

/// Rows of text in columns, each as wide as its widest entry.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    columns_with_figures(rows, N)
}

/// Rows of text in columns, each as wide as its widest entry. From the column `figures` on, they are
/// aligned at the right.
fn columns_with_figures<const N: usize>(rows: &[[String; N]], figures: usize) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = text.chars().count().max(*width);
        }
    }
    let entry = |(at, (&width, text)): (usize, (&usize, &String))| match at < figures {
        true => format!("  {text:width$}"),
        false => format!("  {text:>width$}"),
    };
    rows.iter()
        .map(|row| {
            let line: String = widths.iter().zip(row).enumerate().map(entry).collect();
            format!("{}\n", line.trim_end())
        })
        .collect()
}

/// The widest line that [`wrapped`] makes of words that fit.
pub(super) const WIDTH: usize = 80;

/// Words in lines of at most [`WIDTH`] columns, where no word is longer. The first line has `before` in
/// front, the others as many blanks as that is wide; a line that is continued ends with `continued`.
pub(super) fn wrapped<'w>(
    before: &str,
    words: impl IntoIterator<Item = &'w str>,
    continued: &str,
) -> String {
    let indent = before.chars().count();
    let mut lines = vec![before.to_owned()];
    let (mut width, mut is_empty) = (indent, true);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let length = word.chars().count();
        let room = if words.peek().is_some() { continued.chars().count() } else { 0 };
        if !is_empty && width + 1 + length + room > WIDTH {
            lines.push(" ".repeat(indent));
            (width, is_empty) = (indent, true);
        }
        if let Some(line) = lines.last_mut() {
            let blank = if is_empty { "" } else { " " };
            *line += &format!("{blank}{word}");
            width += blank.len() + length;
        }
        is_empty = false;
    }
    let end = format!("{continued}\n");
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join(&end) + "\n"
}
