//! Captures en passant: which positions have the right, and their indices.
//!
//! The right is part of a position only where such a capture is legal.

use super::Fairy;
use super::board::{Set, bit, squares};
use super::ending::Ending;
use super::numbering::{NOWHERE, Squares, are_apart};
use super::play::{self, Move};
use super::position::{self, en_passant, with_en_passant};
use super::safety::Steps;
use crate::chess::Position;

impl Fairy {
    /// The square some ranks ahead of another, as the pawns of a side go.
    fn ahead(&self, square: u8, side: usize, ranks: i8) -> Option<u8> {
        self.setup.board.offset(square, (0, if side == 0 { ranks } else { -ranks }))
    }

    fn pawns<'a>(&self, ending: &'a Ending, side: usize) -> impl Iterator<Item = usize> + 'a {
        let pawn = self.setup.pawn;
        ending.places(side).filter(move |&place| ending.kinds[place] == pawn)
    }

    /// The square that the pawn in a place has passed over, if it has made a double step to its square.
    pub(super) fn passed(&self, ending: &Ending, place: usize, from: u8, to: u8) -> Option<u8> {
        let side = ending.side_of(place);
        let over = self.ahead(from, side, 1)?;
        let is_double =
            ending.kinds[place] == self.setup.pawn && self.ahead(over, side, 1) == Some(to);
        is_double.then_some(over)
    }

    /// Visits each capture en passant on a square and what becomes of a position by it. The pawn in front
    /// of the square has just made a double step.
    pub(super) fn visit_captures_on(
        &self,
        position: Position,
        target: u8,
        visit: &mut impl FnMut(Move, Position),
    ) {
        let (ending, side) = (self.ending(position), position.side());
        let men = position::squares(position);
        let Some(square) = self.ahead(target, 1 - side, 1) else { return };
        let Some(captured) = self.pawns(ending, 1 - side).find(|&pawn| men[pawn] == square) else {
            return;
        };
        let moves = &self.setup.moves[usize::from(self.setup.pawn)][side];
        for pawn in self.pawns(ending, side).filter(|&pawn| moves.leaps_to(men[pawn], target)) {
            let gone = self.gone(ending, &men, pawn, target, 1 << captured);
            self.leave(position, pawn, target, gone, visit);
        }
    }

    /// The position with the right to capture on a square, if that is legal.
    pub(super) fn with_right(&self, position: Position, target: u8) -> Position {
        let mut has_right = false;
        self.visit_captures_on(position, target, &mut |_, _| has_right = true);
        if has_right { with_en_passant(position, target) } else { position }
    }

    /// The position with the right to capture on a square if that is legal; `None` if no pawn can have
    /// made a double step there.
    pub(super) fn with_claimed_right(&self, position: Position, target: u8) -> Option<Position> {
        let (ending, other) = (self.ending(position), 1 - position.side());
        let men = position::squares(position);
        let from = self.ahead(target, other, -1)?;
        let to = self.ahead(target, other, 1)?;
        let was_free = (bit(from) | bit(target)) & play::occupied(&men) == 0;
        let is_possible = bit(from) & self.setup.twice[other] != 0
            && was_free
            && self.pawns(ending, other).any(|pawn| men[pawn] == to);
        is_possible.then(|| self.with_right(position, target))
    }

    /// Retains the backward steps that agree with the right to capture en passant: with the right, the
    /// double step of the pawn; without, the steps that would not have given one.
    #[inline(never)]
    pub(super) fn retain_rights(&self, position: Position, steps: &mut Steps<Set>) {
        let (ending, moved) = (self.ending(position), 1 - position.side());
        let (men, claimed) = (position::squares(position), en_passant(position));
        for place in ending.places(moved) {
            for from in squares(steps[place]) {
                let passed = self.passed(ending, place, from, men[place]);
                let is_right = match (claimed, passed) {
                    (0, None) => true,
                    (0, Some(target)) => self.with_right(position, target) == position,
                    (_, passed) => passed == Some(claimed),
                };
                if !is_right {
                    steps[place] &= !bit(from);
                }
            }
        }
    }

    /// Visits the same position with each right to capture en passant that there can be.
    #[inline(never)]
    pub(super) fn visit_rights(&self, position: Position, mut visit: impl FnMut(Position)) {
        let (ending, other) = (self.ending(position), 1 - position.side());
        let men = position::squares(position);
        for pawn in self.pawns(ending, other) {
            let target = self.ahead(men[pawn], other, -1);
            let claimed = target.and_then(|target| self.with_claimed_right(position, target));
            claimed.filter(|&claimed| claimed != position).into_iter().for_each(&mut visit);
        }
    }

    /// The number of indices of positions with a capture en passant. They lie behind all others.
    pub(super) fn rights_len(&self, ending: &Ending) -> u64 {
        if !ending.has_en_passant {
            return 0;
        }
        let turns = if ending.is_symmetric { 1 } else { 2 };
        let others = (self.setup.board.len() as u64).pow(ending.men as u32 - 2);
        2 * u64::from(self.setup.board.files) * others * turns
    }

    /// The index of a position.
    #[inline]
    pub(super) fn index(&self, ending: &Ending, position: Position) -> u64 {
        let (men, side) = (position::squares(position), position.side());
        match en_passant(position) {
            0 => ending.numbering.index(&men, side),
            target => ending.numbering.len() + self.index_of_right(ending, &men, side, target),
        }
    }

    /// The least index of the images of a position with a capture en passant: the file of the pawn and
    /// whether the one that captures is to its right, then the other men's squares, then the side to move.
    #[cold]
    fn index_of_right(&self, ending: &Ending, men: &Squares, side: usize, target: u8) -> u64 {
        let board = self.setup.board;
        let index = |symmetry: usize| {
            let image = |square: u8| match square {
                NOWHERE => NOWHERE,
                square => ending.numbering.image(symmetry, square),
            };
            let (men, target) = (ending.ordered(men.map(image)), image(target));
            let square = self.ahead(target, 1 - side, 1);
            let stands = |side: usize, square: Option<u8>| {
                square.and_then(|square| self.pawns(ending, side).find(|&pawn| men[pawn] == square))
            };
            let beside = |files: i8| square.and_then(|square| board.offset(square, (files, 0)));
            let captured = stands(1 - side, square);
            let left = stands(side, beside(-1));
            let captures = left.or_else(|| stands(side, beside(1)));
            let first = 2 * u64::from(board.file(target)) + u64::from(left.is_none());
            let others =
                (0..ending.men).filter(|&place| Some(place) != captured && Some(place) != captures);
            others.fold(first, |index, place| index * board.len() as u64 + u64::from(men[place]))
        };
        let least = (0..ending.numbering.symmetries()).map(index).min().unwrap_or_default();
        if ending.is_symmetric { least } else { 2 * least + side as u64 }
    }

    /// The position with a capture en passant of an index behind all others, or `None` for an unused one.
    #[cold]
    pub(super) fn of_index_of_right(&self, ending: &Ending, index: u64) -> Option<Position> {
        let (board, mut left) = (self.setup.board, index - ending.numbering.len());
        let mut side = 0;
        if !ending.is_symmetric {
            (side, left) = ((left % 2) as usize, left / 2);
        }
        let captured = self.pawns(ending, 1 - side).next()?;
        let captures = self.pawns(ending, side).next()?;
        let mut men = [NOWHERE; super::MOST_MEN];
        for place in (0..ending.men).rev().filter(|&place| place != captured && place != captures) {
            men[place] = (left % board.len() as u64) as u8;
            left /= board.len() as u64;
        }
        let (file, is_right) = ((left / 2) as u8, left % 2 == 1);
        let from =
            squares(self.setup.twice[1 - side]).find(|&square| board.file(square) == file)?;
        let target = self.ahead(from, 1 - side, 1)?;
        men[captured] = self.ahead(target, 1 - side, 1)?;
        men[captures] = board.offset(men[captured], (if is_right { 1 } else { -1 }, 0))?;
        let men = ending.ordered(men);
        if !are_apart(&men) || !self.is_legal(ending, &men, side) {
            return None;
        }
        let position = position::position(&men, ending.number, side, false);
        let claimed = self.with_claimed_right(position, target)?;
        (claimed != position && self.index(ending, claimed) == index).then_some(claimed)
    }
}
