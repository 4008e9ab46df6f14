//! Errors as problem documents (RFC 9457).

use std::fmt::Display;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::{NotationError, QueryError, TableError};

/// The answer about an unreadable table. The names of files are not for clients.
const UNREADABLE: &str =
    "the table can't be read, or is damaged: whoever runs the server finds more in its messages";

/// Why a request is not answered as intended.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// The error, and what was expected.
    pub(crate) detail: String,
    /// The cause, only for the operator of the server.
    pub(crate) cause: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Display) -> Problem {
        Problem { status, detail: detail.to_string(), cause: None }
    }

    pub(crate) fn bad_request(detail: impl Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    pub(crate) fn not_found(detail: impl Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// The problem of a failed query for a position, which is written as `state`.
    pub(crate) fn of_query(error: QueryError, state: &str) -> Problem {
        match error {
            QueryError::NotInTable { .. } => {
                Problem::not_found(QueryError::NotInTable { state: state.to_owned() })
            }
            QueryError::OutcomesOnly { .. } => Problem::new(StatusCode::CONFLICT, error),
            QueryError::Table(TableError::Interrupted) => {
                Problem::new(StatusCode::REQUEST_TIMEOUT, "there was no answer in time")
            }
            QueryError::Table(error) => Problem {
                cause: Some(error.to_string()),
                ..Problem::new(StatusCode::INTERNAL_SERVER_ERROR, UNREADABLE)
            },
        }
    }

    /// The problem document, and its type.
    pub(crate) fn document(&self) -> (&'static str, String) {
        let document = json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "detail": self.detail,
        });
        ("application/problem+json", document.to_string())
    }
}

impl From<NotationError> for Problem {
    fn from(error: NotationError) -> Problem {
        Problem::bad_request(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (kind, document) = self.document();
        (self.status, [(header::CONTENT_TYPE, kind)], document).into_response()
    }
}
