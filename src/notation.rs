//! How people write and read the states of a game.

use thiserror::Error;

use crate::game::{Game, Player};

/// How people write and read a game's states and moves. Everything that talks to people needs only
/// this beside [`Game`].
pub trait Notation: Game {
    /// What the player is called: one lower-case word.
    fn player(&self, player: Player) -> &str {
        ["first", "second"][player.index()]
    }

    /// The state on one line, in the form that [`parse_state`](Notation::parse_state) reads back.
    fn write_state(&self, state: &Self::State) -> String;

    /// The state that a person wrote.
    ///
    /// # Errors
    /// When the text does not stand for a state of this game, with what was expected.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The move that leads from one state to another. By default the state that it leads to.
    fn write_move(&self, from: &Self::State, to: &Self::State) -> String {
        let _ = from;
        self.write_state(to)
    }

    /// A picture of the state in text, of one line or several. By default its notation.
    fn draw(&self, state: &Self::State) -> String {
        self.write_state(state)
    }
}

/// A text that does not stand for a state: what was wrong, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// An error with this message, which says what was wrong and what was expected.
    pub fn new(message: impl Into<String>) -> Self {
        NotationError(message.into())
    }
}
