//! The board: squares, and what pieces reach on it.
//!
//! With five men at most it is quickest to begin with what a piece reaches on an empty board, and
//! to take away, for each other man, the squares that lie behind it: its shadow. That is right for
//! every kind of piece, since what a knight, a king or a pawn reaches is never behind a man on a
//! line (but for a pawn's double step, which ends behind a man that blocks it).

use retrograde::board::Grid;

/// Where a man stands that an ending does not have: a square that no set contains, and that casts
/// no shadow.
pub(super) const NOWHERE: u8 = 64;

/// A set of squares for each square, and none for [`NOWHERE`]. Longer than that, so that no look-up
/// can be beyond the end.
pub(super) struct BySquare([u64; 128]);

impl BySquare {
    /// The set that belongs to a square.
    #[inline(always)]
    pub(super) fn of(&self, square: u8) -> u64 {
        self.0[usize::from(square & 127)]
    }
}

/// A set of squares for each two squares, and none where one is [`NOWHERE`].
///
/// Rows are 72 entries apart, so that one column is spread over all of the cache.
pub(super) struct ByTwoSquares([u64; 1 << 13]);

const ROW: usize = 72;

impl ByTwoSquares {
    /// The set that belongs to two squares.
    #[inline(always)]
    pub(super) fn of(&self, one: u8, other: u8) -> u64 {
        self.0[(usize::from(one) * ROW + usize::from(other)) % (1 << 13)]
    }
}

/// The steps of a queen, as files and ranks.
const LINES: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The square some files and ranks from another, if it is on the board.
const fn offset(square: u8, files: i32, ranks: i32) -> Option<u8> {
    let (file, rank) = ((square % 8) as i32 + files, (square / 8) as i32 + ranks);
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((rank * 8 + file) as u8)
    } else {
        None
    }
}

/// The squares from one in some direction, that one not included.
const fn ray(from: u8, (files, ranks): (i32, i32)) -> u64 {
    let (mut set, mut at) = (0, from);
    while let Some(next) = offset(at, files, ranks) {
        set |= 1 << next;
        at = next;
    }
    set
}

const fn one_step(steps: &[(i32, i32)]) -> BySquare {
    let mut sets = [0; 128];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < steps.len() {
            if let Some(to) = offset(square, steps[at].0, steps[at].1) {
                sets[square as usize] |= 1 << to;
            }
            at += 1;
        }
        square += 1;
    }
    BySquare(sets)
}

const fn along(first: usize, end: usize) -> BySquare {
    let mut sets = [0; 128];
    let mut square = 0;
    while square < 64 {
        let mut line = first;
        while line < end {
            sets[square as usize] |= ray(square, LINES[line]);
            line += 1;
        }
        square += 1;
    }
    BySquare(sets)
}

/// For each two squares on a line of a queen, those behind the second seen from the first, or
/// those between them.
const fn on_lines(behind: bool) -> ByTwoSquares {
    let mut sets = [0; 1 << 13];
    let mut from = 0;
    while from < 64 {
        let mut line = 0;
        while line < LINES.len() {
            let whole = ray(from, LINES[line]);
            let mut at = from;
            while let Some(to) = offset(at, LINES[line].0, LINES[line].1) {
                let beyond = ray(to, LINES[line]);
                sets[from as usize * ROW + to as usize] =
                    if behind { beyond } else { whole & !beyond & !(1 << to) };
                at = to;
            }
            line += 1;
        }
        from += 1;
    }
    ByTwoSquares(sets)
}

/// Where a pawn gets by stepping without promotion, up or down the board, or where it came from.
const fn pawn_steps(up: bool, back: bool) -> BySquare {
    let mut sets = [0; 128];
    let ahead = if up { 1 } else { -1 };
    let mut square = 8;
    while square < 56 {
        let single = (square + 8 * ahead) as u8;
        let is_double = square / 8 == if up { 1 } else { 6 };
        let mut to = [Some(single), None];
        if is_double {
            to[1] = Some((square + 16 * ahead) as u8);
        }
        let mut at = 0;
        while at < 2 {
            if let Some(to) = to[at]
                && to >= 8
                && to < 56
            {
                if back {
                    sets[to as usize] |= 1 << square;
                } else {
                    sets[square as usize] |= 1 << to;
                }
            }
            at += 1;
        }
        square += 1;
    }
    BySquare(sets)
}

const fn singletons() -> BySquare {
    let mut sets = [0; 128];
    let mut square = 0;
    while square < 64 {
        sets[square] = 1 << square;
        square += 1;
    }
    BySquare(sets)
}

