#![doc = include_str!("../README.md")]
//! # The library
//!
//! | to | use |
//! | --- | --- |
//! | describe a game | [`Game`]; [`Indexed`] for a numbering, [`Packed`] for small states, [`Notation`] for people, [`Stored`] for files |
//! | number its states | the parts in [`index`] |
//! | check the description | [`laws::check`], [`laws::check_explored`] |
//! | solve it | [`Solver`], which gives a [`Solution`] |
//! | keep it | `Solution::save`, [`Tablebase::open`] |
//! | ask it | [`Query`], on a [`Solution`] or on a [`Prober`] of a [`Tablebase`] |
//! | have a command line for it | `cli::Registry` |
//!
//! # Features
//!
//! - `cli` (default): the command line as a library function, [`cli`]. Brings `clap`, `indicatif`
//!   and `ctrlc` along; without it the library reads and writes tables and prints nothing.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[cfg(feature = "cli")]
pub mod cli;
pub mod index;
pub mod laws;

mod error;
mod explore;
mod game;
mod notation;
mod numbering;
mod query;
mod runtime;
mod solve;
mod summary;
mod table;
mod value;
mod verify;

pub use error::{CheckpointError, FolderError, SolveError, TableError};
pub use explore::{Ply, Survey};
pub use game::{
    Game, Indexed, Outcome, Packed, Player, Tier, TierIndexed, Tiered, VisitSuccessors,
};
pub use notation::{Notation, NotationError};
pub use numbering::{
    ByIndex, Dense, Explored, Keeping, Numbering, NumberingKind, Sorted, TierNumbers, Whole, Word,
};
pub use query::{Assessed, Line, LineEnd, Query, QueryError, Visit};
pub use runtime::progress::{Method, OnProgress, Plan, Progress, Resumed};
pub use solve::{Solution, Solver, TierFigures, TieredSolution};
pub use summary::{AtDistance, Summary, Tally};
pub use table::{
    ByFormula, BySearch, Checkpoints, Compression, Destination, FindNumber, Header, InMemory,
    Prober, Storage, Stored, StoredNumbering, Tablebase, TierFolder, TierProber, TierWay,
};
pub use value::{DecidedBy, MAX_PLIES, Rules, Value, ValueKind, Verdict};
