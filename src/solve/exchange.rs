//! Messages between the owners of index ranges.
//!
//! Each index has one owner. Only the owner changes the data of the index. If an owner finds out
//! something about another owner's index, it sends that owner a small message. Work goes in rounds
//! of two steps:
//!
//! 1. Every owner generates: it works on its own range, and puts messages for other owners into its
//!    outbox.
//! 2. Every owner receives: it applies the messages that the others sent to it.
//!
//! Nothing is locked. The result does not depend on the order of the messages, so the number of
//! owners makes no difference.
//!
//! # Carriers
//!
//! An owner is any value that its `generate` and `receive` work on. It knows its outbox and the
//! messages it receives, but not how they travel. Two carriers move the messages:
//!
//! - [`InMemory`] between the owners that are threads of this process.
//! - The [peers](crate::runtime::peers) of the worker pool between processes, each of which owns a
//!   window of the indices. Messages to another window leave as packed bytes, a slice a round.
//!   Their owner applies them when they arrive, at the latest in [`finish`](Exchange::finish). If
//!   processes share discovered states, messages to other windows contain the keys of states
//!   instead of indices, and the owner finds the states.
//!
//! An owner that is done still receives until all owners in all processes are done.

use crate::error::SolveError;
use crate::numbering::discovered::{FindKeys, ForeignKey};
use crate::runtime::peers::Windows;
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
    /// The messages for states of other processes, by process: the keys of the states that need
    /// more than this message, and the keys of the states that the message settles on its own.
    keys: Vec<[Vec<u8>; 2]>,
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
        Outbox { ends: ends.to_vec(), messages, keys: Vec::new(), count: 0, unowned: None }
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

    /// Sends a message to the process that finds this key, which takes `width` bytes. `any` is true
    /// if this message settles the state.
    #[inline]
    pub(crate) fn send_to_key(&mut self, to: ForeignKey, width: usize, any: bool) {
        let ForeignKey { owner, key } = to;
        let owner = owner as usize;
        if self.keys.len() <= owner {
            self.keys.resize_with(owner + 1, Default::default);
        }
        self.keys[owner][usize::from(any)].extend_from_slice(&key.to_le_bytes()[..width]);
        self.count += 1;
    }

    /// An index without an owner to which a message was sent, if any.
    pub(crate) fn unowned(&self) -> Option<u64> {
        self.unowned
    }

    /// Whether it is time for the others to receive.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count >= FULL
    }
}

/// The carrier between owners in one process. It keeps their outboxes, and all owners read them.
struct InMemory<M>(Vec<Outbox<M>>);

impl<M> InMemory<M> {
    /// A carrier between `here` owners in this process. The ranges of all owners end at `ends`.
    fn between(ends: &[u64], here: usize) -> InMemory<M> {
        InMemory((0..here).map(|_| Outbox::to(ends)).collect())
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
            outbox.keys.iter_mut().flatten().for_each(Vec::clear);
            outbox.count = 0;
        }
    }
}

/// The work of the owners of some ranges, round by round. A message is twice the index that it is
/// for, and a bit.
pub(crate) struct Exchange<'k> {
    windows: Windows,
    /// Finds the states of this process by the keys that other processes send; `None` if they send
    /// indices.
    keys: Option<&'k dyn FindKeys>,
    carrier: InMemory<u64>,
    /// The ends of the ranges of this process's owners.
    ends: Vec<u64>,
    /// The amount of work done in earlier rounds.
    done: u64,
}

