#![doc = include_str!("../README.md")]
#![doc = ""]
//! front

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[cfg(feature = "cli")]
pub mod cli;
pub mod laws;
pub mod value;

mod game;
mod notation;
mod numbering;
mod query;
mod solve;
mod tablebase;

pub use game::{Game, Indexed, Outcome, Player};
pub use notation::{Notation, NotationError};
pub use numbering::{Dense, Explored, Numbering, NumberingKind};
pub use query::{Assessed, Line, LineEnd, Query, QueryError};
pub use solve::{AtDistance, OnProgress, Progress, Solution, SolveError, Solver, Summary, Tally};
pub use tablebase::{
    Destination, Header, NumbersFile, Prober, SortedStates, Storage, Stored, TableError, Tablebase,
};
pub use value::{DecidedBy, MAX_PLIES, Rules, Value, Verdict};
