//! Dobutsu shogi, "animal chess": shogi on three columns and four rows, with drops.
//!
//! Each player has a lion, an elephant, a giraffe and a chick. They step to a neighbouring square:
//! the lion in all directions, the elephant diagonally, the giraffe straight, the chick forwards; a
//! chick that steps onto the last row becomes a hen, which goes to all sides but diagonally
//! backwards. What is captured changes sides, a hen as a chick, and can be dropped on any empty
//! square instead of a move; a chick that is dropped on the last row stays a chick. A player wins
//! by capturing the other's lion, or by bringing the own lion to the last row where it can't be
//! captured. A position that repeats is a draw, which is the same as calling endless play a draw.
//!
//! The states are as in T. Tanaka, "An analysis of a board game Dobutsu Shogi" (IPSJ SIG
//! Technical Report, 2009-GI-22, 2009), and so are the distances:
//!
//! - A position in which the player to move can capture the lion is won in one ply, and play stops
//!   there ([`Game::stops_early`]): the capture is not played, and leads to no state.
//! - Otherwise, if the other's lion is on its last row, it can't be captured, and the player to
//!   move has lost.
//!
//! From the start 246,803,167 positions can be reached, if mirror images count once and a position
//! and the same with the colours exchanged too. The numbering has 641,424,258 indices, of which
//! 274,775,153 are used: by the positions to which a move can have led.

mod board;
mod couple;
mod notation;
mod numbering;
mod pictures;
mod play;
mod steps;

use std::ops::Range;

use retrograde::{Game, Indexed, Numbered, Outcome, PackedState, Player, Players, scheme};
use serde::{Deserialize, Serialize};

use crate::{Started, shared};
pub use board::Position;
use board::{Hand, Piece, Side};
use numbering::Formula;

/// The pieces of Dobutsu shogi besides the lions and chicks, which are its options on the command
/// line, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct DobutsuParameters {
    /// Play without the elephants
    #[arg(long)]
    pub no_elephants: bool,
    /// Play without the giraffes
    #[arg(long)]
    pub no_giraffes: bool,
}

/// Dobutsu shogi.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Started<DobutsuParameters>", into = "Started<DobutsuParameters>")]
pub struct Dobutsu {
    parameters: DobutsuParameters,
    formula: Formula,
    /// The position that play begins with, if it is not the usual one.
    root: Option<Position>,
}

impl Dobutsu {
    /// The game with these pieces.
    #[must_use]
    pub fn new(parameters: DobutsuParameters) -> Dobutsu {
        let count = |without: bool| if without { 0 } else { 2 };
        let DobutsuParameters { no_elephants, no_giraffes } = parameters;
        let formula = Formula::new(count(no_elephants), count(no_giraffes));
        Dobutsu { parameters, formula, root: None }
    }

    /// Notes for people on the whole game.
    fn notes(&self) -> Vec<String> {
        if self.parameters != DobutsuParameters::default() {
            return Vec::new();
        }
        let note = "the whole game takes a minute or so and 0.6 GB of memory; without the elephants \
                    (--no-elephants) or the giraffes (--no-giraffes) it is a matter of a second";
        vec![note.into()]
    }

    /// How many pieces of a kind there are in all, promoted ones as what they were.
    fn total(&self, piece: Piece) -> u32 {
        match piece {
            Piece::Elephant if self.parameters.no_elephants => 0,
            Piece::Giraffe if self.parameters.no_giraffes => 0,
            _ => 2,
        }
    }

    /// The position at the start.
    fn start(&self) -> Position {
        let on = |piece: Piece, square: u32| {
            if self.total(piece) == 0 { 0 } else { 1 << (piece.shift() + square) }
        };
        let own = Side(
            on(Piece::Elephant, 0)
                | on(Piece::Lion, 1)
                | on(Piece::Giraffe, 2)
                | on(Piece::Chick, 4),
        );
        let hands = [Hand::default(); 2];
        Position { sides: [own, own.turned()], hands, turn: Player::First }
    }
}

impl Game for Dobutsu {
    type State = Position;
    const PREDECESSORS: bool = true;
    const PLAYERS: Players = Players::Folded;
    // Two moves of one position lead to each other's mirror image only if it is its own: without
    // the piece that moves, the rest would have to be symmetric otherwise, and there are no three
    // of a kind to be left over. So much is not visited on the way back, and not counted.
    const DISTINCT: bool = true;

    #[inline]
    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        if position.takes_lion() {
            Some(Outcome::Win(position.turn))
        } else if position.goal_is_reached() {
            Some(Outcome::Win(position.turn.opponent()))
        } else {
            None
        }
    }

    #[inline]
    fn stops_early(&self, position: &Position) -> bool {
        position.takes_lion()
    }

    #[inline]
    fn moves(&self, position: &Position, visit: impl FnMut(Position)) {
        position.visit_moves(visit);
    }

    #[inline]
    fn degree(&self, position: &Position) -> Option<u64> {
        Some(position.count_moves().into())
    }

    #[inline]
    fn predecessors(&self, position: &Position, visit: impl FnMut(Position)) {
        position.visit_predecessors(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = Position> {
        [self.root.unwrap_or_else(|| self.start())]
    }

    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        position.canonical()
    }
}

impl Indexed for Dobutsu {
    #[inline]
    fn len(&self) -> u64 {
        self.formula.len()
    }

    #[inline]
    fn index(&self, position: &Position) -> u64 {
        self.formula.index(position)
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Position> {
        self.formula.position(index)
    }

    #[inline]
    fn states(&self, indices: Range<u64>, visit: impl FnMut(u64, Position)) {
        self.formula.positions(indices, visit);
    }
}

/// The index, and below it whose turn it is and whether the board is seen in a mirror.
impl PackedState for Dobutsu {
    type Word = u64;

    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        let mirrored = position.sides != position.canonical().sides;
        let index = self.formula.index(position);
        index << 2 | u64::from(mirrored) << 1 | position.turn.index() as u64
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Position {
        // A word that no position packs into gives the start.
        let index = Some(packed >> 2).filter(|&index| index < self.formula.len());
        let position = index.and_then(|index| self.formula.position(index));
        let position = position.unwrap_or_else(|| self.start());
        let turn = Player::BOTH[(packed & 1) as usize];
        let position = if packed & 2 != 0 { position.mirrored() } else { position };
        Position { turn, ..position }
    }
}

impl Numbered for Dobutsu {
    type Numberings = (scheme::Dense, scheme::Packed);
}

impl From<DobutsuParameters> for Dobutsu {
    fn from(parameters: DobutsuParameters) -> Dobutsu {
        Dobutsu::new(parameters)
    }
}

shared::shipped! {
    Dobutsu, "dobutsu": "Dobutsu shogi: 3 x 4 squares, with drops",
    example: "--no-elephants",
    states: "the rows from the top (sente's pieces are capitals and go up), the hands, who moves: \
             gl./.c./.C./.LG,-,sente",
    parameters: DobutsuParameters,
    kept: |game| game.parameters,
    starts: root,
    notes: Dobutsu::notes,
}
