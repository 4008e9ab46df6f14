//! The joint operations of the processes of a run: exchanges of bytes, sums, decisions.
//!
//! Every process calls the same methods in the same order. The bytes that they send to each other
//! therefore fall into phases that all of them share. A phase is cut into slices. A single process
//! gets its own input back.

use std::time::Duration;

use crate::runtime::peers::{Arrived, PACKET, PeerError, Traffic, Windows};
#[cfg(any(test, feature = "cluster"))]
use crate::runtime::peers::{Peers, Sent};
use crate::runtime::pool::WorkerPool;

/// How long a wait for other processes lasts before progress is reported.
const WAIT: Duration = Duration::from_millis(50);

impl<'p> WorkerPool<'p> {
    /// Lets the pool work together with other processes.
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

    /// Sends bytes of the first process to all.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn of_first(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, PeerError> {
        let own = if self.is_first() { bytes } else { Vec::new() };
        let gathered = self.gather(own)?;
        Ok(gathered.into_iter().next().unwrap_or_default())
    }

    /// The windows of `len` indices, cut at multiples of `grain`.
    pub(crate) fn windows(&self, len: u64, grain: u64) -> Windows {
        match &self.peers {
            Some(peers) => Windows::cut(len, peers.count(), peers.own(), grain),
            None => Windows::one(len),
        }
    }

    /// Sends bytes that contain `messages` messages to another process.
    pub(crate) fn send(&mut self, to: usize, bytes: Vec<u8>, messages: u64) {
        if let Some(peers) = &mut self.peers {
            self.traffic.sent += messages;
            self.traffic.all.messages += messages;
            self.traffic.all.bytes += bytes.len() as u64;
            peers.send(to, bytes);
        }
    }

    /// Notes that `messages` messages of `bytes` bytes were exchanged.
    pub(crate) fn note_exchanged(&mut self, messages: u64, bytes: u64) {
        self.traffic.all.messages += messages;
        self.traffic.all.bytes += bytes;
    }

    /// Notes that this number of messages from others is applied.
    pub(crate) fn note_applied(&mut self, messages: u64) {
        self.traffic.applied += messages;
    }

    /// Sends bytes to another process that are not messages of a level, and are not counted.
    pub(crate) fn send_part(&mut self, to: usize, bytes: Vec<u8>) {
        if let Some(peers) = &mut self.peers {
            peers.send(to, bytes);
        }
    }

    /// Ends a slice, and waits while other processes are too far behind. Returns what has arrived.
    ///
    /// # Errors
    /// If another process is lost, or the run is cancelled.
    pub(crate) fn end_slice(&mut self) -> Result<Arrived, PeerError> {
        if let Some(peers) = &mut self.peers {
            peers.end_slice();
        }
        self.step(Duration::ZERO)?;
        while self.peers.as_ref().is_some_and(|peers| peers.is_ahead()) {
            self.step(WAIT)?;
        }
        Ok(self.arrived())
    }

    /// Ends the phase for this process. [`next_arrived`](WorkerPool::next_arrived) returns the
    /// bytes of the phase that still arrive.
    pub(crate) fn end_phase(&mut self) {
        if let Some(peers) = &mut self.peers {
            peers.end_phase();
        }
    }

    /// Waits for bytes of other processes; `None` once all bytes of the phase have been taken.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn next_arrived(&mut self) -> Result<Option<Arrived>, PeerError> {
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

    /// Exchanges bytes with all processes. Returns the bytes of each, in the order of the
    /// processes.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, PeerError> {
        let to_all = vec![bytes; self.processes()];
        self.exchange(to_all)
    }

    /// Collects bytes of all processes in the first one, in their order; the others get nothing.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather_at_first(&mut self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, PeerError> {
        let mut packets = vec![Vec::new(); self.processes()];
        packets[0] = bytes;
        self.exchange(packets)
    }

    /// Sends bytes to each process, in packets. Returns the bytes that each process sent to this
    /// one, in the order of the processes.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn exchange(&mut self, packets: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PeerError> {
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

    /// Collects figures of all processes, in their order. All have to give the same number of
    /// figures.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    pub(crate) fn gather_figures(&mut self, figures: &[u64]) -> Result<Vec<Vec<u64>>, PeerError> {
        let bytes = figures.iter().flat_map(|figure| figure.to_le_bytes()).collect();
        let gathered = self.gather(bytes)?;
        let figures_of = |(at, bytes): (usize, Vec<u8>)| {
            let (eights, rest) = bytes.as_chunks::<8>();
            match rest.is_empty() && eights.len() == figures.len() {
                true => Ok(eights.iter().map(|&eight| u64::from_le_bytes(eight)).collect()),
                false => Err(PeerError::Lost(format!("process {at} sent other figures"))),
            }
        };
        gathered.into_iter().enumerate().map(figures_of).collect()
    }

    /// Adds up figures of all processes, and checks that all messages that were sent were applied.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice); also if messages were lost.
    pub(crate) fn sum(&mut self, figures: &mut [u64]) -> Result<(), PeerError> {
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
            return Err(PeerError::Lost(problem));
        }
        figures.copy_from_slice(&sums[2..]);
        Ok(())
    }

    /// The total that all processes have sent to each other so far.
    ///
    /// # Errors
    /// See [`end_slice`](WorkerPool::end_slice).
    #[cfg(any(test, feature = "cluster"))]
    pub(crate) fn all_sent(&mut self) -> Result<Sent, PeerError> {
        let Sent { messages, bytes } = self.traffic.all;
        let mut figures = [messages, bytes];
        self.sum(&mut figures)?;
        let [messages, bytes] = figures;
        Ok(Sent { messages, bytes })
    }

    /// Takes the bytes that have arrived.
    fn arrived(&mut self) -> Arrived {
        let peers = self.peers.as_mut();
        peers.map_or_else(Vec::new, |peers| std::iter::from_fn(|| peers.take()).collect())
    }

    /// Lets bytes travel, and reports progress.
    fn step(&mut self, at_most: Duration) -> Result<(), PeerError> {
        if let Some(peers) = &mut self.peers {
            peers.step(at_most).map_err(PeerError::Lost)?;
        }
        Ok(self.report_again()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::peers::tests::Threads;

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
                    pool.end_phase();
                    while let Some(arrived) = pool.next_arrived().unwrap() {
                        pool.note_applied(arrived.len() as u64);
                    }
                    assert_eq!(pool.all_sent().unwrap(), Sent { messages: 3, bytes: 3 });
                    pool.send((own as usize + 1) % 3, vec![1], 1);
                    assert!(matches!(pool.sum(&mut []), Err(PeerError::Lost(_))));
                });
            }
        });
    }
}
