//! Counts of men, which name the tiers.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use retrograde::Player;

use super::{FEWEST, Position};

/// How many men each side has on the board and in hand, as the player to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material {
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) own_hand: u32,
    pub(super) other_hand: u32,
}

impl Material {
    #[inline]
    pub(super) fn of(position: &Position) -> Material {
        Material {
            own: position.own.count_ones(),
            other: position.other.count_ones(),
            own_hand: position.own_hand.into(),
            other_hand: position.other_hand.into(),
        }
    }

    pub(super) fn in_hand(self) -> u32 {
        self.own_hand + self.other_hand
    }

    /// Whether the men in hand say who is to move: as long as players can do nothing but place them.
    pub(super) fn fixes_turn(self, sliding: bool) -> bool {
        self.in_hand() > 0 && !sliding
    }

    /// The player to move where the men in hand say so, since White places the first. Elsewhere it may
    /// be either, and this is White.
    pub(super) fn turn(self, sliding: bool) -> Player {
        match self.fixes_turn(sliding) && self.own_hand != self.other_hand {
            true => Player::Second,
            false => Player::First,
        }
    }

    /// Whether the player to move has lost.
    pub(super) fn is_over(self) -> bool {
        self.own + self.own_hand < FEWEST
    }

    /// How many mills each side can have on the board, that of the player to move first, in a game
    /// with this many men each.
    ///
    /// A side that has taken nothing has completed no mill. Where no man was moved yet, a side that has
    /// lost nothing still has every mill that it completed, at least one for each man taken.
    pub(super) fn mills(self, men: u32, sliding: bool) -> [RangeInclusive<u32>; 2] {
        let lost = [self.own + self.own_hand, self.other + self.other_hand].map(|left| men - left);
        [0, 1].map(|side| {
            let (own_lost, taken) = (lost[side], lost[1 - side]);
            let least = if self.fixes_turn(sliding) && own_lost == 0 { taken } else { 0 };
            let most = if taken == 0 { 0 } else { u32::MAX };
            least..=most
        })
    }

    /// The numbers of men on the board and in hand. The player to move comes first.
    pub(super) fn name(self) -> String {
        let Material { own, other, own_hand, other_hand } = self;
        format!("{own}-{other}-{own_hand}-{other_hand}")
    }

    /// The materials of this one's tier. Where men are moved, moves lead to and fro between this and
    /// the material with the sides exchanged. But a player without a man on the board has to place one.
    pub(super) fn sides(self, sliding: bool) -> impl Iterator<Item = Material> + Clone {
        let Material { own, other, own_hand, other_hand } = self;
        let exchanged =
            Material { own: other, other: own, own_hand: other_hand, other_hand: own_hand };
        let has_more = !self.fixes_turn(sliding) && own > 0 && exchanged != self;
        std::iter::once(self).chain(has_more.then_some(exchanged))
    }

    /// The material that represents this one's tier: the side with more men is to move.
    fn of_tier(self, sliding: bool) -> Material {
        self.sides(sliding).max().unwrap_or(self)
    }

    /// The materials that moves lead to, without that of a quiet move on the board. Nothing is
    /// taken where no mill can have been completed.
    pub(super) fn leads_to(self, sliding: bool) -> impl Iterator<Item = Material> {
        let Material { own, other, own_hand, .. } = self;
        let takes = move |men: u32| men >= FEWEST && other > 0;
        let places = own_hand > 0;
        let slides = own_hand == 0 || sliding;
        let ways = [(places, 1, 0), (places && takes(own + 1), 1, 1), (slides && takes(own), 0, 1)];
        let ways = ways.into_iter().filter(|(is_possible, ..)| *is_possible);
        ways.map(move |(_, placed, taken)| self.after(placed, taken))
    }

    /// The material after so many men are placed and taken.
    #[inline]
    pub(super) fn after(self, placed: u32, taken: u32) -> Material {
        let Material { own, other, own_hand, other_hand } = self;
        Material {
            own: other - taken,
            other: own + placed,
            own_hand: other_hand,
            other_hand: own_hand - placed,
        }
    }

    /// The materials that represent the tiers which play can reach from here, in solving order.
    pub(super) fn reached(self, sliding: bool) -> Vec<Material> {
        let mut known = BTreeSet::from([self]);
        let mut open = vec![self];
        while let Some(material) = open.pop() {
            let next = material.sides(sliding).flat_map(|side| side.leads_to(sliding));
            let next = next.filter(|next| !next.is_over()).map(|next| next.of_tier(sliding));
            open.extend(next.filter(|next| known.insert(*next)));
        }
        let mut tiers: Vec<Material> = known.into_iter().collect();
        // Placing takes a man from a hand, and taking without placing one from the board.
        tiers.sort_by_key(|tier| (tier.in_hand(), tier.own + tier.other));
        tiers
    }
}
