//! A game's answers as text and JSON. Without the game's type, so compiled once for all games.

use indicatif::HumanCount;
use serde_json::{Map, Value as Json, json};

use crate::game::notation::Notation;
use crate::game::summary::Summary;
use crate::game::value::{Rules, Verdict};
use crate::game::{Player, Turns};
use crate::program::cli::output::plies;
pub(super) use crate::program::wording::Wording;
use crate::program::wording::tell_moves_apart;
use crate::query::{Assessed, Replies, points_of_move};
use crate::solve::TierFigures;

impl Wording {
    /// Says that a line of play repeats a position, and the worth of such play.
    pub(super) fn repeats(&self, first: usize, rules: Rules) -> String {
        let worth = match rules.endless.winner() {
            // The players may have gained points before.
            _ if rules.points.is_some() => "gains nothing".into(),
            None => "is a draw".into(),
            Some(winner) => format!("is a win for {}", self.player(winner)),
        };
        format!("the position after ply {first} repeats; endless play {worth}")
    }

    /// The figures of each tier as JSON.
    pub(super) fn tiers_json(&self, tiers: &[TierFigures]) -> Json {
        let object = |TierFigures { name, summary, bytes, found }: &TierFigures| {
            json!({
                "tier": name,
                "states": summary.states(),
                "wins": self.wins(summary),
                "draws": summary.draws(),
                "longest_plies": summary.longest(),
                "bytes": bytes,
                "found": found,
            })
        };
        tiers.iter().map(object).collect()
    }

    /// The numbers of states that each player wins, or the player to move wins and loses, and of
    /// draws. Together they are all states. [`counts`](Wording::counts) begins with them.
    pub(super) fn outcomes(&self, summary: &Summary) -> [u64; 3] {
        let [one, other] = match self.tell_players_apart() {
            true => Player::BOTH.map(|player| summary.wins(player)),
            false => [summary.won(), summary.lost()],
        };
        [one, other, summary.draws()]
    }

    /// The counts of a summary as rows for [`figures`](crate::cli::output::figures).
    pub(super) fn counts(&self, summary: &Summary) -> Vec<(String, String)> {
        let count = |name: String, count: u64| (name, HumanCount(count).to_string());
        let win = |player| count(self.with_verb(player, "wins", "win"), summary.wins(player));
        let mut rows: Vec<_> = match self.tell_players_apart() {
            true => Player::BOTH.into_iter().map(win).collect(),
            false => vec![
                count("the player to move wins".into(), summary.won()),
                count("the player to move loses".into(), summary.lost()),
            ],
        };
        rows.push(count("draws".into(), summary.draws()));
        rows.push(count("decided by endless play".into(), summary.endless()));
        if summary.beyond_ply_limit() > 0 {
            rows.push(count("decided by the ply limit".into(), summary.beyond_ply_limit()));
        }
        if let [least, .., most] | [least @ most] = &summary.points[..] {
            rows.push(("points".into(), format!("{} to {}", least.points, most.points)));
        }
        let longest = summary.longest().map_or("none".into(), plies);
        rows.push(("longest distance".into(), longest));
        rows
    }
}

/// A position in its game's notation, with its verdict.
pub(super) struct Position {
    pub(super) state: String,
    pub(super) verdict: Verdict,
    /// The move that led here from the position before, if there is one.
    pub(super) played: Option<String>,
    /// In a game with points, what this move gains, and what it is worth with all that follows, for
    /// the player who makes it.
    pub(super) gained: Option<[i16; 2]>,
    /// After a drawing move, the replies that keep the draw.
    pub(super) replies: Option<Replies>,
    /// On a line of a game with points, the score by this position: see [`Line::scores`].
    ///
    /// [`Line::scores`]: crate::query::Line::scores
    pub(super) score: Option<i32>,
    /// On a line, whether every other move than the one that led here gives away a win or a draw.
    pub(super) only: Option<bool>,
    /// The position drawn as text; empty if that is not wanted.
    pub(super) picture: String,
}

/// How many replies keep a draw, in words.
fn holding(Replies { hold, all }: Replies) -> String {
    let verb = if hold == 1 { "holds" } else { "hold" };
    let replies = if all == 1 { "reply" } else { "replies" };
    format!("{hold} of {all} {replies} {verb} the draw")
}

impl Position {
    /// A position, drawn if `board` is set.
    pub(super) fn new<G: Notation>(
        game: &G,
        state: &G::State,
        verdict: Verdict,
        board: bool,
    ) -> Position {
        let picture = if board { game.draw(state) + "\n" } else { String::new() };
        Position {
            state: game.write_state(state),
            verdict,
            played: None,
            gained: None,
            replies: None,
            score: None,
            only: None,
            picture,
        }
    }

    /// The position that a move from another one leads to.
    pub(super) fn after<G: Notation>(
        game: &G,
        from: &G::State,
        to: &Assessed<G::State>,
        board: bool,
    ) -> Position {
        let played = Some(game.write_move(from, &to.state));
        let worth = points_of_move(game, game.mover(from), to);
        let gained = worth.map(|worth| [to.gain, worth.points()]);
        Position { played, gained, ..Position::new(game, &to.state, to.verdict, board) }
    }

    /// The positions that moves from another one lead to. Moves of the same name get distinct
    /// names.
    pub(super) fn after_each<G: Notation>(
        game: &G,
        from: &G::State,
        moves: &[Assessed<G::State>],
    ) -> Vec<Position> {
        let mut positions: Vec<Position> =
            moves.iter().map(|to| Position::after(game, from, to, false)).collect();
        tell_moves_apart(&mut positions, |to| (to.played.get_or_insert_default(), &to.state));
        positions
    }

    /// In a game with points, what the move that led here is worth, before the verdict.
    pub(super) fn worth(&self, words: &Wording) -> String {
        let verdict = self.verdict(words);
        match (self.gained, self.replies) {
            (Some([_, total]), _) => format!("{total:+}: {verdict}"),
            (None, Some(replies)) => format!("{verdict}; {}", holding(replies)),
            (None, None) => verdict,
        }
    }

    /// The verdict in words, after what the move that led here gains, if it gains anything.
    pub(super) fn verdict(&self, words: &Wording) -> String {
        let verdict = words.verdict(self.verdict);
        match self.gained {
            Some([gain, _]) if gain != 0 => format!("gains {gain}; {verdict}"),
            _ => verdict,
        }
    }

    /// The position as a JSON object, after the move that led here.
    pub(super) fn json(&self, words: &Wording) -> Json {
        let mut object = Map::new();
        if let Some(played) = &self.played {
            object.insert("move".into(), played.as_str().into());
        }
        object.insert("state".into(), self.state.as_str().into());
        if let Json::Object(verdict) = json!(words.json(self.verdict)) {
            object.extend(verdict);
        }
        if let Some([gain, total]) = self.gained {
            object.insert("gain".into(), gain.into());
            object.insert("total".into(), total.into());
        }
        if let Some(replies) = self.replies {
            object.insert("replies".into(), json!(replies));
        }
        if let Some(only) = self.only {
            object.insert("only".into(), only.into());
        }
        if let Some(score) = self.score {
            object.insert("score".into(), score.into());
        }
        Json::Object(object)
    }
}
