//! The states that one thread owns during a level, and the batches of updates for them.

use crate::runtime::frontier::Part;
use crate::runtime::memory::prefetch;
use crate::runtime::scratch::Scratch;
use crate::solve::cells::cell::{Cell, Settling, Update};
use crate::solve::exchange::Outbox;
use crate::solve::graph::incoming::{Segment, messages_within};

/// How many predecessors are updated together. Enough to keep the memory busy, few enough that the
/// first cells are still in the cache when the last are prefetched. 256 to 1,024 are equally good
/// on the parks and the random games; 128 and 4,096 are slower.
pub(crate) const BATCH: usize = 256;

/// How many updates of cells in scratch files are applied before it is counted how many pages are
/// mapped. Each may map 64 KiB.
const BATCH_IN_FILES: usize = 64;

/// Room behind a batch for the predecessors of the last state. If there are more, they are listed
/// once more on the heap.
const ROOM: usize = 64;

/// The states that one thread owns during a level.
pub(crate) struct States<'a, C> {
    /// The index of the first state. The place of a state is its index minus this.
    pub(crate) start: u64,
    pub(crate) cells: &'a mut [C],
    /// The places of the states that are settled in this level.
    pub(crate) next: Part<'a>,
    /// How many states any one successor settled, and how many needed all successors.
    pub(crate) settled: [u64; 2],
    /// The folder of the cells' file, if they are in a scratch file.
    pub(crate) files: Option<&'a Scratch>,
}

/// Updates of one kind, by the place of the state to update. Places beyond the thread's own states
/// belong to other threads.
struct Batch {
    places: [u64; BATCH + ROOM],
    count: usize,
}

impl Batch {
    fn new() -> Batch {
        Batch { places: [0; BATCH + ROOM], count: 0 }
    }

    /// Adds a place. If there is no room, the place is only counted.
    #[inline(always)]
    fn push(&mut self, place: u64) {
        if let Some(free) = self.places.get_mut(self.count) {
            *free = place;
        }
        self.count += 1;
    }

    /// Whether it is time to apply the updates.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.count >= BATCH
    }

    /// Takes out the places, and the number of places that were only counted.
    fn take(&mut self) -> (&mut [u64], usize) {
        let count = std::mem::take(&mut self.count);
        let stored = count.min(self.places.len());
        (&mut self.places[..stored], count - stored)
    }
}

/// Updates that wait until the cells have arrived in the cache.
pub(crate) struct Batches {
    /// For states that any one settled successor settles.
    any: Batch,
    /// For states that are settled once all their successors are.
    all: Batch,
}

impl Batches {
    pub(crate) fn new() -> Batches {
        Batches { any: Batch::new(), all: Batch::new() }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, place: u64, any: bool) {
        if any { &mut self.any } else { &mut self.all }.push(place);
    }

    /// How many updates wait, for [`return_to`](Batches::return_to).
    #[inline(always)]
    pub(crate) fn mark(&self) -> [usize; 2] {
        [self.any.count, self.all.count]
    }

    /// Forgets the updates that came after a mark.
    pub(crate) fn return_to(&mut self, mark: [usize; 2]) {
        [self.any.count, self.all.count] = mark;
    }

    #[inline(always)]
    pub(crate) fn are_full(&self) -> bool {
        self.any.is_full() || self.all.is_full()
    }

    /// Applies the updates and empties the batches. If there was no room for all predecessors of
    /// the last state, `list` lists them again.
    pub(crate) fn apply<C: Cell>(
        &mut self,
        target: &mut impl Target<C>,
        list: &dyn Fn() -> Vec<(u64, bool)>,
    ) {
        for (batch, any) in [(&mut self.any, true), (&mut self.all, false)] {
            let (places, missing) = batch.take();
            target.apply(places, any);
            if missing > 0 {
                let of_kind = list().into_iter().filter(|&(_, kind)| kind == any);
                let mut listed: Vec<u64> = of_kind.map(|(index, _)| target.place(index)).collect();
                let stored = listed.len() - missing;
                target.apply(&mut listed[stored..], any);
            }
        }
    }
}

/// Takes the updates that a walk over the frontier finds.
pub(crate) trait Target<C> {
    /// The place that stands for an index in updates.
    fn place(&self, index: u64) -> u64;

    /// The cell of a state of the frontier.
    fn cell(&self, index: u64) -> C;

    /// Lets the processor fetch the cell at this place, if updates are applied at once.
    fn prefetch(&self, place: u64);

    /// Takes updates of one kind. The places are overwritten.
    fn apply(&mut self, places: &mut [u64], any: bool);

    /// Whether there is no room for many more updates.
    fn is_full(&self) -> bool;
}

/// Applies updates at once, and sends the updates for other threads' states to their owners.
pub(crate) struct DirectUpdates<'s, 'a, C> {
    pub(crate) states: &'s mut States<'a, C>,
    pub(crate) settling: Settling<'s, C>,
    pub(crate) outbox: &'s mut Outbox<u64>,
}

impl<C: Cell> Target<C> for DirectUpdates<'_, '_, C> {
    #[inline(always)]
    fn place(&self, index: u64) -> u64 {
        index.wrapping_sub(self.states.start)
    }

    #[inline(always)]
    fn cell(&self, index: u64) -> C {
        self.states.cells[self.place(index) as usize]
    }

