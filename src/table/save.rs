//! Saves solved games: in a file, or in a folder of tiers.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{SolveError, TableError};
use crate::game::Game;
use crate::game::summary::Summary;
use crate::game::value::Rules;
use crate::numbering::NumberingKind;
use crate::numbering::indexing::{Indexing, IndexingVisitor};
use crate::numbering::scheme::{Numbered, Scheme, Usual};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::unheard;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::{
    OnProgress, Resources, Solution, SolvedPart, Solver, TierFigures, solve_and_save,
};
use crate::table::agree::of_first;
use crate::table::fingerprint::remember;
use crate::table::folder;
use crate::table::records::Header;
use crate::table::values::ReadValues;
use crate::table::write::{Body, Head, TableForm, UnnamedTable, bytes_to_write, help};
use crate::table::{Compression, Destination, Stored, parameters};

impl<G: Stored> Solution<'_, G> {
    /// Writes the table to `path`: a file, or a folder with a file for each tier if the game was
    /// solved in tiers. A file appears whole or not at all. Returns the length of the files, in
    /// bytes.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::Solver;
    ///
    /// let game = Nim { counters: 21 };
    /// let bytes = Solver::new(&game).solve()?.save(&path)?;
    /// assert_eq!(bytes, std::fs::metadata(&path)?.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table can't be written, or a file at `path` is not a table
    /// ([`Destination::create`]). The previous content of `path` then remains.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<u64, TableError> {
        let path = path.as_ref();
        if !self.has_tiers() {
            return self.save_to(Destination::create(path)?);
        }
        folder::save_tiers(self, path, &mut *unheard())
    }

    /// Writes the table of a game without tiers to a destination. Returns the length of the file, in
    /// bytes.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::Solver;
    /// use retrograde::table::{Compression, Destination};
    ///
    /// let game = Nim { counters: 21 };
    /// let destination = Destination::create(&path)?.compression(Compression::FAST);
    /// let bytes = Solver::new(&game).solve()?.save_to(destination)?;
    /// assert_eq!(bytes, std::fs::metadata(&path)?.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file can't be written, the game was solved in tiers, or the destination's progress
    /// function interrupts.
    pub fn save_to(&self, destination: Destination<'_>) -> Result<u64, TableError> {
        let (destination, mut progress) = destination.split_progress();
        self.write_to(destination, &mut *progress)?.name()
    }

    /// As [`save_to`](Solution::save_to), but without giving the file its name.
    pub(crate) fn write_to(
        &self,
        destination: Destination<'_>,
        progress: &mut OnProgress<'_>,
    ) -> Result<UnnamedTable, TableError> {
        if self.has_tiers() {
            let (found, expected) = (self.numbering().name().into(), "one without tiers".into());
            return Err(TableError::OtherNumbering { found, expected });
        }
        write_alone(self.game(), self.part(0), destination, progress)
    }
}

/// Writes a part that one process solved to a file, up to the file's name.
pub(crate) fn write_alone<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    destination: Destination<'_>,
    progress: &mut OnProgress<'_>,
) -> Result<UnnamedTable, TableError> {
    let mut progress = |event| progress(event);
    let mut pool = WorkerPool::new(destination.thread_count(), &mut progress);
    let mut written = write_part(game, part, vec![destination], &mut pool)?;
    // One destination, one table.
    Ok(written.remove(0))
}

/// Writes a solved part to some destinations, up to the names of the files. Among several
/// processes, the first has the destinations and the others help it.
pub(crate) fn write_part<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    destinations: Vec<Destination<'_>>,
    pool: &mut WorkerPool<'_>,
) -> Result<Vec<UnnamedTable>, TableError> {
    let SolvedPart { kind, len, values, states, summary, witnesses } = part;
    let start = values.indices().start;
    let read: &ReadValues<'_> = &|first, packed| values.read(first - start, packed);
    let body = Body { len, read, scale: values.scale(), states };
    let forms = destinations.iter().map(Destination::form).collect();
    let forms: Vec<TableForm> = of_first(pool.is_first().then_some(forms), pool)?;
    let mut destinations = destinations.into_iter();
    let mut written = Vec::new();
    for form in forms {
        let Some(destination) = destinations.next() else {
            help(form, &body, pool)?;
            continue;
        };
        let header = header(game, kind, len, summary)?;
        let head = Head { header, remembered: remember(game, kind, witnesses) };
        written.push(destination.write(head, &body, pool)?);
    }
    Ok(written)
}

