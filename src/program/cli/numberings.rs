//! The names of the schemes that number the states of a game, and the option that chooses one.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use crate::numbering::scheme::{Numbered, Numberings, OptionalSchemes, SchemeInfo, SchemeVisitor};
use crate::program::cli::CliError;
use crate::program::cli::arguments::option;

/// The option that chooses between the numberings of a game.
const NUMBERING: &str = "numbering";

/// Whether the scheme of this name solves a game in tiers.
pub(super) fn has_tiers(numbering: &str) -> bool {
    SchemeInfo::named(numbering).is_some_and(|scheme| scheme.has_tiers)
}

/// Whether the scheme of this name discovers the states, so that they depend on where play begins.
pub(super) fn discovers(numbering: &str) -> bool {
    SchemeInfo::named(numbering).is_some_and(|scheme| scheme.discovers)
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
    let explain = |scheme: SchemeInfo| format!("{} ({})", scheme.name, scheme.summary);
    let names = choice.names();
    let schemes = names.iter().filter_map(|name| SchemeInfo::named(name));
    let ways: Vec<String> = schemes.map(explain).collect();
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
