//! Messages between the owners of index ranges.
//!
//! Each thread owns a range of numbers and alone changes what belongs to them. What it finds out
//! about the numbers of others it posts, and they read it once all have stopped to do so. Nothing
//! is locked, and what comes of it does not depend on the order of the messages, so that the number
//! of threads makes no difference.

use crate::error::SolveError;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::Progress;

/// How many messages one owner may have posted before all stop to read: few enough that they stay
/// in the caches.
const MOST_POSTED: usize = 1 << 16;

/// What one owner has to tell the others.
pub(crate) struct Outbox<M> {
    /// Where each owner's range ends.
    ends: Vec<u64>,
    /// What is posted, by owner.
    posted: Vec<Vec<M>>,
    count: usize,
    unowned: Option<u64>,
}

impl<M> Outbox<M> {
    /// An outbox for numbers that nobody owns.
    pub(crate) fn to_nobody() -> Outbox<M> {
        Outbox::to(&[])
    }

    fn to(ends: &[u64]) -> Outbox<M> {
        let posted = ends.iter().map(|_| Vec::new()).collect();
        Outbox { ends: ends.to_vec(), posted, count: 0, unowned: None }
    }

    /// Whether there is more than one owner.
    #[inline]
    pub(crate) fn has_others(&self) -> bool {
        self.ends.len() > 1
    }

    /// Tells `message` to the owner of `number`.
    #[inline]
    pub(crate) fn post(&mut self, number: u64, message: M) {
        // There are few owners, and counting needs no guess.
        let owner: usize = self.ends.iter().map(|&end| usize::from(end <= number)).sum();
        match self.posted.get_mut(owner) {
            Some(posted) => posted.push(message),
            None => self.unowned = Some(number),
        }
        self.count += 1;
    }

    /// A number that nobody owns, if one was posted to.
    pub(crate) fn unowned(&self) -> Option<u64> {
        self.unowned
    }

    /// Whether it is time to stop and let the others read.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count >= MOST_POSTED
    }
}

/// The messages of the owners of some ranges, round by round.
pub(crate) struct Exchange<M> {
    outboxes: Vec<Outbox<M>>,
    /// How much was done in the rounds before.
    done: u64,
}

impl<M: Send + Sync> Exchange<M> {
    /// Between owners whose ranges end there.
    pub(crate) fn between(ends: &[u64]) -> Exchange<M> {
        Exchange { outboxes: ends.iter().map(|_| Outbox::to(ends)).collect(), done: 0 }
    }

    /// The same for ranges that are cut anew, once a round is over.
    pub(crate) fn recut(self, ends: &[u64]) -> Exchange<M> {
        Exchange { done: self.done, ..Exchange::between(ends) }
    }

    /// Has every owner `generate` until it is done or stops for another reason, and `receive` what
    /// was posted to it. `generate` returns whether it is done, and has to stop where its outbox is
    /// full. Returns who is done.
    ///
    /// # Errors
    /// Those of `generate` and those of the crew.
    pub(crate) fn round<S: Send>(
        &mut self,
        pool: &mut WorkerPool<'_>,
        size: Size,
        owners: &mut [S],
        event: impl Fn(u64) -> Progress,
        generate: impl Fn(&mut S, &mut Outbox<M>, &dyn CancellationToken) -> Result<bool, SolveError>
        + Sync,
        receive: impl Fn(&mut S, &[M]) + Sync,
    ) -> Result<Vec<bool>, SolveError> {
        let Exchange { outboxes, done: before } = self;
        let pairs = owners.iter_mut().zip(&mut *outboxes).collect();
        let done = pool.run(
            size,
            pairs,
            |done| event(*before + done),
            |(owner, outbox): (&mut S, &mut Outbox<M>), token| generate(owner, outbox, token),
        )?;
        *before += pool.done();
        if outboxes.iter().any(|outbox| outbox.count > 0) {
            let readers = owners.iter_mut().enumerate().collect();
            pool.run(
                size,
                readers,
                |_| event(*before),
                |(at, owner): (usize, &mut S), _| {
                    outboxes.iter().for_each(|outbox| receive(owner, &outbox.posted[at]));
                    Ok::<_, SolveError>(())
                },
            )?;
            for outbox in outboxes {
                outbox.posted.iter_mut().for_each(Vec::clear);
                outbox.count = 0;
            }
        }
        Ok(done)
    }
}

/// Round after round until every owner is done: see [`Exchange::round`].
pub(crate) fn exchange<S: Send, M: Send + Sync>(
    pool: &mut WorkerPool<'_>,
    size: Size,
    owners: &mut [S],
    ends: &[u64],
    event: impl Fn(u64) -> Progress,
    generate: impl Fn(&mut S, &mut Outbox<M>, &dyn CancellationToken) -> Result<bool, SolveError> + Sync,
    receive: impl Fn(&mut S, &[M]) + Sync,
) -> Result<(), SolveError> {
    let mut exchange = Exchange::between(ends);
    while exchange.round(pool, size, owners, &event, &generate, &receive)?.contains(&false) {}
    Ok(())
}
