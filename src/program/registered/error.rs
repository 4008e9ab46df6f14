//! Errors of the command line and their exit codes.

use std::fmt;
use std::path::Path;

use crate::error::{LawError, NotationError, QueryError, SolveError, TableError};

/// Why a command failed: its arguments are wrong, or it could not do its work.
#[derive(Debug)]
pub struct CliError {
    message: String,
    exit_code: u8,
}

impl CliError {
    /// The arguments are wrong: exit code 2.
    pub fn usage(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), exit_code: 2 }
    }

    /// The arguments are right, but the command could not do its work: exit code 1.
    pub fn failed(message: impl fmt::Display) -> CliError {
        CliError { message: message.to_string(), exit_code: 1 }
    }

    /// The command failed with this exit code, and a process that it started has printed why.
    #[cfg(feature = "cluster")]
    pub(crate) fn said(exit_code: u8) -> CliError {
        CliError { message: String::new(), exit_code }
    }

    /// Whether the error has been printed.
    pub(crate) fn is_said(&self) -> bool {
        self.message.is_empty()
    }

    /// Turns an error with the table at `path` into an error of the command.
    pub(crate) fn table(path: &Path) -> impl Fn(TableError) -> CliError {
        move |error| match error {
            TableError::NoSuchTier { .. } => CliError::usage(error),
            error if error.is_interrupted() => CliError::failed("interrupted"),
            error => CliError::failed(TableError::at(path)(error)),
        }
    }

    /// Turns an error of a probe of the table at `path` into one of the command. `written` is the
    /// position.
    pub(crate) fn query(path: &Path, written: String) -> impl Fn(QueryError) -> CliError {
        move |error| match error {
            QueryError::NotInTable { .. } => {
                CliError::failed(QueryError::NotInTable { state: written.clone() })
            }
            QueryError::OutcomesOnly { .. } => {
                CliError::failed(format!("{}: {error}", path.display()))
            }
            QueryError::Table(error) => CliError::table(path)(error),
        }
    }

    /// The exit code of a program that ends with this error: 2 if its arguments are wrong, or else 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
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
