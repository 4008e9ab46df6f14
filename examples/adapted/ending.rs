//! The ending of a king and a queen or rook against a king, by the rules of [`rules`](crate::rules).

use retrograde::{Game, Numbered, Outcome, PackedState, Player, Stored, scheme};
use serde::{Deserialize, Serialize};

use crate::rules::{Color, Piece, Position, Role};

/// The ending, which is all that its tables say of themselves.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ending {
    /// Whether White has a queen instead of a rook.
    pub(crate) queen: bool,
}

impl Game for Ending {
    type State = Position;

    fn turn(&self, position: &Position) -> Player {
        match position.turn() {
            Color::White => Player::First,
            Color::Black => Player::Second,
        }
    }

    /// Bare kings draw. Mate and stalemate are found by `no_moves`.
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        position.is_insufficient_material().then_some(Outcome::Draw)
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        for step in position.legal_moves() {
            let mut next = position.clone();
            next.play(step);
            // What counts the moves of a game is the same in each state.
            (next.halfmoves, next.fullmoves) = (0, 1);
            visit(next);
        }
    }

    fn no_moves(&self, position: &Position) -> Option<Outcome> {
        Some(if position.is_check() { Outcome::MoverLoses } else { Outcome::Draw })
    }

    /// All positions of the ending, made one by one.
    fn roots(&self) -> impl IntoIterator<Item = Position> {
        (0..1 << BITS).filter_map(|word| self.set_up(word))
    }
}

/// How many bits a packed position has: five for the square of each man, and one for who is to move.
const BITS: u32 = 3 * 5 + 1;

/// The square of a man that was captured.
const CAPTURED: u64 = 16;

impl Ending {
    fn men(&self) -> [Piece; 3] {
        let role = if self.queen { Role::Queen } else { Role::Rook };
        [(Color::White, Role::King), (Color::Black, Role::King), (Color::White, role)]
            .map(|(color, role)| Piece { color, role })
    }

    /// The position that this word stands for, if it stands for one.
    fn set_up(&self, word: u64) -> Option<Position> {
        let square = |at: usize| word >> (1 + 5 * at) & 31;
        let men = self.men().into_iter().enumerate().map(|(at, man)| (square(at), man));
        let turn = if word & 1 == 0 { Color::White } else { Color::Black };
        let men = men.filter(|&(square, _)| square != CAPTURED);
        Position::from_setup(men.map(|(square, man)| (square as usize, man)), turn)
    }
}

impl PackedState for Ending {
    type Word = u64;

    fn pack(&self, position: &Position) -> u64 {
        let square = |man| position.square_of(man).map_or(CAPTURED, |square| square as u64);
        let men = self.men().into_iter().rev().fold(0, |word, man| word << 5 | square(man));
        men << 1 | u64::from(position.turn() == Color::Black)
    }

    /// Words in files may be anything. One that stands for no position becomes another position here, which
    /// packs to another word, and so is noticed.
    fn unpack(&self, word: u64) -> Position {
        self.set_up(word).or_else(|| self.roots().into_iter().next()).expect("a first position")
    }
}

impl Numbered for Ending {
    type Numberings = scheme::Packed;
}

impl Stored for Ending {
    const NAME: &'static str = "small-ending";

    fn state_text(&self, position: &Position) -> String {
        position.to_string()
    }
}
