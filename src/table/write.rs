//! Writing a table: whole or not at all.

use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::iter;
use std::path::Path;
use std::thread::available_parallelism;

use crate::codec;
use crate::error::TableError;
use crate::numbering::discovered::ListedStates;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::blocks::{Written, make_states, make_values};
use crate::table::directory;
use crate::table::existing::{check_is_table, file_at};
use crate::table::fingerprint::Remembered;
use crate::table::folder::tier_at;
use crate::table::frame::{FRAME_BYTES, Frame, Section, Seed};
use crate::table::helped::{Helped, Others, reading};
use crate::table::packing;
use crate::table::plan::{Sampler, ValuePlan};
use crate::table::records::{BLOCK_STATES, BlockFormat, Header, HeaderRecord};
use crate::table::states::levels;
use crate::table::unfinished::Unfinished;
use crate::table::values::{Compression, ReadValues};

/// The place where a table is going to be written.
///
/// Until the table is complete it is a temporary file in the same folder, which then takes the name at
/// once. Where anything fails before, or the destination is dropped, the temporary file is removed and
/// an older table stays. The temporary file of a killed program is removed by the next destination of
/// the same name.
///
/// A table replaces an older one, or an empty file, and takes over its permissions. Where the path
/// is a symbolic link, the link stays and the file that it leads to is replaced.
#[derive(Debug)]
pub struct Destination {
    file: Unfinished,
    compression: Compression,
    outcomes_only: bool,
    threads: usize,
}

impl Destination {
    /// Makes sure that a table can be written at `path`, before the work of solving is done.
    ///
    /// # Errors
    /// When there is a file at `path` that is neither a table nor empty, the place of a tier in a
    /// folder of tiers, a symbolic link that leads nowhere, or something else than a regular file; when
    /// `path` does not name a file, or the folder does not take a new file.
    pub fn create(path: impl AsRef<Path>) -> Result<Destination, TableError> {
        let destination = Destination::of_tier(path.as_ref())?;
        match tier_at(destination.file.path()) {
            Some(tier) => Err(TableError::TierNotReplaced { tier }),
            None => Ok(destination),
        }
    }

    /// As [`create`](Destination::create), for the table of a tier in its folder.
    pub(crate) fn of_tier(path: &Path) -> Result<Destination, TableError> {
        Destination::at(path, false)
    }

    /// Makes sure that a table can be written at `path`, where it replaces any regular file.
    ///
    /// # Errors
    /// As [`create`](Destination::create), but neither for a file that is no table nor for the place of a
    /// tier.
    pub fn overwrite(path: impl AsRef<Path>) -> Result<Destination, TableError> {
        Destination::at(path.as_ref(), true)
    }

    fn at(path: &Path, replaces_anything: bool) -> Result<Destination, TableError> {
        let existing = file_at(path)?;
        if let (Some(existing), false) = (&existing, replaces_anything) {
            check_is_table(path, existing)?;
        }
        let file = Unfinished::create(path, existing.as_ref())?;
        let threads = available_parallelism().map_or(1, usize::from);
        let compression = Compression::default();
        Ok(Destination { file, compression, outcomes_only: false, threads })
    }

    /// Sets how hard the table is compressed.
    #[must_use]
    pub fn with(self, compression: Compression) -> Destination {
        Destination { compression, ..self }
    }

    /// Writes outcomes alone: who wins, and not in how many plies. They take two bits a state before
    /// they are compressed. Such a table answers only [`Query::verdict`](crate::Query::verdict) and
    /// [`Query::moves`](crate::Query::moves).
    #[must_use]
    pub fn with_outcomes_only(self) -> Destination {
        Destination { outcomes_only: true, ..self }
    }

    /// Sets how many threads make the table, which makes no difference to the file. Default: as many as
    /// there are cores.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Destination {
        Destination { threads: threads.max(1), ..self }
    }

    /// Writes a table, which then lacks its name alone.
    pub(crate) fn write(
        self,
        contents: Contents<'_>,
        progress: &mut OnProgress<'_>,
    ) -> Result<UnnamedTable, TableError> {
        let Destination { file, compression, outcomes_only, threads } = self;
        let Contents { mut header, remembered, read, states, check, others } = contents;
        if outcomes_only {
            header.outcomes_only = true;
            check_limit(&header)?;
        }
        let read: &ReadValues<'_> = &reading(outcomes_only, read);
        let contents = Contents { header, remembered, read, states, check, others };
        let folder = file.folder().to_owned();
        let mut writer = BufWriter::new(file);
        let helped = others.map(|others| Helped { others, folder: &folder, outcomes_only });
        let length = write_table(&mut writer, contents, helped, compression, threads, progress)?;
        check()?;
        let file = writer
            .into_inner()
            .map_err(|error| TableError::io("write the table")(error.into_error()))?;
        // Once all is written, a request to stop has nothing left to stop.
        let _ = progress(Progress::Syncing { bytes: length });
        file.sync().map_err(TableError::io("write the table to disk"))?;
        Ok(UnnamedTable { file, length })
    }
}

/// A table that is complete, and lacks its name alone: of several, none replaces an older one before all
/// are written. Dropped, it is removed.
#[derive(Debug)]
pub(crate) struct UnnamedTable {
    file: Unfinished,
    length: u64,
}

impl UnnamedTable {
    /// Gives the table its name; returns its length in bytes.
    pub(crate) fn name(self) -> Result<u64, TableError> {
        self.file.name().map_err(TableError::io("give the table its name"))?;
        Ok(self.length)
    }
}

