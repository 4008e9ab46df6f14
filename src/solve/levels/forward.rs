//! One level of the analysis by moves only: for games without predecessors, if there is no memory
//! for reverse edges.
//!
//! Every level goes through the moves of all open states, and settles the states whose successors
//! decide. This needs no memory beyond the cells. The time grows with the number of levels.

use std::ops::{ControlFlow, Range};

use crate::error::SolveError;
use crate::game::Game;
use crate::game::preference::Preference;
use crate::game::value::ENDLESS;
use crate::numbering::Numbering;
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::solve::cells::cell::{Cell, LevelCodes};
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::batch::Batch;
use crate::solve::graph::reverse_edges::EdgeMemory;
use crate::solve::levels::applied::{Applied, Opened, PassKind, Settles};
use crate::solve::levels::step::{LevelCounts, Levels, Step};

/// Levels by moves only: every level examines every open state.
pub(crate) struct Forward<'n, N> {
    pub(crate) numbering: &'n N,
    /// The memory for the moves between open states, in bytes. Once they fit, levels by reverse edges
    /// take less time.
    pub(crate) spare: u64,
}

impl<N: Numbering + Sync> Levels for Forward<'_, N> {
    fn walks(&self) -> bool {
        false
    }

    fn level(
        &mut self,
        step: Step<'_>,
        cells: &mut Cells,
        frontiers: [&mut Frontier; 2],
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        level(self.numbering, step, cells, frontiers, pool)
    }

    fn gives_way(&self, counts: &LevelCounts, pool: &WorkerPool<'_>) -> bool {
        let len = self.numbering.len();
        !N::PREDECESSORS
            && !pool.has_peers()
            && EdgeMemory::least(len, counts.left, pool.threads()) <= self.spare
    }
}

/// A range of indices, and its part of a map.
type RangePart<'f> = (Range<u64>, Part<'f>);

/// Examines every open state, and settles the decided ones. `settled` collects the states that get
/// settled, and `by_any` the ones among them that any one successor settles. Both sets are empty
/// before and after.
fn level<N: Numbering + Sync>(
    numbering: &N,
    step: Step<'_>,
    cells: &mut Cells,
    [settled, by_any]: [&mut Frontier; 2],
    pool: &mut WorkerPool<'_>,
) -> Result<LevelCounts, SolveError> {
    let Step { aim, codes, event, .. } = step;
    let applied = step.applied();
    let len = numbering.len();
    let examine_all = |((range, mut settled), (_, mut by_any)): (RangePart<'_>, RangePart<'_>),
                       token: &dyn CancellationToken| {
        let first = range.start;
        let mut counts = LevelCounts::default();
        let cells: &Cells = cells;
        let mut batch = Batch::new();
        let mut settle = |batch: &mut Batch<N::Key, Opened>| {
            batch.find(numbering);
            batch.found().iter().for_each(|&index| cells.prefetch(index));
            for at in 0..batch.len() {
                let settles = match evaluate(numbering, applied, cells, batch, at)? {
                    Ok(settles) => settles,
                    Err(left) => {
                        counts.left += left;
                        continue;
                    }
                };
                let (index, Opened { mover, .. }) = batch.source(at);
                settled.insert(index - first);
                if settles == Settles::Any {
                    by_any.insert(index - first);
                }
                counts.settled[settles as usize] += 1;
                let kind = match aim {
                    PassKind::Decided => settles as usize,
                    PassKind::Drawn { .. } => 2,
                };
                counts.walked[kind][mover.index()] += 1;
            }
            batch.clear();
            Ok::<_, SolveError>(())
        };
        for index in range {
            if index.is_multiple_of(CHUNK) && token.done(CHUNK) == ControlFlow::Break(()) {
                break;
            }
            if cells.get(index as usize) != ENDLESS {
                continue;
            }
            let Some(state) = numbering.state(index) else { continue };
            let opened = Opened::of(numbering, &state)?;
            batch.add(numbering, index, &state, opened)?;
            if batch.is_full() {
                settle(&mut batch)?;
            }
        }
        settle(&mut batch)?;
        Ok::<_, SolveError>(counts)
    };
    let size = Size::of_pass(len);
    let parts = if size == Size::Small { 1 } else { 4 * pool.threads() };
    let ends = equal_cuts(len, parts, CHUNK);
    let tasks = settled.whole().cut(&ends).into_iter().zip(by_any.whole().cut(&ends)).collect();
    let mut counts = LevelCounts::default();
    for part in pool.run(size, tasks, event, examine_all)? {
        counts.add(&part);
    }
    match cells.slice() {
        Slice::Narrow(narrow) => write(narrow, codes, settled.whole(), by_any.whole()),
        Slice::Wide(wide) => write(wide, codes, settled.whole(), by_any.whole()),
    }
    Ok(counts)
}

/// Finds out how the successors of an open state of a batch settle it at this level. If they do
/// not, returns the number of moves to states that may still settle it.
fn evaluate<N: Numbering>(
    numbering: &N,
    applied: Applied,
    cells: &Cells,
    batch: &Batch<N::Key, Opened>,
    at: usize,
) -> Result<Result<Settles, u64>, SolveError> {
    let (_, Opened { mover, exit }) = batch.source(at);
    let known = applied.and_this_level();
    let (mut found, mut escape, mut left) = (false, false, 0);
    for link in batch.links(numbering, at)? {
        match known.effect_of_link::<N::Game>(cells, link) {
            Some(Settles::Any) => found = true,
            Some(Settles::All) => {}
            None => {
                escape = true;
                left += 1;
            }
        }
    }
    if let Some(exit) = exit {
        match known.effect_of_exit::<N::Game>(exit) {
            Some(Settles::Any) => found = true,
            Some(Settles::All) => {}
            None => escape = true,
        }
    }
    let preference = Preference::new(mover, numbering.game().endless());
    let (any, all) = match applied.aim {
        PassKind::Decided => (found, !escape),
        PassKind::Drawn { .. } => (found && preference.hurries_to_draws, found && !escape),
    };
    let settles = if any { Settles::Any } else { Settles::All };
    Ok(if any || all { Ok(settles) } else { Err(left) })
}

/// Writes the cells of the settled states, and empties both sets.
fn write<C: Cell>(
    cells: &mut [C],
    codes: LevelCodes<u16>,
    mut settled: Part<'_>,
    mut by_any: Part<'_>,
) {
    for chunk in 0..settled.chunks() {
        settled.drain_chunk(chunk, |index| {
            let code = if by_any.contains(index) { codes.any } else { codes.all };
            cells[index as usize] = C::of_code(code);
        });
        by_any.drain_chunk(chunk, |_| {});
    }
}
