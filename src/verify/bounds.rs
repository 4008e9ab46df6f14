//! How much successors can be worth at most, for many numbers at once.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::game::Player;
use crate::verify::worth::Worth;

/// Runs of fewer numbers than this have no bounds: they would hardly be asked for twice.
const SHORT: u64 = 1 << 10;

/// For each run of numbers what the best of their states is worth to a player who has a choice, found
/// when somebody asks for it.
pub(crate) struct Bounds {
    /// How often a number is halved to get that of its run.
    shift: u32,
    /// For each player who has a choice, where the other player is to move and where the same is; what is
    /// not known yet is more than anything.
    runs: Vec<[AtomicU32; 4]>,
}

/// The bound of a run.
pub(crate) struct Bound<'b> {
    value: &'b AtomicU32,
    /// The numbers of the run.
    pub(crate) run: Range<u64>,
}

impl Bounds {
    /// How many bytes those of the runs of this length take, of so many numbers: none where they are no use.
    pub(crate) fn bytes(run: u64, numbers: u64) -> u64 {
        match run.is_power_of_two() && run >= SHORT {
            true => numbers.div_ceil(run).saturating_mul(size_of::<[AtomicU32; 4]>() as u64),
            false => 0,
        }
    }

    /// Those of the runs of this length of so many numbers, unless they take more bytes than that.
    pub(crate) fn new(run: u64, numbers: u64, most_bytes: u64) -> Bounds {
        let bytes = Bounds::bytes(run, numbers);
        if bytes == 0 || bytes > most_bytes {
            return Bounds { shift: 0, runs: Vec::new() };
        }
        let unknown = || AtomicU32::new(Worth::UNKNOWN.bits());
        let runs = (0..numbers.div_ceil(run)).map(|_| [(); 4].map(|()| unknown())).collect();
        Bounds { shift: run.trailing_zeros(), runs }
    }

    /// Whether there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The bound of a number's run, if it has one.
    #[inline]
    pub(crate) fn of(&self, number: u64, chooser: Player, same_mover: bool) -> Option<Bound<'_>> {
        let run = number >> self.shift;
        let bounds = self.runs.get(usize::try_from(run).ok()?)?;
        let value = &bounds[2 * chooser.index() + usize::from(same_mover)];
        Some(Bound { value, run: run << self.shift..(run + 1) << self.shift })
    }
}

impl Bound<'_> {
    /// Whether it is known to be no more than this.
    #[inline]
    pub(crate) fn is_at_most(&self, best: Worth) -> bool {
        self.value.load(Ordering::Relaxed) <= best.bits()
    }

    /// Whether it is known.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.value.load(Ordering::Relaxed) != Worth::UNKNOWN.bits()
    }

    pub(crate) fn set(&self, bound: Worth) {
        self.value.store(bound.bits(), Ordering::Relaxed);
    }
}
