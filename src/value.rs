//! What is known of a solved state: its [`Value`] as stored, and the [`Verdict`] under the game's
//! rules.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Outcome, Player, Turns};

/// The greatest distance, in plies, that a table can hold.
///
/// ```
/// use retrograde::query::MAX_PLIES;
///
/// assert_eq!(MAX_PLIES, 16_383);
/// ```
pub const MAX_PLIES: u32 = 0x3FFF;

/// The value of a state for the player to move, with the distance in plies to the end: the winner
/// hurries and the loser delays ("distance to win" in the literature).
///
/// Values are relative to the player to move so that the exchange of colours is a symmetry like
/// any other.
///
/// ```
/// use retrograde::Value;
/// use retrograde::query::{MAX_PLIES, ValueKind};
///
/// let value = Value::Win(7);
/// assert_eq!(value.to_string(), "a win in 7 plies");
/// assert_eq!(value.kind(), ValueKind::Win);
/// assert_eq!(value.plies(), Some(7));
/// assert!(value.plies() <= Some(MAX_PLIES));
/// assert_eq!(Value::Endless.plies(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins by force, after this many plies at the latest.
    Win(u32),
    /// The player to move loses by force. With best defence it takes this many plies.
    Loss(u32),
    /// A draw in which play comes to an end, after at most this many plies.
    ///
    /// Where endless play is a draw, both players may make any move that keeps the draw, and play
    /// still ends; the distance is that of the longest such play. Where endless play is a win, the
    /// player whom it would cost the game hurries to the draw, and the other delays it.
    Draw(u32),
    /// Play never has to end: neither player can force a better end than endless play, which is
    /// worth what [`Game::endless`] says.
    Endless,
}

/// What is known of a state without the distance.
///
/// ```
/// use retrograde::Value;
/// use retrograde::query::ValueKind;
///
/// assert_eq!(Value::Loss(4).kind(), ValueKind::Loss);
/// assert_eq!(ValueKind::Loss.to_string(), "a loss");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// The player to move wins by force.
    Win,
    /// The player to move loses by force.
    Loss,
    /// A draw in which play comes to an end.
    Draw,
    /// Play never has to end.
    Endless,
}

// A packed value has its kind in the two highest bits, and the plies in the others.
const PLIES: u16 = MAX_PLIES as u16;
/// The packed form for an unused index.
pub(crate) const UNUSED: u16 = 0;
/// The packed form of [`Value::Endless`].
pub(crate) const ENDLESS: u16 = 1;
/// The packed form of [`Value::Win`] is this plus the distance.
pub(crate) const WIN: u16 = 0x4000;
/// The packed form of [`Value::Loss`] is this plus the distance.
pub(crate) const LOSS: u16 = 0x8000;
/// The packed form of [`Value::Draw`] is this plus the number of plies.
pub(crate) const DRAW: u16 = 0xC000;

