#![doc = include_str!("../README.md")]
//! # The library
//!
//! | to | use |
//! | --- | --- |
//! | give the rules of a game | [`Game`] |
//! | number its states | [`Solvable`], which lists [schemes](scheme); [`Indexed`], [`Packed`] or [`Tiered`] for them; the parts in [`index`] |
//! | check that the rules agree | [`laws::check`] |
//! | count its states | [`Solver::survey`] |
//! | solve it | [`Solver::solve`], which gives a [`Solution`] |
//! | store it | [`Stored`]; [`Solution::save`], or [`Solver::solve_into`] tier by tier |
//! | open what is stored | [`Table::open`], for a file or a folder of tiers; [`Table::verify`] proves it |
//! | ask about positions | [`Query`], on a [`Solution`] or on the [`Prober`] of a [`Table`] |
//! | give it a command line | [`Notation`], and `cli::Registry` |
//!
//! # Features
//!
//! - `cli` (default): the command line as a library function, `cli`. It depends on `clap`, `indicatif`
//!   and `ctrlc`. Without it the library reads and writes tables, and prints nothing.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[cfg(feature = "cli")]
pub mod cli;
pub mod index;
pub mod laws;
pub mod query;
pub mod solve;
pub mod table;

mod codec;
mod error;
mod explore;
mod game;
mod notation;
mod numbering;
mod preference;
mod runtime;
mod summary;
mod value;
mod verify;
mod word;

/// Compiles the examples of a page of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../docs/NUMBERING.md")]
struct NumberingPage;

pub use error::{SolveError, TableError};
pub use game::{Game, Indexed, Outcome, Packed, Player, Players, Tier, TierIndexed, Tiered};
pub use notation::{Notation, NotationError};
pub use numbering::scheme::{self, Solvable};
pub use query::Query;
pub use solve::{Solution, Solver};
pub use summary::Summary;
pub use table::{Prober, Stored, Table};
pub use value::{Value, Verdict};
