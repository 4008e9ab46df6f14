//! The walk over the frontier.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::{BrokenLaw, SolveError};
use crate::game::{Player, Repeats};
use crate::numbering::discovered::FindKeys;
use crate::runtime::frontier::Part;
use crate::runtime::pool::CancellationToken;
use crate::solve::cells::cell::{Cell, Settling, Update};
use crate::solve::exchange::Outbox;
use crate::solve::graph::batch::Batch;
use crate::solve::graph::incoming::Segment;
use crate::solve::graph::links::{Link, Links, Neighbours, keep_distinct};
use crate::solve::graph::predecessors::Predecessors;
use crate::solve::levels::backward::rule::{Effect, Rule};
use crate::solve::levels::backward::states::{
    Batches, DeferredUpdates, DirectUpdates, States, Target,
};
use crate::solve::levels::step::Walked;

/// Levels with fewer non-zero words of the frontier run on one thread.
pub(crate) const MANY_WORDS: u64 = 1 << 9;

/// How many non-zero words of the frontier are walked between two checks whether to stop.
pub(crate) const STRETCH: u64 = 256;

/// How many states are walked in each mode before one is chosen.
const TRIED: u64 = 1 << 13;

/// The work of all threads in a level.
pub(crate) struct LevelTask<'l, P, R, C> {
    pub(crate) graph: &'l P,
    pub(crate) rule: R,
    pub(crate) settling: Settling<'l, C>,
}

impl<P, R: Copy, C: Copy> Clone for LevelTask<'_, P, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, R: Copy, C: Copy> Copy for LevelTask<'_, P, R, C> {}

/// One thread and its range of a level.
pub(crate) struct Walker<'a, C> {
    pub(crate) walk: Walk<'a>,
    pub(crate) states: States<'a, C>,
    pub(crate) trials: Trials,
    /// The values of exits, which are applied first; empty once they are applied.
    incoming: &'a [Segment],
}

/// How to apply the updates of predecessors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefetching {
    /// Predecessors are put into a batch, and their cells are prefetched. The batch is applied when
    /// the cells have arrived in the cache.
    Batched,
    /// Predecessors are updated as they are found.
    Direct,
}

/// The time of each mode so far, in the order of [`Prefetching`].
pub(crate) type Trials = [TrialTime; 2];

#[derive(Clone, Copy, Default)]
pub(crate) struct TrialTime {
    states: u64,
    took: Duration,
}

impl TrialTime {
    /// Whether nothing was tried yet.
    pub(crate) fn is_empty(self) -> bool {
        self.states == 0
    }

    pub(crate) fn add(&mut self, states: u64, took: Duration) {
        self.states += states;
        self.took += took;
    }

    pub(crate) fn seconds_a_state(self) -> f64 {
        self.took.as_secs_f64() / self.states as f64
    }
}

