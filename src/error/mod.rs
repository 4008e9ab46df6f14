//! Why something failed: the errors of all rooms, as plain data.
//!
//! They stand below the rooms that bring them about, so that one can carry another without either
//! room knowing the other. Each says what was wrong, where, what was expected, and what to do next.

mod checkpoint;
mod folder;
mod solve;
mod table;

pub use checkpoint::CheckpointError;
pub use folder::FolderError;
pub use solve::SolveError;
pub use table::TableError;
