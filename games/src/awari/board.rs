//! The houses and the seeds in them, sowing, and sowing back.
//!
//! A position is one number: five bits a house, those of both players in turns. Then one addition
//! sows, one subtraction sows back, and one multiplication sums up all houses.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::GrandSlam;

/// The most seeds on the board: as many as five bits count, since a house may have all of them.
pub(super) const MOST_SEEDS: u32 = 31;

/// How many houses each player has.
pub(super) const HOUSES: usize = 6;

/// How many bits a house takes.
pub(super) const BITS: u32 = 5;

/// How many numbers of seeds a house may have.
pub(super) const COUNTS: usize = 1 << BITS;

/// The bits of a house, or the greatest number of seeds in it.
pub(super) const MASK: u64 = COUNTS as u64 - 1;

/// The bits of all houses.
const ALL: u64 = (1 << (2 * HOUSES as u32 * BITS)) - 1;

/// A seed in each house.
const ONES: u64 = ALL / MASK;

/// The bits of the houses of the player to move.
const OWN: u64 = ALL / ((1 << (2 * BITS)) - 1) * MASK;

/// The bits of the other player's houses.
const OTHER: u64 = OWN << BITS;

/// The addend that overflows each house of the player to move with enough seeds to reach the other player.
const REACH: u64 = {
    let (mut sum, mut house) = (0, 0);
    while house < HOUSES {
        let enough = (HOUSES - house) as u64;
        sum += (COUNTS as u64 - enough) << shift(house);
        house += 1;
    }
    sum
};

/// Where no house is: the bits there are 0.
const NOWHERE: u8 = (2 * HOUSES as u32 * BITS) as u8;

/// Where a house is among the bits: 0 to 5 are those of the player to move, 6 to 11 the other's.
const fn shift(house: usize) -> u32 {
    BITS * (2 * (house % HOUSES) + house / HOUSES) as u32
}

/// The effect of sowing, by the house and the number of seeds in it.
struct Sowing {
    /// The addend of the houses.
    change: [[u64; COUNTS]; HOUSES],
    /// Where the last seed falls.
    last: [[u8; COUNTS]; HOUSES],
    /// Where the last seed falls if that is a house of the other player, and otherwise [`NOWHERE`].
    target: [[u8; COUNTS]; HOUSES],
}

static SOWING: Sowing = {
    let mut change = [[0; COUNTS]; HOUSES];
    let (mut last, mut target) = ([[NOWHERE; COUNTS]; HOUSES], [[NOWHERE; COUNTS]; HOUSES]);
    let mut house = 0;
    while house < HOUSES {
        let (mut at, mut sown, mut seeds) = (house, 0_u64, 1);
        while seeds < COUNTS {
            at = (at + 1) % (2 * HOUSES);
            if at == house {
                at = (at + 1) % (2 * HOUSES);
            }
            sown += 1 << shift(at);
            change[house][seeds] = sown.wrapping_sub((seeds as u64) << shift(house));
            last[house][seeds] = shift(at) as u8;
            if at >= HOUSES {
                target[house][seeds] = shift(at) as u8;
            }
            seeds += 1;
        }
        house += 1;
    }
    Sowing { change, last, target }
};

/// The seeds in the twelve houses, as the player to move sees them.
///
/// Sowing goes from the player's first house to the last, then on to the other player's first. After
/// a move the other player sees the houses, so that the two halves change places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "[[u8; HOUSES]; 2]", into = "[[u8; HOUSES]; 2]")]
pub struct Houses(pub(super) u64);

impl Houses {
    /// The board without seeds.
    pub(super) const EMPTY: Houses = Houses(0);

    /// The houses with these seeds: those of the player to move, and those of the other player. Each
    /// player's first house is the one whose seeds have the longest way to the other side.
    ///
    /// `None` if there are more than 31 seeds.
    #[must_use]
    pub fn new(seeds: [[u8; HOUSES]; 2]) -> Option<Houses> {
        let all = seeds.as_flattened();
        if all.iter().map(|&seeds| u32::from(seeds)).sum::<u32>() > MOST_SEEDS {
            return None;
        }
        let bits = all.iter().enumerate().map(|(house, &seeds)| u64::from(seeds) << shift(house));
        Some(Houses(bits.sum()))
    }

    /// The seeds in the houses of the player to move and of the other player.
    #[must_use]
    pub fn counts(self) -> [[u8; HOUSES]; 2] {
        [0, HOUSES].map(|first| std::array::from_fn(|house| self.of(first + house) as u8))
    }

    /// How many seeds are on the board.
    #[inline]
    #[must_use]
    pub fn seeds(self) -> u32 {
        (self.sums() >> (BITS * (2 * HOUSES as u32 - 1)) & MASK) as u32
    }

    /// The number that has, in the place of each house, the seeds in it and in the houses of the
    /// lower bits. No sum is too large for its place.
    #[inline]
    pub(super) fn sums(self) -> u64 {
        self.0.wrapping_mul(ONES) & ALL
    }

    /// The houses of these [sums](Houses::sums).
    #[inline]
    pub(super) fn of_sums(sums: u64) -> Houses {
        Houses(sums.wrapping_sub(sums << BITS) & ALL)
    }

    /// The seeds in a house.
    #[inline]
    pub(super) fn of(self, house: usize) -> u32 {
        (self.0 >> shift(house) & MASK) as u32
    }

    /// Whether the player to move has no seeds.
    #[inline]
    pub(super) fn own_are_empty(self) -> bool {
        self.0 & OWN == 0
    }

    /// Whether the other player has no seeds.
    #[inline]
    pub(super) fn others_are_empty(self) -> bool {
        self.0 & OTHER == 0
    }