impl<'a, C: Cell> Walker<'a, C> {
    pub(crate) fn new(
        frontier: Part<'a>,
        states: States<'a, C>,
        incoming: &'a [Segment],
        trials: Trials,
    ) -> Walker<'a, C> {
        Walker { walk: Walk::new(frontier, states.start), states, trials, incoming }
    }

    /// Walks the frontier until it is done, the outbox is full, `most` states are walked, or
    /// another thread waits while much is left. Returns whether the frontier is done.
    ///
    /// Batches hide the latency of the memory, but cost some instructions. If most cells are in a
    /// cache already, it is faster to apply updates directly. A game cannot know this of its
    /// levels, so both modes are timed. The result is the same.
    pub(crate) fn walk<P: Predecessors, R: Rule<C>>(
        &mut self,
        task: LevelTask<'_, P, R, C>,
        outbox: &mut Outbox<u64>,
        most: Option<u64>,
        waiting: &AtomicBool,
        token: &dyn CancellationToken,
    ) -> Result<bool, SolveError> {
        let LevelTask { graph, rule, settling } = task;
        let most = most.unwrap_or(u64::MAX);
        let mut reported = self.walk.count();
        let mut much_left = true;
        let last = self.walk.count().saturating_add(most);
        self.states.apply_incoming(std::mem::take(&mut self.incoming), settling);
        let keys = if P::CAN_BE_SHARED { graph.find_keys() } else { None };
        let key_width = keys.map(FindKeys::width);
        let mut found = Batch::new();
        while !self.walk.is_done() && !outbox.is_full() && self.walk.count() < last {
            let end = self.walk.end_of_words(STRETCH.min(most));
            let mode = self.mode::<P, R>();
            let timed = R::UNIFORM
                && P::DISTINCT
                && !P::LOOKED_UP
                && key_width.is_none()
                && self.states.files.is_none()
                && !self.is_tried();
            let begin = timed.then(|| (Instant::now(), self.walk.count()));
            let context = graph.context();
            // If no states are shared, the constant removes this branch from the compiled code.
            if P::CAN_BE_SHARED
                && let Some(width) = key_width
            {
                self.walk_shared::<P, R>(end, context, width, rule, settling, outbox);
            } else if P::LOOKED_UP {
                let mut target = DirectUpdates { states: &mut self.states, settling, outbox };
                self.walk.walk_looked_up(end, graph, rule, &mut target, &mut found);
            } else {
                match mode {
                    Prefetching::Batched => {
                        let mut target =
                            DirectUpdates { states: &mut self.states, settling, outbox };
                        self.walk.walk::<P, C>(end, context, rule, &mut target);
                    }
                    Prefetching::Direct => {
                        self.walk_direct::<P, R>(end, context, rule, settling, outbox);
                    }
                }
            }
            if let Some((begin, before)) = begin {
                let walked = self.walk.count() - before;
                self.trials[mode as usize].add(walked, begin.elapsed());
            }
            let walked = self.walk.count();
            if token.done(walked - reported).is_break() {
                break;
            }
            reported = walked;
            if much_left && waiting.load(Ordering::Relaxed) {
                much_left = self.walk.words_left() >= MANY_WORDS;
                if much_left {
                    break;
                }
            }
        }
        waiting.store(true, Ordering::Relaxed);
        if let Some(index) = outbox.unowned() {
            return Err(out_of_range(graph, index));
        }
        Ok(self.walk.is_done())
    }

    /// Walks the chunks before `end` if processes share the states. Predecessors of other processes
    /// are sent by their keys of `key_width` bytes.
    fn walk_shared<P: Predecessors, R: Rule<C>>(
        &mut self,
        end: usize,
        context: &P::Context,
        key_width: usize,
        rule: R,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let mut batches = Batches::new();
        let mut found = Neighbours::default();
        let Walker { walk, states, .. } = self;
        while walk.chunk < end && !outbox.is_full() {
            let Walk { frontier, start, walked, .. } = walk;
            frontier.drain_chunk(walk.chunk, |place| {
                let index = *start + place;
                let mut target = DirectUpdates { states, settling, outbox };
                let effect = rule.effect(index, || target.cell(index));
                let mover = P::neighbours(context, index, &mut found);
                for link in &found.links {
                    let place = target.place(link.index);
                    target.prefetch(place);
                    batches.push(place, effect.any[usize::from(link.same_mover)]);
                    if batches.are_full() {
                        batches.apply(&mut target, &Vec::new);
                    }
                }
                for link in &found.foreign {
                    let any = effect.any[usize::from(link.same_mover)];
                    target.outbox.send_to_key(link.key, key_width, any);
                }
                walked[effect.kind][mover.index()] += 1;
            });
            walk.chunk += 1;
        }
        batches.apply(&mut DirectUpdates { states, settling, outbox }, &Vec::new);
    }

    /// The mode of the next stretch.
    fn mode<P: Predecessors, R: Rule<C>>(&self) -> Prefetching {
        let [batched, direct] = self.trials;
        // Batches are where it is counted how many pages of files are mapped.
        if !R::UNIFORM || !P::DISTINCT || self.states.files.is_some() {
            return Prefetching::Batched;
        }
        let direct_is_next = match self.is_tried() {
            true => direct.seconds_a_state() < batched.seconds_a_state(),
            false => direct.states < batched.states,
        };
        if direct_is_next { Prefetching::Direct } else { Prefetching::Batched }
    }

    fn is_tried(&self) -> bool {
        self.trials.iter().all(|trial| trial.states >= TRIED)
    }

    /// Walks the chunks before `end`, and applies updates as they are found.
    ///
    /// Not inlined, so that its loop has all the registers.
    #[inline(never)]
    fn walk_direct<P: Predecessors, R: Rule<C>>(
        &mut self,
        end: usize,
        context: &P::Context,
        rule: R,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let mut deferred = DeferredUpdates::default();
        while self.walk.chunk < end && !outbox.is_full() {
            let Walker { walk: Walk { frontier, walked, chunk, .. }, states, .. } = self;
            frontier.drain_chunk(*chunk, |target| {
                let States { start, ref mut cells, ref mut next, ref mut settled, .. } = *states;
                let effect = rule.effect(start + target, || cells[target as usize]);
                let (mover, _) = P::predecessors(context, start + target, |link| {
                    let any = effect.any[usize::from(link.same_mover)];
                    let place = link.index.wrapping_sub(start);
                    let update = match cells.get_mut(place as usize) {
                        Some(cell) => settling.apply(cell, any),
                        None => Update::Saturated,
                    };
                    match update {
                        Update::Nothing => {}
                        Update::Settled => {
                            next.insert(place);
                            settled[usize::from(!any)] += 1;
                        }
                        Update::Saturated => deferred.push(place, any),
                    }
                });
                walked[effect.kind][mover.index()] += 1;
                if deferred.is_full() {
                    deferred.apply(states, settling, outbox);
                }
            });
            self.walk.chunk += 1;
        }
        deferred.apply(&mut self.states, settling, outbox);
    }
}