/// Solves a game in a scheme without tiers, and writes it to some destinations. Among several
/// processes, only the first has destinations. `solved` is called between solving and writing.
/// Returns the figures and the lengths of the files.
pub(crate) fn solve_to_files<'s, G: Stored, S: Scheme<G>>(
    game: &G,
    resources: Resources<G>,
    checkpoints: Option<&'s mut (dyn CheckpointStore + 's)>,
    destinations: Vec<Destination<'_>>,
    solved: &mut dyn FnMut(&mut WorkerPool<'_>) -> Result<(), SolveError>,
    pool: &mut WorkerPool<'_>,
) -> Result<(TierFigures, Vec<u64>), TableError> {
    let (mut destinations, mut lengths) = (Some(destinations), Vec::new());
    let mut save = |part: SolvedPart<'_, G>, pool: &mut WorkerPool<'_>| {
        solved(pool)?;
        let written = write_part(game, part, destinations.take().unwrap_or_default(), pool)?;
        // No older table is replaced before all new ones are written.
        lengths = written.into_iter().map(UnnamedTable::name).collect::<Result<_, _>>()?;
        Ok(lengths.first().copied())
    };
    let solution =
        solve_and_save::<G, S, TableError>(game, resources, checkpoints, &mut save, pool)?;
    // A game without tiers is one tier.
    Ok((solution.tiers()[0].clone(), lengths))
}

/// The header of a table with these figures.
fn header<G: Stored>(
    game: &G,
    numbering: NumberingKind,
    len: u64,
    summary: &Summary,
) -> Result<Header, TableError> {
    Ok(Header {
        game: game.name().into(),
        parameters: parameters(game)?,
        numbering,
        len,
        rules: Rules::of_game(game),
        outcomes_only: false,
        summary: summary.clone(),
    })
}

impl<'g, 'p, G: Stored> Solver<'g, 'p, G> {
    /// Solves the game in its usual numbering and writes the table to `path`: a file, or a folder
    /// with a file for each tier if the numbering has tiers. Each file is written as soon as its
    /// tier is solved. Returns the figures of the tiers; a game without tiers is one tier.
    ///
    /// A missing folder is created. Tiers that are already in the folder are not solved again, so
    /// the same call resumes an interrupted run. Their files are read and checked. A damaged file
    /// is reported ([`Progress::Damaged`](crate::solve::Progress::Damaged)), and its tier is solved
    /// again.
    ///
    /// In memory are the current tier and the tiers that its moves lead to, at 1 or 2 bytes a
    /// state, and their listed states. If there is room, tiers that later ones need stay too.
    /// Discovered states are in files of the folder until their tier is solved. A run that was
    /// interrupted while it discovered states starts over.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::Solver;
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// let tiers = Solver::new(&game).solve_into(&folder)?;
    /// assert_eq!((&*tiers[6].name, tiers[6].found), ("6-left", false));
    /// // The same call finds the tiers in the folder.
    /// assert!(Solver::new(&game).solve_into(&folder)?[6].found);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Solver::solve). Also when the file or folder can't be written, when the folder
    /// is of another game or damaged, or when another run writes into it.
    pub fn solve_into(self, path: impl AsRef<Path>) -> Result<Vec<TierFigures>, TableError>
    where
        G: Numbered,
    {
        self.table_at(path).solve()
    }

    /// A run that solves the game and writes its table to `path`, as [`solve_into`](Solver::solve_into)
    /// does, with options for the table: its compression, its numbering, and which tiers are solved.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::table::Compression;
    /// use retrograde::{Solver, Table};
    ///
    /// let game = Nim { counters: 21 };
    /// Solver::new(&game).threads(2).table_at(&path).compression(Compression::SMALL).solve()?;
    /// assert_eq!(Table::open(&path)?.game_name(), "nim");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_at(self, path: impl AsRef<Path>) -> TableSolver<'g, 'p, G> {
        let path = path.as_ref().into();
        TableSolver { solver: self, path, compression: Compression::default(), only: None }
    }
}

