//! Why a probe has no answer.

use thiserror::Error;

use crate::error::TableError;

/// Why a probe of a [`Query`](crate::Query) has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The table does not have the state.
    #[error(
        "position {state} is not in the table: it can't be reached from the game's start, or is \
         none of the game's"
    )]
    NotInTable {
        /// The state.
        state: String,
    },
    /// The table has outcomes alone, and the probe needs distances.
    #[error("the table has outcomes alone: {asked} needs one with distances")]
    OutcomesOnly {
        /// What needs distances.
        asked: &'static str,
    },
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl QueryError {
    pub(crate) fn not_in_table(state: &impl std::fmt::Debug) -> QueryError {
        QueryError::NotInTable { state: format!("{state:?}") }
    }
}
