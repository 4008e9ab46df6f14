//! `solve`: solves a game and writes its table.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};

use crate::cli::commands::solved::Solved;
use crate::cli::commands::{checkpoints, destinations, in_scheme, resources};
#[cfg(feature = "cluster")]
use crate::cli::commands::{solve_together, supervisor, together};
use crate::cli::entry::has_tiers;
use crate::cli::session::Session;
use crate::cli::words::{Position, Words};
use crate::cli::{CliError, Registered};
use crate::error::{Bytes, SolveError, TableError};
use crate::numbering::indexing::{Indexing, IndexingVisitor, Tiering as _};
use crate::numbering::scheme::{Scheme, SchemeVisitor};
use crate::query::Query;
use crate::solve::{Solution, Solver, TierFigures};
use crate::table::folder::check_for_outcomes;
use crate::table::write::UnnamedTable;
use crate::table::write::bytes_to_write;
use crate::table::{Compression, Destination, Table, parameters};
use crate::words::start;

/// The group of the options that name a table to write.
const TABLES: &str = "tables";

/// The name of the option `--tier`.
pub(super) const TIER: &str = "tier";

/// Adds the options of `solve` to those of a game.
pub(crate) fn arguments(command: Command) -> Command {
    let output = Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .display_order(800)
        .help(
            "Write the table to this file. An older table there is replaced once this one is complete",
        )
        .value_parser(value_parser!(PathBuf));
    let compression = Arg::new("compression")
        .long("compression")
        .value_name("LEVEL")
        .display_order(800)
        .allow_negative_numbers(true)
        .help(
            "How hard the table is compressed: fast, default or small, or a level from 1 (fast) to 22, \
             or 0 for none. default is level 6, small is level 19",
        )
        .requires(TABLES)
        .value_parser(compression);
    let outcomes = Arg::new("outcome-only")
        .long("outcome-only")
        .value_name("FILE")
        .display_order(800)
        .num_args(0..=1)
        .require_equals(true)
        .help(
            "Write outcomes without distances, in a fraction of the space: in place of the table, or \
             with =FILE beside it",
        )
        .value_parser(value_parser!(PathBuf));
    let tables = ArgGroup::new(TABLES).args(["output", "outcome-only"]).multiple(true);
    let force = destinations::force_argument(TABLES);
    let arguments = command.args([output, compression, outcomes, force]).group(tables);
    let arguments = checkpoints::arguments(resources::arguments(arguments));
    #[cfg(feature = "cluster")]
    let arguments = together::arguments(arguments);
    #[cfg(not(feature = "cluster"))]
    let arguments = arguments.args(["processes", "hosts"].map(|name| {
        // Told apart from options that are nowhere.
        Arg::new(name).long(name).value_name("N").hide(true).value_parser(not_built)
    }));
    arguments
}

/// Refuses an option of several processes.
#[cfg(not(feature = "cluster"))]
fn not_built(_: &str) -> Result<String, String> {
    let build = "cargo install --path games --features cluster";
    Err(format!("this program was built without several processes; build it with: {build}"))
}

/// Adapts the options of `solve` to a game in tiers, given the names of the game's numberings.
pub(super) fn with_tiers(command: Command, numberings: &[&str]) -> Command {
    let (tiers, files): (Vec<&str>, Vec<&str>) =
        numberings.iter().partition(|numbering| has_tiers(numbering));
    if tiers.is_empty() {
        return command;
    }
    let (name, path, tier) = if files.is_empty() {
        let path = "Write a table for each tier to this folder. Tiers that are there already are not \
                    solved again: run the same command again to resume an interrupted run";
        let tier = "Solve only this tier and the tiers that it leads to";
        ("FOLDER", path.to_owned(), tier.to_owned())
    } else {
        let (files, tiers) = (files.join(" or "), tiers.join(" or "));
        let path = format!(
            "Write the table to this file, where it replaces an older one once it is complete \
             ({files}), or a table for each tier to this folder, where the same command resumes an \
             interrupted run ({tiers})"
        );
        let tier = format!("Solve only this tier and the tiers that it leads to ({tiers})");
        ("PATH", path, tier)
    };
    let tier = Arg::new(TIER)
        .long(TIER)
        .value_name("NAME")
        .display_order(801)
        .requires("output")
        .help(tier);
    command.mut_arg("output", |output| output.value_name(name).help(path)).arg(tier)
}

