//! Connect Four, on a board of any size up to 64 bits.
//!
//! The players drop stones into the columns of an upright board in turns, each onto those that are
//! there. So many in a row win: upwards, across or diagonally. A full board is a draw.
//!
//! The game comes in two numberings: packed states that are discovered from the empty board, and
//! tiers by the number of stones, which are solved from the full board down, so that only two of
//! them are in memory at a time.

mod notation;
mod tiers;

use retrograde::board::Grid;
use retrograde::index::singles;
use retrograde::{Game, Numbered, Outcome, PackedState, Player, scheme};
use serde::{Deserialize, Serialize};

use crate::Started;
use crate::shared::{self, BoardError};
use tiers::Numbering;

/// The parameters of a game of Connect Four, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct ConnectFourParameters {
    /// The number of columns
    #[arg(short = 'm', long, default_value_t = 5)]
    pub columns: u32,
    /// The number of rows
    #[arg(short = 'n', long, default_value_t = 4)]
    pub rows: u32,
    /// How many in a row win: upwards, across or diagonally
    #[arg(short = 'k', long, value_name = "STONES", default_value_t = 4)]
    pub in_a_row: u32,
    /// Count a board and its mirror image as one, where states are explored; the tiers contain both
    #[arg(long)]
    pub fold: bool,
}

/// The game of Connect Four.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<ConnectFourParameters>", into = "Started<ConnectFourParameters>")]
pub struct ConnectFour {
    parameters: ConnectFourParameters,
    grid: Columns,
    lines: Lines,
    numbering: Numbering,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Stones>,
}

/// The stones on the board, a bit a square: column by column from the left, each from the bottom,
/// with one bit above it that stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stones {
    /// The stones of both players.
    all: u64,
    /// The stones of the player to move.
    own: u64,
}

impl Stones {
    /// The stones of the player who moved last.
    #[inline]
    fn other(self) -> u64 {
        self.all ^ self.own
    }

    /// The player to move, by the parity of the count of stones, since the first player begins.
    #[inline]
    fn turn(self) -> Player {
        Player::BOTH[(self.all.count_ones() % 2) as usize]
    }

    /// The stones of one player.
    fn of(self, player: Player) -> u64 {
        if player == self.turn() { self.own } else { self.other() }
    }
}

/// Where the squares of a board are among 64 bits.
#[derive(Clone, Copy, Debug)]
struct Columns {
    columns: u32,
    rows: u32,
    /// Every square.
    squares: u64,
    /// The lowest square of every column.
    bottom: u64,
}

impl Columns {
    fn new(columns: u32, rows: u32) -> Columns {
        let bottom = (0..columns).fold(0, |set, column| set | 1 << (column * (rows + 1)));
        // Where each column is full, it has all bits below the one above it.
        Columns { columns, rows, squares: bottom * ((1 << rows) - 1), bottom }
    }

    /// How many bits there are for a column, the empty one included.
    #[inline]
    fn height(&self) -> u32 {
        self.rows + 1
    }

    /// How many squares there are.
    fn len(&self) -> u32 {
        self.columns * self.rows
    }

    /// The rows and columns, as people see them.
    fn board(&self) -> Grid {
        Grid::new(self.columns, self.rows).with_letters("xo")
    }

    /// The bit of a square of the [board](Columns::board), whose rows count from the top.
    fn square(&self, square: usize) -> u64 {
        let (column, row) = self.board().place(square);
        1 << (column * self.height() + self.rows - 1 - row)
    }

    /// The squares that a stone can drop to.
    #[inline]
    fn open(&self, all: u64) -> u64 {
        // The carry of each column comes to lie just above its stones.
        (all + self.bottom) & self.squares
    }

    /// How far the next square of a line is: across, up, and both ways aslant.
    fn steps(&self) -> [u32; 4] {
        let (across, up) = (self.height(), 1);
        [across, up, across + up, across - up]
    }

    /// The highest stone of every column.
    #[inline]
    fn tops(&self, all: u64) -> u64 {
        ((all + self.bottom) >> 1) & all
    }

    /// The stones of a column, the lowest bit its bottom.
    #[inline]
    fn column(&self, stones: u64, column: u32) -> u64 {
        stones >> (column * self.height()) & ((1 << self.rows) - 1)
    }

    fn mirrored(&self, stones: u64) -> u64 {
        let columns = (0..self.columns).map(|column| self.column(stones, column));
        columns.fold(0, |mirrored, column| mirrored << self.height() | column)
    }

    /// For every column all squares up to the highest of these, which may lie above the board.
    #[inline]
    fn filled(&self, mut set: u64) -> u64 {
        // The bits of each column that a shift by `step` brings into the next.
        let (mut step, mut inside) = (1, self.squares);
        while step <= self.rows {
            set |= set >> step & inside;
            // The squares that a shift by twice as much may fill.
            inside &= inside >> step;
            step *= 2;
        }
        set
    }
}

/// How to find a line: stones are laid over themselves, moved by a part of a line at a time.
#[derive(Clone, Debug)]
struct Lines {
    /// By how far they are moved in each direction.
    shifts: Vec<[u32; 4]>,
}

