//! Bobail: both players move one piece, and each wants it on the own home row.
//!
//! Each player has men on the home row, and the bobail stands in the middle. A turn has two parts.
//! The player first moves the bobail one step to a free square next to it, in any of eight
//! directions. Then the player moves one own man in a straight line over free squares, in any of
//! eight directions. By the official rules it goes as far as it can, by the flexible rules any
//! distance of at least one. In the first turn of the game only a man moves.
//!
//! When the bobail comes to a home row, play is over at once, and the player whose row it is wins,
//! whoever moved the bobail there. A turn whose second part is impossible is not legal. A player
//! without a legal turn loses. Endless play is a draw.
//!
//! A turn is one ply, and play stops one ply before the bobail arrives ([`Game::stops_early`]):
//!
//! - A position in which the player to move can bring the bobail to the own home row is won in one
//!   ply.
//! - A position in which every turn brings it to the other's home row is lost in one ply. Where
//!   there are other turns, those that lose at once are left out: they are never better.
//!
//! So the numbering needs no position with the bobail on a home row. The last index is the start,
//! whose rule is its own.

mod board;
mod notation;
mod numbering;

use retrograde::error::IndexError;
use retrograde::{Game, Indexed, Numbered, Outcome, Player, Players, Repeats, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::shared::{self, BoardError, number_of};
use board::{Board, End, Pieces};
use numbering::Numbering;

/// The sizes that a side of the board may have.
const SIZES: std::ops::RangeInclusive<u32> = 3..=5;

/// The fewest men of a player.
const FEWEST_MEN: u32 = 2;

/// From this number of indices on, a note says how many there are.
const MANY: u64 = 100_000_000;

/// The distance that a man moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// As far as it can go.
    #[default]
    Official,
    /// Any number of squares.
    Flexible,
}

/// The parameters of a game of Bobail, which are its options on the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct BobailParameters {
    /// The number of columns, from 3 to 5
    #[arg(short = 'm', long, default_value_t = 5)]
    pub columns: u32,
    /// The number of rows, from 3 to 5
    #[arg(short = 'n', long, default_value_t = 5)]
    pub rows: u32,
    /// The number of men of each player, from 2 to the number of columns, which is the default
    #[arg(long, value_name = "MEN")]
    pub men: Option<u32>,
    /// How far a man moves
    #[arg(long, value_enum, default_value_t)]
    pub rules: Rules,
}

/// An error in the parameters of a game of Bobail.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BobailError {
    /// The board is too small or too large.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There are too few men, or too many for the home row.
    #[error("{} on a row of {columns} squares: expected 2 to {columns}", number_of(*men, "man", "men"))]
    Men {
        /// The number of men of a player.
        men: u32,
        /// The number of columns.
        columns: u32,
    },
    /// The positions can't be numbered.
    #[error(transparent)]
    Numbering(#[from] IndexError),
}

/// The game of Bobail.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "BobailParameters", into = "BobailParameters")]
pub struct Bobail {
    parameters: BobailParameters,
    men: u32,
    board: Board,
    numbering: Numbering,
    /// The pieces at the start, seen by the player who begins, and their mirror image.
    starts: [Pieces; 2],
}

/// A position of Bobail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces, seen by the player to move.
    pieces: Pieces,
    /// Whether this is the first turn, in which only a man moves.
    first_turn: bool,
    /// The player to move.
    turn: Player,
}

impl Bobail {
    /// The game with these parameters.
    ///
    /// # Errors
    /// When the board has fewer than three or more than five columns or rows, or the number of men
    /// is not from two to the number of columns.
    pub fn new(parameters: BobailParameters) -> Result<Bobail, BobailError> {
        let BobailParameters { columns, rows, men, rules } = parameters;
        if !SIZES.contains(&columns) || !SIZES.contains(&rows) {
            let expected = "3 to 5 columns and 3 to 5 rows";
            return Err(BoardError::Size { columns, rows, expected }.into());
        }
        let men = men.unwrap_or(columns);
        if !(FEWEST_MEN..=columns).contains(&men) {
            return Err(BobailError::Men { men, columns });
        }
        let board = Board::new(columns, rows, rules);
        let numbering = Numbering::new(&board, columns, rows, men)?;
        // Each player's men are in the middle of the row, or a square to the right of it. The bobail
        // is in the middle of the board; of two or four squares there, on the highest and leftmost.
        let other = ((1 << men) - 1) << ((columns - men) / 2);
        let bobail = 1 << ((rows - 1) / 2 * columns + (columns - 1) / 2);
        let start = Pieces { bobail, own: board.turned(other), other };
        let starts = [start, board.mirrored_pieces(&start)];
        // The usual number of men is stored in one way.
        let parameters =
            BobailParameters { men: Some(men).filter(|&men| men != columns), ..parameters };
        Ok(Bobail { parameters, men, board, numbering, starts })
    }

    /// The number of men of each player.
    #[must_use]
    pub fn men(&self) -> u32 {
        self.men
    }

    /// The first turn of this player.
    #[inline]
    fn first_turn(&self, turn: Player) -> Position {
        Position { pieces: self.starts[0], first_turn: true, turn }
    }

    /// The index of the first turn.
    #[inline]
    fn first_index(&self) -> u64 {
        self.numbering.len()
    }

