//! Writes a table: whole or not at all.

mod blocks;
mod gathered;
mod listed;
mod parts;
mod plan;
mod source;
#[cfg(all(test, feature = "cluster"))]
mod together_tests;

use std::ops::Range;
use std::path::Path;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use crate::error::{SolveError, TableError};
use crate::game::value::Scale;
use crate::numbering::discovered::ListedStates;
use crate::runtime::codec;
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::table::agree::of_first;
use crate::table::existing::{check_is_table, file_at};
use crate::table::frame::Frame;
use crate::table::records::{BLOCK_STATES, Header};
use crate::table::states::encode;
use crate::table::unfinished::Unfinished;
use crate::table::values::{Compression, ReadValues};
use blocks::{make_states, make_values};
use gathered::{Gathered, Written};
use listed::{STATES, StateSource};
use parts::Parts;
pub(crate) use parts::{Head, UnnamedTable};
pub(crate) use plan::bytes_to_write;
use plan::{Sampler, ValuePlan, distinct_values};
use source::{Source, blocks_of};

/// A table that is going to be written to a file: a [`Destination`](crate::table::Destination) that was
/// begun, in one process.
#[derive(Debug)]
pub(crate) struct TableWriter {
    file: Unfinished,
    compression: Compression,
    outcomes_only: bool,
    threads: usize,
}

impl TableWriter {
    /// Begins the table of a tier in its folder.
    pub(crate) fn of_tier(path: &Path, compression: Compression) -> Result<Self, TableError> {
        TableWriter::at(path, false).map(|writer| writer.compression(compression))
    }

    /// Begins a table at `path`, where it replaces a table, an empty file or, with `overwrite`, any
    /// regular file.
    pub(crate) fn at(path: &Path, overwrite: bool) -> Result<Self, TableError> {
        let existing = file_at(path)?;
        if let (Some(existing), false) = (&existing, overwrite) {
            check_is_table(path, existing)?;
        }
        let file = Unfinished::create(path, existing.as_ref())?;
        let threads = available_parallelism().map_or(1, usize::from);
        let compression = Compression::default();
        Ok(TableWriter { file, compression, outcomes_only: false, threads })
    }

    /// The path of the complete file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Sets how hard the table is compressed.
    pub(crate) fn compression(self, compression: Compression) -> Self {
        TableWriter { compression, ..self }
    }

    /// Whether the table is compressed.
    #[cfg(feature = "cli")]
    pub(crate) fn compresses(&self) -> bool {
        self.compression.compresses()
    }

    /// Writes outcomes only, or not.
    pub(crate) fn outcomes_only(self, outcomes_only: bool) -> Self {
        TableWriter { outcomes_only, ..self }
    }

    /// Sets how many threads make the table.
    pub(crate) fn threads(self, threads: usize) -> Self {
        TableWriter { threads: threads.max(1), ..self }
    }

    /// How many threads make the table.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads
    }

    /// What the other processes have to know of it.
    pub(crate) fn form(&self) -> TableForm {
        let &TableWriter { compression, outcomes_only, .. } = self;
        TableForm { compression: compression.of_records(), outcomes_only }
    }

    /// Writes a table up to its name. Other processes that have a part of it [`help`] meanwhile.
    pub(crate) fn write(
        self,
        mut head: Head,
        body: &Body<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<UnnamedTable, TableError> {
        let TableWriter { file, compression, outcomes_only, .. } = self;
        if outcomes_only {
            head.header.outcomes_only = true;
            check_limit(&head.header)?;
        }
        let mut parts = Parts::begin(file)?;
        let mut source = body.source(outcomes_only, pool);
        let values = distinct_values(&source, pool)?;
        let sampler = &mut Sampler { source: &mut source, pool };
        let plan = ValuePlan::make(&head.header, compression, values, sampler)?;
        source.end_fetching(pool)?;
        let mut frame = parts.append_head(head, &plan, compression)?;
        let plan = of_first(Some(plan), pool)?;
        let written = &body.written(0..body.len);
        body.make_values(&plan, &mut source, Some((&mut parts, &mut frame)), written, pool)?;
        let windows = source.windows();
        body.make_states(windows, Some((&mut parts, &mut frame)), compression, written, pool)?;
        parts.finish(frame, pool)
    }
}

/// What all processes have to know of a table that they make.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TableForm {
    /// The level of blocks of states, if they are compressed.
    compression: Option<u8>,
    outcomes_only: bool,
}

