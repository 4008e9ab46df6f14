//! The exchange of keys between processes after the discovery. Each process gets a range of the
//! keys; the ends of the ranges are the ends of the windows, found by counting.

use crate::error::SolveError;
use crate::explore::explorer::Explorer;
use crate::explore::gathered::Owners;
use crate::game::Game;
use crate::numbering::discovered::{Encoding, KeyWindow, RawKeys};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::{Arrived, SEVERAL, Windows};

/// How many keys each thread sends in a slice, roughly.
pub(super) const SENT: usize = 1 << 16;

impl<K> Owners<K> {
    /// The process that owns a key, by a hash that is the same in all processes.
    #[inline]
    pub(super) fn of(&self, key: &K) -> usize {
        let word = (self.to_word)(key);
        let folded = (word as u64) ^ ((word >> 64) as u64).rotate_left(29);
        // The finalizer of splitmix64, which mixes all bits.
        let mixed = (folded ^ folded >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        let hash = (mixed ^ mixed >> 31) >> 32;
        ((hash * self.count as u64) >> 32) as usize
    }

    /// Whether this process owns a key.
    pub(crate) fn has(&self, key: &K) -> bool {
        self.of(key) == self.own
    }
}

impl<G: Game> Explorer<'_, '_, G> {
    /// Which process owns a state, if several share the states, which are then packed.
    pub(crate) fn owners<E: Encoding<G>>(&self) -> Option<Owners<E::Key>> {
        let raw = E::RAW.filter(|_| SEVERAL && self.pool.has_peers())?;
        let (own, count) = (self.pool.own(), self.pool.processes());
        Some(Owners { own, count, to_word: raw.to_word })
    }

    /// Divides the keys of all processes: each gets the keys of its window. `keys` are the keys of
    /// this process, sorted.
    pub(super) fn share_out<T: Ord + Clone + Send>(
        &mut self,
        keys: Vec<T>,
        raw: &RawKeys<T>,
        sort: impl Fn(&mut [T], usize),
    ) -> Result<(Vec<T>, KeyWindow<T>), SolveError> {
        let mut len = [keys.len() as u64];
        self.pool.sum(&mut len)?;
        let [len] = len;
        let windows = self.pool.windows(len, CHUNK);
        let lasts = self.lasts(&keys, &windows, raw)?;
        let own = windows.own();
        let mut keys = self.exchange(keys, &lasts, &windows, raw)?;
        sort(&mut keys, self.pool.threads());
        let window = windows.own_window();
        let is_range = keys.len() as u64 == window.end - window.start
            && keys.is_sorted_by(|one, next| one < next)
            && (own == 0 || keys.first().is_none_or(|first| lasts[own - 1] < *first))
            && (own == lasts.len() || keys.last().is_none_or(|last| *last <= lasts[own]));
        if !is_range {
            let problem = "the processes do not agree on which states there are".into();
            return Err(SolveError::PeerError { problem });
        }
        Ok((keys, KeyWindow::new(own, window.start, len, lasts)))
    }

    /// The greatest key of each window except the last, by bisection: all processes count their
    /// keys up to the middle of the remaining range.
    fn lasts<T: Ord>(
        &mut self,
        keys: &[T],
        windows: &Windows,
        raw: &RawKeys<T>,
    ) -> Result<Vec<T>, SolveError> {
        let greatest = keys.last().map_or(0, raw.to_word);
        let halves = [(greatest >> 64) as u64, greatest as u64];
        let all = self.pool.gather_figures(&halves)?;
        let word = |halves: &Vec<u64>| u128::from(halves[0]) << 64 | u128::from(halves[1]);
        let greatest = all.iter().map(word).max().unwrap_or(0);
        let (_, ends) = windows.ends().split_last().unwrap_or((&0, &[]));
        let mut ranges = vec![(0, greatest); ends.len()];
        while ranges.iter().any(|&(low, high)| low < high) {
            let middle = |&(low, high): &(u128, u128)| low + (high - low) / 2;
            let count = |range| {
                let middle = middle(range);
                keys.partition_point(|key| (raw.to_word)(key) <= middle) as u64
            };
            let mut counts: Vec<u64> = ranges.iter().map(count).collect();
            self.pool.sum(&mut counts)?;
            for ((range, count), &end) in ranges.iter_mut().zip(counts).zip(ends) {
                let middle = middle(range);
                if range.0 < range.1 {
                    *range = if count >= end { (range.0, middle) } else { (middle + 1, range.1) };
                }
            }
        }
        let lasts: Option<Vec<T>> =
            ranges.into_iter().map(|(last, _)| (raw.of_word)(last)).collect();
        lasts.ok_or_else(|| SolveError::PeerError { problem: "a process has other keys".into() })
    }