impl<'k> Exchange<'k> {
    /// An exchange between this process's owners and the owners of the other windows. `ends` are
    /// the ends of the ranges that make up this process's window. `keys` finds states by their
    /// keys, if other processes send keys.
    pub(crate) fn between(
        windows: Windows,
        keys: Option<&'k dyn FindKeys>,
        ends: &[u64],
    ) -> Exchange<'k> {
        let carrier = InMemory::between(&[], 0);
        let mut exchange = Exchange { windows, keys, carrier, ends: Vec::new(), done: 0 };
        exchange.recut(ends);
        exchange
    }

    /// Continues between the owners of other ranges, once a round is over.
    pub(crate) fn recut(&mut self, ends: &[u64]) {
        let (own, windows) = (self.windows.own(), self.windows.ends());
        let all = [&windows[..own], ends, &windows[own + 1..]].concat();
        self.carrier = InMemory::between(&all, ends.len());
        self.ends = ends.to_vec();
    }

    /// Lets every owner `generate`, and then `receive` the messages that the others sent to it.
    /// `generate` stops when its outbox is full, and may stop earlier for other reasons. Returns,
    /// by owner, what `generate` returned: whether the owner is done.
    ///
    /// # Errors
    /// From `generate` and from the worker pool.
    pub(crate) fn round<S: Send>(
        &mut self,
        pool: &mut WorkerPool<'_>,
        size: Size,
        owners: &mut [S],
        event: &dyn Fn(u64) -> Progress,
        generate: &Generate<'_, S, u64>,
        receive: &Receive<'_, S, u64>,
    ) -> Result<Vec<bool>, SolveError> {
        let first = self.windows.own();
        let Exchange { carrier, done: before, .. } = self;
        let done = pool.run(
            size,
            owners.iter_mut().zip(carrier.outboxes()).collect(),
            |done| event(*before + done),
            |(owner, outbox): (&mut S, &mut Outbox<u64>), token| generate(owner, outbox, token),
        )?;
        *before += pool.done();
        if carrier.has_messages() {
            pool.run(
                size,
                owners.iter_mut().enumerate().collect(),
                |_| event(*before),
                |(at, owner): (usize, &mut S), _| {
                    carrier.messages_for(first + at).for_each(|messages| receive(owner, messages));
                    Ok::<_, SolveError>(())
                },
            )?;
            self.send_to_peers(pool);
            self.carrier.clear();
        }
        if pool.has_peers() {
            let arrived = pool.end_slice()?;
            self.apply_arrived(arrived, pool, size, owners, event, receive)?;
        }
        Ok(done)
    }

    /// Ends the rounds of this process. The owners `receive` the messages of other processes until
    /// no process has any left to send.
    ///
    /// # Errors
    /// From the worker pool.
    pub(crate) fn finish<S: Send>(
        &mut self,
        pool: &mut WorkerPool<'_>,
        size: Size,
        owners: &mut [S],
        event: &dyn Fn(u64) -> Progress,
        receive: &Receive<'_, S, u64>,
    ) -> Result<(), SolveError> {
        pool.end_phase();
        while let Some(arrived) = pool.next_arrived()? {
            self.apply_arrived(arrived, pool, size, owners, event, receive)?;
        }
        Ok(())
    }

    /// Sends the messages for other windows.
    fn send_to_peers(&mut self, pool: &mut WorkerPool<'_>) {
        let (own, here) = (self.windows.own(), self.ends.len());
        for to in (0..self.windows.ends().len()).filter(|&to| to != own) {
            if let Some(keys) = self.keys {
                let outboxes = &self.carrier.0;
                let (bytes, count) = pack_keys(outboxes, to, keys.width());
                if count > 0 {
                    pool.send(to, bytes, count);
                }
                continue;
            }
            let owner = if to < own { to } else { to + here - 1 };
            let packing = Packing::new(&self.windows, to);
            let messages = self.carrier.messages_for(owner);
            let count: usize = messages.map(<[u64]>::len).sum();
            if count > 0 {
                let mut bytes = Vec::with_capacity(count * packing.width);
                let messages = self.carrier.messages_for(owner);
                messages.for_each(|messages| packing.pack(messages, &mut bytes));
                pool.send(to, bytes, count as u64);
            }
        }
    }

    /// Applies the messages that arrived from other processes.
    fn apply_arrived<S: Send>(
        &self,
        arrived: Vec<(usize, Vec<u8>)>,
        pool: &mut WorkerPool<'_>,
        size: Size,
        owners: &mut [S],
        event: &dyn Fn(u64) -> Progress,
        receive: &Receive<'_, S, u64>,
    ) -> Result<(), SolveError> {
        if arrived.is_empty() {
            return Ok(());
        }
        let packing = Packing::new(&self.windows, self.windows.own());
        let keys = self.keys;
        let event_now = |_| event(self.done);
        let unpacked = pool.run(size, arrived, event_now, |(from, bytes), _| {
            let unpacked = match keys {
                Some(keys) => find_all(keys, &bytes),
                None => packing.unpack(&bytes).map(|messages| (messages.len() as u64, messages)),
            };
            unpacked.ok_or_else(|| SolveError::PeerError {
                problem: format!("process {from} sent messages for no states"),
            })
        })?;
        for (count, messages) in unpacked {
            pool.note_applied(count);
            if let [owner] = owners {
                receive(owner, &messages);
                continue;
            }
            let starts = [self.windows.own_window().start].into_iter().chain(self.ends.clone());
            let ranges = starts.zip(&self.ends).map(|(start, &end)| start..end);
            pool.run(
                size,
                owners.iter_mut().zip(ranges).collect(),
                |_| event(self.done),
                |(owner, range), _| {
                    let own = messages.iter().copied();
                    let own: Vec<u64> = own.filter(|it| range.contains(&(it >> 1))).collect();
                    receive(owner, &own);
                    Ok::<_, SolveError>(())
                },
            )?;
        }
        Ok(())
    }
}

