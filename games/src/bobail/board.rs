//! The board, the turns on it, and the way back.
//!
//! Everything is seen by the player to move, whose home row is the lowest. Squares are numbered row
//! by row from the top left, so that the other player sees them in reverse order.

use super::Rules;

/// How many directions a piece moves in.
const DIRECTIONS: usize = 8;

/// The directions, as changes of column and row. The last four lead to higher squares. Opposite
/// directions are at opposite places.
const STEPS: [(i32, i32); DIRECTIONS] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The first direction that leads to higher squares.
const ASCENDING: usize = DIRECTIONS / 2;

/// The size of tables by square. A power of two saves bounds checks.
const SQUARES: usize = 32;

/// The bobail and the men, as sets of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    /// The square of the bobail.
    pub(super) bobail: u32,
    /// The men of the player to move.
    pub(super) own: u32,
    /// The men of the other player.
    pub(super) other: u32,
}

/// The end of play, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The bobail can step onto the own home row, which wins.
    Arrives,
    /// Every turn brings the bobail onto the other's home row, which loses.
    Forced,
    /// There is no turn, which has lost.
    Stuck,
}

/// A board, and the rules by which men move on it.
#[derive(Clone, Debug)]
pub(super) struct Board {
    columns: u32,
    cells: u32,
    rules: Rules,
    all: u32,
    /// The home row of the player to move, and that of the other.
    homes: [u32; 2],
    /// The rows between the home rows.
    inner: u32,
    /// For each direction, the squares that have a neighbour there.
    inside: [u32; DIRECTIONS],
    /// For each square and direction, the squares in that direction.
    rays: [[u32; DIRECTIONS]; SQUARES],
}

impl Board {
    /// A board of at most 32 squares.
    pub(super) fn new(columns: u32, rows: u32, rules: Rules) -> Board {
        let cells = columns * rows;
        let on_board = |column: i32, row: i32| {
            (0..columns as i32).contains(&column) && (0..rows as i32).contains(&row)
        };
        let mut rays = [[0; DIRECTIONS]; SQUARES];
        let mut inside = [0; DIRECTIONS];
        for cell in 0..cells {
            for (direction, (right, down)) in STEPS.into_iter().enumerate() {
                let at = |steps: i32| {
                    let column = (cell % columns) as i32 + steps * right;
                    (column, (cell / columns) as i32 + steps * down)
                };
                let squares = (1..).map(at).take_while(|&(column, row)| on_board(column, row));
                let bit = |(column, row): (i32, i32)| 1 << (row as u32 * columns + column as u32);
                let ray = squares.map(bit).fold(0, |ray, bit: u32| ray | bit);
                rays[cell as usize][direction] = ray;
                inside[direction] |= u32::from(ray != 0) << cell;
            }
        }
        let all = u32::MAX >> (u32::BITS - cells);
        let top = (1 << columns) - 1;
        let homes = [top << (cells - columns), top];
        let inner = all & !(homes[0] | homes[1]);
        Board { columns, cells, rules, all, homes, inner, inside, rays }
    }

    /// The rows between the home rows.
    pub(super) fn inner(&self) -> u32 {
        self.inner
    }

    /// The highest row, the home of the player who is not to move.
    pub(super) fn top(&self) -> u32 {
        self.homes[1]
    }

    /// The squares as the other player sees them.
    #[inline]
    pub(super) fn turned(&self, set: u32) -> u32 {
        set.reverse_bits() >> (u32::BITS - self.cells)
    }

    /// The pieces as the other player sees them, who is to move then.
    #[inline]
    pub(super) fn turned_pieces(&self, pieces: &Pieces) -> Pieces {
        let &Pieces { bobail, own, other } = pieces;
        let [bobail, own, other] = [bobail, other, own].map(|set| self.turned(set));
        Pieces { bobail, own, other }
    }

    /// The squares with left and right exchanged.
    #[inline]
    pub(super) fn mirrored(&self, set: u32) -> u32 {
        let first = self.all & !self.inside[3];
        let mut image = 0;
        for column in 0..self.columns {
            image |= (set >> column & first) << (self.columns - 1 - column);
        }
        image
    }

    /// The pieces with left and right exchanged.
    pub(super) fn mirrored_pieces(&self, pieces: &Pieces) -> Pieces {
        let &Pieces { bobail, own, other } = pieces;
        let [bobail, own, other] = [bobail, own, other].map(|set| self.mirrored(set));
        Pieces { bobail, own, other }
    }

    /// The squares that are free.
    #[inline]
    fn empty(&self, pieces: &Pieces) -> u32 {
        self.all & !(pieces.bobail | pieces.own | pieces.other)
    }

    /// The neighbours of these squares in a direction.
    #[inline]
    fn ahead(&self, set: u32, direction: usize) -> u32 {
        let set = set & self.inside[direction];
        let by = |direction: usize| match direction {
            4 => 1,
            5 => self.columns - 1,
            6 => self.columns,
            _ => self.columns + 1,
        };
        match direction < ASCENDING {
            true => set >> by(DIRECTIONS - 1 - direction),
            false => set << by(direction),
        }
    }

    /// These squares and all of their neighbours.
    #[inline]
    fn around(&self, set: u32) -> u32 {
        let wide = set | self.ahead(set, 3) | self.ahead(set, 4);
        (wide | wide << self.columns | wide >> self.columns) & self.all
    }

