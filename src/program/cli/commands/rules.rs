//! `rules`: prints the rules of a game.

use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use serde_json::json;

use crate::program::cli::arguments::words;
use crate::program::cli::output::wrapped;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered, numberings};

/// The options of a game, without that of numberings, which makes no difference to the rules.
pub(crate) fn arguments(command: Command) -> Command {
    numberings::hidden(command)
}

/// The options of a game, none of which is required: those of its example are the defaults.
pub(in crate::program::cli) fn with_example(command: Command, example: &str) -> Command {
    let words = words(example).unwrap_or_default();
    let matches = command.clone().no_binary_name(true).try_get_matches_from(words);
    let Ok(matches) = matches else { return command };
    command.mut_args(|arg| {
        let values = matches.get_raw(arg.get_id().as_str()).filter(|_| arg.is_required_set());
        let Some(values) = values else { return arg };
        let values = values.map(ToOwned::to_owned);
        let values: Vec<OsString> = values.collect();
        arg.required(false).default_values(values)
    })
}

/// Names the options of the example that stand in for required ones. `command` has the game's options.
pub(in crate::program::cli) fn note_example(
    command: &Command,
    options: &ArgMatches,
    session: &Session,
) {
    let is_default = |arg: &&Arg| {
        let source = options.value_source(arg.get_id().as_str());
        arg.is_required_set() && source == Some(ValueSource::DefaultValue)
    };
    for arg in command.get_arguments().filter(is_default) {
        let values = options.get_raw(arg.get_id().as_str()).into_iter().flatten();
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        let name = arg.get_long().map_or_else(|| arg.to_string(), |long| format!("--{long}"));
        session.note(&format!("these are the rules with {name} {}, an example", values.join(" ")));
    }
}

/// Prints the rules, or the game in a few words where it does not say them.
pub(in crate::program::cli) fn run<G: Registered>(
    game: &G,
    session: &mut Session,
) -> Result<(), CliError> {
    let rules = game.rules().unwrap_or_else(|| G::ABOUT.to_owned());
    session.answer(
        || json!({ "game": game.name(), "rules": rules }),
        || rules.lines().map(|paragraph| wrapped("", paragraph.split(' '), "")).collect(),
    )
}
