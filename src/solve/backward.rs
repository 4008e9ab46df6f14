//! One level of the analysis by predecessors: from the states that were settled last to those that
//! have a move to them.
//!
//! The numbers of a level are walked in ascending order. For each, its predecessors' numbers are
//! put into a batch and their cells are prefetched; only then is the batch applied, when the cells
//! have arrived. A thread owns the cells of a range of numbers, and posts what it finds out about
//! those of others.

use super::cells::{Cell, Settling, Told};
use super::crew::{Crew, Signals, Size};
use super::exchange::{Outbox, exchange};
use super::frontier::{Frontier, Part};
use super::memory::prefetch;
use super::positions::{Link, Links, Positions, keep_distinct};
use super::{Progress, SolveError};

/// How many predecessors are looked up together. Enough to keep the memory busy, few enough that
/// the first are still in the cache when the last have been asked for: 256 to 1,024 are equally
/// good on the parks and the random games, 64 and 4,096 a tenth slower.
const BATCH: usize = 256;

/// Room behind that for the predecessors of the last state. What is beyond goes to the heap.
const ROOM: usize = 64;

/// A level with numbers in fewer words than this is not worth waking any threads.
const BIG: u64 = 1 << 9;

/// How many chunks are walked between two looks at whether to stop.
const STRETCH: usize = 16;

/// How a level settles states.
pub(super) trait Rule<C>: Copy + Sync {
    /// What it means for its predecessors that the state at `number` has this cell.
    fn news(self, number: u64, cell: C) -> News;
}

/// What it means for its predecessors that a state is settled.
#[derive(Clone, Copy)]
pub(super) struct News {
    /// Whether that settles a predecessor where the other, and one where the same player is to
    /// move.
    pub(super) settles: [bool; 2],
    /// What is counted of the state: see [`Walked`].
    pub(super) kind: usize,
}

/// How many states of each kind were walked, by who is to move in them.
pub(super) type Walked = [[u64; 2]; 3];

/// What came of a level.
#[derive(Default)]
pub(super) struct Outcome {
    /// How many states were settled at once, and how many at last.
    pub(super) settled: [u64; 2],
    pub(super) walked: Walked,
}

impl Outcome {
    pub(super) fn add(&mut self, other: &Outcome) {
        for (sum, more) in self.settled.iter_mut().zip(other.settled) {
            *sum += more;
        }
        for (sum, more) in self.walked.iter_mut().flatten().zip(other.walked.iter().flatten()) {
            *sum += more;
        }
    }
}

/// What one thread owns during a level.
struct Owner<'a, C> {
    frontier: Part<'a>,
    /// The first chunk of the frontier that is not walked yet.
    chunk: usize,
    walked: Walked,
    states: States<'a, C>,
}

/// The states that one thread alone settles.
struct States<'a, C> {
    start: u64,
    cells: &'a mut [C],
    /// Those that are settled in this level.
    next: Part<'a>,
    /// How many those are, at once and at last.
    settled: [u64; 2],
}

/// Walks the frontier, settles its predecessors, and puts those into `next`.
pub(super) fn level<P: Positions, C: Cell>(
    positions: &P,
    rule: impl Rule<C>,
    settling: Settling<'_, C>,
    mut cells: &mut [C],
    [frontier, next]: [&mut Frontier; 2],
    crew: &mut Crew<'_>,
    event: &dyn Fn(u64) -> Progress,
) -> Result<Outcome, SolveError> {
    let size = if frontier.occupied_words() < BIG { Size::Small } else { Size::Big };
    let parts = if size == Size::Small { 1 } else { crew.threads() };
    let mut ends = frontier.even_cuts(parts);
    let (mut frontier, mut next) = (frontier.whole(), next.whole());
    let mut owners = Vec::new();
    let mut start = 0;
    for end in &mut ends {
        let (own_frontier, later_frontier) = frontier.split_at(*end - start);
        let (own_next, later_next) = next.split_at(*end - start);
        (frontier, next) = (later_frontier, later_next);
        // The last chunk need not be full.
        *end = positions.len().min(*end);
        let own_cells = cells.split_off_mut(..(*end - start) as usize).unwrap_or_default();
        owners.push(Owner {
            frontier: own_frontier,
            chunk: 0,
            walked: Walked::default(),
            states: States { start, cells: own_cells, next: own_next, settled: [0; 2] },
        });
        start = *end;
    }
    exchange(
        crew,
        size,
        &mut owners,
        &ends,
        event,
        |owner, outbox, signals| owner.walk(positions, rule, settling, outbox, signals),
        |owner, told| owner.listen(told, settling),
    )?;
    let mut outcome = Outcome::default();
    for owner in owners {
        outcome.add(&Outcome { settled: owner.states.settled, walked: owner.walked });
    }
    Ok(outcome)
}

