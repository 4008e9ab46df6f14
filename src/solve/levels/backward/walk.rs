//! The walk over the states that were settled last.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::SolveError;
use crate::game::Player;
use crate::runtime::frontier::Part;
use crate::runtime::memory::prefetch;
use crate::runtime::pool::CancellationToken;
use crate::solve::exchange::Outbox;
use crate::solve::graph::incoming::Segment;
use crate::solve::graph::positions::{Link, Links, Positions, keep_distinct};
use crate::solve::levels::backward::states::{Batches, DeferredUpdates, States};
use crate::solve::levels::backward::{BIG, Rule, Walked};
use crate::solve::levels::cells::{Cell, Settling, Told};

/// How many words with any numbers are walked between two looks at whether to stop.
const STRETCH: u64 = 256;

/// How many states are walked in either way before one is chosen.
const TRIED: u64 = 1 << 13;

/// What one thread owns during a level.
pub(crate) struct Owner<'a, C> {
    frontier: Part<'a>,
    /// The first chunk of the frontier that is not walked yet.
    chunk: usize,
    pub(crate) walked: Walked,
    pub(crate) states: States<'a, C>,
    pub(crate) trials: Trials,
    /// What comes in from outside, until that is done.
    entering: &'a [Segment],
}

/// A way to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Predecessors are put into a batch, and their cells are prefetched; only then is the batch
    /// applied, when the cells have arrived.
    InBatches,
    /// Predecessors are settled as they are found.
    Directly,
}

/// What each way to walk took so far.
pub(crate) type Trials = [Trial; 2];

#[derive(Clone, Copy, Default)]
pub(crate) struct Trial {
    states: u64,
    took: Duration,
}

impl Trial {
    fn seconds_a_state(self) -> f64 {
        self.took.as_secs_f64() / self.states as f64
    }
}