    #[inline(always)]
    fn prefetch(&self, place: u64) {
        prefetch(self.states.cells, place as usize);
    }

    fn apply(&mut self, places: &mut [u64], any: bool) {
        self.states.apply_all(places, any, self.settling, self.outbox);
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.outbox.is_full()
    }
}

/// Updates that could not be applied at once: for saturated cells, and for the states of other
/// threads.
#[derive(Default)]
pub(crate) struct DeferredUpdates([Vec<u64>; 2]);

impl DeferredUpdates {
    #[cold]
    #[inline(never)]
    pub(crate) fn push(&mut self, place: u64, any: bool) {
        self.0[usize::from(any)].push(place);
    }

    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.0[0].len() + self.0[1].len() >= BATCH
    }

    /// Applies the updates and removes them.
    pub(crate) fn apply<C: Cell>(
        &mut self,
        states: &mut States<'_, C>,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        for (places, any) in self.0.iter_mut().zip([false, true]) {
            states.apply_all(places, any, settling, outbox);
            places.clear();
        }
    }
}

/// The message that carries an update to another thread: the index of the state, and in the lowest
/// bit whether the update settles the state on its own.
fn message(index: u64, any: bool) -> u64 {
    index << 1 | u64::from(any)
}

impl<C: Cell> States<'_, C> {
    /// Updates the states at these places, and sends the updates for the states of other threads.
    /// The places are overwritten.
    ///
    /// Not inlined, so that its loops have all the registers; one call a batch costs nothing.
    #[inline(never)]
    fn apply_all(
        &mut self,
        places: &mut [u64],
        any: bool,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let together = if self.files.is_some() { BATCH_IN_FILES } else { BATCH + ROOM };
        for mut places in places.chunks_mut(together) {
            if outbox.has_others() {
                places = self.send_foreign(places, any, outbox);
            }
            // One loop for each kind, so that the loop does not branch on it.
            let left = match any {
                true => self.apply_own::<true>(places, settling),
                false => self.apply_own::<false>(places, settling),
            };
            for &place in &places[..left] {
                self.apply_one(place, any, settling, outbox);
            }
            // Each of the updates may have mapped other pages.
            if let Some(files) = self.files {
                files.relieve();
            }
        }
    }

    /// Sends the updates for the states of other threads, and returns the places of own states.
    /// Nothing branches on the owner, since no processor could predict it.
    fn send_foreign<'p>(
        &self,
        places: &'p mut [u64],
        any: bool,
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
            let index = self.start.wrapping_add(*place);
            outbox.send(index, message(index, any));
        }
        &mut places[..own]
    }

    /// Updates the states at these places, except the updates that need a call. Moves the places of
    /// these to the front, and returns their number.
    #[inline(always)]
    fn apply_own<const ANY: bool>(
        &mut self,
        places: &mut [u64],
        settling: Settling<'_, C>,
    ) -> usize {
        let States { cells, next, settled, .. } = self;
        let (mut left, mut fresh) = (0, 0);
        for at in 0..places.len() {
            let place = places[at];
            let update = match cells.get_mut(place as usize) {
                Some(cell) => settling.apply(cell, ANY),
                None => Update::Saturated,
            };
            match update {
                Update::Nothing => {}
                Update::Settled => {
                    next.insert(place);
                    fresh += 1;
                }
                Update::Saturated => {
                    places[left] = place;
                    left += 1;
                }
            }
        }
        settled[usize::from(!ANY)] += fresh;
        left
    }

    /// Updates one state, which may be saturated or belong to another thread.
    #[inline]
    fn apply_one(
        &mut self,
        place: u64,
        any: bool,
        settling: Settling<'_, C>,
        outbox: &mut Outbox<u64>,
    ) {
        let index = self.start.wrapping_add(place);
        let Some(cell) = self.cells.get_mut(place as usize) else {
            outbox.send(index, message(index, any));
            return;
        };
        if settling.apply_saturated(cell, any, index) == Update::Settled {
            self.next.insert(place);
            self.settled[usize::from(!any)] += 1;
        }
    }

    /// Applies the values of exits that take effect at this level.
    pub(crate) fn apply_incoming(&mut self, incoming: &[Segment], settling: Settling<'_, C>) {
        let end = self.start + self.cells.len() as u64;
        let mut messages = Vec::with_capacity(BATCH);
        for (index, any) in messages_within(incoming, self.start, end) {
            messages.push(message(index, any));
            if messages.len() == BATCH {
                self.receive(&messages, settling);
                messages.clear();
            }
        }
        self.receive(&messages, settling);
    }

    /// Applies the updates that other threads sent.
    pub(crate) fn receive(&mut self, messages: &[u64], settling: Settling<'_, C>) {
        // All messages are for own states, so nothing is sent.
        let mut nobody = Outbox::to_nobody();
        let mut batches = Batches::new();
        for chunk in messages.chunks(BATCH) {
            for message in chunk {
                let place = (message >> 1).wrapping_sub(self.start);
                prefetch(self.cells, place as usize);
                batches.push(place, message & 1 == 1);
            }
            // There is room for all of a chunk.
            let mut target = DirectUpdates { states: self, settling, outbox: &mut nobody };
            batches.apply(&mut target, &Vec::new);
        }
    }
}
