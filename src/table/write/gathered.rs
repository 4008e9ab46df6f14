//! Gathers the blocks of all processes, in order, in the first process.
//!
//! All processes make the blocks that end in their windows at the same time. The first process
//! writes its own at once. Blocks from the others wait meanwhile in temporary files beside the
//! table.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::error::{SolveError, TableError};
use crate::runtime::codec::LONGEST_RECORD;
use crate::runtime::peers::{Arrived, PACKET};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::table::frame::Section;
use crate::table::write::parts::Parts;

/// How many bytes of another process's blocks are kept in memory; more are in a file.
const IN_MEMORY: usize = 1 << 20;

/// The number of blocks that are copied between reports of progress.
const COPIED: u64 = 64;

/// The progress of writing a table.
pub(crate) struct Written {
    /// The number of values and states that are done.
    done: AtomicU64,
    /// The number of all values and states.
    of: u64,
}

impl Written {
    /// No progress yet, of this many values and states.
    pub(crate) fn nothing_of(of: u64) -> Written {
        Written { done: AtomicU64::new(0), of }
    }

    /// Adds to the number that is done.
    pub(crate) fn add(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// The report after `more` values or states, which are not added.
    pub(crate) fn and(&self, more: u64) -> Progress {
        let done = self.done.load(Ordering::Relaxed) + more;
        Progress::Writing { done: done.min(self.of), of: self.of }
    }
}

/// The destination of the blocks that this process makes: the table, or the first process.
pub(crate) struct Gathered<'g> {
    /// The table; `None` in all but the first process.
    parts: Option<&'g mut Parts>,
    /// The name of the blocks in errors.
    name: &'static str,
    /// The number of values or states in a block.
    in_block: u64,
    /// The sections of the blocks that are written.
    sections: Vec<Section>,
    /// The blocks from each process. Empty if one process makes the table.
    spools: Vec<Spool>,
}

impl<'g> Gathered<'g> {
    pub(crate) fn new(
        parts: Option<&'g mut Parts>,
        name: &'static str,
        in_block: u64,
        pool: &WorkerPool<'_>,
    ) -> Gathered<'g> {
        let spools = match &parts {
            Some(parts) if pool.has_peers() => {
                (0..pool.processes()).map(|_| Spool::new(parts.folder())).collect()
            }
            _ => Vec::new(),
        };
        Gathered { parts, name, in_block, sections: Vec::new(), spools }
    }

    /// Takes the next block of this process.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn take(
        &mut self,
        bytes: &[u8],
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        if let Some(parts) = &mut self.parts {
            self.sections.push(parts.append(self.name, bytes)?);
            return Ok(());
        }
        let framed = [&(bytes.len() as u64).to_le_bytes(), bytes].concat();
        framed.chunks(PACKET).for_each(|packet| pool.send_part(0, packet.to_vec()));
        Ok(())
    }

    /// Ends a batch of blocks, and waits if other processes are too far behind.
    ///
    /// # Errors
    /// When another process is lost, the run is cancelled, or blocks can't be stored beside the
    /// table.
    pub(crate) fn end_batch(
        &mut self,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        if pool.has_peers() {
            let arrived = pool.end_slice().map_err(SolveError::from)?;
            self.keep(arrived, written)?;
        }
        Ok(())
    }

    /// Waits for the blocks of all processes, and writes the blocks that are not written yet.
    /// Returns the sections of all blocks in the first process, and nothing in the others.
    ///
    /// # Errors
    /// As [`take`](Gathered::take) and [`end_batch`](Gathered::end_batch).
    pub(crate) fn finish(
        mut self,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Vec<Section>, TableError> {
        if pool.has_peers() {
            pool.end_phase();
            while let Some(arrived) = pool.next_arrived().map_err(SolveError::from)? {
                self.keep(arrived, written)?;
                pool.report(written.and(0)).map_err(SolveError::from)?;
            }
        }
        let Gathered { parts: Some(parts), name, mut sections, spools, .. } = self else {
            return Ok(Vec::new());
        };
        for spool in spools {
            spool.read(&mut |at, bytes| {
                if at % COPIED == 0 {
                    pool.report(written.and(0)).map_err(SolveError::from)?;
                }
                sections.push(parts.append(name, &bytes)?);
                Ok(())
            })?;
        }
        Ok(sections)
    }

    /// Stores the blocks that have arrived.
    fn keep(&mut self, arrived: Arrived, written: &Written) -> Result<(), TableError> {
        for (from, bytes) in arrived {
            let blocks = match self.spools.get_mut(from) {
                Some(spool) => spool.push(&bytes).map_err(FAILED)?,
                None => None,
            };
            let blocks = blocks.ok_or_else(|| SolveError::PeerError {
                problem: format!("process {from} sent what is no block of the table"),
            })?;
            written.add(blocks * self.in_block);
        }
        Ok(())
    }
}

