//! The bytes of a position, in the order of [`Position`]: squares, ending, turn, colours.

use super::numbering::{MOST_MEN, NOWHERE, Squares};
use crate::chess::Position;

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

/// The squares of the men of a position.
#[inline(always)]
pub(super) fn squares(position: Position) -> Squares {
    let bytes = position.packed().to_le_bytes();
    let mut squares = [NOWHERE; MOST_MEN];
    squares.copy_from_slice(&bytes[..MOST_MEN]);
    squares
}