impl Value {
    /// The number of plies; `None` for endless play.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) | Value::Draw(plies) => Some(plies),
            Value::Endless => None,
        }
    }

    /// The value without the distance.
    #[must_use]
    pub fn kind(self) -> ValueKind {
        match self {
            Value::Win(_) => ValueKind::Win,
            Value::Loss(_) => ValueKind::Loss,
            Value::Draw(_) => ValueKind::Draw,
            Value::Endless => ValueKind::Endless,
        }
    }

    /// The value in 16 bits, as tables store it. It has at most [`MAX_PLIES`] plies.
    pub(crate) fn pack(self) -> u16 {
        let (kind, plies) = match self {
            Value::Win(plies) => (WIN, plies),
            Value::Loss(plies) => (LOSS, plies),
            Value::Draw(plies) => (DRAW, plies),
            Value::Endless => (ENDLESS, 0),
        };
        debug_assert!(plies <= MAX_PLIES);
        kind + plies as u16
    }

    /// The value with this [packed](Value::pack) form; `None` for an unused index.
    ///
    /// # Errors
    /// When it is the packed form of no value.
    pub(crate) fn unpack(packed: u16) -> Result<Option<Value>, NotAValue> {
        let plies = u32::from(packed & PLIES);
        match packed & !PLIES {
            WIN => Ok(Some(Value::Win(plies))),
            LOSS => Ok(Some(Value::Loss(plies))),
            DRAW => Ok(Some(Value::Draw(plies))),
            _ if packed == ENDLESS => Ok(Some(Value::Endless)),
            _ if packed == UNUSED => Ok(None),
            _ => Err(NotAValue(packed)),
        }
    }

    /// The number of plies in a packed win, loss or draw.
    #[inline]
    pub(crate) fn packed_plies(packed: u16) -> u32 {
        u32::from(packed & PLIES)
    }

    /// The value for `mover` of a state where play is over with this outcome.
    pub(crate) fn of_end(outcome: Outcome, mover: Player) -> Value {
        match outcome {
            Outcome::Draw => Value::Draw(0),
            Outcome::MoverWins => Value::Win(0),
            Outcome::MoverLoses => Value::Loss(0),
            Outcome::Win(winner) if winner == mover => Value::Win(0),
            Outcome::Win(_) => Value::Loss(0),
        }
    }

    /// The value of a terminal state; `None` for others.
    pub(crate) fn of_terminal<G: Game>(game: &G, state: &G::State) -> Option<Value> {
        Some(Value::of_outcome(game, state, game.terminal(state)?))
    }

    /// The value of a terminal state, where play is over with this outcome.
    pub(crate) fn of_outcome<G: Game>(game: &G, state: &G::State, outcome: Outcome) -> Value {
        match Value::of_end(outcome, game.mover(state)) {
            Value::Win(0) if game.stops_early(state) => Value::Win(1),
            Value::Loss(0) if game.stops_early(state) => Value::Loss(1),
            Value::Draw(0) if game.stops_early(state) => Value::Draw(1),
            value => value,
        }
    }
}

/// As people say it: "a win in 7 plies", "a draw in at most 5 plies", "endless play".
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        match *self {
            Value::Endless => write!(f, "{kind}"),
            Value::Win(0) | Value::Loss(0) | Value::Draw(0) => write!(f, "{kind}: play is over"),
            Value::Win(count) | Value::Loss(count) => write!(f, "{kind} in {}", plies(count)),
            Value::Draw(count) => write!(f, "{kind} in at most {}", plies(count)),
        }
    }
}

/// As people say it: "a win", "a loss", "a draw" or "endless play".
impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ValueKind::Win => "a win",
            ValueKind::Loss => "a loss",
            ValueKind::Draw => "a draw",
            ValueKind::Endless => "endless play",
        })
    }
}

/// A number of plies in words.
pub(crate) fn plies(count: u32) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

/// 16 bits that are the packed form of no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotAValue(pub(crate) u16);

/// The rules that turn a stored [`Value`] into a [`Verdict`]: what endless play is worth, and the
/// ply limit.
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::Nim;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rules {
    /// What endless play is worth: [`Game::endless`].
    pub endless: Outcome,
    /// The greatest number of plies that play may take, if there is a limit: [`Game::ply_limit`].
    pub ply_limit: Option<u32>,
}

/// What a state is worth under the rules of its game: the winner by name, or, where states do not say
/// who is to move, as seen from the player to move.
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::TugOfWar;
/// use retrograde::{Outcome, Player, Solver, Value};
///
/// let solution = Solver::new(&TugOfWar).solve()?;
/// // The second player moves, and can push the marker to the own end.
/// let state = (3, Player::Second);
/// assert_eq!(solution.value(&state)?, Value::Win(1));
/// let verdict = solution.verdict(&state)?;
/// assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::Second), Some(1)));
/// assert_eq!(verdict.to_string(), "the second player wins in 1 ply");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// In how many plies a player wins by force. `None` for draws, for what endless play or a ply
    /// limit decides, and where the table has outcomes only.
    pub plies: Option<u32>,
    /// What decides the outcome.
    pub decided_by: DecidedBy,
}

