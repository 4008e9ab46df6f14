//! `completions`: prints a script that completes the command line in a shell.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::program::cli::{CliError, session};

/// The subcommand.
pub(crate) fn command() -> Command {
    Command::new("completions").about("Print a completion script for a shell").arg(
        Arg::new("shell")
            .value_name("SHELL")
            .help("The shell that runs the script")
            .required(true)
            .value_parser(value_parser!(Shell)),
    )
}

/// Prints the completion script of `command` for the shell in the arguments.
pub(crate) fn run(
    mut command: Command,
    name: &str,
    arguments: &ArgMatches,
) -> Result<(), CliError> {
    let Some(&shell) = arguments.get_one::<Shell>("shell") else {
        return Err(CliError::usage("no shell was named"));
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    session::print(&String::from_utf8_lossy(&script)).map(|_| ())
}
