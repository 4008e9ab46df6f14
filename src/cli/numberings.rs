//! The names of the schemes that number the states of a game, and the option that chooses one.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use crate::cli::CliError;
use crate::cli::arguments::option;
use crate::numbering::scheme::{Numbered, Numberings, SchemeVisitor};

/// The option that chooses between the numberings of a game.
const NUMBERING: &str = "numbering";

/// Whether the scheme of this name solves a game in tiers.
pub(super) fn has_tiers(numbering: &str) -> bool {
    numbering.ends_with("tiers")
}

/// Whether the scheme of this name discovers the states, so that they depend on where play begins.
pub(super) fn discovers(numbering: &str) -> bool {
    !matches!(numbering, "dense" | "tiers")
}

/// The option `--numbering` of a game with these numberings, the usual one first.
pub(super) fn argument(names: &[&'static str]) -> Arg {
    let explain = |name: &&str| match *name {
        "dense" => "dense (by a formula)",
        "hashed" => "hashed (the reachable states)",
        "packed" => "packed (the reachable states, 8 or 16 bytes each)",
        "tiers" => "tiers (by a formula, one tier after another)",
        "packed-tiers" => "packed-tiers (the reachable states, one tier after another)",
        _ => "",
    };
    let ways: Vec<&str> = names.iter().map(explain).collect();
    option(NUMBERING, "NUMBERING")
        .help(format!("How states are numbered: {} [default: {}]", ways.join(", "), names[0]))
        .display_order(799)
        .value_parser(PossibleValuesParser::new(names.iter().copied()))
}

/// Hides the option `--numbering`, if the command has it.
pub(super) fn hidden(command: Command) -> Command {
    command.mut_args(|arg| if arg.get_id() == NUMBERING { arg.hide(true) } else { arg })
}

/// The numbering among these that the options name, if any.
pub(super) fn chosen(names: &[&'static str], options: &ArgMatches) -> Option<&'static str> {
    let wanted = options.try_get_one::<String>(NUMBERING).ok().flatten()?;
    names.iter().find(|name| **name == wanted).copied()
}

/// Runs the visitor with the scheme of this name.
pub(super) fn in_scheme<G: Numbered, V: SchemeVisitor<G>>(
    name: &str,
    visitor: V,
) -> Result<V::Output, CliError> {
    G::Numberings::visit_name(name, visitor).map_err(|_| {
        let known = G::Numberings::NAMES.join(", ");
        CliError::usage(format!("no such numbering: \"{name}\"; expected one of {known}"))
    })
}