/// Packs the messages with keys of one process, and counts them. The number of messages that settle
/// a state comes first, then their keys, then the other keys.
fn pack_keys(outboxes: &[Outbox<u64>], to: usize, width: usize) -> (Vec<u8>, u64) {
    let of = |any: bool| {
        let keys = outboxes.iter().filter_map(|outbox| outbox.keys.get(to));
        keys.map(move |keys| &keys[usize::from(any)])
    };
    let count = |any| of(any).map(|keys| (keys.len() / width) as u64).sum::<u64>();
    let (any, all) = (count(true), count(false));
    let mut bytes = any.to_le_bytes().to_vec();
    of(true).chain(of(false)).for_each(|keys| bytes.extend_from_slice(keys));
    (bytes, any + all)
}

/// Unpacks messages with keys. Returns their number, and the messages whose states are found. The
/// others are predecessors that cannot be reached from the roots. Returns `None` if the bytes are
/// not such messages.
fn find_all(keys: &dyn FindKeys, bytes: &[u8]) -> Option<(u64, Vec<u64>)> {
    let (any, packed) = bytes.split_first_chunk()?;
    let (any, width) = (u64::from_le_bytes(*any), keys.width());
    let count = (packed.len() / width) as u64;
    if !packed.len().is_multiple_of(width) || any > count {
        return None;
    }
    let mut messages = Vec::with_capacity(count as usize);
    for (at, key) in (0..).zip(packed.chunks_exact(width)) {
        let mut wide = [0; 16];
        wide[..width].copy_from_slice(key);
        if let Some(index) = keys.find(u128::from_le_bytes(wide)) {
            messages.push(index << 1 | u64::from(at < any));
        }
    }
    Some((count, messages))
}

/// How messages for a window travel: relative to the window's first index, each in the number of
/// bytes that the last index needs, but at least 4.
struct Packing {
    first: u64,
    len: u64,
    width: usize,
}

impl Packing {
    fn new(windows: &Windows, window: usize) -> Packing {
        let window = windows.window(window);
        let len = window.end - window.start;
        let greatest = len.saturating_mul(2).saturating_sub(1);
        let width = (u64::BITS - greatest.leading_zeros()).div_ceil(8) as usize;
        Packing { first: window.start, len, width: width.clamp(4, 8) }
    }

    fn pack(&self, messages: &[u64], bytes: &mut Vec<u8>) {
        let base = self.first << 1;
        if self.width == 4 {
            bytes.extend(messages.iter().flat_map(|it| ((it - base) as u32).to_le_bytes()));
        } else {
            for message in messages {
                bytes.extend_from_slice(&(message - base).to_le_bytes()[..self.width]);
            }
        }
    }

    /// Unpacks messages; `None` if the bytes are not messages for the window.
    fn unpack(&self, bytes: &[u8]) -> Option<Vec<u64>> {
        let mut messages = Vec::with_capacity(bytes.len() / self.width);
        let mut greatest = 0;
        for packed in bytes.chunks_exact(self.width) {
            let mut eight = [0; 8];
            eight[..self.width].copy_from_slice(packed);
            let message = u64::from_le_bytes(eight);
            greatest = greatest.max(message);
            messages.push(message + (self.first << 1));
        }
        let fits = greatest >> 1 < self.len && bytes.len().is_multiple_of(self.width);
        fits.then_some(messages)
    }
}

/// The first step of a round, for one owner: see [`Exchange::round`].
pub(crate) type Generate<'g, S, M> =
    dyn Fn(&mut S, &mut Outbox<M>, &dyn CancellationToken) -> Result<bool, SolveError> + Sync + 'g;

/// The second step of a round, for one owner: see [`Exchange::round`].
pub(crate) type Receive<'r, S, M> = dyn Fn(&mut S, &[M]) + Sync + 'r;