/// The square itself.
pub(super) static ALONE: BySquare = singletons();
/// The squares that no piece reaches.
pub(super) static NOTHING: BySquare = BySquare([0; 128]);
/// The squares that a king reaches on an empty board.
pub(super) static KING: BySquare = one_step(&LINES);
/// The squares that a queen reaches on an empty board.
pub(super) static QUEEN: BySquare = along(0, 8);
/// The squares that a rook reaches on an empty board.
pub(super) static ROOK: BySquare = along(0, 4);
/// The squares that a bishop reaches on an empty board.
pub(super) static BISHOP: BySquare = along(4, 8);
/// The squares that a knight reaches.
pub(super) static KNIGHT: BySquare = one_step(&KNIGHT_STEPS);
/// Where a pawn steps on an empty board without promotion: one that goes up, one that goes down.
pub(super) static PAWN_STEPS: [BySquare; 2] = [pawn_steps(true, false), pawn_steps(false, false)];
/// Where such a step can have come from.
pub(super) static PAWN_STEPS_BACK: [BySquare; 2] =
    [pawn_steps(true, true), pawn_steps(false, true)];
/// The squares that a pawn attacks: one that goes up, one that goes down.
pub(super) static PAWN_ATTACKS: [BySquare; 2] =
    [one_step(&[(-1, 1), (1, 1)]), one_step(&[(-1, -1), (1, -1)])];

/// The squares behind the second square seen from the first, if they are on a line.
pub(super) static SHADOW: ByTwoSquares = on_lines(true);
/// The squares between two on a line.
pub(super) static BETWEEN: ByTwoSquares = on_lines(false);

/// The squares of a set, ascending.
#[inline(always)]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < u64::BITS).then_some(square as u8)
    })
}

/// The set with files and ranks exchanged: reflected in the diagonal from a1 to h8.
#[inline]
pub(super) fn transposed(mut set: u64) -> u64 {
    for (shift, mask) in
        [(28, 0x0f0f_0f0f_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)]
    {
        let moved = mask & (set ^ (set << shift));
        set ^= moved ^ (moved >> shift);
    }
    set
}

/// The board as white sees it. Its square 0 is a8, and that of an ending a1.
pub(super) const GRID: Grid = Grid::new(8, 8);

/// The name of a square, like e4.
pub(super) fn name(square: u8) -> String {
    GRID.name(usize::from(square ^ 56))
}

/// The square of this name.
pub(super) fn named(text: &str) -> Option<u8> {
    GRID.cell_named(text).ok().map(|square| square as u8 ^ 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_and_hidden_is_what_a_look_at_the_board_says() {
        assert_eq!(ROOK.of(0).count_ones(), 14);
        assert_eq!(BISHOP.of(27).count_ones(), 13);
        assert_eq!(QUEEN.of(27), ROOK.of(27) | BISHOP.of(27));
        assert_eq!(KNIGHT.of(0), 1 << 10 | 1 << 17);
        assert_eq!(KING.of(7), 1 << 6 | 1 << 14 | 1 << 15);
        assert_eq!(PAWN_STEPS[0].of(8), 1 << 16 | 1 << 24);
        assert_eq!(PAWN_STEPS[0].of(48), 0, "a promotion is no step");
        assert_eq!(PAWN_STEPS[1].of(48), 1 << 40 | 1 << 32);
        assert_eq!(PAWN_STEPS_BACK[0].of(24), 1 << 16 | 1 << 8);
        assert_eq!(PAWN_STEPS_BACK[1].of(32), 1 << 40 | 1 << 48);
        assert_eq!(PAWN_STEPS_BACK[0].of(8), 0);
        assert_eq!(PAWN_ATTACKS[0].of(8), 1 << 17);
        // From a1, behind c3 there are d4 to h8, and b2 is between.
        assert_eq!(SHADOW.of(0, 18), BISHOP.of(0) & !(1 << 9 | 1 << 18));
        assert_eq!(BETWEEN.of(0, 18), 1 << 9);
        assert_eq!((SHADOW.of(0, 10), BETWEEN.of(0, 10)), (0, 0), "b1 to c2 is no line from a1");
        assert_eq!(SHADOW.of(0, NOWHERE) | SHADOW.of(NOWHERE, 0) | QUEEN.of(NOWHERE), 0);
    }

    #[test]
    fn a_set_is_transposed_square_by_square() {
        for square in 0..64_u32 {
            assert_eq!(transposed(1 << square), 1 << (square % 8 * 8 + square / 8));
        }
    }

    #[test]
    fn squares_are_named_and_found() {
        for square in 0..64 {
            assert_eq!(named(&name(square)), Some(square));
        }
        assert_eq!((name(28).as_str(), named("i4"), named("e44")), ("e4", None, None));
    }
}
