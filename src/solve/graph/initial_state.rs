//! The state of an analysis before its levels, made by the first pass.

use std::ops::Range;
use std::sync::Arc;

use crate::error::SolveError;
use crate::explore::Movers;
use crate::game::summary::Counts;
use crate::game::value::Scale;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::WorkerPool;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::Cells;
use crate::solve::graph::incoming::Incoming;
use crate::solve::plan::MemoryNeeds;

/// The analysis after the first pass, or after a part of it: only the states where play is over are
/// settled.
pub(crate) struct InitialState {
    /// The indices of the pass: all of them, or this process's window.
    pub(crate) window: Range<u64>,
    pub(crate) cells: Cells,
    /// The states where play is over with a win or a loss. With points, each pass finds its own.
    pub(crate) frontier: Frontier,
    /// The states where play stops one ply before its end. With points, each pass finds its own.
    pub(crate) early: Frontier,
    pub(crate) counts: Counts,
    /// The values of the exits.
    pub(crate) incoming: Incoming,
    /// The player to move in each state. Without room for any index, the pass does not note it.
    pub(crate) movers: Movers,
}

impl InitialState {
    /// The state before the first pass over the indices of a window, with narrow cells if values have
    /// no points.
    pub(crate) fn before(
        window: Range<u64>,
        scale: Scale,
        scratch: Option<&Arc<Scratch>>,
    ) -> Result<InitialState, SolveError> {
        let len = window.end - window.start;
        let cells = match scale.has_points() {
            true => Cells::wide_unused(len, scale, scratch)?,
            false => Cells::unused(len, scratch)?,
        };
        Ok(InitialState {
            cells: cells.starting_at(window.start),
            window,
            frontier: Frontier::empty_in(len, scratch)?,
            early: Frontier::empty_in(len, scratch)?,
            counts: Counts::default(),
            incoming: Incoming::default(),
            movers: Movers::all_first(0..0)?,
        })
    }

    /// Has the pass note who is to move in each state.
    pub(super) fn with_movers(self) -> Result<InitialState, SolveError> {
        let movers = Movers::all_first_in(self.window.clone(), self.cells.scratch())?;
        Ok(InitialState { movers, ..self })
    }

    /// The state before a first pass with wide cells, in place of this one. The frontiers keep
    /// their states, and so do the movers; the new pass finds the same ones.
    pub(crate) fn before_wide(self) -> Result<InitialState, SolveError> {
        let InitialState { window, cells, frontier, early, movers, .. } = self;
        let (len, scale, scratch) = (cells.len(), cells.scale(), cells.scratch().cloned());
        // Frees the narrow cells before the wide ones are allocated.
        drop(cells);
        Ok(InitialState {
            cells: Cells::wide_unused(len, scale, scratch.as_ref())?.starting_at(window.start),
            window,
            frontier,
            early,
            counts: Counts::default(),
            incoming: Incoming::default(),
            movers,
        })
    }

    /// The state with the values of exits that were looked up before the pass.
    pub(super) fn with_exits(mut self, exits: Incoming) -> InitialState {
        self.incoming.append(exits);
        self
    }

    /// Adds up the figures of all processes, and widens the cells if any other process has wide
    /// cells.
    ///
    /// # Errors
    /// If there is no room for wide cells, or another process is lost.
    pub(crate) fn join(
        mut self,
        needs: &MemoryNeeds<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<InitialState, SolveError> {
        if !pool.has_peers() {
            return Ok(self);
        }
        let is_wide = self.cells.palette().is_none();
        let mut figures = self.counts.of_ends(self.cells.scale().most_points());
        figures.push(u64::from(is_wide));
        pool.sum(&mut figures)?;
        if let [of_ends @ .., wide] = &figures[..] {
            self.counts = Counts::with_ends(of_ends);
            if *wide > 0 && !is_wide {
                needs.check_wide()?;
                self.cells.widen();
            }
        }
        Ok(self)
    }
}