impl Lines {
    /// Lines of `length` squares, which is at least one.
    fn new(grid: &Columns, length: u32) -> Lines {
        let [columns, rows] = [grid.columns, grid.rows];
        let fits = [columns, rows, columns.min(rows), columns.min(rows)].map(|size| size >= length);
        let steps = grid.steps();
        let directions = [0, 1, 2, 3].map(|way| (steps[way], fits[way]));
        let (mut shifts, mut found) = (Vec::new(), 1);
        while found < length {
            let further = found.min(length - found);
            // The highest bit is that above the last column, which is never set: nothing is left
            // where no line fits.
            shifts.push(directions.map(|(step, fits)| if fits { further * step } else { 63 }));
            found += further;
        }
        Lines { shifts }
    }

    /// Where lines among these stones begin, for each direction.
    #[inline]
    fn begin_in(&self, stones: u64) -> [u64; 4] {
        let mut runs = [stones; 4];
        for shifts in &self.shifts {
            runs.iter_mut().zip(shifts).for_each(|(run, shift)| *run &= *run >> shift);
        }
        runs
    }

    /// Whether there is a line among these stones.
    #[inline]
    fn are_in(&self, stones: u64) -> bool {
        let runs = self.begin_in(stones);
        runs[0] | runs[1] | runs[2] | runs[3] != 0
    }
}

impl ConnectFour {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has no squares, its columns with one more row take more than 64 bits, or no
    /// line on it is that long.
    pub fn new(parameters: ConnectFourParameters) -> Result<ConnectFour, BoardError> {
        let ConnectFourParameters { columns, rows, in_a_row, .. } = parameters;
        let expected = "at least one of each, and columns times (rows + 1) to be at most 64";
        let size = BoardError::Size { columns, rows, expected };
        let bits = u64::from(columns) * (u64::from(rows) + 1);
        if columns == 0 || rows == 0 || bits > 64 {
            return Err(size);
        }
        shared::check_line(in_a_row, columns, rows)?;
        let grid = Columns::new(columns, rows);
        let lines = Lines::new(&grid, in_a_row);
        let numbering = Numbering::new(&grid).map_err(|_| size)?;
        Ok(ConnectFour { parameters, grid, lines, numbering, root: None })
    }
}

impl Game for ConnectFour {
    type State = Stones;
    const PREDECESSORS: bool = true;

    #[inline]
    fn turn(&self, stones: &Stones) -> Player {
        stones.turn()
    }

    /// Play ends with a line; both players have one only where it went on after its end, which is
    /// the last move's then.
    #[inline]
    fn terminal(&self, stones: &Stones) -> Option<Outcome> {
        if self.lines.are_in(stones.other()) {
            Some(Outcome::Win(stones.turn().opponent()))
        } else if self.lines.are_in(stones.own) {
            Some(Outcome::Win(stones.turn()))
        } else {
            (stones.all == self.grid.squares).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn moves(&self, stones: &Stones, visit: impl FnMut(Stones)) {
        let own = stones.other();
        singles(self.grid.open(stones.all))
            .map(|square| Stones { all: stones.all | square, own })
            .for_each(visit);
    }

    #[inline]
    fn degree(&self, stones: &Stones) -> Option<u64> {
        // In a mirror, two moves may lead to one board.
        let moves = self.grid.open(stones.all).count_ones();
        (!self.parameters.fold).then_some(moves.into())
    }

    fn max_plies(&self) -> Option<u32> {
        Some(self.grid.len())
    }

    #[inline]
    fn predecessors(&self, stones: &Stones, visit: impl FnMut(Stones)) {
        let moved = stones.other();
        singles(self.grid.tops(stones.all) & moved)
            .map(|square| Stones { all: stones.all ^ square, own: moved ^ square })
            .for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Stones> {
        [self.root.unwrap_or(Stones { all: 0, own: 0 })]
    }

    #[inline]
    fn canonical(&self, stones: &Stones) -> Stones {
        if !self.parameters.fold {
            return *stones;
        }
        let [all, own] = [stones.all, stones.own].map(|stones| self.grid.mirrored(stones));
        Stones { all, own }.min(*stones)
    }
}

/// The stones of the player to move, and a bit above each column's stones.
impl PackedState for ConnectFour {
    type Word = u64;

    #[inline]
    fn pack(&self, stones: &Stones) -> u64 {
        stones.own | (stones.all + self.grid.bottom)
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Stones {
        let all = self.grid.filled(packed) >> 1 & self.grid.squares;
        Stones { all, own: packed & all }
    }

    fn is_packed(&self, word: u64) -> bool {
        let stones = self.unpack(word);
        // The player to move has as many stones as the other, or one fewer.
        stones.own.count_ones() == stones.all.count_ones() / 2 && self.pack(&stones) == word
    }
}

impl Numbered for ConnectFour {
    #[cfg(not(feature = "numberings"))]
    type Numberings = (scheme::Packed, scheme::Tiers<scheme::Dense>);
    #[cfg(feature = "numberings")]
    type Numberings = (scheme::Packed, scheme::Tiers<scheme::Dense>, scheme::Tiers<scheme::Packed>);
    const OPTIONAL: scheme::OptionalSchemes = crate::optional(&["packed-tiers"]);
}

shared::shipped! {
    ConnectFour, "connect-four": "Connect Four on any board",
    example: "-m 4 -n 4 -k 4",
    states: "the rows from the top, x for yellow, who begins, and o for red: ..../..../o.../xx..",
    parameters: ConnectFourParameters,
    made: ConnectFour::new, BoardError,
    kept: |game| game.parameters,
    starts: root,
}
