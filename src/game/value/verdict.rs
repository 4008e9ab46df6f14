//! The rules of a game that turn values into verdicts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::value::{Scale, Value, ValueKind, plies};
use crate::game::{Game, Outcome, Player};

/// The rules that turn a stored [`Value`] into a [`Verdict`]: what endless play is worth, and the
/// ply limit.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::query::{Rules, ValueKind};
/// use retrograde::{Outcome, Player, Value};
///
/// let rules = Rules::new(Outcome::Draw, Some(10));
/// let judge = |rules: Rules, value| rules.judge(value, Some(Player::First)).to_string();
/// assert_eq!(judge(rules, Value::Win(9)), "the first player wins in 9 plies");
/// assert_eq!(judge(rules.after(2), Value::Win(9)), "draw by the ply limit");
/// let verdict = rules.judge_kind(ValueKind::Loss, None);
/// assert_eq!((verdict.outcome, verdict.plies), (Outcome::MoverLoses, None));
///
/// assert_eq!(Rules::of_game(&Nim { counters: 21 }), Rules::new(Outcome::Draw, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rules {
    /// The outcome of endless play: [`Game::endless`].
    pub endless: Outcome,
    /// The greatest number of plies that play may take, if there is a limit: [`Game::ply_limit`].
    pub ply_limit: Option<u32>,
    /// In a game with points, the most points that a player can gain, at least 1: [`Game::max_points`].
    pub points: Option<u16>,
}

/// The worth of a state under the rules of its game: the winner by name, or, where states do not say
/// who is to move, as seen from the player to move.
///
/// ```
/// # use kit::games::TugOfWar;
/// use retrograde::{Outcome, Player, Solver, Value};
///
/// let solution = Solver::new(&TugOfWar).solve()?;
/// // The second player moves, and can push the marker to the own end.
/// let state = (3, Player::Second);
/// assert_eq!(solution.value(&state)?, Value::Win(1));
/// let verdict = solution.verdict(&state)?;
/// assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::Second), Some(1)));
/// assert_eq!(verdict.to_string(), "the second player wins in 1 ply");
///
/// // A verdict is plain data, of which sentences can be made in any words.
/// let json = serde_json::to_value(verdict)?;
/// assert_eq!(json["outcome"]["Win"], "Second");
/// assert_eq!((&json["plies"], &json["decided_by"]), (&1.into(), &"play".into()));
/// assert_eq!(serde_json::from_value::<retrograde::Verdict>(json)?, verdict);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verdict {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// In how many plies a player wins by force. `None` for draws, for what endless play or a ply
    /// limit decides, and where the table has outcomes only.
    pub plies: Option<u32>,
    /// The reason for the outcome.
    pub decided_by: DecidedBy,
    /// In a game with points, by how many points the winner wins; 0 for a draw. `None` in a game
    /// without points.
    pub points: Option<u16>,
}

/// The reason for the outcome of a state.
///
/// ```
/// # use kit::games::TugOfWar;
/// use retrograde::query::DecidedBy;
/// use retrograde::{Player, Solver};
///
/// let solution = Solver::new(&TugOfWar).solve()?;
/// let decided_by = |state| solution.verdict(&state).map(|verdict| verdict.decided_by);
/// assert_eq!(decided_by((1, Player::First))?, DecidedBy::Play);
/// assert_eq!(decided_by((2, Player::First))?, DecidedBy::Endless);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DecidedBy {
    /// Play comes to an end, and the end decides.
    Play,
    /// Play never ends, and [`Game::endless`] decides.
    Endless,
    /// Play would end after more plies than [`Game::ply_limit`] allows, so [`Game::endless`]
    /// decides.
    PlyLimit,
}

/// The word that JSON has, too: "play", "endless" or "ply-limit".
impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DecidedBy::Play => "play",
            DecidedBy::Endless => "endless",
            DecidedBy::PlyLimit => "ply-limit",
        })
    }
}

/// As people say it, without the names of the game's players: "the first player wins in 7 plies",
/// "the player to move loses by endless play", "draw".
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.in_words(|player, verb, _| format!("{player} {verb}"));
        f.pad(&words)
    }
}

