//! The names of the schemes that number the states of a game, and the option that chooses one.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use crate::numbering::scheme::{Numbered, Numberings, OptionalSchemes, SchemeVisitor};
use crate::program::cli::CliError;
use crate::program::cli::arguments::option;

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

/// The numberings of a game.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// The names of those that are compiled, the usual one first.
    pub(super) built: &'static [&'static str],
    /// The names of those that only some builds compile, this one perhaps among them.
    pub(super) optional: OptionalSchemes,
}

impl Choice {
    /// All of them, whatever the build, so that help is the same in all builds.
    pub(super) fn names(self) -> Vec<&'static str> {
        let optional = self.optional.names;
        let always = self.built.iter().filter(|name| !optional.contains(name));
        always.chain(optional).copied().collect()
    }
}

/// The option `--numbering` of a game with these numberings.
pub(super) fn argument(choice: Choice) -> Arg {
    let explain = |name: &&str| match *name {
        "dense" => "dense (by a formula)",
        "hashed" => "hashed (the reachable states)",
        "packed" => "packed (the reachable states, 8 or 16 bytes each)",
        "tiers" => "tiers (by a formula, one tier after another)",
        "packed-tiers" => "packed-tiers (the reachable states, one tier after another)",
        _ => "",
    };
    let names = choice.names();
    let ways: Vec<&str> = names.iter().map(explain).collect();
    let needs = match choice.optional {
        OptionalSchemes { names: [], .. } => String::new(),
        OptionalSchemes { names, needs } => {
            format!("; {} only in a build with {needs}", names.join(" and "))
        }
    };
    let help =
        format!("How states are numbered: {}{needs} [default: {}]", ways.join(", "), names[0]);
    option(NUMBERING, "NUMBERING")
        .help(help)
        .display_order(799)
        .value_parser(PossibleValuesParser::new(names))
}

/// Hides the option `--numbering`, if the command has it.
pub(super) fn hidden(command: Command) -> Command {
    command.mut_args(|arg| if arg.get_id() == NUMBERING { arg.hide(true) } else { arg })
}

/// The numbering among these that the options name, if any.
///
/// # Errors
/// When this program was built without it.
pub(super) fn chosen(
    choice: Choice,
    options: &ArgMatches,
) -> Result<Option<&'static str>, CliError> {
    let Ok(Some(wanted)) = options.try_get_one::<String>(NUMBERING) else { return Ok(None) };
    match choice.built.iter().find(|name| **name == wanted) {
        Some(name) => Ok(Some(name)),
        None => Err(CliError::usage(format!(
            "--numbering {wanted}: this program was built without it: use one that was built with \
             {}, or choose {}",
            choice.optional.needs,
            choice.built.join(" or "),
        ))),
    }
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
