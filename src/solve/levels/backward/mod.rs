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
mod rule;
mod sorted;
#[cfg(test)]
mod sorted_tests;
mod states;
mod walk;

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::error::SolveError;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::solve::exchange::Exchange;
use crate::solve::graph::incoming::{Segment, count};
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::rule::{Rule, Uniform, Varied};
use crate::solve::levels::backward::sorted::{SortingRound, Updating};
use crate::solve::levels::backward::states::States;
use crate::solve::levels::backward::walk::{LevelTask, MANY_WORDS, Trials, Walker};
use crate::solve::levels::cell::{Cell, LevelCodes, OverflowCounts, Settling};
use crate::solve::levels::cells::{Cells, Slice};
use crate::solve::levels::step::{LevelCounts, Levels, PassKind, Step};

pub(crate) use sorted::UpdateSorter;

/// Levels by predecessors: from the states of the frontier to the states that have a move to them.
pub(crate) struct Backward<P> {
    positions: P,
    /// Sorts updates, if that may be faster.
    sorter: Option<UpdateSorter>,
}

impl<P: Positions> Backward<P> {
    pub(crate) fn new(positions: P, sorter: Option<UpdateSorter>) -> Backward<P> {
        Backward { positions, sorter }
    }
}

impl<P: Positions> Levels for Backward<P> {
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

impl<P: Positions> Backward<P> {
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
        let Backward { positions, sorter } = self;
        let (positions, sorter) = (&*positions, sorter.as_mut());
        match (step.aim, step.uniform) {
            (PassKind::Decided, Some(true)) => {
                let task = LevelTask { positions, rule: Uniform::<true>, settling };
                task.level(cells, frontiers, sorter, step, pool)
            }
            (PassKind::Decided, Some(false)) => {
                let task = LevelTask { positions, rule: Uniform::<false>, settling };
                task.level(cells, frontiers, sorter, step, pool)
            }
            _ => {
                let rule = Varied { aim: step.aim, won: C::of_code(step.won), positions };
                LevelTask { positions, rule, settling }.level(cells, frontiers, sorter, step, pool)
            }
        }
    }
}

impl<P: Positions, R: Rule<C>, C: Cell> LevelTask<'_, P, R, C> {
    /// Walks the frontier and applies incoming exit values. Puts the states that get settled into
    /// `next`.
    ///
    /// With a sorter, updates are applied at once or sorted before, whichever is faster in this
    /// level.
    fn level(
        self,
        cells: &mut [C],
        [frontier, next]: [&mut Frontier; 2],
        mut sorter: Option<&mut UpdateSorter>,
        step: Step<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<LevelCounts, SolveError> {
        let windows = pool.windows(self.positions.len(), CHUNK);
        if let Some(sorter) = &mut sorter {
            sorter.begin_level(frontier.occupied_words(), step.states);
        }
        let mut level = Level {
            task: self,
            cells,
            frontier,
            next,
            step,
            window: windows.own_window(),
            exchange: Exchange::between(windows, self.positions.find_keys(), &[]),
            trials: vec![Trials::default(); pool.threads()],
            counts: LevelCounts::default(),
            walked_sorted: 0,
        };
        loop {
            let words = level.frontier.occupied_words();
            let round = match &sorter {
                Some(sorter) if level.step.incoming.is_empty() => sorter.next_round(words),
                _ => None,
            };
            let walked = level.counts.all_walked();
            let begin = Instant::now();
            let is_done = match (round, &mut sorter) {
                (Some(SortingRound { way: Updating::Sorted, most }), Some(sorter)) => {
                    level.sorted(most, sorter, pool)?
                }
                (round, _) => level.at_once(words, round.and_then(|round| round.most), pool)?,
            };
            if let (Some(round), Some(sorter)) = (round, &mut sorter) {
                sorter.note(round, level.counts.all_walked() - walked, begin.elapsed());
            }
            if is_done {
                return Ok(level.counts);
            }
        }
    }
}

