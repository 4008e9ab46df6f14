//! The order in which the player to move prefers the successors of a state.
//!
//! The value of a state follows from its best successor. A win is preferred to everything else, the
//! sooner the better. Everything else is preferred to a loss, the later the better. Draws and
//! endless play are between them. Their order depends on the outcome of endless play:
//!
//! - A player who loses by endless play prefers any draw to endless play, and the soonest draw.
//! - Any other player prefers endless play to any draw, because the opponent can do no better, and
//!   the latest draw.
//!
//! In a game with points, more points are preferred to fewer. Among equal points, those of a win are
//! preferred soon, and all others late. Endless play has no points.
//!
//! The verifier has its own order and does not use this one, so that it can find a mistake here.

use crate::game::value::Value;
use crate::game::{Game, Outcome, Player};

/// The order in which one player prefers the possible successors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preference {
    /// Whether endless play costs the player the game.
    pub(crate) hurries_to_draws: bool,
}

/// A place in the order. The greater of two ranks is preferred.
///
/// In one number: the points above the lowest 40 bits, where a win is a point; the three kinds of no
/// points above the lowest 32; and the plies, or, where the player hurries, what they lack of the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(i64);

impl Preference {
    /// The preference of `player` if endless play has the outcome `endless`.
    #[inline]
    pub(crate) fn new(player: Player, endless: Outcome) -> Preference {
        Preference { hurries_to_draws: endless == Outcome::Win(player.opponent()) }
    }

    /// The rank of a value for the player.
    #[inline]
    pub(crate) fn rank(self, value: Value) -> Rank {
        let points = value.points();
        let (kind, hurries) = match value {
            Value::Endless => (1, false),
            _ if points == 0 && self.hurries_to_draws => (2, true),
            _ => (0, points > 0),
        };
        let plies = value.plies().unwrap_or(0);
        let order = if hurries { u32::MAX - plies } else { plies };
        Rank(i64::from(points) << 40 | kind << 32 | i64::from(order))
    }

    /// The better of two values for the player, if there are two.
    #[inline]
    pub(crate) fn better(self, one: Option<Value>, other: Value) -> Value {
        match one {
            Some(one) if self.rank(one) >= self.rank(other) => one,
            _ => other,
        }
    }
}

/// The value of a successor for the player who can move there. The distance is still counted from
/// the successor. `same_mover` is whether this player is to move in the successor, too.
#[inline]
pub(crate) fn for_chooser(value: Value, same_mover: bool) -> Value {
    match value {
        Value::Win(plies) if !same_mover => Value::Loss(plies),
        Value::Loss(plies) if !same_mover => Value::Win(plies),
        Value::Points { points, plies } if !same_mover => Value::Points { points: -points, plies },
        value => value,
    }
}

/// The value of a successor for the player who moves there from `state`, with the points that the
/// move gains. The distance is still counted from the successor.
#[inline]
pub(crate) fn of_move<G: Game>(
    game: &G,
    state: &G::State,
    next: &G::State,
    value: Value,
    same_mover: bool,
) -> Value {
    let value = for_chooser(value, same_mover);
    if G::POINTS { value.plus(game.gain(state, next)) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_prefers_early_wins_late_losses_and_draws_by_what_endless_play_is_worth() {
        use Value::{Draw, Endless, Loss, Win};
        let late_draws = [Win(1), Win(9), Endless, Draw(9), Draw(1), Loss(9), Loss(1)];
        let early_draws = [Win(1), Win(9), Draw(1), Draw(9), Endless, Loss(9), Loss(1)];
        for (endless, order) in [
            (Outcome::Draw, late_draws),
            (Outcome::Win(Player::First), late_draws),
            (Outcome::Win(Player::Second), early_draws),
        ] {
            let preference = Preference::new(Player::First, endless);
            for (at, &better) in order.iter().enumerate() {
                for &worse in &order[at..] {
                    assert_eq!(preference.better(Some(worse), better), better);
                    assert_eq!(preference.better(Some(better), worse), better);
                }
            }
        }
    }

    #[test]
    fn a_player_prefers_more_points_and_hurries_only_with_some() {
        let by = |points, plies| Value::Points { points, plies };
        let order = [by(4, 9), by(3, 1), by(3, 9), Value::Endless, by(0, 9), by(0, 1), by(-2, 9)];
        let preference = Preference::new(Player::First, Outcome::Draw);
        for (at, &better) in order.iter().enumerate() {
            for &worse in &order[at..] {
                assert_eq!(preference.better(Some(worse), better), better);
            }
        }
        assert_eq!(preference.better(Some(by(-2, 1)), by(-2, 9)), by(-2, 9));
        assert_eq!(for_chooser(by(3, 1), false), by(-3, 1));
        assert_eq!(Value::Endless.plus(-2), by(-2, 0));
        assert_eq!((by(-2, 5).plus(2), Value::Endless.plus(0)), (by(0, 5), Value::Endless));
    }

    #[test]
    fn a_win_of_the_opponent_is_a_loss() {
        for (value, seen) in [(Value::Win(3), Value::Loss(3)), (Value::Draw(3), Value::Draw(3))] {
            assert_eq!(for_chooser(value, false), seen);
            assert_eq!(for_chooser(seen, false), value);
            assert_eq!(for_chooser(value, true), value);
        }
    }
}
