//! One level of the analysis by predecessors: from the states that were settled last to those that
//! have a move to them.
//!
//! The numbers of a level are walked in ascending order. For each, its predecessors' numbers are
//! put into a batch and their cells are prefetched; only then is the batch applied, when the cells
//! have arrived. A thread owns the cells of a range of numbers, and posts what it finds out about
//! those of others.

mod states;
mod walk;

use std::sync::atomic::AtomicBool;

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::Progress;
use crate::solve::exchange::Exchange;
use crate::solve::graph::incoming::{Segment, count};
use crate::solve::graph::positions::Positions;
use crate::solve::levels::backward::states::States;
use crate::solve::levels::backward::walk::{Owner, Trials};
use crate::solve::levels::cells::{Cell, Settling};

/// A level with numbers in fewer words than this is not worth waking any threads.
const BIG: u64 = 1 << 9;

/// What a level's states mean for their predecessors.
pub(crate) trait Rule<C>: Copy + Sync {
    /// Whether that is the same for all of them, so that their cells need not be looked at, and
    /// predecessors may be settled as they are found: see [`Owner::walk`].
    const UNIFORM: bool;

    /// What it means for its predecessors that the state at `number` has this cell.
    fn news(self, number: u64, cell: impl FnOnce() -> C) -> Effect;
}

/// What it means for its predecessors that a state is settled.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// Whether that settles a predecessor where the other, and one where the same player is to
    /// move.
    pub(crate) settles: [bool; 2],
    /// What is counted of the state: see [`Walked`].
    pub(crate) kind: usize,
}

/// How many states of each kind were walked, by who is to move in them.
pub(crate) type Walked = [[u64; 2]; 3];

/// What came of a level.
#[derive(Default)]
pub(crate) struct Outcome {
    /// How many states were settled at once, and how many at last.
    pub(crate) settled: [u64; 2],
    pub(crate) walked: Walked,
}

impl Outcome {
    pub(crate) fn add(&mut self, other: &Outcome) {
        for (sum, more) in self.settled.iter_mut().zip(other.settled) {
            *sum += more;
        }
        for (sum, more) in self.walked.iter_mut().flatten().zip(other.walked.iter().flatten()) {
            *sum += more;
        }
    }
}

/// Walks the frontier, settles its predecessors and what comes in from outside, and puts those into
/// `next`.
///
/// How long a range takes is not known before: once somebody is done with his, what is left of the
/// others' is cut anew.
#[expect(clippy::too_many_arguments, reason = "a level is made of many things")]
pub(crate) fn level<P: Positions, C: Cell>(
    positions: &P,
    rule: impl Rule<C>,
    settling: Settling<'_, C>,
    cells: &mut [C],
    [frontier, next]: [&mut Frontier; 2],
    entering: &[Segment],
    pool: &mut WorkerPool<'_>,
    event: &dyn Fn(u64) -> Progress,
) -> Result<Outcome, SolveError> {
    let mut exchange = Exchange::between(&[]);
    let mut outcome = Outcome::default();
    let mut trials = vec![Trials::default(); pool.threads()];
    let mut entering = entering;
    loop {
        let much = frontier.occupied_words() + count(entering);
        let size = if much < BIG { Size::Small } else { Size::Big };
        let parts = if size == Size::Small { 1 } else { pool.threads() };
        let mut ends = frontier.even_cuts(parts);
        let mut owners =
            owners(positions.len(), &mut ends, cells, [frontier, next], entering, &trials);
        exchange = exchange.recut(&ends);
        let done = loop {
            let waiting = AtomicBool::new(false);
            let done = exchange.round(
                pool,
                size,
                &mut owners,
                event,
                |owner, outbox, token| {
                    owner.walk(positions, rule, settling, outbox, &waiting, token)
                },
                |owner, told| owner.states.listen(told, settling),
            )?;
            let left = done.iter().filter(|&&done| !done).count();
            if left == 0 || left < done.len() {
                break left == 0;
            }
        };
        for (at, owner) in owners.into_iter().enumerate() {
            outcome.add(&Outcome { settled: owner.states.settled, walked: owner.walked });
            trials[at] = owner.trials;
        }
        if done {
            return Ok(outcome);
        }
        // Somebody was done before the others: what is left is shared out anew.
        entering = &[];
    }
}

/// Who owns what: the ranges that end there, of which the last ends with the numbers.
fn owners<'a, C: Cell>(
    len: u64,
    ends: &mut [u64],
    mut cells: &'a mut [C],
    [frontier, next]: [&'a mut Frontier; 2],
    entering: &'a [Segment],
    trials: &[Trials],
) -> Vec<Owner<'a, C>> {
    let (mut frontier, mut next) = (frontier.whole(), next.whole());
    let mut owners = Vec::new();
    let mut start = 0;
    for (end, &trials) in ends.iter_mut().zip(trials) {
        let (own_frontier, later_frontier) = frontier.split_at(*end - start);
        let (own_next, later_next) = next.split_at(*end - start);
        (frontier, next) = (later_frontier, later_next);
        // The last chunk need not be full.
        *end = len.min(*end);
        let own_cells = cells.split_off_mut(..(*end - start) as usize).unwrap_or_default();
        let states = States { start, cells: own_cells, next: own_next, settled: [0; 2] };
        owners.push(Owner::new(own_frontier, states, entering, trials));
        start = *end;
    }
    owners
}
