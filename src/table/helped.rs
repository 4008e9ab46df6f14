//! Making a table by several processes, as the first one does it: it finds out how the values are going to
//! be written, and each process makes the blocks of its own window.
//!
//! A block that lies in two windows is made by the process that has its last value; it is sent the values
//! before its window. The others begin at once, and the first process keeps what they make in temporary
//! files beside the table, until what comes before is written.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::codec;
use crate::error::{SolveError, TableError};
use crate::numbering::discovered::ListedStates;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;
use crate::table::blocks::{TakeBlock, Written, make_states, make_values};
use crate::table::plan::{ValuePlan, find_values};
use crate::table::records::BLOCK_STATES;
use crate::table::values::{Compression, ReadValues, without_distance};

/// How long to wait for another process before progress is reported.
const WAIT: Duration = Duration::from_millis(50);

/// How many blocks are copied before progress is reported.
const COPIED: u64 = 64;

/// How many bytes of another process's answers are kept in memory; more are in a file.
const IN_MEMORY: usize = 1 << 20;

/// What another process is asked to do with its window.
#[derive(Serialize, Deserialize)]
pub(crate) enum Job<P> {
    /// To find out which packed values there are. One answer has them, ascending, in this machine's order
    /// of bytes.
    FindValues { outcomes_only: bool },
    /// To make the blocks of values that end in the window. Each is an answer.
    Values {
        plan: P,
        outcomes_only: bool,
        /// The packed values between the beginning of the first block and the window, in this machine's
        /// order of bytes.
        #[serde(with = "serde_bytes")]
        before: Vec<u8>,
    },
    /// To make the blocks of states that end in the window. Each is an answer.
    States {
        /// The level, if they are to be compressed.
        compression: Option<u8>,
        /// The states between the beginning of the first block and the window.
        before: Vec<Vec<u8>>,
    },
}

/// Takes the bytes of an answer.
pub(crate) type TakeAnswer<'t> = dyn FnMut(Vec<u8>) -> Result<(), TableError> + 't;

/// The other processes that have values, as the first one sees them.
pub(crate) trait Others: Sync {
    /// The windows of all processes.
    fn windows(&self) -> &Windows;

    /// Has another process do a job, and takes so many answers as they come. `stop` says whether to give
    /// up.
    ///
    /// # Errors
    /// When the process is lost, and that of `take`.
    fn ask(
        &self,
        process: usize,
        job: Vec<u8>,
        answers: u64,
        take: &mut TakeAnswer<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), TableError>;
}

/// The blocks that end in a window, of `len` values or states in blocks of so many.
pub(crate) fn blocks_of(window: &Range<u64>, len: u64, in_block: u64) -> Range<u64> {
    let end = if window.end == len { len.div_ceil(in_block) } else { window.end / in_block };
    // Windows beyond the last index are empty, and so are those within a block.
    if window.is_empty() { end..end } else { (window.start / in_block).min(end)..end }
}

/// What a table is made with when several processes have its values.
#[derive(Clone, Copy)]
pub(crate) struct Helped<'h> {
    pub(crate) others: &'h dyn Others,
    /// Where temporary files can be.
    pub(crate) folder: &'h Path,
    /// Whether the table has outcomes alone.
    pub(crate) outcomes_only: bool,
}

/// The job of another process, and how many answers it has; `None` if it has nothing to do.
type FindJob<'j> = dyn Fn(usize) -> Result<Option<(Job<&'j ValuePlan>, u64)>, TableError> + 'j;

/// Does the part of this process.
type OwnPart<'o> =
    dyn FnMut(&mut WorkerPool<'_>, &mut TakeBlock<'_>) -> Result<(), TableError> + 'o;

