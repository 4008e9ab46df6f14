//! The rules: when play is over, the moves, and the way back.

use super::board::{BOARD, BOTTOM, Captive, Hand, Piece, Position, Side, in_every_lane, squares};
use super::steps::{BITS, COLUMN, DOWN, Steps, UP};

/// The squares of the middle column and of the one to the right of it, in every lane.
const MIDDLE: u64 = in_every_lane(0o2222);
const MIDDLE_AND_RIGHT: u64 = in_every_lane(0o6666);

/// The lanes of the pieces that can be dropped, and that of the lion.
const DROPPABLE: u64 = BOARD << Piece::Chick.shift()
    | BOARD << Piece::Elephant.shift()
    | BOARD << Piece::Giraffe.shift();
const LION: u64 = BOARD << Piece::Lion.shift();

impl Position {
    /// Whether the player to move can take the lion.
    #[inline]
    pub(super) fn takes_lion(&self) -> bool {
        let [own, other] = self.sides;
        own.0 & UP.onto[other.lion() as usize] != 0
    }

    /// Whether the other player's lion is on the last row that it wants to reach.
    #[inline]
    pub(super) fn goal_is_reached(&self) -> bool {
        self.sides[1].squares(Piece::Lion) & BOTTOM != 0
    }

    /// Where the pieces are, in every lane, that have to be looked at if mirror images are the
    /// same: everywhere, unless the position is its own. Then what the left half does is the mirror
    /// image of what the right half does.
    #[inline]
    fn half(&self) -> u64 {
        if self.is_symmetric() { MIDDLE_AND_RIGHT } else { in_every_lane(BOARD) }
    }

    #[inline]
    fn is_symmetric(&self) -> bool {
        self.mirrored().sides == self.sides
    }

    /// How many moves there are; of two that are each other's mirror image, because this position
    /// is its own, only one.
    #[inline]
    pub(super) fn count_moves(&self) -> u32 {
        let half = self.half();
        let own = self.sides[0];
        let free = in_every_lane(BOARD & !own.occupied());
        let mut count = 0;
        for piece in squares(own.0 & half) {
            count += (UP.to[piece as usize % BITS] & free & within(half, 1 << piece)).count_ones();
        }
        let empty = (BOARD & !self.occupied() & half).count_ones();
        let droppable = |captive: &&Captive| self.hands[0].count(**captive) > 0;
        count + empty * Captive::ALL.iter().filter(droppable).count() as u32
    }

    /// Visits the position after each move.
    #[inline]
    pub(super) fn visit_moves(&self, mut visit: impl FnMut(Position)) {
        let after = self.turned();
        let [other, mover] = after.sides;
        let [other_hand, hand] = after.hands;
        let free = in_every_lane(BOARD & !mover.occupied());
        for piece in squares(mover.0) {
            let targets = DOWN.to[piece as usize % BITS] & free;
            for target in squares(targets) {
                let moved = Side(mover.0 ^ 1 << piece ^ 1 << target);
                let captured = other.0 & COLUMN[target as usize % BITS];
                visit(Position {
                    sides: [Side(other.0 ^ captured), moved],
                    hands: [other_hand, hand.plus(Side::captive_of(captured))],
                    ..after
                });
            }
        }
        let empty = BOARD & !after.occupied();
        for captive in Captive::ALL.into_iter().filter(|&captive| hand.count(captive) > 0) {
            for square in squares(empty << captive.piece().shift()) {
                visit(Position {
                    sides: [other, Side(mover.0 | 1 << square)],
                    hands: [other_hand, hand.minus(captive.one())],
                    ..after
                });
            }
        }
    }

    /// Whether some move leads here from a position in which play was not over, be that one into
    /// which no move leads.
    #[inline]
    pub(super) fn has_predecessor(&self) -> bool {
        let moved = self.moved_last();
        moved & DROPPABLE != 0 || squares(moved).any(|piece| self.origins(piece) != 0)
    }

    /// The pieces of the other player that can have moved last, if play was not over before. If one
    /// gives check, it has moved; two that give check can't have. A lion on its goal has just
    /// arrived there.
    ///
    /// More pieces on the board can only make it fewer.
    #[inline]
    pub(super) fn moved_last(&self) -> u64 {
        let [own, other] = self.sides;
        last_moved(other, own.lion(), &DOWN)
    }

    /// The pieces that one of those can have been before it stepped onto its square: nothing that gave check.
    #[inline]
    fn origins(&self, piece: u32) -> u64 {
        origins(piece, self.occupied(), self.sides[0].lion(), &DOWN)
    }

    /// Visits every position from which a move leads here and in which play is not over; of two
    /// that are each other's mirror image, because this position is its own, only one.
    #[inline]
    pub(super) fn visit_predecessors(&self, mut visit: impl FnMut(Position)) {
        let half = self.half();
        let here = self.turned();
        let [mover, other] = here.sides;
        let [hand, other_hand] = here.hands;
        let (freed, count) = freed(hand);
        let (occupied, lion) = (here.occupied(), other.lion());
        for piece in squares(last_moved(mover, lion, &UP) & half) {
            let bit = 1 << piece;
            for origin in squares(origins(piece, occupied, lion, &UP) & within(half, bit)) {
                let sides = [Side(mover.0 ^ bit ^ 1 << origin), other];
                visit(Position { sides, ..here });
                for (lane, hand) in &freed[..count] {
                    let other = Side(other.0 | lane & COLUMN[piece as usize % BITS]);
                    visit(Position {
                        sides: [sides[0], other],
                        hands: [*hand, other_hand],
                        ..here
                    });
                }
            }
            if bit & DROPPABLE != 0 {
                let hand = hand.plus(Side::captive_of(bit));
                let sides = [Side(mover.0 ^ bit), other];
                visit(Position { sides, hands: [hand, other_hand], ..here });
            }
        }
    }
}

/// The pieces of `mover`, which move by these steps, that can have moved last, the other's lion
/// being on some square: see [`Position::moved_last`].
#[inline]
fn last_moved(mover: Side, lion: u32, steps: &Steps) -> u64 {
    let checking = mover.0 & steps.onto[lion as usize];
    let arrived = if mover.0 & steps.goal != 0 { LION } else { !0 };
    match checking {
        0 => mover.0 & arrived,
        _ if checking.is_power_of_two() => checking & arrived,
        _ => 0,
    }
}

/// The pieces that a piece can have been before its last step: see [`Position::origins`].
#[inline]
fn origins(piece: u32, occupied: u64, lion: u32, steps: &Steps) -> u64 {
    steps.from[piece as usize % BITS]
        & in_every_lane(BOARD & !occupied)
        & !steps.onto[lion as usize]
}

/// The squares that a piece which stands on some bit may go to or come from, of those in the half
/// that is looked at: the other half is its mirror image only if it stands in the middle.
#[inline]
fn within(half: u64, piece: u64) -> u64 {
    if piece & MIDDLE != 0 { half } else { !0 }
}

/// The pieces that the last move may have captured, each with the hand before it.
#[inline]
fn freed(hand: Hand) -> ([(u64, Hand); 4], usize) {
    let mut freed = [(0, hand); 4];
    let mut count = 0;
    for captive in Captive::ALL.into_iter().filter(|&captive| hand.count(captive) > 0) {
        for &piece in captive.was() {
            freed[count] = (BOARD << piece.shift(), hand.minus(captive.one()));
            count += 1;
        }
    }
    (freed, count)
}
