//! m,n,k: tic-tac-toe on a board of m columns and n rows, where k in a row win.
//!
//! An example of a game without a numbering of its own: it has a start and legal moves, and the
//! engine discovers the rest. It also has a dense numbering, of all boards whose counts of stones
//! are possible when players take turns, reachable or not.

use retrograde::board::{self, Grid, Names};
use retrograde::error::IndexError;
use retrograde::index::{Arrangements, Concatenated, Symmetries, singles};
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Tier, Tiered,
    scheme,
};
use serde::{Deserialize, Serialize};

use crate::Started;
use crate::shared::{self, BoardError};

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
    /// Count turns and reflections of a board as one, where states are explored; the dense
    /// numbering contains all
    #[arg(long)]
    pub fold: bool,
}

/// The game of m,n,k.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<MnkParameters>", into = "Started<MnkParameters>")]
pub struct Mnk {
    parameters: MnkParameters,
    /// The squares of every line that wins.
    lines: Vec<u64>,
    /// The turns and reflections of the board, if they are folded.
    symmetries: Option<Symmetries>,
    /// The dense numbering of all boards, by rising counts of stones, unless the board has too many
    /// squares for it.
    numbering: Option<Concatenated<Arrangements<2>>>,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Board>,
}

/// The boards with `squares` squares.
fn numbering(squares: u32) -> Result<Concatenated<Arrangements<2>>, IndexError> {
    let boards = |stones: u32| Arrangements::new(squares, [stones.div_ceil(2), stones / 2]);
    Concatenated::new((0..=squares).map(boards).collect::<Result<_, _>>()?)
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

    /// The player to move, by the parity of the count of stones, since the first player begins.
    fn turn(self) -> Player {
        Player::BOTH[(self.occupied().count_ones() % 2) as usize]
    }

    /// The board with a stone of `player` put on an empty square, or taken away from a full one.
    fn toggled(mut self, player: Player, square: u64) -> Board {
        self.stones[player.index()] ^= square;
        self
    }
}

/// The least image of a board under symmetries. It takes and returns stones instead of a [`Board`]:
/// so boards that are not folded stay in registers.
#[cold]
#[inline(never)]
fn least_image(x: u64, o: u64, symmetries: &Symmetries) -> (u64, u64) {
    let image = |element| (symmetries.apply(element, x), symmetries.apply(element, o));
    (1..symmetries.order()).map(image).fold((x, o), Ord::min)
}

impl Mnk {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has no squares or more than 64, or no line on it is that long.
    pub fn new(parameters: MnkParameters) -> Result<Mnk, BoardError> {
        let MnkParameters { columns, rows, in_a_row, fold } = parameters;
        let size = BoardError::Size { columns, rows, expected: "1 to 64 squares" };
        if !(1..=64).contains(&(u64::from(columns) * u64::from(rows))) {
            return Err(size);
        }
        shared::check_line(in_a_row, columns, rows)?;
        let lines = lines(columns as i32, rows as i32, in_a_row as i32);
        let symmetries = if fold { Symmetries::rectangle(columns, rows).ok() } else { None };
        let numbering = numbering(columns * rows).ok();
        Ok(Mnk { parameters, lines, symmetries, numbering, root: None })
    }

    fn grid(&self) -> Grid {
        let MnkParameters { columns, rows, .. } = self.parameters;
        Grid::new(columns, rows).with_letters("xo").with_names(Names::Numbers)
    }

    fn board_squares(&self) -> u32 {
        self.parameters.columns * self.parameters.rows
    }

    /// The tier of the boards with this many stones.
    #[inline]
    fn tier_of_stones(&self, stones: u32) -> usize {
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
        singles(empty).map(|square| board.toggled(mover, square)).for_each(visit);
    }

    #[inline]
    fn degree(&self, board: &Board) -> Option<u64> {
        // Under symmetries several moves may lead to one board.
        let empty = self.board_squares() - board.occupied().count_ones();
        self.symmetries.is_none().then_some(empty.into())
    }

