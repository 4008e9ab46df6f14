//! What a check of the laws comes to.

use thiserror::Error;

use crate::error::{Law, SolveError};
use crate::runtime::Cancelled;

/// The counts of what a successful check has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of states.
    pub states: u64,
    /// The number of moves from those states.
    pub moves: u64,
    /// The number of predecessors of those states; 0 where the game gives none.
    pub predecessors: u64,
    /// From how many states a sample was drawn, where not all were discovered: so many were found first,
    /// in the order of their distance from the roots. `None` where all states were discovered, or have a
    /// formula.
    pub drawn_from: Option<u64>,
}

/// Why a check of the laws failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A law is broken. Holds the first counterexample found.
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
