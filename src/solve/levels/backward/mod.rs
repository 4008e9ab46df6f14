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

mod states;
mod walk;

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::error::SolveError;
use crate::runtime::frontier::{CHUNK, Frontier};
use crate::runtime::pool::{Size, WorkerPool};
use crate::solve::exchange::Exchange;
use crate::solve::graph::incoming::{Segment, count};
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::states::States;
use crate::solve::levels::backward::walk::{Trials, Walker};
use crate::solve::levels::cells::{Cell, Settling};
use crate::solve::levels::{LevelPart, Step};

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

    /// All figures.
    pub(crate) fn figures(&self) -> impl Iterator<Item = u64> {
        self.settled.into_iter().chain(self.walked.into_iter().flatten())
    }

    /// The counts of all processes together.
    pub(crate) fn of_all(self, pool: &mut WorkerPool<'_>) -> Result<LevelCounts, SolveError> {
        let mut figures: Vec<u64> = self.figures().collect();
        pool.sum(&mut figures)?;
        let mut figures = figures.into_iter();
        let mut sums = LevelCounts::default();
        let all = sums.settled.iter_mut().chain(sums.walked.iter_mut().flatten());
        all.for_each(|sum| *sum = figures.next().unwrap_or_default());
        Ok(sums)
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
/// How long a range takes is not known in advance. Once one thread is done with its range, what is
/// left of all ranges is cut anew.
pub(crate) fn level<P: Positions, C: Cell>(
    positions: &P,
    rule: impl Rule<C>,
    settling: Settling<'_, C>,
    cells: &mut [C],
    [frontier, next]: [&mut Frontier; 2],
    step: Step<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<LevelPart, SolveError> {
    let windows = pool.windows(positions.len(), CHUNK);
    let window = windows.own_window();
    let mut exchange = Exchange::between(windows, &[]);
    let mut counts = LevelCounts::default();
    let mut trials = vec![Trials::default(); pool.threads()];
    let Step { mut incoming, event, slice, pause, .. } = step;
    loop {
        let much = frontier.occupied_words() + count(incoming);
        let size = if much < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let mut ends = frontier.even_cuts(parts);
        let mut walkers =
            walkers(window.clone(), &mut ends, cells, [frontier, next], incoming, &trials);
        exchange = exchange.recut(&ends);
        let receive = &|walker: &mut Walker<'_, C>, messages: &[u64]| {
            walker.states.receive(messages, settling);
        };
        let mut pauses;
        let done = loop {
            let waiting = AtomicBool::new(false);
            let done = exchange.round(
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
            pauses = left > 0 && pause(pool);
            if pauses || left < done.len() {
                break left == 0;
            }
        };
        if done {
            exchange.finish(pool, size, &mut walkers, event, receive)?;
        }
        for (at, walker) in walkers.into_iter().enumerate() {
            counts.add(&LevelCounts { settled: walker.states.settled, walked: walker.walked });
            trials[at] = walker.trials;
        }
        if done || pauses {
            return Ok(LevelPart { counts, next: pauses.then_some(0) });
        }
        // One thread was done before the others: what is left is shared out anew.
        incoming = &[];
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
