//! m,n,k: tic-tac-toe on a board of m columns and n rows, where k in a row win.
//!
//! An example of a game without a numbering of its own: it has a start and legal moves, and the engine
//! discovers the rest. It has a dense numbering too, of all boards whose counts of stones are those of
//! players who take turns, reachable or not.

use std::cmp::Ordering;

use retrograde::cli::{CliError, Registered};
use retrograde::index::{Arrangements, IndexError};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, Packed, Player, Solvable, Stored, Tier,
    Tiered, scheme,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::picture;

/// The parameters of a game of m,n,k, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct MnkParameters {
    /// The number of columns
    #[arg(short = 'm', long, default_value_t = 3)]
    pub columns: u32,
    /// The number of rows
    #[arg(short = 'n', long, default_value_t = 3)]
    pub rows: u32,
    /// How many in a row win: across, down or diagonally
    #[arg(short = 'k', long, value_name = "STONES", default_value_t = 3)]
    pub in_a_row: u32,
    /// Take boards that are turns and reflections of each other as one, where states are explored;
    /// the dense numbering has them all
    #[arg(long)]
    pub fold: bool,
}

/// An error in the parameters of a game of m,n,k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MnkError {
    /// The board has no squares, or too many.
    #[error("a board of {columns} x {rows} squares: expected 1 to 64 squares")]
    Board {
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
    },
    /// No line can be that long.
    #[error("{in_a_row} in a row on a board of {columns} x {rows}: expected 1 to {longest}")]
    Line {
        /// How many should win.
        in_a_row: u32,
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
        /// The longest row there is.
        longest: u32,
    },
}

/// The game of m,n,k.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "MnkParameters", into = "MnkParameters")]
pub struct Mnk {
    parameters: MnkParameters,
    /// The squares of every line that wins.
    lines: Vec<u64>,
    /// The turns and reflections of the board: where each square goes.
    symmetries: Vec<Vec<u8>>,
    /// The dense numbering, unless the board has too many squares for it.
    numbering: Option<Numbering>,
}

/// The dense numbering of all boards, by rising counts of stones.
#[derive(Clone, Debug)]
struct Numbering {
    /// The numberings of the boards with each count of stones.
    boards: Vec<Arrangements<2>>,
    /// The index of the first board with each count of stones, and at last the number of boards.
    starts: Vec<u64>,
}

impl Numbering {
    /// The numbering of the boards with `squares` squares.
    fn new(squares: u32) -> Result<Numbering, IndexError> {
        let mut numbering = Numbering { boards: Vec::new(), starts: vec![0] };
        let mut len = 0_u64;
        for stones in 0..=squares {
            let boards = Arrangements::new(squares, [stones.div_ceil(2), stones / 2])?;
            len = len.checked_add(boards.len()).ok_or(IndexError::TooLong)?;
            numbering.boards.push(boards);
            numbering.starts.push(len);
        }
        Ok(numbering)
    }

    fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// The stones on the board, a bit a square, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Board {
    /// The stones of each player.
    stones: [u64; 2],
}

impl Board {
    fn occupied(self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// Who is to move, by the parity of the count of stones, since the first player begins.
    fn turn(self) -> Player {
        Player::BOTH[(self.occupied().count_ones() % 2) as usize]
    }

    /// Makes sure that the players took turns.
    fn check(self) -> Result<(), String> {
        let [x, o] = self.stones.map(u64::count_ones);
        match x.cmp(&o) {
            Ordering::Less => Err(format!("{x} x and {o} o, and x begins")),
            Ordering::Greater if x > o + 1 => Err(format!("{x} x and {o} o, who take turns")),
            _ => Ok(()),
        }
    }

    /// The board with a stone of `player` put on an empty square, or taken away from a full one.
    fn toggled(mut self, player: Player, square: u32) -> Board {
        self.stones[player.index()] ^= 1 << square;
        self
    }
}

/// The squares of a set, ascending.
fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < u64::BITS).then_some(square)
    })
}

