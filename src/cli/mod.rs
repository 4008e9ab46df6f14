//! The command line, as a library function over any set of games.
//!
//! Games that implement [`Registered`] beside their rules get all subcommands (`games`, `solve`,
//! `explore`, `probe`, `moves`, `line`, `stats`, `verify`, `laws`, `completions`) with three lines:
//!
//! ```no_run
//! # use retrograde::cli::{Registered, Registry};
//! # fn binary<MyGame>() -> std::process::ExitCode
//! # where MyGame: Registered + retrograde::Indexed + 'static {
//! // fn main() -> std::process::ExitCode {
//! Registry::new("my-games", env!("CARGO_PKG_VERSION")).dense::<MyGame>().main()
//! // }
//! # }
//! ```
//!
//! Results go to standard output, all else to standard error. The exit code is 0 after success, 1
//! after a failed run and 2 after wrong usage: flags, graphs, grids and positions that make no
//! sense.

mod commands;
mod entry;
mod error;
mod input;
mod output;
mod session;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use error::CliError;
pub use input::read_text;

use crate::game::{Indexed, Packed, TierIndexed, Tiered};

use crate::notation::Notation;
use crate::table::{ByFormula, BySearch, Stored};
pub use entry::Explorable;
use entry::{DenseWay, Entry, ExploredWay, GameEntry, PackedEntry, PackedWay, TieredEntry};
use session::Session;

/// A game that the command line can offer.
pub trait Registered: Notation + Stored {
    /// The game in a few words.
    const ABOUT: &'static str;
    /// Options with which the game is solved in seconds, as they are typed.
    const EXAMPLE: &'static str;
    /// How a state is written, with an example.
    const STATES: &'static str;
    /// The game's options. `--output`, `--threads`, `--memory`, `--max-states`, `--json`, `--quiet`,
    /// `--sample`, `--seed`, `--numbering`, `--tier`, `--compression`, `--outcome-only`, `--checkpoint`,
    /// `--checkpoint-every` and their short forms are taken.
    type Options: clap::Args;

    /// The game that the options describe.
    ///
    /// # Errors
    /// When they make no sense ([`CliError::usage`]) or what they name can't be read
    /// ([`CliError::failed`]).
    fn from_options(options: Self::Options) -> Result<Self, CliError>;

    /// What a person should know of this game before it is solved, each on a line of its own.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The games that a command line knows. A game that is added in several ways has an option that
/// chooses between them, `--numbering`; the first is the default.
pub struct Registry {
    name: &'static str,
    version: &'static str,
    entries: Vec<Box<dyn Entry>>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| entry.name())).finish()
    }
}

impl Registry {
    /// No games yet, for the program of this name and version.
    #[must_use]
    pub fn new(name: &'static str, version: &'static str) -> Registry {
        Registry { name, version, entries: Vec::new() }
    }

    /// Adds a game that is solved in its own numbering.
    #[must_use]
    pub fn dense<G: Registered + Indexed + 'static>(mut self) -> Registry {
        entry::add(&mut self.entries, Box::new(GameEntry::<G, DenseWay>::new()));
        self
    }

    /// Adds a game whose states are discovered from its roots.
    #[must_use]
    pub fn explored<G: Registered + 'static>(mut self) -> Registry
    where
        G::State: Explorable,
    {
        entry::add(&mut self.entries, Box::new(GameEntry::<G, ExploredWay>::new()));
        self
    }

    /// Adds a game whose states are discovered from its roots, and packed.
    #[must_use]
    pub fn packed<G: Registered + Packed + 'static>(mut self) -> Registry {
        let eight = GameEntry::<G, PackedWay<u64>>::new();
        let sixteen = GameEntry::<G, PackedWay<u128>>::new();
        let entry = PackedEntry::<G, _, _>::new(eight, sixteen);
        entry::add(&mut self.entries, Box::new(entry));
        self
    }

    /// Adds a game that is solved tier by tier. Its states pack, so that they can be explored
    /// (`explore`).
    #[must_use]
    pub fn tiered<G: Registered + TierIndexed + Packed + 'static>(mut self) -> Registry {
        entry::add(&mut self.entries, Box::new(TieredEntry::<G, ByFormula>::new()));
        self
    }

    /// Adds a game that is solved tier by tier, its states discovered from its roots, and packed.
    #[must_use]
    pub fn tiered_packed<G: Registered + Tiered + Packed + 'static>(mut self) -> Registry {
        let eight = TieredEntry::<G, BySearch<u64>>::new();
        let sixteen = TieredEntry::<G, BySearch<u128>>::new();
        let entry = PackedEntry::<G, _, _>::new(eight, sixteen);
        entry::add(&mut self.entries, Box::new(entry));
        self
    }

    /// Runs the command line with the program's own arguments.
    #[must_use]
    pub fn main(self) -> ExitCode {
        match self.command().try_get_matches() {
            Ok(matches) => self.run(&matches),
            Err(error) => {
                // Help and version are no errors and go to standard output.
                let _ = error.print();
                ExitCode::from(error.exit_code() as u8)
            }
        }
    }

    /// The whole command line.
    fn command(&self) -> Command {
        let global = |name, help| {
            Arg::new(name)
                .long(name)
                .help(help)
                .action(ArgAction::SetTrue)
                .global(true)
                .display_order(900)
        };
        Command::new(self.name)
            .version(self.version)
            .about("Solves finite two-player games completely, and answers from the tables")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .arg(global("json", "Print JSON for machines instead of text"))
            .arg(
                global("quiet", "Print no progress and no notes, and no text but the answer")
                    .short('q'),
            )
            .subcommands(commands::all(self.name, &self.entries))
    }

    fn run(&self, matches: &ArgMatches) -> ExitCode {
        let mut session = Session::new(matches.get_flag("json"), matches.get_flag("quiet"));
        let Some((name, arguments)) = matches.subcommand() else { return ExitCode::from(2) };
        let result = match name {
            "games" => commands::games::run(self.name, &self.entries, &mut session),
            "completions" => commands::completions::run(self.command(), self.name, arguments),
            "solve" | "explore" | "laws" => self.with_game(name, arguments, &mut session),
            _ => commands::with_table(&self.entries, name, arguments, &mut session),
        };
        session.finish();
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                session::tell(&format!("error: {error}"));
                ExitCode::from(error.exit_code())
            }
        }
    }

    fn with_game(
        &self,
        command: &str,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let Some((name, options)) = arguments.subcommand() else {
            return Err(CliError::usage("no game was named"));
        };
        let Some(entry) = entry::find(&self.entries, name) else {
            let known = entry::names(&self.entries);
            return Err(CliError::usage(format!("no such game: \"{name}\"; expected {known}")));
        };
        match command {
            "solve" => entry.solve(options, session),
            "explore" => entry.explore(options, session),
            _ => entry.laws(options, session),
        }
    }
}
