//! Whether a game is divided into tiers.

use crate::game::{Game, Tier, Tiered};

/// Whether a game is divided into tiers, and its moves within a tier and out of it.
pub trait Tiering<G: Game>: 'static {
    /// Whether the game is divided into tiers, so that moves may lead to other tiers.
    const HAS_TIERS: bool;

    /// Whether the game computes the predecessors within a tier.
    const PREDECESSORS: bool;

    /// Whether no two moves within a tier lead to the same index, and no two predecessors have the
    /// same index.
    const DISTINCT: bool;

    /// The tiers in solving order; one for a game without tiers.
    fn tiers(game: &G) -> Vec<Tier>;

    /// The tier of a state.
    fn tier(game: &G, state: &G::State) -> usize;

    /// Visits the state after each move that leaves the tier of a state.
    fn exits(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State));

    /// The number of distinct states of the tier that the moves from a state lead to, if the game
    /// knows it.
    fn tier_degree(game: &G, tier: usize, state: &G::State) -> Option<u64>;

    /// Visits the states of the tier that have a move to this one.
    fn predecessors(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State));
}

/// A game that is solved as a whole.
#[derive(Debug)]
pub enum Untiered {}

impl<G: Game> Tiering<G> for Untiered {
    const HAS_TIERS: bool = false;
    const PREDECESSORS: bool = G::PREDECESSORS;
    const DISTINCT: bool = G::DISTINCT;

    fn tiers(_: &G) -> Vec<Tier> {
        vec![Tier { name: String::new(), leads_to: Vec::new() }]
    }

    #[inline(always)]
    fn tier(_: &G, _: &G::State) -> usize {
        0
    }

    #[inline(always)]
    fn exits(_: &G, _: usize, _: &G::State, _: impl FnMut(G::State)) {}

    #[inline(always)]
    fn tier_degree(game: &G, _: usize, state: &G::State) -> Option<u64> {
        game.degree(state)
    }

    #[inline(always)]
    fn predecessors(game: &G, _: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.predecessors(state, visit);
    }
}

/// A game that is solved tier by tier.
#[derive(Debug)]
pub enum ByTier {}

impl<G: Tiered> Tiering<G> for ByTier {
    const HAS_TIERS: bool = true;
    const PREDECESSORS: bool = G::TIER_PREDECESSORS;
    const DISTINCT: bool = G::TIER_DISTINCT;

    fn tiers(game: &G) -> Vec<Tier> {
        game.tiers()
    }

    #[inline(always)]
    fn tier(game: &G, state: &G::State) -> usize {
        game.tier(state)
    }

    #[inline(always)]
    fn exits(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.exits(tier, state, visit);
    }

    #[inline(always)]
    fn tier_degree(game: &G, tier: usize, state: &G::State) -> Option<u64> {
        game.tier_degree(tier, state)
    }

    #[inline(always)]
    fn predecessors(game: &G, tier: usize, state: &G::State, visit: impl FnMut(G::State)) {
        game.tier_predecessors(tier, state, visit);
    }
}
