//! What the moves of a state offer the player to move, from which its value follows.

use crate::game::{Outcome, Player};
use crate::value::{Rules, Value};

/// What the successors of a state offer its mover; distances are theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Prospects {
    pub(crate) soonest_win: Option<u32>,
    pub(crate) latest_loss: Option<u32>,
    pub(crate) soonest_draw: Option<u32>,
    pub(crate) latest_draw: Option<u32>,
    pub(crate) endless: bool,
}

impl Prospects {
    /// Adds a successor of this value, where the same or the other player is to move.
    #[inline]
    pub(crate) fn add(&mut self, value: Value, same_mover: bool) {
        let soonest = |known: &mut Option<u32>, plies| {
            *known = Some(known.map_or(plies, |known| known.min(plies)));
        };
        match (value, same_mover) {
            (Value::Win(plies), true) | (Value::Loss(plies), false) => {
                soonest(&mut self.soonest_win, plies);
            }
            (Value::Win(plies), false) | (Value::Loss(plies), true) => {
                self.latest_loss = self.latest_loss.max(Some(plies));
            }
            (Value::Draw(plies), _) => {
                soonest(&mut self.soonest_draw, plies);
                self.latest_draw = self.latest_draw.max(Some(plies));
            }
            (Value::Endless, _) => self.endless = true,
        }
    }

    /// The value of a state with `mover` to move that has these successors and no others; `None` if
    /// there are none.
    pub(crate) fn value(&self, mover: Player, rules: Rules) -> Option<Value> {
        let endless_costs_the_game = rules.endless == Outcome::Win(mover.opponent());
        let (soonest_win, soonest_draw) = (self.soonest_win, self.soonest_draw);
        Some(match (soonest_win, soonest_draw) {
            (Some(plies), _) => Value::Win(plies + 1),
            (None, Some(plies)) if endless_costs_the_game => Value::Draw(plies + 1),
            _ if self.endless => Value::Endless,
            _ => match (self.latest_draw, self.latest_loss) {
                (Some(plies), _) => Value::Draw(plies + 1),
                (None, Some(plies)) => Value::Loss(plies + 1),
                (None, None) => return None,
            },
        })
    }
}
