//! `verify`: checks that a table is intact and that its values are right.

use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Command};
use indicatif::HumanCount;
use serde_json::json;

use crate::program::cli::arguments::{option, switch};
use crate::program::cli::commands::resources;
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered, output};

/// Adds the options of `verify` to its table.
pub(super) fn arguments(command: Command) -> Command {
    let bytes = switch("bytes", "Check only the checksums: whether the table is as it was written")
        .conflicts_with_all(["threads", "memory", "tier"]);
    let tier = option("tier", "NAME").help(
        "Check only this tier. A wrong value in another tier is found when that one is checked, so that a \
         long check can be done in parts",
    );
    let memory = resources::memory_argument(
        "Memory limit, as in 500MB or 4GiB. A table that does not fit is checked more slowly \
         [default: the free memory]",
    );
    command.args([bytes, tier, resources::threads_argument(), memory])
}

/// Checks that a table's bytes are those that were written.
pub(super) fn bytes(path: &Path, session: &mut Session) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let OpenTable { table, .. } = OpenTable::open(path)?;
    let checked = table.check_files(&mut |progress| session.report(progress));
    let checked = checked.map_err(CliError::table(path))?;
    let seconds = begin.elapsed().as_secs_f64();
    session.answer(
        || json!({ "intact": true, "bytes": checked, "seconds": seconds }),
        || {
            format!(
                "{}: all {} bytes are as they were written\n",
                path.display(),
                HumanCount(checked)
            )
        },
    )
}

/// The tier that the options ask for.
pub(super) fn tier(options: &ArgMatches) -> Option<&str> {
    options.get_one("tier").map(String::as_str)
}

/// Checks the bytes of a table or of one tier, and every value against the values of its successors.
pub(in crate::program::cli) fn run<G: Registered>(
    game: &G,
    open: &OpenTable<'_>,
    tier: Option<&str>,
    session: &mut Session,
) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let OpenTable { path, table } = open;
    let verifier = table.verifier(game).notation().on_progress(|progress| session.report(progress));
    let verifier = match tier {
        Some(name) => verifier.only_tier(name),
        None => verifier,
    };
    let states = verifier.verify().map_err(CliError::table(path))?;
    show(open, tier, states, begin.elapsed().as_secs_f64(), session)
}

/// Prints that the values of a table, or of one tier, are right. Compiled once for all games.
fn show(
    OpenTable { path, table }: &OpenTable<'_>,
    tier: Option<&str>,
    states: u64,
    seconds: f64,
    session: &mut Session,
) -> Result<(), CliError> {
    let outcomes_only = table.has_outcomes_only();
    session.answer(
        || {
            let mut object = json!({ "verified": true, "states": states, "seconds": seconds });
            if let Some(tier) = tier {
                object["tier"] = tier.into();
            }
            if outcomes_only {
                object["outcomes_only"] = true.into();
            }
            object
        },
        || {
            let (path, states) = (path.display(), output::number_of(states, "state"));
            if let Some(tier) = tier {
                return format!(
                    "{path}: the checksums and values of tier {tier} are right: {states}\n"
                );
            }
            match outcomes_only {
                true => format!(
                    "{path}: all checksums are right, and the outcomes of all {states} agree \
                     with each other\n"
                ),
                false => {
                    format!("{path}: all checksums and the values of all {states} are right\n")
                }
            }
        },
    )
}