/// A run that solves a game and writes its table, with its options: see [`Solver::table_at`].
///
/// ```
/// # use kit::games::Nim;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("nim.rtb");
/// use retrograde::table::Compression;
/// use retrograde::{Solver, scheme};
///
/// let game = Nim { counters: 21 };
/// let table = Solver::new(&game).table_at(&path).compression(Compression::Plain);
/// let figures = table.solve_as::<scheme::Hashed>()?;
/// assert_eq!(figures[0].bytes, Some(std::fs::metadata(&path)?.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is solved or written before `solve` is called"]
pub struct TableSolver<'g, 'p, G: Game> {
    solver: Solver<'g, 'p, G>,
    path: PathBuf,
    compression: Compression,
    only: Option<String>,
}

impl<G: Stored> TableSolver<'_, '_, G> {
    /// Sets how hard the files are compressed.
    pub fn compression(self, compression: Compression) -> Self {
        TableSolver { compression, ..self }
    }

    /// Solves only the tier of this name and the tiers that it needs. Default: all tiers.
    ///
    /// ```
    /// # use kit::games::TwoHeaps;
    /// # let folder = tempfile::tempdir()?;
    /// use retrograde::Solver;
    ///
    /// let game = TwoHeaps { heaps: [3, 3] };
    /// let tiers = Solver::new(&game).table_at(&folder).only_tier("2-left").solve()?;
    /// let names: Vec<&str> = tiers.iter().map(|tier| &*tier.name).collect();
    /// assert_eq!(names, ["0-left", "1-left", "2-left"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn only_tier(self, name: impl Into<String>) -> Self {
        TableSolver { only: Some(name.into()), ..self }
    }

    /// Solves the game in its usual numbering, and writes the table. Returns the figures of the tiers.
    ///
    /// # Errors
    /// As [`Solver::solve_into`], and when there is no tier of the name given.
    pub fn solve(self) -> Result<Vec<TierFigures>, TableError>
    where
        G: Numbered,
    {
        self.solve_as::<Usual<G>>()
    }

    /// Solves the game in the numbering of a [scheme](crate::scheme), which the game need not list, and
    /// writes the table. Returns the figures of the tiers.
    ///
    /// # Errors
    /// See [`solve`](TableSolver::solve).
    pub fn solve_as<S: Scheme<G>>(self) -> Result<Vec<TierFigures>, TableError> {
        let TableSolver { solver, path, compression, only } = self;
        let (path, only) = (path.as_path(), only.as_deref());
        let solver = solver.saving(bytes_to_write);
        if !S::HAS_TIERS {
            if let Some(name) = only {
                let known = format!("none, since {} has no tiers", S::NAME);
                return Err(TableError::NoSuchTier { name: name.into(), known });
            }
            let destination = Destination::create(path)?.compression(compression);
            return solver.with_pool(|game, resources, store, pool| {
                let to = vec![destination];
                let nothing = &mut |_: &mut WorkerPool<'_>| Ok(());
                solve_to_files::<G, S>(game, resources, store, to, nothing, pool)
                    .map(|(figures, _)| vec![figures])
            });
        }
        solver.with_pool(|game, resources, checkpoints, pool| {
            let into = SolveInto { game, path, only, compression, resources, checkpoints, pool };
            S::visit(game, into)
        })
    }
}

impl<G: Game> fmt::Debug for TableSolver<'_, '_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableSolver { solver, path, compression, only } = self;
        formatter
            .debug_struct("TableSolver")
            .field("solver", solver)
            .field("path", path)
            .field("compression", compression)
            .field("only", only)
            .finish()
    }
}

/// Solves a game tier by tier into a folder.
pub(crate) struct SolveInto<'r, 'k, 'c, G: Stored> {
    pub(crate) game: &'r G,
    pub(crate) path: &'r Path,
    pub(crate) only: Option<&'r str>,
    pub(crate) compression: Compression,
    pub(crate) resources: Resources<G>,
    pub(crate) checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pub(crate) pool: &'r mut WorkerPool<'c>,
}

impl<G: Stored> IndexingVisitor<G> for SolveInto<'_, '_, '_, G> {
    type Output = Result<Vec<TierFigures>, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let SolveInto { game, path, only, compression, resources, checkpoints, pool } = self;
        folder::solve_into::<G, I>(game, path, only, compression, resources, checkpoints, pool)
    }
}
