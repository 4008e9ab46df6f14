//! Makes tables of outcomes from tables with distances.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::TableError;
use crate::game::one_line;
use crate::game::value::UNUSED;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Lookup, Tiering};
use crate::numbering::scheme::Numbered;
use crate::numbering::{Numbering, Part, StateForm};
use crate::runtime::memory::Array;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::folder::{TierFolder, load_indices};
use crate::table::loaded::LoadedValues;
use crate::table::open::TableFile;
use crate::table::records::Header;
use crate::table::storage::Storage;
use crate::table::write::{Body, Head, TableWriter};
use crate::table::{Destination, Stored, Table};

impl<S: Storage> Table<S> {
    /// Writes the outcomes of the table, without distances, to a path or a [`Destination`]: a file, or
    /// another folder if the table is a folder of tiers. All solved tiers are written, except those that
    /// are already there and not damaged. Returns the length of the files there, in bytes.
    ///
    /// Takes memory for the values of one tier, at 1 or 2 bytes each, its listed states, and a bit
    /// for each index.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// # retrograde::Solver::new(&Nim { counters: 21 }).solve_into(&path)?;
    /// # let outcomes = folder.path().join("outcomes.rtb");
    /// use retrograde::Table;
    ///
    /// Table::open(&path)?.save_outcomes(&Nim { counters: 21 }, &outcomes)?;
    /// assert!(Table::open(&outcomes)?.has_outcomes_only());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table can't be read or the outcomes can't be written, when a ply limit cuts
    /// something off, when the other folder is of something else or another run writes into it, and
    /// when the destination's progress function interrupts.
    pub fn save_outcomes<'p, G: Stored + Numbered>(
        &self,
        game: &G,
        to: impl Into<Destination<'p>>,
    ) -> Result<u64, TableError> {
        let mut destination = to.into().outcomes_only();
        let (progress, destination) = (&mut *destination.take_progress(), &destination);
        self.visit(game, WriteOutcomes { table: self, game, destination, progress })
    }
}

struct WriteOutcomes<'r, 'p, G, S> {
    table: &'r Table<S>,
    game: &'r G,
    destination: &'r Destination<'r>,
    progress: &'r mut OnProgress<'p>,
}

impl<G: Stored, S: Storage> IndexingVisitor<G> for WriteOutcomes<'_, '_, G, S> {
    type Output = Result<u64, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let WriteOutcomes { table, game, destination, progress } = self;
        // The condition is constant, so only one branch is compiled.
        if I::Tiering::HAS_TIERS {
            let folder = table.folder()?;
            folder.check_is_of::<G, I>(game)?;
            write_tiers::<G, I, S>(folder, game, destination, progress)
        } else {
            write_part::<G, I, S>(table.file()?, game, 0, destination.begin()?, progress)
        }
    }
}

/// Writes the outcomes of the solved tiers of a folder to another folder.
fn write_tiers<G: Stored, I: Indexing<G>, S: Storage>(
    folder: &TierFolder<S>,
    game: &G,
    Destination { path, compression, .. }: &Destination<'_>,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let compression = *compression;
    let outcomes = folder.make_for_outcomes::<G>(path)?;
    outcomes.take_over::<G, I>(game, compression, progress)?;
    let solved: Vec<usize> = folder.solved().collect();
    let mut bytes = 0;
    for (done, &tier) in solved.iter().enumerate() {
        let event = Progress::Tier { done: done as u64, of: solved.len() as u64 };
        let path = outcomes.file(tier);
        if progress(event).is_break() {
            return Err(TableError::at(&path)(TableError::Interrupted));
        }
        let is_there = match outcomes.check_tier(tier, progress) {
            Err(error) if error.is_damage() => match progress(Progress::Damaged { tier }) {
                ControlFlow::Continue(()) => false,
                ControlFlow::Break(()) => return Err(TableError::Interrupted),
            },
            checked => checked?,
        };
        if !is_there {
            let file = folder.table_of::<G, I>(tier, game)?;
            let writer = TableWriter::of_tier(&path, compression).map_err(TableError::at(&path))?;
            write_part::<G, I, _>(file, game, tier, writer, progress)
                .map_err(TableError::at(&path))?;
        }
        bytes += outcomes.table(tier)?.file_length();
    }
    Ok(bytes)
}

