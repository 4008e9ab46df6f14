//! One level of the analysis by predecessors: from the frontier, the set of states settled in the
//! last level, to the states that have a move to one of them.
//!
//! The frontier is walked in index order. For each state, the indices of its predecessors are put
//! into a batch, and their cells are prefetched. A full batch is applied when its cells have
//! arrived in the cache. Each predecessor gets an update, which settles it or lowers its count of
//! open successors. The predecessors that get settled form the next frontier.
//!
//! Each thread owns a range of indices, and only the owner changes their cells. Updates for the
//! states of other threads and processes are sent through the [`exchange`](crate::solve::exchange).

mod buckets;
mod level;
mod rule;
mod sorted;
#[cfg(test)]
mod sorted_tests;
mod states;
mod task;
mod walk;

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::solve::cells::cell::{Cell, LevelCodes, OverflowCounts, Settling};
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::predecessors::{Predecessors, Reversed};
use crate::solve::levels::applied::PassKind;
use crate::solve::levels::backward::level::level;
use crate::solve::levels::backward::rule::{Uniform, Varied};
use crate::solve::levels::backward::walk::LevelTask;
use crate::solve::levels::step::{LevelCounts, Levels, Step};

pub(crate) use sorted::UpdateSorter;

/// Levels by predecessors: from the states of the frontier to the states that have a move to them.
pub(crate) struct Backward<P> {
    graph: P,
    /// Sorts updates, if that may be faster.
    sorter: Option<UpdateSorter>,
}

impl<P: Predecessors> Backward<P> {
    pub(crate) fn new(graph: P, sorter: Option<UpdateSorter>) -> Backward<P> {
        Backward { graph, sorter }
    }
}

/// Levels by reverse edges. They are compiled here, and not once more for each game.
#[inline(never)]
pub(crate) fn by_edges<'m>(
    graph: Reversed<'m>,
    sorter: Option<UpdateSorter>,
) -> Box<dyn Levels + 'm> {
    Box::new(Backward::new(graph, sorter))
}

impl<P: Predecessors> Levels for Backward<P> {
    fn walks(&self) -> bool {
        true
    }

    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let (slice, overflow) = cells.parts();
        match slice {
            Slice::Narrow(narrow) => self.walk(step, narrow, overflow, frontiers, pool),
            Slice::Wide(wide) => self.walk(step, wide, overflow, frontiers, pool),
        }
    }
}

impl<P: Predecessors> Backward<P> {
    /// Computes a level in cells of one width, by the rule of its aim.
    fn walk<C: Cell>(
        &mut self,
        step: Step<'_>,
        cells: &mut [C],
        overflow: &OverflowCounts,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let codes = LevelCodes { any: C::of_code(step.codes.any), all: C::of_code(step.codes.all) };
        let settling = Settling { codes, overflow };
        let Backward { graph, sorter } = self;
        let (graph, sorter) = (&*graph, sorter.as_mut());
        match (step.aim, step.uniform) {
            (PassKind::Decided, Some(true)) => {
                let task = LevelTask { graph, rule: Uniform::<true>, settling };
                level(&task, cells, frontiers, sorter, step, pool)
            }
            (PassKind::Decided, Some(false)) => {
                let task = LevelTask { graph, rule: Uniform::<false>, settling };
                level(&task, cells, frontiers, sorter, step, pool)
            }
            _ => {
                let rule = Varied { aim: step.aim, won: C::of_code(step.won), graph };
                level(&LevelTask { graph, rule, settling }, cells, frontiers, sorter, step, pool)
            }
        }
    }
}
