//! Serves tables over HTTP, and the page that shows them. `docs/HTTP.md` describes the interface.
//!
//! Only [`game_table`] knows the type of a game. Everything else is compiled once.

mod answers;
mod app;
mod batch;
mod connections;
mod examples;
mod game_table;
mod guard;
mod json;
mod listen;
mod metrics;
mod page;
mod position;
mod problem;
mod request;
mod routes;
mod setup;
mod stream;
mod tables;
mod timed;

pub(crate) use answers::{About, Answers};
pub(crate) use game_table::open;
pub(crate) use listen::{Settings, Stop, serve};
pub(crate) use tables::{Tables, table_name};
