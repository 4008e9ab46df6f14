//! The options of `solve`, and what they say of the tables to write.

use std::path::PathBuf;

use clap::{ArgGroup, ArgMatches, Command, value_parser};

use crate::cli::CliError;
use crate::cli::arguments::option;
use crate::cli::commands::solve::{checkpoints, together};
use crate::cli::commands::{destinations, resources};
use crate::cli::numberings::has_tiers;
use crate::table::{Compression, Destination};

/// The group of the options that name a table to write.
const TABLES: &str = "tables";

/// The name of the option `--tier`.
pub(super) const TIER: &str = "tier";

/// Adds the options of `solve` to those of a game.
pub(in crate::cli) fn arguments(command: Command) -> Command {
    let output = option("output", "FILE").help("Write the table to this file. An older table there is replaced once this one is complete")
    .short('o')
    .display_order(800)
    .value_parser(value_parser!(PathBuf));
    let compression = option("compression", "LEVEL").help("How hard the table is compressed: fast, default or small, or a level from 1 (fast) to 22, \
             or 0 for none. default is level 6, small is level 19")
    .display_order(800)
    .allow_negative_numbers(true)
    .requires(TABLES)
    .value_parser(compression);
    let outcomes = option("outcome-only", "FILE").help("Write outcomes without distances, in a fraction of the space: in place of the table, or \
             with =FILE beside it")
    .display_order(800)
    .num_args(0..=1)
    .require_equals(true)
    .value_parser(value_parser!(PathBuf));
    let tables = ArgGroup::new(TABLES).args(["output", "outcome-only"]).multiple(true);
    let force = destinations::force_argument(TABLES);
    let arguments = command.args([output, compression, outcomes, force]).group(tables);
    together::arguments(checkpoints::arguments(resources::arguments(arguments)))
}

/// Adapts the options of `solve` to a game in tiers, given the names of the game's numberings.
pub(in crate::cli) fn with_tiers(command: Command, numberings: &[&str]) -> Command {
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
    let tier = option(TIER, "NAME").help(tier).display_order(801).requires("output");
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

/// The tables that the options name, and their paths.
pub(super) fn planned<'o>(
    outcomes: Outcomes<'o>,
    options: &'o ArgMatches,
) -> Result<Vec<(&'o PathBuf, Destination)>, CliError> {
    let at = |path: &'o PathBuf, outcomes_only| {
        let mut destination = destinations::file(path, options)?.with(chosen_compression(options));
        if let Some(threads) = resources::threads(options) {
            destination = destination.with_threads(threads);
        }
        if outcomes_only {
            destination = destination.with_outcomes_only();
        }
        Ok((path, destination))
    };
    let output = options.get_one::<PathBuf>("output");
    let output = output.map(|path| at(path, outcomes == Outcomes::InPlace));
    let beside = match outcomes {
        Outcomes::Beside(path) => Some(at(path, true)),
        Outcomes::No | Outcomes::InPlace => None,
    };
    output.into_iter().chain(beside).collect()
}
