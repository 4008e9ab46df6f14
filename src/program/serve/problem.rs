//! Problems as answers of HTTP.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::program::answers::problem::{Problem, Status};

impl From<StatusCode> for Status {
    fn from(status: StatusCode) -> Status {
        Status { code: status.as_u16(), title: status.canonical_reason().unwrap_or("Error") }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (kind, document) = self.document();
        let status = StatusCode::from_u16(self.status.code);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(header::CONTENT_TYPE, kind)], document).into_response()
    }
}
