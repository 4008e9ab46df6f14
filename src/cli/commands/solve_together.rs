//! `solve` as one of several processes: joining the others, solving, and what the first one prints.

use std::path::PathBuf;
use std::time::Instant;

use clap::ArgMatches;

use crate::cli::commands::solve::{Outcomes, TIER, chosen_compression, explain, planned, start_of};
use crate::cli::commands::solved::Solved;
use crate::cli::commands::{checkpoints, in_scheme, together};
use crate::cli::session::Session;
use crate::cli::words::Words;
use crate::cli::{CliError, Registered};
use crate::error::{SolveError, TableError};
use crate::table::{Checkpoints, Table};

/// Solves a game as one of several processes, of which the first writes the table and prints the
/// figures.
pub(super) fn whole<G: Registered>(
    game: &G,
    numbering: &str,
    member: &together::Member,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let outcomes = Outcomes::of(options)?;
    if member.writes() {
        together::note_not_shared::<G>(numbering, session);
    }
    let planned = if member.writes() { planned(outcomes, options)? } else { Vec::new() };
    let paths: Vec<&PathBuf> = planned.iter().map(|planned| planned.path).collect();
    let destinations = planned.into_iter().map(|planned| planned.destination).collect();
    let mut checkpoints = checkpoints::open_as(member.writes(), options)?;
    let begin = Instant::now();
    let cluster = member.join(game, numbering, checkpoints.is_some(), session)?;
    let mut solver = together::solver(game, options);
    if let Some(checkpoints) = &mut checkpoints {
        solver = solver.checkpoints(checkpoints).map_err(CliError::failed)?;
    }
    let solving = together::SolveAs { cluster, solver, destinations, session };
    let done = in_scheme(numbering, solving)?
        .map_err(|error| checkpoints::together(error, checkpoints.as_ref()))?;
    if !member.writes() {
        return checkpoints::clear(checkpoints);
    }
    together::note_sent(&done, session);
    let seconds = done.solved.unwrap_or_else(Instant::now).duration_since(begin).as_secs_f64();
    let written: Vec<_> = paths.into_iter().zip(done.written).collect();
    let in_place = outcomes == Outcomes::InPlace;
    let table = written.first().filter(|_| in_place || options.contains_id("output")).copied();
    let beside = written.get(usize::from(table.is_some())).copied();
    let start = match written.first() {
        Some((path, _)) => {
            let failed = CliError::table(path);
            let table = Table::open(path).map_err(&failed)?;
            start_of(&table.prober(game).map_err(&failed)?)
        }
        None => None,
    };
    let tiers = done.tiers;
    let solved = Solved { tiers, in_tiers: false, start, seconds, table, outcomes: beside };
    solved.report(G::NAME, &Words::of(game), session)?;
    checkpoints::clear(checkpoints)
}

/// Solves a game in tiers as one of several processes, of which the first writes the tiers into a folder and
/// prints the figures.
pub(super) fn tiers<G: Registered>(
    game: &G,
    numbering: &str,
    folder: &PathBuf,
    member: &together::Member,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    if member.writes() {
        together::note_not_shared::<G>(numbering, session);
    }
    let mut checkpoints = checkpoints::open_as(member.writes(), options)?;
    let begin = Instant::now();
    let cluster = member.join(game, numbering, checkpoints.is_some(), session)?;
    let mut solver = together::solver(game, options);
    if let Some(checkpoints) = &mut checkpoints {
        solver = solver.checkpoints(checkpoints).map_err(CliError::failed)?;
    }
    let tier = options.get_one::<String>(TIER).map(String::as_str);
    let compression = chosen_compression(options);
    let solving = together::SolveTiersAs { cluster, solver, folder, tier, compression, session };
    let done = in_scheme(numbering, solving)?.map_err(|error| {
        match checkpoints.as_ref().and_then(Checkpoints::progress) {
            // The tier that was begun; the finished ones are in the folder.
            Some(_) => checkpoints::together(error, checkpoints.as_ref()),
            None => match &error {
                TableError::Solve(SolveError::Parted { .. }) if Table::open(folder).is_ok() => {
                    let folder = folder.display();
                    CliError::failed(format!(
                        "{error}; the finished tiers are in {folder}: run the same command again to \
                         resume"
                    ))
                }
                _ => explain(error, folder),
            },
        }
    })?;
    if !member.writes() {
        return checkpoints::clear(checkpoints);
    }
    together::note_sent(&done, session);
    let seconds = begin.elapsed().as_secs_f64();
    let table = Table::open(folder).map_err(|error| explain(error, folder))?;
    let start = start_of(&table.prober(game).map_err(|error| explain(error, folder))?);
    let bytes = done.tiers.iter().filter_map(|tier| tier.bytes).sum();
    let (tiers, table) = (done.tiers, Some((folder, bytes)));
    let solved = Solved { tiers, in_tiers: true, start, seconds, table, outcomes: None };
    solved.report(G::NAME, &Words::of(game), session)?;
    checkpoints::clear(checkpoints)
}
