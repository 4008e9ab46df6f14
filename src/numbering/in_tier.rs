//! The numbering of one tier, with what is known of the tiers that its moves lead to.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use super::{Numbering, NumberingKind};
use crate::game::{Game, Tiered};
use crate::value::Value;

/// Values of a tier that is solved, by index.
pub(crate) trait Known: Debug + Send + Sync {
    /// The value of a state, `None` for a hole and beyond the end.
    fn value(&self, index: u64) -> Option<Value>;

    /// How much memory the values take, in bytes.
    fn bytes(&self) -> u64;
}

/// The states of one tier.
#[derive(Debug)]
pub(crate) struct InTier<'g, G> {
    game: &'g G,
    tier: usize,
    /// The values of the tiers that are needed, by tier.
    known: Vec<Option<Arc<dyn Known>>>,
}

impl<'g, G: Tiered> InTier<'g, G> {
    /// The numbering of `tier`; `known` are the values of the tiers that its moves lead to.
    pub(crate) fn new(game: &'g G, tier: usize, known: Vec<Option<Arc<dyn Known>>>) -> Self {
        InTier { game, tier, known }
    }
}

impl<G: Tiered> Numbering for InTier<'_, G> {
    type Game = G;
    type Base = Self;
    const KIND: NumberingKind = NumberingKind::Tier(0);
    const OPEN: bool = true;

    #[inline]
    fn base(&self) -> &Self {
        self
    }

    #[inline]
    fn game_of(base: &Self) -> &G {
        base.game
    }

    fn len(&self) -> u64 {
        self.game.tier_len(self.tier)
    }

    #[inline]
    fn number_of(base: &Self, state: &G::State) -> Option<u64> {
        let tier = base.tier;
        (base.game.tier(state) == tier).then(|| base.game.tier_index(tier, state))
    }

    #[inline]
    fn state_of(base: &Self, number: u64) -> Option<<G as Game>::State> {
        base.game.tier_unindex(base.tier, number)
    }

    #[inline]
    fn states_in(&self, numbers: Range<u64>, visit: impl FnMut(u64, G::State)) {
        self.game.tier_states(self.tier, numbers, visit);
    }

    #[inline]
    fn outside(&self, state: &G::State) -> Option<Value> {
        let tier = self.game.tier(state);
        let known = self.known.get(tier)?.as_ref()?;
        known.value(self.game.tier_index(tier, state))
    }

    fn bytes(&self) -> u64 {
        self.known.iter().flatten().map(|known| known.bytes()).sum()
    }

    fn kind(&self) -> NumberingKind {
        NumberingKind::Tier(self.tier as u32)
    }

    #[inline]
    fn leaving(&self, state: &G::State, visit: impl FnMut(G::State)) {
        self.game.leaving(self.tier, state, visit);
    }

    #[inline]
    fn degree(&self, state: &G::State) -> Option<u64> {
        self.game.staying(self.tier, state)
    }
}
