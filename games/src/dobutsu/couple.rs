//! Two pieces of a kind: on the board or in the hands, each of either player.
//!
//! The place of both is an index below a few hundred. On the board they are on slots: the squares
//! that are left for them, counted from 0. The type of a piece is its owner and, for a chick,
//! whether it is promoted. The first three indices have both pieces in hand. The others follow by
//! the highest slot with a piece. The other piece is in a hand or on a lower slot. So an index does
//! not depend on the number of slots.

use std::hint::select_unpredictable;

/// Where two pieces of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Couple {
    /// How many are on the board.
    pub(super) on_board: u32,
    /// How many the player to move has in hand.
    pub(super) in_hand: u32,
    /// The slots and types of the pieces on the board, from the lowest slot; both the same for one
    /// piece.
    pub(super) places: [(u32, u32); 2],
}

impl Couple {
    /// How many ways there are on this many slots, for pieces of this many types.
    pub(super) const fn ways(slots: u32, types: u32) -> u32 {
        // The highest piece on each slot, with the other in either hand or on a lower slot.
        3 + types * types / 2 * slots * slots + (2 * types - types * types / 2) * slots
    }

    /// The index of this way. Branches would be mispredicted, so there are none.
    #[inline(always)]
    pub(super) fn index(self, types: u32) -> u32 {
        let [(low, low_type), (high, high_type)] = self.places;
        let alone = 2 * high_type + self.in_hand;
        let together = 2 * types + (low * types + low_type) * types + high_type;
        let rest = select_unpredictable(self.on_board == 2, together, alone);
        let standing = Couple::ways(high, types) + rest;
        select_unpredictable(self.on_board == 0, self.in_hand, standing)
    }

    /// The way of this index.
    pub(super) const fn of_index(index: u32, types: u32) -> Couple {
        if index < 3 {
            return Couple { on_board: 0, in_hand: index, places: [(0, 0); 2] };
        }
        let mut high = 0;
        while Couple::ways(high + 1, types) <= index {
            high += 1;
        }
        let rest = index - Couple::ways(high, types);
        if rest < 2 * types {
            let place = (high, rest / 2);
            return Couple { on_board: 1, in_hand: rest % 2, places: [place; 2] };
        }
        let rest = rest - 2 * types;
        let low = (rest / types / types, rest / types % types);
        Couple { on_board: 2, in_hand: 0, places: [low, (high, rest % types)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_one_index() {
        for (types, slots, ways) in [(2, 10, 223), (2, 6, 87), (4, 10, 803), (4, 6, 291)] {
            assert_eq!(Couple::ways(slots, types), ways);
            for index in 0..ways {
                let couple = Couple::of_index(index, types);
                assert_eq!(couple.index(types), index);
                assert!(couple.places.iter().all(|&(slot, kind)| slot < slots && kind < types));
                assert!(couple.on_board + couple.in_hand <= 2);
                let [(low, _), (high, _)] = couple.places;
                assert_eq!(couple.on_board == 2, low < high);
            }
        }
    }
}
