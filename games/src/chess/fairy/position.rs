//! The bytes of a position, in the order of [`Position`]: squares, en passant, ending, turn,
//! colours.

use super::numbering::{MOST_MEN, NOWHERE, Squares};
use crate::chess::Position;

const EN_PASSANT: u32 = 40;
const ENDING: u32 = 48;
const TURN: u32 = 56;
const EXCHANGED: u32 = 57;

/// The position of men on these squares, `side` to move.
#[inline(always)]
pub(super) fn position(squares: &Squares, ending: u8, side: usize, exchanged: bool) -> Position {
    let men = squares.iter().rev().fold(0, |word, &square| word << 8 | u64::from(square));
    let rest =
        u64::from(ending) << ENDING | (side as u64) << TURN | u64::from(exchanged) << EXCHANGED;
    Position::of_packed(men | rest)
}

/// The square that a pawn has passed over and can be captured on, or 0.
#[inline(always)]
pub(super) fn en_passant(position: Position) -> u8 {
    (position.packed() >> EN_PASSANT) as u8
}

/// A copy with this square for captures en passant, or 0.
#[inline(always)]
pub(super) fn with_en_passant(position: Position, square: u8) -> Position {
    let rest = position.packed() & !(0xff << EN_PASSANT);
    Position::of_packed(rest | u64::from(square) << EN_PASSANT)
}

/// The squares of the men of a position.
#[inline(always)]
pub(super) fn squares(position: Position) -> Squares {
    let bytes = position.packed().to_le_bytes();
    let mut squares = [NOWHERE; MOST_MEN];
    squares.copy_from_slice(&bytes[..MOST_MEN]);
    squares
}
