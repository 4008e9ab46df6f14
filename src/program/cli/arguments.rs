//! Makes options that several commands share. The other options of a command are fields of a type
//! with `clap::Args`. Such a type has no doc comment, since clap would take it for the description
//! of the command.

use clap::{Arg, ArgAction};

/// An option that takes a value.
pub(super) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// An option without a value.
pub(super) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}
