//! What a game in tiers has to keep beside the laws of all games.

use super::checker::Broken;
use super::{Law, LawError};
use crate::game::{Tier, TierIndexed, Tiered};
use crate::notation::Notation;

/// The check of a game's tiers.
pub(super) struct TierLaws<'g, G> {
    game: &'g G,
    tiers: Vec<Tier>,
}

impl<'g, G: Tiered + Notation> TierLaws<'g, G> {
    pub(super) fn new(game: &'g G) -> Self {
        TierLaws { game, tiers: game.tiers() }
    }

    fn broken(text: String) -> Result<(), LawError> {
        Err(Broken(Law::Tiers, text).into())
    }

    /// Checks that tiers lead to tiers before them, and have names of their own.
    pub(super) fn check_order(&self) -> Result<(), LawError> {
        for (at, tier) in self.tiers.iter().enumerate() {
            let name = &tier.name;
            if let Some(next) = tier.leads_to.iter().find(|&&next| next >= at) {
                return Self::broken(format!("tier {name}, number {at}, leads to number {next}"));
            }
            if self.tiers[..at].iter().any(|other| other.name == *name) {
                return Self::broken(format!("two tiers are called {name}"));
            }
        }
        Ok(())
    }

    /// Checks the moves of a state; `number` numbers all states.
    pub(super) fn check(
        &self,
        state: &G::State,
        number: impl Fn(&G::State) -> Option<u64>,
    ) -> Result<(), LawError> {
        let game = self.game;
        let tier = game.tier(state);
        let Some(Tier { name, leads_to }) = self.tiers.get(tier) else {
            let state = game.write_state(state);
            return Self::broken(format!("{state} is in tier {tier}, which there is not"));
        };
        let canonical = game.canonical(state);
        if game.tier(&canonical) != tier {
            let (state, canonical) = (game.write_state(state), game.write_state(&canonical));
            return Self::broken(format!(
                "{state} is in tier {name}, and {canonical}, which stands for it, in another"
            ));
        }
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let mut outside = Vec::new();
        game.moves(state, |next| {
            if game.tier(&next) != tier {
                outside.push(next);
            }
        });
        if let Some(next) = outside.iter().find(|next| !leads_to.contains(&game.tier(next))) {
            let (state, to, next) =
                (game.write_state(state), game.tier(next), game.write_state(next));
            return Self::broken(format!(
                "{state}, in tier {name}, has a move to {next}, in tier number {to}, to which {name} \
                 does not say it leads"
            ));
        }
        let number = |next: &G::State| (number(next), game.turn(next));
        let mut left = Vec::new();
        game.leaving(tier, state, |next| left.push(number(&next)));
        let mut outside: Vec<_> = outside.iter().map(number).collect();
        for numbers in [&mut left, &mut outside] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        if left == outside {
            return Ok(());
        }
        let (state, left, outside) = (game.write_state(state), left.len(), outside.len());
        Self::broken(format!(
            "{state} has {outside} distinct successors outside its tier, and `leaving` visits {left}, \
             or others"
        ))
    }
}

impl<G: TierIndexed + Notation> TierLaws<'_, G> {
    /// Checks what is told of a state's successors by their indices.
    pub(super) fn check_successors(&self, state: &G::State) -> Result<(), LawError> {
        let game = self.game;
        if game.terminal(state).is_some() {
            return Ok(());
        }
        let tier = game.tier(state);
        let place = |next: &G::State| {
            let at = game.tier(next);
            (at == tier, at, game.tier_index(at, next), game.turn(next))
        };
        let (mut expected, mut staying, mut leaving) = (Vec::new(), Vec::new(), Vec::new());
        game.moves(state, |next| expected.push(place(&next)));
        let stay = |index, turn| staying.push((true, tier, index, turn));
        game.successors(tier, state, stay, |next| {
            let (_, at, index, turn) = place(&next);
            leaving.push((false, at, index, turn));
        });
        let told = [staying, leaving].concat();
        let too_much = told.iter().find(|place| !expected.contains(place));
        let missing = || expected.iter().find(|place| !told.contains(place));
        let (&(stays, at, index, turn), what) = match (too_much, missing()) {
            (Some(place), _) => (place, "tells more than the moves"),
            (None, Some(place)) => (place, "does not tell all moves"),
            (None, None) => return Ok(()),
        };
        let text = format!(
            "of {}, `successors` {what}: one that {} tier number {tier}, to index {index} of number \
             {at}, {turn:?} to move",
            game.write_state(state),
            if stays { "stays in" } else { "leaves" },
        );
        Err(Broken(Law::Successors, text).into())
    }
}
