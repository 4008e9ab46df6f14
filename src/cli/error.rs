//! Why a command failed, and with which exit code.

use std::fmt;
use std::path::Path;

use crate::error::SolveError;
use crate::error::TableError;
use crate::laws::LawError;
use crate::notation::NotationError;
use crate::query::QueryError;

/// Why a command failed: what it was asked makes no sense, or what it tried did not work.
#[derive(Debug)]
pub struct CliError {
    message: String,
    exit_code: u8,
}

impl CliError {
    /// What was asked makes no sense: exit code 2.
    pub fn usage(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), exit_code: 2 }
    }

    /// What was tried did not work: exit code 1.
    pub fn failed(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), exit_code: 1 }
    }

    /// A failure with a file.
    pub(super) fn file(path: &Path) -> impl Fn(TableError) -> CliError {
        move |error| CliError::failed(format!("{}: {error}", path.display()))
    }

    pub(super) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CliError {}

impl From<SolveError> for CliError {
    fn from(error: SolveError) -> CliError {
        CliError::failed(error)
    }
}

impl From<LawError> for CliError {
    fn from(error: LawError) -> CliError {
        CliError::failed(error)
    }
}

impl From<QueryError> for CliError {
    fn from(error: QueryError) -> CliError {
        CliError::failed(error)
    }
}

impl From<NotationError> for CliError {
    fn from(error: NotationError) -> CliError {
        CliError::usage(error)
    }
}
