//! How much successors can be worth at most, for many numbers at once.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::worth::Worth;

/// Runs of less numbers than this have no bound: it would hardly be asked for twice.
const SHORT: u64 = 1 << 10;

/// For each run of numbers what the best of their states is worth to a player who has a choice, found
/// when somebody asks for it.
pub(super) struct Bounds {
    /// How often a number is halved to get that of its run.
    shift: u32,
    /// The first run that has a bound.
    first: u64,
    /// How many numbers there are, those without a bound included.
    of: u64,
    /// Where the other player is to move, and where the same is; what is not known yet is more than
    /// anything.
    runs: [Vec<AtomicU32>; 2],
}

impl Bounds {
    /// Those of the runs, of this length, that `numbers` have a part in, of so many.
    pub(super) fn new(run: u64, numbers: Range<u64>, of: u64) -> Bounds {
        let shift = if run.is_power_of_two() { run.trailing_zeros() } else { 0 };
        let first = numbers.start >> shift;
        let runs = match run.is_power_of_two() && run >= SHORT {
            true => (numbers.end.div_ceil(run)).saturating_sub(first),
            false => 0,
        };
        let unknown = |()| (0..runs).map(|_| AtomicU32::new(Worth::UNKNOWN.bits())).collect();
        Bounds { shift, first, of, runs: [(); 2].map(unknown) }
    }

    /// Whether the best state of a number's run may be worth more than this, as far as the run has a
    /// bound. `find` tells for a range of numbers what the best of their states is worth.
    #[inline]
    pub(super) fn may_exceed(
        &self,
        best: Worth,
        number: u64,
        same_mover: bool,
        find: impl FnOnce(Range<u64>) -> Worth,
    ) -> bool {
        let (runs, run) = (&self.runs[usize::from(same_mover)], number >> self.shift);
        let Some(bound) = runs.get(run.wrapping_sub(self.first) as usize) else {
            return runs.is_empty() || number >= self.of;
        };
        let known = bound.load(Ordering::Relaxed);
        if known != Worth::UNKNOWN.bits() || best == Worth::UNKNOWN {
            return known > best.bits();
        }
        let found = find(run << self.shift..(run + 1) << self.shift);
        bound.store(found.bits(), Ordering::Relaxed);
        found > best
    }
}
