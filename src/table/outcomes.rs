//! Tables of outcomes alone, made from tables with distances.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::TableError;
use crate::game::one_line;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Lookup, Tiering};
use crate::numbering::scheme::Solvable;
use crate::numbering::{Numbering, Part, StateForm};
use crate::runtime::memory::Array;
use crate::runtime::pool::{CancellationToken, Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::folder::{TierFolder, load_indices};
use crate::table::loaded::LoadedValues;
use crate::table::open::TableFile;
use crate::table::storage::Storage;
use crate::table::write::{Body, Head};
use crate::table::{Compression, Destination, Stored, Table};
use crate::value::HOLE;

impl<S: Storage + Sync> Table<S> {
    /// Writes the outcomes of the table, without distances, to `path`: a file, or another folder if
    /// the table is a folder of tiers. All solved tiers are written, except those that are already
    /// at `path` and not damaged. Returns the length of the files at `path`, in bytes.
    ///
    /// Takes memory for the values of one tier, at 1 or 2 bytes each, its listed states, and a bit
    /// for each index.
    ///
    /// # Errors
    /// When the table can't be read or the outcomes can't be written, when a ply limit cuts
    /// something off, when the other folder is of something else or another run writes into it, and
    /// when `progress` interrupts.
    pub fn write_outcomes<G: Stored + Solvable>(
        &self,
        game: &G,
        path: impl AsRef<Path>,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        let path = path.as_ref();
        self.visit(game, WriteOutcomes { table: self, game, path, compression, progress })
    }
}

struct WriteOutcomes<'r, 'p, G, S> {
    table: &'r Table<S>,
    game: &'r G,
    path: &'r Path,
    compression: Compression,
    progress: &'r mut OnProgress<'p>,
}

impl<G: Stored, S: Storage + Sync> IndexingVisitor<G> for WriteOutcomes<'_, '_, G, S> {
    type Output = Result<u64, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let WriteOutcomes { table, game, path, compression, progress } = self;
        // A constant condition, so that only one of the two is compiled.
        if I::Tiering::HAS_TIERS {
            let folder = table.folder()?;
            folder.check_is_of::<G, I>(game)?;
            write_tiers::<G, I>(folder, game, path, compression, progress)
        } else {
            let destination = Destination::create(path)?.with(compression);
            write_part::<G, I, S>(table.file()?, game, 0, destination, progress)
        }
    }
}

/// Writes the outcomes of the solved tiers of a folder to another folder.
fn write_tiers<G: Stored, I: Indexing<G>>(
    folder: &TierFolder,
    game: &G,
    path: &Path,
    compression: Compression,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let outcomes = folder.make_for_outcomes(path)?;
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
            let destination = Destination::of_tier(&path).map_err(TableError::at(&path))?;
            write_part::<G, I, _>(file, game, tier, destination.with(compression), progress)
                .map_err(TableError::at(&path))?;
        }
        bytes += outcomes.table(tier)?.file_length();
    }
    Ok(bytes)
}

/// Writes the outcomes of a file to another file.
fn write_part<G: Stored, I: Indexing<G>, S: Storage + Sync>(
    file: &TableFile<S>,
    game: &G,
    tier: usize,
    destination: Destination,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let destination = destination.with_outcomes_only().with_threads(file.threads);
    let values = file.load_values(progress)?;
    let write = |state: &G::State| one_line(&game.state_text(state));
    let indices = load_indices::<G, I, S>(file, game, &write, progress)?;
    let numbering = Part::<G, I>::new(game, tier, indices, Vec::new());
    let used = match I::Lookup::FORM {
        StateForm::Formula => UsedIndices::of(&numbering, file.threads, progress)?,
        _ => UsedIndices::All,
    };
    let read = &|first: u64, packed: &mut [u16]| {
        (first..).zip(packed).for_each(|(index, value)| *value = used.value(&values, index));
    };
    let header = file.header().clone();
    let body = Body { len: header.len, read, states: I::Lookup::listed(&numbering.indices) };
    let head = Head { header, remembered: file.remembered().to_vec() };
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(destination.threads(), &mut progress);
    destination.write(head, &body, &mut pool)?.name()
}

/// Which indices have a state. A table with distances may have values at unused indices that
/// compress well there; they need not compress well among outcomes.
enum UsedIndices {
    All,
    /// A bit for each index.
    These(Array<u64>),
}

/// How many words of bits each task fills.
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

    /// The packed value of an index, or [`HOLE`] for an unused index.
    fn value(&self, values: &LoadedValues, index: u64) -> u16 {
        let bits = u64::from(u64::BITS);
        match self {
            UsedIndices::These(words)
                if words[(index / bits) as usize] >> (index % bits) & 1 == 0 =>
            {
                HOLE
            }
            _ => values.packed(index).unwrap_or(HOLE),
        }
    }
}
