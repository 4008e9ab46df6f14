//! Errors of the command line and their exit codes.

use std::fmt;
use std::path::Path;

use serde_json::{Map, Value as Json, json};

use crate::error::{BrokenLaw, Bytes, LawError, NotationError, QueryError, SolveError, TableError};
use crate::program::code::ErrorCode;

/// Why a command failed: its arguments are wrong, or it could not do its work. The sentence is for people;
/// the [code](CliError::code) and the [fields](CliError::fields) are for programs.
#[derive(Debug)]
pub struct CliError {
    message: String,
    exit_code: u8,
    code: ErrorCode,
    // In a box, so that an error is small.
    fields: Box<Map<String, Json>>,
}

impl CliError {
    /// The arguments are wrong: exit code 2.
    pub fn usage(message: impl fmt::Display) -> CliError {
        CliError::new(message.to_string(), 2, ErrorCode::Usage)
    }

    /// The arguments are right, but the command could not do its work: exit code 1.
    pub fn failed(message: impl fmt::Display) -> CliError {
        CliError::new(message.to_string(), 1, ErrorCode::Failed)
    }

    fn new(message: String, exit_code: u8, code: ErrorCode) -> CliError {
        CliError { message, exit_code, code, fields: Box::default() }
    }

    /// The error with this code.
    #[must_use]
    pub fn coded(self, code: ErrorCode) -> CliError {
        CliError { code, ..self }
    }

    /// The error with a field more. [`ErrorCode`] lists the fields of each code.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Json>) -> CliError {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// The error of a broken law, with what it says as fields.
    fn of_law(self, broken: BrokenLaw) -> CliError {
        self.coded(ErrorCode::Law).with("law", json!(broken.law)).with("states", broken.states)
    }

    /// The error with another sentence.
    #[must_use]
    pub(crate) fn reworded(self, message: impl FnOnce(&str) -> String) -> CliError {
        CliError { message: message(&self.message), ..self }
    }

    /// The command failed with this exit code, and a process that it started has printed why.
    #[cfg(feature = "cluster")]
    pub(crate) fn said(exit_code: u8) -> CliError {
        CliError::new(String::new(), exit_code, ErrorCode::Failed)
    }

    /// Whether the error has been printed.
    pub(crate) fn is_said(&self) -> bool {
        self.message.is_empty()
    }

    /// Turns an error with the table at `path` into an error of the command.
    pub(crate) fn table(path: &Path) -> impl Fn(TableError) -> CliError {
        move |error| match error {
            TableError::NoSuchTier { .. } => CliError::from(error),
            error if error.is_interrupted() => CliError::interrupted("interrupted"),
            error => CliError::failed(TableError::at(path)(error))
                .coded(ErrorCode::Table)
                .with("path", path.to_string_lossy()),
        }
    }

    /// The work was interrupted: exit code 1.
    pub(crate) fn interrupted(message: impl fmt::Display) -> CliError {
        CliError::failed(message).coded(ErrorCode::Interrupted)
    }

    /// Turns an error of a probe of the table at `path` into one of the command. `written` is the
    /// position.
    pub(crate) fn query(path: &Path, written: String) -> impl Fn(QueryError) -> CliError {
        move |error| match error {
            QueryError::NotInTable { .. } => {
                CliError::from(QueryError::NotInTable { state: written.clone() })
            }
            QueryError::OutcomesOnly { .. } => {
                CliError::from(error).reworded(|message| format!("{}: {message}", path.display()))
            }
            QueryError::Table(error) => CliError::table(path)(error),
        }
    }

    /// The exit code of a program that ends with this error: 2 if its arguments are wrong, or else 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// The kind of the error.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The things that the error is about, by the names that its [code](ErrorCode) lists.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Json> {
        &self.fields
    }

    /// The error as `--json` prints it: its `code`, its sentence as `message`, and its `fields`.
    #[must_use]
    pub fn json(&self) -> Json {
        json!({ "code": self.code, "message": self.message, "fields": *self.fields })
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
        let failed = CliError::failed(&error);
        match error {
            SolveError::Interrupted => failed.coded(ErrorCode::Interrupted),
            SolveError::BrokenLaw(broken) => failed.of_law(broken),
            SolveError::OverLimit { needed, in_scratch, allowed, .. } => {
                let failed = failed
                    .coded(ErrorCode::Solve)
                    .with("needed_bytes", needed)
                    .with("allowed_bytes", allowed);
                match in_scratch.filter(|&least| least < needed) {
                    Some(least) => failed.reworded(|error| {
                        let least = Bytes(least);
                        format!("{error}, or name a folder with --scratch: {least} are enough then")
                    }),
                    None => failed,
                }
            }
            SolveError::Scratch { needed, free, .. } => {
                let failed = failed.coded(ErrorCode::Solve).with("needed_disk_bytes", needed);
                match free {
                    Some(free) => failed.with("free_disk_bytes", free),
                    None => failed,
                }
            }
            SolveError::WideningOverLimit { needed, allowed, .. } => failed
                .coded(ErrorCode::Solve)
                .with("needed_bytes", needed)
                .with("allowed_bytes", allowed),
            SolveError::ExplorationOverLimit { enough, allowed, in_scratch, .. } => {
                let failed = failed.coded(ErrorCode::Solve).with("allowed_bytes", allowed);
                // Nobody knows how much a search needs in all while plies grow.
                let failed = match enough {
                    Some(enough) => failed.with("needed_bytes", enough),
                    None => failed,
                };
                match in_scratch {
                    true => failed.reworded(|error| {
                        format!("{error}, or name a folder with --scratch, for most of the states")
                    }),
                    false => failed,
                }
            }
            _ => failed.coded(ErrorCode::Solve),
        }
    }
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> CliError {
        match error {
            TableError::NoSuchTier { ref name, .. } => {
                CliError::usage(&error).coded(ErrorCode::UnknownTier).with("tier", name.as_str())
            }
            TableError::Solve(error) => error.into(),
            error if error.is_interrupted() => CliError::interrupted(error),
            error => CliError::failed(error).coded(ErrorCode::Table),
        }
    }
}

impl From<LawError> for CliError {
    fn from(error: LawError) -> CliError {
        match error {
            LawError::Broken(broken) => CliError::failed(&broken).of_law(broken),
            LawError::Unchecked(error) => error.into(),
        }
    }
}

impl From<QueryError> for CliError {
    fn from(error: QueryError) -> CliError {
        let failed = CliError::failed(&error);
        match error {
            QueryError::NotInTable { state } => {
                failed.coded(ErrorCode::NotInTable).with("state", state)
            }
            QueryError::OutcomesOnly { .. } => failed.coded(ErrorCode::OutcomesOnly),
            QueryError::Table(_) => failed.coded(ErrorCode::Table),
        }
    }
}

impl From<NotationError> for CliError {
    fn from(error: NotationError) -> CliError {
        CliError::usage(error).coded(ErrorCode::NotAState)
    }
}
