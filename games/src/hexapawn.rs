//! Hexapawn: nothing but pawns, on a board of any size.
//!
//! Each player's pawns fill the row of squares at that player's edge. They move as in chess, one
//! square straight ahead if it is empty, and capture one square diagonally ahead. There is no
//! double step. A player wins by bringing a pawn to the other side of the board, and loses when
//! unable to move.
//!
//! Two boards that differ only by exchanged colours count as one. Exploring finds the boards as the
//! player to move sees them.

use retrograde::board::{self, Grid, Names};
use retrograde::index;
use retrograde::scene::{Kit, Piece, Scene};
use retrograde::{
    Game, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players, scheme,
};
use serde::{Deserialize, Serialize};

use crate::Started;
use crate::shared::{self, BoardError};

/// The player whose pawns start in the lowest row and move upwards.
const WHITE: Player = Player::First;

/// The greatest number of squares: a state has two bits for each and one for who is to move.
const MOST_SQUARES: u32 = 31;

/// The parameters of a game of hexapawn, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
pub struct HexapawnParameters {
    /// The number of columns, and of each player's pawns
    #[arg(short = 'm', long, default_value_t = 3)]
    pub columns: u32,
    /// The number of rows
    #[arg(short = 'n', long, default_value_t = 3)]
    pub rows: u32,
}

/// The game of hexapawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<HexapawnParameters>", into = "Started<HexapawnParameters>")]
pub struct Hexapawn {
    parameters: HexapawnParameters,
    /// Every square.
    squares: u32,
    /// The squares of the first column and of the last.
    edges: [u32; 2],
    /// The row of squares from which each player's pawns start.
    homes: [u32; 2],
    /// The position that play begins with, if it is not the usual one.
    root: Option<Pawns>,
}

/// The pawns on the board, a bit a square, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pawns {
    /// The pawns of each player.
    of: [u32; 2],
    /// The player to move.
    turn: Player,
}

/// The single bits of a set, ascending.
fn bits(set: u32) -> impl Iterator<Item = u32> {
    index::singles(set.into()).map(|bit| bit as u32)
}

impl Hexapawn {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has no column, fewer than two rows, or more than 31 squares.
    pub fn new(parameters: HexapawnParameters) -> Result<Hexapawn, BoardError> {
        let HexapawnParameters { columns, rows } = parameters;
        let squares = u64::from(columns) * u64::from(rows);
        if columns == 0 || rows < 2 || squares > MOST_SQUARES.into() {
            let expected = "at least one column and two rows, and at most 31 squares";
            return Err(BoardError::Size { columns, rows, expected });
        }
        let squares = (1 << squares) - 1;
        let top = (1 << columns) - 1;
        let first = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        let edges = [first, first << (columns - 1)];
        let homes = [top << (columns * (rows - 1)), top];
        Ok(Hexapawn { parameters, squares, edges, homes, root: None })
    }

    /// The squares one row ahead of these, for `player`.
    #[inline]
    fn ahead(&self, player: Player, set: u32) -> u32 {
        let columns = self.parameters.columns;
        if player == WHITE { set >> columns } else { set << columns & self.squares }
    }

    /// The squares next to these in their rows.
    #[inline]
    fn beside(&self, set: u32) -> u32 {
        (set & !self.edges[0]) >> 1 | (set & !self.edges[1]) << 1
    }

    /// The squares as the other player sees them: the rows the other way round.
    fn turned(&self, set: u32) -> u32 {
        let HexapawnParameters { columns, rows } = self.parameters;
        let row = |row| set >> (row * columns) & self.homes[WHITE.opponent().index()];
        (0..rows).map(row).fold(0, |turned, row| turned << columns | row)
    }

    fn grid(&self) -> Grid {
        let HexapawnParameters { columns, rows } = self.parameters;
        Grid::new(columns, rows).with_letters("wb").with_names(Names::Numbers)
    }
}

impl Game for Hexapawn {
    type State = Pawns;
    const PREDECESSORS: bool = true;
    const PLAYERS: Players = Players::Folded;
    const DISTINCT: bool = true;

    fn turn(&self, pawns: &Pawns) -> Player {
        pawns.turn
    }

    fn terminal(&self, pawns: &Pawns) -> Option<Outcome> {
        let arrived =
            |player: &Player| pawns.of[player.index()] & self.homes[player.opponent().index()] != 0;
        Player::BOTH.into_iter().find(arrived).map(Outcome::Win)
    }

    fn moves(&self, pawns: &Pawns, mut visit: impl FnMut(Pawns)) {
        let mover = pawns.turn;
        let other = mover.opponent();
        let theirs = pawns.of[other.index()];
        let empty = self.squares & !(pawns.of[0] | pawns.of[1]);
        for from in bits(pawns.of[mover.index()]) {
            let ahead = self.ahead(mover, from);
            for to in bits(ahead & empty | self.beside(ahead) & theirs) {
                let mut of = pawns.of;
                of[mover.index()] ^= from | to;
                of[other.index()] &= !to;
                visit(Pawns { of, turn: other });
            }
        }
    }

    fn no_moves(&self, pawns: &Pawns) -> Option<Outcome> {
        Some(Outcome::Win(pawns.turn.opponent()))
    }

