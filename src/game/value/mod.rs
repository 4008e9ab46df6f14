//! The result for a solved state: its [`Value`] as stored, and the [`Verdict`] under the game's
//! rules.

mod scale;
mod verdict;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use scale::{DRAW, ENDLESS, LOSS, NotAValue, Scale, UNUSED, WIN, packed_plies};
pub use verdict::{DecidedBy, Rules, Verdict};

use crate::game::{Game, Outcome, Player, Turns};

/// The greatest distance, in plies, that a table can hold.
///
/// ```
/// use retrograde::query::MAX_PLIES;
///
/// assert_eq!(MAX_PLIES, 16_383);
/// ```
pub const MAX_PLIES: u32 = 0x3FFF;

/// The most points that [`Game::max_points`] may promise. Of a value with so many points, a table
/// holds 47 plies at most.
///
/// ```
/// use retrograde::query::MAX_POINTS;
///
/// assert_eq!(MAX_POINTS, 511);
/// ```
pub const MAX_POINTS: u16 = 511;

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
///
/// // A value is plain data.
/// let values = [value, Value::Endless, Value::Points { points: -3, plies: 2 }];
/// let json = serde_json::to_string(&values)?;
/// assert_eq!(json, r#"[{"Win":7},"Endless",{"Points":{"points":-3,"plies":2}}]"#);
/// assert_eq!(serde_json::from_str::<[Value; 3]>(&json)?, values);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// worth what [`Game::endless`] says. In a game with points, it gains nothing for either.
    Endless,
    /// The value in a [game with points](Game::POINTS): the player to move gains this many points
    /// more than the opponent from here on, with best play of both.
    ///
    /// Among lines with equal points, the player who gains more hurries, and the other delays.
    Points {
        /// The points that the player to move gains, less the points that the opponent gains.
        points: i16,
        /// After this many plies at the latest, play is over, or nothing more is gained because
        /// it goes on for ever. With 0 points, as for [`Draw`](Value::Draw).
        plies: u32,
    },
}

/// The outcome of a state without the distance.
///
/// ```
/// use retrograde::Value;
/// use retrograde::query::ValueKind;
///
/// assert_eq!(Value::Loss(4).kind(), ValueKind::Loss);
/// assert_eq!(ValueKind::Loss.to_string(), "a loss");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ValueKind {
    /// The player to move wins by force.
    Win,
    /// The player to move loses by force.
    Loss,
    /// A draw in which play comes to an end.
    Draw,
    /// Play never has to end.
    Endless,
    /// The player to move gains this many points more than the opponent.
    Points(i16),
}

impl Value {
    /// The number of plies; `None` for endless play.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) | Value::Draw(plies) => Some(plies),
            Value::Points { plies, .. } => Some(plies),
            Value::Endless => None,
        }
    }

    /// How many points the player to move gains more than the opponent: in a game without points,
    /// 1 for a win, -1 for a loss, and 0 otherwise.
    #[must_use]
    pub fn points(self) -> i16 {
        match self {
            Value::Win(_) => 1,
            Value::Loss(_) => -1,
            Value::Draw(_) | Value::Endless => 0,
            Value::Points { points, .. } => points,
        }
    }

    /// This value of a successor with the points that the move gains. Endless play is as good as
    /// over once points are gained.
    #[inline]
    pub(crate) fn plus(self, gain: i16) -> Value {
        match self {
            _ if gain == 0 => self,
            Value::Points { points, plies } => {
                Value::Points { points: points.saturating_add(gain), plies }
            }
            Value::Endless => Value::Points { points: gain, plies: 0 },
            value => value,
        }
    }

    /// This value with one more ply, as it is before a move.
    #[inline]
    pub(crate) fn a_ply_before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Win(plies + 1),
            Value::Loss(plies) => Value::Loss(plies + 1),
            Value::Draw(plies) => Value::Draw(plies + 1),
            Value::Endless => Value::Endless,
            Value::Points { points, plies } => Value::Points { points, plies: plies + 1 },
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
            Value::Points { points, .. } => ValueKind::Points(points),
        }
    }

    /// The value for `mover` of a state where play is over with this outcome. In a game with points,
    /// a win is worth a point.
    pub(crate) fn of_end<G: Game>(outcome: Outcome, mover: Player) -> Value {
        let points = match outcome {
            Outcome::Points(points) => points,
            outcome => outcome.for_mover(Some(mover)) as i16,
        };
        match points {
            _ if G::POINTS => Value::Points { points, plies: 0 },
            0 => Value::Draw(0),
            1.. => Value::Win(0),
            _ => Value::Loss(0),
        }
    }

    /// The value of a terminal state; `None` for others.
    pub(crate) fn of_terminal<G: Game>(game: &G, state: &G::State) -> Option<Value> {
        Some(Value::of_outcome(game, state, game.terminal(state)?))
    }

    /// The value of a terminal state, where play is over with this outcome.
    pub(crate) fn of_outcome<G: Game>(game: &G, state: &G::State, outcome: Outcome) -> Value {
        match Value::of_end::<G>(outcome, game.mover(state)) {
            Value::Win(0) if game.stops_early(state) => Value::Win(1),
            Value::Loss(0) if game.stops_early(state) => Value::Loss(1),
            Value::Draw(0) if game.stops_early(state) => Value::Draw(1),
            Value::Points { points, .. } if game.stops_early(state) => {
                Value::Points { points, plies: 1 }
            }
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
            Value::Win(0) | Value::Loss(0) | Value::Draw(0) | Value::Points { plies: 0, .. } => {
                write!(f, "{kind}: play is over")
            }
            Value::Win(count) | Value::Loss(count) => write!(f, "{kind} in {}", plies(count)),
            Value::Draw(count) | Value::Points { points: 0, plies: count } => {
                write!(f, "{kind} in at most {}", plies(count))
            }
            Value::Points { plies: count, .. } => write!(f, "{kind} in {}", plies(count)),
        }
    }
}

