//! A position of an ending, packed into eight bytes.

use std::fmt;

use retrograde::Player;

use super::board::{ALONE, NOWHERE};
use super::material::{Kind, MOST_MEN};

/// A position of one of a game's endings, as seen by its stronger side: its men go up the board.
///
/// Where the stronger side is black, the board is turned upside down and the position is called
/// exchanged. Where both sides have the same, the side to move counts as the stronger. Like men of
/// a side stand in ascending order, so that a position is written in one way only. It keeps its
/// orientation, though: reflections of a position are different states that share an index.
///
/// From the lowest byte: the squares of the five men, where a man that the ending does not have
/// stands nowhere; the square that a pawn can capture en passant on, or 0; the ending; whether the
/// weaker side is to move, and whether the colours are exchanged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(u64);

/// Where in a position the square for en passant is.
const EN_PASSANT: u32 = 40;
const ENDING: u32 = 48;
const TURN: u32 = 56;
const EXCHANGED: u32 = 57;
/// The squares of a position.
const SQUARES: u64 = (1 << EN_PASSANT) - 1;

/// A byte in each of the five places of a man.
const fn each(byte: u64) -> u64 {
    byte * 0x01_0101_0101
}

impl Position {
    /// The position as a word.
    #[inline]
    pub(crate) fn packed(self) -> u64 {
        self.0
    }

    /// The position that this word is.
    #[inline]
    pub(crate) fn of_packed(packed: u64) -> Position {
        Position(packed)
    }

    /// Whether no bits are set but those that say something.
    pub(super) fn has_no_other_bits(self) -> bool {
        self.0 >> (EXCHANGED + 1) == 0
    }

    /// The position of these men with a side to move, 0 for the stronger, and no capture en
    /// passant.
    #[inline(always)]
    pub(super) fn new(squares: Squares, ending: u8, side: u8, exchanged: bool) -> Position {
        let rest = u64::from(ending) << ENDING
            | u64::from(side) << TURN
            | u64::from(exchanged) << EXCHANGED;
        Position(squares.0 | rest)
    }

    /// The squares of the men.
    #[inline(always)]
    pub(super) fn squares(self) -> Squares {
        Squares(self.0 & SQUARES)
    }

    /// A copy with the men on other squares.
    #[inline(always)]
    pub(super) fn with_squares(self, squares: Squares) -> Position {
        Position(self.0 & !SQUARES | squares.0)
    }

    /// The square on which a pawn can be captured en passant, or 0.
    #[inline(always)]
    pub(super) fn en_passant(self) -> u8 {
        (self.0 >> EN_PASSANT) as u8
    }

    /// A copy with this square for en passant, or 0.
    #[inline(always)]
    pub(super) fn with_en_passant(self, square: u8) -> Position {
        Position(self.0 & !(0xff << EN_PASSANT) | u64::from(square) << EN_PASSANT)
    }

    /// Which ending it is of.
    #[inline(always)]
    pub(crate) fn ending(self) -> usize {
        usize::from((self.0 >> ENDING) as u8)
    }

    /// The side to move: 0 for the stronger, 1 for the weaker.
    #[inline(always)]
    pub(crate) fn side(self) -> usize {
        (self.0 >> TURN & 1) as usize
    }

    /// Whether the stronger side is black.
    #[inline(always)]
    pub(crate) fn is_exchanged(self) -> bool {
        self.0 >> EXCHANGED & 1 == 1
    }

    /// The player to move: white is the first player.
    #[inline(always)]
    pub(crate) fn player(self) -> Player {
        Player::BOTH[self.side() ^ usize::from(self.is_exchanged())]
    }

    /// A copy with the other side to move and no capture en passant.
    #[inline(always)]
    pub(super) fn passed(self) -> Position {
        Position((self.0 & !(0xff << EN_PASSANT)) ^ 1 << TURN)
    }

    /// The position with exchanged colours on a board turned upside down, in a symmetric ending:
    /// see [`Squares::with_sides_exchanged`].
    pub(super) fn with_sides_exchanged(self) -> Position {
        let en_passant = match self.en_passant() {
            0 => 0,
            square => square ^ 56,
        };
        let turned = Position(self.0 ^ (1 << TURN | 1 << EXCHANGED));
        turned.with_squares(self.squares().with_sides_exchanged()).with_en_passant(en_passant)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("ending", &self.ending())
            .field("squares", &self.squares())
            .field("side", &self.side())
            .field("en_passant", &self.en_passant())
            .field("exchanged", &self.is_exchanged())
            .finish()
    }
}

/// The squares of five men, a byte each; [`NOWHERE`] for a man that is not there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Squares(u64);

impl Squares {
    /// Nobody anywhere.
    pub(super) const NONE: Squares = Squares(each(NOWHERE as u64));

    /// The square of a man.
    #[inline(always)]
    pub(super) fn of(self, slot: usize) -> u8 {
        (self.0 >> (8 * slot)) as u8
    }

    /// A copy with a man on another square.
    #[inline(always)]
    pub(super) fn with(self, slot: usize, square: u8) -> Squares {
        Squares(self.0 & !(0xff << (8 * slot)) | u64::from(square) << (8 * slot))
    }

    /// A copy with these bytes added where it has zeros.
    #[inline(always)]
    pub(super) fn adding(self, bytes: u64) -> Squares {
        Squares(self.0 | bytes)
    }

    /// The squares of all five men.
    #[inline(always)]
    pub(super) fn all(self) -> [u8; MOST_MEN] {
        [self.of(0), self.of(1), self.of(2), self.of(3), self.of(4)]
    }