/// A level that is being computed.
struct Level<'l, P, R, C> {
    task: LevelTask<'l, P, R, C>,
    cells: &'l mut [C],
    frontier: &'l mut Frontier,
    next: &'l mut Frontier,
    step: Step<'l>,
    window: Range<u64>,
    exchange: Exchange<'l>,
    trials: Vec<Trials>,
    counts: LevelCounts,
    /// The number of walked states whose updates were sorted.
    walked_sorted: u64,
}

impl<P: Positions, R: Rule<C>, C: Cell> Level<'_, P, R, C> {
    /// Walks the frontier and applies updates at once, until one thread is done with its range.
    /// `words` is the number of non-zero words of the frontier. With `most`, each thread stops
    /// after this number of states. Returns whether the level is done.
    ///
    /// The time for a range is not known in advance: the next call cuts the rest of all ranges
    /// anew.
    fn at_once(
        &mut self,
        words: u64,
        most: Option<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let Level { task, ref step, walked_sorted, .. } = *self;
        let much = words + count(step.incoming);
        let size = if much < MANY_WORDS { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let mut ends = self.frontier.even_cuts(parts);
        let frontiers = [&mut *self.frontier, &mut *self.next];
        let window = self.window.clone();
        let mut walkers =
            walkers(window, &mut ends, self.cells, frontiers, step.incoming, &self.trials);
        self.exchange.recut(&ends);
        let event = &|done| (step.event)(walked_sorted + done);
        let receive = &|walker: &mut Walker<'_, C>, messages: &[u64]| {
            walker.states.receive(messages, task.settling);
        };
        let is_done = loop {
            let waiting = AtomicBool::new(false);
            let done = self.exchange.round(
                pool,
                size,
                &mut walkers,
                event,
                &|walker, outbox, token| walker.walk(task, outbox, most, &waiting, token),
                receive,
            )?;
            let left = done.iter().filter(|&&done| !done).count();
            if left < done.len() || most.is_some() {
                break left == 0;
            }
        };
        if is_done {
            self.exchange.finish(pool, size, &mut walkers, event, receive)?;
        }
        for (at, walker) in walkers.into_iter().enumerate() {
            let counts = LevelCounts { settled: walker.states.settled, walked: walker.walk.walked };
            self.counts.add(&counts);
            self.trials[at] = walker.trials;
        }
        // The values of exits are applied before the walk.
        self.step.incoming = &[];
        Ok(is_done)
    }

    /// Walks the frontier until there is no room for more updates, or each thread has walked `most`
    /// states; then applies the updates. Returns whether the level is done.
    fn sorted(
        &mut self,
        most: Option<u64>,
        sorter: &mut UpdateSorter,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let walked = self.counts.all_walked();
        let event = &|done| (self.step.event)(walked + done);
        let frontiers = [&mut *self.frontier, &mut *self.next];
        let counts = sorter.round(self.task, self.cells, frontiers, most, event, pool)?;
        self.counts.add(&counts);
        self.walked_sorted += counts.all_walked();
        Ok(self.frontier.is_empty())
    }
}

/// The walkers of the ranges of a window. `ends` are the ends of the ranges, counted from the
/// window's first index. This function replaces each end by its index, and the last one by the end
/// of the window.
fn walkers<'a, C: Cell>(
    window: Range<u64>,
    ends: &mut [u64],
    mut cells: &'a mut [C],
    [frontier, next]: [&'a mut Frontier; 2],
    incoming: &'a [Segment],
    trials: &[Trials],
) -> Vec<Walker<'a, C>> {
    let frontiers = frontier.whole().cut(ends).into_iter().zip(next.whole().cut(ends));
    let mut walkers = Vec::new();
    let mut start = window.start;
    for ((end, &trials), ((_, own_frontier), (_, own_next))) in
        ends.iter_mut().zip(trials).zip(frontiers)
    {
        // The last chunk need not be full.
        *end = window.end.min(window.start + *end);
        let own_cells = cells.split_off_mut(..(*end - start) as usize).unwrap_or_default();
        let states = States { start, cells: own_cells, next: own_next, settled: [0; 2] };
        walkers.push(Walker::new(own_frontier, states, incoming, trials));
        start = *end;
    }
    walkers
}