/// A walk over a part of the frontier.
pub(crate) struct Walk<'a> {
    frontier: Part<'a>,
    /// The first index of the part.
    start: u64,
    /// The first chunk that is not walked yet.
    chunk: usize,
    pub(crate) walked: Walked,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(frontier: Part<'a>, start: u64) -> Walk<'a> {
        Walk { frontier, start, chunk: 0, walked: Walked::default() }
    }

    /// The number of states walked so far.
    pub(crate) fn count(&self) -> u64 {
        self.walked.iter().flatten().sum()
    }

    /// Whether all states are walked.
    pub(crate) fn is_done(&self) -> bool {
        self.chunk == self.frontier.chunks()
    }

    /// The number of non-zero words that are left.
    fn words_left(&self) -> u64 {
        self.frontier.occupied_words(self.chunk)
    }

    /// The end of the next chunks that contain this number of non-zero words.
    pub(crate) fn end_of_words(&self, words: u64) -> usize {
        self.frontier.end_of_words(self.chunk, words)
    }

    /// Walks the chunks before `end`, until the target of the updates is full. Hands over the
    /// updates batch by batch.
    ///
    /// Not inlined, so that its loop has all the registers.
    #[inline(never)]
    pub(crate) fn walk<P: Predecessors, C: Cell>(
        &mut self,
        end: usize,
        context: &P::Context,
        rule: impl Rule<C>,
        target: &mut impl Target<C>,
    ) {
        let mut batches = Batches::new();
        let mut links = Links::new();
        while self.chunk < end && !target.is_full() {
            let Walk { frontier, start, walked, .. } = self;
            frontier.drain_chunk(self.chunk, |place| {
                let index = *start + place;
                let effect = rule.effect(index, || target.cell(index));
                // The game's code is inlined around this closure, so the closure does as little as
                // possible and calls nothing.
                let push = |batches: &mut Batches, link: Link| {
                    let place = target.place(link.index);
                    target.prefetch(place);
                    batches.push(place, effect.any[usize::from(link.same_mover)]);
                };
                let mark = batches.mark();
                let (mover, repeats) = if P::DISTINCT || P::SELDOM_REPEATS {
                    P::predecessors(context, index, |link| push(&mut batches, link))
                } else {
                    (Player::First, Repeats::Maybe)
                };
                let mover = if !P::DISTINCT && repeats == Repeats::Maybe {
                    batches.return_to(mark);
                    let mover = list::<P>(context, index, &mut links);
                    links.iter().for_each(|&link| push(&mut batches, link));
                    mover
                } else {
                    mover
                };
                walked[effect.kind][mover.index()] += 1;
                if batches.are_full() {
                    batches.apply(target, &move || {
                        let mut links = Links::new();
                        list::<P>(context, index, &mut links);
                        let kind = |link: &Link| effect.any[usize::from(link.same_mover)];
                        links.iter().map(|link| (link.index, kind(link))).collect()
                    });
                }
            });
            self.chunk += 1;
        }
        batches.apply(target, &Vec::new);
    }

    /// As [`walk`](Walk::walk) for predecessors that are looked up, a batch together.
    pub(crate) fn walk_looked_up<P: Predecessors, C: Cell>(
        &mut self,
        end: usize,
        graph: &P,
        rule: impl Rule<C>,
        target: &mut impl Target<C>,
        found: &mut Batch<P::Key, Effect>,
    ) {
        let mut batches = Batches::new();
        while self.chunk < end && !target.is_full() {
            let Walk { frontier, start, walked, .. } = self;
            frontier.drain_chunk(self.chunk, |place| {
                let index = *start + place;
                let effect = rule.effect(index, || target.cell(index));
                let mover = P::keys(graph.context(), index, |key, same| found.push(key, same));
                found.end(index, effect);
                walked[effect.kind][mover.index()] += 1;
                if found.is_full() {
                    apply_found(graph, found, target, &mut batches);
                }
            });
            self.chunk += 1;
        }
        apply_found(graph, found, target, &mut batches);
        batches.apply(target, &Vec::new);
    }
}