/// Does this process's part of a table that the first process [writes](TableWriter::write).
///
/// # Errors
/// When another process is lost, the run is cancelled, or a block can't be made.
pub(crate) fn help(
    form: TableForm,
    body: &Body<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<(), TableError> {
    let mut source = body.source(form.outcomes_only, pool);
    distinct_values(&source, pool)?;
    source.serve(pool)?;
    let plan: ValuePlan = of_first(None, pool)?;
    let compression = form.compression.map_or(Compression::Plain, Compression::Zstd);
    let written = &body.written(source.windows().own_window());
    body.make_values(&plan, &mut source, None, written, pool)?;
    body.make_states(source.windows(), None, compression, written, pool)
}

/// Checks that a ply limit, if there is one, decides no state, not even after a move. Without
/// distances it would be unknown which states it decides.
fn check_limit(header: &Header) -> Result<(), TableError> {
    let longest = header.summary.longest().unwrap_or(0);
    match header.rules.ply_limit {
        Some(limit) if longest >= limit || header.summary.beyond_ply_limit() > 0 => {
            Err(TableError::LimitWithoutDistances { limit, longest })
        }
        _ => Ok(()),
    }
}

/// The values and states of a table that this process has.
pub(crate) struct Body<'b> {
    /// The number of indices of the table.
    pub(crate) len: u64,
    /// Reads the packed values of the own window.
    pub(crate) read: &'b ReadValues<'b>,
    /// How they are packed.
    pub(crate) scale: Scale,
    /// The states in the order of their indices, if no formula computes them: all, or the states of
    /// the own window.
    pub(crate) states: Option<&'b dyn ListedStates>,
}

impl Body<'_> {
    fn source(&self, outcomes_only: bool, pool: &WorkerPool<'_>) -> Source<'_> {
        let without_plies = outcomes_only.then_some(self.scale);
        Source::new(pool.windows(self.len, CHUNK), self.read, without_plies)
    }

    /// No progress yet of the values and states of these indices.
    fn written(&self, indices: Range<u64>) -> Written {
        let lists = if self.states.is_some() { 2 } else { 1 };
        Written::nothing_of((indices.end - indices.start) * lists)
    }

    /// Makes the blocks of values that end in the own window. The first process writes the blocks
    /// of all processes, and their directory.
    fn make_values(
        &self,
        plan: &ValuePlan,
        source: &mut Source<'_>,
        table: Option<(&mut Parts, &mut Frame)>,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        source.hand_tails(plan.block_values, pool)?;
        let (mut parts, frame) = table.unzip();
        let blocks = blocks_of(source.windows(), pool.own(), plan.block_values);
        let mut gathered = Gathered::new(parts.as_deref_mut(), VALUES, plan.block_values, pool);
        make_values(plan, blocks, source, written, pool, &mut gathered)?;
        let sections = gathered.finish(written, pool)?;
        if let (Some(parts), Some(frame)) = (parts, frame) {
            frame.values = parts.append_directory(&sections)?;
        }
        Ok(())
    }

    /// Makes the blocks of states that end in the own window, if states are listed. The first
    /// process writes the blocks of all processes, and their directory.
    fn make_states(
        &self,
        windows: &Windows,
        table: Option<(&mut Parts, &mut Frame)>,
        compression: Compression,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), TableError> {
        let Some(states) = self.states else { return Ok(()) };
        let states = &StateSource::new(states, windows, pool)?;
        let (mut parts, frame) = table.unzip();
        let blocks = blocks_of(windows, pool.own(), BLOCK_STATES);
        let mut gathered = Gathered::new(parts.as_deref_mut(), STATES, BLOCK_STATES, pool);
        make_states(states, blocks.clone(), compression, written, pool, &mut gathered)?;
        let mut sections = gathered.finish(written, pool)?;

        // Each level lists the first state of every block of the level below. The first process
        // makes all levels above the first.
        let malformed = |problem| TableError::malformed(STATES, problem);
        let (first, count) = (blocks.start * BLOCK_STATES, blocks.end - blocks.start);
        let mut firsts = states.records(first, BLOCK_STATES, count).map_err(malformed)?;
        if pool.has_peers() {
            let own = codec::encode(&firsts).map_err(malformed)?;
            firsts.clear();
            for of_one in pool.gather_at_first(own).map_err(SolveError::from)? {
                if !of_one.is_empty() {
                    firsts.extend(codec::decode::<Vec<Vec<u8>>>(&of_one).map_err(malformed)?);
                }
            }
        }
        let (Some(parts), Some(frame)) = (parts, frame) else { return Ok(()) };
        while firsts.len() > 1 {
            for block in firsts.chunks(BLOCK_STATES as usize) {
                let block = encode(block, compression).map_err(malformed)?;
                sections.push(parts.append(STATES, &block)?);
            }
            firsts = firsts.into_iter().step_by(BLOCK_STATES as usize).collect();
        }
        frame.states = parts.append_directory(&sections)?;
        Ok(())
    }
}

const VALUES: &str = "a block of values";