    fn predecessors(&self, board: &Board, visit: impl FnMut(Board)) {
        let moved = board.turn().opponent();
        let stones = board.stones[moved.index()];
        singles(stones).map(|square| board.toggled(moved, square)).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Board> {
        [self.root.unwrap_or(Board { stones: [0, 0] })]
    }

    #[inline]
    fn canonical(&self, board: &Board) -> Board {
        let [x, o] = board.stones;
        let (x, o) = match &self.symmetries {
            None => (x, o),
            Some(symmetries) => least_image(x, o, symmetries),
        };
        Board { stones: [x, o] }
    }
}

/// All boards whose counts of stones are possible when players take turns. Every index is used.
/// Symmetries are not folded here, even with [`MnkParameters::fold`].
///
/// Beyond 42 squares there are more boards than indices. Then `len` is the greatest integer, and
/// solving is refused, since the memory is too little.
impl Indexed for Mnk {
    fn len(&self) -> u64 {
        self.numbering.as_ref().map_or(u64::MAX, Concatenated::len)
    }

    #[inline]
    fn index(&self, board: &Board) -> u64 {
        let Some(numbering) = &self.numbering else { return u64::MAX };
        numbering.rank((board.occupied().count_ones() as usize, board.stones))
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Board> {
        let (_, stones) = self.numbering.as_ref()?.unrank(index)?;
        Some(Board { stones })
    }
}

/// A tier for each count of stones: every move leads to the tier with one stone more, which is
/// solved first.
impl Tiered for Mnk {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |stones: u32| {
            let more = self.tier_of_stones(stones).checked_sub(1);
            Tier { name: format!("{stones}-stones"), leads_to: more.into_iter().collect() }
        };
        (0..=self.board_squares()).rev().map(tier).collect()
    }

    #[inline]
    fn tier(&self, board: &Board) -> usize {
        self.tier_of_stones(board.occupied().count_ones())
    }

    #[inline]
    fn exits(&self, _: usize, board: &Board, visit: impl FnMut(Board)) {
        self.moves(board, visit);
    }

    #[inline]
    fn tier_degree(&self, _: usize, _: &Board) -> Option<u64> {
        Some(0)
    }
}

/// The stones of the first player, then the stones of the second: a bit a square.
impl PackedState for Mnk {
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

    fn rules(&self) -> Option<String> {
        let MnkParameters { columns, rows, in_a_row, .. } = self.parameters;
        let size = shared::size(columns, rows);
        let first = self.player(Player::First);
        Some(format!(
            "The board has {size} and is empty at first. In turns, beginning with {first}, players put \
             their mark on an empty square. Marks are never moved or taken away. The first player with \
             {in_a_row} marks in a row wins: across, down or diagonally. If the board is full without \
             such a row, the game is a draw."
        ))
    }

    fn write_state(&self, board: &Board) -> String {
        self.grid().write(|square, player| board.stones[player] >> square & 1 == 1)
    }

    fn parse_state(&self, text: &str) -> Result<Board, NotationError> {
        let grid = self.grid();
        board::read_position(self, text, grid, |text| {
            let mut stones = [0; 2];
            grid.read(text, |square, player| stones[player] |= 1 << square)?;
            shared::check_turns(stones)?;
            Ok(Board { stones })
        })
    }

    fn write_move(&self, from: &Board, to: &Board) -> String {
        let square = (from.occupied() ^ to.occupied()).trailing_zeros();
        format!("{} {}", self.player(from.turn()), self.grid().name(square as usize))
    }

    fn draw(&self, board: &Board) -> String {
        self.write_state(board).replace('/', "\n")
    }

    fn scene(&self, board: &Board) -> Option<Scene> {
        let mut scene = self.grid().scene();
        for player in Player::BOTH {
            let stones = board.stones[player.index()];
            scene.put_on(stones, &mark(player));
            shared::strike_won(&mut scene, self.lines.iter().copied(), stones);
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(mark))
    }

    fn set_up(&self, scene: &Scene, _: Player) -> Result<Board, NotationError> {
        let stones = Player::BOTH.map(|player| scene.places_of(player));
        shared::check_turns(stones)?;
        Ok(Board { stones })
    }
}

impl Numbered for Mnk {
    #[cfg(not(feature = "numberings"))]
    type Numberings = scheme::Packed;
    #[cfg(feature = "numberings")]
    type Numberings = (scheme::Packed, scheme::Dense, scheme::Tiers<scheme::Packed>);
    const OPTIONAL: scheme::OptionalSchemes = crate::optional(&["dense", "packed-tiers"]);
}

shared::shipped! {
    Mnk, "mnk": "m,n,k: tic-tac-toe on any board",
    example: "-m 3 -n 3 -k 3",
    states: "the rows from the top, x to begin: x.o/.x./...",
    parameters: MnkParameters,
    made: Mnk::new, BoardError,
    kept: |game| game.parameters,
    starts: root,
}
