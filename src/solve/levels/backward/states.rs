//! The states that one thread alone settles, and the batches in which it learns what to settle.

use crate::runtime::frontier::Part;
use crate::runtime::memory::prefetch;
use crate::solve::exchange::Outbox;
use crate::solve::graph::incoming::{Segment, messages_within};
use crate::solve::levels::cells::{Cell, Settling, Told};

/// How many predecessors are looked up together. Enough to keep the memory busy, few enough that
/// the first are still in the cache when the last have been asked for: 256 to 1,024 are equally
/// good on the parks and the random games, 128 and 4,096 slower.
pub(crate) const BATCH: usize = 256;

/// Room behind that for the predecessors of the last state. What is beyond goes to the heap.
const ROOM: usize = 64;

/// The states that one thread alone settles.
pub(crate) struct States<'a, C> {
    pub(crate) start: u64,
    pub(crate) cells: &'a mut [C],
    /// Those that are settled in this level.
    pub(crate) next: Part<'a>,
    /// How many those are, at once and at last.
    pub(crate) settled: [u64; 2],
}

/// Places among the states of a thread, each of a state one of whose successors was settled. Places
/// that are not among them belong to others.
struct Batch {
    places: [u64; BATCH + ROOM],
    count: usize,
}

impl Batch {
    fn new() -> Batch {
        Batch { places: [0; BATCH + ROOM], count: 0 }
    }

    /// Adds a place. Once there is no room, places are only counted.
    #[inline(always)]
    fn push(&mut self, place: u64) {
        if let Some(free) = self.places.get_mut(self.count) {
            *free = place;
        }
        self.count += 1;
    }

    /// Whether it is time to tell the states.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.count >= BATCH
    }

    /// The places, to be told and forgotten, and how many more were counted.
    fn take(&mut self) -> (&mut [u64], usize) {
        let count = std::mem::take(&mut self.count);
        let stored = count.min(self.places.len());
        (&mut self.places[..stored], count - stored)
    }
}

/// Predecessors to tell that a successor is settled: those that one settled successor is enough
/// for, and those that have to wait for the last.
pub(crate) struct Batches {
    at_once: Batch,
    at_last: Batch,
}

impl Batches {
    pub(crate) fn new() -> Batches {
        Batches { at_once: Batch::new(), at_last: Batch::new() }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, place: u64, at_once: bool) {
        if at_once { &mut self.at_once } else { &mut self.at_last }.push(place);
    }

    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.at_once.is_full() || self.at_last.is_full()
    }

    /// Tells the states, and empties the batches. `list` lists anew what was pushed last, wherever
    /// there was no room for all of that.
    pub(crate) fn apply<C: Cell>(
        &mut self,
        states: &mut States<'_, C>,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
        list: impl Fn() -> Vec<(u64, bool)>,
    ) {
        for (batch, at_once) in [(&mut self.at_once, true), (&mut self.at_last, false)] {
            let (places, missing) = batch.take();
            states.apply_all(places, at_once, settling, outbox);
            if missing > 0 {
                let listed = list().into_iter().filter(|&(_, kind)| kind == at_once);
                let mut all: Vec<u64> = listed.map(|(place, _)| place).collect();
                let stored = all.len() - missing;
                states.apply_all(&mut all[stored..], at_once, settling, outbox);
            }
        }
    }
}

/// Predecessors that could not be told on the spot.
#[derive(Default)]
pub(crate) struct DeferredUpdates([Vec<u64>; 2]);

impl DeferredUpdates {
    #[cold]
    #[inline(never)]
    pub(crate) fn push(&mut self, place: u64, at_once: bool) {
        self.0[usize::from(at_once)].push(place);
    }

    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.0[0].len() + self.0[1].len() >= BATCH
    }

    /// Tells the states, and forgets them.
    pub(crate) fn apply<C: Cell>(
        &mut self,
        states: &mut States<'_, C>,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        for (places, at_once) in self.0.iter_mut().zip([false, true]) {
            states.apply_all(places, at_once, settling, outbox);
            places.clear();
        }
    }
}

/// What is posted about a state of another thread: its number, and whether it is settled at once.
fn message(number: u64, at_once: bool) -> u64 {
    number << 1 | u64::from(at_once)
}