/// What decides the outcome of a state.
///
/// ```
/// # mod games { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/parts/games.rs")); }
/// # use games::TugOfWar;
/// use retrograde::query::DecidedBy;
/// use retrograde::{Player, Solver};
///
/// let solution = Solver::new(&TugOfWar).solve()?;
/// let decided_by = |state| solution.verdict(&state).map(|verdict| verdict.decided_by);
/// assert_eq!(decided_by((1, Player::First))?, DecidedBy::Play);
/// assert_eq!(decided_by((2, Player::First))?, DecidedBy::Endless);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
            Outcome::MoverLoses => (to_move("loses"), to_move("has lost")),
            Outcome::MoverWins => (to_move("wins"), to_move("has won")),
            Outcome::Win(winner) => {
                (with_verb(winner, "wins", "win"), with_verb(winner, "has won", "have won"))
            }
            Outcome::Draw => ("draw".into(), "draw".into()),
        };
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
        Rules { endless, ply_limit }
    }

    /// The rules of `game`.
    pub fn of_game<G: Game>(game: &G) -> Rules {
        Rules { endless: game.endless(), ply_limit: game.ply_limit() }
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
        let ended = |outcome, plies| Verdict { outcome, plies, decided_by: DecidedBy::Play };
        let unended = |decided_by| Verdict { outcome: self.endless, plies: None, decided_by };
        match value {
            Value::Win(plies) if in_time(plies) => {
                ended(mover.map_or(Outcome::MoverWins, Outcome::Win), Some(plies))
            }
            Value::Loss(plies) if in_time(plies) => {
                let winner = mover.map(Player::opponent);
                ended(winner.map_or(Outcome::MoverLoses, Outcome::Win), Some(plies))
            }
            Value::Draw(plies) if in_time(plies) => ended(Outcome::Draw, None),
            Value::Endless => unended(DecidedBy::Endless),
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
        };
        Verdict { plies: None, ..self.judge(value, mover) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_packing_and_no_two_share_a_number() {
        let mut seen = std::collections::HashSet::from([UNUSED]);
        let every_distance = (0..=MAX_PLIES)
            .flat_map(|plies| [Value::Win(plies), Value::Loss(plies), Value::Draw(plies)]);
        for value in every_distance.chain([Value::Endless]) {
            assert_eq!(Value::unpack(value.pack()).unwrap(), Some(value));
            assert!(seen.insert(value.pack()));
        }
        assert!(Value::unpack(UNUSED).unwrap().is_none());
        for packed in 2..WIN {
            assert!(Value::unpack(packed).is_err());
        }
    }

    #[test]
    fn values_and_verdicts_are_written_as_people_say_them() {
        for (value, words) in [
            (Value::Loss(10), "a loss in 10 plies"),
            (Value::Win(1), "a win in 1 ply"),
            (Value::Win(0), "a win: play is over"),
            (Value::Draw(3), "a draw in at most 3 plies"),
            (Value::Endless, "endless play"),
        ] {
            assert_eq!(value.to_string(), words);
        }
        let rules = Rules { endless: Outcome::Draw, ply_limit: Some(20) };
        let cat = Some(Player::Second);
        for (value, mover, words) in [
            (Value::Win(7), cat, "the second player wins in 7 plies"),
            (Value::Loss(0), cat, "the first player has won"),
            (Value::Loss(2), None, "the player to move loses in 2 plies"),
            (Value::Draw(4), cat, "draw"),
            (Value::Endless, cat, "draw by endless play"),
            (Value::Win(21), cat, "draw by the ply limit"),
        ] {
            assert_eq!(rules.judge(value, mover).to_string(), words);
        }
        assert_eq!(Outcome::Win(Player::First).to_string(), "a win for the first player");
        assert_eq!(Outcome::MoverLoses.to_string(), "a loss for the player to move");
    }

    #[test]
    fn a_win_beyond_the_ply_limit_is_worth_what_endless_play_is() {
        let cat = Outcome::Win(Player::Second);
        let rules = Rules { endless: cat, ply_limit: Some(5) };
        let verdict = rules.judge(Value::Win(5), Some(Player::First));
        assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::First), Some(5)));
        let late = Verdict { outcome: cat, plies: None, decided_by: DecidedBy::PlyLimit };
        assert_eq!(rules.judge(Value::Win(6), Some(Player::First)), late);
        assert_eq!(rules.after(1).judge(Value::Win(5), Some(Player::First)), late);
        let endless = rules.judge(Value::Endless, Some(Player::First));
        assert_eq!((endless.outcome, endless.decided_by), (cat, DecidedBy::Endless));
    }
}
