//! Saving what was solved: in a file, or in a folder of tiers.

use std::ops::ControlFlow;
use std::path::Path;

use crate::error::TableError;
use crate::numbering::NumberingKind;
use crate::numbering::indexing::{Indexing, IndexingVisitor};
use crate::numbering::scheme::{Scheme, Solvable, Usual};
use crate::runtime::pool::WorkerPool;
#[cfg(feature = "cluster")]
use crate::solve::SolvedWindow;
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::{
    OnProgress, Resources, Solution, SolvedPart, Solver, TierFigures, solve_in_memory,
};
use crate::summary::Summary;
use crate::table::fingerprint::remember;
use crate::table::folder;
use crate::table::records::Header;
#[cfg(feature = "cluster")]
use crate::table::together::AllWindows;
use crate::table::values::ReadValues;
use crate::table::write::{Contents, UnnamedTable};
use crate::table::{Compression, Destination, Stored, bytes_to_write, parameters};
use crate::value::Rules;

impl<G: Stored> Solution<'_, G> {
    /// Writes the table to `path`: a file, or a folder with a file for each tier if the game was
    /// solved in tiers. A file appears whole or not at all. Returns the length of the files, in
    /// bytes.
    ///
    /// # Errors
    /// When it can't be written, or a file at `path` is not a table ([`Destination::create`]). What
    /// was at `path` before is then still there.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<u64, TableError> {
        let (path, progress) = (path.as_ref(), &mut |_| ControlFlow::Continue(()));
        if !self.has_tiers() {
            return self.save_to(Destination::create(path)?, progress);
        }
        folder::save_tiers(self, path, progress)
    }

    /// Writes the table of a game without tiers to a destination, and reports progress. Returns the
    /// length of the file, in bytes.
    ///
    /// # Errors
    /// When the file can't be written, the game was solved in tiers, or `progress` interrupts.
    pub fn save_to(
        &self,
        destination: Destination,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, TableError> {
        self.write_to(destination, progress)?.name()
    }

    /// As [`save_to`](Solution::save_to), up to the table's name.
    pub(crate) fn write_to(
        &self,
        destination: Destination,
        progress: &mut OnProgress<'_>,
    ) -> Result<UnnamedTable, TableError> {
        if self.has_tiers() {
            let (found, expected) = (self.numbering().name().into(), "one without tiers".into());
            return Err(TableError::OtherNumbering { found, expected });
        }
        write_part(self.game(), self.part(0), self.summary(), destination, progress)
    }
}

/// Writes a part of a solved game to a file; returns the length of the file in bytes.
pub(crate) fn save_part<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    summary: &Summary,
    destination: Destination,
    progress: &mut OnProgress<'_>,
) -> Result<u64, TableError> {
    write_part(game, part, summary, destination, progress)?.name()
}

/// As [`save_part`], up to the file's name.
fn write_part<G: Stored>(
    game: &G,
    part: SolvedPart<'_, G>,
    summary: &Summary,
    destination: Destination,
    progress: &mut OnProgress<'_>,
) -> Result<UnnamedTable, TableError> {
    let SolvedPart { kind, len, values, states, witnesses } = part;
    let header = header(game, kind, len, summary)?;
    let remembered = remember(game, kind, witnesses);
    let read: &ReadValues<'_> = &|first, packed| values.read(first, packed);
    let check: &dyn Fn() -> Result<(), TableError> = &|| Ok(());
    let contents = Contents { header, remembered, read, states, check, others: None };
    destination.write(contents, progress)
}

/// Writes a game that several processes have solved, up to the file's name.
#[cfg(feature = "cluster")]
pub(crate) fn write_window<G: Stored>(
    game: &G,
    window: &SolvedWindow<'_, G>,
    AllWindows { read, states, check, others }: AllWindows<'_>,
    destination: Destination,
    progress: &mut OnProgress<'_>,
) -> Result<UnnamedTable, TableError> {
    let &SolvedWindow { kind, len, summary, witnesses, .. } = window;
    let header = header(game, kind, len, summary)?;
    let remembered = remember(game, kind, witnesses);
    let others = Some(others);
    destination.write(Contents { header, remembered, read, states, check, others }, progress)
}

