//! Gobblet Gobblers: pieces of three sizes on a board of 3 x 3, where larger ones cover smaller ones.
//!
//! In a turn a player puts a piece from the reserve on a square, or moves one of the own pieces that
//! nothing covers to another square. The square is empty, or its uppermost piece, whoever owns it, is
//! smaller. Whoever has three pieces in a row that nothing covers wins.
//!
//! A piece that is lifted may uncover a row of the other player's. Then it has to land so that no such
//! row is left; where it does not, the move is not legal. So after a move only the player who made it
//! can have a row. A player without a move loses, and endless play is a draw.
//!
//! An example of a game whose positions are found by playing, with states packed into a word and the
//! symmetries of the board folded. It lists no moves backwards. The players are told apart, so that the
//! numbers of positions are those that others count. [`NumberedGobblet`] is the same game by a formula,
//! with its moves backwards, to compare.

mod notation;
mod numbered;
mod numbering;

use retrograde::{
    Game, Numbered, Outcome, PackedState, Player, index::Symmetries, index::singles, scheme,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Started, shared};
pub use numbered::NumberedGobblet;

/// The sizes of pieces, the largest first.
const SIZES: usize = 3;

/// The number of squares.
const SQUARES: u32 = 9;

/// All squares.
const BOARD: u16 = (1 << SQUARES) - 1;

/// The number of sets of squares.
const SETS: usize = 1 << SQUARES;

/// The rows of three: across, down and diagonally. Squares are numbered row by row from the top left.
const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The most pieces of one size that a player can have.
const MOST: u32 = 3;

/// The rows that have to be covered where lifting a piece uncovers two of the other player's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Uncovered {
    /// All rows, as the rules say
    #[default]
    All,
    /// The first row of a list, as in a solver published in 2026; if both players have a row then, white wins
    First,
}

impl Uncovered {
    fn is_all(&self) -> bool {
        *self == Uncovered::All
    }
}

/// The pieces of each player, which are the game's options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct GobbletParameters {
    /// How many small pieces each player has, 0 to 3
    #[arg(long, value_name = "PIECES", default_value_t = 2)]
    pub small: u32,
    /// How many medium pieces each player has, 0 to 3
    #[arg(long, value_name = "PIECES", default_value_t = 2)]
    pub medium: u32,
    /// How many large pieces each player has, 0 to 3
    #[arg(long, value_name = "PIECES", default_value_t = 2)]
    pub large: u32,
    /// Which rows have to be covered where lifting a piece uncovers two
    #[arg(long, value_enum, default_value_t)]
    #[serde(default, skip_serializing_if = "Uncovered::is_all")]
    pub uncovered: Uncovered,
}

impl GobbletParameters {
    /// How many pieces of each size a player has, the largest first.
    fn pieces(self) -> [u32; SIZES] {
        [self.large, self.medium, self.small]
    }
}

/// An error in the numbers of pieces.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GobbletError {
    /// There are too many pieces of one size.
    #[error("{pieces} {size} pieces each: expected 0 to {MOST}")]
    TooMany {
        /// How many a player should have.
        pieces: u32,
        /// The name of the size.
        size: &'static str,
    },
    /// There are no pieces.
    #[error("no pieces at all: expected at least one")]
    None,
}

/// Gobblet Gobblers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<GobbletParameters>", into = "Started<GobbletParameters>")]
pub struct Gobblet {
    parameters: GobbletParameters,
    /// The images of all sets of squares, under each symmetry of the board but the identity.
    images: Vec<[u16; SETS]>,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

/// The pieces on the board, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The squares with pieces of each size, the largest first, and of each player. A square has at
    /// most one piece of a size: larger ones lie on smaller ones.
    pieces: [[u16; 2]; SIZES],
    /// White is [`Player::First`].
    turn: Player,
}

impl Position {
    /// The empty board, with white to move.
    const START: Position = Position { pieces: [[0; 2]; SIZES], turn: Player::First };

    /// The squares with a piece that is larger than this size.
    #[inline]
    fn with_larger_than(&self, size: usize) -> u16 {
        self.pieces[..size].iter().fold(0, |squares, [white, black]| squares | white | black)
    }

