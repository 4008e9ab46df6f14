//! Why a question has no answer. Problem documents (RFC 9457) tell it.

use std::fmt::Display;

use serde_json::{Map, Value as Json, json};

use crate::error::{NotationError, QueryError, TableError};
use crate::program::code::ErrorCode;

/// The answer about an unreadable table. The names of files are not for clients.
const UNREADABLE: &str =
    "the table can't be read, or is damaged: whoever runs the server finds more in its messages";

/// A status of HTTP: its code, and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) code: u16,
    pub(crate) title: &'static str,
}

impl Status {
    pub(crate) const BAD_REQUEST: Status = Status { code: 400, title: "Bad Request" };
    pub(crate) const NOT_FOUND: Status = Status { code: 404, title: "Not Found" };
    pub(crate) const REQUEST_TIMEOUT: Status = Status { code: 408, title: "Request Timeout" };
    pub(crate) const CONFLICT: Status = Status { code: 409, title: "Conflict" };
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const NOT_IMPLEMENTED: Status = Status { code: 501, title: "Not Implemented" };
    pub(crate) const INTERNAL_SERVER_ERROR: Status =
        Status { code: 500, title: "Internal Server Error" };
}

/// Why a request is not answered as intended.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: Status,
    /// The kind of the error, and what it is about, for programs.
    pub(crate) code: ErrorCode,
    pub(crate) fields: Box<Map<String, Json>>,
    /// The error, and what was expected, for people.
    pub(crate) detail: String,
    /// The cause, only for the operator of the server.
    pub(crate) cause: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: impl Into<Status>, detail: impl Display) -> Problem {
        let status = status.into();
        let (code, fields) = (usual_code(status), Box::default());
        Problem { status, code, fields, detail: detail.to_string(), cause: None }
    }

    /// The problem with this code.
    pub(crate) fn coded(self, code: ErrorCode) -> Problem {
        Problem { code, ..self }
    }

    /// The problem with a field more. [`ErrorCode`] lists the fields of each code.
    pub(crate) fn with(mut self, field: &str, value: impl Into<Json>) -> Problem {
        self.fields.insert(field.to_owned(), value.into());
        self
    }

    /// The problem of a wrong value of a parameter.
    pub(crate) fn invalid_value(parameter: &str, value: &str, detail: impl Display) -> Problem {
        Problem::bad_request(detail)
            .coded(ErrorCode::InvalidValue)
            .with("parameter", parameter)
            .with("value", value)
    }

    pub(crate) fn bad_request(detail: impl Display) -> Problem {
        Problem::new(Status::BAD_REQUEST, detail)
    }

    pub(crate) fn not_found(detail: impl Display) -> Problem {
        Problem::new(Status::NOT_FOUND, detail)
    }

    /// The problem of a question that only the rules of the game answer. `lacks` says that they are
    /// missing.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn lacks_rules(game: &str, lacks: &str) -> Problem {
        Problem::new(Status::NOT_IMPLEMENTED, lacks).with("game", game)
    }

    /// The problem of a failed query for a position, which is written as `state`.
    pub(crate) fn of_query(error: QueryError, state: &str) -> Problem {
        match error {
            QueryError::NotInTable { .. } => {
                Problem::not_found(QueryError::NotInTable { state: state.to_owned() })
                    .coded(ErrorCode::NotInTable)
                    .with("state", state)
            }
            QueryError::OutcomesOnly { .. } => Problem::new(Status::CONFLICT, error),
            QueryError::Table(error) if error.unsolved_tier().is_some() => {
                Problem::not_found(not_solved(&error, state))
                    .coded(ErrorCode::NotInTable)
                    .with("state", state)
            }
            QueryError::Table(TableError::Interrupted) => {
                Problem::new(Status::REQUEST_TIMEOUT, "there was no answer in time")
            }
            QueryError::Table(error) => Problem {
                cause: Some(error.to_string()),
                ..Problem::new(Status::INTERNAL_SERVER_ERROR, UNREADABLE)
            },
        }
    }

    /// The problem document, and its type.
    pub(crate) fn document(&self) -> (&'static str, String) {
        let document = json!({
            "type": "about:blank",
            "title": self.status.title,
            "status": self.status.code,
            "detail": self.detail,
            "code": self.code,
            "fields": *self.fields,
        });
        ("application/problem+json", document.to_string())
    }
}

/// Says that the tier of a position is not solved yet.
fn not_solved(error: &TableError, state: &str) -> String {
    let (tier, solved, of) = error.unsolved_tier().unwrap_or_default();
    format!(
        "position {state} is in tier {tier}, which is not in the table: {solved} of {of} tiers are \
         solved; ask for a position of one of these, or solve the others"
    )
}

/// The code of a problem of this status, where it has no narrower one.
fn usual_code(status: Status) -> ErrorCode {
    match status.code {
        400 => ErrorCode::BadRequest,
        404 => ErrorCode::NotFound,
        405 => ErrorCode::WrongMethod,
        408 => ErrorCode::Interrupted,
        409 => ErrorCode::OutcomesOnly,
        413 | 414 | 431 => ErrorCode::TooLong,
        415 => ErrorCode::WrongType,
        421 => ErrorCode::WrongHost,
        500 => ErrorCode::Table,
        501 => ErrorCode::NeedsRules,
        503 => ErrorCode::Busy,
        _ => ErrorCode::Failed,
    }
}

impl Problem {
    /// The problem of a text that is no state.
    pub(crate) fn not_a_state(text: &str, error: NotationError) -> Problem {
        Problem::bad_request(error).coded(ErrorCode::NotAState).with("state", text)
    }
}