    /// The free squares from a square on in a direction, up to the first that is taken.
    #[inline]
    fn path(&self, square: usize, direction: usize, taken: u32) -> u32 {
        let ray = self.rays[square % SQUARES][direction];
        let blocked = ray & taken;
        match direction < ASCENDING {
            true => ray & u32::MAX << (u32::BITS - blocked.leading_zeros()),
            false => ray & (blocked & blocked.wrapping_neg()).wrapping_sub(1),
        }
    }

    /// The squares that a man can go to along a path.
    #[inline]
    fn targets(&self, path: u32, direction: usize) -> u32 {
        if self.rules == Rules::Flexible || path == 0 {
            path
        } else if direction < ASCENDING {
            path & path.wrapping_neg()
        } else {
            1 << path.ilog2()
        }
    }

    /// The squares of the inner rows that the bobail can step to so that a man can move then.
    #[inline]
    fn steps(&self, pieces: &Pieces) -> u32 {
        let empty = self.empty(pieces);
        let steps = self.around(pieces.bobail) & empty & self.inner;
        // A man can go to the square that the bobail leaves, but not to the one that it takes.
        let reached = self.around(pieces.own) & (empty | pieces.bobail);
        match reached & reached.wrapping_sub(1) {
            _ if reached == 0 => 0,
            0 => steps & !reached,
            _ => steps,
        }
    }

    /// Whether the player to move has a turn that ends play nowhere, and otherwise how it ends.
    #[inline]
    pub(super) fn end(&self, pieces: &Pieces) -> Option<End> {
        let open = self.around(pieces.bobail) & self.empty(pieces);
        let [own_home, other_home] = self.homes.map(|home| open & home != 0);
        if own_home {
            Some(End::Arrives)
        } else if self.steps(pieces) != 0 {
            None
        } else if other_home {
            Some(End::Forced)
        } else {
            Some(End::Stuck)
        }
    }

    /// Visits the pieces after each move of a man, still seen by the player who moved.
    #[inline]
    pub(super) fn each_man(&self, pieces: &Pieces, mut visit: impl FnMut(Pieces)) {
        let taken = self.all & !self.empty(pieces);
        for man in singles(pieces.own) {
            for direction in 0..DIRECTIONS {
                let path = self.path(man.trailing_zeros() as usize, direction, taken);
                for target in singles(self.targets(path, direction)) {
                    visit(Pieces { own: pieces.own ^ man ^ target, ..*pieces });
                }
            }
        }
    }

    /// Visits the pieces after each turn that does not end play, still seen by the player who moved.
    #[inline]
    pub(super) fn each_turn(&self, pieces: &Pieces, mut visit: impl FnMut(Pieces)) {
        for bobail in singles(self.steps(pieces)) {
            self.each_man(&Pieces { bobail, ..*pieces }, &mut visit);
        }
    }

    /// The number of turns that do not end play.
    #[inline]
    pub(super) fn count_turns(&self, pieces: &Pieces) -> u32 {
        let &Pieces { bobail, own, .. } = pieces;
        let steps = singles(self.steps(pieces));
        let open = self.empty(pieces) | bobail;
        let mut count = 0;
        match self.rules {
            Rules::Official => {
                // A man has one move in each direction in which its neighbour is free.
                let ahead = |direction| (self.ahead(own, direction) & open).count_ones();
                let moves: u32 = (0..DIRECTIONS).map(ahead).sum();
                for step in steps {
                    count += moves - (self.around(step) & own).count_ones();
                }
            }
            Rules::Flexible => {
                for step in steps {
                    for direction in 0..DIRECTIONS {
                        let mut reached = own;
                        while reached != 0 {
                            reached = self.ahead(reached, direction) & open & !step;
                            count += reached.count_ones();
                        }
                    }
                }
            }
        }
        count
    }

    /// The squares that a man can have come from, seen by the player who moved it.
    #[inline]
    pub(super) fn origins(&self, pieces: &Pieces, man: u32) -> u32 {
        let empty = self.empty(pieces);
        let mut origins = 0;
        for direction in 0..DIRECTIONS {
            // By the official rules, a man went on as far as it could.
            let stopped = match self.rules {
                Rules::Official => self.ahead(man, direction) & empty == 0,
                Rules::Flexible => true,
            };
            if stopped {
                let back = DIRECTIONS - 1 - direction;
                origins |= self.path(man.trailing_zeros() as usize, back, !empty);
            }
        }
        origins
    }

    /// Visits the ways to undo the last turn, seen by the player who made it, which lead to
    /// pieces with which play was not over. Visits the square of the bobail before, the man that
    /// moved, and all squares that this man can have come from. The pieces before must not be
    /// ended in another way.
    #[inline]
    pub(super) fn each_way_back(&self, pieces: &Pieces, mut visit: impl FnMut(u32, u32, u32)) {
        let &Pieces { bobail, own, other } = pieces;
        let steps = self.around(bobail) & self.inner & !(bobail | other);
        for man in singles(own) {
            let origins = self.origins(pieces, man);
            let stayed = own ^ man;
            // The man may stand where the bobail was before.
            for before in singles(steps & !stayed) {
                // The bobail could not step onto the own home row, or play would have ended there.
                let open = self.around(before) & self.homes[0] & !(stayed | other);
                let closes = match open & open.wrapping_sub(1) {
                    _ if open == 0 => u32::MAX,
                    0 => open,
                    _ => continue,
                };
                let origins = origins & closes & !before;
                if origins != 0 {
                    visit(before, man, origins);
                }
            }
        }
    }
}

/// The squares of a set, ascending, each as a set of its own.
#[inline]
pub(super) fn singles(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