/// Makes sure that a ply limit, if there is one, decides no state, not even after a move. Without
/// distances nobody could tell which.
fn check_limit(header: &Header) -> Result<(), TableError> {
    let longest = header.summary.longest().unwrap_or(0);
    match header.rules.ply_limit {
        Some(limit) if longest >= limit || header.summary.beyond_limit() > 0 => {
            Err(TableError::LimitWithoutDistances { limit, longest })
        }
        _ => Ok(()),
    }
}

/// The contents of a table that is going to be written.
pub(crate) struct Contents<'c> {
    pub(crate) header: Header,
    pub(crate) remembered: Vec<Remembered>,
    /// Reads the packed values.
    pub(crate) read: &'c ReadValues<'c>,
    /// The states in the order of their indices, where no formula tells them.
    pub(crate) states: Option<&'c dyn ListedStates>,
    /// Whether all values that were read are right, before the table gets its name.
    pub(crate) check: &'c dyn Fn() -> Result<(), TableError>,
    /// The other processes that have values, where several make the table.
    pub(crate) others: Option<&'c dyn Others>,
}

fn write_table(
    writer: &mut (impl Write + Seek),
    contents: Contents<'_>,
    helped: Option<Helped<'_>>,
    compression: Compression,
    threads: usize,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let Contents { header, remembered, read, states, .. } = contents;
    let failed = TableError::io("write the table");
    writer.write_all(&[0; FRAME_BYTES]).map_err(&failed)?;
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(threads, &mut progress);
    let len = header.len;
    let written = Written::nothing_of(len + states.map_or(0, |_| len));

    let sampler = &mut Sampler { read, pool: &mut pool, helped };
    let plan = ValuePlan::make(&header, compression, sampler)?;
    let format = BlockFormat {
        palette: plan.palette.values().to_vec(),
        filled: plan.fills_holes,
        block_values: plan.block_values,
        block_states: BLOCK_STATES,
    };
    let mut parts = Parts { writer, offset: FRAME_BYTES as u64, seed: Seed::Header };
    let record = codec::encode(&HeaderRecord { header, remembered, format })
        .and_then(|record| packing::pack(&record, compression))
        .map_err(|problem| TableError::malformed("the header", problem))?;
    let header = parts.append("the header", &record)?;
    parts.seed = Seed::Table(header.checksum);
    let dictionary = match &plan.dictionary {
        Some(dictionary) => parts.append("the dictionary", &dictionary.compressed)?,
        None => Section::NONE,
    };
    let mut frame = Frame::new(0, header, dictionary);

    frame.values = parts.append_values(&plan, read, helped, &written, &mut pool)?;
    if let Some(states) = states {
        frame.states = parts.append_states(states, compression, helped, &written, &mut pool)?;
    }
    frame.file_length = parts.offset;
    let bytes = frame.to_bytes().map_err(|problem| TableError::malformed("the frame", problem))?;
    writer.seek(SeekFrom::Start(0)).map_err(&failed)?;
    writer.write_all(&bytes).map_err(&failed)?;
    Ok(frame.file_length)
}

/// The parts of a table, written one behind the other.
struct Parts<'w, W> {
    writer: &'w mut W,
    offset: u64,
    seed: Seed,
}

impl<W: Write> Parts<'_, W> {
    fn append(&mut self, part: &str, bytes: &[u8]) -> Result<Section, TableError> {
        if bytes.len() > codec::LONGEST_RECORD {
            return Err(TableError::malformed(part, "is too long to be read back"));
        }
        let section = Section::of(self.offset, bytes, self.seed);
        self.writer.write_all(bytes).map_err(TableError::io("write the table"))?;
        self.offset += section.length;
        Ok(section)
    }

    /// Appends the blocks of values and their directory; returns where the directory begins.
    fn append_values(
        &mut self,
        plan: &ValuePlan,
        read: &ReadValues<'_>,
        helped: Option<Helped<'_>>,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<u64, TableError> {
        let all = 0..plan.len.div_ceil(plan.block_values);
        let mut sections = Vec::new();
        let mut take = |_: &mut WorkerPool<'_>, bytes: Vec<u8>| {
            sections.push(self.append("a block of values", &bytes)?);
            Ok(())
        };
        match helped {
            None => make_values(plan, all, read, written, pool, &mut take)?,
            Some(helped) => helped.values(plan, read, written, pool, &mut take)?,
        }
        self.append_directory(&sections)
    }

    /// Appends the blocks of states of all levels and their directory; returns where the directory
    /// begins.
    fn append_states(
        &mut self,
        states: &dyn ListedStates,
        compression: Compression,
        helped: Option<Helped<'_>>,
        written: &Written,
        pool: &mut WorkerPool<'_>,
    ) -> Result<u64, TableError> {
        let mut sections = Vec::new();
        let mut take = |_: &mut WorkerPool<'_>, bytes: Vec<u8>| {
            sections.push(self.append("a block of states", &bytes)?);
            Ok(())
        };
        let len = states.len();
        // Each level has the first state of every block of the level below.
        let mut step = 1;
        for level in iter::once(len).chain(levels(len, BLOCK_STATES)) {
            let records = |first, count| states.records(first, step, count);
            let all = 0..level.div_ceil(BLOCK_STATES);
            let of = (level, step);
            match helped.filter(|_| step == 1) {
                None => make_states(of, all, compression, &records, written, pool, &mut take)?,
                Some(helped) => helped.states(states, compression, written, pool, &mut take)?,
            }
            step *= BLOCK_STATES;
        }
        self.append_directory(&sections)
    }

    /// Appends the directory of these sections; returns where it begins.
    fn append_directory(&mut self, sections: &[Section]) -> Result<u64, TableError> {
        let start = self.offset;
        let bytes = directory::encode(sections, start, self.seed);
        self.writer.write_all(&bytes).map_err(TableError::io("write the table"))?;
        self.offset += bytes.len() as u64;
        Ok(start)
    }
}