    /// Sends the keys of each other window to its process, and returns the keys of this process's
    /// window. Arriving keys replace the ones sent, so that no keys are in memory twice.
    fn exchange<T: Ord + Clone + Send>(
        &mut self,
        mut keys: Vec<T>,
        lasts: &[T],
        windows: &Windows,
        raw: &RawKeys<T>,
    ) -> Result<Vec<T>, SolveError> {
        let (own, window) = (windows.own(), windows.own_window());
        let mut ends: Vec<usize> =
            lasts.iter().map(|last| keys.partition_point(|key| key <= last)).collect();
        ends.push(keys.len());
        let start = own.checked_sub(1).map_or(0, |before| ends[before]);
        // This process's window comes first, followed by the windows of the next processes. Each
        // process therefore begins with another receiver.
        keys.rotate_left(start);
        let mut rest: Vec<(usize, usize)> = Vec::new();
        for to in 0..ends.len() {
            let first = to.checked_sub(1).map_or(0, |before| ends[before]);
            rest.push((to, ends[to] - first));
        }
        rest.rotate_left(own);
        let kept = rest.remove(0).1;
        let room = (window.end - window.start) as usize;
        let mut found = Received { keys, kept, sent: kept, more: Vec::new(), room };
        for (to, mut count) in rest {
            while count > 0 {
                let now = count.min(SENT);
                let bytes = (raw.bytes)(&found.keys[found.sent..found.sent + now]).to_vec();
                self.pool.send(to, bytes, now as u64);
                (found.sent, count) = (found.sent + now, count - now);
                let arrived = self.pool.end_slice()?;
                self.add_arrived(arrived, raw, &mut found)?;
            }
        }
        self.pool.end_phase();
        while let Some(arrived) = self.pool.next_arrived()? {
            self.add_arrived(arrived, raw, &mut found)?;
        }
        found.into_keys()
    }

    /// Adds the keys that have arrived.
    fn add_arrived<T: Clone>(
        &mut self,
        arrived: Arrived,
        raw: &RawKeys<T>,
        found: &mut Received<T>,
    ) -> Result<(), SolveError> {
        for (from, bytes) in arrived {
            let keys = keys_of(from, &bytes, raw)?;
            if keys.len() > found.room.saturating_sub(found.kept + found.more.len()) {
                let problem = format!("process {from} sent more states than there are");
                return Err(SolveError::PeerError { problem });
            }
            self.pool.note_applied(keys.len() as u64);
            keys.into_iter().for_each(|key| found.add(key));
        }
        Ok(())
    }
}

/// The keys of this process's window as they arrive, and the keys that are not sent yet.
struct Received<T> {
    /// Keys of this process's window, then some that are sent already, then the unsent ones.
    keys: Vec<T>,
    kept: usize,
    sent: usize,
    /// Keys of this process's window for which there was no free place yet.
    more: Vec<T>,
    /// The number of keys in this process's window.
    room: usize,
}

impl<T> Received<T> {
    fn add(&mut self, key: T) {
        if self.kept < self.sent {
            self.keys[self.kept] = key;
            self.kept += 1;
        } else {
            self.more.push(key);
        }
    }

    /// The keys of this process's window, once all others are sent.
    fn into_keys(self) -> Result<Vec<T>, SolveError> {
        let Received { mut keys, kept, more, .. } = self;
        keys.truncate(kept);
        let bytes = (more.len() * size_of::<T>()) as u64;
        let what = "the discovered states";
        keys.try_reserve_exact(more.len()).map_err(|_| SolveError::OutOfMemory { what, bytes })?;
        keys.extend(more);
        Ok(keys)
    }
}

/// The keys in the bytes that a process sent.
pub(super) fn keys_of<T: Clone>(
    from: usize,
    bytes: &[u8],
    raw: &RawKeys<T>,
) -> Result<Vec<T>, SolveError> {
    if !bytes.len().is_multiple_of(size_of::<T>().max(1)) {
        let problem = format!("process {from} sent what is no state");
        return Err(SolveError::PeerError { problem });
    }
    let mut keys = raw.zeroed((bytes.len() / size_of::<T>().max(1)) as u64)?;
    // All processes of a run use the same byte order.
    (raw.bytes_mut)(&mut keys).copy_from_slice(bytes);
    Ok(keys)
}
