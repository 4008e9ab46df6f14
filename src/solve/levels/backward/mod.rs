//! One level of the analysis by predecessors: from the frontier, which is the set of states settled
//! in the last level, to the states that have a move to one of them.
//!
//! The frontier is walked in index order. For each of its states, the indices of the predecessors
//! are put into a batch, and their cells are prefetched. A full batch is applied when its cells
//! have arrived in the cache: each predecessor gets an update, which settles it or counts one open
//! successor off. The predecessors that get settled are the next frontier.
//!
//! Each thread owns a range of indices and alone changes their cells. Updates for the states of
//! other threads, here or in other processes, are sent through the [`exchange`](crate::solve::exchange).

mod buckets;
mod sorted;
#[cfg(test)]
mod sorted_tests;
mod states;
mod walk;

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::error::SolveError;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::solve::checkpoint::Wish;
use crate::solve::exchange::Exchange;
use crate::solve::graph::incoming::{Segment, count};
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::sorted::{Round, Way};
use crate::solve::levels::backward::states::States;
use crate::solve::levels::backward::walk::{Trials, Walker};
use crate::solve::levels::cells::{Cell, Settling};
use crate::solve::levels::{LevelPart, Step};

pub(crate) use sorted::UpdateSorter;

/// A level whose frontier has fewer non-zero words than this is not worth waking any threads.
const BIG: u64 = 1 << 9;

/// What the states of a frontier do to their predecessors.
pub(crate) trait Rule<C>: Copy + Sync {
    /// Whether all states of the frontier have the same effect. Then their cells need not be read,
    /// and predecessors may be updated as they are found: see [`Walker::walk`].
    const UNIFORM: bool;

    /// The effect of the state at `index`, which has this cell.
    fn effect(self, index: u64, cell: impl FnOnce() -> C) -> Effect;
}

/// The effect of a settled state on its predecessors.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// Whether any one such state settles a predecessor, rather than all its successors together:
    /// first for predecessors where the other player is to move, then where the same one is.
    pub(crate) any: [bool; 2],
    /// Where the state is counted in [`Walked`].
    pub(crate) kind: usize,
}

/// How many won, lost and drawn states were walked, by who is to move in them.
pub(crate) type Walked = [[u64; 2]; 3];

/// What one level settled and walked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LevelCounts {
    /// How many states any one successor settled, and how many took all.
    pub(crate) settled: [u64; 2],
    pub(crate) walked: Walked,
}

impl LevelCounts {
    /// How many states were settled.
    pub(crate) fn all_settled(&self) -> u64 {
        self.settled.iter().sum()
    }

    /// How many states were walked.
    pub(crate) fn all_walked(&self) -> u64 {
        self.walked.iter().flatten().sum()
    }

    /// All figures.
    pub(crate) fn figures(&self) -> impl Iterator<Item = u64> {
        self.settled.into_iter().chain(self.walked.into_iter().flatten())
    }

