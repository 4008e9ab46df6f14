//! The law of exits: `exits` visits exactly the moves that leave a tier.

use crate::error::{BrokenLaw, Law};
use crate::game::{Game, Player, Turns};
use crate::laws::checker::Checker;
use crate::numbering::discovered::Location;

/// The location of a state outside a tier, and who is to move there. Compared instead of the state, since
/// `exits` may visit another state with the same index.
type Outside = (usize, Location, Player);

impl<G: Game> Checker<'_, G> {
    /// Checks the exits of the state of one index.
    pub(super) fn check_exits_of(&self, index: u64) -> Result<(), BrokenLaw> {
        let state = self.numbering.state(index);
        state.map_or(Ok(()), |state| match self.game().terminal(&state) {
            Some(_) => Ok(()),
            None => self.check_exits(&state, &self.successors(&state)),
        })
    }

    /// Checks that the exits of a state are its successors in other tiers.
    pub(super) fn check_exits(
        &self,
        state: &G::State,
        successors: &[G::State],
    ) -> Result<(), BrokenLaw> {
        let Some((tier, _)) = self.numbering.location_in_tiers(state) else { return Ok(()) };
        let outside = |next: &G::State| -> Option<Outside> {
            let (at, place) = self.numbering.location_in_tiers(next)?;
            Some((at, place, self.game().next_mover(next)))
        };
        let mut exits = Vec::new();
        self.numbering.exits(state, &mut |next| exits.push((outside(&next), next)));
        let leaving: Vec<_> = successors
            .iter()
            .map(|next| (outside(next), next))
            .filter(|(place, _)| place.is_some_and(|(at, ..)| at != tier))
            .collect();
        let missing = leaving.iter().find(|(place, _)| exits.iter().all(|(exit, _)| exit != place));
        if let Some((_, next)) = missing {
            let [state, next] = [state, next].map(|state| self.write(state));
            let text = format!(
                "{state} has a move to {next} in another tier, which `exits` does not visit"
            );
            return Err(BrokenLaw::new(Law::Tiers, [state, next], text));
        }
        let invented =
            exits.iter().find(|(exit, _)| leaving.iter().all(|(place, _)| place != exit));
        if let Some((_, next)) = invented {
            let [state, next] = [state, next].map(|state| self.write(state));
            let text = format!(
                "`exits` visits {next} for {state}, which has no such move to another tier"
            );
            return Err(BrokenLaw::new(Law::Tiers, [state, next], text));
        }
        Ok(())
    }
}
