//! Capture times: of small graphs without the engine, which takes milliseconds to begin.

use retrograde::error::SolveError;
use retrograde::{Game, Indexed, Solver, Value};

use super::{Cops, ROBBER};

/// Up to this number of indices, a game is solved here.
const FEW: u64 = 1 << 16;

/// The plies of a state that is not known to be won by the cops.
const OPEN: u32 = u32::MAX;

impl Cops {
    /// The number of rounds in which the cops catch the robber, who delays it; `None` if the robber
    /// is never caught.
    ///
    /// # Errors
    /// When solving fails.
    pub fn capture_time(&self) -> Result<Option<u32>, SolveError> {
        self.capture_time_by(|solver| solver)
    }

    /// The capture time. `limited` sets the limits of the solver of a larger graph.
    pub(super) fn capture_time_by<'g>(
        &'g self,
        limited: impl FnOnce(Solver<'g, 'static, Cops>) -> Solver<'g, 'static, Cops>,
    ) -> Result<Option<u32>, SolveError> {
        if self.len() <= FEW {
            return Ok(self.plies_of_few().map(Cops::rounds));
        }
        let solution = limited(Solver::new(self).notation()).solve()?;
        Ok(match solution.value(&self.start()) {
            Ok(Value::Win(plies)) => Some(Cops::rounds(plies)),
            _ => None,
        })
    }

    /// The plies until the robber is caught, from the start. Goes back from the catches ply by ply, as
    /// the engine does. A robber makes each move in one way, so the moves left can be counted.
    fn plies_of_few(&self) -> Option<u32> {
        let len = self.len() as usize;
        let (mut plies, mut left) = (vec![OPEN; len], vec![0_u32; len]);
        let mut won = Vec::with_capacity(len);
        self.states(0..self.len(), |index, beat| {
            if self.is_caught(&beat) {
                plies[index as usize] = 0;
                won.push(index as usize);
            } else if beat.turn == ROBBER {
                self.moves(&beat, |_| left[index as usize] += 1);
            }
        });
        let mut done = 0;
        while let Some(&index) = won.get(done) {
            done += 1;
            let next = plies[index] + 1;
            let Some(beat) = self.unindex(index as u64) else { continue };
            self.predecessors(&beat, |before| {
                let at = self.index(&before) as usize;
                if plies[at] != OPEN {
                    return;
                }
                left[at] = left[at].saturating_sub(1);
                if before.turn != ROBBER || left[at] == 0 {
                    plies[at] = next;
                    won.push(at);
                }
            });
        }
        plies.last().copied().filter(|&plies| plies != OPEN)
    }
}