    /// The squares that are occupied.
    #[inline(always)]
    pub(super) fn occupied(self) -> u64 {
        self.all().into_iter().fold(0, |set, square| set | ALONE.of(square))
    }

    /// The squares of the kings as one number: six bits for that of the stronger side, above them
    /// six for the other.
    #[inline(always)]
    pub(super) fn kings(self) -> usize {
        (self.0 & 0x3f | self.0 >> 2 & 0xfc0) as usize
    }

    /// The images of the squares under a reflection of the board.
    #[inline(always)]
    pub(super) fn reflected(self, reflection: Reflection) -> Squares {
        let present = !self.0 & each(NOWHERE.into());
        // All six bits of every man that is there.
        let mask = present - (present >> 6);
        let mut squares = self.0 ^ (each(reflection.flips.into()) & mask);
        if reflection.transposes {
            let (ranks, files) = (squares >> 3 & each(7), squares & each(7));
            squares = (ranks | files << 3) & mask | squares & !mask;
        }
        Squares(squares)
    }

    /// The squares of the men of a symmetric ending on a board turned upside down, where the sides
    /// exchange places: the kings, and the two other men, if there are any.
    #[inline(always)]
    pub(super) fn with_sides_exchanged(self) -> Squares {
        let odd = 0xff00_ff00;
        let last = self.0 & 0xff << 32;
        let exchanged = Squares((self.0 & odd) >> 8 | self.0 << 8 & odd | last);
        exchanged.reflected(Reflection::UPSIDE_DOWN)
    }

    /// A copy with the lower of two men in the first of their places.
    #[inline(always)]
    pub(super) fn ordered(self, first: usize, second: usize) -> Squares {
        let (one, other) = (self.of(first), self.of(second));
        if one <= other { self } else { self.with(first, other).with(second, one) }
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let men = self.all().into_iter().filter(|&square| square != NOWHERE);
        // Other boards have more squares, and other names for them.
        let name = |square: u8| match square {
            ..NOWHERE => super::board::name(square),
            square => square.to_string(),
        };
        f.debug_list().entries(men.map(name)).finish()
    }
}

/// In place of a man: none.
pub(super) const NOBODY: usize = MOST_MEN;

/// A move: the man, its square, what it captures and what it becomes.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) slot: usize,
    pub(super) to: u8,
    /// [`NOBODY`] without a capture.
    pub(super) captured: usize,
    pub(super) promoted: Option<Kind>,
}

/// A way to reflect or turn the board: files or ranks are counted from the other side, and then
/// perhaps exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reflection {
    /// 7 where files are counted from the other side, 56 where ranks are, or their sum.
    flips: u8,
    transposes: bool,
}

impl Reflection {
    /// In the diagonal from a1 to h8.
    pub(super) const DIAGONAL: Reflection = Reflection { flips: 0, transposes: true };
    /// In the line between the ranks of the two sides.
    pub(super) const UPSIDE_DOWN: Reflection = Reflection::number(2);
    /// In the diagonal from a8 to h1.
    pub(super) const ANTIDIAGONAL: Reflection = Reflection { flips: 63, transposes: true };

    /// The eight of them; number 0 leaves all as it is, number 1 exchanges the wings. They are
    /// numbered by what they do: 1 is added where files are counted from the other side, 2 where
    /// ranks are, 4 where the two are exchanged.
    #[inline(always)]
    pub(super) const fn number(number: usize) -> Reflection {
        let flips = if number & 1 != 0 { 7 } else { 0 } | if number & 2 != 0 { 56 } else { 0 };
        Reflection { flips, transposes: number & 4 != 0 }
    }

    /// Where a square goes.
    #[inline(always)]
    pub(super) const fn image(self, square: u8) -> u8 {
        let square = square ^ self.flips;
        if self.transposes { square >> 3 | (square & 7) << 3 } else { square }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_men_that_are_there_are_reflected_at_once() {
        let squares = Squares::NONE.with(0, 0).with(1, 63).with(3, 12);
        for number in 0..8 {
            let reflection = Reflection::number(number);
            let reflected = squares.reflected(reflection);
            for slot in 0..MOST_MEN {
                let expected = match squares.of(slot) {
                    NOWHERE => NOWHERE,
                    square => reflection.image(square),
                };
                assert_eq!(reflected.of(slot), expected, "{reflection:?} {slot}");
            }
        }
        assert_eq!(Reflection::number(4), Reflection::DIAGONAL);
        assert_eq!(Reflection::number(7), Reflection::ANTIDIAGONAL);
        assert_eq!(Reflection::ANTIDIAGONAL.image(0), 63);
        assert_eq!(Reflection::ANTIDIAGONAL.image(7), 7);
    }

    #[test]
    fn what_a_position_is_made_of_comes_out_again() {
        let squares = Squares::NONE.with(0, 4).with(1, 60).with(2, 28).with(3, 27);
        let position = Position::new(squares, 17, 1, true).with_en_passant(44);
        assert_eq!(position.squares(), squares);
        assert_eq!((position.ending(), position.side()), (17, 1));
        assert_eq!((position.is_exchanged(), position.en_passant()), (true, 44));
        assert_eq!((position.passed().side(), position.passed().en_passant()), (0, 0));
        let turned = position.with_sides_exchanged();
        assert_eq!(turned.squares().all(), [4, 60, 35, 36, NOWHERE]);
        assert_eq!((turned.side(), turned.is_exchanged(), turned.en_passant()), (0, false, 20));
        assert_eq!(turned.with_sides_exchanged(), position);
    }
}