    fn predecessors(&self, pawns: &Pawns, mut visit: impl FnMut(Pawns)) {
        let other = pawns.turn;
        let mover = other.opponent();
        let empty = self.squares & !(pawns.of[0] | pawns.of[1]);
        for to in bits(pawns.of[mover.index()]) {
            // Ahead for the other player is back for the mover.
            let behind = self.ahead(other, to);
            for from in bits((behind | self.beside(behind)) & empty) {
                let mut of = pawns.of;
                of[mover.index()] ^= from | to;
                // A pawn that comes from the side has captured.
                if from != behind {
                    of[other.index()] |= to;
                }
                visit(Pawns { of, turn: mover });
            }
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = Pawns> {
        [self.root.unwrap_or(Pawns { of: self.homes, turn: WHITE })]
    }

    fn canonical(&self, pawns: &Pawns) -> Pawns {
        if pawns.turn == WHITE {
            return *pawns;
        }
        let [white, black] = pawns.of.map(|set| self.turned(set));
        Pawns { of: [black, white], turn: WHITE }
    }
}

/// White's pawns, black's, and who is to move.
impl PackedState for Hexapawn {
    type Word = u64;

    fn pack(&self, pawns: &Pawns) -> u64 {
        let [white, black] = pawns.of.map(u64::from);
        (white << self.squares.count_ones() | black) << 1 | pawns.turn.index() as u64
    }

    fn unpack(&self, packed: u64) -> Pawns {
        let both = packed >> 1;
        let white = (both >> self.squares.count_ones()) as u32;
        let of = [white & self.squares, both as u32 & self.squares];
        Pawns { of, turn: Player::BOTH[(packed & 1) as usize] }
    }

    fn is_packed(&self, word: u64) -> bool {
        let pawns = self.unpack(word);
        pawns.of[0] & pawns.of[1] == 0 && self.pack(&pawns) == word
    }
}

/// A pawn on a picture.
fn pawn(player: Player) -> Piece {
    Piece::glyph(shared::PAWN, "pawn").of(player)
}

impl Notation for Hexapawn {
    fn player(&self, player: Player) -> &str {
        ["white", "black"][player.index()]
    }

    fn rules(&self) -> Option<String> {
        let HexapawnParameters { columns, rows } = self.parameters;
        let size = shared::size(columns, rows);
        let pawns = shared::number_of(columns, "pawn", "pawns");
        Some(format!(
            "The board has {size}. Each player has {pawns} in the first row of the own side, and white \
             begins. A pawn moves one square straight ahead if that square is empty. It captures a \
             pawn of the other player diagonally ahead. Whoever brings a pawn to the last row wins. A \
             player who can't move has lost, so there are no draws."
        ))
    }

    fn write_state(&self, pawns: &Pawns) -> String {
        let rows = self.grid().write(|square, player| pawns.of[player] >> square & 1 == 1);
        format!("{rows},{}", self.player(pawns.turn))
    }

    fn parse_state(&self, text: &str) -> Result<Pawns, NotationError> {
        let grid = self.grid();
        board::read_position(self, text, format_args!("{grid}, and who is to move"), |text| {
            let (rows, turn) = board::split_turn(self, text)?;
            let mut of = [0; 2];
            grid.read(rows, |square, player| of[player] |= 1 << square)?;
            Ok(Pawns { of, turn })
        })
    }

    /// Whose pawn goes where, with an `x` for a capture: `white r2c0-r1c0`, `black r0c1xr1c0`.
    fn write_move(&self, from: &Pawns, to: &Pawns) -> String {
        let mover = from.turn.index();
        let [left, entered] = [(from, to), (to, from)].map(|(one, another)| {
            let square = (one.of[mover] & !another.of[mover]).trailing_zeros();
            self.grid().name(square as usize)
        });
        let captures = from.of[1 - mover] != to.of[1 - mover];
        let sign = if captures { 'x' } else { '-' };
        format!("{} {left}{sign}{entered}", self.player(from.turn))
    }

    fn draw(&self, pawns: &Pawns) -> String {
        let text = self.write_state(pawns);
        let rows = text.split_once(',').map_or("", |(rows, _)| rows);
        format!("{}\n{} to move", rows.replace('/', "\n"), self.player(pawns.turn))
    }

    fn scene(&self, pawns: &Pawns) -> Option<Scene> {
        let mut scene = self.grid().chequered().scene();
        for player in Player::BOTH {
            scene.put_on(pawns.of[player.index()].into(), &pawn(player));
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        Kit::new(Player::BOTH.map(pawn))
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Pawns, NotationError> {
        let of = Player::BOTH.map(|player| scene.places_of(player) as u32);
        Ok(Pawns { of, turn })
    }

    fn with_other_mover(&self, pawns: &Pawns) -> Option<Pawns> {
        Some(Pawns { turn: pawns.turn.opponent(), ..*pawns })
    }
}

impl Numbered for Hexapawn {
    type Numberings = scheme::Packed;
}

shared::shipped! {
    Hexapawn, "hexapawn": "Hexapawn: pawns that race and block each other",
    example: "-m 3 -n 3",
    states: "the rows from the top, and who is to move: bbb/w../.ww,black",
    parameters: HexapawnParameters,
    made: Hexapawn::new, BoardError,
    kept: |game| game.parameters,
    starts: root,
}
