//! Why a text is not a state.

use thiserror::Error;

/// A text is not a state of the game. The message says what is wrong and what was expected.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// An error with this message, which says what is wrong and what was expected.
    pub fn new(message: impl Into<String>) -> Self {
        NotationError(message.into())
    }
}
