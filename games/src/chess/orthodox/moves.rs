//! The moves: steps, which stay in an ending, and captures and promotions, which leave it.

use super::board::{self, ALONE};
use super::ending::Ending;
use super::legality::Dangers;
use super::material::{Kind, MOST_MEN};
use super::position::{Move, NOBODY, Position, Squares};

/// Where each man can step.
pub(super) type Steps = [u64; MOST_MEN];

pub(super) const PROMOTED: [Option<Kind>; 4] = {
    let [queen, rook, bishop, knight] = Kind::PROMOTIONS;
    [Some(queen), Some(rook), Some(bishop), Some(knight)]
};

/// Whether a square is on the rank where the pawns of a side have one step left.
#[inline(always)]
pub(super) fn is_before_promotion(square: u8, side: usize) -> bool {
    square / 8 == [6, 1][side]
}

/// How many squares there are in all sets.
#[inline(always)]
fn count(steps: &Steps) -> u64 {
    steps.iter().map(|set| u64::from(set.count_ones())).sum()
}

impl Ending {
    /// Where the men of the side to move can step: legally, and without a capture or promotion.
    #[inline(always)]
    pub(super) fn steps(&self, squares: Squares, side: usize) -> Steps {
        let dangers = Dangers::of(self, squares, side);
        let (mut steps, mut captures) = ([0; MOST_MEN], [0; MOST_MEN]);
        self.find_steps(squares, side, &dangers, &mut steps, &mut captures);
        steps
    }

    /// Enters where the men of the side to move can step, and which men each attacks, whether or
    /// not that leaves their king safe. Returns all attacked men.
    #[inline(always)]
    pub(super) fn find_steps(
        &self,
        squares: Squares,
        side: usize,
        dangers: &Dangers,
        steps: &mut Steps,
        captures: &mut Steps,
    ) -> u64 {
        let (free, targets) = (!squares.occupied(), self.targets(squares, side));
        let reached = board::KING.of(squares.of(side)) & dangers.safe();
        (steps[side], captures[side]) = (reached & free, reached & targets);
        let mut attacked = reached & targets;
        for slot in self.sides[side].iter().skip(1) {
            let (square, reach) = (squares.of(slot), &self.reach[slot]);
            let hidden = squares.hidden_from(square);
            steps[slot] = reach.steps.of(square) & !hidden & free & dangers.allowed_steps(square);
            captures[slot] = reach.attacks.of(square) & !hidden & targets;
            attacked |= captures[slot];
        }
        attacked
    }

    /// To how many positions of the ending the moves lead, where those that are reflections of each
    /// other are one.
    #[inline(always)]
    pub(super) fn tier_degree(&self, position: Position) -> u64 {
        let (squares, side) = (position.squares(), position.side());
        let mut steps = self.steps(squares, side);
        self.drop_twins(squares, side, &mut steps);
        count(&steps)
    }

    /// The position after a step to a free square; the way back is the same with the other side to
    /// move. It is still to be settled, and has no capture en passant.
    #[inline(always)]
    pub(super) fn stepped(position: Position, slot: usize, to: u8) -> Position {
        position.passed().with_squares(position.squares().with(slot, to))
    }

    /// Visits each step and the position after it, which is settled.
    #[inline]
    pub(super) fn visit_steps(&self, position: Position, mut visit: impl FnMut(Move, Position)) {
        let (squares, side) = (position.squares(), position.side());
        let steps = self.steps(squares, side);
        for slot in self.sides[side].iter() {
            for to in board::squares(steps[slot]) {
                let next = Ending::stepped(position, slot, to);
                let from = squares.of(slot);
                let next = match self.has_en_passant && self.is_double_step(slot, from, to) {
                    true => self.with_right(next, (from + to) / 2),
                    false => next,
                };
                let step = Move { slot, to, captured: NOBODY, promoted: None };
                visit(step, self.settled(next));
            }
        }
    }