impl<'a, C: Cell> Owner<'a, C> {
    pub(crate) fn new(
        frontier: Part<'a>,
        states: States<'a, C>,
        entering: &'a [Segment],
        trials: Trials,
    ) -> Owner<'a, C> {
        Owner { frontier, chunk: 0, walked: Walked::default(), states, trials, entering }
    }

    /// Walks the frontier until it is done, the outbox is full, or somebody waits while much is
    /// left; returns whether it is done.
    ///
    /// Batches hide the time that cells take to come from memory, but cost some instructions; where
    /// most cells are in a cache already it is quicker to settle directly. No game knows which of
    /// its levels are of which kind, so both ways are timed. The result is the same.
    pub(crate) fn walk<P: Positions, R: Rule<C>>(
        &mut self,
        positions: &P,
        rule: R,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
        waiting: &AtomicBool,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let mut reported = self.states.settled();
        let mut much_left = true;
        self.states.apply_incoming(std::mem::take(&mut self.entering), settling);
        while self.chunk < self.frontier.chunks() && !outbox.is_full() {
            let end = self.frontier.end_of_words(self.chunk, STRETCH);
            let way = self.way::<P, R>();
            let timed = R::UNIFORM && P::DISTINCT && !self.is_tried();
            let begin = timed.then(|| (Instant::now(), self.walked()));
            match way {
                Way::InBatches => {
                    self.walk_in_batches::<P, R>(end, positions.base(), rule, settling, outbox);
                }
                Way::Directly => {
                    self.walk_directly::<P, R>(end, positions.base(), rule, settling, outbox);
                }
            }
            if let Some((begin, before)) = begin {
                let walked = self.walked() - before;
                let trial = &mut self.trials[way as usize];
                trial.states += walked;
                trial.took += begin.elapsed();
            }
            let settled = self.states.settled();
            if token.done(settled - reported).is_break() {
                break;
            }
            reported = settled;
            if much_left && waiting.load(Ordering::Relaxed) {
                much_left = self.frontier.occupied_words(self.chunk) >= BIG;
                if much_left {
                    break;
                }
            }
        }
        waiting.store(true, Ordering::Relaxed);
        if let Some(number) = outbox.unowned() {
            return Err(out_of_range(positions, number));
        }
        Ok(self.chunk == self.frontier.chunks())
    }

    /// How to walk the next stretch.
    fn way<P: Positions, R: Rule<C>>(&self) -> Way {
        let [batches, directly] = self.trials;
        if !R::UNIFORM || !P::DISTINCT {
            return Way::InBatches;
        }
        let directly_is_next = match self.is_tried() {
            true => directly.seconds_a_state() < batches.seconds_a_state(),
            false => directly.states < batches.states,
        };
        if directly_is_next { Way::Directly } else { Way::InBatches }
    }

    fn is_tried(&self) -> bool {
        self.trials.iter().all(|trial| trial.states >= TRIED)
    }

    /// How many states were walked.
    fn walked(&self) -> u64 {
        self.walked.iter().flatten().sum()
    }

    /// Not inlined, like its sister, so that it has all the registers.
    #[inline(never)]
    fn walk_directly<P: Positions, R: Rule<C>>(
        &mut self,
        end: usize,
        base: &P::Base,
        rule: R,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let mut aside = DeferredUpdates::default();
        while self.chunk < end && !outbox.is_full() {
            let Owner { frontier, walked, states, .. } = self;
            frontier.drain_chunk(self.chunk, |target| {
                let States { start, ref mut cells, ref mut next, ref mut settled } = *states;
                let news = rule.news(start + target, || cells[target as usize]);
                let mover = P::predecessors(base, start + target, |link| {
                    let at_once = news.settles[usize::from(link.same_mover)];
                    let place = link.number.wrapping_sub(start);
                    let told = match cells.get_mut(place as usize) {
                        Some(cell) => settling.tell(cell, at_once),
                        None => Told::Many,
                    };
                    match told {
                        Told::Nothing => {}
                        Told::Settled => {
                            next.insert(place);
                            settled[usize::from(!at_once)] += 1;
                        }
                        Told::Many => aside.push(place, at_once),
                    }
                });
                walked[news.kind][mover.index()] += 1;
                if aside.is_full() {
                    aside.apply(states, settling, outbox);
                }
            });
            self.chunk += 1;
        }
        aside.apply(&mut self.states, settling, outbox);
    }

    #[inline(never)]
    fn walk_in_batches<P: Positions, R: Rule<C>>(
        &mut self,
        end: usize,
        base: &P::Base,
        rule: R,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let mut batches = Batches::new();
        let mut links = Links::new();
        while self.chunk < end && !outbox.is_full() {
            let Owner { frontier, walked, states, .. } = self;
            frontier.drain_chunk(self.chunk, |target| {
                let States { start, ref cells, .. } = *states;
                let news = rule.news(start + target, || cells[target as usize]);
                // As little as possible is done here, where the game's code is all around, and
                // nothing is called.
                let tell = |link: Link| {
                    let place = link.number.wrapping_sub(start);
                    prefetch(cells, place as usize);
                    batches.push(place, news.settles[usize::from(link.same_mover)]);
                };
                let mover = if P::DISTINCT {
                    P::predecessors(base, start + target, tell)
                } else {
                    let mover = list::<P>(base, start + target, &mut links);
                    links.iter().copied().for_each(tell);
                    mover
                };
                walked[news.kind][mover.index()] += 1;
                if batches.are_full() {
                    batches.apply(states, settling, outbox, || {
                        let mut links = Links::new();
                        list::<P>(base, start + target, &mut links);
                        let place_and_kind = |link: &Link| {
                            let at_once = news.settles[usize::from(link.same_mover)];
                            (link.number.wrapping_sub(start), at_once)
                        };
                        links.iter().map(place_and_kind).collect()
                    });
                }
            });
            self.chunk += 1;
        }
        batches.apply(&mut self.states, settling, outbox, Vec::new);
    }
}

/// Puts the distinct predecessors of a state into `links`, and says who is to move in it.
fn list<P: Positions>(base: &P::Base, number: u64, links: &mut Links) -> Player {
    links.clear();
    let mover = P::predecessors(base, number, |link| links.push(link));
    if !P::DISTINCT {
        keep_distinct(links);
    }
    mover
}

/// The error of a game that gives some predecessor a number beyond the end.
#[cold]
fn out_of_range<P: Positions>(positions: &P, index: u64) -> SolveError {
    let len = positions.len();
    let culprit = (0..len).find(|&number| {
        let mut found = false;
        P::predecessors(positions.base(), number, |link| found |= link.number >= len);
        found
    });
    let state = culprit
        .map_or("(a predecessor)".into(), |number| format!("(a predecessor of number {number})"));
    SolveError::IndexOutOfRange { state, index, len }
}
