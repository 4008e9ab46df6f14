//! Why a probe has no answer.

use std::fmt::Debug;

use thiserror::Error;

use crate::error::TableError;
use crate::game::one_line;

/// Why a probe of a [`Prober`](crate::Prober) or a [`Solution`](crate::Solution) has no answer.
#[derive(Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The table does not have the state.
    #[error(
        "position {state} is not in the table: play from the start never reaches it, or it is no \
         position of this game"
    )]
    NotInTable {
        /// The state.
        state: String,
    },
    /// The table has outcomes only, and the probe needs distances.
    #[error("the table has outcomes only: {asked} needs a table with distances")]
    OutcomesOnly {
        /// The part of the question that needs distances.
        asked: &'static str,
    },
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl QueryError {
    /// Whether the table does not have the state, or not yet.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only the answers use it"))]
    pub(crate) fn lacks_state(&self) -> bool {
        match self {
            QueryError::NotInTable { .. } => true,
            QueryError::Table(error) => error.unsolved_tier().is_some(),
            QueryError::OutcomesOnly { .. } => false,
        }
    }

    pub(crate) fn not_in_table(state: &impl Debug) -> QueryError {
        QueryError::NotInTable { state: one_line(&format!("{state:?}")) }
    }
}