/// The header of a table of these figures.
fn header<G: Stored>(
    game: &G,
    numbering: NumberingKind,
    len: u64,
    summary: &Summary,
) -> Result<Header, TableError> {
    Ok(Header {
        game: G::NAME.into(),
        parameters: parameters(game)?,
        numbering,
        len,
        rules: Rules::of(game),
        outcomes_only: false,
        summary: summary.clone(),
    })
}

impl<'g, 'p, G: Stored> Solver<'g, 'p, G> {
    /// Solves the game in its usual numbering and writes the table to `path`: a file, or a folder
    /// with a file for each tier if that numbering has tiers. Each file is written as soon as its
    /// tier is solved. Returns the figures of the tiers; a game without tiers is one tier.
    ///
    /// A folder is made if it is not there. Tiers that it already has are not solved again, so that
    /// the same call resumes a run that was interrupted. Their files are read and checked. A damaged
    /// one is reported ([`Progress::Damaged`](crate::solve::Progress::Damaged)), and its tier is solved
    /// again.
    ///
    /// In memory are the tier that is being solved and the tiers that its moves lead to, at 1 or 2
    /// bytes a state and with their listed states. Where there is room, tiers that later ones need
    /// stay too. Discovered states are in files of the folder until their tier is solved. A run
    /// that was interrupted while it discovered states begins anew.
    ///
    /// # Errors
    /// As [`solve`](Solver::solve); and when the file or folder can't be written, the folder is of
    /// something else or damaged, or another run writes into it.
    pub fn solve_into(self, path: impl AsRef<Path>) -> Result<Vec<TierFigures>, TableError>
    where
        G: Solvable,
    {
        let compression = Compression::default();
        self.solve_into_as::<Usual<G>>(path, None, compression)
    }

    /// Solves the game in the numbering of a [scheme](crate::scheme), and writes the table to a
    /// file or folder with this compression. `only` is the name of a tier: that tier and those that
    /// it needs are solved. Otherwise as [`solve_into`](Solver::solve_into).
    ///
    /// # Errors
    /// As [`solve_into`](Solver::solve_into), and when there is no tier of that name.
    pub fn solve_into_as<S: Scheme<G>>(
        self,
        path: impl AsRef<Path>,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, TableError> {
        let path = path.as_ref();
        let solver = self.saving(bytes_to_write);
        if !S::HAS_TIERS {
            if let Some(name) = only {
                let known = format!("none, since {} has no tiers", S::NAME);
                return Err(TableError::NoSuchTier { name: name.into(), known });
            }
            let destination = Destination::create(path)?.with(compression);
            return solver.with_pool(|game, resources, store, pool| {
                let destination = destination.with_threads(pool.threads());
                let solution = solve_in_memory::<G, S>(game, resources, store, pool)?;
                let bytes = solution.save_to(destination, pool.on_progress())?;
                let tiers = solution.tiers().iter().cloned();
                Ok(tiers.map(|tier| TierFigures { bytes: Some(bytes), ..tier }).collect())
            });
        }
        solver.with_pool(|game, resources, checkpoints, pool| {
            let into = SolveInto { game, path, only, compression, resources, checkpoints, pool };
            S::visit(game, into)
        })
    }
}

/// Solves a game tier by tier into a folder.
struct SolveInto<'r, 'k, 'c, G: Stored> {
    game: &'r G,
    path: &'r Path,
    only: Option<&'r str>,
    compression: Compression,
    resources: Resources<G>,
    checkpoints: Option<&'k mut (dyn CheckpointStore + 'k)>,
    pool: &'r mut WorkerPool<'c>,
}

impl<G: Stored> IndexingVisitor<G> for SolveInto<'_, '_, '_, G> {
    type Output = Result<Vec<TierFigures>, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let SolveInto { game, path, only, compression, resources, checkpoints, pool } = self;
        folder::solve_into::<G, I>(game, path, only, compression, resources, checkpoints, pool)
    }
}
