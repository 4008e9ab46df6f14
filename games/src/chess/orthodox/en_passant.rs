//! Captures en passant: which positions have the right, and their indices.
//!
//! The right is part of a position only where such a capture is legal.

use super::board::{ALONE, PAWN_ATTACKS};
use super::ending::Ending;
use super::material::MOST_MEN;
use super::moves::Steps;
use super::position::{Move, Position, Squares};

/// The square behind another, as the pawns of a side go.
fn behind(square: u8, side: usize) -> u8 {
    if side == 0 { square - 8 } else { square + 8 }
}

impl Ending {
    /// The pawn of the side that has moved which can be captured on a square behind it.
    fn pawn_behind(&self, squares: Squares, side: usize, target: u8) -> Option<usize> {
        let square = behind(target, side);
        self.pawns[1 - side].iter().find(|&slot| squares.of(slot) == square)
    }

    /// The pawns of the side to move that attack a square.
    fn capturers(
        &self,
        squares: Squares,
        side: usize,
        target: u8,
    ) -> impl Iterator<Item = usize> + '_ {
        let attackers = PAWN_ATTACKS[1 - side].of(target);
        self.pawns[side].iter().filter(move |&slot| ALONE.of(squares.of(slot)) & attackers != 0)
    }

    /// Whether it is legal to capture a pawn on a square behind it.
    fn is_capture_legal(
        &self,
        squares: Squares,
        side: usize,
        (pawn, to): (usize, u8),
        captured: usize,
    ) -> bool {
        let after = squares.with(pawn, to);
        let occupied = after.with(captured, super::board::NOWHERE).occupied();
        !self.gives_check(after, 1 - side, occupied, captured)
    }

    /// Whether the side to move can legally capture en passant on a square, the pawn in front of
    /// which has just made a double step.
    fn has_right(&self, position: Position, target: u8) -> bool {
        let (squares, side) = (position.squares(), position.side());
        let Some(captured) = self.pawn_behind(squares, side, target) else { return false };
        self.capturers(squares, side, target)
            .any(|pawn| self.is_capture_legal(squares, side, (pawn, target), captured))
    }

    /// The position with the right to capture on a square, if that is legal.
    pub(super) fn with_right(&self, position: Position, target: u8) -> Position {
        if self.has_right(position, target) { position.with_en_passant(target) } else { position }
    }

    /// The position with the right to capture on a square if that is legal; `None` if no pawn can
    /// have made a double step there.
    pub(super) fn with_claimed_right(&self, position: Position, target: u8) -> Option<Position> {
        let (squares, side) = (position.squares(), position.side());
        let is_on_rank = target / 8 == [5, 2][side];
        let was_free =
            || (ALONE.of(target) | ALONE.of(behind(target, 1 - side))) & squares.occupied() == 0;
        let is_possible =
            is_on_rank && was_free() && self.pawn_behind(squares, side, target).is_some();
        is_possible.then(|| self.with_right(position, target))
    }

    /// Visits each capture en passant and what becomes of a position by it.
    pub(super) fn visit_en_passant(
        &self,
        position: Position,
        mut visit: impl FnMut(Move, Position),
    ) {
        let (squares, side, target) = (position.squares(), position.side(), position.en_passant());
        let Some(captured) = self.pawn_behind(squares, side, target) else { return };
        self.capturers(squares, side, target)
            .filter(|&pawn| self.is_capture_legal(squares, side, (pawn, target), captured))
            .map(|slot| Move { slot, to: target, captured, promoted: None })
            .filter_map(|capture| Some((capture, self.leave(position, capture)?)))
            .for_each(|(capture, next)| visit(capture, next));
    }

    /// Retains the backward steps that agree with the right to capture en passant: with the right,
    /// the double step of the pawn; without, the steps that would not have given one.
    #[inline(never)]
    pub(super) fn retain_rights(&self, position: Position, steps: &mut Steps) {
        let (squares, side) = (position.squares(), position.side());
        let claimed = position.en_passant();
        if claimed != 0 {
            let pawn = self.pawn_behind(squares, side, claimed);
            let mut retained = [0; MOST_MEN];
            if let Some(pawn) = pawn {
                retained[pawn] = steps[pawn] & ALONE.of(behind(claimed, 1 - side));
            }
            *steps = retained;
            return;
        }
        for pawn in self.pawns[1 - side].iter() {
            let square = squares.of(pawn);
            if square / 8 == [4, 3][side] {
                let target = behind(square, 1 - side);
                if self.has_right(position, target) {
                    steps[pawn] &= !ALONE.of(behind(target, 1 - side));
                }
            }
        }
    }

    /// Visits the same position with each right to capture en passant that there can be.
    #[inline(never)]
    pub(super) fn visit_rights(&self, position: Position, mut visit: impl FnMut(Position)) {
        let (squares, side) = (position.squares(), position.side());
        for pawn in self.pawns[1 - side].iter() {
            let square = squares.of(pawn);
            if square / 8 == [4, 3][side] {
                let target = behind(square, 1 - side);
                if let Some(with_right) = self.with_claimed_right(position, target)
                    && with_right.en_passant() != 0
                {
                    visit(with_right);
                }
            }
        }
    }

    /// The index of a position with a capture en passant: behind all others, by the file of the
    /// pawn and whether the one that captures is to its right, the kings, the side to move, and
    /// the square of a man beyond these four.
    #[cold]
    pub(super) fn index_with_en_passant(&self, position: Position) -> u64 {
        let side = position.side();
        let (reflection, pair) = self.numbering.pair_of_kings(position.squares().kings());
        let squares = position.squares().reflected(reflection);
        let target = reflection.image(position.en_passant());
        let square = behind(target, side);
        let stands = |slot: &usize, square: u8| squares.of(*slot) == square;
        let captured = self.pawns[1 - side].iter().find(|slot| stands(slot, square));
        let to_left = |slot: &usize| target % 8 > 0 && stands(slot, square - 1);
        let left = self.pawns[side].iter().find(to_left);
        let right = || self.pawns[side].iter().find(|slot| stands(slot, square + 1));
        let capturer = left.or_else(right);
        let config = u64::from(target % 8) * 2 + u64::from(left.is_none());
        let rest = (2..self.men).find(|&slot| Some(slot) != captured && Some(slot) != capturer);
        let numbering = &self.numbering;
        let above = numbering.pair_and_side(config * numbering.pairs() + pair, side);
        let offset = match rest {
            Some(slot) => above << 6 | u64::from(squares.of(slot)),
            None => above,
        };
        numbering.quiet + offset
    }

    /// The position with a capture en passant of an index, or `None` for an unused index.
    #[cold]
    pub(super) fn unindex_with_en_passant(&self, index: u64) -> Option<Position> {
        let offset = index - self.numbering.quiet;
        let has_rest = self.men > 4;
        let (above, rest) = if has_rest { (offset >> 6, offset % 64) } else { (offset, 0) };
        let (squares, side, config) = self.numbering.kings_and_rest(above);
        let mover = usize::from(side);
        let (file, is_right) = ((config / 2) as u8, config % 2 == 1);
        let neighbour = if is_right { (file < 7).then_some(file + 1) } else { file.checked_sub(1) };
        let rank = [4, 3][mover];
        let captured = self.pawns[1 - mover].iter().next()?;
        let capturer = self.pawns[mover].iter().next()?;
        let mut squares =
            squares.with(captured, 8 * rank + file).with(capturer, 8 * rank + neighbour?);
        if let Some(slot) = (2..self.men).find(|&slot| slot != captured && slot != capturer) {
            let is_pawn = self.pawns.iter().any(|pawns| pawns.iter().any(|pawn| pawn == slot));
            if is_pawn && !(8..56).contains(&rest) {
                return None;
            }
            squares = squares.with(slot, rest as u8);
        }
        let squares = self.ordered(squares);
        if !self.is_legal(squares, mover) {
            return None;
        }
        let position = Position::new(squares, self.number, side, false);
        let target = 8 * [5, 2][mover] + file;
        let position = self.with_claimed_right(position, target)?;
        (position.en_passant() != 0 && self.index(position) == index).then_some(position)
    }
}
