//! The tiers of the game: one for each number of seeds on the board. Captured seeds never come back.

use std::ops::Range;

use retrograde::{Player, Tier, TierIndexed, Tiered, VisitSuccessors};

use super::board::{HOUSES, Houses};
use super::{Awari, GrandSlam, ranking};

/// The fewest seeds that a move captures, if it captures any.
const FEWEST_CAPTURED: usize = 2;

/// The most seeds that a move captures from a house.
const MOST_OF_A_HOUSE: usize = 3;

impl Awari {
    /// How many seeds a move from a board with so many may leave, ascending.
    fn left_by_captures(&self, seeds: usize) -> Range<usize> {
        // A grand slam takes all houses of the other player. If it captures nothing, some house of
        // the other player keeps its seeds.
        let (houses, least) = match self.parameters().grand_slam {
            GrandSlam::CapturesNothing => (HOUSES - 1, 1),
            GrandSlam::Illegal | GrandSlam::Captures => (HOUSES, 0),
        };
        let first = seeds.saturating_sub(MOST_OF_A_HOUSE * houses).max(least);
        first..(seeds + 1).saturating_sub(FEWEST_CAPTURED).max(first)
    }
}

impl Tiered for Awari {
    /// The fewer seeds there are, the sooner they are solved.
    fn tiers(&self) -> Vec<Tier> {
        let tier = |seeds: usize| Tier {
            name: crate::shared::tier_name(seeds, "seed", "seeds"),
            leads_to: self.left_by_captures(seeds).collect(),
        };
        (0..=self.parameters().seeds as usize).map(tier).collect()
    }

    #[inline]
    fn tier(&self, houses: &Houses) -> usize {
        houses.seeds() as usize
    }

    const TIER_PREDECESSORS: bool = true;

    #[inline]
    fn tier_predecessors(&self, _: usize, houses: &Houses, visit: impl FnMut(Houses)) {
        houses.each_before(self.parameters().grand_slam, visit);
    }

    /// The captures.
    #[inline]
    fn exits(&self, _: usize, houses: &Houses, mut visit: impl FnMut(Houses)) {
        houses.each_move(self.parameters().grand_slam, |next, captures| {
            if captures {
                visit(next);
            }
        });
    }

    #[inline]
    fn tier_degree(&self, _: usize, houses: &Houses) -> Option<u64> {
        Some(houses.quiet_moves(self.parameters().grand_slam))
    }
}

/// All positions with so many seeds have indices, whether play reaches them or not.
impl TierIndexed for Awari {
    fn tier_len(&self, tier: usize) -> u64 {
        ranking::len(tier)
    }

    #[inline]
    fn tier_index(&self, tier: usize, houses: &Houses) -> u64 {
        ranking::rank(tier, *houses)
    }

    #[inline]
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Houses> {
        Some(ranking::unrank(tier, index))
    }

    #[inline]
    fn tier_states(&self, tier: usize, indices: Range<u64>, visit: impl FnMut(u64, Houses)) {
        ranking::each(tier, indices, visit);
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    /// A move stays in its tier unless it captures. Turns alternate: the first player stands
    /// for whoever moves.
    #[inline]
    fn tier_successor_indices(
        &self,
        tier: usize,
        houses: &Houses,
        visitor: &mut impl VisitSuccessors<Houses>,
    ) {
        houses.each_move(self.parameters().grand_slam, |next, captures| match captures {
            true => visitor.leave(next),
            false => visitor.stay(ranking::rank(tier, next), Player::Second),
        });
    }
}