    /// The counts of all processes together, and what all do next of what each of them wishes.
    pub(crate) fn of_all(
        self,
        wish: Wish,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(LevelCounts, Wish), SolveError> {
        let mut figures: Vec<u64> = wish.figures().into_iter().chain(self.figures()).collect();
        pool.sum(&mut figures)?;
        let mut figures = figures.into_iter();
        let mut next = || figures.next().unwrap_or_default();
        let wish = Wish::of_all([next(), next()]);
        let mut sums = LevelCounts::default();
        let all = sums.settled.iter_mut().chain(sums.walked.iter_mut().flatten());
        all.for_each(|sum| *sum = next());
        Ok((sums, wish))
    }

    pub(crate) fn add(&mut self, other: &LevelCounts) {
        for (sum, more) in self.settled.iter_mut().zip(other.settled) {
            *sum += more;
        }
        for (sum, more) in self.walked.iter_mut().flatten().zip(other.walked.iter().flatten()) {
            *sum += more;
        }
    }
}

/// Walks the frontier and applies incoming exit values. Puts the states that get settled into
/// `next`. Pauses between two rounds if the step says so: the frontier then has the states that are
/// not walked yet.
///
/// With a sorter, updates are applied at once, or sorted before, whatever is faster in this level.
#[expect(clippy::too_many_arguments, reason = "a level is made of many things")]
pub(crate) fn level<P: Positions, C: Cell>(
    positions: &P,
    rule: impl Rule<C>,
    settling: Settling<'_, C>,
    cells: &mut [C],
    [frontier, next]: [&mut Frontier; 2],
    mut sorter: Option<&mut UpdateSorter>,
    step: Step<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<LevelPart, SolveError> {
    let windows = pool.windows(positions.len(), CHUNK);
    if let Some(sorter) = &mut sorter {
        sorter.begin_level(frontier.occupied_words(), step.states);
    }
    let mut level = Level {
        positions,
        rule,
        settling,
        cells,
        frontier,
        next,
        step,
        window: windows.own_window(),
        exchange: Exchange::between(windows, positions.find_keys(), &[]),
        trials: vec![Trials::default(); pool.threads()],
        counts: LevelCounts::default(),
        walked_sorted: 0,
        pauses: false,
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
            (Some(Round { way: Way::Sorted, most }), Some(sorter)) => {
                level.sorted(most, sorter, pool)?
            }
            (round, _) => level.at_once(words, round.and_then(|round| round.most), pool)?,
        };
        if let (Some(round), Some(sorter)) = (round, &mut sorter) {
            sorter.note(round, level.counts.all_walked() - walked, begin.elapsed());
        }
        if is_done || level.pauses {
            return Ok(LevelPart { counts: level.counts, next: (!is_done).then_some(0) });
        }
    }
}

/// A level that is being computed.
struct Level<'l, P, R, C> {
    positions: &'l P,
    rule: R,
    settling: Settling<'l, C>,
    cells: &'l mut [C],
    frontier: &'l mut Frontier,
    next: &'l mut Frontier,
    step: Step<'l>,
    window: Range<u64>,
    exchange: Exchange<'l>,
    trials: Vec<Trials>,
    counts: LevelCounts,
    /// How many states were walked whose updates were sorted.
    walked_sorted: u64,
    /// Whether to pause after this round.
    pauses: bool,
}

impl<P: Positions, R: Rule<C>, C: Cell> Level<'_, P, R, C> {
    /// Walks the frontier and applies updates at once, until one thread is done with its range. `words`
    /// is how many words of the frontier are not zero. With `most` each thread walks so many states.
    /// Returns whether all is done.
    ///
    /// How long a range takes is not known in advance: the next call cuts what is left of all ranges
    /// anew.
    fn at_once(
        &mut self,
        words: u64,
        most: Option<u64>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let Level { positions, rule, settling, ref step, walked_sorted, .. } = *self;
        let much = words + count(step.incoming);
        let size = if much < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let mut ends = self.frontier.even_cuts(parts);
        let frontiers = [&mut *self.frontier, &mut *self.next];
        let window = self.window.clone();
        let mut walkers =
            walkers(window, &mut ends, self.cells, frontiers, step.incoming, &self.trials);
        self.exchange.recut(&ends);
        let event = &|done| (step.event)(walked_sorted + done);
        let slice = most.map_or(step.slice, |most| most.min(step.slice));
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
                &|walker, outbox, token| {
                    walker.walk(positions, rule, settling, outbox, slice, &waiting, token)
                },
                receive,
            )?;
            let left = done.iter().filter(|&&done| !done).count();
            self.pauses = left > 0 && (step.pause)(pool);
            if self.pauses || left < done.len() || most.is_some() {
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
        // The values of exits are applied first of all.
        self.step.incoming = &[];
        Ok(is_done)
    }

    /// Walks the frontier until there is no room for more updates, or each thread has walked `most`
    /// states; then applies the updates. Returns whether all is done.
    fn sorted(
        &mut self,
        most: Option<u64>,
        sorter: &mut UpdateSorter,
        pool: &mut WorkerPool<'_>,
    ) -> Result<bool, SolveError> {
        let walked = self.counts.all_walked();
        let event = &|done| (self.step.event)(walked + done);
        let slice = most.map_or(self.step.slice, |most| most.min(self.step.slice));
        let Level { positions, rule, settling, .. } = *self;
        let frontiers = [&mut *self.frontier, &mut *self.next];
        let counts =
            sorter.round(positions, rule, settling, self.cells, frontiers, slice, event, pool)?;
        self.counts.add(&counts);
        self.walked_sorted += counts.all_walked();
        let is_done = self.frontier.is_empty();
        self.pauses = !is_done && (self.step.pause)(pool);
        Ok(is_done)
    }
}

/// The walkers of the ranges of a window with these ends, which count from its first index. Each end is
/// set to the index that it is, and the last one to the end of the window.
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
