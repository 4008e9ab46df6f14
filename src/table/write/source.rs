//! The values of a table, as each of the processes that make it reads them.

use std::ops::Range;

use bytemuck::cast_slice;

use crate::error::{SolveError, TableError};
use crate::game::value::Scale;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::table::agree::of_first;
use crate::table::values::ReadValues;

/// The number of values in one packet, behind the index of the first.
const IN_A_PACKET: u64 = 1 << 18;

/// The values of the own window, and values that other processes have sent. A process that makes a
/// table without others has all values in its window.
pub(crate) struct Source<'s> {
    windows: Windows,
    /// Reads packed values of the own window.
    read: &'s ReadValues<'s>,
    /// How values are packed, if distances are left out.
    without_plies: Option<Scale>,
    /// The values that other processes have sent: each stretch with its first index, ascending.
    handed: Vec<(u64, Vec<u16>)>,
}

impl<'s> Source<'s> {
    /// The values that `read` reads in the own window.
    pub(crate) fn new(
        windows: Windows,
        read: &'s ReadValues<'s>,
        without_plies: Option<Scale>,
    ) -> Source<'s> {
        Source { windows, read, without_plies, handed: Vec::new() }
    }

    /// The windows of the processes.
    pub(crate) fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Reads packed values from an index on. Values that are neither in the own window nor received
    /// are left unchanged.
    pub(crate) fn read(&self, first: u64, values: &mut [u16]) {
        let wanted = first..first + values.len() as u64;
        let own = shared(&wanted, &self.windows.own_window());
        if !own.is_empty() {
            (self.read)(own.start, stretch_of(values, first, &own));
        }
        for (start, handed) in &self.handed {
            let stretch = *start..start + handed.len() as u64;
            let both = shared(&wanted, &stretch);
            if !both.is_empty() {
                let from = (both.start - start) as usize;
                let handed = &handed[from..from + (both.end - both.start) as usize];
                stretch_of(values, first, &both).copy_from_slice(handed);
            }
        }
        if let Some(scale) = self.without_plies {
            values.iter_mut().for_each(|value| *value = scale.without_plies(*value));
        }
    }

    /// Fetches these stretches of the values from the processes that have them. The first process
    /// calls it while the others [`serve`](Source::serve).
    ///
    /// # Errors
    /// When another process is lost, or the run is cancelled.
    pub(crate) fn fetch(
        &mut self,
        stretches: Vec<Range<u64>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        if !pool.has_peers() {
            return Ok(());
        }
        let stretches = of_first(Some(Some(stretches)), pool)?;
        self.hand_to_first(stretches.unwrap_or_default(), pool)
    }

    /// Ends the fetching of the first process.
    ///
    /// # Errors
    /// As [`fetch`](Source::fetch).
    pub(crate) fn end_fetching(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), TableError> {
        if pool.has_peers() {
            of_first::<Option<Vec<Range<u64>>>>(Some(None), pool)?;
        }
        Ok(())
    }

    /// Sends stretches to the first process until it ends fetching.
    ///
    /// # Errors
    /// As [`fetch`](Source::fetch).
    pub(crate) fn serve(&mut self, pool: &mut WorkerPool<'_>) -> Result<(), TableError> {
        while let Some(stretches) = of_first::<Option<Vec<Range<u64>>>>(None, pool)? {
            self.hand_to_first(stretches, pool)?;
        }
        Ok(())
    }

    fn hand_to_first(
        &mut self,
        stretches: Vec<Range<u64>>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        let wanted: Vec<_> = stretches.into_iter().map(|stretch| (stretch, 0)).collect();
        self.hand_over(&wanted, pool)
    }

    /// Sends the tail of each window to the process that makes the block of `in_block` values in
    /// which the tail lies.
    ///
    /// # Errors
    /// As [`fetch`](Source::fetch).
    pub(crate) fn hand_tails(
        &mut self,
        in_block: u64,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        match pool.has_peers() {
            true => self.hand_over(&tails(&self.windows, in_block), pool),
            false => Ok(()),
        }
    }

    /// Sends stretches to processes, as far as they are in the own window. All processes pass the
    /// same `wanted`.
    fn hand_over(
        &mut self,
        wanted: &[(Range<u64>, usize)],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        self.handed.clear();
        let (own, process) = (self.windows.own_window(), pool.own());
        for (stretch, to) in wanted.iter().filter(|(_, to)| *to != process) {
            let stretch = shared(stretch, &own);
            for first in stretch.clone().step_by(IN_A_PACKET as usize) {
                let mut values = vec![0; (stretch.end - first).min(IN_A_PACKET) as usize];
                (self.read)(first, &mut values);
                pool.send_part(*to, [&first.to_le_bytes(), cast_slice(&values)].concat());
            }
        }
        pool.end_phase();
        while let Some(arrived) = pool.next_arrived().map_err(SolveError::from)? {
            for (from, bytes) in arrived {
                let stretch = bytes.split_first_chunk().filter(|(_, rest)| rest.len() % 2 == 0);
                let (first, values) = stretch.ok_or_else(|| SolveError::PeerError {
                    problem: format!("process {from} sent no values"),
                })?;
                self.handed.push((u64::from_le_bytes(*first), values_of(values)));
            }
        }
        self.handed.sort_unstable_by_key(|&(first, _)| first);
        Ok(())
    }
}

/// The packed values that a process has sent. All processes of a run have the same byte order.
pub(crate) fn values_of(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|value| u16::from_ne_bytes([value[0], value[1]])).collect()
}

/// The blocks of `in_block` indices that end in the window of a process.
pub(crate) fn blocks_of(windows: &Windows, process: usize, in_block: u64) -> Range<u64> {
    let (window, len) = (windows.window(process), windows.len());
    let end = if window.end == len { len.div_ceil(in_block) } else { window.end / in_block };
    // Windows beyond the last index are empty, as are windows within a block.
    if window.is_empty() { end..end } else { (window.start / in_block).min(end)..end }
}

/// The indices before the window of each process that belong to the process's first block, and the
/// process. Processes that make no block are left out.
pub(crate) fn tails(windows: &Windows, in_block: u64) -> Vec<(Range<u64>, usize)> {
    let tail = |process| {
        let blocks = blocks_of(windows, process, in_block);
        let tail = blocks.start * in_block..windows.window(process).start;
        (!blocks.is_empty()).then_some((tail, process))
    };
    (0..windows.ends().len()).filter_map(tail).collect()
}

/// The common part of two ranges.
pub(crate) fn shared(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// The part of the values for some indices; `first` is the index of the first value.
fn stretch_of<'v>(values: &'v mut [u16], first: u64, indices: &Range<u64>) -> &'v mut [u16] {
    &mut values[(indices.start - first) as usize..(indices.end - first) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_ends_in_one_window() {
        for len in [0, 1, 4095, 4096, 4097, 10_000, 50_000] {
            for (count, in_block) in [(1, 4), (2, 4096), (3, 8192), (3, 1 << 14), (7, 1 << 20)] {
                let windows = Windows::cut(len, count, 0, 4096);
                let blocks = (0..count).flat_map(|at| blocks_of(&windows, at, in_block));
                assert!(blocks.eq(0..len.div_ceil(in_block)), "{len} {count}");
            }
        }
    }
}
