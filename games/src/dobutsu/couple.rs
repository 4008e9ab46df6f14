//! Two pieces of a kind: on the board or in the hands, each of either player.
//!
//! Where they are is a number below a few hundred. On the board they stand on slots, which are the
//! squares that are left for them, numbered from 0, and each is of one of some types: whose it is,
//! and for a chick, whether it is promoted. First come the three ways for both to be in hand, then,
//! slot by slot, what has no piece beyond that slot and one on it: it alone, or with the other on
//! a slot below. So the number does not depend on how many slots there are.

use std::hint::select_unpredictable;

/// Where two pieces of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Couple {
    /// How many are on the board.
    pub(super) on_board: u32,
    /// How many the player to move has in hand.
    pub(super) in_hand: u32,
    /// The slots and types of those on the board, from the lowest slot; for one, both the same.
    pub(super) places: [(u32, u32); 2],
}

impl Couple {
    /// How many ways there are on so many slots, for pieces of so many types.
    pub(super) const fn ways(slots: u32, types: u32) -> u32 {
        // On each slot alone, the other in either hand; or with another on one of those below.
        3 + types * types / 2 * slots * slots + (2 * types - types * types / 2) * slots
    }

    /// The number of this way. Nothing in here is easily foretold, so nothing branches.
    #[inline(always)]
    pub(super) fn number(self, types: u32) -> u32 {
        let [(low, low_type), (high, high_type)] = self.places;
        let alone = 2 * high_type + self.in_hand;
        let together = 2 * types + (low * types + low_type) * types + high_type;
        let rest = select_unpredictable(self.on_board == 2, together, alone);
        let standing = Couple::ways(high, types) + rest;
        select_unpredictable(self.on_board == 0, self.in_hand, standing)
    }

    /// The way of this number.
    pub(super) const fn of_number(number: u32, types: u32) -> Couple {
        if number < 3 {
            return Couple { on_board: 0, in_hand: number, places: [(0, 0); 2] };
        }
        let mut high = 0;
        while Couple::ways(high + 1, types) <= number {
            high += 1;
        }
        let rest = number - Couple::ways(high, types);
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
    fn every_way_has_one_number() {
        for (types, slots, ways) in [(2, 10, 223), (2, 6, 87), (4, 10, 803), (4, 6, 291)] {
            assert_eq!(Couple::ways(slots, types), ways);
            for number in 0..ways {
                let couple = Couple::of_number(number, types);
                assert_eq!(couple.number(types), number);
                assert!(couple.places.iter().all(|&(slot, kind)| slot < slots && kind < types));
                assert!(couple.on_board + couple.in_hand <= 2);
                let [(low, _), (high, _)] = couple.places;
                assert_eq!(couple.on_board == 2, low < high);
            }
        }
    }
}
