//! Errors of the operating system.

use std::io;
use std::sync::Arc;

use thiserror::Error;

/// An [`io::Error`] that can be cloned and compared. Two are equal if their kinds and texts are.
#[derive(Clone, Error)]
#[error("{0}")]
pub struct SystemError(Arc<io::Error>);

impl SystemError {
    /// The error of the operating system.
    #[must_use]
    pub fn as_io(&self) -> &io::Error {
        &self.0
    }
}

impl From<io::Error> for SystemError {
    fn from(error: io::Error) -> SystemError {
        SystemError(Arc::new(error))
    }
}

impl PartialEq for SystemError {
    fn eq(&self, other: &SystemError) -> bool {
        self.0.kind() == other.0.kind() && self.0.to_string() == other.0.to_string()
    }
}

impl Eq for SystemError {}