    /// Whether a step is a pawn's double step.
    #[inline]
    pub(super) fn is_double_step(&self, slot: usize, from: u8, to: u8) -> bool {
        self.kinds[slot] == Kind::Pawn && from.abs_diff(to) == 16
    }

    /// Visits each move that leaves the ending and the position after it, which is still to be
    /// settled in the ending that it belongs to.
    #[inline(always)]
    pub(super) fn visit_leaving(&self, position: Position, mut visit: impl FnMut(Move, Position)) {
        let (squares, side) = (position.squares(), position.side());
        let targets = self.targets(squares, side);
        // Most positions have no such move, which is seen quickly.
        let mut captures = [0; MOST_MEN];
        let mut any = self.has_pawns && self.may_promote(squares, side);
        for slot in self.sides[side].iter() {
            let square = squares.of(slot);
            let reached = self.reach[slot].attacks.of(square) & targets;
            if reached != 0 {
                captures[slot] = reached & !squares.hidden_from(square);
                any |= captures[slot] != 0;
            }
        }
        if any {
            let dangers = Dangers::of(self, squares, side);
            self.visit_exits(position, &captures, &dangers, &mut visit);
        }
        if position.en_passant() != 0 {
            self.visit_en_passant(position, visit);
        }
    }

    /// The squares of the men that a side could capture.
    #[inline(always)]
    pub(super) fn targets(&self, squares: Squares, side: usize) -> u64 {
        let others = self.sides[1 - side].iter().skip(1);
        others.fold(0, |targets, slot| targets | ALONE.of(squares.of(slot)))
    }

    /// Visits the promotions, and these captures if they leave the king safe, each with the
    /// position that it leads to.
    #[inline(always)]
    pub(super) fn visit_exits(
        &self,
        position: Position,
        captures: &Steps,
        dangers: &Dangers,
        visit: &mut impl FnMut(Move, Position),
    ) {
        let (squares, side) = (position.squares(), position.side());
        let occupied = squares.occupied();
        for slot in self.sides[side].iter() {
            let square = squares.of(slot);
            let allowed = match slot == side {
                true => dangers.safe(),
                false => dangers.allowed_captures(square),
            };
            let promotes = self.kinds[slot] == Kind::Pawn && is_before_promotion(square, side);
            for to in board::squares(captures[slot] & allowed) {
                let captured = self.man_on(squares, to);
                let capture = Move { slot, to, captured, promoted: None };
                self.visit_changes(position, capture, promotes, visit);
            }
            if promotes {
                let to = if side == 0 { square + 8 } else { square - 8 };
                if ALONE.of(to) & !occupied & dangers.allowed_steps(square) != 0 {
                    let step = Move { slot, to, captured: NOBODY, promoted: None };
                    self.visit_changes(position, step, true, visit);
                }
            }
        }
    }

    /// Whether a pawn of the side to move has one step left.
    pub(super) fn may_promote(&self, squares: Squares, side: usize) -> bool {
        self.pawns[side].iter().any(|slot| is_before_promotion(squares.of(slot), side))
    }

    /// The man of either side on an occupied square; [`NOBODY`] on a free one.
    pub(super) fn man_on(&self, squares: Squares, square: u8) -> usize {
        (0..self.men).find(|&slot| squares.of(slot) == square).unwrap_or(NOBODY)
    }

    /// Visits a capture or promotion, or where the man is promoted, each that there is.
    #[inline]
    fn visit_changes(
        &self,
        position: Position,
        change: Move,
        promotes: bool,
        visit: &mut impl FnMut(Move, Position),
    ) {
        let kinds: &[Option<Kind>] = if promotes { &PROMOTED } else { &[None] };
        for &promoted in kinds {
            let change = Move { promoted, ..change };
            if let Some(next) = self.leave(position, change) {
                visit(change, next);
            }
        }
    }

    /// Whether the side to move is in check.
    pub(super) fn is_check(&self, position: Position) -> bool {
        Dangers::of(self, position.squares(), position.side()).is_check()
    }
}
