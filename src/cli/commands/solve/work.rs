//! What a run of `solve` is to do, and what it has done.

use std::path::Path;
use std::time::Instant;

use crate::game::Game;
use crate::runtime::peers::Sent;
use crate::solve::{Solution, TierFigures};
use crate::table::{Compression, Destination};

/// Where a run writes what it solves.
pub(super) enum Target<'o> {
    /// To files, or nowhere. One process alone has the solution in memory then, and the files are still to
    /// be written.
    Files(Vec<Destination<'static>>),
    /// To a table for each tier, in a folder. `tier` is the one that is wanted, with those that it needs.
    Folder { path: &'o Path, tier: Option<&'o str>, compression: Compression },
}

/// What a run has done.
pub(super) struct Done<'g, G: Game> {
    /// A game without tiers has one.
    pub(super) tiers: Vec<TierFigures>,
    /// When the game was solved.
    pub(super) solved: Instant,
    /// The solution and where it is still to be written, of one process that solved in memory.
    pub(super) solution: Option<(Solution<'g, G>, Vec<Destination<'static>>)>,
    /// The lengths of the files that several processes have written.
    pub(super) written: Vec<u64>,
    /// What several processes have sent each other.
    pub(super) sent: Option<Sent>,
}
