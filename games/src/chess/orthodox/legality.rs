//! Checks and pins: which positions are legal, and which steps leave a king safe.

use super::board::{ALONE, BETWEEN, KING, NOWHERE, SHADOW};
use super::ending::Ending;
use super::material::{Kind, MOST_MEN};
use super::position::{NOBODY, Position, Squares};

impl Squares {
    /// The squares behind any man, seen from a square.
    #[inline(always)]
    pub(super) fn hidden_from(self, square: u8) -> u64 {
        self.all().into_iter().fold(0, |hidden, man| hidden | SHADOW.of(square, man))
    }

    /// The squares behind any man but one, seen from a square.
    #[inline(always)]
    fn hidden_without(self, square: u8, slot: usize) -> u64 {
        self.with(slot, NOWHERE).hidden_from(square)
    }
}

/// The dangers to a king.
pub(super) struct Dangers {
    /// The squares that the other side attacks, or would if the king were not in the way.
    attacked: u64,
    /// Where a man that steps leaves or brings the king out of check: everywhere without a check,
    /// between the king and the man that gives it, nowhere in double check.
    shielding: u64,
    /// Which men can be captured so that the king is not in check.
    capturable: u64,
    /// The men that are pinned.
    pinned: u64,
    king: u8,
}

impl Dangers {
    /// The dangers to the king of a side.
    #[inline(always)]
    pub(super) fn of(ending: &Ending, squares: Squares, side: usize) -> Dangers {
        let king = squares.of(side);
        let occupied = squares.occupied();
        let (mut attacked, mut pinned) = (0, 0);
        let (mut shielding, mut capturable) = (u64::MAX, u64::MAX);
        for slot in ending.sides[1 - side].iter() {
            let square = squares.of(slot);
            let reached = ending.reach[slot].attacks.of(square);
            attacked |= reached & !squares.hidden_without(square, side);
            if reached & ALONE.of(king) != 0 {
                let line = BETWEEN.of(square, king);
                let between = line & occupied;
                if between == 0 {
                    shielding &= line;
                    capturable &= ALONE.of(square);
                } else if between & (between - 1) == 0 {
                    pinned |= between;
                }
            }
        }
        Dangers { attacked, shielding, capturable, pinned, king }
    }

    /// Where the man on a square, not the king, may step as far as its king is concerned.
    #[inline(always)]
    pub(super) fn allowed_steps(&self, square: u8) -> u64 {
        self.shielding & self.line_of_pin(square)
    }

    /// Which squares the man on a square, not the king, may capture on, as far as its king is
    /// concerned.
    #[inline(always)]
    pub(super) fn allowed_captures(&self, square: u8) -> u64 {
        self.capturable & self.line_of_pin(square)
    }

    /// Where the king is not attacked.
    #[inline(always)]
    pub(super) fn safe(&self) -> u64 {
        !self.attacked
    }

    /// Whether the king is in check.
    #[inline(always)]
    pub(super) fn is_check(&self) -> bool {
        self.capturable != u64::MAX
    }

    /// All squares, or for a pinned man the squares on its line from the king.
    #[inline(always)]
    fn line_of_pin(&self, square: u8) -> u64 {
        if self.pinned & ALONE.of(square) == 0 {
            return u64::MAX;
        }
        BETWEEN.of(self.king, square) | SHADOW.of(self.king, square)
    }
}

impl Ending {
    /// Whether a man attacks a square across a board occupied like this.
    #[inline(always)]
    fn attacks(&self, slot: usize, from: u8, target: u8, occupied: u64) -> bool {
        self.reach[slot].attacks.of(from) & ALONE.of(target) != 0
            && BETWEEN.of(from, target) & occupied == 0
    }

    /// Whether a side attacks the king of the other, on a board that is occupied like this and on
    /// which one of its men, or nobody, is not there.
    #[inline(always)]
    pub(super) fn gives_check(
        &self,
        squares: Squares,
        side: usize,
        occupied: u64,
        gone: usize,
    ) -> bool {
        let king = squares.of(1 - side);
        let others = self.sides[side].iter().skip(1).filter(|&slot| slot != gone);
        others.into_iter().any(|slot| self.attacks(slot, squares.of(slot), king, occupied))
    }

    /// Whether a position is legal: no two men on one square, and the king of the side that is not
    /// to move is not in check. The kings do not touch.
    #[inline(always)]
    pub(super) fn is_legal(&self, squares: Squares, side: usize) -> bool {
        let [_, _, men @ ..] = squares.all();
        let mut occupied = ALONE.of(squares.of(0)) | ALONE.of(squares.of(1));
        let mut twice = 0;
        for man in men {
            twice |= occupied & ALONE.of(man);
            occupied |= ALONE.of(man);
        }
        twice == 0 && !self.gives_check(squares, side, occupied, NOBODY)
    }

    /// Whether any bits are a legal position of the ending, written as it is always written.
    pub(super) fn has(&self, position: Position) -> bool {
        let (squares, side, target) = (position.squares(), position.side(), position.en_passant());
        let stands = |slot: usize| match (squares.of(slot), self.kinds.get(slot)) {
            (square, None) => square == NOWHERE,
            (square, Some(Kind::Pawn)) => (8..56).contains(&square),
            (square, Some(_)) => square < NOWHERE,
        };
        if !(0..MOST_MEN).all(stands) {
            return false;
        }
        let [one, other] = [squares.of(0), squares.of(1)];
        let touch = one == other || KING.of(one) & ALONE.of(other) != 0;
        let without = position.with_en_passant(0);
        let has_right = || {
            (16..48).contains(&target) && self.with_claimed_right(without, target) == Some(position)
        };
        !touch
            && self.is_legal(squares, side)
            && self.settled(without) == without
            && (target == 0 || has_right())
    }
}
