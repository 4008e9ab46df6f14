//! `solve`: solves a game and writes its table, alone or as one of several processes.

mod checkpoints;
pub(in crate::program::cli) mod many;
mod options;
mod run;
mod solved;
#[cfg(feature = "cluster")]
mod together;
// `together` of a program that is built without several processes: the same items, for runs of one
// process.
#[cfg(not(feature = "cluster"))]
#[path = "alone.rs"]
mod together;
mod work;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ArgMatches;

pub(in crate::program::cli) use options::{arguments, with_tiers};

use crate::error::{Bytes, SolveError, TableError};
use crate::laws;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Tiering as _};
use crate::numbering::scheme::{Scheme, SchemeVisitor};
use crate::program::asking::start;
use crate::program::cli::commands::{destinations, resources};
use crate::program::cli::numberings::{has_tiers, in_scheme};
use crate::program::cli::session::Session;
use crate::program::cli::wording::Position;
use crate::program::cli::{CliError, Registered};
use crate::query::view::View;
use crate::solve::Solution;
use crate::table::folder::check_for_outcomes;
use crate::table::write::{TableWriter, UnnamedTable};
use crate::table::{Destination, Table, parameters};
use options::{Outcomes, TIER, Tables};
use run::Run;
use solved::Solved;
use work::Target;

/// Whether this process prints the game's notes. If it only starts others, the first of them does.
pub(in crate::program::cli) fn says_notes(options: &ArgMatches) -> bool {
    !together::is_supervisor(options)
}

/// Names the command `laws` if the laws of the game do not seem to be checked: its tests do not
/// check them, and its table does not exist yet. Moves of a board that is not marked as turned get wrong
/// names, which a solve does not need and people would believe.
pub(in crate::program::cli) fn note_laws<G: Registered>(
    game: &G,
    options: &ArgMatches,
    session: &Session,
) {
    let is_there = options.get_one::<PathBuf>("output").is_some_and(|path| path.exists());
    if !G::LAWS_ARE_TESTED && !is_there {
        let (program, name) = (session.program(), G::NAME);
        session.note(&format!(
            "a solve looks at a sample of the rules; `{program} laws {name}` checks them on all \
             states"
        ));
        // Rules in another language are asked once about each state, and their moves have other names.
        if !G::PREPARES
            && let Some(wrong) = laws::look_at_boards(game)
        {
            session.note(&format!("names of moves may be wrong: {wrong}"));
        }
    }
}

/// Solves a game, writes the table if the options name one, and prints the figures.
pub(in crate::program::cli) fn run<G: Registered>(
    shared: &Arc<G>,
    numbering: &str,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    together::check(numbering, options)?;
    if together::is_supervisor(options) {
        return together::supervise(options, session);
    }
    // First of all, so that Ctrl-C never leaves a temporary file behind.
    session.begin_work();
    let tables = &Tables::from_options(options)?;
    if tables.are_wanted() {
        // Parameters that can't be stored are refused before anything is solved.
        parameters(&**shared)?;
    } else {
        session.keeps_nothing(if has_tiers(numbering) { "FOLDER" } else { "FILE" });
    }
    let run = Run::new(shared, numbering, options);
    if has_tiers(numbering) {
        return tiers(run, tables, session);
    }
    if matches!(options.try_get_one::<String>(TIER), Ok(Some(_))) {
        return Err(CliError::usage(format!(
            "--{TIER} needs a numbering in tiers, not {numbering}: choose one with --numbering"
        )));
    }
    whole(run, tables, session)
}

/// Solves a game without tiers, and writes its files. Of several processes, the first one writes
/// and prints.
fn whole<G: Registered>(
    mut run: Run<'_, G>,
    tables: &Tables,
    session: &mut Session,
) -> Result<(), CliError> {
    let outcomes = tables.outcomes()?;
    run.take_part(session)?;
    let planned = if run.writes() { tables.planned(outcomes, run.options)? } else { Vec::new() };
    let (paths, writers): (Vec<&PathBuf>, Vec<TableWriter>) = planned.into_iter().unzip();
    let done = run.solve(Target::Files(writers), session)?;
    let done = done.map_err(|error| run.failed(error, None))?;
    if !run.writes() {
        return run.clear();
    }
    let seconds = run.seconds_until(done.solved);
    let (start, written) = match done.solution {
        Some((solution, writers)) => {
            let written = write_all(&solution, writers, session);
            if written.is_err() {
                run.save(&solution, session);
            }
            let written = written.map_err(|(file, error)| match error {
                TableError::Interrupted => run.failed(error, None),
                error => CliError::table(paths[file])(error),
            })?;
            (start_of(solution.view()), written)
        }
        None => (start_in(run.shared, paths[0])?, done.written),
    };
    let mut written = paths.into_iter().zip(written);
    let table = if tables.output.is_some() { written.next() } else { None };
    let outcomes = written.next();
    run.report(
        Solved { tiers: done.tiers, in_tiers: false, start, seconds, table, outcomes },
        session,
    )
}

/// Writes all tables before any of them replaces an older one. Returns the length of each, or the
/// error and which of them failed.
fn write_all<G: Registered>(
    solution: &Solution<'_, G>,
    writers: Vec<TableWriter>,
    session: &mut Session,
) -> Result<Vec<u64>, (usize, TableError)> {
    let mut write = |(file, writer)| {
        let written = solution.write_to(writer, &mut |progress| session.report(progress));
        written.map_err(|error| (file, error))
    };
    write_each(writers, &mut write)
}

