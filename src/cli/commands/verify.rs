//! `verify`: whether a table can be trusted.

use std::path::Path;
use std::time::Instant;

use indicatif::HumanCount;
use serde_json::json;

use super::super::CliError;
use super::super::session::Session;
use crate::solve::OnProgress;

/// Checks a table's bytes, and every value against those of its successors. `verify` does so, and
/// tells how many states were checked.
pub(in crate::cli) fn run(
    session: &mut Session,
    path: &Path,
    verify: impl FnOnce(&mut OnProgress<'_>) -> Result<u64, CliError>,
) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    let states = verify(&mut |progress| session.report(progress))?;
    let seconds = begin.elapsed().as_secs_f64();
    session.answer(
        || json!({ "verified": true, "states": states, "seconds": seconds }),
        || {
            let (path, states) = (path.display(), HumanCount(states));
            format!("{path}: all checksums and the values of all {states} states are right\n")
        },
    )
}