/// The compression of this name or level.
fn compression(text: &str) -> Result<Compression, String> {
    match text {
        "fast" => Ok(Compression::FAST),
        "default" => Ok(Compression::default()),
        "small" => Ok(Compression::SMALL),
        "0" => Ok(Compression::Plain),
        level => match level.parse() {
            Ok(level @ 1..=22) => Ok(Compression::Zstd(level)),
            _ => Err("expected fast, default, small or a level from 0 to 22".into()),
        },
    }
}

/// The compression that the options choose.
pub(super) fn chosen_compression(options: &ArgMatches) -> Compression {
    options.get_one("compression").copied().unwrap_or_default()
}

/// Where outcomes without distances are written: in place of the table, or beside it.
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
            Some(path) => {
                let output = options.get_one::<PathBuf>("output");
                if output.is_some_and(|output| destinations::are_same(output, path)) {
                    let path = path.display();
                    let problem = format!("the table and its outcomes can't both be in {path}");
                    return Err(CliError::usage(problem));
                }
                Ok(Outcomes::Beside(path))
            }
            None if options.contains_id("output") => Ok(Outcomes::InPlace),
            None => Err(CliError::usage(
                "--outcome-only needs --output, or a file of its own: --outcome-only=FILE",
            )),
        }
    }
}

/// A table that is going to be written.
pub(super) struct Planned<'o> {
    pub(super) path: &'o PathBuf,
    pub(super) destination: Destination,
}

