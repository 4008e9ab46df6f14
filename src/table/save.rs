//! Saves solved games: in a file, or in a folder of tiers.

use std::path::Path;

use crate::error::{SolveError, TableError};
use crate::numbering::indexing::{Indexing, IndexingVisitor};
use crate::numbering::scheme::{Numbered, Scheme, Usual};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::{Resources, Solution, SolvedPart, Solver, TierFigures, solve_and_save};
use crate::table::folder;
use crate::table::solved::{write_alone, write_part};
use crate::table::write::{TableWriter, UnnamedTable, bytes_to_write};
use crate::table::{Compression, Destination, Stored};

impl<G: Stored> Solution<'_, G> {
    /// Writes the table to a path, or to a [`Destination`] with options: a file, or a folder with a file
    /// for each tier if the game was solved in tiers. A file appears whole or not at all. Returns the
    /// length of the files, in bytes.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::Solver;
    /// use retrograde::table::{Compression, Destination};
    ///
    /// let game = Nim { counters: 21 };
    /// let solution = Solver::new(&game).solve()?;
    /// let bytes = solution.save(&path)?;
    /// assert_eq!(bytes, std::fs::metadata(&path)?.len());
    /// solution.save(Destination::at(&path).compression(Compression::FAST))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table can't be written ([`Destination::check`]); the previous content of the path then
    /// remains. When the destination wants outcomes only or one tier of a solution in tiers. When its
    /// progress function interrupts.
    pub fn save<'p>(&self, to: impl Into<Destination<'p>>) -> Result<u64, TableError> {
        let mut destination = to.into();
        let mut progress = destination.take_progress();
        check_tiers(&destination, self.has_tiers(), self.numbering().name())?;
        if !self.has_tiers() {
            return self.write_to(destination.begin()?, &mut *progress)?.name();
        }
        if destination.only_tier.is_some() {
            return Err(TableError::NotInTiers {
                asked: "one tier of a solution",
                instead: "save all tiers, or solve into the destination",
            });
        }
        folder::save_tiers(self, &destination.path, destination.compression, &mut *progress)
    }

    /// Writes the table of a game without tiers, without giving the file its name.
    pub(crate) fn write_to(
        &self,
        writer: TableWriter,
        progress: &mut OnProgress<'_>,
    ) -> Result<UnnamedTable, TableError> {
        if self.has_tiers() {
            let (found, expected) = (self.numbering().name().into(), "one without tiers".into());
            return Err(TableError::OtherNumbering { found, expected });
        }
        write_alone(self.game(), self.part(0), writer, progress)
    }
}

/// Solves a game in a scheme without tiers, and writes it by some writers. Among several
/// processes, only the first has writers. `solved` is called between solving and writing.
/// Returns the figures and the lengths of the files.
pub(crate) fn solve_to_files<'s, G: Stored, S: Scheme<G>>(
    game: &G,
    resources: Resources<G>,
    checkpoints: Option<&'s mut (dyn CheckpointStore + 's)>,
    writers: Vec<TableWriter>,
    solved: &mut dyn FnMut(&mut WorkerPool<'_>) -> Result<(), SolveError>,
    pool: &mut WorkerPool<'_>,
) -> Result<(TierFigures, Vec<u64>), TableError> {
    let (mut writers, mut lengths) = (Some(writers), Vec::new());
    let mut save = |part: SolvedPart<'_, G>, pool: &mut WorkerPool<'_>| {
        solved(pool)?;
        let written = write_part(game, part, writers.take().unwrap_or_default(), pool)?;
        // No older table is replaced before all new ones are written.
        lengths = written.into_iter().map(UnnamedTable::name).collect::<Result<_, _>>()?;
        Ok(lengths.first().copied())
    };
    let solution =
        solve_and_save::<G, S, TableError>(game, resources, checkpoints, &mut save, pool)?;
    // A game without tiers is one tier.
    Ok((solution.tiers()[0].clone(), lengths))
}

impl<G: Stored> Solver<'_, '_, G> {
    /// Solves the game in its usual numbering and writes the table to a path, or to a [`Destination`] with
    /// options: a file, or a folder with a file for each tier if the numbering has tiers. Each file is
    /// written as soon as its tier is solved. Returns the figures of the tiers; a game without tiers is
    /// one tier.
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
    /// is of another game or damaged, when another run writes into it, or when there is no tier of the
    /// name wanted.
    pub fn solve_into<'d>(
        self,
        to: impl Into<Destination<'d>>,
    ) -> Result<Vec<TierFigures>, TableError>
    where
        G: Numbered,
    {
        self.solve_into_as::<Usual<G>>(to)
    }

    /// Solves the game in the numbering of a [scheme](crate::scheme), which the game need not list, and
    /// writes the table: see [`solve_into`](Solver::solve_into).
    ///
    /// ```
    /// # use kit::games::Nim;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("nim.rtb");
    /// use retrograde::{Solver, scheme};
    ///
    /// let game = Nim { counters: 21 };
    /// let figures = Solver::new(&game).solve_into_as::<scheme::Hashed>(&path)?;
    /// assert_eq!(figures[0].bytes, Some(std::fs::metadata(&path)?.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`solve_into`](Solver::solve_into).
    pub fn solve_into_as<'d, S: Scheme<G>>(
        self,
        to: impl Into<Destination<'d>>,
    ) -> Result<Vec<TierFigures>, TableError> {
        let destination = to.into();
        check_tiers(&destination, S::INFO.has_tiers, S::INFO.name)?;
        let solver = match destination.compression.compresses() {
            true => self.saving(bytes_to_write),
            false => self,
        };
        if !S::INFO.has_tiers {
            let writer = destination.begin()?;
            return solver.with_pool(|game, resources, store, pool| {
                let nothing = &mut |_: &mut WorkerPool<'_>| Ok(());
                solve_to_files::<G, S>(game, resources, store, vec![writer], nothing, pool)
                    .map(|(figures, _)| vec![figures])
            });
        }
        let Destination { path, only_tier, compression, .. } = &destination;
        let (compression, only) = (*compression, only_tier.as_deref());
        solver.with_pool(|game, resources, checkpoints, pool| {
            let into = SolveInto { game, path, only, compression, resources, checkpoints, pool };
            S::visit(game, into)
        })
    }
}

/// Refuses options of a destination that tables in tiers, or only these, can't have.
fn check_tiers(
    Destination { outcomes_only, only_tier, .. }: &Destination<'_>,
    in_tiers: bool,
    numbering: &str,
) -> Result<(), TableError> {
    match only_tier {
        Some(name) if !in_tiers => {
            let known = format!("none, since {numbering} has no tiers");
            Err(TableError::NoSuchTier { name: name.clone(), known })
        }
        _ if in_tiers && *outcomes_only => Err(TableError::NotInTiers {
            asked: "outcomes only of a game that is solved in tiers",
            instead: "write its tables first, and then the outcomes of these",
        }),
        _ => Ok(()),
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
