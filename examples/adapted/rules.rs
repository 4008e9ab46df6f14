//! Stands for a crate of rules that somebody else wrote: a small chess, with kings, queens and rooks on a
//! board of 4 x 4. Nothing here knows of `retrograde`.
#![allow(unreachable_pub, reason = "a crate has it public")]

use std::fmt;
use std::str::FromStr;

/// How many squares a side of the board has.
const SIDE: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    King,
    Queen,
    Rook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    from: usize,
    to: usize,
}

/// A position, with its counters. It has no `Ord`, no `Hash`, and no `serde`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The squares row by row, from the top.
    board: [Option<Piece>; SIDE * SIDE],
    turn: Color,
    /// The plies since the last capture.
    pub halfmoves: u32,
    /// The number of the move in the game.
    pub fullmoves: u32,
}

impl Position {
    /// The position with these pieces on their squares; `None` if it is illegal.
    pub fn from_setup(
        pieces: impl IntoIterator<Item = (usize, Piece)>,
        turn: Color,
    ) -> Option<Position> {
        let board = [None; SIDE * SIDE];
        let mut position = Position { board, turn, halfmoves: 0, fullmoves: 1 };
        for (square, piece) in pieces {
            if position.board.get_mut(square)?.replace(piece).is_some() {
                return None;
            }
        }
        let kings = [Color::White, Color::Black].map(|color| position.king(color));
        let is_legal = kings.iter().all(Option::is_some) && !position.is_attacked(turn.other());
        is_legal.then_some(position)
    }

    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Where a piece is, if it is on the board.
    pub fn square_of(&self, piece: Piece) -> Option<usize> {
        self.board.iter().position(|&on| on == Some(piece))
    }

    pub fn is_check(&self) -> bool {
        self.is_attacked(self.turn)
    }

    pub fn is_insufficient_material(&self) -> bool {
        self.board.iter().flatten().all(|piece| piece.role == Role::King)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (from, _) in self.pieces(self.turn) {
            moves.extend(self.reach(from).into_iter().map(|to| Move { from, to }).filter(
                |&step| {
                    let is_own = self.board[step.to].is_some_and(|piece| piece.color == self.turn);
                    !is_own && {
                        let mut next = self.clone();
                        next.play(step);
                        !next.is_attacked(self.turn)
                    }
                },
            ));
        }
        moves
    }

    pub fn play(&mut self, Move { from, to }: Move) {
        self.halfmoves = if self.board[to].is_some() { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u32::from(self.turn == Color::Black);
        self.board[to] = self.board[from].take();
        self.turn = self.turn.other();
    }

    fn king(&self, color: Color) -> Option<usize> {
        self.square_of(Piece { color, role: Role::King })
    }

    /// Whether the king of a color is attacked.
    fn is_attacked(&self, color: Color) -> bool {
        let king = self.king(color);
        self.pieces(color.other())
            .any(|(from, _)| self.reach(from).iter().any(|&to| Some(to) == king))
    }

    fn pieces(&self, color: Color) -> impl Iterator<Item = (usize, Piece)> {
        let pieces = self.board.iter().enumerate();
        pieces
            .filter_map(|(square, piece)| Some((square, (*piece)?)))
            .filter(move |(_, piece)| piece.color == color)
    }

    /// The squares that the piece on a square reaches, up to the first piece on the way.
    fn reach(&self, from: usize) -> Vec<usize> {
        let Some(Piece { role, .. }) = self.board[from] else { return Vec::new() };
        let mut reached = Vec::new();
        let steps = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
        for (down, right) in steps.filter(|&(down, right): &(isize, isize)| match role {
            Role::King | Role::Queen => (down, right) != (0, 0),
            Role::Rook => (down == 0) != (right == 0),
        }) {
            let (mut row, mut column) = (from / SIDE, from % SIDE);
            loop {
                row = row.wrapping_add_signed(down);
                column = column.wrapping_add_signed(right);
                if row >= SIDE || column >= SIDE {
                    break;
                }
                reached.push(row * SIDE + column);
                if role == Role::King || self.board[row * SIDE + column].is_some() {
                    break;
                }
            }
        }
        reached
    }
}

impl Color {
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The rows from the top, and who is to move: `k.../..../K.R./.... w`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.board.chunks(SIDE).map(|row| row.iter().map(|&on| letter(on)).collect());
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        write!(f, "{} {turn}", rows.collect::<Vec<String>>().join("/"))
    }
}

impl FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Position, String> {
        let wrong = || format!("\"{text}\" is no position, such as \"k.../..../K.R./.... w\"");
        let (rows, turn) = text.split_once(' ').ok_or_else(wrong)?;
        let letters: Vec<char> = rows.chars().filter(|&letter| letter != '/').collect();
        if letters.len() != SIDE * SIDE {
            return Err(wrong());
        }
        let pieces = letters.iter().enumerate().filter(|(_, letter)| **letter != '.');
        let pieces: Option<Vec<(usize, Piece)>> =
            pieces.map(|(square, &letter)| Some((square, piece(letter)?))).collect();
        let turn = if turn == "w" { Color::White } else { Color::Black };
        pieces.and_then(|pieces| Position::from_setup(pieces, turn)).ok_or_else(wrong)
    }
}

const LETTERS: [(Role, char); 3] = [(Role::King, 'k'), (Role::Queen, 'q'), (Role::Rook, 'r')];

fn letter(on: Option<Piece>) -> char {
    let Some(piece) = on else { return '.' };
    let found = LETTERS.iter().find(|(role, _)| *role == piece.role);
    let letter = found.map_or('?', |&(_, letter)| letter);
    if piece.color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

fn piece(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let (role, _) = LETTERS.into_iter().find(|(_, small)| *small == letter.to_ascii_lowercase())?;
    Some(Piece { color, role })
}
