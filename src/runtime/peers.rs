//! The processes that do one run together, and the windows of indices that each of them owns.
//!
//! Every process calls the same methods of this module in the same order, so that what they send to
//! each other falls into phases that all of them have. A phase is cut into slices.

use std::ops::Range;
use std::time::Duration;

use crate::runtime::Cancelled;
use crate::runtime::pool::WorkerPool;

/// Whether a run by several processes is compiled at all. What is compiled for every game asks this constant
/// first.
pub(crate) const SEVERAL: bool = cfg!(any(test, feature = "cluster"));

/// How long a wait for other processes lasts before progress is reported.
const WAIT: Duration = Duration::from_millis(50);

/// How many bytes travel in one packet at most, where these are no messages of a level.
pub(crate) const PACKET: usize = 1 << 20;

/// The carrier of bytes between the processes of a run, as one of them sees it. What one process sends to
/// another one in a phase arrives in that order.
pub(crate) trait Peers {
    /// The place of this process among all.
    fn own(&self) -> usize;

    /// How many processes there are, this one included.
    fn count(&self) -> usize;

    /// Sends bytes to another process in this slice of this phase.
    fn send(&mut self, to: usize, bytes: Vec<u8>);

    /// Ends a slice of a phase here.
    fn end_slice(&mut self);

    /// Ends the phase here: nothing more is sent in it by this process.
    fn end_phase(&mut self);

    /// Whether more slices are under way than may be, so that nothing more is to be sent yet.
    fn is_ahead(&self) -> bool;

    /// Whether all processes have ended the phase that was ended here last, and all that was sent in
    /// it has arrived.
    fn is_over(&self) -> bool;

    /// Lets bytes travel. Waits for some to arrive, at most this long.
    ///
    /// # Errors
    /// What happened to another process, or to the connection with it.
    fn step(&mut self, at_most: Duration) -> Result<(), String>;

    /// Takes the next bytes that have arrived, and who sent them.
    fn take(&mut self) -> Option<(usize, Vec<u8>)>;
}

/// What has arrived, each with the process that sent it.
pub(crate) type Arrived = Vec<(usize, Vec<u8>)>;

/// Why processes do not go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parted {
    /// The caller's progress function asked the run to stop.
    Cancelled,
    /// Another process ended, or the connection with it did.
    Lost(String),
}

impl From<Cancelled> for Parted {
    fn from(_: Cancelled) -> Parted {
        Parted::Cancelled
    }
}

/// How many messages were sent and applied since the last comparison, and what was sent in all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traffic {
    sent: u64,
    applied: u64,
    all: Sent,
}

/// What was sent to other processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) messages: u64,
    /// How many bytes the messages took.
    pub(crate) bytes: u64,
}

/// How the indices below a length are cut into windows, one for each process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Windows {
    /// The end of each window, ascending.
    ends: Vec<u64>,
    own: usize,
}

impl Windows {
    /// Cuts `0..len` into `count` windows of the same length, a multiple of `grain`. The last ones may
    /// be shorter, or empty. The window `own` is that of this process.
    pub(crate) fn cut(len: u64, count: usize, own: usize, grain: u64) -> Windows {
        let step = len.div_ceil(count.max(1) as u64).next_multiple_of(grain).max(grain);
        let ends = (1..=count as u64).map(|window| window.saturating_mul(step).min(len)).collect();
        Windows { ends, own }
    }

    /// How many indices all windows have.
    pub(crate) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The place of the own window.
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// The indices of a window.
    pub(crate) fn window(&self, at: usize) -> Range<u64> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[at]
    }

    /// The indices of the window of this process.
    pub(crate) fn own_window(&self) -> Range<u64> {
        self.window(self.own)
    }

    /// The place of the window that an index is in; `None` beyond the end.
    pub(crate) fn of(&self, index: u64) -> Option<usize> {
        // There are few windows.
        self.ends.iter().position(|&end| index < end)
    }

    /// The ends of the windows.
    pub(crate) fn ends(&self) -> &[u64] {
        &self.ends
    }
}