    /// The squares on which a piece of this size can land.
    #[inline]
    fn free(&self, size: usize) -> u16 {
        BOARD & !self.with_larger_than(size + 1)
    }

    /// The squares on which a player's piece is the uppermost.
    #[inline]
    fn tops(&self, player: Player) -> u16 {
        (0..SIZES).fold(0, |tops, size| {
            tops | self.pieces[size][player.index()] & !self.with_larger_than(size)
        })
    }

    /// This position with a piece of the player to move put on a square, or lifted from it.
    #[inline]
    fn toggled(mut self, size: usize, square: u16) -> Position {
        self.pieces[size][self.turn.index()] ^= square;
        self
    }

    /// This position with the other player to move.
    #[inline]
    fn passed(self) -> Position {
        Position { turn: self.turn.opponent(), ..self }
    }
}

/// The position as the solver published in 2026 orders it: square by square from the last, the largest
/// pieces first.
fn published_order(pieces: &[[u16; 2]; SIZES]) -> u64 {
    let owner = |[white, black]: [u16; 2], square: u32| {
        u64::from(white >> square & 1) | u64::from(black >> square & 1) << 1
    };
    let squares = (0..SQUARES).rev();
    squares
        .fold(0, |all, square| pieces.iter().fold(all, |all, &sets| all << 2 | owner(sets, square)))
}

/// The rows among these squares.
#[inline]
fn rows(squares: u16) -> impl Iterator<Item = &'static u16> {
    ROWS.iter().filter(move |row| squares & *row == **row)
}

/// The squares that all rows among these share, which are all of the board if there is none.
#[inline]
fn all_rows(squares: u16) -> u16 {
    rows(squares).fold(BOARD, |shared, row| shared & row)
}

/// Whether these squares have a row.
#[inline]
fn has_row(squares: u16) -> bool {
    ROWS.iter().any(|row| squares & row == *row)
}

/// The squares of a set, each as a set of its own.
#[inline]
fn squares(set: u16) -> impl Iterator<Item = u16> {
    singles(set.into()).map(|square| square as u16)
}

impl Gobblet {
    /// The game with these pieces.
    ///
    /// # Errors
    /// When there are no pieces, or more than three of a size.
    pub fn new(parameters: GobbletParameters) -> Result<Gobblet, GobbletError> {
        let pieces = parameters.pieces();
        for (pieces, size) in pieces.into_iter().zip(notation::NAMES_OF_SIZES) {
            if pieces > MOST {
                return Err(GobbletError::TooMany { pieces, size });
            }
        }
        if pieces == [0; SIZES] {
            return Err(GobbletError::None);
        }
        let symmetries = Symmetries::rectangle(3, 3).expect("a board of nine squares");
        let image = |symmetry, set| symmetries.apply(symmetry, set as u64) as u16;
        let images = |symmetry| std::array::from_fn(|set| image(symmetry, set));
        let images = (1..symmetries.order()).map(images).collect();
        Ok(Gobblet { parameters, images, root: None })
    }

    /// Visits the pieces that can be moved, from the reserve or the board: the position without the piece,
    /// its size, and the squares on which it may land.
    #[inline]
    fn each_piece(&self, position: &Position, mut visit: impl FnMut(Position, usize, u16)) {
        let (mover, other) = (position.turn, position.turn.opponent());
        for (size, all) in self.parameters.pieces().into_iter().enumerate() {
            let own = position.pieces[size][mover.index()];
            let free = position.free(size);
            if own.count_ones() < all {
                visit(*position, size, free);
            }
            for from in squares(own & !position.with_larger_than(size)) {
                let lifted = position.toggled(size, from);
                visit(lifted, size, free & self.to_cover(position, lifted.tops(other)));
            }
        }
    }

    /// The squares on which a piece has to land that was lifted from this position, and uncovers these
    /// squares of the other player's.
    #[inline]
    fn to_cover(&self, position: &Position, tops: u16) -> u16 {
        match self.parameters.uncovered {
            Uncovered::First if rows(tops).count() > 1 => self.first_row(position, tops),
            _ => all_rows(tops),
        }
    }