/// Writes all tables before any of them gets its name. Compiled once for all games.
fn write_each(
    writers: Vec<TableWriter>,
    write: &mut dyn FnMut((usize, TableWriter)) -> Result<UnnamedTable, (usize, TableError)>,
) -> Result<Vec<u64>, (usize, TableError)> {
    let tables = writers.into_iter().enumerate().map(write);
    let tables: Vec<UnnamedTable> = tables.collect::<Result<_, _>>()?;
    let name = |(file, table): (usize, UnnamedTable)| table.name().map_err(|error| (file, error));
    tables.into_iter().enumerate().map(name).collect()
}

/// Solves a game in tiers, writes the tiers if the options name a folder, and prints the figures.
/// Of several processes, the first one writes and prints.
fn tiers<G: Registered>(
    mut run: Run<'_, G>,
    tables: &Tables,
    session: &mut Session,
) -> Result<(), CliError> {
    let Run { shared, game, numbering, options, .. } = run;
    let folder = tables.output.as_ref();
    if checkpoints::are_wanted(options) && folder.is_none() {
        return Err(CliError::usage(
            "--checkpoint needs --output FOLDER: a game in tiers resumes from the tables of its \
             finished tiers",
        ));
    }
    let outcomes = match tables.outcomes()? {
        Outcomes::No => None,
        Outcomes::Beside(path) if folder.is_some() => Some(path),
        Outcomes::Beside(_) | Outcomes::InPlace => {
            return Err(CliError::usage(
                "a game in tiers is solved from the distances of its finished tiers: write \
                 outcomes beside the tables, with --output FOLDER --outcomes-only=FOLDER",
            ));
        }
    };
    destinations::refuse_force(options)?;
    folder.into_iter().chain(outcomes).try_for_each(|path| destinations::check(path))?;
    let outcomes_path = outcomes.map(PathBuf::as_path);
    let prepared = in_scheme(numbering, Prepare { game, outcomes: outcomes_path })?;
    session.name_tiers(prepared.map_err(|error| match folder {
        Some(folder) => checkpoints::failed_in(folder, error),
        None => CliError::from(error),
    })?);
    run.take_part(session)?;
    let tier = options.get_one::<String>(TIER).map(String::as_str);
    let compression = tables.compression();
    let target = match folder {
        Some(path) => Target::Folder { path, tier, compression },
        None => Target::Files(Vec::new()),
    };
    let done = run.solve(target, session)?.map_err(|error| match folder {
        Some(_) => run.failed(error, folder),
        None => failed_in_memory(error),
    })?;
    if !run.writes() {
        return run.clear();
    }
    let seconds = run.seconds_until(done.solved);
    let tiers = done.tiers;
    let (start, table, outcomes) = match folder {
        None => (done.solution.and_then(|(solution, _)| start_of(solution.view())), None, None),
        Some(folder) => {
            let failed = |error| checkpoints::failed_in(folder, error);
            let mut table = Table::open(folder).map_err(failed)?;
            if let Some(threads) = resources::threads(options) {
                table = table.threads(threads);
            }
            let start = start_of(table.prober(shared.clone()).map_err(failed)?.view());
            let mut write = |path| {
                let to = Destination::at(path).compression(compression);
                let to = to.on_progress(|progress| session.report(progress));
                Ok::<_, CliError>((path, table.save_outcomes(game, to).map_err(failed)?))
            };
            let outcomes = outcomes.map(&mut write).transpose()?;
            let bytes = tiers.iter().filter_map(|tier| tier.bytes).sum();
            (start, Some((folder, bytes)), outcomes)
        }
    };
    run.report(Solved { tiers, in_tiers: true, start, seconds, table, outcomes }, session)
}

/// The error of the command for a failed run in tiers that keeps nothing.
fn failed_in_memory(error: TableError) -> CliError {
    match error {
        TableError::Solve(SolveError::Interrupted) => CliError::interrupted(
            "interrupted: nothing was written (with --output FOLDER, finished tiers are saved)",
        ),
        TableError::Solve(SolveError::OverLimit { in_files: Some(least), allowed, .. }) => {
            let in_files = "--output FOLDER, which keeps finished tiers in files";
            CliError::from(error).reworded(|error| match least <= allowed {
                true => format!("{error}, or use {in_files}"),
                false => format!("{error}; with {in_files}, {} are enough", Bytes(least)),
            })
        }
        error => error.into(),
    }
}

/// Makes sure that the outcomes of a game can be written to a folder, and finds the names of the
/// game's tiers in solving order.
struct Prepare<'g, G> {
    game: &'g G,
    outcomes: Option<&'g Path>,
}

impl<G: Registered> SchemeVisitor<G> for Prepare<'_, G> {
    type Output = Result<Vec<String>, TableError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        S::visit(self.game, self)
    }
}

impl<G: Registered> IndexingVisitor<G> for Prepare<'_, G> {
    type Output = Result<Vec<String>, TableError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        if let Some(path) = self.outcomes {
            check_for_outcomes::<G, I>(path, self.game)?;
        }
        Ok(I::Tiering::tiers(self.game).into_iter().map(|tier| tier.name).collect())
    }
}

/// The start position, if that is solved.
fn start_of<G: Registered>(solved: View<'_, G>) -> Option<Position> {
    let state = start(solved)?;
    let verdict = solved.verdict(&state).ok()?;
    Some(Position::new(solved.game, &state, verdict, false))
}

/// The start position in the file of a table, if it is there.
fn start_in<G: Registered>(game: &Arc<G>, path: &Path) -> Result<Option<Position>, CliError> {
    let failed = CliError::table(path);
    let table = Table::open(path).map_err(&failed)?;
    Ok(start_of(table.prober(game.clone()).map_err(&failed)?.view()))
}
