//! Why a text is not a state.

use thiserror::Error;

/// A text is not a state of the game. The message says what is wrong and what was expected.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{message}{}", .example.iter().map(|example| format!(", as in {example}")).collect::<String>())]
pub struct NotationError {
    message: String,
    /// A state as the game writes it.
    example: Option<String>,
}

impl NotationError {
    /// An error with this message, which says what is wrong and what was expected.
    pub fn new(message: impl Into<String>) -> Self {
        NotationError { message: message.into(), example: None }
    }

    /// The error, with an example of a state at the end of its message.
    #[must_use]
    pub fn with_example(self, example: impl Into<String>) -> Self {
        NotationError { example: Some(example.into()), ..self }
    }

    /// The example of a state at the end of the message, if there is one.
    #[must_use]
    pub fn example(&self) -> Option<&str> {
        self.example.as_deref()
    }
}
