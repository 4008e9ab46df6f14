//! Graphs to play on: how they are read, kept, laid out and drawn.

mod graph;
mod graph6;
mod layout;
mod picture;
mod read;
mod room;
pub(crate) mod steps;

pub use graph::{Graph, GraphError, MOST_NODES};
pub(crate) use graph6::HEADER as GRAPH6_HEADER;
pub(crate) use picture::picture;
pub(crate) use read::{lists_of_json, lists_of_text, lists_of_word, written};

/// For every node, the nodes that it has an edge to, as a person gave them.
pub(crate) type Lists = Vec<Vec<i64>>;
