//! `solve`: the main job.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use indicatif::HumanCount;
use serde_json::{Value as Json, json};

use crate::cli::commands::{checkpoints, resources};
use crate::cli::entry::Way;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::error::SolveError;
use crate::error::TableError;
use crate::query::Query;
use crate::solve::Solution;
use crate::table::{Compression, Destination};

/// The options that name a table to write.
const TABLES: &str = "tables";

/// Adds the options of `solve` to those of a game.
pub(crate) fn arguments(command: Command) -> Command {
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
        .help("How hard to compress the table: 1 (fastest) to 22 (smallest), or 0 for not at all [default: 14; for tiers and explored games 13, for outcomes alone 19]")
        .requires(TABLES)
        .value_parser(value_parser!(u8).range(0..=22));
    let outcomes = Arg::new("outcome-only")
        .long("outcome-only")
        .value_name("FILE")
        .display_order(800)
        .num_args(0..=1)
        .require_equals(true)
        .help(
            "Write outcomes alone, without distances, in a fraction of the room: in place of the \
             table, or with =FILE beside it",
        )
        .value_parser(value_parser!(PathBuf));
    let tables = ArgGroup::new(TABLES).args(["output", "outcome-only"]).multiple(true);
    let arguments = command.args([output, compression, outcomes]).group(tables);
    checkpoints::arguments(resources::arguments(arguments))
}

/// How hard to compress.
pub(super) fn compression(options: &ArgMatches) -> Compression {
    match options.get_one::<u8>("compression") {
        None => Compression::default(),
        Some(0) => Compression::Plain,
        Some(&level) => Compression::Zstd(level),
    }
}

/// Where outcomes alone are asked for: in place of the table, or in a file of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcomes<'o> {
    No,
    InPlace,
    Beside(&'o PathBuf),
}

impl Outcomes<'_> {
    pub(super) fn of(options: &ArgMatches) -> Result<Outcomes<'_>, CliError> {
        if !options.contains_id("outcome-only") {
            return Ok(Outcomes::No);
        }
        match options.get_one::<PathBuf>("outcome-only") {
            Some(path) if options.get_one("output") == Some(path) => {
                let path = path.display();
                Err(CliError::usage(format!("the table and its outcomes can't both be in {path}")))
            }
            Some(path) => Ok(Outcomes::Beside(path)),
            None if options.contains_id("output") => Ok(Outcomes::InPlace),
            None => Err(CliError::usage(
                "--outcome-only needs --output, or a file of its own: --outcome-only=FILE",
            )),
        }
    }
}

/// A table that is going to be written.
struct Planned<'o> {
    path: &'o PathBuf,
    destination: Destination,
}

impl<'o> Planned<'o> {
    fn at(path: &'o PathBuf, options: &ArgMatches) -> Result<Planned<'o>, CliError> {
        let destination = Destination::create(path).map_err(CliError::file(path))?;
        let destination = destination.with(compression(options));
        let destination = match resources::threads(options) {
            Some(threads) => destination.with_threads(threads),
            None => destination,
        };
        Ok(Planned { path, destination })
    }

    fn with_outcomes_only(self) -> Planned<'o> {
        Planned { destination: self.destination.with_outcomes_only(), ..self }
    }
}

/// Solves a game, stores the table where that is asked for, and prints the figures.
pub(crate) fn run<G: Registered, W: Way<G>>(
    game: &G,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    // First of all, so that Ctrl-C never leaves a temporary file behind.
    session.begin_work();
    let outcomes = Outcomes::of(options)?;
    let mut planned = Vec::new();
    if let Some(path) = options.get_one::<PathBuf>("output") {
        let table = Planned::at(path, options)?;
        let in_place = outcomes == Outcomes::InPlace;
        planned.push(if in_place { table.with_outcomes_only() } else { table });
    }
    if let Outcomes::Beside(path) = outcomes {
        planned.push(Planned::at(path, options)?.with_outcomes_only());
    }

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
    let mut written = Vec::new();
    for Planned { path, destination } in planned {
        let saved = solution.save_to(destination, &mut |progress| session.report(progress));
        if saved.is_err()
            && let Some(kept) = &mut kept
        {
            // What went wrong first is what there is to tell.
            let _ = kept.keep(&solution, &mut |progress| session.report(progress));
        }
        let bytes = saved.map_err(|error| match error {
            TableError::Interrupted => checkpoints::interrupted(kept.as_ref()),
            error => CliError::file(path)(error),
        })?;
        written.push((path, bytes));
    }
    let report = Report { game, solution: &solution, seconds, written };
    session.answer(|| report.json(), || report.text())?;
    checkpoints::clear(kept)
}

struct Report<'r, G, N> {
    game: &'r G,
    solution: &'r Solution<N>,
    seconds: f64,
    /// The files, and how long they are.
    written: Vec<(&'r PathBuf, u64)>,
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
        let mut object = json!({
            "game": G::NAME,
            "states": summary.states(),
            "wins": output::wins(self.game, summary),
            "draws": summary.draws(),
            "endless": summary.endless(),
            "longest": summary.longest(),
            "start": start,
            "seconds": self.seconds,
            "bytes": self.written.first().map(|(_, bytes)| bytes),
        });
        output::add_outcome_bytes(&mut object, self.written.get(1).map(|&(_, bytes)| bytes));
        object
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
        for &(path, bytes) in &self.written {
            text += &format!("wrote {}: {} bytes\n", path.display(), HumanCount(bytes));
        }
        text
    }
}