impl Mnk {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has no squares or more than 64, or no line on it is that long.
    pub fn new(parameters: MnkParameters) -> Result<Mnk, MnkError> {
        let MnkParameters { columns, rows, in_a_row, fold } = parameters;
        if !(1..=64).contains(&(u64::from(columns) * u64::from(rows))) {
            return Err(MnkError::Board { columns, rows });
        }
        let longest = columns.max(rows);
        if !(1..=longest).contains(&in_a_row) {
            return Err(MnkError::Line { in_a_row, columns, rows, longest });
        }
        let lines = lines(columns as i32, rows as i32, in_a_row as i32);
        let symmetries = if fold { symmetries(columns, rows) } else { Vec::new() };
        let numbering = Numbering::new(columns * rows).ok();
        Ok(Mnk { parameters, lines, symmetries, numbering })
    }

    fn board_squares(&self) -> u32 {
        self.parameters.columns * self.parameters.rows
    }

    /// The tier of the boards with so many stones.
    #[inline]
    fn other_way_round(&self, stones: u32) -> usize {
        (self.board_squares() - stones) as usize
    }

    fn is_full(&self, board: &Board) -> bool {
        board.occupied().count_ones() == self.board_squares()
    }

    fn has_line(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }
}

/// The squares of every line of `length` squares.
fn lines(columns: i32, rows: i32, length: i32) -> Vec<u64> {
    let mut lines = Vec::new();
    for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for row in 0..rows {
            for column in 0..columns {
                let (end_column, end_row) =
                    (column + right * (length - 1), row + down * (length - 1));
                if (0..columns).contains(&end_column) && (0..rows).contains(&end_row) {
                    let square = |at| (row + down * at) * columns + column + right * at;
                    lines.push((0..length).fold(0, |line, at| line | 1 << square(at)));
                }
            }
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The turns and reflections of a board but the one that leaves all as it is: where each square
/// goes.
fn symmetries(columns: u32, rows: u32) -> Vec<Vec<u8>> {
    let mut symmetries = Vec::new();
    for (transposed, flipped_right, flipped_down) in
        (1..8).map(|bits| (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0))
    {
        if transposed && columns != rows {
            continue;
        }
        let image = |square: u32| {
            let (mut row, mut column) = (square / columns, square % columns);
            if transposed {
                (row, column) = (column, row);
            }
            if flipped_right {
                column = columns - 1 - column;
            }
            if flipped_down {
                row = rows - 1 - row;
            }
            (row * columns + column) as u8
        };
        symmetries.push((0..columns * rows).map(image).collect());
    }
    symmetries
}

impl Game for Mnk {
    type State = Board;
    const PREDECESSORS: bool = true;

    fn turn(&self, board: &Board) -> Player {
        board.turn()
    }

    fn terminal(&self, board: &Board) -> Option<Outcome> {
        let moved = board.turn().opponent();
        if self.has_line(board.stones[moved.index()]) {
            Some(Outcome::Win(moved))
        } else {
            self.is_full(board).then_some(Outcome::Draw)
        }
    }

    fn moves(&self, board: &Board, visit: impl FnMut(Board)) {
        let all = u64::MAX >> (u64::BITS - self.board_squares());
        let empty = all & !board.occupied();
        let mover = board.turn();
        squares(empty).map(|square| board.toggled(mover, square)).for_each(visit);
    }

    #[inline]
    fn degree(&self, board: &Board) -> Option<u64> {
        // Under symmetries several moves may lead to one board.
        let empty = self.board_squares() - board.occupied().count_ones();
        self.symmetries.is_empty().then_some(empty.into())
    }

    fn predecessors(&self, board: &Board, visit: impl FnMut(Board)) {
        let moved = board.turn().opponent();
        let stones = board.stones[moved.index()];
        squares(stones).map(|square| board.toggled(moved, square)).for_each(visit);
    }

    fn roots(&self) -> Vec<Board> {
        vec![Board { stones: [0, 0] }]
    }

    #[inline]
    fn canonical(&self, board: &Board) -> Board {
        if self.symmetries.is_empty() {
            return *board;
        }
        let image = |symmetry: &Vec<u8>| {
            let image = |stones| {
                squares(stones).fold(0, |set, square| set | 1 << symmetry[square as usize])
            };
            Board { stones: board.stones.map(image) }
        };
        self.symmetries.iter().map(image).fold(*board, Board::min)
    }
}

/// All boards whose counts of stones are those of players who take turns: every index is used.
/// Symmetries are not folded here, even with [`MnkParameters::fold`].
///
/// Beyond 42 squares there are more boards than indices. Then `len` is the greatest integer, and solving
/// is refused for lack of memory.
impl Indexed for Mnk {
    fn len(&self) -> u64 {
        self.numbering.as_ref().map_or(u64::MAX, Numbering::len)
    }

    #[inline]
    fn index(&self, board: &Board) -> u64 {
        let Some(numbering) = &self.numbering else { return u64::MAX };
        let stones = board.occupied().count_ones() as usize;
        numbering.starts[stones] + numbering.boards[stones].rank(board.stones)
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Board> {
        let numbering = self.numbering.as_ref()?;
        let stones = numbering.starts.partition_point(|&start| start <= index).checked_sub(1)?;
        let boards = numbering.boards.get(stones)?;
        Some(Board { stones: boards.unrank(index - numbering.starts[stones]) })
    }
}

/// A tier for each count of stones: every move leads to the tier with one stone more, which is solved
/// first.
impl Tiered for Mnk {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |stones: u32| {
            let more = self.other_way_round(stones).checked_sub(1);
            Tier { name: format!("{stones}-stones"), leads_to: more.into_iter().collect() }
        };
        (0..=self.board_squares()).rev().map(tier).collect()
    }

    #[inline]
    fn tier(&self, board: &Board) -> usize {
        self.other_way_round(board.occupied().count_ones())
    }

    #[inline]
    fn exits(&self, _: usize, board: &Board, visit: impl FnMut(Board)) {
        self.moves(board, visit);
    }

    #[inline]
    fn internal_degree(&self, _: usize, _: &Board) -> Option<u64> {
        Some(0)
    }
}

/// The stones of the first player, then those of the second: a bit a square.
impl Packed for Mnk {
    type Word = u128;

    fn fits_u64(&self) -> bool {
        2 * self.board_squares() <= u64::BITS
    }

    #[inline]
    fn pack(&self, board: &Board) -> u128 {
        let [first, second] = board.stones.map(u128::from);
        first << self.board_squares() | second
    }

    #[inline]
    fn unpack(&self, packed: u128) -> Board {
        let squares = self.board_squares();
        let second = packed & (u128::MAX >> (u128::BITS - squares));
        Board { stones: [(packed >> squares) as u64, second as u64] }
    }

    fn is_packed(&self, word: u128) -> bool {
        let Board { stones: [first, second] } = self.unpack(word);
        let squares = u64::MAX >> (u64::BITS - self.board_squares());
        let are_stones = first & second == 0 && (first | second) & !squares == 0;
        // The first player begins.
        are_stones
            && [0, 1].contains(&first.count_ones().wrapping_sub(second.count_ones()))
            && self.pack(&Board { stones: [first, second] }) == word
    }
}

/// A player's mark on a picture.
fn mark(player: Player) -> Piece {
    [Piece::cross(), Piece::nought()][player.index()].clone().of(player)
}

impl Notation for Mnk {
    fn player(&self, player: Player) -> &str {
        ["x", "o"][player.index()]
    }

    fn write_state(&self, board: &Board) -> String {
        self.draw(board).replace('\n', "/")
    }

    fn parse_state(&self, text: &str) -> Result<Board, NotationError> {
        let (columns, rows) = (self.parameters.columns as usize, self.parameters.rows as usize);
        let wrong = |problem: String| {
            let empty = self.write_state(&Board { stones: [0, 0] });
            let message = format!(
                "\"{text}\" is not a board: {problem}; expected {rows} rows of {columns} squares \
                 x, o or ., as in {empty}"
            );
            Err(NotationError::new(message))
        };
        let lines: Vec<&str> = text.trim().split('/').collect();
        if lines.len() != rows {
            return wrong(format!("it has {} rows", lines.len()));
        }
        let mut board = Board { stones: [0, 0] };
        let mut square = 0;
        for (row, line) in lines.iter().enumerate() {
            let length = line.chars().count();
            if length != columns {
                return wrong(format!("row {row} has {length} squares"));
            }
            for character in line.chars() {
                match character {
                    'x' => board = board.toggled(Player::First, square),
                    'o' => board = board.toggled(Player::Second, square),
                    '.' => {}
                    _ => return wrong(format!("row {row} has a {character:?}")),
                }
                square += 1;
            }
        }
        board.check().map_or_else(wrong, |()| Ok(board))
    }

    fn write_move(&self, from: &Board, to: &Board) -> String {
        let square = (from.occupied() ^ to.occupied()).trailing_zeros();
        let (row, column) = (square / self.parameters.columns, square % self.parameters.columns);
        format!("{} r{row}c{column}", self.player(from.turn()))
    }

    fn draw(&self, board: &Board) -> String {
        let character = |square: u32| match board.stones.map(|stones| stones >> square & 1 == 1) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        };
        let row = |row: u32| -> String {
            let columns = self.parameters.columns;
            (row * columns..(row + 1) * columns).map(character).collect()
        };
        (0..self.parameters.rows).map(row).collect::<Vec<_>>().join("\n")
    }

    fn scene(&self, board: &Board) -> Option<Scene> {
        let MnkParameters { columns, rows, .. } = self.parameters;
        let mut scene = Scene::board(columns, rows, picture::square_name);
        picture::label_squares(&mut scene, 1.0, columns, rows);
        for player in Player::BOTH {
            for square in squares(board.stones[player.index()]) {
                scene.put(square as usize, mark(player));
            }
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(mark))
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Board, NotationError> {
        let mut board = Board { stones: [0, 0] };
        for (square, mark) in scene.pieces() {
            board = board.toggled(mark.side().unwrap_or(Player::First), square as u32);
        }
        board.check().map_or_else(|problem| Err(NotationError::new(problem)), |()| Ok(board))
    }
}

impl Solvable for Mnk {
    type Numberings = (scheme::Packed, scheme::Dense, scheme::Tiers<scheme::Packed>);
}

impl Stored for Mnk {
    const NAME: &'static str = "mnk";

    fn state_text(&self, state: &Self::State) -> String {
        self.write_state(state)
    }
}

impl Registered for Mnk {
    const ABOUT: &'static str = "m,n,k: tic-tac-toe on any board";
    const EXAMPLE: &'static str = "-m 3 -n 3 -k 3";
    const STATES: &'static str = "the rows from the top, x to begin: x.o/.x./...";
    const LAWS_ARE_TESTED: bool = true;
    type Options = MnkParameters;

    fn from_options(parameters: MnkParameters) -> Result<Mnk, CliError> {
        Mnk::new(parameters).map_err(CliError::usage)
    }
}

impl TryFrom<MnkParameters> for Mnk {
    type Error = MnkError;

    fn try_from(parameters: MnkParameters) -> Result<Mnk, MnkError> {
        Mnk::new(parameters)
    }
}

impl From<Mnk> for MnkParameters {
    fn from(game: Mnk) -> MnkParameters {
        game.parameters
    }
}