/// Looks up a batch of predecessors, updates them, and empties the batch.
fn apply_found<P: Predecessors, C: Cell>(
    graph: &P,
    found: &mut Batch<P::Key, Effect>,
    target: &mut impl Target<C>,
    batches: &mut Batches,
) {
    found.find_by(|keys, indices| graph.find_all(keys, indices));
    let mut links = Links::new();
    for at in 0..found.len() {
        let (_, effect) = found.source(at);
        found.reached(at, P::DISTINCT, &mut links);
        for link in &links {
            let place = target.place(link.index);
            target.prefetch(place);
            batches.push(place, effect.any[usize::from(link.same_mover)]);
            if batches.are_full() {
                batches.apply(target, &Vec::new);
            }
        }
    }
    found.clear();
}

/// Puts the distinct predecessors of a state into `links`, and returns the player to move in the
/// state.
fn list<P: Predecessors>(context: &P::Context, index: u64, links: &mut Links) -> Player {
    links.clear();
    let (mover, repeats) = P::predecessors(context, index, |link| links.push(link));
    if !P::DISTINCT && repeats == Repeats::Maybe {
        keep_distinct(links);
    }
    mover
}

/// The error for a game with a predecessor whose index is beyond the end.
#[cold]
pub(crate) fn out_of_range<P: Predecessors>(graph: &P, index: u64) -> SolveError {
    let len = graph.len();
    let culprit = (0..len).find(|&index| {
        let mut found = false;
        P::predecessors(graph.context(), index, |link| found |= link.index >= len);
        found
    });
    let state = culprit
        .map_or("(a predecessor)".into(), |index| format!("(a predecessor of index {index})"));
    BrokenLaw::index_beyond(state, index, len).into()
}