/// The blocks of another process, each behind its length, as they arrive in packets.
struct Spool {
    file: BufWriter<SpooledTempFile>,
    /// The number of blocks that have begun, and how many bytes of the last one are still missing.
    blocks: u64,
    missing: usize,
}

impl Spool {
    fn new(folder: &Path) -> Spool {
        let file = BufWriter::new(spooled_tempfile_in(IN_MEMORY, folder));
        Spool { file, blocks: 0, missing: 0 }
    }

    /// Stores a packet. Returns how many blocks it completes; `None` if it belongs to no block.
    fn push(&mut self, packet: &[u8]) -> io::Result<Option<u64>> {
        if self.missing == 0 {
            let length =
                packet.first_chunk().map_or(u64::MAX, |length| u64::from_le_bytes(*length));
            if length > LONGEST_RECORD as u64 {
                return Ok(None);
            }
            self.blocks += 1;
            self.missing = length as usize + size_of::<u64>();
        }
        let Some(missing) = self.missing.checked_sub(packet.len()) else { return Ok(None) };
        self.missing = missing;
        self.file.write_all(packet)?;
        Ok(Some(u64::from(missing == 0)))
    }

    /// Passes on the blocks in order, each with its place.
    fn read(
        self,
        take: &mut dyn FnMut(u64, Vec<u8>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut file = self.file.into_inner().map_err(|error| FAILED(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(FAILED)?;
        let mut file = BufReader::new(file);
        for at in 0..self.blocks {
            let mut length = [0; 8];
            file.read_exact(&mut length).map_err(FAILED)?;
            let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
            file.read_exact(&mut bytes).map_err(FAILED)?;
            take(at, bytes)?;
        }
        Ok(())
    }
}

const FAILED: fn(io::Error) -> TableError = |source| TableError::Io {
    action: "keep the blocks of other processes beside the table",
    source,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_in_order_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0, 1, 100, IN_MEMORY / 3, 2 * PACKET] {
            let mut spool = Spool::new(folder.path());
            let blocks: Vec<Vec<u8>> = (0..5).map(|at| vec![at; length + at as usize]).collect();
            for block in &blocks {
                let framed = [&(block.len() as u64).to_le_bytes(), &block[..]].concat();
                let packets = framed.chunks(PACKET);
                let completed = packets.map(|packet| spool.push(packet).unwrap().unwrap());
                assert_eq!(completed.sum::<u64>(), 1);
            }
            let mut read = Vec::new();
            let mut take = |at: u64, bytes| {
                assert_eq!(at, read.len() as u64);
                read.push(bytes);
                Ok(())
            };
            spool.read(&mut take).unwrap();
            assert_eq!(read, blocks);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn packets_of_no_block_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for packet in [&[][..], &[1], &u64::MAX.to_le_bytes(), &[1, 0, 0, 0, 0, 0, 0, 0, 7, 7]] {
            assert_eq!(Spool::new(folder.path()).push(packet).unwrap(), None, "{packet:?}");
        }
    }
}
