//! Makes tables of outcomes from tables with distances.

use std::ops::ControlFlow;

use crate::error::TableError;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Tiering};
use crate::numbering::scheme::Numbered;
use crate::runtime::progress::{OnProgress, Progress};
use crate::table::folder::TierFolder;
use crate::table::open::TableFile;
use crate::table::records::Header;
use crate::table::rewrite::write_anew;
use crate::table::storage::Storage;
use crate::table::write::TableWriter;
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
            write_file::<G, I, S>(table.file()?, game, 0, destination.begin()?, progress)
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
            write_file::<G, I, _>(file, game, tier, writer, progress)
                .map_err(TableError::at(&path))?;
        }
        bytes += outcomes.table(tier)?.file_length();
    }
    Ok(bytes)
}

/// Writes the outcomes of a file to another file.
fn write_file<G: Stored, I: Indexing<G>, S: Storage>(
    file: &TableFile<S>,
    game: &G,
    tier: usize,
    writer: TableWriter,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    let header = Header { outcomes_only: true, ..file.header().clone() };
    write_anew::<G, I, S>(file, game, tier, header, writer, progress)
}
