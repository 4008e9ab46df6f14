//! The order in which a player ranks the successors of a state.
//!
//! For one player all values are in one order, so the value of a state follows from its best
//! successor. This file knows the rules of values and nothing about tables.
//!
//! From the worst to the best, the order is:
//! 1. losses, the later the better;
//! 2. draws, if endless play does not cost the player the game: the later the better;
//! 3. endless play;
//! 4. draws, if endless play costs the player the game: the sooner the better;
//! 5. wins, the sooner the better.
//!
//! Endless play is above the draws of line 2 because a player who can continue it forever does so,
//! unless it costs the game.
//!
//! In a game with points, values are in order of their points. Among equal points, those of a win are
//! the better the sooner, and all others the later. Endless play is above the other values of 0
//! points.

use crate::game::value::{MAX_PLIES, Rules, Value};
use crate::game::{Outcome, Player};

/// The place of a successor in a player's order of values. The greater of two is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(u32);

/// The number of bits of a rank that distinguish values of one kind.
const BITS: u32 = 14;
const _: () = assert!(MAX_PLIES < 1 << BITS);

/// With points: the number of bits that distinguish values of equal points, and the points that are
/// added so that no rank is negative.
const BITS_OF_POINTS: u32 = 15;
const ADDED_POINTS: i32 = 1 << 15;

// The kinds of successors, the worst first.
const LOSES: u32 = 1;
const DRAWS_LATE: u32 = 2;
const ENDLESS: u32 = 3;
const DRAWS_SOON: u32 = 4;
const WINS: u32 = 5;

impl Rank {
    /// The rank of the best of no successors: below all others.
    pub(crate) const NONE: Rank = Rank(0);

    /// The rank of a successor without a value. It is above all others, so the best of several
    /// never hides it.
    pub(crate) const UNKNOWN: Rank = Rank(u32::MAX);

    /// A rank that is never the best of any number of successors, zero included.
    pub(crate) const IMPOSSIBLE: Rank = Rank(u32::MAX - 1);

    /// The rank as a number; greater is better.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// The order of values for one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preference {
    /// Whether endless play costs the player the game.
    pub(crate) endless_loses: bool,
    /// Whether distances don't count.
    pub(crate) outcomes_only: bool,
    /// Whether values have points.
    pub(crate) has_points: bool,
}

impl Preference {
    pub(crate) fn new(player: Player, rules: Rules, outcomes_only: bool) -> Preference {
        let endless_loses = rules.endless == Outcome::Win(player.opponent());
        Preference { endless_loses, outcomes_only, has_points: rules.points.is_some() }
    }

    /// The rank of a successor with this value. `same_mover` is whether the same player is to move
    /// there.
    #[inline]
    pub(crate) fn rank(self, value: Value, same_mover: bool) -> Rank {
        if self.has_points {
            return self.rank_with_gain(value, same_mover, 0);
        }
        let (kind, order) = match (value, same_mover) {
            (Value::Win(plies), true) | (Value::Loss(plies), false) => (WINS, MAX_PLIES - plies),
            (Value::Win(plies), false) | (Value::Loss(plies), true) => (LOSES, plies),
            (Value::Draw(plies), _) if self.endless_loses => (DRAWS_SOON, MAX_PLIES - plies),
            (Value::Draw(plies), _) => (DRAWS_LATE, plies),
            (Value::Endless | Value::Points { .. }, _) => (ENDLESS, 0),
        };
        Rank(kind << BITS | if self.outcomes_only { 0 } else { order })
    }

    /// The rank of a successor with this value in a game with points, where the move to the successor
    /// gains some. Once it gains any, endless play is as good as over.
    pub(crate) fn rank_with_gain(self, value: Value, same_mover: bool, gain: i16) -> Rank {
        let (of_successor, plies) = match value {
            Value::Endless if gain == 0 => {
                return Rank((ADDED_POINTS as u32) << BITS_OF_POINTS | (MAX_PLIES + 1));
            }
            value => (i32::from(value.points()), value.plies().unwrap_or(0)),
        };
        let points = i32::from(gain) + if same_mover { of_successor } else { -of_successor };
        let order = if points > 0 { MAX_PLIES - plies } else { plies };
        let points = (points + ADDED_POINTS).clamp(1, 2 * ADDED_POINTS - 1) as u32;
        Rank(points << BITS_OF_POINTS | if self.outcomes_only { 0 } else { order })
    }

