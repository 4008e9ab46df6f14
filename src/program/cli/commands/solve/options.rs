//! The options of `solve`, and what they say of the tables to write.

use std::path::PathBuf;

use clap::{ArgGroup, ArgMatches, Args, Command, FromArgMatches as _};

use crate::program::cli::CliError;
use crate::program::cli::arguments::option;
use crate::program::cli::commands::solve::{checkpoints, together};
use crate::program::cli::commands::{destinations, resources};
use crate::program::cli::numberings::has_tiers;
use crate::table::Compression;
use crate::table::write::TableWriter;

/// The group of the options that name a table to write.
const TABLES: &str = "tables";

/// The name of the option `--tier`.
pub(super) const TIER: &str = "tier";

// The options for the tables to write, as the help shows them.
#[derive(Args)]
#[group(skip)]
pub(super) struct Tables {
    /// Write the table to this file. An older table there is replaced once this one is complete
    #[arg(short, long, value_name = "FILE", display_order = 800)]
    pub(super) output: Option<PathBuf>,
    /// How the table is compressed: fast, default (level 6) or small (level 19), a level from 1
    /// (fast) to 22, or 0 for not at all
    #[arg(long, value_name = "LEVEL", display_order = 800, allow_negative_numbers = true)]
    #[arg(requires = TABLES, value_parser = compression)]
    compression: Option<Compression>,
    /// Write outcomes without distances, in a fraction of the space: in place of the table, or
    /// with =FILE beside it
    #[arg(id = "outcomes-only", long = "outcomes-only", value_name = "FILE", display_order = 800)]
    #[arg(require_equals = true)]
    outcomes: Option<Option<PathBuf>>,
}

/// Adds the options of `solve` to the options of a game.
pub(in crate::program::cli) fn arguments(command: Command) -> Command {
    let tables = ArgGroup::new(TABLES).args(["output", "outcomes-only"]).multiple(true);
    let force = destinations::force_argument(TABLES);
    let arguments = Tables::augment_args(command).arg(force).group(tables);
    let arguments = resources::arguments(arguments).arg(resources::scratch_argument());
    together::arguments(checkpoints::arguments(arguments))
}

/// Adapts the options of `solve` to a game in tiers, given the names of the game's numberings.
pub(in crate::program::cli) fn with_tiers(command: Command, numberings: &[&str]) -> Command {
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

/// Where outcomes without distances are written: in place of the table, or beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcomes<'o> {
    No,
    InPlace,
    Beside(&'o PathBuf),
}

impl Tables {
    pub(super) fn from_options(options: &ArgMatches) -> Result<Tables, CliError> {
        Tables::from_arg_matches(options).map_err(CliError::usage)
    }

    /// Whether any table is written.
    pub(super) fn are_wanted(&self) -> bool {
        self.output.is_some() || self.outcomes.is_some()
    }

    pub(super) fn compression(&self) -> Compression {
        self.compression.unwrap_or_default()
    }

    pub(super) fn outcomes(&self) -> Result<Outcomes<'_>, CliError> {
        match (&self.output, &self.outcomes) {
            (_, None) => Ok(Outcomes::No),
            (Some(output), Some(Some(path))) if destinations::are_same(output, path) => {
                let path = path.display();
                let problem =
                    format!("the table and its outcomes can't both be in {path}: name two files");
                Err(CliError::usage(problem))
            }
            (_, Some(Some(path))) => Ok(Outcomes::Beside(path)),
            (Some(_), Some(None)) => Ok(Outcomes::InPlace),
            (None, Some(None)) => Err(CliError::usage(
                "--outcomes-only needs --output, or a file of its own: --outcomes-only=FILE",
            )),
        }
    }

    /// The files to write, and their paths.
    pub(super) fn planned<'o>(
        &'o self,
        outcomes: Outcomes<'o>,
        options: &ArgMatches,
    ) -> Result<Vec<(&'o PathBuf, TableWriter)>, CliError> {
        let at = |path: &'o PathBuf, outcomes_only| {
            let writer = destinations::file(path, options)?.compression(self.compression());
            let writer = writer.outcomes_only(outcomes_only);
            Ok(match resources::threads(options) {
                Some(threads) => (path, writer.threads(threads)),
                None => (path, writer),
            })
        };
        let output = self.output.as_ref().map(|path| at(path, outcomes == Outcomes::InPlace));
        let beside = match outcomes {
            Outcomes::Beside(path) => Some(at(path, true)),
            Outcomes::No | Outcomes::InPlace => None,
        };
        output.into_iter().chain(beside).collect()
    }
}