/// Writes the outcomes of a file to another file.
fn write_part<G: Stored, I: Indexing<G>, S: Storage>(
    file: &TableFile<S>,
    game: &G,
    tier: usize,
    writer: TableWriter,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let header = Header { outcomes_only: true, ..file.header().clone() };
    write_anew::<G, I, S>(file, game, tier, header, writer, progress)
}

/// Writes the values of a file, which is of this tier of this game, to another file with another header.
/// Values are packed as the header says. Returns the length of the file, in bytes.
pub(crate) fn write_anew<G: Stored, I: Indexing<G>, S: Storage>(
    file: &TableFile<S>,
    game: &G,
    tier: usize,
    header: Header,
    writer: TableWriter,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let writer = writer.threads(file.limits.threads()).outcomes_only(header.outcomes_only);
    let values = file.load_values(progress)?;
    let write = |state: &G::State| one_line(&game.state_text(state));
    let indices = load_indices::<G, I, S>(file, game, &write, progress)?;
    let numbering = Part::<G, I>::new(game, tier, indices, Vec::new());
    let used = match I::Lookup::FORM {
        StateForm::Formula => UsedIndices::of(&numbering, file.limits.threads(), progress)?,
        _ => UsedIndices::All,
    };
    let (before, scale) = (file.header().rules.scale(), header.rules.scale());
    let does_not_fit = AtomicBool::new(false);
    let pack = |packed: u16| match before.unpack(packed) {
        _ if before == scale => packed,
        Ok(Some(value)) if scale.fits(value) => scale.pack(value),
        Ok(None) => UNUSED,
        _ => {
            does_not_fit.store(true, Ordering::Relaxed);
            UNUSED
        }
    };
    let read = &|first: u64, packed: &mut [u16]| {
        (first..).zip(packed).for_each(|(index, value)| *value = pack(used.value(&values, index)));
    };
    let states = I::Lookup::listed(&numbering.indices);
    let body = Body { len: header.len, read, scale, states };
    let head = Head { header, remembered: file.remembered().to_vec() };
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(writer.thread_count(), &mut progress);
    let written = writer.write(head, &body, &mut pool)?;
    match does_not_fit.into_inner() {
        true => Err(TableError::malformed("the table", "has a value that the game can't store")),
        false => written.name(),
    }
}

/// The indices that have a state. A table with distances may store arbitrary values at unused
/// indices, chosen to compress well. Among outcomes they need not compress well.
enum UsedIndices {
    All,
    /// A bit for each index.
    These(Array<u64>),
}

/// The number of words of bits that each task fills.
const WORDS: usize = 1 << 10;

impl UsedIndices {
    fn of<N: Numbering + Sync>(
        numbering: &N,
        threads: usize,
        progress: &mut OnProgress<'_>,
    ) -> Result<UsedIndices, TableError> {
        let len = numbering.len();
        let bits = u64::from(u64::BITS);
        let mut words: Array<u64> = Array::zeroed(len.div_ceil(bits), "the states of a tier")?;
        let tasks: Vec<(usize, &mut [u64])> = words.chunks_mut(WORDS).enumerate().collect();
        let size = if tasks.len() > 1 { Size::Big } else { Size::Small };
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(threads, &mut progress);
        let event = |_| Progress::Writing { done: 0, of: len };
        let work = |(at, words): (usize, &mut [u64]), token: &dyn CancellationToken| {
            let first = (at * WORDS) as u64 * bits;
            let end = len.min(first + words.len() as u64 * bits);
            numbering.states_in(first..end, |index, _| {
                words[((index - first) / bits) as usize] |= 1 << (index % bits);
            });
            match token.done(0).is_break() {
                true => Err(TableError::Interrupted),
                false => Ok(()),
            }
        };
        pool.run(size, tasks, event, work)?;
        Ok(UsedIndices::These(words))
    }

    /// The packed value of an index, or [`UNUSED`] for an unused index.
    fn value(&self, values: &LoadedValues, index: u64) -> u16 {
        let bits = u64::from(u64::BITS);
        match self {
            UsedIndices::These(words)
                if words[(index / bits) as usize] >> (index % bits) & 1 == 0 =>
            {
                UNUSED
            }
            _ => values.packed(index).unwrap_or(UNUSED),
        }
    }
}
