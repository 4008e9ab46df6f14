//! `rules`: prints the rules of a game.

use clap::Command;
use serde_json::json;

use crate::cli::output::wrapped;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered, numberings};

/// The options of a game, without that of numberings, which makes no difference to the rules.
pub(crate) fn arguments(command: Command) -> Command {
    numberings::hidden(command)
}

/// Prints the rules, or the game in a few words where it does not say them.
pub(in crate::cli) fn run<G: Registered>(game: &G, session: &mut Session) -> Result<(), CliError> {
    let rules = game.rules().unwrap_or_else(|| G::ABOUT.to_owned());
    session.answer(
        || json!({ "game": game.name(), "rules": rules }),
        || rules.lines().map(|paragraph| wrapped("", paragraph.split(' '), "")).collect(),
    )
}
