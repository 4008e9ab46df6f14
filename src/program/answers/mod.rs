//! Answers about tables, in JSON: what the server and a published page say. `docs/HTTP.md` describes
//! them.
//!
//! Only [`game_table`] knows the type of a game. Everything else is compiled once. Nothing here needs
//! threads, a clock or a command line.

pub(crate) mod examples;
pub(crate) mod facts;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod file_table;
pub(crate) mod game_table;
pub(crate) mod json;
mod opening;
pub(crate) mod parameters;
pub(crate) mod position;
pub(crate) mod problem;
pub(crate) mod question;
pub(crate) mod questions;
mod searching;
pub(crate) mod setup;
pub(crate) mod tables;

/// Says whether the time for an answer is over.
pub(crate) type IsLate<'a> = &'a dyn Fn() -> bool;
