//! The task of a run of `solve`, and its result.

use std::path::Path;
use std::time::Instant;

use crate::game::Game;
use crate::runtime::peers::Sent;
use crate::solve::{Solution, TierFigures};
use crate::table::Compression;
use crate::table::write::TableWriter;

/// Where a run writes what it solves.
pub(super) enum Target<'o> {
    /// To files, or nowhere. A process that solves alone then has the solution in memory, and the
    /// files are still to be written.
    Files(Vec<TableWriter>),
    /// To a table for each tier, in a folder. `tier` is the wanted one; the tiers that it leads to
    /// are solved too.
    Folder { path: &'o Path, tier: Option<&'o str>, compression: Compression },
}

/// The result of a run.
pub(super) struct Done<'g, G: Game> {
    /// A game without tiers has one.
    pub(super) tiers: Vec<TierFigures>,
    /// When the game was solved.
    pub(super) solved: Instant,
    /// The solution and where it is still to be written, of one process that solved in memory.
    pub(super) solution: Option<(Solution<'g, G>, Vec<TableWriter>)>,
    /// The lengths of the files that several processes have written.
    pub(super) written: Vec<u64>,
    /// What several processes have sent to each other.
    pub(super) sent: Option<Sent>,
}