impl Helped<'_> {
    /// Which packed values there are.
    pub(crate) fn distinct_values(
        self,
        read: &ReadValues<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Vec<bool>, TableError> {
        let Helped { others, outcomes_only, .. } = self;
        let windows = others.windows();
        let own = windows.own_window();
        let mut of_others = Vec::new();
        let mut of_own = Vec::new();
        let job = |process| {
            let is_empty = windows.window(process).is_empty();
            Ok((!is_empty).then_some((Job::FindValues { outcomes_only }, 1)))
        };
        let waits = || Progress::Sampling { done: own.end, of: own.end };
        let mut take = |_: &mut WorkerPool<'_>, bytes: Vec<u8>| {
            of_others.extend(values_of(&bytes));
            Ok(())
        };
        let mut find = |pool: &mut WorkerPool<'_>, _: &mut TakeBlock<'_>| {
            of_own = find_values(own.clone(), read, pool)?;
            Ok(())
        };
        self.share(&job, &|| (), &waits, pool, &mut find, &mut take)?;
        let mut found = of_own;
        of_others.into_iter().for_each(|value| found[usize::from(value)] = true);
        Ok(found)
    }

    /// Makes all blocks of values, and hands them on in order.
    pub(crate) fn values(
        self,
        plan: &ValuePlan,
        read: &ReadValues<'_>,
        written: &Written,
        pool: &mut WorkerPool<'_>,
        take: &mut TakeBlock<'_>,
    ) -> Result<(), TableError> {
        let blocks = |process| {
            let window = self.others.windows().window(process);
            (blocks_of(&window, plan.len, plan.block_values), window.start)
        };
        let job = |process| {
            let (blocks, start) = blocks(process);
            if blocks.is_empty() {
                return Ok(None);
            }
            let first = blocks.start * plan.block_values;
            let mut before: Vec<u16> = vec![0; (start - first) as usize];
            read(first, &mut before);
            let before = bytemuck::cast_slice(&before).to_vec();
            let job = Job::Values { plan, outcomes_only: self.outcomes_only, before };
            Ok(Some((job, blocks.end - blocks.start)))
        };
        let mut own = |pool: &mut WorkerPool<'_>, take: &mut TakeBlock<'_>| {
            make_values(plan, blocks(0).0, read, written, pool, take)
        };
        let answered = || written.add(plan.block_values);
        self.share(&job, &answered, &|| written.and(0), pool, &mut own, take)
    }

    /// Makes all blocks of states but those of the levels above, and hands them on in order.
    pub(crate) fn states(
        self,
        states: &dyn ListedStates,
        compression: Compression,
        written: &Written,
        pool: &mut WorkerPool<'_>,
        take: &mut TakeBlock<'_>,
    ) -> Result<(), TableError> {
        let len = states.len();
        let blocks = |process| {
            let window = self.others.windows().window(process);
            (blocks_of(&window, len, BLOCK_STATES), window.start)
        };
        let records = |first, count| states.records(first, 1, count);
        let job = |process| {
            let (blocks, start) = blocks(process);
            if blocks.is_empty() {
                return Ok(None);
            }
            let first = blocks.start * BLOCK_STATES;
            let before = records(first, start - first)
                .map_err(|problem| TableError::malformed("a block of states", problem))?;
            let job = Job::States { compression: compression.of_records(), before };
            Ok(Some((job, blocks.end - blocks.start)))
        };
        let mut own = |pool: &mut WorkerPool<'_>, take: &mut TakeBlock<'_>| {
            make_states((len, 1), blocks(0).0, compression, &records, written, pool, take)
        };
        let answered = || written.add(BLOCK_STATES);
        self.share(&job, &answered, &|| written.and(0), pool, &mut own, take)
    }

    /// Has each other process do its job while this one does its own part, and takes what all of them
    /// make, in the order of the processes. `answered` hears of each answer as it comes.
    fn share(
        self,
        job: &FindJob<'_>,
        answered: &(dyn Fn() + Sync),
        waits: &dyn Fn() -> Progress,
        pool: &mut WorkerPool<'_>,
        own: &mut OwnPart<'_>,
        take: &mut TakeBlock<'_>,
    ) -> Result<(), TableError> {
        let Helped { others, folder, .. } = self;
        let is_given_up = &AtomicBool::new(false);
        let stop = &|| is_given_up.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let mut share = || {
                let mut asked = Vec::new();
                // From the last on: a job may need values of windows before, of processes that have no job
                // yet.
                for process in (1..others.windows().ends().len()).rev() {
                    let Some((job, answers)) = job(process)? else { continue };
                    let job = codec::encode(&job)
                        .map_err(|problem| TableError::malformed("a job", problem))?;
                    let (sender, receiver) = mpsc::channel();
                    let wait_for_it = move || {
                        let mut spool = Spool::new(folder);
                        let mut push = |bytes: Vec<u8>| {
                            answered();
                            spool.push(&bytes)
                        };
                        let asked = others.ask(process, job, answers, &mut push, stop);
                        // Where nobody waits any more, this process has failed.
                        let _ = sender.send(asked.map(|()| spool));
                    };
                    thread::Builder::new()
                        .spawn_scoped(scope, wait_for_it)
                        .map_err(TableError::io("start a thread"))?;
                    asked.push(receiver);
                }
                own(pool, take)?;
                while let Some(receiver) = asked.pop() {
                    let spool = wait_for(&receiver, waits, pool)?;
                    spool.read(&mut |at, bytes| {
                        if at % COPIED == 0 {
                            pool.report(waits())?;
                        }
                        take(pool, bytes)
                    })?;
                }
                Ok(())
            };
            let shared = share();
            is_given_up.store(true, Ordering::Relaxed);
            shared
        })
    }
}

