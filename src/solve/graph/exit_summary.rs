//! What some of the moves of a state offer the player to move.

use crate::value::Value;

/// What the successors of a state offer its mover; distances are theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExitSummary {
    pub(crate) soonest_win: Option<u32>,
    pub(crate) latest_loss: Option<u32>,
    pub(crate) soonest_draw: Option<u32>,
    pub(crate) latest_draw: Option<u32>,
    pub(crate) endless: bool,
}

impl ExitSummary {
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
}