impl<C: Cell> States<'_, C> {
    /// How many were settled in this level.
    pub(crate) fn settled(&self) -> u64 {
        self.settled.iter().sum()
    }

    /// Tells the states at these places that a successor is settled; what is for the states of
    /// others is posted. The places are overwritten.
    ///
    /// Not inlined, so that its loops have all the registers; a call a batch is nothing.
    #[inline(never)]
    fn apply_all(
        &mut self,
        places: &mut [u64],
        at_once: bool,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        for mut places in places.chunks_mut(BATCH + ROOM) {
            if outbox.has_others() {
                places = self.post_foreign(places, at_once, outbox);
            }
            // One loop for each, without a question in it that has been answered before.
            let left = match at_once {
                true => self.apply_own::<true>(places, settling),
                false => self.apply_own::<false>(places, settling),
            };
            for &place in &places[..left] {
                self.apply_one(place, at_once, settling, outbox);
            }
        }
    }

    /// Posts what is for others, and returns the places that are this thread's own. Which is which
    /// nobody could foretell, so nothing branches on it.
    fn post_foreign<'p>(
        &self,
        places: &'p mut [u64],
        at_once: bool,
        outbox: &mut Outbox<u64>,
    ) -> &'p mut [u64] {
        let len = self.cells.len() as u64;
        let mut foreign = [0; BATCH + ROOM];
        let (mut own, mut others) = (0, 0);
        for at in 0..places.len() {
            let place = places[at];
            places[own] = place;
            foreign[others] = place;
            let is_own = place < len;
            own += usize::from(is_own);
            others += usize::from(!is_own);
        }
        for place in &foreign[..others] {
            let number = self.start.wrapping_add(*place);
            outbox.post(number, message(number, at_once));
        }
        &mut places[..own]
    }

    /// Tells the states of these places. Those that it takes a call to tell are left, moved to the
    /// front; returns how many.
    #[inline(always)]
    fn apply_own<const AT_ONCE: bool>(
        &mut self,
        places: &mut [u64],
        settling: Settling<'_, C>,
    ) -> usize {
        let States { cells, next, settled, .. } = self;
        let (mut left, mut fresh) = (0, 0);
        for at in 0..places.len() {
            let place = places[at];
            let told = match cells.get_mut(place as usize) {
                Some(cell) => settling.tell(cell, AT_ONCE),
                None => Told::Many,
            };
            match told {
                Told::Nothing => {}
                Told::Settled => {
                    next.insert(place);
                    fresh += 1;
                }
                Told::Many => {
                    places[left] = place;
                    left += 1;
                }
            }
        }
        settled[usize::from(!AT_ONCE)] += fresh;
        left
    }

    /// Tells one state, whatever that takes.
    #[inline]
    fn apply_one(
        &mut self,
        place: u64,
        at_once: bool,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let number = self.start.wrapping_add(place);
        let Some(cell) = self.cells.get_mut(place as usize) else {
            outbox.post(number, message(number, at_once));
            return;
        };
        if settling.apply_saturated(cell, at_once, number) == Told::Settled {
            self.next.insert(place);
            self.settled[usize::from(!at_once)] += 1;
        }
    }

    /// Applies what comes in from outside.
    pub(crate) fn apply_incoming(&mut self, entering: &[Segment], settling: Settling<'_, C>) {
        let end = self.start + self.cells.len() as u64;
        let mut told = Vec::with_capacity(BATCH);
        for (number, at_once) in messages_within(entering, self.start, end) {
            told.push(message(number, at_once));
            if told.len() == BATCH {
                self.listen(&told, settling);
                told.clear();
            }
        }
        self.listen(&told, settling);
    }

    /// Applies what others have found out.
    pub(crate) fn listen(&mut self, told: &[u64], settling: Settling<'_, C>) {
        // What is posted here, nobody else could own either.
        let mut nobody = Outbox::to_nobody();
        let mut batches = Batches::new();
        for messages in told.chunks(BATCH) {
            for message in messages {
                let place = (message >> 1).wrapping_sub(self.start);
                prefetch(self.cells, place as usize);
                batches.push(place, message & 1 == 1);
            }
            // There is room for all of a chunk.
            batches.apply(self, settling, &mut nobody, Vec::new);
        }
    }
}
