//! All tiers of a game, one behind the other.

use super::{Numbering, NumberingKind};
use crate::game::{Game, Tiered};

/// The states of all tiers of a game: those of each behind those of the tiers before it.
#[derive(Debug)]
pub(crate) struct Joined<'g, G> {
    game: &'g G,
    /// Where each tier begins, and last the length of all.
    starts: Vec<u64>,
}

impl<'g, G: Tiered> Joined<'g, G> {
    pub(crate) fn new(game: &'g G) -> Self {
        let mut starts = vec![0];
        let mut len = 0_u64;
        for tier in 0..game.tiers().len() {
            len = len.saturating_add(game.tier_len(tier));
            starts.push(len);
        }
        Joined { game, starts }
    }

    /// The tier that a number below the length lies in, and the index in that.
    pub(crate) fn place(&self, number: u64) -> (usize, u64) {
        let tier = self.starts.partition_point(|&start| start <= number) - 1;
        (tier, number - self.starts[tier])
    }

    /// The number of an index of a tier, if the tier has that index.
    pub(crate) fn number_at(&self, tier: usize, index: u64) -> Option<u64> {
        let (start, end) = (*self.starts.get(tier)?, *self.starts.get(tier + 1)?);
        (index < end - start).then(|| start + index)
    }
}

impl<G: Tiered> Numbering for Joined<'_, G> {
    type Game = G;
    type Base = Self;
    const KIND: NumberingKind = NumberingKind::Tier(0);

    fn base(&self) -> &Self {
        self
    }

    fn game_of(base: &Self) -> &G {
        base.game
    }

    fn len(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        let tier = base.game.tier(state);
        base.number_at(tier, base.game.tier_index(tier, state))
    }

    fn state_of(base: &Self, number: u64) -> Option<<G as Game>::State> {
        let (tier, index) = base.place(number);
        base.game.tier_unindex(tier, index)
    }

    fn states_in(&self, numbers: std::ops::Range<u64>, mut visit: impl FnMut(u64, G::State)) {
        let mut next = numbers.start;
        while next < numbers.end.min(self.len()) {
            let (tier, index) = self.place(next);
            let end = self.starts[tier + 1].min(numbers.end);
            let start = self.starts[tier];
            self.game.tier_states(tier, index..end - start, |index, state| {
                visit(start + index, state);
            });
            next = end;
        }
    }

    fn leaving(&self, state: &G::State, visit: impl FnMut(G::State)) {
        self.game.leaving(self.game.tier(state), state, visit);
    }

    fn degree(&self, state: &G::State) -> Option<u64> {
        self.game.staying(self.game.tier(state), state)
    }

    fn together(&self, one: u64, other: u64) -> bool {
        self.place(one).0 == self.place(other).0
    }
}
