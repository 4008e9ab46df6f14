//! `solve` in a program that is built without several processes: the items of `together`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};

use crate::error::{CheckpointError, TableError};
use crate::numbering::scheme::Scheme;
use crate::program::cli::commands::solve::work::{Done, Target};
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Registered};
use crate::runtime::progress::Progress;
use crate::solve::Solver;
use crate::table::Checkpoints;

/// Adds options whose only effect is an error that says how to build the program with them.
pub(super) fn arguments(command: Command) -> Command {
    command.args(
        ["processes", "hosts"].map(|name| {
            Arg::new(name).long(name).value_name("N").hide(true).value_parser(not_built)
        }),
    )
}

fn not_built(_: &str) -> Result<String, String> {
    let build = "cargo install --path games --features cluster";
    Err(format!(
        "this program was built without support for several processes; build it with: {build}"
    ))
}

pub(super) fn check(_: &str, _: &ArgMatches) -> Result<(), CliError> {
    Ok(())
}

pub(super) fn is_supervisor(_: &ArgMatches) -> bool {
    false
}

pub(super) fn supervise(_: &ArgMatches, _: &mut Session) -> Result<(), CliError> {
    Ok(())
}

/// One of several processes. There is none.
pub(super) enum Member {}

impl Member {
    pub(super) fn of(_: &ArgMatches) -> Result<Option<Member>, CliError> {
        Ok(None)
    }

    pub(super) fn writes(&self) -> bool {
        match *self {}
    }

    pub(super) fn checkpoints(&self, _: &Path) -> Result<Checkpoints, CheckpointError> {
        match *self {}
    }

    pub(super) fn join<G>(&self, _: &G, _: &str, _: bool, _: &Session) -> Result<Joined, CliError> {
        match *self {}
    }

    pub(super) fn share<S>(&self, _: S, _: &ArgMatches) -> S {
        match *self {}
    }

    pub(super) fn failed(
        &self,
        _: TableError,
        _: Option<&PathBuf>,
        _: Option<&Checkpoints>,
    ) -> Result<CliError, TableError> {
        match *self {}
    }
}

/// The connections with other processes. There is none.
pub(super) enum Joined {}

impl Joined {
    #[expect(clippy::extra_unused_type_parameters, reason = "`together` has the scheme as a type")]
    pub(super) fn solve<'g, G: Registered, S: Scheme<G>>(
        self,
        _: Solver<'g, '_, G>,
        _: Target<'_>,
        _: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Done<'g, G>, TableError> {
        match self {}
    }
}
