//! One level of the analysis by moves only: for games without predecessors, if there is no memory
//! for reverse edges.
//!
//! Every level goes through the moves of all open states, and settles the states whose successors
//! decide. This needs no memory beyond the cells. The time grows with the number of levels.

use std::ops::{ControlFlow, Range};

use crate::error::SolveError;
use crate::game::preference::{Preference, for_chooser};
use crate::game::value::{DRAW, ENDLESS, LOSS, Value, packed_plies};
use crate::game::{Game, Player, Turns};
use crate::numbering::{Numbering, TierValues};
use crate::runtime::cuts::equal_cuts;
use crate::runtime::frontier::{CHUNK, Frontier, Part};
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::solve::cells::cell::{Cell, LevelCodes};
use crate::solve::cells::{Cells, Slice};
use crate::solve::graph::batch::Batch;
use crate::solve::graph::exits::best_exit;
use crate::solve::graph::links::Link;
use crate::solve::levels::step::{LevelCounts, Levels, PassKind, Step};

/// Levels by moves only: every level examines every open state.
pub(crate) struct Forward<'n, N>(pub(crate) &'n N);

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
        level(self.0, step, cells, frontiers, pool)
    }
}

/// A range of indices, and its part of a map.
type RangePart<'f> = (Range<u64>, Part<'f>);

/// How the successors of a state settle it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settles {
    /// One of them is enough.
    Any,
    /// All of them together.
    All,
}

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
    let Step { aim, points, level, codes, event, .. } = step;
    let len = numbering.len();
    let examine_all = |((range, mut settled), (_, mut by_any)): (RangePart<'_>, RangePart<'_>),
                       token: &dyn CancellationToken| {
        let first = range.start;
        let mut counts = LevelCounts::default();
        let cells: &Cells = cells;
        let mut batch = Batch::new();
        let mut settle = |batch: &mut Batch<N, Opened>| {
            batch.find(numbering);
            batch.found().iter().for_each(|&index| cells.prefetch(index));
            for at in 0..batch.len() {
                let Some(settles) = evaluate(numbering, (aim, points, level), cells, batch, at)?
                else {
                    continue;
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

/// An open state without its successors.
#[derive(Clone, Copy)]
struct Opened {
    mover: Player,
    /// The value of the best exit for the mover.
    exit: Option<Value>,
}

impl Opened {
    #[inline]
    fn of<N: Numbering>(
        numbering: &N,
        state: &<N::Game as Game>::State,
    ) -> Result<Opened, SolveError> {
        let game = numbering.game();
        let mover = game.mover(state);
        if !N::HAS_EXITS {
            return Ok(Opened { mover, exit: None });
        }
        let preference = Preference::new(mover, game.endless());
        Ok(Opened { mover, exit: best_exit(numbering, state, preference)? })
    }
}

/// Finds out whether an open state of a batch is settled at this level by its successors, and how.
fn evaluate<N: Numbering>(
    numbering: &N,
    (aim, points, level): (PassKind, u16, u32),
    cells: &Cells,
    batch: &Batch<N, Opened>,
    at: usize,
) -> Result<Option<Settles>, SolveError> {
    let game = numbering.game();
    let (_, Opened { mover, exit }) = batch.source(at);
    let (mut found, mut escape) = (false, false);
    for Link { index, same_mover } in batch.links(numbering, at)? {
        if N::Game::POINTS {
            let value = cells.value(index).map(|value| for_chooser(value, same_mover));
            match settles_by_points(value, points, level) {
                Some(Settles::Any) => found = true,
                Some(Settles::All) => {}
                None => escape = true,
            }
            continue;
        }
        let value = cells.get(index as usize);
        // If play stops early, a value is known one level before it takes effect.
        let too_late = packed_plies(value) > level;
        // Packed values and flags: with the order of `Preference`, this loop takes 1.5 times the
        // time.
        match aim {
            PassKind::Decided if value == ENDLESS || value >= DRAW || too_late => escape = true,
            PassKind::Decided => found |= (value < LOSS) == same_mover,
            PassKind::Drawn { .. } if value == ENDLESS || value >= DRAW && too_late => {
                escape = true
            }
            // A won or lost successor is lost for the mover, who avoids it.
            PassKind::Drawn { .. } => found |= value >= DRAW,
        }
    }
    let preference = Preference::new(mover, game.endless());
    if let Some(best) = exit {
        if N::Game::POINTS {
            match settles_by_points(Some(best), points, level) {
                Some(Settles::Any) => found = true,
                Some(Settles::All) => {}
                None => escape = true,
            }
        }
        let in_time = best.plies().is_some_and(|plies| plies <= level);
        match (aim, best) {
            (PassKind::Decided, Value::Win(_)) | (PassKind::Drawn { .. }, Value::Draw(_))
                if in_time =>
            {
                found = true;
            }
            (PassKind::Decided, Value::Loss(_)) if in_time => {}
            (_, Value::Points { .. }) => {}
            // The first pass has applied these values already.
            (PassKind::Drawn { .. }, Value::Win(_) | Value::Loss(_)) => {}
            _ => escape = true,
        }
    }
    let (any, all) = match aim {
        PassKind::Decided => (found, !escape),
        PassKind::Drawn { .. } => (found && preference.hurries_to_draws, found && !escape),
    };
    let settles = if any { Settles::Any } else { Settles::All };
    Ok((any || all).then_some(settles))
}

/// How a successor of this value for the chooser takes part in settling a state by some points at
/// some level: alone, as one of all, or not yet. In the pass of the draws, a drawn successor counts
/// as one that settles alone, although the others are needed, too.
fn settles_by_points(value: Option<Value>, points: u16, level: u32) -> Option<Settles> {
    let Some(Value::Points { points: of_value, plies }) = value else { return None };
    let by = of_value.unsigned_abs();
    match () {
        // Values of more points were settled in earlier passes, and those of wins settled the state.
        () if by > points => (of_value < 0).then_some(Settles::All),
        () if by < points || plies > level => None,
        () if of_value >= 0 => Some(Settles::Any),
        () => Some(Settles::All),
    }
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
