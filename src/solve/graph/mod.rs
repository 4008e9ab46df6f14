//! A game as the levels see it: its indices, and the moves between them.

pub(crate) mod batch;
pub(crate) mod exits;
mod exits_together;
pub(crate) mod first_pass;
pub(crate) mod incoming;
pub(crate) mod initial_state;
pub(crate) mod initialize;
mod initialize_together;
pub(crate) mod links;
pub(crate) mod predecessors;
pub(crate) mod reverse_edges;
pub(crate) mod row_pass;
