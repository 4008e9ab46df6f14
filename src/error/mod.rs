//! The errors of the library, as plain data.
//!
//! They are in one module so that an error can carry another one without imports between the
//! modules that return them. Each says what was wrong, where, what was expected, and what to do
//! next.

mod bytes;
mod checkpoint;
mod differences;
mod law;
mod query;
mod solve;
mod table;

#[cfg(feature = "cli")]
pub(crate) use bytes::Bytes;
pub use checkpoint::CheckpointError;
pub(crate) use differences::{differences, shortened};
pub use law::Law;
pub use query::QueryError;
pub use solve::SolveError;
pub use table::TableError;