    /// The value in a game with points of a state whose best successor has this rank.
    fn value_with_points(best: Rank) -> Option<Value> {
        let order = best.0 & ((1 << BITS_OF_POINTS) - 1);
        let points = (best.0 >> BITS_OF_POINTS) as i32 - ADDED_POINTS;
        let points = i16::try_from(points).ok().filter(|&points| points > i16::MIN)?;
        Some(match (points, order) {
            (0, order) if order > MAX_PLIES => Value::Endless,
            (1.., order) => Value::Points { points, plies: MAX_PLIES - order + 1 },
            _ => Value::Points { points, plies: order + 1 },
        })
    }

    /// The value of a state whose best successor has this rank; `None` if it has no successor. If
    /// distances don't count, the distance in the result is meaningless.
    pub(crate) fn value(self, best: Rank) -> Option<Value> {
        if self.has_points {
            return Preference::value_with_points(best);
        }
        let order = best.0 & ((1 << BITS) - 1);
        Some(match best.0 >> BITS {
            LOSES => Value::Loss(order + 1),
            DRAWS_LATE => Value::Draw(order + 1),
            ENDLESS => Value::Endless,
            DRAWS_SOON => Value::Draw(MAX_PLIES - order + 1),
            WINS => Value::Win(MAX_PLIES - order + 1),
            _ => return None,
        })
    }

