//! What most options have: a name, and what they take. Options that no other command has are fields of a type
//! with `clap::Args`. Such a type has no doc comment, which would become the description of the command.

use clap::{Arg, ArgAction};

/// An option that takes a value.
pub(super) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// An option that is there or not.
pub(super) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}
