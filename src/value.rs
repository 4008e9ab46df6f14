//! What is known of a state: its [`Value`] as stored, and the [`Verdict`] that follows from it.

use serde::{Deserialize, Serialize};

use crate::game::{Game, Outcome, Player};

/// The greatest distance, in plies, that a table can hold.
pub const MAX_PLIES: u32 = 0x3FFF;

/// The value of a state for the player to move, with the distance in plies to the end: the winner
/// hurries and the loser delays ("distance to win" in the literature).
///
/// Values are relative to the player to move so that the exchange of colours is a symmetry like
/// any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins by force, after this many plies at the latest.
    Win(u32),
    /// The player to move loses by force, after this many plies at the earliest that he can't
    /// avoid.
    Loss(u32),
    /// A draw in which play comes to an end, after at most this many plies. Where endless play is
    /// a draw, these are the draws in which both may move as they like, as long as they keep the
    /// draw, and still reach the end: the number is the longest such play. Where endless play is a
    /// win, the player whom it would cost the game hurries to the draw and the other delays it.
    Draw(u32),
    /// Play never has to end: neither player can force a better end than endless play, which is
    /// worth what [`Game::endless`] says.
    Endless,
}

/// What is known of a state without the distance.
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

// How a value is packed: the two highest bits say which, the others how many plies.
const PLIES: u16 = MAX_PLIES as u16;
/// The packed form of an index that stands for no state.
pub(crate) const HOLE: u16 = 0;
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

    /// The value in the 16 bits that tables keep. The number of plies is at most [`MAX_PLIES`].
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

    /// The value that [`pack`](Value::pack) put there, `None` for a hole, and an error for the
    /// numbers that stand for nothing.
    pub(crate) fn unpack(packed: u16) -> Result<Option<Value>, NotAValue> {
        let plies = u32::from(packed & PLIES);
        match packed & !PLIES {
            WIN => Ok(Some(Value::Win(plies))),
            LOSS => Ok(Some(Value::Loss(plies))),
            DRAW => Ok(Some(Value::Draw(plies))),
            _ if packed == ENDLESS => Ok(Some(Value::Endless)),
            _ if packed == HOLE => Ok(None),
            _ => Err(NotAValue(packed)),
        }
    }

    /// The number of plies in a packed win, loss or draw.
    #[inline]
    pub(crate) fn packed_plies(packed: u16) -> u32 {
        u32::from(packed & PLIES)
    }

    /// The value of an outcome that has just been reached, for `mover`.
    pub(crate) fn of_end(outcome: Outcome, mover: Player) -> Value {
        match outcome.winner() {
            None => Value::Draw(0),
            Some(winner) if winner == mover => Value::Win(0),
            Some(_) => Value::Loss(0),
        }
    }

    /// The value of a terminal state; `None` for others.
    pub(crate) fn of_terminal<G: Game>(game: &G, state: &G::State) -> Option<Value> {
        let ended = Value::of_end(game.terminal(state)?, game.turn(state));
        Some(match ended {
            Value::Win(0) if game.stops_early(state) => Value::Win(1),
            Value::Loss(0) if game.stops_early(state) => Value::Loss(1),
            Value::Draw(0) if game.stops_early(state) => Value::Draw(1),
            value => value,
        })
    }
}

/// A packed number that stands for no value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotAValue(pub(crate) u16);

/// The two rules that turn a stored value into an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What endless play is worth: [`Game::endless`].
    pub endless: Outcome,
    /// The limit on the number of plies, if there is one: [`Game::ply_limit`].
    pub ply_limit: Option<u32>,
}

/// What a state is worth under the rules of its game, told absolutely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// In how many plies, where a player wins by force; `None` on every draw, where the win needs no
    /// end, and where the table has outcomes alone.
    pub plies: Option<u32>,
    /// What decides it.
    pub decided_by: DecidedBy,
}

/// What decides the outcome of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// Play comes to an end, and the end decides.
    Play,
    /// Play goes on for ever, and [`Game::endless`] decides.
    Endless,
    /// Play would end after more plies than [`Game::ply_limit`] allows, so [`Game::endless`]
    /// decides.
    PlyLimit,
}

impl Rules {
    /// The rules of `game`.
    pub fn of<G: Game>(game: &G) -> Rules {
        Rules { endless: game.endless(), ply_limit: game.ply_limit() }
    }

    /// The same rules after `plies` plies have been played.
    #[must_use]
    pub fn after(self, plies: u32) -> Rules {
        Rules { ply_limit: self.ply_limit.map(|limit| limit.saturating_sub(plies)), ..self }
    }

    /// What `value`, the value of a state with `mover` to move, is worth under these rules.
    #[must_use]
    pub fn judge(self, value: Value, mover: Player) -> Verdict {
        let in_time = |plies| self.ply_limit.is_none_or(|limit| plies <= limit);
        let ended = |outcome, plies| Verdict { outcome, plies, decided_by: DecidedBy::Play };
        let unended = |decided_by| Verdict { outcome: self.endless, plies: None, decided_by };
        match value {
            Value::Win(plies) if in_time(plies) => ended(Outcome::Win(mover), Some(plies)),
            Value::Loss(plies) if in_time(plies) => {
                ended(Outcome::Win(mover.opponent()), Some(plies))
            }
            Value::Draw(plies) if in_time(plies) => ended(Outcome::Draw, None),
            Value::Endless => unended(DecidedBy::Endless),
            _ => unended(DecidedBy::PlyLimit),
        }
    }

    /// The same for a value whose distance is not known, and is within the limit if there is one.
    #[must_use]
    pub fn judge_kind(self, kind: ValueKind, mover: Player) -> Verdict {
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
        let mut seen = std::collections::HashSet::from([HOLE]);
        let every_distance = (0..=MAX_PLIES)
            .flat_map(|plies| [Value::Win(plies), Value::Loss(plies), Value::Draw(plies)]);
        for value in every_distance.chain([Value::Endless]) {
            assert_eq!(Value::unpack(value.pack()).unwrap(), Some(value));
            assert!(seen.insert(value.pack()));
        }
        assert!(Value::unpack(HOLE).unwrap().is_none());
        for packed in 2..WIN {
            assert!(Value::unpack(packed).is_err());
        }
    }

    #[test]
    fn a_win_beyond_the_ply_limit_is_worth_what_endless_play_is() {
        let cat = Outcome::Win(Player::Second);
        let rules = Rules { endless: cat, ply_limit: Some(5) };
        let verdict = rules.judge(Value::Win(5), Player::First);
        assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::First), Some(5)));
        let late = Verdict { outcome: cat, plies: None, decided_by: DecidedBy::PlyLimit };
        assert_eq!(rules.judge(Value::Win(6), Player::First), late);
        assert_eq!(rules.after(1).judge(Value::Win(5), Player::First), late);
        let endless = rules.judge(Value::Endless, Player::First);
        assert_eq!((endless.outcome, endless.decided_by), (cat, DecidedBy::Endless));
    }
}
