//! What the levels see of a game: who follows whom, by numbers.

pub(crate) mod exit_summary;
pub(crate) mod incoming;
pub(crate) mod initialize;
pub(crate) mod positions;
pub(crate) mod reverse_edges;
