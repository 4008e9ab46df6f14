//! The input and the output of one level.

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::solve::cells::Cells;
use crate::solve::cells::cell::LevelCodes;
use crate::solve::graph::incoming::Segment;
use crate::solve::levels::applied::{Applied, PassKind};

/// A way to compute levels.
pub(crate) trait Levels {
    /// Whether a level walks the frontier, the states of its own distance, and counts them.
    /// Otherwise the frontiers are empty before and after, and the level counts the states that it
    /// settles.
    fn walks(&self) -> bool;

    /// Whether other levels take less time from now on, since the moves that are left fit into
    /// memory. `counts` are those of the last level.
    fn gives_way(&self, counts: &LevelCounts, pool: &WorkerPool<'_>) -> bool {
        let _ = (counts, pool);
        false
    }

    /// Settles the states of the next distance.
    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError>;
}

/// The task of one level.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) aim: PassKind,
    /// The points of the pass.
    pub(crate) points: u16,
    /// The code of wins of this distance.
    pub(crate) won: u16,
    /// `Some(true)` if all states of this distance are won, `Some(false)` if all are lost.
    pub(crate) uniform: Option<bool>,
    /// The codes of the states that this level settles.
    pub(crate) codes: LevelCodes<u16>,
    /// The level, which is the distance of the states that it walks.
    pub(crate) level: u32,
    /// The number of states in the frontier, or of all indices if the level does not walk the
    /// frontier.
    pub(crate) states: u64,
    /// The values of exits that take effect at this level.
    pub(crate) incoming: &'a [Segment],
    /// The event to report when this number of states is walked, or of indices is examined.
    pub(crate) event: &'a dyn Fn(u64) -> Progress,
}

impl Step<'_> {
    /// The values that have been applied before this level.
    pub(crate) fn applied(&self) -> Applied {
        Applied { aim: self.aim, points: self.points, plies: self.level }
    }
}

/// How many won, lost and drawn states were walked, by the player to move.
pub(crate) type Walked = [[u64; 2]; 3];

/// The counts of the states that one level settled and walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelCounts {
    /// How many states any one successor settled, and how many needed all successors.
    pub(crate) settled: [u64; 2],
    pub(crate) walked: Walked,
    /// How many moves lead from open states to states that may still settle them, if the level counts
    /// them.
    pub(crate) left: u64,
}

impl LevelCounts {
    /// The number of settled states.
    pub(crate) fn all_settled(&self) -> u64 {
        self.settled.iter().sum()
    }

    /// The number of walked states.
    pub(crate) fn all_walked(&self) -> u64 {
        self.walked.iter().flatten().sum()
    }

    /// All figures.
    fn figures(&self) -> impl Iterator<Item = u64> {
        self.settled.into_iter().chain(self.walked.into_iter().flatten()).chain([self.left])
    }

    /// The counts of all processes together, and whether `due` is true in any of them.
    pub(crate) fn of_all(
        self,
        due: bool,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(LevelCounts, bool), SolveError> {
        let mut figures: Vec<u64> = [u64::from(due)].into_iter().chain(self.figures()).collect();
        pool.sum(&mut figures)?;
        let mut figures = figures.into_iter();
        let due = figures.next() != Some(0);
        let mut sums = LevelCounts::default();
        let all = sums.settled.iter_mut().chain(sums.walked.iter_mut().flatten());
        let all = all.chain([&mut sums.left]);
        all.zip(figures).for_each(|(sum, figure)| *sum = figure);
        Ok((sums, due))
    }

    /// Adds other counts of the same level.
    pub(crate) fn add(&mut self, other: &LevelCounts) {
        for (sum, more) in self.settled.iter_mut().zip(other.settled) {
            *sum += more;
        }
        for (sum, more) in self.walked.iter_mut().flatten().zip(other.walked.iter().flatten()) {
            *sum += more;
        }
        self.left += other.left;
    }
}
