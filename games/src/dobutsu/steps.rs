//! Tables of the steps of all pieces.
//!
//! A piece on a square is a bit of a [`Side`](super::board::Side), and so are the squares that it
//! goes to: in the lane of what it is there, so that a chick that steps onto the last row arrives
//! in the lane of the hens.

use super::board::{Piece, SQUARES, Side, TOP};

/// How many bits a side has, and a few more that are never set, so that no bit is out of range.
pub(super) const BITS: usize = 64;

/// The steps of the pieces that go up, and of those that go down.
pub(super) static UP: Steps = Steps::up();
pub(super) static DOWN: Steps = Steps::up().turned();

/// Where the pieces of one player step, by bit or by square.
pub(super) struct Steps {
    /// The results of a step of each, if the board is empty.
    pub(super) to: [u64; BITS],
    /// The pieces that each can have been before a step that led into play that was not over. A lion comes
    /// from no square of the last row: there it would have won.
    pub(super) from: [u64; BITS],
    /// Which pieces can step onto a square. A lion's square needs four bits.
    pub(super) onto: [u64; 16],
    /// Where the lion wants to go.
    pub(super) goal: u64,
}

/// Where a piece steps, as columns to the right and rows up.
const fn directions(piece: Piece) -> &'static [(i32, i32)] {
    match piece {
        Piece::Chick => &[(0, 1)],
        Piece::Hen => &[(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
        Piece::Elephant => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
        Piece::Giraffe => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        Piece::Lion => &[(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
    }
}

impl Steps {
    const fn up() -> Steps {
        let goal = TOP << Piece::Lion.shift();
        let mut steps = Steps { to: [0; BITS], from: [0; BITS], onto: [0; 16], goal };
        let mut lane = 0;
        while lane < Piece::ALL.len() {
            let piece = Piece::ALL[lane];
            let mut square = 0;
            while square < SQUARES {
                steps = steps.with_steps_of(piece, square);
                square += 1;
            }
            lane += 1;
        }
        steps
    }

    const fn with_steps_of(mut self, piece: Piece, square: u32) -> Steps {
        let before = piece.shift() + square;
        let directions = directions(piece);
        let mut at = 0;
        while at < directions.len() {
            let (right, up) = directions[at];
            at += 1;
            let (column, row) = (square as i32 % 3 + right, square as i32 / 3 + up);
            if column < 0 || column > 2 || row < 0 || row > 3 {
                continue;
            }
            let target = (3 * row + column) as u32;
            let arrives = match piece {
                Piece::Chick if row == 3 => Piece::Hen,
                piece => piece,
            };
            let after = arrives.shift() + target;
            self.to[before as usize] |= 1 << after;
            self.onto[target as usize] |= 1 << before;
            let goal_before = matches!(piece, Piece::Lion) && TOP >> square & 1 == 1;
            if !goal_before {
                self.from[after as usize] |= 1 << before;
            }
        }
        self
    }

    /// The steps of pieces that go the other way.
    const fn turned(&self) -> Steps {
        let goal = Side(self.goal).turned().0;
        let mut steps = Steps { to: [0; BITS], from: [0; BITS], onto: [0; 16], goal };
        let mut bit = 0;
        while bit < BITS - 4 {
            let turned = Side(1 << bit).turned().0.trailing_zeros() as usize;
            steps.to[turned] = Side(self.to[bit]).turned().0;
            steps.from[turned] = Side(self.from[bit]).turned().0;
            bit += 1;
        }
        let mut square = 0;
        while square < SQUARES as usize {
            steps.onto[SQUARES as usize - 1 - square] = Side(self.onto[square]).turned().0;
            square += 1;
        }
        steps
    }
}

/// The square of a bit, in every lane.
pub(super) static COLUMN: [u64; BITS] = {
    let mut columns = [0; BITS];
    let mut bit = 0;
    while bit < BITS {
        columns[bit] = super::board::in_every_lane(1 << (bit as u32 % SQUARES));
        bit += 1;
    }
    columns
};
