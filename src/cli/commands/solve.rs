//! `solve`: the main job.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use serde_json::{Value as Json, json};

use super::super::entry::Way;
use super::super::output;
use super::super::session::Session;
use super::super::{CliError, Registered};
use super::{checkpoints, resources};
use crate::query::Query;
use crate::solve::{Solution, SolveError};
use crate::tablebase::{Compression, Destination, TableError};

/// Adds the options of `solve` to those of a game.
pub(in crate::cli) fn arguments(command: Command) -> Command {
    let output = Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .display_order(800)
        .help("Write the table to this file; what is there is replaced once the table is complete")
        .value_parser(value_parser!(PathBuf));
    let compression = Arg::new("compression")
        .long("compression")
        .value_name("LEVEL")
        .display_order(800)
        .allow_negative_numbers(true)
        .help("How hard to compress the table: 1 (fastest) to 22 (smallest), or 0 for not at all [default: 6]")
        .requires("output")
        .value_parser(value_parser!(u8).range(0..=22));
    checkpoints::arguments(resources::arguments(command.args([output, compression])))
}

/// How hard to compress.
pub(super) fn compression(options: &ArgMatches) -> Compression {
    match options.get_one::<u8>("compression") {
        None => Compression::default(),
        Some(0) => Compression::Plain,
        Some(&level) => Compression::Zstd(level),
    }
}

/// Solves a game, stores the table where that is asked for, and prints the figures.
pub(in crate::cli) fn run<G: Registered, W: Way<G>>(
    game: &G,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    // First of all, so that Ctrl-C never leaves a temporary file behind.
    session.begin_work();
    let path = options.get_one::<PathBuf>("output");
    let destination =
        path.map(|path| Destination::create(path).map_err(CliError::file(path))).transpose()?;
    let destination = destination.map(|destination| {
        let destination = destination.with(compression(options));
        match resources::threads(options) {
            Some(threads) => destination.with_threads(threads),
            None => destination,
        }
    });

    let mut kept = checkpoints::open(options, session)?;
    let begin = Instant::now();
    let mut solver = resources::solver(game, options);
    if let Some(kept) = &mut kept {
        solver = solver.checkpoints(kept).map_err(CliError::failed)?;
    }
    let solver = solver.on_progress(|progress| session.report(progress));
    let solution = match W::solve(solver) {
        Ok(solution) => solution,
        Err(SolveError::Interrupted) => return Err(checkpoints::interrupted(kept.as_ref())),
        Err(error) => return Err(error.into()),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let bytes = match path.zip(destination) {
        None => None,
        Some((path, destination)) => {
            let written = solution.save_to(destination, &mut |progress| session.report(progress));
            if written.is_err()
                && let Some(kept) = &mut kept
            {
                let threads = resources::threads(options).unwrap_or(1);
                kept.keep(&solution, threads, &mut |progress| session.report(progress))?;
            }
            Some(written.map_err(|error| match error {
                TableError::Interrupted => checkpoints::interrupted(kept.as_ref()),
                error => CliError::file(path)(error),
            })?)
        }
    };
    let report = Report { game, solution: &solution, seconds, bytes, path };
    session.answer(|| report.json(), || report.text())?;
    checkpoints::clear(kept)
}

struct Report<'r, G, N> {
    game: &'r G,
    solution: &'r Solution<N>,
    seconds: f64,
    bytes: Option<u64>,
    path: Option<&'r PathBuf>,
}

impl<G: Registered, N> Report<'_, G, N>
where
    Solution<N>: Query<Game = G>,
    N: crate::numbering::Numbering<Game = G>,
{
    fn json(&self) -> Json {
        let summary = self.solution.summary();
        let start = self.game.roots().into_iter().next().and_then(|start| {
            let verdict = self.solution.verdict(&start).ok()?;
            Some(output::position(self.game, &start, verdict))
        });
        json!({
            "game": G::NAME,
            "states": summary.states(),
            "wins": output::wins(self.game, summary),
            "draws": summary.draws(),
            "endless": summary.endless(),
            "longest": summary.longest(),
            "start": start,
            "seconds": self.seconds,
            "bytes": self.bytes,
        })
    }

    fn text(&self) -> String {
        let summary = self.solution.summary();
        let states = HumanCount(summary.states());
        let mut text = format!("{}: {states} states solved in {:.3} s\n", G::NAME, self.seconds);
        text += &output::figures(&output::counts(self.game, summary));
        if let Some(start) = self.game.roots().into_iter().next()
            && let Ok(verdict) = self.solution.verdict(&start)
        {
            let words = output::verdict(self.game, verdict);
            text += &format!("from {}: {words}\n", self.game.write_state(&start));
        }
        if let Some((path, bytes)) = self.path.zip(self.bytes) {
            text += &format!("wrote {}: {} bytes\n", path.display(), HumanCount(bytes));
        }
        text
    }
}