impl<'p> WorkerPool<'p> {
    /// Has the run done together with other processes.
    #[cfg(any(test, feature = "cluster"))]
    pub(crate) fn with_peers(mut self, peers: &'p mut dyn Peers) -> Self {
        self.peers = Some(peers);
        self
    }

    /// Whether other processes take part in the run.
    pub(crate) fn has_peers(&self) -> bool {
        self.peers.is_some()
    }

    /// How many processes take part in the run.
    pub(crate) fn processes(&self) -> usize {
        self.peers.as_ref().map_or(1, |peers| peers.count())
    }

    /// The place of this process among all.
    pub(crate) fn own(&self) -> usize {
        self.peers.as_ref().map_or(0, |peers| peers.own())
    }

    /// Whether this is the first process of the run.
    pub(crate) fn is_first(&self) -> bool {
        self.own() == 0
    }

    /// Brings bytes of the first process to all.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn of_first(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, Parted> {
        let own = if self.is_first() { bytes } else { Vec::new() };
        let gathered = self.gather(own)?;
        Ok(gathered.into_iter().next().unwrap_or_default())
    }

    /// The windows of `len` indices, cut at multiples of `grain`.
    pub(crate) fn windows(&self, len: u64, grain: u64) -> Windows {
        match &self.peers {
            Some(peers) => Windows::cut(len, peers.count(), peers.own(), grain),
            None => Windows { ends: vec![len], own: 0 },
        }
    }

    /// Sends bytes with so many messages to another process.
    pub(crate) fn send(&mut self, to: usize, bytes: Vec<u8>, messages: u64) {
        if let Some(peers) = &mut self.peers {
            self.traffic.sent += messages;
            self.traffic.all.messages += messages;
            self.traffic.all.bytes += bytes.len() as u64;
            peers.send(to, bytes);
        }
    }

    /// Notes that so many messages, of so many bytes, were exchanged.
    pub(crate) fn note_exchanged(&mut self, messages: u64, bytes: u64) {
        self.traffic.all.messages += messages;
        self.traffic.all.bytes += bytes;
    }

    /// Notes that so many messages of others are applied.
    pub(crate) fn note_applied(&mut self, messages: u64) {
        self.traffic.applied += messages;
    }

    /// Sends bytes to another process that are no messages of a level, and are not counted.
    pub(crate) fn send_part(&mut self, to: usize, bytes: Vec<u8>) {
        if let Some(peers) = &mut self.peers {
            peers.send(to, bytes);
        }
    }

    /// Ends a slice, and waits while other processes are too far behind. Returns what has arrived.
    ///
    /// # Errors
    /// When another process is lost, or the run is cancelled.
    pub(crate) fn end_slice(&mut self) -> Result<Arrived, Parted> {
        if let Some(peers) = &mut self.peers {
            peers.end_slice();
        }
        self.step(Duration::ZERO)?;
        while self.peers.as_ref().is_some_and(|peers| peers.is_ahead()) {
            self.step(WAIT)?;
        }
        Ok(self.arrived())
    }

    /// Ends the phase here. [`next_arrived`](WorkerPool::next_arrived) has what still arrives in it.
    pub(crate) fn end_phase(&mut self) {
        if let Some(peers) = &mut self.peers {
            peers.end_phase();
        }
    }

    /// Waits for bytes of other processes; `None` once all that was sent in the phase has been taken.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn next_arrived(&mut self) -> Result<Option<Arrived>, Parted> {
        loop {
            let is_over = self.peers.as_ref().is_none_or(|peers| peers.is_over());
            let arrived = self.arrived();
            if !arrived.is_empty() {
                return Ok(Some(arrived));
            }
            if is_over {
                return Ok(None);
            }
            self.step(WAIT)?;
        }
    }

    /// Exchanges bytes with all processes; returns what each of them gave, in their order.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Parted> {
        let to_all = vec![bytes; self.processes()];
        self.exchange(to_all)
    }

    /// Brings bytes of all processes to the first one, in their order; the others get nothing.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather_at_first(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Parted> {
        let mut packets = vec![Vec::new(); self.processes()];
        packets[0] = bytes;
        self.exchange(packets)
    }

    /// Sends bytes to each process, in packets; returns what each of them sent to this one, in their
    /// order.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn exchange(&mut self, packets: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Parted> {
        let Some(peers) = &mut self.peers else { return Ok(packets) };
        let own = peers.own();
        let mut gathered = vec![Vec::new(); peers.count()];
        for (to, bytes) in packets.into_iter().enumerate() {
            if to == own {
                gathered[own] = bytes;
            } else {
                bytes.chunks(PACKET).for_each(|packet| peers.send(to, packet.to_vec()));
            }
        }
        peers.end_phase();
        while let Some(arrived) = self.next_arrived()? {
            arrived.into_iter().for_each(|(from, bytes)| gathered[from].extend(bytes));
        }
        Ok(gathered)
    }

    /// Figures of all processes, in their order; each has as many.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather_figures(&mut self, figures: &[u64]) -> Result<Vec<Vec<u64>>, Parted> {
        let bytes = figures.iter().flat_map(|figure| figure.to_le_bytes()).collect();
        let gathered = self.gather(bytes)?;
        let figures_of = |(at, bytes): (usize, Vec<u8>)| {
            let (eights, rest) = bytes.as_chunks::<8>();
            match rest.is_empty() && eights.len() == figures.len() {
                true => Ok(eights.iter().map(|&eight| u64::from_le_bytes(eight)).collect()),
                false => Err(Parted::Lost(format!("process {at} sent other figures"))),
            }
        };
        gathered.into_iter().enumerate().map(figures_of).collect()
    }

    /// Adds up figures of all processes, and makes sure that all messages that were sent were applied.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice), and when messages were lost.
    pub(crate) fn sum(&mut self, figures: &mut [u64]) -> Result<(), Parted> {
        if !self.has_peers() {
            return Ok(());
        }
        let Traffic { all, sent, applied } = self.traffic;
        self.traffic = Traffic { all, ..Traffic::default() };
        let own = [&[sent, applied], &*figures].concat();
        let mut sums = vec![0; own.len()];
        for figures in self.gather_figures(&own)? {
            sums.iter_mut().zip(figures).for_each(|(sum, more)| *sum += more);
        }
        if sums[0] != sums[1] {
            let (sent, applied) = (sums[0], sums[1]);
            let problem = format!("{sent} messages were sent between processes, {applied} applied");
            return Err(Parted::Lost(problem));
        }
        figures.copy_from_slice(&sums[2..]);
        Ok(())
    }

    /// What all processes have sent each other so far.
    ///
    /// # Errors
    /// As [`end_slice`](WorkerPool::end_slice).
    #[cfg(feature = "cluster")]
    pub(crate) fn all_sent(&mut self) -> Result<Sent, Parted> {
        let Sent { messages, bytes } = self.traffic.all;
        let mut figures = [messages, bytes];
        self.sum(&mut figures)?;
        let [messages, bytes] = figures;
        Ok(Sent { messages, bytes })
    }

    /// Takes what has arrived.
    fn arrived(&mut self) -> Arrived {
        let peers = self.peers.as_mut();
        peers.map_or_else(Vec::new, |peers| std::iter::from_fn(|| peers.take()).collect())
    }

    /// Lets bytes travel, and reports progress.
    fn step(&mut self, at_most: Duration) -> Result<(), Parted> {
        if let Some(peers) = &mut self.peers {
            peers.step(at_most).map_err(Parted::Lost)?;
        }
        Ok(self.report_again()?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::VecDeque;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// Peers that are threads of one process.
    pub(crate) struct Threads {
        own: usize,
        /// How many phases this one has ended, and whether it has sent nothing since.
        ended: usize,
        waits: bool,
        shared: Arc<Mutex<Shared>>,
    }

    struct Shared {
        /// How many phases each has ended.
        ended: Vec<usize>,
        /// What was sent to each, with the phase and the sender.
        sent: Vec<VecDeque<(usize, usize, Vec<u8>)>>,
        /// Whether one of them has ended, at its end or before.
        has_left: bool,
    }

    impl Drop for Threads {
        fn drop(&mut self) {
            self.shared.lock().unwrap().has_left = true;
        }
    }

    impl Threads {
        pub(crate) fn new(count: usize) -> Vec<Threads> {
            let sent = vec![VecDeque::new(); count];
            let shared =
                Arc::new(Mutex::new(Shared { ended: vec![0; count], sent, has_left: false }));
            let threads = |own| Threads { own, ended: 0, waits: false, shared: shared.clone() };
            (0..count).map(threads).collect()
        }
    }

    impl Peers for Threads {
        fn own(&self) -> usize {
            self.own
        }

        fn count(&self) -> usize {
            self.shared.lock().unwrap().ended.len()
        }

        fn send(&mut self, to: usize, bytes: Vec<u8>) {
            self.waits = false;
            self.shared.lock().unwrap().sent[to].push_back((self.ended, self.own, bytes));
        }

        fn end_slice(&mut self) {
            self.waits = false;
        }

        fn end_phase(&mut self) {
            self.ended += 1;
            self.waits = true;
            self.shared.lock().unwrap().ended[self.own] = self.ended;
        }

        fn is_ahead(&self) -> bool {
            false
        }

        fn is_over(&self) -> bool {
            self.shared.lock().unwrap().ended.iter().all(|&ended| ended >= self.ended)
        }

        fn step(&mut self, at_most: Duration) -> Result<(), String> {
            std::thread::sleep(at_most.min(Duration::from_micros(10)));
            // What has ended this phase has sent all that belongs to it.
            let has_left = self.shared.lock().unwrap().has_left;
            match has_left && !self.is_over() {
                true => Err("another one has ended".into()),
                false => Ok(()),
            }
        }

        fn take(&mut self) -> Option<(usize, Vec<u8>)> {
            let phase = self.ended - usize::from(self.waits);
            let sent = &mut self.shared.lock().unwrap().sent[self.own];
            let at = sent.iter().position(|&(sent_in, ..)| sent_in == phase)?;
            sent.remove(at).map(|(_, from, bytes)| (from, bytes))
        }
    }

    #[test]
    fn everybody_gets_the_sums_of_all() {
        std::thread::scope(|scope| {
            for mut peers in Threads::new(3) {
                scope.spawn(move || {
                    let mut ignore = |_| std::ops::ControlFlow::Continue(());
                    let own = peers.own() as u64;
                    let mut pool = WorkerPool::new(1, &mut ignore).with_peers(&mut peers);
                    for round in 0..100 {
                        let mut figures = [own, round];
                        pool.sum(&mut figures).unwrap();
                        assert_eq!(figures, [3, 3 * round]);
                    }
                    pool.send((own as usize + 1) % 3, vec![1], 1);
                    assert!(matches!(pool.sum(&mut []), Err(Parted::Lost(_))));
                });
            }
        });
    }

    #[test]
    fn windows_cover_everything_and_are_cut_at_multiples() {
        for (len, count) in [(0, 1), (0, 3), (1, 3), (10_000, 3), (10_000, 1), (8_192, 2)] {
            let windows: Vec<_> =
                (0..count).map(|own| Windows::cut(len, count, own, 4096).own_window()).collect();
            assert_eq!((windows[0].start, windows[count - 1].end), (0, len));
            assert!(windows.windows(2).all(|two| two[0].end == two[1].start));
            assert!(windows.iter().all(|window| window.start % 4096 == 0 || window.start == len));
        }
    }
}
