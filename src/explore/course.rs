//! How far a search is.

use crate::explore::ranges::ShardRange;
use crate::explore::shards::SHARDS;
use crate::explore::statistics::{Ply, Statistics};

/// How far a search is.
pub(super) struct Course {
    /// The tier that is searched, or 0 if there are none.
    pub(super) tier: usize,
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
    /// The number of states that other processes had found before this ply.
    pub(super) elsewhere: u64,
    /// The number of moves in earlier searches.
    pub(super) moves: u64,
}

impl Course {
    /// The search of a tier, after others in which `before` states with `moves` moves were expanded.
    pub(super) fn new(tier: usize, before: u64, moves: u64) -> Course {
        Course {
            tier,
            statistics: Statistics::default(),
            known: vec![0; SHARDS],
            rest: None,
            ply: Ply::default(),
            is_first: true,
            expanded: before,
            before,
            elsewhere: 0,
            moves,
        }
    }

    /// Whether no state of the ply was expanded yet.
    pub(super) fn is_between_plies(&self) -> bool {
        !self.is_first && self.ply.states == 0
    }
}