/// As people say it: "a win", "a loss", "a draw", "endless play", "a win by 6".
impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Win => f.pad("a win"),
            ValueKind::Loss => f.pad("a loss"),
            ValueKind::Draw | ValueKind::Points(0) => f.pad("a draw"),
            ValueKind::Endless => f.pad("endless play"),
            ValueKind::Points(points @ 1..) => f.pad(&format!("a win by {points}")),
            ValueKind::Points(points) => f.pad(&format!("a loss by {}", points.unsigned_abs())),
        }
    }
}

/// A number of plies in words.
pub(crate) fn plies(count: u32) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_verdicts_are_written_as_people_say_them() {
        for (value, words) in [
            (Value::Loss(10), "a loss in 10 plies"),
            (Value::Win(1), "a win in 1 ply"),
            (Value::Win(0), "a win: play is over"),
            (Value::Draw(3), "a draw in at most 3 plies"),
            (Value::Endless, "endless play"),
            (Value::Points { points: 6, plies: 10 }, "a win by 6 in 10 plies"),
            (Value::Points { points: -1, plies: 0 }, "a loss by 1: play is over"),
            (Value::Points { points: 0, plies: 3 }, "a draw in at most 3 plies"),
        ] {
            assert_eq!(value.to_string(), words);
        }
        let rules = Rules::new(Outcome::Draw, Some(20));
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
        let with_points = Rules { points: Some(9), ..Rules::new(Outcome::Draw, None) };
        for (points, plies, words) in [
            (6, 7, "the second player wins by 6 in 7 plies"),
            (-2, 0, "the first player has won by 2"),
            (0, 5, "draw"),
        ] {
            let verdict = with_points.judge(Value::Points { points, plies }, cat);
            assert_eq!(verdict.to_string(), words);
        }
        let endless = with_points.judge(Value::Endless, cat);
        assert_eq!((endless.to_string(), endless.points), ("draw by endless play".into(), Some(0)));
        let kind = with_points.judge_kind(ValueKind::Points(-3), None);
        assert_eq!(kind.to_string(), "the player to move loses by 3");
        assert_eq!(Outcome::Win(Player::First).to_string(), "a win for the first player");
        assert_eq!(Outcome::MoverLoses.to_string(), "a loss for the player to move");
    }

    #[test]
    fn a_win_beyond_the_ply_limit_is_worth_what_endless_play_is() {
        let cat = Outcome::Win(Player::Second);
        let rules = Rules::new(cat, Some(5));
        let verdict = rules.judge(Value::Win(5), Some(Player::First));
        assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::First), Some(5)));
        let decided_by = DecidedBy::PlyLimit;
        let late = Verdict { outcome: cat, plies: None, decided_by, points: None };
        assert_eq!(rules.judge(Value::Win(6), Some(Player::First)), late);
        assert_eq!(rules.after(1).judge(Value::Win(5), Some(Player::First)), late);
        let endless = rules.judge(Value::Endless, Some(Player::First));
        assert_eq!((endless.outcome, endless.decided_by), (cat, DecidedBy::Endless));
    }
}
