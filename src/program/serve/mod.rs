//! Serves tables over HTTP, and the page that shows them. `docs/HTTP.md` describes the interface.

mod app;
mod batch;
mod bundle;
mod connections;
mod description;
mod guard;
mod listen;
mod metrics;
mod names;
pub(crate) mod page;
mod private;
mod problem;
mod request;
mod routes;
mod stream;
mod tags;

pub(crate) use listen::{Settings, Stop, serve};
pub(crate) use names::table_name;
