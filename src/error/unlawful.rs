//! Why a check of the laws failed.

use thiserror::Error;

use crate::error::{BrokenLaw, SolveError};
use crate::runtime::Cancelled;

/// Why a check of the laws failed.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A law is broken.
    #[error("{0}")]
    Broken(BrokenLaw),
    /// The states could not be discovered, or the progress function interrupted the check.
    #[error(transparent)]
    Unchecked(SolveError),
}

impl From<BrokenLaw> for LawError {
    fn from(broken: BrokenLaw) -> LawError {
        LawError::Broken(broken)
    }
}

impl From<SolveError> for LawError {
    fn from(error: SolveError) -> LawError {
        match error {
            SolveError::BrokenLaw(broken) => LawError::Broken(broken),
            error => LawError::Unchecked(error),
        }
    }
}

impl From<Cancelled> for LawError {
    fn from(_: Cancelled) -> LawError {
        SolveError::Interrupted.into()
    }
}