/// The packed values that a process has sent.
pub(crate) fn values_of(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(|value| u16::from_ne_bytes([value[0], value[1]]))
}

/// Waits for what a process answers.
fn wait_for(
    receiver: &Receiver<Result<Spool, TableError>>,
    waits: &dyn Fn() -> Progress,
    pool: &mut WorkerPool<'_>,
) -> Result<Spool, TableError> {
    loop {
        match receiver.recv_timeout(WAIT) {
            Ok(answers) => return answers,
            Err(RecvTimeoutError::Timeout) => pool.report(waits())?,
            // Its thread has panicked, which the scope passes on.
            Err(RecvTimeoutError::Disconnected) => return Err(SolveError::Interrupted.into()),
        }
    }
}

/// Answers that wait until what comes before is written.
struct Spool {
    /// Each answer behind its length.
    file: BufWriter<SpooledTempFile>,
    answers: u64,
}

impl Spool {
    fn new(folder: &Path) -> Spool {
        Spool { file: BufWriter::new(spooled_tempfile_in(IN_MEMORY, folder)), answers: 0 }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.answers += 1;
        self.file
            .write_all(&(bytes.len() as u64).to_le_bytes())
            .and_then(|()| self.file.write_all(bytes))
            .map_err(FAILED)
    }

    /// Hands on the answers in order, each with its place.
    fn read(
        self,
        take: &mut dyn FnMut(u64, Vec<u8>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let mut file = self.file.into_inner().map_err(|error| FAILED(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(FAILED)?;
        let mut file = BufReader::new(file);
        for at in 0..self.answers {
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

/// Reads values as a table has them that may have outcomes alone.
pub(crate) fn reading<'r>(
    outcomes_only: bool,
    read: &'r ReadValues<'r>,
) -> impl Fn(u64, &mut [u16]) + Sync + 'r {
    move |first, values| {
        read(first, values);
        if outcomes_only {
            values.iter_mut().for_each(|value| *value = without_distance(*value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_ends_in_one_window() {
        for len in [0, 1, 4095, 4096, 4097, 10_000, 50_000] {
            for (count, in_block) in [(1, 4), (2, 4096), (3, 8192), (3, 1 << 14), (7, 1 << 20)] {
                let windows = Windows::cut(len, count, 0, 4096);
                let blocks = (0..count).map(|at| blocks_of(&windows.window(at), len, in_block));
                let blocks: Vec<u64> = blocks.flatten().collect();
                assert!(blocks.into_iter().eq(0..len.div_ceil(in_block)), "{len} {count}");
            }
        }
    }

    #[test]
    fn answers_come_back_in_order_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for length in [0, 1, 100, IN_MEMORY / 3] {
            let mut spool = Spool::new(folder.path());
            let answers: Vec<Vec<u8>> = (0..5).map(|at| vec![at; length + at as usize]).collect();
            answers.iter().for_each(|answer| spool.push(answer).unwrap());
            let mut read = Vec::new();
            let mut take = |at: u64, bytes| {
                assert_eq!(at, read.len() as u64);
                read.push(bytes);
                Ok(())
            };
            spool.read(&mut take).unwrap();
            assert_eq!(read, answers);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