    /// How play ends, if the player to move has no turn that lets it go on.
    #[inline]
    fn end(&self, position: &Position) -> Option<End> {
        // At the start, some man can move.
        if position.first_turn { None } else { self.board.end(&position.pieces) }
    }

    /// The position after a turn that leaves these pieces, seen by the player who moved.
    #[inline]
    fn after(&self, pieces: &Pieces, mover: Player) -> Position {
        let pieces = self.board.turned_pieces(pieces);
        Position { pieces, first_turn: false, turn: mover.opponent() }
    }

    /// Visits the pieces of the first turn, if it leads to these, which are seen by the player who
    /// made it.
    #[inline]
    fn each_first_turn(&self, pieces: &Pieces, mut visit: impl FnMut(&Pieces)) {
        for (number, start) in self.starts.iter().enumerate() {
            let same = (start.bobail, start.other) == (pieces.bobail, pieces.other);
            let repeated = number == 1 && *start == self.starts[0];
            if !same || repeated {
                continue;
            }
            let (left, arrived) = (start.own & !pieces.own, pieces.own & !start.own);
            if arrived.is_power_of_two() && self.board.origins(pieces, arrived) & left != 0 {
                visit(start);
            }
        }
    }

    /// Notes for people on a large board.
    fn notes(&self) -> Vec<String> {
        match self.len() >= MANY {
            true => vec![
                "all positions of the board are solved, reachable or not; with fewer men \
                          (--men) or on a smaller board there are far fewer"
                    .into(),
            ],
            false => Vec::new(),
        }
    }
}

impl Game for Bobail {
    type State = Position;
    const PREDECESSORS: bool = true;
    const PLAYERS: Players = Players::Folded;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        Some(match self.end(position)? {
            End::Arrives => Outcome::Win(position.turn),
            End::Forced | End::Stuck => Outcome::Win(position.turn.opponent()),
        })
    }

    /// The bobail is one step from the home row on which it arrives.
    #[inline]
    fn stops_early(&self, position: &Position) -> bool {
        matches!(self.end(position), Some(End::Arrives | End::Forced))
    }

    #[inline]
    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        let visit = |pieces: Pieces| visit(self.after(&pieces, position.turn));
        match position.first_turn {
            true => self.board.each_man(&position.pieces, visit),
            false => self.board.each_turn(&position.pieces, visit),
        }
    }

    /// Unknown where the other's men are symmetric: then two turns may lead to mirror images.
    #[inline]
    fn degree(&self, position: &Position) -> Option<u64> {
        let other = position.pieces.other;
        let counted = !position.first_turn && self.board.mirrored(other) != other;
        counted.then(|| self.board.count_turns(&position.pieces).into())
    }

    #[inline]
    fn predecessors(&self, position: &Position, mut visit: impl FnMut(Position)) {
        if position.first_turn {
            return;
        }
        let turn = position.turn.opponent();
        let here = self.board.turned_pieces(&position.pieces);
        self.board.each_way_back(&here, |bobail, man, origins| {
            for origin in board::singles(origins) {
                let pieces = Pieces { bobail, own: here.own ^ man | origin, ..here };
                visit(Position { pieces, first_turn: false, turn });
            }
        });
        self.each_first_turn(&here, |&pieces| {
            visit(Position { pieces, first_turn: true, turn });
        });
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        [self.first_turn(Player::First)]
    }

    fn canonical(&self, position: &Position) -> Position {
        if position.first_turn {
            return self.first_turn(Player::First);
        }
        let pieces = self.numbering.canonical(&position.pieces);
        Position { pieces, first_turn: false, turn: Player::First }
    }
}

/// All positions with the bobail between the home rows, up to reflection, and then the start.
impl Indexed for Bobail {
    const PREDECESSOR_INDICES: bool = true;

    #[inline]
    fn len(&self) -> u64 {
        self.first_index() + 1
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        match position.first_turn {
            true => self.first_index(),
            false => self.numbering.index(&position.pieces),
        }
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Position> {
        if index == self.first_index() {
            return Some(self.first_turn(Player::First));
        }
        let pieces = self.numbering.pieces(index)?;
        Some(Position { pieces, first_turn: false, turn: Player::First })
    }

    #[inline]
    fn predecessor_indices(
        &self,
        position: &Position,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        if position.first_turn {
            return Repeats::Never;
        }
        let turn = position.turn.opponent();
        let here = self.board.turned_pieces(&position.pieces);
        if self.numbering.each_index_back(&self.board, &here, |index| visit(index, turn)) {
            self.each_first_turn(&here, |_| visit(self.first_index(), turn));
            return Repeats::Never;
        }
        self.predecessors(position, |before| visit(self.index(&before), before.turn));
        Repeats::Maybe
    }
}

impl Numbered for Bobail {
    type Numberings = scheme::Dense;
}

shared::shipped! {
    Bobail, "bobail": "Bobail: a piece of both players, which each wants on the own home row",
    example: "-m 3 -n 4",
    states: "the rows from the top, first in the first turn, and who is to move: bbb/.o./.../www,first,white",
    parameters: BobailParameters,
    made: Bobail::new, BobailError,
    kept: |game| game.parameters,
    notes: Bobail::notes,
}
