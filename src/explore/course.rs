//! How far a search is.

use crate::explore::ranges::ShardRange;
use crate::explore::shards::SHARDS;
use crate::explore::statistics::{Ply, Statistics};

/// How far a search is.
pub(super) struct Course {
    /// The plies that are complete.
    pub(super) statistics: Statistics,
    /// The number of states in each hash table that were found before the ply.
    pub(super) known: Vec<usize>,
    /// The states of the ply that are not expanded yet; `None` before the first ply.
    pub(super) rest: Option<Vec<ShardRange>>,
    /// The states of the ply that were expanded.
    pub(super) ply: Ply,
    /// Whether no ply has begun.
    pub(super) is_first: bool,
    /// The number of states that were expanded in this search and earlier ones, and in earlier ones.
    pub(super) expanded: u64,
    pub(super) before: u64,
}

impl Course {
    /// A search after others in which `expanded` states were expanded.
    pub(super) fn new(expanded: u64) -> Course {
        let statistics = Statistics::default();
        let (known, ply) = (vec![0; SHARDS], Ply::default());
        let (is_first, before) = (true, expanded);
        Course { statistics, known, rest: None, ply, is_first, expanded, before }
    }
}
