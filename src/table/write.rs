//! Writing a table: whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::available_parallelism;

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::error::TableError;
use crate::runtime::pool::{WorkerPool, lock};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::codec;
use crate::table::directory;
use crate::table::frame::{FRAME_BYTES, Frame, Section, Seed};
use crate::table::plan::{Sample, ValuePlan};
use crate::table::records::{BLOCK_STATES, BLOCK_VALUES, Header, HeaderRecord, TableLayout};
use crate::table::states;
use crate::table::states::levels;
use crate::table::unfinished;
use crate::table::values::{Compression, without_distance};

/// How long a game's parameters may be, in bytes of JSON. The rest of the longest record that is
/// read is room for the header's figures.
const LONGEST_PARAMETERS: usize = codec::LONGEST_RECORD - (1 << 21);

/// A place where a table is going to be: a temporary file in the same folder until the table is
/// complete, which then takes the name at once. Where anything fails before, or the destination is
/// dropped, the temporary file is removed and what was there before stays. One that a killed program
/// left there is removed by the next that makes a destination of the same name.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    file: NamedTempFile,
    compression: Compression,
    outcomes_only: bool,
    threads: usize,
}

/// How many blocks are made by each thread before they are written, where they are of the usual size.
const BLOCKS_A_THREAD: u64 = 8;

impl Destination {
    /// Makes sure that a table can be written at `path`, before the work of solving is done.
    ///
    /// # Errors
    /// When `path` exists and is no regular file, or does not name one, or the folder does not take
    /// a new file.
    pub fn create(path: impl AsRef<Path>) -> Result<Destination, TableError> {
        let path = path.as_ref();
        let failed = TableError::io("look at the destination");
        let path = &match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Err(TableError::NotAFile),
            // A link stays, and what it leads to is replaced.
            Ok(_) => fs::canonicalize(path).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(failed(error)),
        };
        // What ends in a separator names a folder; `file_name` would overlook that.
        let written = path.as_os_str().as_encoded_bytes();
        let name = path
            .file_name()
            .filter(|name| written.ends_with(name.as_encoded_bytes()))
            .ok_or(TableError::NotAFile)?;
        fs::metadata(folder_of(path)).map_err(TableError::io("find the destination's folder"))?;
        let file = unfinished::create(folder_of(path), name)
            .map_err(TableError::io("create a file in the destination's folder"))?;
        let threads = available_parallelism().map_or(1, usize::from);
        let (path, compression) = (path.into(), Compression::default());
        Ok(Destination { path, file, compression, outcomes_only: false, threads })
    }

    /// The same, to be written so.
    #[must_use]
    pub fn with(self, compression: Compression) -> Destination {
        Destination { compression, ..self }
    }

    /// The same, for outcomes alone: who wins, and not in how many plies. Two bits a state before
    /// they are compressed. Such a table answers [`Query::verdict`](crate::Query::verdict) and
    /// [`Query::moves`](crate::Query::moves) alone.
    #[must_use]
    pub fn with_outcomes_only(self) -> Destination {
        Destination { outcomes_only: true, ..self }
    }

    /// The same, made by so many threads; without it, by as many as there are cores. It makes no
    /// difference to the file.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Destination {
        Destination { threads: threads.max(1), ..self }
    }

    /// Writes a table and gives it its name; returns its length in bytes.
    pub(crate) fn write<S: Serialize + Sync>(
        self,
        contents: Contents<'_, S>,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        let Destination { path, file, compression, outcomes_only, threads } = self;
        let Contents { mut header, value, states } = contents;
        if outcomes_only {
            header.outcomes_only = true;
            check_limit(&header)?;
        }
        let outcome = |number| without_distance(value(number));
        let value = if outcomes_only { &outcome } else { value };
        let contents = Contents { header, value, states };
        let mut writer = BufWriter::new(file);
        let length = write_table(&mut writer, contents, compression, threads, progress)?;
        let file = writer
            .into_inner()
            .map_err(|error| TableError::io("write the table")(error.into_error()))?;
        file.as_file().sync_all().map_err(TableError::io("write the table to disk"))?;
        file.persist(&path)
            .map_err(|error| TableError::io("give the table its name")(error.error))?;
        if cfg!(unix) {
            // The new name is on disk once its folder is. Where that can't be asked for, the table
            // is there all the same.
            let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
        }
        Ok(length)
    }
}

