//! The place where a table is going to be written, with all options of writing.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::error::TableError;
use crate::runtime::progress::{OnProgress, Progress, unheard};
use crate::table::Compression;
use crate::table::folder::tier_at;
use crate::table::write::TableWriter;

/// The place where a table is going to be written: a file, or a folder with a file for each tier.
///
/// Whatever writes a table takes a path, or a destination with options:
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// # let outcomes = folder.path().join("outcomes.rtb");
/// use retrograde::table::{Compression, Destination};
/// use retrograde::{Solver, Table};
///
/// let game = Nim { counters: 21 };
/// Solver::new(&game).solve_into(&path)?;
/// let destination = Destination::at(&outcomes).compression(Compression::SMALL).outcomes_only();
/// Table::open(&path)?.save_outcomes(&game, destination)?;
/// assert!(Table::open(&outcomes)?.has_outcomes_only());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An incomplete table is a temporary file in the same folder, which is renamed once it is
/// complete. If anything fails before, the temporary file is removed and an older table stays. The
/// temporary file of a killed program is removed by the next one that writes the same file.
///
/// A table replaces an older one, or an empty file, and takes over its permissions. Where the path
/// is a symbolic link, the link stays and the file that it leads to is replaced.
#[must_use = "nothing is written before a solution, a solver or a table takes it"]
pub struct Destination<'p> {
    pub(crate) path: PathBuf,
    pub(crate) compression: Compression,
    pub(crate) outcomes_only: bool,
    pub(crate) only_tier: Option<String>,
    overwrite: bool,
    threads: Option<usize>,
    progress: Option<Box<OnProgress<'p>>>,
}

impl<'p, P: AsRef<Path>> From<P> for Destination<'p> {
    fn from(path: P) -> Destination<'p> {
        Destination::at(path)
    }
}

impl<'p> Destination<'p> {
    /// The file or the folder at `path`, with the usual options.
    pub fn at(path: impl AsRef<Path>) -> Self {
        Destination {
            path: path.as_ref().to_owned(),
            compression: Compression::default(),
            outcomes_only: false,
            only_tier: None,
            overwrite: false,
            threads: None,
            progress: None,
        }
    }

    /// Sets how hard files are compressed.
    pub fn compression(self, compression: Compression) -> Self {
        Destination { compression, ..self }
    }

    /// Writes outcomes only: who wins, but not in how many plies. They take two bits a state before
    /// compression. Such a table answers only [`Prober::verdict`](crate::Prober::verdict) and
    /// [`Prober::moves`](crate::Prober::moves). A game in tiers needs the distances of its solved tiers:
    /// write its tables first, and then their outcomes with
    /// [`Table::save_outcomes`](crate::Table::save_outcomes).
    pub fn outcomes_only(self) -> Self {
        Destination { outcomes_only: true, ..self }
    }

    /// Solves and writes only the tier of this name and the tiers that it needs. Default: all tiers.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::Solver;
    /// use retrograde::table::Destination;
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// let tiers = Solver::new(&game).solve_into(Destination::at(&folder).only_tier("2-left"))?;
    /// let names: Vec<&str> = tiers.iter().map(|tier| &*tier.name).collect();
    /// assert_eq!(names, ["0-left", "1-left", "2-left"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn only_tier(self, name: impl Into<String>) -> Self {
        Destination { only_tier: Some(name.into()), ..self }
    }

    /// Replaces any regular file at the path, also one that is no table.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::Solver;
    /// use retrograde::table::Destination;
    ///
    /// std::fs::write(&path, "this is no table")?;
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// assert!(solution.save(&path).is_err());
    /// solution.save(Destination::at(&path).overwrite())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overwrite(self) -> Self {
        Destination { overwrite: true, ..self }
    }

    /// Sets how many threads make the table, which makes no difference to the file. Default: as many as
    /// there are cores; a solver uses its own.
    pub fn threads(self, threads: usize) -> Self {
        Destination { threads: Some(threads), ..self }
    }

    /// Calls `report` while the table is written. If it returns `Break`, writing ends with an error
    /// that says so ([`TableError::is_interrupted`]). A solver reports to its own function
    /// ([`Solver::on_progress`](crate::Solver::on_progress)) instead.
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
    /// let destination = Destination::at(&path).on_progress(|_| ControlFlow::Break(()));
    /// let error = Solver::new(&game).solve()?.save(destination).unwrap_err();
    /// assert!(error.is_interrupted() && !path.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_progress(self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        Destination { progress: Some(Box::new(report)), ..self }
    }

    /// Makes sure that a table can be written to a file here, before the work of solving is done.
    ///
    /// # Errors
    /// When there is a file at the path that is neither a table nor empty, the place of a tier in a
    /// folder of tiers, a symbolic link that leads nowhere, or something else than a regular file; when
    /// the path does not name a file, or the folder does not take a new file. Those of the first two
    /// kinds may be [overwritten](Destination::overwrite).
    pub fn check(&self) -> Result<(), TableError> {
        self.begin().map(drop)
    }

    /// Begins a table in a file.
    pub(crate) fn begin(&self) -> Result<TableWriter, TableError> {
        let writer = TableWriter::at(&self.path, self.overwrite)?;
        if !self.overwrite
            && let Some(tier) = tier_at(writer.path())
        {
            return Err(TableError::TierNotReplaced { tier });
        }
        let writer = writer.compression(self.compression).outcomes_only(self.outcomes_only);
        Ok(match self.threads {
            Some(threads) => writer.threads(threads),
            None => writer,
        })
    }

    /// The function that is told the progress.
    pub(crate) fn take_progress(&mut self) -> Box<OnProgress<'p>> {
        self.progress.take().unwrap_or_else(unheard)
    }
}

impl fmt::Debug for Destination<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Destination { path, compression, outcomes_only, only_tier, overwrite, threads, .. } =
            self;
        formatter
            .debug_struct("Destination")
            .field("path", path)
            .field("compression", compression)
            .field("outcomes_only", outcomes_only)
            .field("only_tier", only_tier)
            .field("overwrite", overwrite)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}