    /// Whether some house has enough seeds to reach the other player, who has none.
    #[inline]
    pub(super) fn can_feed(self) -> bool {
        // The bits of the other player's houses are free for the overflow.
        (self.0 + REACH) & OTHER != 0
    }

    /// The houses as the other player sees them.
    #[inline]
    fn turned(self) -> Houses {
        Houses((self.0 & OWN) << BITS | self.0 >> BITS & OWN)
    }

    /// The houses after seeds are captured: those with 2 or 3 of the other player's, from `target`
    /// backwards.
    #[inline]
    fn captured(self, mut target: u8) -> Houses {
        let mut left = self.0;
        while has_two_or_three(left, target) {
            left &= !(MASK << target);
            target = target.checked_sub(2 * BITS as u8).unwrap_or(NOWHERE);
        }
        Houses(left)
    }

    /// Visits the position after each legal move, as the next player sees it, and whether the move
    /// has captured seeds. No two positions are the same: a move empties its house, which no
    /// other move does.
    #[inline]
    pub(super) fn each_move(self, grand_slam: GrandSlam, mut visit: impl FnMut(Houses, bool)) {
        let feeds = self.others_are_empty();
        // The houses whose grand slams are legal only without another move, and whether there was one.
        let (mut held_back, mut has_moved) = (0_u8, false);
        for house in 0..HOUSES {
            let seeds = self.of(house) as usize;
            if seeds == 0 || feeds && house + seeds < HOUSES {
                continue;
            }
            let (mut next, target) = self.sown(house, seeds);
            let mut captures = has_two_or_three(next.0, target);
            if captures {
                let captured = next.captured(target);
                if !captured.others_are_empty() || grand_slam == GrandSlam::Captures {
                    next = captured;
                } else if grand_slam == GrandSlam::Illegal {
                    held_back |= 1 << house;
                    continue;
                } else {
                    captures = false;
                }
            }
            has_moved = true;
            visit(next.turned(), captures);
        }
        if has_moved {
            return;
        }
        for house in (0..HOUSES).filter(|house| held_back >> house & 1 == 1) {
            let (next, target) = self.sown(house, self.of(house) as usize);
            visit(next.captured(target).turned(), true);
        }
    }

    /// The number of legal moves that capture nothing.
    #[inline]
    pub(super) fn quiet_moves(self, grand_slam: GrandSlam) -> u64 {
        let mut quiet = 0;
        if grand_slam == GrandSlam::CapturesNothing {
            self.each_move(grand_slam, |_, captures| quiet += u64::from(!captures));
            return quiet;
        }
        // If moves that capture are counted nowhere, it makes no difference which are legal.
        let feeds = self.others_are_empty();
        for house in 0..HOUSES {
            let seeds = self.of(house) as usize;
            let (next, target) = self.sown(house, seeds);
            let is_move = seeds > 0 && !(feeds && house + seeds < HOUSES);
            quiet += u64::from(is_move & !has_two_or_three(next.0, target));
        }
        quiet
    }

    /// Visits each position from which a legal move that captures nothing leads to this one.
    ///
    /// No two of them are the same. The house that was sown is empty now. Before the move it had the
    /// seeds that were sown, and the other empty houses of that player were empty, too.
    #[inline]
    pub(super) fn each_before(self, grand_slam: GrandSlam, mut visit: impl FnMut(Houses)) {
        let now = self.turned();
        // A move gives the other player seeds or leaves some.
        if now.others_are_empty() {
            return;
        }
        for house in 0..HOUSES {
            if now.of(house) > 0 {
                continue;
            }
            let mut before = now;
            for seeds in 1..COUNTS {
                if before.0 >> SOWING.last[house][seeds] & MASK == 0 {
                    break;
                }
                before = Houses(now.0.wrapping_sub(SOWING.change[house][seeds]));
                let target = SOWING.target[house][seeds];
                if !has_two_or_three(now.0, target)
                    || grand_slam == GrandSlam::CapturesNothing
                        && now.captured(target).others_are_empty()
                {
                    visit(before);
                }
            }
        }
    }

    /// The houses after the seeds of one are sown, as the same player sees them, and the other
    /// player's house with the last seed, or [`NOWHERE`].
    #[inline]
    fn sown(self, house: usize, seeds: usize) -> (Houses, u8) {
        let next = self.0.wrapping_add(SOWING.change[house][seeds]);
        (Houses(next), SOWING.target[house][seeds])
    }

    /// The house that a move to `next` sows, if there is such a move.
    pub(super) fn house_sown(self, grand_slam: GrandSlam, next: Houses) -> Option<usize> {
        let mut is_legal = false;
        self.each_move(grand_slam, |after, _| is_legal |= after == next);
        let leads_there = |&house: &usize| {
            let (sown, target) = self.sown(house, self.of(house) as usize);
            [sown, sown.captured(target)].iter().any(|after| after.turned() == next)
        };
        (0..HOUSES).filter(|_| is_legal).find(leads_there)
    }
}

/// Whether this house has 2 or 3 seeds.
#[inline]
fn has_two_or_three(houses: u64, at: u8) -> bool {
    houses >> at & (MASK - 1) == 2
}

impl fmt::Debug for Houses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.counts())
    }
}

impl From<Houses> for [[u8; HOUSES]; 2] {
    fn from(houses: Houses) -> Self {
        houses.counts()
    }
}

impl TryFrom<[[u8; HOUSES]; 2]> for Houses {
    type Error = String;

    fn try_from(seeds: [[u8; HOUSES]; 2]) -> Result<Houses, String> {
        Houses::new(seeds).ok_or_else(|| format!("more than {MOST_SEEDS} seeds: {seeds:?}"))
    }
}
