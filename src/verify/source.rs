//! Values in memory, by their codes: all values of a table, or some.

use std::ops::Range;

use crate::runtime::memory::prefetch;
use crate::table::loaded::Code;
use crate::verify::rank::Rank;

/// Values in memory: all values of a table, or some.
pub(crate) trait ValueSource {
    /// The code of an index; `None` if it is not in memory, or beyond the end of the table. A
    /// source that can load more marks what is missing.
    fn code(&self, index: u64) -> Option<usize>;

    /// Fetches the code of an index into the processor's caches, if it is in memory.
    fn prefetch(&self, index: u64);

    /// The best rank among these indices, unused ones skipped; `None` if they are not all in
    /// memory.
    fn best(&self, indices: Range<u64>, rank: impl Fn(usize) -> Rank) -> Option<Rank>;
}

/// The codes of all values of a table.
impl<C: Code> ValueSource for &[C] {
    #[inline]
    fn code(&self, index: u64) -> Option<usize> {
        self.get(usize::try_from(index).ok()?).map(|code| code.index())
    }

    #[inline]
    fn prefetch(&self, index: u64) {
        prefetch(self, index as usize);
    }

    fn best(&self, indices: Range<u64>, rank: impl Fn(usize) -> Rank) -> Option<Rank> {
        let [start, end] = [indices.start, indices.end].map(|at| self.len().min(at as usize));
        Some(best_of(&self[start..end], rank))
    }
}

/// The best rank among these codes. Unused indices are skipped; one that should be used is found at
/// its own index.
pub(crate) fn best_of<C: Code>(codes: &[C], rank: impl Fn(usize) -> Rank) -> Rank {
    let ranks = codes.iter().map(|code| rank(code.index()));
    ranks.filter(|&rank| rank != Rank::UNKNOWN).max().unwrap_or(Rank::NONE)
}
