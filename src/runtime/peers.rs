//! The processes that do one run together, the carrier of their bytes, and the windows of indices
//! that they own. [`phases`](crate::runtime::phases) contains their joint operations.

use std::ops::Range;
use std::time::Duration;

use crate::runtime::Cancelled;
use crate::runtime::cuts::equal_length;

/// Whether runs by several processes are compiled. Code that is compiled for every game checks this
/// constant first.
pub(crate) const SEVERAL: bool = cfg!(feature = "cluster");

/// The most bytes of one packet, except for the messages of a level.
pub(crate) const PACKET: usize = 1 << 20;

/// The carrier of bytes between the processes of a run, as one process sees it. The bytes that one
/// process sends to another in a phase arrive in their order.
pub(crate) trait Peers {
    /// The place of this process among all.
    fn own(&self) -> usize;

    /// The number of processes, this one included.
    fn count(&self) -> usize;

    /// Sends bytes to another process in this slice of this phase.
    fn send(&mut self, to: usize, bytes: Vec<u8>);

    /// Ends a slice of a phase for this process.
    fn end_slice(&mut self);

    /// Ends the phase for this process, which sends nothing more in it.
    fn end_phase(&mut self);

    /// Whether too many slices are under way, so that this process must wait before it sends more.
    fn is_ahead(&self) -> bool;

    /// Whether all processes have ended the last phase that this process ended, and all bytes of
    /// the phase have arrived.
    fn is_over(&self) -> bool;

    /// Lets bytes travel. Waits at most this long for some to arrive.
    ///
    /// # Errors
    /// A description of what happened to another process, or to the connection with it.
    fn step(&mut self, at_most: Duration) -> Result<(), String>;

    /// Takes the next bytes that have arrived, and their sender.
    fn take(&mut self) -> Option<(usize, Vec<u8>)>;
}

/// The bytes that have arrived, each with the process that sent them.
pub(crate) type Arrived = Vec<(usize, Vec<u8>)>;

/// The reason why the processes do not continue together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PeerError {
    /// The caller's progress function asked the run to stop.
    Cancelled,
    /// Another process ended, or the connection with it did.
    Lost(String),
}

impl From<Cancelled> for PeerError {
    fn from(_: Cancelled) -> PeerError {
        PeerError::Cancelled
    }
}

/// The messages sent and applied since the last comparison, and the total sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traffic {
    pub(super) sent: u64,
    pub(super) applied: u64,
    pub(super) all: Sent,
}

/// The messages sent to other processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) messages: u64,
    /// The size of the messages in bytes.
    pub(crate) bytes: u64,
}

/// The windows, one for each process, into which the indices below a length are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Windows {
    /// The end of each window, ascending.
    ends: Vec<u64>,
    own: usize,
}

impl Windows {
    /// The only window of a process without peers.
    pub(crate) fn one(len: u64) -> Windows {
        Windows { ends: vec![len], own: 0 }
    }

    /// Cuts `0..len` into `count` windows of the same length, a multiple of `grain`. The last
    /// windows may be shorter, or empty. This process owns the window `own`.
    pub(crate) fn cut(len: u64, count: usize, own: usize, grain: u64) -> Windows {
        let step = equal_length(len, count, grain);
        let ends = (1..=count as u64).map(|window| window.saturating_mul(step).min(len)).collect();
        Windows { ends, own }
    }

    /// The number of indices in all windows.
    pub(crate) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The place of this process's window.
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// The indices of a window.
    pub(crate) fn window(&self, at: usize) -> Range<u64> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[at]
    }

    /// The indices of this process's window.
    pub(crate) fn own_window(&self) -> Range<u64> {
        self.window(self.own)
    }

    /// The place of the window that contains an index; `None` beyond the end.
    pub(crate) fn of(&self, index: u64) -> Option<usize> {
        // There are few windows.
        self.ends.iter().position(|&end| index < end)
    }

    /// The ends of the windows.
    pub(crate) fn ends(&self) -> &[u64] {
        &self.ends
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
        /// The number of phases that this process has ended, and whether it has sent nothing since.
        ended: usize,
        waits: bool,
        shared: Arc<Mutex<Shared>>,
    }

    struct Shared {
        /// The number of phases that each process has ended.
        ended: Vec<usize>,
        /// The bytes sent to each process, with the phase and the sender.
        sent: Vec<VecDeque<(usize, usize, Vec<u8>)>>,
        /// Whether one of the processes has left, at the end of the run or before.
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
            // A process that has ended this phase has sent everything in it.
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
