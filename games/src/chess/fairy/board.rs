//! Boards of 3 x 3 to 10 x 10 squares, sets of squares, and symmetries.

use retrograde::board::Grid;

use crate::shared::BoardError;

/// The fewest and the most files or ranks.
const SIZES: std::ops::RangeInclusive<u32> = 3..=10;

/// A set of squares.
pub(super) type Set = u128;

/// A board. Its squares are numbered rank by rank from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) files: u8,
    pub(super) ranks: u8,
}

impl Board {
    /// The usual board.
    pub(super) const USUAL: Board = Board { files: 8, ranks: 8 };

    pub(super) fn new(files: u32, ranks: u32) -> Result<Board, BoardError> {
        if !SIZES.contains(&files) || !SIZES.contains(&ranks) {
            let expected = "3 to 10 of each";
            return Err(BoardError::Size { columns: files, rows: ranks, expected });
        }
        Ok(Board { files: files as u8, ranks: ranks as u8 })
    }

    /// The number of squares.
    pub(super) fn len(self) -> usize {
        usize::from(self.files) * usize::from(self.ranks)
    }

    pub(super) fn file(self, square: u8) -> u8 {
        square % self.files
    }

    pub(super) fn rank(self, square: u8) -> u8 {
        square / self.files
    }

    /// The square some files and ranks from another, if it is on the board.
    pub(super) fn offset(self, square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
        let file = self.file(square).checked_add_signed(files).filter(|&file| file < self.files)?;
        let rank = self.rank(square).checked_add_signed(ranks).filter(|&rank| rank < self.ranks)?;
        Some(rank * self.files + file)
    }

    /// The square after half a turn of the board.
    pub(super) fn turned(self, square: u8) -> u8 {
        self.len() as u8 - 1 - square
    }

    /// All squares.
    pub(super) fn all(self) -> Set {
        (1 << self.len()) - 1
    }

    /// The squares of the last rank, seen by white.
    pub(super) fn last_rank(self) -> Set {
        let (files, ranks) = (u32::from(self.files), u32::from(self.ranks));
        ((1 << files) - 1) << (files * (ranks - 1))
    }

    /// The squares in the middle: four of them, or fewer where files or ranks are odd.
    pub(super) fn middle(self) -> Set {
        let is_middle = |at: u8, of: u8| at == of / 2 || at == (of - 1) / 2;
        let squares = (0..self.len() as u8).filter(|&square| {
            is_middle(self.file(square), self.files) && is_middle(self.rank(square), self.ranks)
        });
        squares.fold(0, |set, square| set | bit(square))
    }

    pub(super) fn grid(self) -> Grid {
        Grid::new(self.files.into(), self.ranks.into())
    }

    /// The place of a square in pictures, and the square of a place: ranks are counted from the top
    /// there.
    pub(super) fn place(self, square: u8) -> usize {
        let row = self.ranks - 1 - self.rank(square);
        usize::from(row) * usize::from(self.files) + usize::from(self.file(square))
    }

    /// The name of a square.
    pub(super) fn name(self, square: u8) -> String {
        self.grid().name(self.place(square))
    }

    /// The image of a square under a symmetry.
    pub(super) fn image(self, square: u8, symmetry: Symmetry) -> u8 {
        let (mut file, mut rank) = (self.file(square), self.rank(square));
        if symmetry.0 & 1 != 0 {
            file = self.files - 1 - file;
        }
        if symmetry.0 & 2 != 0 {
            rank = self.ranks - 1 - rank;
        }
        if symmetry.0 & 4 != 0 { file * self.files + rank } else { rank * self.files + file }
    }

    /// The symmetries of the empty board, the identity first.
    pub(super) fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        let count = if self.files == self.ranks { 8 } else { 4 };
        (0..count).map(Symmetry)
    }
}

/// A symmetry: 1 is added where files are counted from the other side, 2 where ranks are, 4 where the
/// two are then exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

impl Symmetry {
    /// The image of a step to the right and ahead.
    pub(super) fn step(self, (mut right, mut ahead): (i8, i8)) -> (i8, i8) {
        if self.0 & 1 != 0 {
            right = -right;
        }
        if self.0 & 2 != 0 {
            ahead = -ahead;
        }
        if self.0 & 4 != 0 { (ahead, right) } else { (right, ahead) }
    }
}

/// The set of one square.
#[inline(always)]
pub(super) fn bit(square: u8) -> Set {
    1 << (square & 127)
}

/// The squares of a set, ascending.
#[inline(always)]
pub(super) fn squares(set: Set) -> impl Iterator<Item = u8> {
    // One word after the other, since most boards need only one.
    let (mut word, mut rest, mut first) = (set as u64, (set >> 64) as u64, 0);
    std::iter::from_fn(move || {
        if word == 0 {
            (word, rest, first) = (rest, 0, 64);
        }
        let square = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (square < u64::BITS).then_some(first + square as u8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_squares_go_to_the_same_places_under_each_symmetry() {
        for (files, ranks) in [(3, 3), (8, 8), (4, 5), (10, 10), (10, 3)] {
            let board = Board::new(files, ranks).unwrap();
            for symmetry in board.symmetries() {
                for square in 0..board.len() as u8 {
                    for step in [(1, 0), (-2, 1), (0, 2)] {
                        let image =
                            board.offset(board.image(square, symmetry), symmetry.step(step));
                        let there = board.offset(square, step);
                        assert_eq!(image, there.map(|to| board.image(to, symmetry)));
                    }
                }
            }
        }
    }

    #[test]
    fn squares_are_named_and_lie_where_they_should() {
        let board = Board::new(10, 9).unwrap();
        assert_eq!(
            (board.name(0), board.name(89), board.turned(0)),
            ("a1".into(), "j9".into(), 89)
        );
        assert_eq!(board.place(0), 80);
        assert_eq!(squares(board.last_rank()).collect::<Vec<_>>(), (80..90).collect::<Vec<_>>());
        let middle = |files, ranks| {
            let board = Board::new(files, ranks).unwrap();
            squares(board.middle()).map(|square| board.name(square)).collect::<Vec<_>>()
        };
        assert_eq!(middle(8, 8), ["d4", "e4", "d5", "e5"]);
        assert_eq!(
            (middle(5, 5), middle(3, 4)),
            (vec!["c3".into()], vec!["b2".into(), "b3".into()])
        );
        for (files, ranks) in [(2, 8), (8, 11), (0, 0)] {
            assert!(Board::new(files, ranks).is_err());
        }
    }
}