impl<'o> Planned<'o> {
    fn at(path: &'o PathBuf, options: &ArgMatches) -> Result<Planned<'o>, CliError> {
        let destination = destinations::file(path, options)?.with(chosen_compression(options));
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

/// The tables that the options name.
pub(super) fn planned<'o>(
    outcomes: Outcomes<'o>,
    options: &'o ArgMatches,
) -> Result<Vec<Planned<'o>>, CliError> {
    let mut planned = Vec::new();
    if let Some(path) = options.get_one::<PathBuf>("output") {
        let table = Planned::at(path, options)?;
        let in_place = outcomes == Outcomes::InPlace;
        planned.push(if in_place { table.with_outcomes_only() } else { table });
    }
    if let Outcomes::Beside(path) = outcomes {
        planned.push(Planned::at(path, options)?.with_outcomes_only());
    }
    Ok(planned)
}

/// Whether this process prints the game's notes. Where it only starts others, the first of those does.
pub(in crate::cli) fn says_notes(options: &ArgMatches) -> bool {
    #[cfg(feature = "cluster")]
    if together::is_supervisor(options) {
        return false;
    }
    let _ = options;
    true
}

/// Says that `laws` exists, where nobody seems to have checked those of the game: its table is not there yet.
pub(in crate::cli) fn note_laws<G: Registered>(options: &ArgMatches, session: &Session) {
    let is_there = options.get_one::<PathBuf>("output").is_some_and(|path| path.exists());
    if !G::LAWS_ARE_TESTED && !is_there {
        let (program, name) = (session.program(), G::NAME);
        session.note(&format!(
            "a solve looks at a sample of the rules; `{program} laws {name}` checks them on all states"
        ));
    }
}

/// Solves a game, writes the table if the options name one, and prints the figures.
pub(in crate::cli) fn run<G: Registered>(
    game: &G,
    numbering: &str,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    #[cfg(feature = "cluster")]
    together::check(numbering, options)?;
    #[cfg(feature = "cluster")]
    if together::is_supervisor(options) {
        return supervisor::run(options, session);
    }
    // First of all, so that Ctrl-C never leaves a temporary file behind.
    session.begin_work();
    if !options.contains_id("output") && !options.contains_id("outcome-only") {
        session.keeps_nothing(if has_tiers(numbering) { "FOLDER" } else { "FILE" });
    }
    if options.contains_id("output") || options.contains_id("outcome-only") {
        // What no table can have is refused before anything is solved.
        parameters(game).map_err(CliError::failed)?;
    }
    if has_tiers(numbering) {
        return solve_tiers(game, numbering, options, session);
    }
    if matches!(options.try_get_one::<String>(TIER), Ok(Some(_))) {
        return Err(CliError::usage(format!(
            "--{TIER} needs a numbering in tiers, not {numbering}: choose one with --numbering"
        )));
    }
    let outcomes = Outcomes::of(options)?;
    #[cfg(feature = "cluster")]
    if let Some(member) = together::member(options)? {
        return solve_together::whole(game, numbering, &member, options, session);
    }
    let planned = planned(outcomes, options)?;

    let mut checkpoints = checkpoints::open(options)?;
    let begin = Instant::now();
    let mut solver = resources::solver(game, options);
    if let Some(checkpoints) = &mut checkpoints {
        solver = solver.checkpoints(checkpoints).map_err(CliError::failed)?;
    }
    if !planned.is_empty() {
        solver = solver.saving(bytes_to_write);
    }
    let solver = solver.on_progress(|progress| session.report(progress));
    let solution = match in_scheme(numbering, SolveAs(solver))? {
        Ok(solution) => solution,
        Err(SolveError::Interrupted) => return Err(checkpoints::interrupted(checkpoints.as_ref())),
        Err(error) => return Err(checkpoints::failed(error, checkpoints.as_ref())),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let written = write_all(&solution, planned, session);
    if written.is_err()
        && let Some(checkpoints) = &mut checkpoints
    {
        // The first error is the one that is reported.
        let _ = checkpoints.save(&solution, &mut |progress| session.report(progress));
    }
    let written = written.map_err(|(path, error)| match error {
        TableError::Interrupted => checkpoints::interrupted(checkpoints.as_ref()),
        error => CliError::table(path)(error),
    })?;
    let in_place = outcomes == Outcomes::InPlace;
    let table = written.first().filter(|_| in_place || options.contains_id("output")).copied();
    let beside = written.get(usize::from(table.is_some())).copied();
    let (tiers, start) = (solution.tiers().to_vec(), start_of(&solution));
    let solved = Solved { tiers, in_tiers: false, start, seconds, table, outcomes: beside };
    solved.report(G::NAME, &Words::of(game), session)?;
    checkpoints::clear(checkpoints)
}

/// Writes all tables before any of them replaces an older one. Returns the length of each, or which of them
/// failed.
fn write_all<'o, G: Registered>(
    solution: &Solution<'_, G>,
    planned: Vec<Planned<'o>>,
    session: &mut Session,
) -> Result<Vec<(&'o PathBuf, u64)>, (&'o PathBuf, TableError)> {
    let mut write = |Planned { path, destination }| {
        let written = solution.write_to(destination, &mut |progress| session.report(progress));
        written.map(|table| (path, table)).map_err(|error| (path, error))
    };
    let tables: Vec<_> = planned.into_iter().map(&mut write).collect::<Result<_, _>>()?;
    let name = |(path, table): (_, UnnamedTable)| {
        table.name().map(|bytes| (path, bytes)).map_err(|error| (path, error))
    };
    tables.into_iter().map(name).collect()
}

/// Solves a game in a scheme, in memory.
struct SolveAs<'g, 'p, G: Registered>(Solver<'g, 'p, G>);

impl<'g, G: Registered> SchemeVisitor<G> for SolveAs<'g, '_, G> {
    type Output = Result<Solution<'g, G>, SolveError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        self.0.solve_as::<S>()
    }
}

