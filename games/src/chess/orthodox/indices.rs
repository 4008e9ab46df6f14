//! The indices of the positions of an ending, by its [`numbering`](super::numbering).

use super::ending::Ending;
use super::position::{Position, Reflection, Squares};

impl Ending {
    /// The index of a position, which is [`settled`](Ending::settled).
    #[inline(always)]
    pub(super) fn index(&self, position: Position) -> u64 {
        if position.en_passant() != 0 {
            return self.index_with_en_passant(position);
        }
        let squares = position.squares();
        let frame = self.numbering.frame(squares.kings(), position.side());
        if frame.reflection == 0 && !frame.has_twins {
            return frame.base + self.numbering.shares_of(squares);
        }
        frame.base + self.reflected_shares(squares, frame.reflection, frame.has_twins)
    }

    /// The addend of the men to the index where they have to be reflected.
    #[inline(never)]
    pub(super) fn reflected_shares(
        &self,
        squares: Squares,
        reflection: usize,
        has_twins: bool,
    ) -> u64 {
        self.least_shares(squares.reflected(Reflection::number(reflection)), has_twins)
    }

    /// The least addend of the men to the index, reflected where that is less.
    #[inline(always)]
    pub(super) fn least_shares(&self, men: Squares, has_twins: bool) -> u64 {
        let shares = self.numbering.shares_of(self.ordered(men));
        if has_twins { shares.min(self.twin_shares(men)) } else { shares }
    }

    /// The addend to the index of men that are reflected in the diagonal.
    #[inline(never)]
    fn twin_shares(&self, men: Squares) -> u64 {
        self.numbering.shares_of(self.ordered(men.reflected(Reflection::DIAGONAL)))
    }

    /// Whether the kings stand where they are counted, but the men where their reflection in the
    /// diagonal is counted.
    #[inline(always)]
    pub(super) fn is_twin(&self, squares: Squares) -> bool {
        self.numbering.are_on_diagonal(squares.kings()) && self.is_greater_twin(squares)
    }

    #[inline(never)]
    fn is_greater_twin(&self, squares: Squares) -> bool {
        self.twin_shares(squares) < self.numbering.shares_of(squares)
    }

    /// The position of an index, or `None` for an unused index.
    #[inline(always)]
    pub(super) fn unindex(&self, index: u64) -> Option<Position> {
        if index >= self.numbering.quiet {
            return self.unindex_with_en_passant(index);
        }
        let (squares, side) = self.numbering.placement(index)?;
        let is_state = self.is_legal(squares, side.into()) && !self.is_twin(squares);
        is_state.then(|| Position::new(squares, self.number, side, false))
    }
}
