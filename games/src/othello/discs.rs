//! Rows of discs, as sets of squares: which squares a player may put a disc on, and what it turns.

/// The rows of a board in all eight directions.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    steps: [Step; 8],
    /// Every square.
    squares: u32,
    /// How many discs a row between two others has at most.
    most_between: u32,
}

/// A step from each square to the next in one direction.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// By how many bits a square is before or behind the next.
    by: u32,
    is_forward: bool,
    /// The squares where a step can arrive.
    arrives: u32,
}

impl Step {
    /// The next squares.
    #[inline]
    fn from(self, set: u32) -> u32 {
        (if self.is_forward { set << self.by } else { set >> self.by }) & self.arrives
    }
}

impl Rows {
    /// The rows of a board of this size, of at most 31 squares.
    pub(super) fn new(columns: u32, rows: u32) -> Rows {
        let squares: u32 = (1 << (columns * rows)) - 1;
        let left = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        let right = left << (columns - 1);
        let without = |edge: u32| squares & !edge;
        let step = |by, is_forward, edge| Step { by, is_forward, arrives: without(edge) };
        let steps = [
            // To the right, to the left, down, up.
            step(1, true, left),
            step(1, false, right),
            step(columns, true, 0),
            step(columns, false, 0),
            // Down and to the right, up and to the left, down and to the left, up and to the right.
            step(columns + 1, true, left),
            step(columns + 1, false, right),
            step(columns - 1, true, right),
            step(columns - 1, false, left),
        ];
        Rows { steps, squares, most_between: columns.max(rows).saturating_sub(2) }
    }

    /// Every square.
    #[inline]
    pub(super) fn squares(&self) -> u32 {
        self.squares
    }

    /// The empty squares from which a row of discs of the other leads to an own disc.
    #[inline]
    pub(super) fn open(&self, own: u32, other: u32) -> u32 {
        let empty = self.squares & !(own | other);
        let behind = |step: &Step| {
            // The rows of the other's discs that begin beside own discs.
            let mut row = step.from(own) & other;
            for _ in 1..self.most_between {
                row |= step.from(row) & other;
            }
            step.from(row)
        };
        self.steps.iter().map(behind).fold(0, |open, squares| open | squares) & empty
    }

    /// The discs of the other that an own disc on `square` turns.
    #[inline]
    pub(super) fn turned(&self, own: u32, other: u32, square: u32) -> u32 {
        let row = |step: &Step| {
            let (mut row, mut at) = (0, step.from(square));
            while at & other != 0 {
                row |= at;
                at = step.from(at);
            }
            if at & own != 0 { row } else { 0 }
        };
        self.steps.iter().map(row).fold(0, |turned, row| turned | row)
    }
}
