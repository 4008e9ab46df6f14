//! Messages between the owners of index ranges.
//!
//! Each index has one owner, who alone changes what belongs to it. What an owner finds out about
//! the indices of others, it sends to them as small messages. Work goes in rounds of two steps:
//!
//! 1. Every owner generates: it works on its own range, and puts messages for others into its
//!    outbox.
//! 2. Every owner receives: it applies the messages that the others sent it.
//!
//! Nothing is locked. The result does not depend on the order of the messages, so that the number
//! of owners makes no difference.
//!
//! # Carriers
//!
//! An owner is whatever state its `generate` and `receive` work on; it knows its outbox and the
//! messages it receives, and not how these travel. A carrier moves the messages in between. Today
//! there is one, [`InMemory`], whose owners are threads of this process. An owner may just as well
//! be a process elsewhere, or a range that is on disk and is loaded when its turn comes. To add
//! such a carrier, write another [`InMemory`]: it makes the outboxes of the owners that are here,
//! and hands each of them all messages of a round before its next round begins. An owner that is
//! done must still receive, for as long as any owner, here or elsewhere, is not done.

use crate::error::SolveError;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::Progress;

/// How many messages an owner may send in one round: few enough that they stay in the caches.
const FULL: usize = 1 << 16;

/// The messages that one owner sends in one round.
pub(crate) struct Outbox<M> {
    /// Where each owner's range ends.
    ends: Vec<u64>,
    /// The messages for each owner.
    messages: Vec<Vec<M>>,
    count: usize,
    unowned: Option<u64>,
}

impl<M> Outbox<M> {
    /// An outbox where no index has an owner.
    pub(crate) fn to_nobody() -> Outbox<M> {
        Outbox::to(&[])
    }

    fn to(ends: &[u64]) -> Outbox<M> {
        let messages = ends.iter().map(|_| Vec::new()).collect();
        Outbox { ends: ends.to_vec(), messages, count: 0, unowned: None }
    }

    /// Whether there is more than one owner.
    #[inline]
    pub(crate) fn has_others(&self) -> bool {
        self.ends.len() > 1
    }

    /// Sends `message` to the owner of `index`.
    #[inline]
    pub(crate) fn send(&mut self, index: u64, message: M) {
        // There are few owners, and counting needs no branch.
        let owner: usize = self.ends.iter().map(|&end| usize::from(end <= index)).sum();
        match self.messages.get_mut(owner) {
            Some(messages) => messages.push(message),
            None => self.unowned = Some(index),
        }
        self.count += 1;
    }

    /// An index without an owner to which a message was sent, if there is one.
    pub(crate) fn unowned(&self) -> Option<u64> {
        self.unowned
    }

    /// Whether it is time for the others to receive.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count >= FULL
    }
}

/// The carrier between owners in one process: it keeps their outboxes, and everybody reads them.
struct InMemory<M>(Vec<Outbox<M>>);

impl<M> InMemory<M> {
    /// A carrier between the owners of the ranges with these ends.
    fn between(ends: &[u64]) -> InMemory<M> {
        InMemory(ends.iter().map(|_| Outbox::to(ends)).collect())
    }

    /// The outboxes of the owners, in their order.
    fn outboxes(&mut self) -> impl Iterator<Item = &mut Outbox<M>> {
        self.0.iter_mut()
    }

    /// Whether anything was sent in this round.
    fn has_messages(&self) -> bool {
        self.0.iter().any(|outbox| outbox.count > 0)
    }

    /// The messages that were sent to an owner in this round.
    fn messages_for(&self, owner: usize) -> impl Iterator<Item = &[M]> {
        self.0.iter().map(move |outbox| &outbox.messages[owner][..])
    }

    /// Forgets the messages of this round, once all owners have received them.
    fn clear(&mut self) {
        for outbox in &mut self.0 {
            outbox.messages.iter_mut().for_each(Vec::clear);
            outbox.count = 0;
        }
    }
}

/// The work of the owners of some ranges, round by round.
pub(crate) struct Exchange<M> {
    carrier: InMemory<M>,
    /// How much was done in the rounds before.
    done: u64,
}

impl<M: Send + Sync> Exchange<M> {
    /// An exchange between the owners of the ranges with these ends.
    pub(crate) fn between(ends: &[u64]) -> Exchange<M> {
        Exchange { carrier: InMemory::between(ends), done: 0 }
    }

    /// Continues between the owners of other ranges, once a round is over.
    pub(crate) fn recut(self, ends: &[u64]) -> Exchange<M> {
        Exchange { done: self.done, ..Exchange::between(ends) }
    }

    /// Has every owner `generate`, and then `receive` what the others sent it. `generate` stops
    /// early where its outbox is full, and may stop early for other reasons; it returns whether the
    /// owner is done. Returns what `generate` returned, by owner.
    ///
    /// # Errors
    /// Those of `generate` and of the worker pool.
    pub(crate) fn round<S: Send>(
        &mut self,
        pool: &mut WorkerPool<'_>,
        size: Size,
        owners: &mut [S],
        event: &dyn Fn(u64) -> Progress,
        generate: &Generate<'_, S, M>,
        receive: &Receive<'_, S, M>,
    ) -> Result<Vec<bool>, SolveError> {
        let Exchange { carrier, done: before } = self;
        let done = pool.run(
            size,
            owners.iter_mut().zip(carrier.outboxes()).collect(),
            |done| event(*before + done),
            |(owner, outbox): (&mut S, &mut Outbox<M>), token| generate(owner, outbox, token),
        )?;
        *before += pool.done();
        if carrier.has_messages() {
            pool.run(
                size,
                owners.iter_mut().enumerate().collect(),
                |_| event(*before),
                |(at, owner): (usize, &mut S), _| {
                    carrier.messages_for(at).for_each(|messages| receive(owner, messages));
                    Ok::<_, SolveError>(())
                },
            )?;
            carrier.clear();
        }
        Ok(done)
    }
}

/// The first step of a round, for one owner: see [`Exchange::round`].
pub(crate) type Generate<'g, S, M> =
    dyn Fn(&mut S, &mut Outbox<M>, &dyn CancellationToken) -> Result<bool, SolveError> + Sync + 'g;

/// The second step of a round, for one owner: see [`Exchange::round`].
pub(crate) type Receive<'r, S, M> = dyn Fn(&mut S, &[M]) + Sync + 'r;
