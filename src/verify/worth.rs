//! What successors are worth to the player who can choose among them.
//!
//! For one player all values stand in one order, so that the value of a state follows from the best
//! of its successors alone. A win is the better the sooner it is, and a loss the later. Between them
//! are endless play and the draws: those who keep endless play up, because the other outcomes that
//! they can get are no better, take it before any draw, and of draws the latest; but the player whom
//! it would cost the game takes any draw before it, and the soonest first.

use crate::game::{Outcome, Player};
use crate::value::{MAX_PLIES, Rules, Value};

/// What a successor is worth: of two, the greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Worth(u32);

/// How many bits of a worth tell values of one kind apart.
const BITS: u32 = 14;
const _: () = assert!(MAX_PLIES < 1 << BITS);

// The kinds of successors, the worst first.
const LOSES: u32 = 1;
const DRAWS_LATE: u32 = 2;
const ENDLESS: u32 = 3;
const DRAWS_SOON: u32 = 4;
const WINS: u32 = 5;

impl Worth {
    /// Less than that of any successor.
    pub(crate) const NOTHING: Worth = Worth(0);

    /// That of a successor of which nothing is known: more than that of any other, so that it is not
    /// lost among them.
    pub(crate) const UNKNOWN: Worth = Worth(u32::MAX);

    /// That of no successor, nor of none.
    pub(crate) const NEVER: Worth = Worth(u32::MAX - 1);

    /// As a number, the greater the better.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// The order of values for one player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Whether endless play would cost the player the game.
    pub(crate) hurries_to_draws: bool,
    /// Whether distances don't count.
    pub(crate) outcomes_only: bool,
}

impl Scale {
    pub(crate) fn new(player: Player, rules: Rules, outcomes_only: bool) -> Scale {
        let hurries_to_draws = rules.endless == Outcome::Win(player.opponent());
        Scale { hurries_to_draws, outcomes_only }
    }

    /// What a successor of this value is worth, in which the same or the other player is to move.
    #[inline]
    pub(crate) fn worth(self, value: Value, same_mover: bool) -> Worth {
        let (kind, order) = match (value, same_mover) {
            (Value::Win(plies), true) | (Value::Loss(plies), false) => (WINS, MAX_PLIES - plies),
            (Value::Win(plies), false) | (Value::Loss(plies), true) => (LOSES, plies),
            (Value::Draw(plies), _) if self.hurries_to_draws => (DRAWS_SOON, MAX_PLIES - plies),
            (Value::Draw(plies), _) => (DRAWS_LATE, plies),
            (Value::Endless, _) => (ENDLESS, 0),
        };
        Worth(kind << BITS | if self.outcomes_only { 0 } else { order })
    }

    /// The value of a state whose best successor is worth so much; of any distance where those don't
    /// count, and `None` if there is no successor.
    pub(crate) fn value(self, best: Worth) -> Option<Value> {
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

    /// What the best successor has to be worth for a state to have this value; [`Worth::NEVER`] if no
    /// successor can make it that.
    pub(crate) fn needed(self, value: Value) -> Worth {
        let before = |plies: u32| match self.outcomes_only {
            true => Some(0),
            false => plies.checked_sub(1),
        };
        let successor = match value {
            Value::Win(plies) => before(plies).map(Value::Loss),
            Value::Loss(plies) => before(plies).map(Value::Win),
            Value::Draw(plies) => before(plies).map(Value::Draw),
            Value::Endless => Some(Value::Endless),
        };
        successor.map_or(Worth::NEVER, |successor| self.worth(successor, false))
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

    fn scales() -> impl Iterator<Item = Scale> {
        [false, true].into_iter().flat_map(|hurries_to_draws| {
            [false, true].map(|outcomes_only| Scale { hurries_to_draws, outcomes_only })
        })
    }

    /// What a state is worth of whose successors these are the values, said one rule after the other.
    fn by_the_rules(successors: &[(Value, bool)], hurries_to_draws: bool) -> Value {
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
            (Some(soonest), _) if hurries_to_draws => Value::Draw(soonest + 1),
            _ if endless => Value::Endless,
            (_, Some(latest)) => Value::Draw(latest + 1),
            _ => Value::Loss(
                successors.iter().filter_map(|(value, _)| value.plies()).max().unwrap_or(0) + 1,
            ),
        }
    }

    #[test]
    fn the_best_successor_makes_the_value() {
        for scale in scales() {
            for (a, b, c) in values().iter().flat_map(|&a| {
                values().into_iter().flat_map(move |b| values().into_iter().map(move |c| (a, b, c)))
            }) {
                for same in 0..8 {
                    let successors = [(a, same & 1 == 0), (b, same & 2 == 0), (c, same & 4 == 0)];
                    let worths = successors.map(|(value, same)| scale.worth(value, same));
                    let found =
                        worths.into_iter().max().and_then(|best| scale.value(best)).unwrap();
                    let expected = by_the_rules(&successors, scale.hurries_to_draws);
                    match scale.outcomes_only {
                        true => assert_eq!(found.kind(), expected.kind(), "{successors:?}"),
                        false => assert_eq!(found, expected, "{successors:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_needs_what_makes_it_and_nothing_else() {
        for scale in scales() {
            for successor in values() {
                for same in [false, true] {
                    let best = scale.worth(successor, same);
                    let made = scale.value(best).unwrap();
                    for value in values() {
                        let is_made = match scale.outcomes_only {
                            true => value.kind() == made.kind(),
                            false => value == made,
                        };
                        assert_eq!(scale.needed(value) == best, is_made, "{value:?} {successor:?}");
                    }
                }
            }
            for value in values() {
                let needed = scale.needed(value);
                assert!(needed != Worth::NOTHING && needed != Worth::UNKNOWN);
            }
        }
        let scale = Scale { hurries_to_draws: false, outcomes_only: false };
        assert_eq!(scale.value(Worth::NOTHING), None);
        assert_eq!(scale.needed(Value::Win(0)), Worth::NEVER);
    }
}
