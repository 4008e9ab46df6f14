//! The words of a game's answers: for its players, outcomes and verdicts. Without the game's type.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::game::notation::Notation;
use crate::game::summary::Summary;
use crate::game::value::{DecidedBy, Verdict};
use crate::game::{Game, Outcome, Player, Players};
use crate::query::LineEnd;

/// The names of the player to move and of the other, where a table does not distinguish the
/// players.
const MOVER: &str = "mover";
const OPPONENT: &str = "opponent";

/// A verdict as all answers have it in JSON, of the command line, the server and the package for Python.
#[derive(Serialize)]
pub(crate) struct VerdictJson<'w> {
    outcome: &'w str,
    plies: Option<u32>,
    decided_by: DecidedBy,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u16>,
}

/// The names of a game's players.
pub(crate) struct Wording {
    players: [String; 2],
    /// Whether the name of each player is a plural.
    plural: [bool; 2],
    /// Whether the tables of the game distinguish the two players.
    told_apart: bool,
    /// The name of a forced end that is counted in moves of the winner, too.
    counted_in_moves: Option<String>,
}

impl Wording {
    pub(crate) fn new<G: Notation>(game: &G) -> Wording {
        let players = Player::BOTH.map(|player| game.player(player).to_owned());
        let plural = Player::BOTH.map(|player| game.is_plural(player));
        let counted_in_moves = game.counted_in_moves().map(str::to_owned);
        Wording { players, plural, told_apart: tells_players_apart::<G>(), counted_in_moves }
    }

    /// The words where the rules are not known, and so neither the players nor whether states say who is
    /// to move.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn without_rules() -> Wording {
        let players = ["first", "second"].map(str::to_owned);
        Wording { players, plural: [false; 2], told_apart: false, counted_in_moves: None }
    }

    /// The name of a player.
    pub(crate) fn player(&self, player: Player) -> &str {
        &self.players[player.index()]
    }

    /// The name of a player with a verb, which may be one for a plural: "white wins", "hounds win".
    pub(crate) fn with_verb(&self, player: Player, singular: &str, plural: &str) -> String {
        let verb = if self.plural[player.index()] { plural } else { singular };
        format!("{} {verb}", self.player(player))
    }

    /// Whether the tables of the game distinguish the two players.
    pub(crate) fn tell_players_apart(&self) -> bool {
        self.told_apart
    }

    /// Adds the figures of a table to its description.
    pub(crate) fn add_figures(&self, object: &mut Json, summary: &Summary) {
        object["states"] = json!(summary.states());
        object["wins"] = self.wins(summary);
        object["draws"] = json!(summary.draws());
        object["endless"] = json!(summary.endless());
        object["beyond_ply_limit"] = json!(summary.beyond_ply_limit());
        object["longest_plies"] = json!(summary.longest());
        let (won, lost, drawn) = (summary.won(), summary.lost(), summary.draws());
        object["to_move"] = json!({ "won": won, "lost": lost, "drawn": drawn });
        object["distances"] = json!(summary.distances);
        if !summary.points.is_empty() {
            object["points"] = json!(summary.points);
        }
    }

    /// The number of states that each player wins; where a table does not distinguish the players,
    /// the numbers that the player to move wins and loses.
    pub(crate) fn wins(&self, summary: &Summary) -> Json {
        if !self.tell_players_apart() {
            return json!({ MOVER: summary.won(), OPPONENT: summary.lost() });
        }
        let win = |player: Player| (self.player(player).to_owned(), summary.wins(player).into());
        Json::Object(Player::BOTH.into_iter().map(win).collect::<Map<_, _>>())
    }

    /// The outcome in one word: the winner's name or "draw"; where states do not say who is to
    /// move, "mover" or "opponent" for the winner.
    pub(crate) fn outcome(&self, outcome: Outcome) -> &str {
        match outcome {
            Outcome::Win(winner) => self.player(winner),
            Outcome::Draw | Outcome::Points(0) => "draw",
            Outcome::MoverWins | Outcome::Points(1..) => MOVER,
            Outcome::MoverLoses | Outcome::Points(_) => OPPONENT,
        }
    }

    /// A verdict in JSON, with the names of the players.
    pub(crate) fn json(&self, verdict: Verdict) -> VerdictJson<'_> {
        let Verdict { outcome, plies, decided_by, points } = verdict;
        VerdictJson { outcome: self.outcome(outcome), plies, decided_by, points }
    }

    /// A verdict in words, such as "white wins in 3 plies".
    pub(crate) fn verdict(&self, verdict: Verdict) -> String {
        let name = |player, singular: &str, plural: &str| self.with_verb(player, singular, plural);
        let words = verdict.in_words(name);
        let Verdict { outcome, plies, decided_by, .. } = verdict;
        match (&self.counted_in_moves, plies, decided_by) {
            (Some(end), Some(plies @ 1..), DecidedBy::Play) if outcome != Outcome::Draw => {
                format!("{words} ({end} in {})", plies.div_ceil(2))
            }
            _ => words,
        }
    }

    /// The name of a forced end that is counted in moves of the winner, too.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only the page asks"))]
    pub(crate) fn counted_in_moves(&self) -> Option<&str> {
        self.counted_in_moves.as_deref()
    }
}

/// Adds the states that moves lead to to their names, where several moves have the same name. All
/// moves are from one position. `parts` returns the name of a move and the text of its state.
pub(crate) fn tell_moves_apart<M>(moves: &mut [M], parts: impl Fn(&mut M) -> (&mut String, &str)) {
    let mut times: HashMap<String, u32> = HashMap::new();
    for one in moves.iter_mut() {
        *times.entry(parts(one).0.clone()).or_default() += 1;
    }
    for one in moves {
        let (name, state) = parts(one);
        if times.get(name).is_some_and(|times| *times > 1) {
            *name = format!("{name} to {state}");
        }
    }
}

/// Why a line stops, in one word, and the ply whose position is repeated.
pub(crate) fn line_end(end: LineEnd) -> (&'static str, Option<usize>) {
    match end {
        LineEnd::Over => ("over", None),
        LineEnd::Repetition { first } => ("repetition", Some(first)),
        LineEnd::PlyLimit => ("ply-limit", None),
        LineEnd::Cut => ("cut", None),
    }
}

/// Whether the tables of a game distinguish the two players.
fn tells_players_apart<G: Game>() -> bool {
    matches!(G::PLAYERS, Players::Distinct | Players::Solitary)
}