/// Solves a game in tiers, writes the tiers if the options name a folder, and prints the figures.
fn solve_tiers<G: Registered>(
    game: &G,
    numbering: &str,
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let folder = options.get_one::<PathBuf>("output");
    if checkpoints::are_wanted(options) && folder.is_none() {
        return Err(CliError::usage(
            "--checkpoint needs --output FOLDER: a game in tiers resumes from the tables of its \
             finished tiers",
        ));
    }
    let outcomes = match Outcomes::of(options)? {
        Outcomes::No => None,
        Outcomes::Beside(path) if folder.is_some() => Some(path),
        Outcomes::Beside(_) | Outcomes::InPlace => {
            return Err(CliError::usage(
                "a game in tiers is solved from the distances of its finished tiers: write outcomes \
                 beside the tables, with --output FOLDER --outcome-only=FOLDER",
            ));
        }
    };
    destinations::refuse_force(options)?;
    folder.into_iter().chain(outcomes).try_for_each(|path| destinations::check(path))?;
    let outcomes_path = outcomes.map(PathBuf::as_path);
    let prepared = in_scheme(numbering, Prepare { game, outcomes: outcomes_path })?;
    session.name_tiers(prepared.map_err(|error| match folder {
        Some(folder) => explain(error, folder),
        None => CliError::failed(error),
    })?);
    #[cfg(feature = "cluster")]
    if let Some(folder) = folder
        && let Some(member) = together::member(options)?
    {
        return solve_together::tiers(game, numbering, folder, &member, options, session);
    }
    let mut checkpoints = checkpoints::open(options)?;
    let begin = Instant::now();
    let mut solver = resources::solver(game, options);
    if let Some(checkpoints) = &mut checkpoints {
        solver = solver.checkpoints(checkpoints).map_err(CliError::failed)?;
    }
    let solver = solver.on_progress(|progress| session.report(progress));
    let Some(folder) = folder else {
        let solution = in_scheme(numbering, SolveAs(solver))?.map_err(|error| match error {
            SolveError::Interrupted => CliError::failed(
                "interrupted: nothing was written (with --output FOLDER, finished tiers are saved)",
            ),
            error @ SolveError::OverLimit { in_files: Some(least), allowed, .. } => {
                let advice = match least <= allowed {
                    true => "finished tiers are in files instead".into(),
                    false => format!("finished tiers are in files, and it takes {}", Bytes(least)),
                };
                CliError::failed(format!("{error}; with --output FOLDER, {advice}"))
            }
            error => error.into(),
        })?;
        let (tiers, start) = (solution.tiers().to_vec(), start_of(&solution));
        let seconds = begin.elapsed().as_secs_f64();
        let solved = Solved { tiers, in_tiers: true, start, seconds, table: None, outcomes: None };
        return solved.report(G::NAME, &Words::of(game), session);
    };
    let tier = options.get_one::<String>(TIER).map(String::as_str);
    let compression = chosen_compression(options);
    let into = SolveInto { solver, folder, tier, compression };
    let explain = |error: TableError| explain(error, folder);
    let tiers = in_scheme(numbering, into)?.map_err(explain)?;
    let seconds = begin.elapsed().as_secs_f64();
    let table = Table::open(folder).map_err(explain)?;
    let table = match resources::threads(options) {
        Some(threads) => table.with_threads(threads),
        None => table,
    };
    let start = start_of(&table.prober(game).map_err(explain)?);
    let outcomes = outcomes.map(|path| {
        let progress = &mut |progress| session.report(progress);
        let written = table.write_outcomes(game, path, chosen_compression(options), progress);
        Ok::<_, CliError>((path, written.map_err(explain)?))
    });
    let outcomes = outcomes.transpose()?;
    let bytes = tiers.iter().filter_map(|tier| tier.bytes).sum();
    let table = Some((folder, bytes));
    let solved = Solved { tiers, in_tiers: true, start, seconds, table, outcomes };
    solved.report(G::NAME, &Words::of(game), session)?;
    checkpoints::clear(checkpoints)
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

/// Solves a game in a scheme into a folder.
struct SolveInto<'g, 'p, 'o, G: Registered> {
    solver: Solver<'g, 'p, G>,
    folder: &'o PathBuf,
    tier: Option<&'o str>,
    compression: Compression,
}

impl<G: Registered> SchemeVisitor<G> for SolveInto<'_, '_, '_, G> {
    type Output = Result<Vec<TierFigures>, TableError>;

    fn visit<S: Scheme<G>>(self) -> Self::Output {
        self.solver.solve_into_as::<S>(self.folder, self.tier, self.compression)
    }
}

/// The start position, if that is solved.
pub(super) fn start_of<G: Registered>(query: &dyn Query<Game = G>) -> Option<Position> {
    let state = start(query)?;
    let verdict = query.verdict(&state).ok()?;
    Some(Position::of(query.game(), &state, verdict, false))
}

/// The error of the command for a failed run into a folder.
pub(super) fn explain(error: TableError, folder: &PathBuf) -> CliError {
    if !error.is_interrupted() {
        return match error {
            TableError::Solve(error @ SolveError::WideningOverLimit { .. }) => {
                let folder = folder.display();
                CliError::failed(format!("{error} (the finished tiers are in {folder})"))
            }
            TableError::Solve(error) => error.into(),
            error => CliError::table(folder)(error),
        };
    }
    CliError::failed(match Table::open(folder) {
        Err(_) => "interrupted before the states were discovered: nothing was written".into(),
        Ok(_) => format!(
            "interrupted: the finished tiers are in {}; run the same command again to resume",
            folder.display()
        ),
    })
}