    /// The first row among these squares, in the image of the position that the published solver looks at: the
    /// least in its order. So images of a position have the same moves.
    #[cold]
    fn first_row(&self, position: &Position, tops: u16) -> u16 {
        let image = |symmetry: Option<&[u16; SETS]>, set: u16| match symmetry {
            Some(images) => images[usize::from(set) % SETS],
            None => set,
        };
        let symmetries = [None].into_iter().chain(self.images.iter().map(Some));
        let least = symmetries.min_by_key(|&symmetry| {
            published_order(&position.pieces.map(|sets| sets.map(|set| image(symmetry, set))))
        });
        let symmetry = least.flatten();
        let place = |row: &&u16| ROWS.iter().position(|other| *other == image(symmetry, **row));
        rows(tops).min_by_key(place).copied().unwrap_or(BOARD)
    }

    /// Notes for people on the whole game.
    fn notes(&self) -> Vec<String> {
        if self.parameters.pieces().iter().any(|&pieces| pieces < 2) {
            return Vec::new();
        }
        let note = "with two pieces of each size there are 528 million positions; to find and solve them takes \
                    half an hour or so, and 4 GB of memory or more; with one piece of each size (--small 1 \
                    --medium 1 --large 1) it is a matter of seconds";
        vec![note.into()]
    }
}

impl Game for Gobblet {
    type State = Position;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    /// Only the player who has just moved can have a row, if all rows have to be covered.
    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        let moved = position.turn.opponent();
        let winners = match self.parameters.uncovered {
            Uncovered::All => [moved; 2],
            Uncovered::First => Player::BOTH,
        };
        let winner = winners.into_iter().find(|&player| has_row(position.tops(player)));
        winner.map(Outcome::Win)
    }

    #[inline]
    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        self.each_piece(position, |lifted, size, targets| {
            squares(targets).for_each(|to| visit(lifted.toggled(size, to).passed()));
        });
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        [self.root.unwrap_or(Position::START)]
    }

    #[inline]
    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        Some(Outcome::Win(position.turn.opponent()))
    }

    /// The least image under turns and reflections of the board.
    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        let [large, medium, small] = position.pieces;
        let mut least = position.pieces;
        for images in &self.images {
            let image = |sets: [u16; 2]| sets.map(|set| images[usize::from(set) % SETS]);
            // Few symmetries are left to compare by smaller pieces.
            let large = image(large);
            if large <= least[0] {
                least = least.min([large, image(medium), image(small)]);
            }
        }
        Position { pieces: least, ..*position }
    }
}

/// The sets of squares, those of the largest pieces first, and then who is to move.
impl PackedState for Gobblet {
    type Word = u64;

    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        let sets = position.pieces.as_flattened().iter();
        let word = sets.fold(0, |word, &set| word << SQUARES | u64::from(set));
        word << 1 | position.turn.index() as u64
    }

    #[inline]
    fn unpack(&self, word: u64) -> Position {
        let set = |set: u32| (word >> (1 + SQUARES * set)) as u16 & BOARD;
        let pieces = [[set(5), set(4)], [set(3), set(2)], [set(1), set(0)]];
        Position { pieces, turn: Player::BOTH[(word & 1) as usize] }
    }

    fn is_packed(&self, word: u64) -> bool {
        let position = self.unpack(word);
        self.check(&position).is_ok() && self.pack(&position) == word
    }
}

impl Numbered for Gobblet {
    type Numberings = scheme::Packed;
}

shared::shipped! {
    Gobblet, "gobblet": "Gobblet Gobblers: on 3 x 3, larger pieces cover smaller ones",
    example: "--small 1 --medium 1 --large 1",
    states: "the rows from the top, a stack from its top down (l, m, s are large, medium and small; \
             white's are capitals), who moves: L-m.s/.../.S.,black",
    parameters: GobbletParameters,
    made: Gobblet::new, GobbletError,
    kept: |game| game.parameters,
    starts: root,
    notes: Gobblet::notes,
}