impl Verdict {
    /// The verdict in words. `with_verb` puts the name of a player before a verb, of which it is given
    /// the singular and the plural.
    pub(crate) fn in_words(&self, with_verb: impl Fn(Player, &str, &str) -> String) -> String {
        let to_move = |verb| format!("the player to move {verb}");
        let (wins, has_won) = match self.outcome {
            Outcome::MoverLoses | Outcome::Points(..0) => (to_move("loses"), to_move("has lost")),
            Outcome::MoverWins | Outcome::Points(1..) => (to_move("wins"), to_move("has won")),
            Outcome::Win(winner) => {
                (with_verb(winner, "wins", "win"), with_verb(winner, "has won", "have won"))
            }
            Outcome::Draw | Outcome::Points(0) => ("draw".into(), "draw".into()),
        };
        let [wins, has_won] = [wins, has_won].map(|words| match self.points {
            Some(points @ 1..) => format!("{words} by {points}"),
            _ => words,
        });
        match (self.decided_by, self.plies) {
            (DecidedBy::Play, Some(0)) => has_won,
            (DecidedBy::Play, Some(count)) => format!("{wins} in {}", plies(count)),
            (DecidedBy::Play, None) => wins,
            (DecidedBy::Endless, _) => format!("{wins} by endless play"),
            (DecidedBy::PlyLimit, _) => format!("{wins} by the ply limit"),
        }
    }
}

impl Rules {
    /// Rules with this worth of endless play, and this ply limit if there is one.
    #[must_use]
    pub fn new(endless: Outcome, ply_limit: Option<u32>) -> Rules {
        Rules { endless, ply_limit, points: None }
    }

    /// The rules of `game`.
    pub fn of_game<G: Game>(game: &G) -> Rules {
        let points = G::POINTS.then(|| game.max_points().max(1));
        Rules { endless: game.endless(), ply_limit: game.ply_limit(), points }
    }

    /// How values are packed.
    pub(crate) fn scale(self) -> Scale {
        self.points.map_or(Scale::PLAIN, Scale::with_points)
    }

    /// These rules after this many plies have been played: the ply limit is lower by that number.
    #[must_use]
    pub fn after(self, plies: u32) -> Rules {
        Rules { ply_limit: self.ply_limit.map(|limit| limit.saturating_sub(plies)), ..self }
    }

    /// The verdict on a state with this value, where `mover` is to move. `None` stands for the
    /// player to move of a game whose states do not say who that is; the outcome is then
    /// [`MoverWins`](Outcome::MoverWins) or [`MoverLoses`](Outcome::MoverLoses).
    #[must_use]
    pub fn judge(self, value: Value, mover: Option<Player>) -> Verdict {
        let in_time = |plies| self.ply_limit.is_none_or(|limit| plies <= limit);
        let points = self.points.map(|_| value.points().unsigned_abs());
        let ended =
            |outcome, plies| Verdict { outcome, plies, decided_by: DecidedBy::Play, points };
        let unended = |decided_by| {
            let points = self.points.map(|_| 0);
            Verdict { outcome: self.endless, plies: None, decided_by, points }
        };
        let wins = mover.map_or(Outcome::MoverWins, Outcome::Win);
        let loses = mover.map_or(Outcome::MoverLoses, |mover| Outcome::Win(mover.opponent()));
        match (value, value.points()) {
            (Value::Endless, _) => unended(DecidedBy::Endless),
            (Value::Win(plies) | Value::Points { plies, .. }, 1..) if in_time(plies) => {
                ended(wins, Some(plies))
            }
            (Value::Loss(plies) | Value::Points { plies, .. }, ..0) if in_time(plies) => {
                ended(loses, Some(plies))
            }
            (Value::Draw(plies) | Value::Points { plies, .. }, 0) if in_time(plies) => {
                ended(Outcome::Draw, None)
            }
            _ => unended(DecidedBy::PlyLimit),
        }
    }

    /// The verdict on a state whose distance is not known, but is within the ply limit. `mover` is
    /// as in [`judge`](Rules::judge).
    #[must_use]
    pub fn judge_kind(self, kind: ValueKind, mover: Option<Player>) -> Verdict {
        let value = match kind {
            ValueKind::Win => Value::Win(0),
            ValueKind::Loss => Value::Loss(0),
            ValueKind::Draw => Value::Draw(0),
            ValueKind::Endless => Value::Endless,
            ValueKind::Points(points) => Value::Points { points, plies: 0 },
        };
        Verdict { plies: None, ..self.judge(value, mover) }
    }
}

impl Scale {
    /// The packing of a game's values.
    pub(crate) fn of_game<G: Game>(game: &G) -> Scale {
        Rules::of_game(game).scale()
    }
}