impl<C: Cell> Owner<'_, C> {
    /// Walks the frontier until it is done or the outbox is full.
    fn walk<P: Positions>(
        &mut self,
        positions: &P,
        rule: impl Rule<C>,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
        signals: &dyn Signals,
    ) -> Result<bool, SolveError> {
        let mut batch = [0_u64; BATCH + ROOM];
        let mut later = batch;
        let mut count = 0;
        let mut links = Links::new();
        let mut reported = self.settled();
        while self.chunk < self.frontier.chunks() && !outbox.is_full() {
            let Owner { frontier, walked, states, .. } = self;
            frontier.drain_chunk(self.chunk, |target| {
                let States { start, ref cells, .. } = *states;
                let news = rule.news(start + target, cells[target as usize]);
                // As little as possible is done here, where the game's code is all around, and
                // nothing is called.
                let before = count;
                let tell = |link: Link| {
                    prefetch(cells, start as usize, link.number as usize);
                    let at_once = news.settles[usize::from(link.same_mover)];
                    if let Some(place) = batch.get_mut(count) {
                        *place = item(link, at_once);
                    }
                    count += 1;
                };
                let mover = if P::DISTINCT {
                    positions.predecessors(start + target, tell)
                } else {
                    links.clear();
                    let mover = positions.predecessors(start + target, |link| links.push(link));
                    keep_distinct(&mut links);
                    links.iter().copied().for_each(tell);
                    mover
                };
                walked[news.kind][mover.index()] += 1;
                if count >= BATCH {
                    let mut apply = |batch: &[u64]| {
                        states.apply(batch, settling, outbox, &mut later);
                    };
                    if count <= batch.len() {
                        apply(&batch[..count]);
                    } else {
                        apply(&batch[..before]);
                        let many = all_items(positions, start + target, news);
                        many.chunks(BATCH).for_each(apply);
                    }
                    count = 0;
                }
            });
            self.chunk += 1;
            if self.chunk.is_multiple_of(STRETCH) {
                let settled = self.settled();
                if signals.done(settled - reported).is_break() {
                    break;
                }
                reported = settled;
            }
        }
        self.states.apply(&batch[..count], settling, outbox, &mut later);
        // What is left to report is little; whether to stop is asked again soon.
        let _ = signals.done(self.settled() - reported);
        if let Some(number) = outbox.unowned() {
            return Err(out_of_range(positions, number));
        }
        Ok(self.chunk == self.frontier.chunks())
    }

    fn settled(&self) -> u64 {
        self.states.settled.iter().sum()
    }

    /// Applies what others have found out.
    fn listen(&mut self, told: &[u64], settling: Settling<'_, C>) {
        // What is posted here, nobody else could own either.
        let mut nobody = Outbox::to_nobody();
        let mut later = [0; BATCH + ROOM];
        let states = &mut self.states;
        for batch in told.chunks(BATCH) {
            for item in batch {
                prefetch(states.cells, states.start as usize, (item >> 1) as usize);
            }
            states.apply(batch, settling, &mut nobody, &mut later);
        }
    }
}

/// What a batch says of a predecessor: its number, and whether it is settled at once.
#[inline(always)]
fn item(link: Link, at_once: bool) -> u64 {
    link.number << 1 | u64::from(at_once)
}

/// The items of a state with more predecessors than a batch has room for.
#[cold]
fn all_items<P: Positions>(positions: &P, number: u64, news: News) -> Vec<u64> {
    let mut links = Links::new();
    positions.predecessors(number, |link| links.push(link));
    if !P::DISTINCT {
        keep_distinct(&mut links);
    }
    links.iter().map(|&link| item(link, news.settles[usize::from(link.same_mover)])).collect()
}

impl<C: Cell> States<'_, C> {
    /// Tells the states of a batch that a successor is settled; those of others are posted. The
    /// batch is no longer than [`BATCH`] and [`ROOM`] together, and so is the room for what takes a
    /// call, which is left for `later`.
    ///
    /// Not inlined, so that its loop has all the registers; a call a batch is nothing.
    #[inline(never)]
    fn apply(
        &mut self,
        batch: &[u64],
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
        later: &mut [u64; BATCH + ROOM],
    ) {
        let States { start, cells, next, settled } = self;
        let start = *start;
        let mut left = 0;
        let [mut at_once_settled, mut at_last_settled] = [0, 0];
        for &item in batch {
            let (number, at_once) = (item >> 1, item & 1 == 1);
            let local = number.wrapping_sub(start);
            let told = match cells.get_mut(local as usize) {
                Some(cell) => settling.tell(cell, at_once),
                None => Told::Many,
            };
            match told {
                Told::Nothing => {}
                Told::Settled => {
                    next.insert(local);
                    at_once_settled += u64::from(at_once);
                    at_last_settled += u64::from(!at_once);
                }
                Told::Many => {
                    later[left] = item;
                    left += 1;
                }
            }
        }
        settled[0] += at_once_settled;
        settled[1] += at_last_settled;
        for &item in &later[..left] {
            let (number, at_once) = (item >> 1, item & 1 == 1);
            let local = number.wrapping_sub(start);
            let Some(cell) = cells.get_mut(local as usize) else {
                outbox.post(number, item);
                continue;
            };
            if settling.tell_with_many(cell, at_once, number) == Told::Settled {
                next.insert(local);
                settled[usize::from(!at_once)] += 1;
            }
        }
    }
}

/// The error of a game that gives some predecessor a number beyond the end.
#[cold]
fn out_of_range<P: Positions>(positions: &P, index: u64) -> SolveError {
    let len = positions.len();
    let culprit = (0..len).find(|&number| {
        let mut found = false;
        positions.predecessors(number, |link| found |= link.number >= len);
        found
    });
    let state = culprit
        .map_or("(a predecessor)".into(), |number| format!("(a predecessor of number {number})"));
    SolveError::IndexOutOfRange { state, index, len }
}