/// Makes sure that a ply limit, if there is one, cuts nothing off, not even after a move: what it cuts
/// off can't be told without distances.
fn check_limit(header: &Header) -> Result<(), TableError> {
    let longest = header.summary.longest().unwrap_or(0);
    match header.rules.ply_limit {
        Some(limit) if longest >= limit || header.summary.beyond_limit() > 0 => {
            Err(TableError::LimitWithoutDistances { limit, longest })
        }
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What there is to write.
pub(crate) struct Contents<'c, S> {
    pub(crate) header: Header,
    /// The packed value of each number.
    pub(crate) value: &'c (dyn Fn(u64) -> u16 + Sync),
    /// The states in the order of their numbers, where no formula tells them.
    pub(crate) states: Option<&'c [S]>,
}

fn write_table<S: Serialize + Sync>(
    writer: &mut (impl Write + Seek),
    contents: Contents<'_, S>,
    compression: Compression,
    threads: usize,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let Contents { header, value, states } = contents;
    let bytes = header.parameters.len();
    if bytes > LONGEST_PARAMETERS {
        return Err(TableError::ParametersTooLong { bytes, most: LONGEST_PARAMETERS });
    }
    let failed = TableError::io("write the table");
    writer.write_all(&[0; FRAME_BYTES]).map_err(&failed)?;
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(threads, &mut progress);
    let len = header.len;
    let levels = states.map_or(Vec::new(), |_| levels(len, BLOCK_STATES));
    let of = len + states.map_or(0, |_| len);

    let sight = &mut Sample { value, pool: &mut pool, of };
    let plan = ValuePlan::make(&header, compression, sight)?;
    let arrangement = TableLayout {
        list: plan.list.values().to_vec(),
        filled: plan.is_filled(),
        block_values: plan.block_values,
        block_states: BLOCK_STATES,
    };
    let mut parts = Parts { writer, offset: FRAME_BYTES as u64, seed: Seed::Header };
    let record = codec::encode(&HeaderRecord { header, arrangement })
        .and_then(|record| codec::pack(&record, compression))
        .map_err(|problem| TableError::malformed("the header", problem))?;
    let header = parts.append("the header", &record)?;
    parts.seed = Seed::Table(header.checksum);
    let dictionary = match &plan.dictionary {
        Some(dictionary) => parts.append("the dictionary", &dictionary.compressed)?,
        None => Section::NONE,
    };
    let mut frame = Frame::new(0, header, dictionary);

    let prepared = plan.prepare()?;
    let encoders = Mutex::new(Vec::new());
    let sections = parts.append_all(
        "a block of values",
        &mut pool,
        Blocks {
            count: len.div_ceil(plan.block_values),
            threads: plan.most_threads(),
            a_thread: (BLOCKS_A_THREAD * BLOCK_VALUES / plan.block_values).max(1),
            done: 0,
            of,
        },
        |block| {
            let numbers = plan.numbers(block);
            let taken = lock(&encoders).pop();
            let mut encoder = match taken {
                Some(encoder) => encoder,
                None => plan.encoder(prepared.as_ref()).map_err(|error| error.to_string())?,
            };
            let states = numbers.end - numbers.start;
            let encoded = plan.encode(&mut encoder, numbers, value);
            let encoded = encoded.map_err(|error| error.to_string())?;
            lock(&encoders).push(encoder);
            Ok((encoded, states))
        },
    )?;
    frame.values = parts.append_directory(&sections)?;

    if let Some(states) = states {
        let mut sections = Vec::new();
        // Each level has the first state of every block of the level below.
        let mut apart = 1;
        for level in iter::once(len).chain(levels) {
            let blocks = Blocks {
                count: level.div_ceil(BLOCK_STATES),
                threads: usize::MAX,
                a_thread: BLOCKS_A_THREAD,
                done: if apart == 1 { len } else { of },
                of,
            };
            sections.extend(parts.append_all("a block of states", &mut pool, blocks, |block| {
                let numbers = (block * BLOCK_STATES..level).take(BLOCK_STATES as usize);
                let block: Vec<&S> =
                    numbers.map(|number| &states[(number * apart) as usize]).collect();
                let encoded = states::encode(&block, compression)?;
                Ok((encoded, if apart == 1 { block.len() as u64 } else { 0 }))
            })?);
            apart *= BLOCK_STATES;
        }
        frame.states = parts.append_directory(&sections)?;
    }

    frame.file_length = parts.offset;
    let bytes = frame.to_bytes().map_err(|problem| TableError::malformed("the frame", problem))?;
    writer.seek(SeekFrom::Start(0)).map_err(&failed)?;
    writer.write_all(&bytes).map_err(&failed)?;
    Ok(frame.file_length)
}

/// Blocks that are written one behind the other.
struct Blocks {
    count: u64,
    /// By how many threads they are made at most.
    threads: usize,
    /// How many are made by each thread before they are written.
    a_thread: u64,
    /// How many states were done before.
    done: u64,
    /// Of how many in all.
    of: u64,
}

/// Parts written one behind the other.
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

    /// Appends so many blocks in order. `encode` makes one, and says how many states are done with
    /// it; those that are written together are made at the same time.
    fn append_all(
        &mut self,
        part: &str,
        pool: &mut WorkerPool<'_>,
        Blocks { count: blocks, threads, a_thread, mut done, of }: Blocks,
        encode: impl Fn(u64) -> Result<(Vec<u8>, u64), String> + Sync,
    ) -> Result<Vec<Section>, TableError> {
        let threads = pool.threads().min(threads);
        let same_tier = threads as u64 * a_thread;
        let mut sections = Vec::new();
        for first in (0..blocks).step_by(same_tier as usize) {
            let pieces = (first..blocks.min(first + same_tier)).collect();
            let event = |more| Progress::Writing { done: done + more, of };
            let encoded = pool.run_by(threads, pieces, event, |block, token| {
                let encoded = encode(block);
                // Whether to stop is asked before the next are made.
                let _ = token.done(encoded.as_ref().map_or(0, |&(_, states)| states));
                encoded.map_err(|problem| TableError::malformed(part, problem))
            })?;
            for (bytes, states) in encoded {
                sections.push(self.append(part, &bytes)?);
                done += states;
            }
        }
        Ok(sections)
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
