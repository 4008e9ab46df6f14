//! The best rank in each run of successors, so that a game need not list runs that can't matter.
//!
//! The bound of a run is computed when it is first needed. All threads share the bounds. Two
//! threads that compute the same bound get the same result, since the stored values don't change.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::game::Player;
use crate::verify::rank::Rank;

/// Shorter runs have no bounds, which would hardly be needed twice.
const SHORTEST_RUN: u64 = 1 << 10;

/// The best rank in each run of indices, as far as it is known.
pub(crate) struct Bounds {
    /// The number of bits by which an index is shifted right to get its run.
    shift: u32,
    /// For each run and each player who has a choice: the bound if the other player is to move, and
    /// the bound if the same player is.
    runs: Vec<[AtomicU32; 4]>,
}

/// The bound of one run.
pub(crate) struct Bound<'b> {
    /// The bits of the rank; the bits of [`Rank::UNKNOWN`] until it is known.
    bits: &'b AtomicU32,
    /// The indices of the run.
    pub(crate) run: Range<u64>,
}

impl Bounds {
    /// Bounds for runs of this length among `indices` indices. There are none if the runs are too
    /// short, or if the bounds would take more than `most_bytes`.
    pub(crate) fn new(run_len: u64, indices: u64, most_bytes: u64) -> Bounds {
        let is_useful = run_len.is_power_of_two() && run_len >= SHORTEST_RUN;
        let len = if is_useful { indices.div_ceil(run_len) } else { 0 };
        if len.saturating_mul(size_of::<[AtomicU32; 4]>() as u64) > most_bytes || len == 0 {
            return Bounds { shift: 0, runs: Vec::new() };
        }
        let unknown = || AtomicU32::new(Rank::UNKNOWN.bits());
        let runs = (0..len).map(|_| [(); 4].map(|()| unknown())).collect();
        Bounds { shift: run_len.trailing_zeros(), runs }
    }

    /// The memory that the bounds take, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.runs[..]) as u64
    }

    /// Whether no run has a bound.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The bound of the run with this index, if there is one.
    #[inline]
    pub(crate) fn of(&self, index: u64, chooser: Player, same_mover: bool) -> Option<Bound<'_>> {
        let run = index >> self.shift;
        let bounds = self.runs.get(usize::try_from(run).ok()?)?;
        let bits = &bounds[2 * chooser.index() + usize::from(same_mover)];
        Some(Bound { bits, run: run << self.shift..(run + 1) << self.shift })
    }
}

impl Bound<'_> {
    /// Whether the bound is known to be at most this rank.
    #[inline]
    pub(crate) fn is_at_most(&self, rank: Rank) -> bool {
        self.bits.load(Ordering::Relaxed) <= rank.bits()
    }

    /// Whether the bound is known.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.bits.load(Ordering::Relaxed) != Rank::UNKNOWN.bits()
    }

    pub(crate) fn set(&self, rank: Rank) {
        self.bits.store(rank.bits(), Ordering::Relaxed);
    }
}
