//! What the levels see of a game: its indices, and the moves between them.

mod exits_together;
pub(crate) mod incoming;
pub(crate) mod initial_state;
pub(crate) mod initialize;
mod initialize_together;
pub(crate) mod positions;
pub(crate) mod reverse_edges;
