//! The result of a check of the laws.

use thiserror::Error;

use crate::error::{Law, SolveError};
use crate::runtime::Cancelled;

/// The counts of a successful check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of states.
    pub states: u64,
    /// The number of moves from these states.
    pub moves: u64,
    /// The number of predecessors of these states; 0 if the game provides none.
    pub predecessors: u64,
    /// The number of states from which a sample was drawn: the first ones found, in the order of
    /// their distance from the roots. `None` if all states were discovered, or have a formula.
    pub drawn_from: Option<u64>,
}

/// Why a check of the laws failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A law is broken. Contains the first counterexample found.
    #[error("broken law: {law}\n{counterexample}")]
    Broken {
        /// The law that is broken.
        law: Law,
        /// The states that break the law, and how.
        counterexample: String,
    },
    /// The states could not be discovered, or the progress function interrupted the check.
    #[error(transparent)]
    Unchecked(#[from] SolveError),
}

impl From<Cancelled> for LawError {
    fn from(_: Cancelled) -> LawError {
        SolveError::Interrupted.into()
    }
}
