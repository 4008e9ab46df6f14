//! `verify`: whether a table can be trusted.

use std::time::Instant;

use indicatif::HumanCount;
use serde_json::json;

use super::super::entry::{OpenTable, Way};
use super::super::session::Session;
use super::super::{CliError, Registered};

/// Checks a table's bytes, and every value against those of its successors.
pub(in crate::cli) fn run<G: Registered, W: Way<G>>(
    game: &G,
    table: &OpenTable<'_>,
    session: &mut Session,
) -> Result<(), CliError> {
    session.begin_work();
    let begin = Instant::now();
    W::verify(&table.table, game, &mut |progress| session.report(progress))
        .map_err(CliError::file(table.path))?;
    let (seconds, states) = (begin.elapsed().as_secs_f64(), table.table.header().summary.states());
    session.answer(
        || json!({ "verified": true, "states": states, "seconds": seconds }),
        || {
            let (path, states) = (table.path.display(), HumanCount(states));
            format!("{path}: all checksums and the values of all {states} states are right\n")
        },
    )
}
