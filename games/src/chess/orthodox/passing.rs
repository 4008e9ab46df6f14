//! Passing over the positions of an ending in the order of their indices.
//!
//! For the men of all digits but the lowest, the squares on which the last man makes a legal
//! position are found together; then each position costs a few instructions.

use std::ops::Range;

use super::board::{ALONE, BETWEEN, NOWHERE};
use super::ending::Ending;
use super::numbering::NUMBERS_OF_TWO;
use super::position::{Position, Squares};

/// The most indices that differ only in the last man.
const ROW: u64 = 64;

/// Indices that differ only in the last man.
struct Row {
    start: u64,
    len: u64,
    /// Where the men stand at one of them, and the side to move; `None` if no placement has them.
    placed: Option<(Squares, u8)>,
    /// The last man. An index beyond the start is its square.
    last: usize,
}

impl Ending {
    /// On which squares one more man makes a legal position of those that stand, with this side to
    /// move; the man stands nowhere yet.
    #[inline]
    pub(super) fn legal_squares(&self, squares: Squares, side: usize, last: usize) -> u64 {
        let [_, _, men @ ..] = squares.all();
        let mut occupied = ALONE.of(squares.of(0)) | ALONE.of(squares.of(1));
        for man in men {
            if occupied & ALONE.of(man) != 0 {
                return 0;
            }
            occupied |= ALONE.of(man);
        }
        let king = squares.of(1 - side);
        let mut legal = !occupied;
        for slot in self.sides[side].iter().skip(1) {
            if slot == last {
                let from = self.reach[slot].attacked_from.of(king);
                legal &= !(from & !squares.hidden_from(king));
                continue;
            }
            let square = squares.of(slot);
            if self.reach[slot].attacks.of(square) & ALONE.of(king) != 0 {
                let line = BETWEEN.of(square, king);
                if line & occupied == 0 {
                    legal &= line;
                }
            }
        }
        legal
    }

    /// The row that an index is in, if the man of the lowest digit is a single one or the lower
    /// of two like ones; the others may stand on one square.
    #[inline(always)]
    fn row(&self, index: u64) -> Option<Row> {
        let numbering = &self.numbering;
        if let Some(last) = numbering.last {
            let start = index / ROW * ROW;
            let placed = numbering.placement(start);
            return Some(Row { start, len: ROW, placed, last });
        }
        let [last, higher] = self.pair.filter(|_| numbering.begins_with_two())?;
        let Some((squares, side)) = numbering.placement(index) else {
            // The unused values of the digit of two like men.
            let len = index.next_multiple_of(NUMBERS_OF_TWO) - index;
            return Some(Row { start: index, len, placed: None, last });
        };
        // The lower man is on each square below the other in turn.
        let start = index - u64::from(squares.of(last));
        Some(Row { start, len: squares.of(higher).into(), placed: Some((squares, side)), last })
    }

    /// Visits the positions of a range of indices in ascending order, without unused indices.
    #[inline(always)]
    pub(super) fn positions(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Position)) {
        let mut next = indices.start;
        let quiet_end = indices.end.min(self.numbering.quiet);
        while next < quiet_end {
            let Some(Row { start, len, placed, last }) = self.row(next) else {
                self.one_by_one(next..quiet_end, &mut visit);
                next = quiet_end;
                continue;
            };
            let end = quiet_end.min(start + len);
            if let Some((squares, side)) = placed {
                let others = squares.with(last, NOWHERE);
                let mut legal = self.legal_squares(others, side.into(), last);
                // The squares of the row that are in the range.
                legal &= u64::MAX << (next - start) & u64::MAX >> (ROW - (end - start));
                while legal != 0 {
                    let square = legal.trailing_zeros() as u8;
                    legal &= legal - 1;
                    let squares = others.with(last, square);
                    if !self.is_twin(squares) {
                        let position = Position::new(squares, self.number, side, false);
                        visit(start + u64::from(square), position);
                    }
                }
            }
            next = end;
        }
        self.one_by_one(next..indices.end, visit);
    }

    fn one_by_one(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Position)) {
        for index in indices {
            if let Some(position) = self.unindex(index) {
                visit(index, position);
            }
        }
    }
}
