//! All tiers of a game, one behind the other.

use crate::game::{Game, TierIndexed, Tiered};
use crate::numbering::{ByIndex, Numbering, NumberingKind, TierNumbers};

/// The states of all tiers of a game: those of each behind those of the tiers before it.
#[derive(Debug)]
pub(crate) struct AllTiers<'g, G, S = ByIndex> {
    game: &'g G,
    /// How each tier's states are numbered.
    tiers: Vec<S>,
    starts: Starts,
}

/// Where each tier begins, and last the length of all.
#[derive(Debug)]
pub(crate) struct Starts(Vec<u64>);

impl Starts {
    /// Where tiers of these lengths begin.
    pub(crate) fn of(lens: impl IntoIterator<Item = u64>) -> Starts {
        let mut starts = vec![0];
        let mut len = 0_u64;
        for tier in lens {
            len = len.saturating_add(tier);
            starts.push(len);
        }
        Starts(starts)
    }

    /// The tier that a number below the length lies in, and the index in that.
    pub(crate) fn place(&self, number: u64) -> (usize, u64) {
        let tier = self.0.partition_point(|&start| start <= number) - 1;
        (tier, number - self.0[tier])
    }

    /// The number of an index of a tier, if the tier has that index.
    pub(crate) fn number_at(&self, tier: usize, index: u64) -> Option<u64> {
        let (start, end) = (*self.0.get(tier)?, *self.0.get(tier + 1)?);
        (index < end - start).then(|| start + index)
    }
}

impl<'g, G: TierIndexed> AllTiers<'g, G> {
    /// The tiers in the game's own numbering.
    pub(crate) fn by_index(game: &'g G) -> Self {
        AllTiers::new(game, (0..game.tiers().len()).map(|tier| ByIndex { tier }).collect())
    }
}

impl<'g, G: Tiered, S: TierNumbers<G>> AllTiers<'g, G, S> {
    pub(crate) fn new(game: &'g G, tiers: Vec<S>) -> Self {
        let starts = Starts::of(tiers.iter().map(|numbers| numbers.len(game)));
        AllTiers { game, tiers, starts }
    }

    /// The tier that a number below the length lies in, and the number in that.
    pub(crate) fn place(&self, number: u64) -> (usize, u64) {
        self.starts.place(number)
    }
}

impl<G: Tiered, S: TierNumbers<G>> Numbering for AllTiers<'_, G, S> {
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
        self.starts.0[self.tiers.len()]
    }

    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        let tier = base.game.tier(state);
        base.starts.number_at(tier, base.tiers.get(tier)?.number(base.game, state)?)
    }

    fn state_of(base: &Self, number: u64) -> Option<<G as Game>::State> {
        let (tier, index) = base.place(number);
        base.tiers.get(tier)?.state(base.game, index)
    }

    fn states_in(&self, numbers: std::ops::Range<u64>, mut visit: impl FnMut(u64, G::State)) {
        let mut next = numbers.start;
        while next < numbers.end.min(self.len()) {
            let (tier, index) = self.place(next);
            let end = self.starts.0[tier + 1].min(numbers.end);
            let start = self.starts.0[tier];
            self.tiers[tier].states_in(self.game, index..end - start, |index, state| {
                visit(start + index, state);
            });
            next = end;
        }
    }

    fn exits(&self, state: &G::State, visit: impl FnMut(G::State)) {
        self.game.exits(self.game.tier(state), state, visit);
    }

    fn degree(&self, state: &G::State) -> Option<u64> {
        self.game.internal_degree(self.game.tier(state), state)
    }

    fn kept(&self, state: &G::State) -> G::State {
        let tier = self.tiers.get(self.game.tier(state));
        tier.map_or_else(|| state.clone(), |numbers| numbers.kept(self.game, state))
    }

    fn same_tier(&self, one: u64, other: u64) -> bool {
        self.place(one).0 == self.place(other).0
    }
}