    /// The rank of the best successor of a state with this value. [`Rank::IMPOSSIBLE`] if the value
    /// can't come from a successor.
    pub(crate) fn needed(self, value: Value) -> Rank {
        let before = |plies: u32| match self.outcomes_only {
            true => Some(0),
            false => plies.checked_sub(1),
        };
        let successor = match value {
            Value::Win(plies) => before(plies).map(Value::Loss),
            Value::Loss(plies) => before(plies).map(Value::Win),
            Value::Draw(plies) => before(plies).map(Value::Draw),
            Value::Endless => Some(Value::Endless),
            Value::Points { points, plies } => {
                before(plies).map(|plies| Value::Points { points: -points, plies })
            }
        };
        successor.map_or(Rank::IMPOSSIBLE, |successor| self.rank(successor, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<Value> {
        let plies = [0, 1, 7, MAX_PLIES - 1, MAX_PLIES];
        let with_plies = |plies| [Value::Win(plies), Value::Loss(plies), Value::Draw(plies)];
        plies.into_iter().flat_map(with_plies).chain([Value::Endless]).collect()
    }

    fn preferences() -> impl Iterator<Item = Preference> {
        [false, true].into_iter().flat_map(|endless_loses| {
            [false, true].map(|outcomes_only| Preference {
                endless_loses,
                outcomes_only,
                has_points: false,
            })
        })
    }

    /// The value of a state with these successors, each with its value and whether the same player
    /// is to move there. Applies the rules of values one after another.
    fn by_the_rules(successors: &[(Value, bool)], endless_loses: bool) -> Value {
        let wins = successors.iter().filter_map(|&(value, same)| match value {
            Value::Win(plies) if same => Some(plies),
            Value::Loss(plies) if !same => Some(plies),
            _ => None,
        });
        if let Some(soonest) = wins.min() {
            return Value::Win(soonest + 1);
        }
        let draws = || {
            successors.iter().filter_map(|&(value, _)| match value {
                Value::Draw(plies) => Some(plies),
                _ => None,
            })
        };
        let endless = successors.iter().any(|&(value, _)| value == Value::Endless);
        match (draws().min(), draws().max()) {
            (Some(soonest), _) if endless_loses => Value::Draw(soonest + 1),
            _ if endless => Value::Endless,
            (_, Some(latest)) => Value::Draw(latest + 1),
            _ => Value::Loss(
                successors.iter().filter_map(|(value, _)| value.plies()).max().unwrap_or(0) + 1,
            ),
        }
    }

    #[test]
    fn the_best_successor_makes_the_value() {
        for preference in preferences() {
            for (a, b, c) in values().iter().flat_map(|&a| {
                values().into_iter().flat_map(move |b| values().into_iter().map(move |c| (a, b, c)))
            }) {
                for same in 0..8 {
                    let successors = [(a, same & 1 == 0), (b, same & 2 == 0), (c, same & 4 == 0)];
                    let ranks = successors.map(|(value, same)| preference.rank(value, same));
                    let found =
                        ranks.into_iter().max().and_then(|best| preference.value(best)).unwrap();
                    let expected = by_the_rules(&successors, preference.endless_loses);
                    match preference.outcomes_only {
                        true => assert_eq!(found.kind(), expected.kind(), "{successors:?}"),
                        false => assert_eq!(found, expected, "{successors:?}"),
                    }
                }
            }
        }
    }

    /// The points and the plies of a move with this gain to a successor with this value; `None` for
    /// endless play.
    fn of_move(value: Value, same_mover: bool, gain: i16) -> (i16, Option<u32>) {
        let seen = if same_mover { value.points() } else { -value.points() };
        let plies = value.plies().map(|plies| plies + 1);
        (seen + gain, if gain != 0 { plies.or(Some(1)) } else { plies })
    }

    #[test]
    fn the_best_move_makes_the_points() {
        let preference =
            Preference { endless_loses: false, outcomes_only: false, has_points: true };
        let points = [-511, -3, 0, 3, 511];
        let with_plies = |points| [0, 7].map(|plies| Value::Points { points, plies });
        let values: Vec<Value> =
            points.into_iter().flat_map(with_plies).chain([Value::Endless]).collect();
        let moves: Vec<(Value, bool, i16)> = values
            .iter()
            .flat_map(|&value| [(value, true), (value, false)])
            .flat_map(|(value, same)| [-2, 0, 5].map(|gain| (value, same, gain)))
            .collect();
        let rank = |&(value, same, gain): &(Value, bool, i16)| {
            preference.rank_with_gain(value, same, gain)
        };
        for one in &moves {
            let (points, plies) = of_move(one.0, one.1, one.2);
            let expected = match plies {
                None => Value::Endless,
                Some(plies) => Value::Points { points, plies },
            };
            assert_eq!(preference.value(rank(one)), Some(expected), "{one:?}");
            assert_eq!(preference.needed(expected), rank(one), "{one:?}");
            for other in &moves {
                let (others, plies_of_other) = of_move(other.0, other.1, other.2);
                let is_better = match points.cmp(&others) {
                    std::cmp::Ordering::Equal if points > 0 => plies < plies_of_other,
                    // Endless play, without plies, is later than any.
                    std::cmp::Ordering::Equal => {
                        let late = |plies: Option<u32>| plies.unwrap_or(u32::MAX);
                        late(plies) > late(plies_of_other)
                    }
                    order => order.is_gt(),
                };
                assert_eq!(rank(one) > rank(other), is_better, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_value_needs_what_makes_it_and_nothing_else() {
        for preference in preferences() {
            for successor in values() {
                for same in [false, true] {
                    let best = preference.rank(successor, same);
                    let made = preference.value(best).unwrap();
                    for value in values() {
                        let is_made = match preference.outcomes_only {
                            true => value.kind() == made.kind(),
                            false => value == made,
                        };
                        assert_eq!(
                            preference.needed(value) == best,
                            is_made,
                            "{value:?} {successor:?}"
                        );
                    }
                }
            }
            for value in values() {
                let needed = preference.needed(value);
                assert!(needed != Rank::NONE && needed != Rank::UNKNOWN);
            }
        }
        let preference =
            Preference { endless_loses: false, outcomes_only: false, has_points: false };
        assert_eq!(preference.value(Rank::NONE), None);
        assert_eq!(preference.needed(Value::Win(0)), Rank::IMPOSSIBLE);
    }
}
