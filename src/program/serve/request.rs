//! What an address names.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::program::answers::problem::Problem;

/// The name of a table in an address.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Name, Problem> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) =
            name.map_err(|error: PathRejection| Problem::bad_request(error.body_text()))?;
        Ok(Name(name))
    }
}
