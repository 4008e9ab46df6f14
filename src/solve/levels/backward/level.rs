//! One level by predecessors, as the threads of a process compute it. It knows only the
//! [`LevelWalk`] of the game, so that it is not compiled for each game.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::error::SolveError;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::Cell;
use crate::solve::exchange::Exchange;
use crate::solve::graph::incoming::{Segment, count};
use crate::solve::levels::backward::sorted::{SortingRound, UpdateSorter, Updating};
use crate::solve::levels::backward::states::States;
use crate::solve::levels::backward::task::LevelWalk;
use crate::solve::levels::backward::walk::{MANY_WORDS, Trials, Walker};
use crate::solve::levels::step::{LevelCounts, Step};

/// Walks the frontier and applies incoming exit values. Puts the states that get settled into
/// `next`.
///
/// With a sorter, updates are applied at once or sorted before, whichever is faster in this level.
pub(super) fn level<C: Cell>(
    task: &dyn LevelWalk<C>,
    cells: &mut [C],
    [frontier, next]: [&mut Frontier; 2],
    mut sorter: Option<&mut UpdateSorter>,
    step: Step<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<LevelCounts, SolveError> {
    let windows = pool.windows(task.len(), CHUNK);
    if let Some(sorter) = &mut sorter {
        sorter.begin_level(frontier.occupied_words(), step.states);
    }
    let mut level = Level {
        task,
        cells,
        frontier,
        next,
        step,
        window: windows.own_window(),
        exchange: Exchange::between(windows, task.find_keys(), &[]),
        trials: vec![Trials::default(); pool.threads()],
        counts: LevelCounts::default(),
        walked_sorted: 0,
        files: sorter.as_ref().and_then(|sorter| sorter.files.clone()),
    };
    loop {
        let words = level.frontier.occupied_words();
        let has_exits = !level.step.incoming.is_empty();
        let round = sorter.as_ref().and_then(|sorter| sorter.next_round(words, has_exits));
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

/// A level that is being computed.
struct Level<'l, C> {
    task: &'l dyn LevelWalk<C>,
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
    /// The folder of the cells' file, if they are in a scratch file.
    files: Option<Arc<Scratch>>,
}

impl<C: Cell> Level<'_, C> {
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
        let (cells, files) = (&mut *self.cells, self.files.as_deref());
        let mut walkers =
            walkers(window, &mut ends, (cells, files), frontiers, step.incoming, &self.trials);
        self.exchange.recut(&ends);
        let event = &|done| (step.event)(walked_sorted + done);
        let settling = task.settling();
        let receive = &|walker: &mut Walker<'_, C>, messages: &[u64]| {
            walker.states.receive(messages, settling);
        };
        let is_done = loop {
            let waiting = AtomicBool::new(false);
            let done = self.exchange.round(
                pool,
                size,
                &mut walkers,
                event,
                &|walker, outbox, token| task.walk(walker, outbox, most, &waiting, token),
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
            let counts =
                LevelCounts { settled: walker.states.settled, walked: walker.walk.walked, left: 0 };
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

/// The walkers of the ranges of a window, whose cells may be in scratch files. `ends` are the ends of the
/// ranges, counted from the window's first index. This function replaces each end by its index, and the
/// last one by the end of the window.
fn walkers<'a, C: Cell>(
    window: Range<u64>,
    ends: &mut [u64],
    (mut cells, files): (&'a mut [C], Option<&'a Scratch>),
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
        let states = States { start, cells: own_cells, next: own_next, settled: [0; 2], files };
        walkers.push(Walker::new(own_frontier, states, incoming, trials));
        start = *end;
    }
    walkers
}
