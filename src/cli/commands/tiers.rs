//! `solve` for a game in tiers.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ArgMatches;
use indicatif::HumanCount;
use serde_json::json;

use crate::cli::commands::solve::{Outcomes, compression};
use crate::cli::commands::{checkpoints, resources};
use crate::cli::entry::{TiersWay, from_folder};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::error::SolveError;
use crate::error::{FolderError, TableError};
use crate::game::{Game, Tiered};
use crate::query::Query;
use crate::solve::tiers::TierFigures;
use crate::summary::Summary;
use crate::table::TierFolder;
use crate::value::Verdict;

/// What came of a run.
struct Solved<'o> {
    tiers: Vec<TierFigures>,
    /// What the start is worth, if that was solved.
    start: Option<Verdict>,
    /// Where outcomes alone were written, and how long those files are.
    outcomes: Option<(&'o PathBuf, u64)>,
}

/// Solves a game tier by tier, stores the tiers where that is asked for, and prints the figures.
pub(crate) fn run<G: Registered + Tiered, W: TiersWay<G>>(
    game: &G,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    session.begin_work();
    let folder = options.get_one::<PathBuf>("output");
    if checkpoints::are_wanted(options) && folder.is_none() {
        return Err(CliError::usage(
            "a game in tiers goes on from the tiers that are finished, and from a checkpoint within \
             one: --checkpoint needs --output beside it",
        ));
    }
    let outcomes = match Outcomes::of(options)? {
        Outcomes::No => None,
        Outcomes::Beside(path) if folder.is_some() => Some(path),
        Outcomes::Beside(_) | Outcomes::InPlace => {
            return Err(CliError::usage(
                "tiers are solved by the distances of others: write outcomes to a folder of their \
                 own beside the tables, with --output FOLDER --outcome-only=FOLDER",
            ));
        }
    };
    let mut kept = checkpoints::open(options, session)?;
    let begin = Instant::now();
    let mut solver = resources::solver(game, options);
    if let Some(kept) = &mut kept {
        solver = solver.checkpoints(kept).map_err(CliError::failed)?;
    }
    let solver = solver.on_progress(|progress| session.report(progress));
    let mut solved = match folder {
        None => {
            let solution = W::solve(solver).map_err(|error| match error {
                SolveError::Interrupted => CliError::failed("interrupted: nothing was written"),
                error => error.into(),
            })?;
            let start = start(game, &solution);
            Solved { tiers: solution.tiers().to_vec(), start, outcomes: None }
        }
        Some(folder) => {
            let tier = options.get_one::<String>("tier").map(String::as_str);
            let solved = W::solve_into(solver, folder, tier, compression(options));
            let tiers = solved.map_err(|error| explain(error, folder))?;
            let folder = TierFolder::open(folder).map_err(from_folder)?;
            let start = start(game, &folder.prober_by::<G, W>(game).map_err(from_folder)?);
            Solved { tiers, start, outcomes: None }
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    if let Some((folder, outcomes)) = folder.zip(outcomes) {
        let tables = TierFolder::open(folder).map_err(from_folder)?;
        let tables = match resources::threads(options) {
            Some(threads) => tables.with_threads(threads),
            None => tables,
        };
        let progress = &mut |progress| session.report(progress);
        let written = W::write_outcomes(game, &tables, outcomes, compression(options), progress);
        solved.outcomes = Some((outcomes, written.map_err(|error| explain(error, folder))?));
    }
    report(game, &solved, seconds, folder, session)?;
    checkpoints::clear(kept)
}

/// What the start position is worth, as far as it is solved.
fn start<Q: Query>(game: &Q::Game, query: &Q) -> Option<Verdict> {
    query.verdict(game.roots().first()?).ok()
}

fn explain(error: FolderError, folder: &Path) -> CliError {
    match error {
        FolderError::Solve(SolveError::Interrupted)
        | FolderError::Table { source: TableError::Interrupted, .. }
            if TierFolder::open(folder).is_err() =>
        {
            CliError::failed("interrupted before the states were discovered: nothing is kept")
        }
        FolderError::Solve(SolveError::Interrupted)
        | FolderError::Table { source: TableError::Interrupted, .. } => CliError::failed(format!(
            "interrupted: the tiers that were finished are in {}, and the same command goes on \
                 from there",
            folder.display()
        )),
        error => from_folder(error),
    }
}

fn report<G: Registered>(
    game: &G,
    solved: &Solved<'_>,
    seconds: f64,
    folder: Option<&PathBuf>,
    session: &mut Session,
) -> Result<(), CliError> {
    let Solved { tiers, start, outcomes } = solved;
    let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
    let start = game.roots().into_iter().next().zip(*start);
    let bytes = folder.map(|_| tiers.iter().filter_map(|tier| tier.bytes).sum::<u64>());
    session.answer(
        || {
            let mut object = json!({
                "game": G::NAME,
                "states": summary.states(),
                "wins": output::wins(game, &summary),
                "draws": summary.draws(),
                "endless": summary.endless(),
                "longest": summary.longest(),
                "start": start.as_ref().map(|(state, verdict)| {
                    output::position(game, state, *verdict)
                }),
                "seconds": seconds,
                "bytes": bytes,
                "tiers": output::tiers_json(game, tiers),
            });
            output::add_outcome_bytes(&mut object, outcomes.map(|(_, bytes)| bytes));
            object
        },
        || {
            let states = HumanCount(summary.states());
            let count = tiers.len();
            let mut text =
                format!("{}: {states} states in {count} tiers solved in {seconds:.3} s\n", G::NAME);
            let found = tiers.iter().filter(|tier| tier.found).count();
            if found > 0 {
                text += &format!("{found} of the tiers had been solved before\n");
            }
            text += &output::tiers(tiers);
            text += &output::figures(&output::counts(game, &summary));
            if let Some((state, verdict)) = &start {
                let words = output::verdict(game, *verdict);
                text += &format!("from {}: {words}\n", game.write_state(state));
            }
            for (folder, bytes) in folder.zip(bytes).into_iter().chain(*outcomes) {
                text += &format!("wrote {}: {} bytes\n", folder.display(), HumanCount(bytes));
            }
            text
        },
    )
}
