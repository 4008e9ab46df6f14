// A page of rustdoc has no files beside it, so there the picture of the README is in its link: of two
// definitions of a link, the first counts.
#![doc = concat!("[page]: ", include_str!("../docs/page.url"))]
#![cfg_attr(any(doc, doctest), doc = include_str!(concat!(env!("OUT_DIR"), "/README.md")))]
//! # The library
//!
//! The [documentation](mod@documentation) has the guide, and pages on numberings, pictures, the command line
//! and the format of the files.
//!
//! The examples on these pages solve three small games, which are in `tests/kit/games.rs`:
//!
//! | game | rules |
//! | --- | --- |
//! | `Nim` | Take one, two or three counters from a heap. Whoever takes the last one wins. |
//! | `TwoHeaps` | Take any number of counters from one of two heaps. Whoever takes the last one wins. |
//! | `TugOfWar` | Push a marker one step to and fro on the places 0 to 4. The first player wins at 0, the second at 4. |
//!
//! | to | use |
//! | --- | --- |
//! | give the rules of a game | [`Game`] |
//! | number its states | [`Numbered`], which lists [schemes](scheme); [`Indexed`], [`PackedState`] or [`Tiered`] for them; the parts in [`index`] |
//! | check that the rules agree | [`laws::check`] |
//! | count its states | [`Solver::survey`] |
//! | solve it | [`Solver::solve`], which gives a [`Solution`] |
//! | store it | [`Stored`]; [`Solution::save`], or [`Solver::solve_into`] tier by tier |
//! | open what is stored | [`Table::open`], for a file or a folder of tiers; [`Table::verify`] proves it |
//! | ask about positions | [`value`](Prober::value), [`moves`](Prober::moves) and [`line`](Prober::line) of the [`Prober`] of a [`Table`], or of a [`Solution`] |
//! | give it a command line | [`Notation`], and `cli::Registry` |
//! | show its positions | [`Notation::scene`], made of the parts in [`scene`](mod@scene) |
//! | write, read and show a board of rows and columns | [`board::Grid`] |
//! | find out why something failed | the types in [`error`](mod@error) |
//!
//! # Features
//!
//! | features | what there is | crates to build |
//! | --- | --- | --- |
//! | none (default) | solving, tables, laws; prints nothing | 51 |
//! | `cli` | the command line as a library function, `cli`, too | 77 |
//! | `serve` | `retrograde serve` in that command line | 106 |
//! | `cluster` | `solve --processes` and `solve --hosts` in that command line | 91 |
//!
//! The crates are counted by `cargo tree -e normal,build` on Linux. One of them makes the C library zstd.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// A module for browsers reads tables. What solves and what talks to terminals is compiled, but not used.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]
#![warn(missing_debug_implementations)]

pub mod error;
pub mod index;
pub mod laws;
pub mod query;
pub mod solve;
pub mod table;

mod explore;
mod game;
mod numbering;
#[cfg(feature = "cli")]
mod program;
mod runtime;
mod verify;

#[cfg(any(doc, doctest))]
pub mod documentation;

pub use error::{NotationError, SolveError, TableError};
pub use game::notation::Notation;
pub use game::summary::Summary;
pub use game::value::{Value, Verdict};
pub use game::{
    Game, Indexed, Outcome, PackedState, Player, Players, Repeats, Row, Rows, Tier, TierIndexed,
    Tiered, VisitSuccessors, board, scene,
};
pub use numbering::scheme::{self, Numbered};
#[cfg(feature = "cli")]
pub use program::cli;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub use program::web;
pub use query::Prober;
pub use solve::{Solution, Solver};
pub use table::{Stored, Table};
pub use verify::Verifier;
