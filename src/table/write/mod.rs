//! Writes a table: whole or not at all.

mod blocks;
mod gathered;
mod listed;
mod parts;
mod plan;
mod source;
#[cfg(test)]
mod together_tests;

use std::fmt;
use std::ops::{ControlFlow, Range};
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
use crate::runtime::progress::{OnProgress, Progress, unheard};
use crate::table::agree::of_first;
use crate::table::existing::{check_is_table, file_at};
use crate::table::folder::tier_at;
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

/// The place where a table is going to be written.
///
/// An incomplete table is a temporary file in the same folder, which is renamed once it is
/// complete. If anything fails before, or the destination is dropped, the temporary file is removed
/// and an older table stays. The temporary file of a killed program is removed by the next
/// destination of the same name.
///
/// A table replaces an older one, or an empty file, and takes over its permissions. Where the path
/// is a symbolic link, the link stays and the file that it leads to is replaced.
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// use retrograde::table::{Compression, Destination};
/// use retrograde::{Solver, Table};
///
/// let game = Nim { counters: 21 };
/// let solution = Solver::new(&game).solve()?;
/// let destination = Destination::create(&path)?.compression(Compression::Plain).threads(1);
/// solution.save_to(destination.outcomes_only())?;
/// assert!(Table::open(&path)?.has_outcomes_only());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is written before `Solution::save_to` is called"]
pub struct Destination<'p> {
    file: Unfinished,
    compression: Compression,
    outcomes_only: bool,
    threads: usize,
    progress: Box<OnProgress<'p>>,
}

impl<'p> Destination<'p> {
    /// Makes sure that a table can be written at `path`, before the work of solving is done.
    ///
    /// # Errors
    /// When there is a file at `path` that is neither a table nor empty, the place of a tier in a
    /// folder of tiers, a symbolic link that leads nowhere, or something else than a regular file; when
    /// `path` does not name a file, or the folder does not take a new file.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let destination = Destination::of_tier(path.as_ref())?;
        match tier_at(destination.file.path()) {
            Some(tier) => Err(TableError::TierNotReplaced { tier }),
            None => Ok(destination),
        }
    }

    /// As [`create`](Destination::create), for the table of a tier in its folder.
    pub(crate) fn of_tier(path: &Path) -> Result<Self, TableError> {
        Destination::at(path, false)
    }

    /// Checks that a table can be written at `path`, where it replaces any regular file.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::Solver;
    /// use retrograde::table::Destination;
    ///
    /// std::fs::write(&path, "this is no table")?;
    /// assert!(Destination::create(&path).is_err());
    /// let game = Nim { counters: 21 };
    /// Solver::new(&game).solve()?.save_to(Destination::overwrite(&path)?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`create`](Destination::create), but neither for a file that is no table nor for the place of a
    /// tier.
    pub fn overwrite(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Destination::at(path.as_ref(), true)
    }

    fn at(path: &Path, replaces_anything: bool) -> Result<Self, TableError> {
        let existing = file_at(path)?;
        if let (Some(existing), false) = (&existing, replaces_anything) {
            check_is_table(path, existing)?;
        }
        let file = Unfinished::create(path, existing.as_ref())?;
        let threads = available_parallelism().map_or(1, usize::from);
        let compression = Compression::default();
        Ok(Destination { file, compression, outcomes_only: false, threads, progress: unheard() })
    }

    /// Sets how hard the table is compressed.
    pub fn compression(self, compression: Compression) -> Self {
        Destination { compression, ..self }
    }

    /// Writes outcomes only: who wins, but not in how many plies. They take two bits a state before
    /// compression. Such a table answers only [`Query::verdict`](crate::Query::verdict) and
    /// [`Query::moves`](crate::Query::moves).
    pub fn outcomes_only(self) -> Self {
        Destination { outcomes_only: true, ..self }
    }

    /// Sets how many threads make the table, which makes no difference to the file. Default: as many as
    /// there are cores.
    pub fn threads(self, threads: usize) -> Self {
        Destination { threads: threads.max(1), ..self }
    }

    /// Calls `report` while the table is written. If it returns `Break`, writing ends with
    /// [`TableError::Interrupted`].
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use std::ops::ControlFlow;
    ///
    /// use retrograde::Solver;
    /// use retrograde::table::Destination;
    ///
    /// let game = Nim { counters: 21 };
    /// let destination = Destination::create(&path)?.on_progress(|_| ControlFlow::Break(()));
    /// let error = Solver::new(&game).solve()?.save_to(destination).unwrap_err();
    /// assert!(error.is_interrupted() && !path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_progress(self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        Destination { progress: Box::new(report), ..self }
    }

    /// How many threads make the table.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads
    }

    /// What receives the progress, apart from the destination.
    pub(crate) fn split_progress(self) -> (Destination<'static>, Box<OnProgress<'p>>) {
        let Destination { file, compression, outcomes_only, threads, progress } = self;
        (Destination { file, compression, outcomes_only, threads, progress: unheard() }, progress)
    }

    /// What the other processes have to know of it.
    pub(crate) fn form(&self) -> TableForm {
        let &Destination { compression, outcomes_only, .. } = self;
        TableForm { compression: compression.of_records(), outcomes_only }
    }

    /// Writes a table up to its name. Other processes that have a part of it [`help`] meanwhile.
    pub(crate) fn write(
        self,
        mut head: Head,
        body: &Body<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<UnnamedTable, TableError> {
        let Destination { file, compression, outcomes_only, .. } = self;
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

impl fmt::Debug for Destination<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Destination { file, compression, outcomes_only, threads, progress: _ } = self;
        formatter
            .debug_struct("Destination")
            .field("file", file)
            .field("compression", compression)
            .field("outcomes_only", outcomes_only)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}

/// What all processes have to know of a table that they make.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TableForm {
    /// The level of blocks of states, if they are compressed.
    compression: Option<u8>,
    outcomes_only: bool,
}

/// Does this process's part of a table that the first process [writes](Destination::write).
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
        Some(limit) if longest >= limit || header.summary.beyond_limit() > 0 => {
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
