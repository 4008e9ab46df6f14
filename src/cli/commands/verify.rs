//! `verify`: whether a table can be trusted.

use std::path::Path;
use std::time::Instant;

use clap::{Arg, ArgAction, Command};
use indicatif::HumanCount;
use serde_json::json;

use crate::cli::CliError;
use crate::cli::commands::resources;
use crate::cli::entry::from_folder;
use crate::cli::session::Session;
use crate::runtime::progress::OnProgress;
use crate::table::{Tablebase, TierFolder};

/// Adds the options of `verify` to its table.
pub(super) fn arguments(command: Command) -> Command {
    let bytes = Arg::new("bytes")
        .long("bytes")
        .help("Check the checksums and nothing else: whether the table is as it was written")
        .conflicts_with_all(["threads", "memory"])
        .action(ArgAction::SetTrue);
    let memory = resources::memory_argument(
        "The most memory the run may take, as in 500MB or 4GiB; where not all fits, it \
         takes the longer the less is allowed [default: what is free]",
    );
    command.args([bytes, resources::threads_argument(), memory])
}

/// Checks that a table's bytes are those that were written.
pub(super) fn bytes(path: &Path, session: &mut Session) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let mut checked = 0;
    let mut check = |table: &Tablebase, path: &Path, session: &mut Session| {
        checked += table.file_length();
        table.check_bytes(&mut |progress| session.report(progress)).map_err(CliError::file(path))
    };
    if path.is_dir() {
        let folder = TierFolder::open(path).map_err(from_folder)?;
        for tier in folder.files() {
            check(&Tablebase::open(&tier).map_err(CliError::file(&tier))?, &tier, session)?;
        }
    } else {
        check(&Tablebase::open(path).map_err(CliError::file(path))?, path, session)?;
    }
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

/// Checks a table's bytes, and every value against those of its successors. `verify` does so, and
/// tells how many states were checked.
pub(crate) fn run(
    session: &mut Session,
    path: &Path,
    outcomes_only: bool,
    verify: impl FnOnce(&mut OnProgress<'_>) -> Result<u64, CliError>,
) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let states = verify(&mut |progress| session.report(progress))?;
    let seconds = begin.elapsed().as_secs_f64();
    session.answer(
        || {
            let mut object = json!({ "verified": true, "states": states, "seconds": seconds });
            if outcomes_only && let Some(object) = object.as_object_mut() {
                object.insert("outcomes_only".into(), true.into());
            }
            object
        },
        || {
            let (path, states) = (path.display(), HumanCount(states));
            match outcomes_only {
                true => format!(
                    "{path}: all checksums are right, and the outcomes of all {states} states agree \
                     with each other\n"
                ),
                false => {
                    format!("{path}: all checksums and the values of all {states} states are right\n")
                }
            }
        },
    )
}
