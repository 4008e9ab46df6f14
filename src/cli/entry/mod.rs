//! Games as the command line holds them: which game, and which way to number it.

mod numbered;
mod packed;
mod several;
mod tiered;
mod ways;

use std::hash::Hash;
use std::path::Path;

use clap::{ArgMatches, Command, FromArgMatches};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cli::commands::Question;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::error::{FolderError, TableError};
use crate::table::{Tablebase, TierFolder, is_of_tier};
pub(super) use numbered::GameEntry;
pub(super) use packed::PackedEntry;
pub(super) use several::add;
pub(super) use tiered::{TieredEntry, TiersWay};
pub(super) use ways::{DenseWay, ExploredWay, PackedWay, Way};

/// What a state has to be for its game to be explored and stored.
pub trait Explorable: Hash + Ord + Serialize + DeserializeOwned {}

impl<S: Hash + Ord + Serialize + DeserializeOwned> Explorable for S {}

/// A registered game, whichever it is.
pub(super) trait Entry {
    fn about(&self) -> About;
    fn name(&self) -> &'static str {
        self.about().name
    }
    /// The ways to number the states, the usual one first.
    fn numberings(&self) -> Vec<&'static str>;
    /// Takes one more way to number the game, if it can hold several; otherwise gives it back.
    fn take_way(&mut self, entry: Box<dyn Entry>) -> Option<Box<dyn Entry>> {
        Some(entry)
    }
    /// Whether this is the entry for a table.
    fn takes(&self, table: &OpenTable<'_>) -> bool;
    /// Adds the game's options to a command.
    fn with_options(&self, command: Command) -> Command;
    /// Adds what only `solve` takes.
    fn with_solve_options(&self, command: Command) -> Command {
        command
    }
    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError>;
    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError>;
    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError>;
}

/// What people are told of a game.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) example: &'static str,
    pub(super) states: &'static str,
}

impl About {
    fn of<G: Registered>() -> About {
        About { name: G::NAME, about: G::ABOUT, example: G::EXAMPLE, states: G::STATES }
    }
}

/// The game of this name.
pub(super) fn find<'e>(entries: &'e [Box<dyn Entry>], name: &str) -> Option<&'e dyn Entry> {
    entries.iter().map(|entry| &**entry).find(|entry| entry.name() == name)
}

/// The names of all games, for a sentence.
pub(super) fn names(entries: &[Box<dyn Entry>]) -> String {
    entries.iter().map(|entry| entry.name()).collect::<Vec<_>>().join(", ")
}

/// An open table and where it is.
pub(super) struct OpenTable<'a> {
    pub(super) path: &'a Path,
    pub(super) table: Opened,
}

/// A table in a file, or the tables of a game's tiers in a folder.
pub(super) enum Opened {
    File(Box<Tablebase>),
    Folder(Box<TierFolder>),
}

impl OpenTable<'_> {
    /// Opens what is at the path.
    pub(super) fn open(path: &Path) -> Result<OpenTable<'_>, CliError> {
        let table = if path.is_dir() {
            Opened::Folder(Box::new(TierFolder::open(path).map_err(from_folder)?))
        } else {
            let table = Tablebase::open(path).map_err(CliError::file(path))?;
            if is_of_tier(table.header()) {
                return Err(CliError::failed(format!(
                    "{}: the table of one tier of a game, which alone answers nothing: name the \
                     folder that it is in",
                    path.display()
                )));
            }
            Opened::File(Box::new(table))
        };
        Ok(OpenTable { path, table })
    }

    /// The same, with so many threads for checking it.
    pub(super) fn with_threads(self, threads: usize) -> Self {
        let table = match self.table {
            Opened::File(table) => Opened::File(Box::new(table.with_threads(threads))),
            Opened::Folder(folder) => Opened::Folder(Box::new(folder.with_threads(threads))),
        };
        OpenTable { table, ..self }
    }

    /// The same, with so much memory for values while they are checked.
    pub(super) fn with_memory(self, bytes: u64) -> Self {
        let table = match self.table {
            Opened::File(table) => Opened::File(Box::new(table.with_memory(bytes))),
            Opened::Folder(folder) => Opened::Folder(Box::new(folder.with_memory(bytes))),
        };
        OpenTable { table, ..self }
    }

    /// The name of the game that it says it is of.
    pub(super) fn game_name(&self) -> &str {
        match &self.table {
            Opened::File(table) => &table.header().game,
            Opened::Folder(folder) => folder.game_name(),
        }
    }

    /// The table, where it is a file.
    fn file(&self) -> Result<&Tablebase, CliError> {
        match &self.table {
            Opened::File(table) => Ok(table),
            Opened::Folder(_) => {
                let path = self.path.display();
                Err(CliError::failed(format!(
                    "{path}: a folder of tiers, where a file is expected"
                )))
            }
        }
    }

    /// The game, where the table is a file.
    fn game<G: Registered>(&self) -> Result<G, CliError> {
        self.file()?.game().map_err(CliError::file(self.path))
    }
}

/// An error of a folder. It says where by itself.
pub(super) fn from_folder(error: FolderError) -> CliError {
    match error {
        FolderError::NoSuchTier { .. } => CliError::usage(error),
        FolderError::Table { source: TableError::Interrupted, .. } => {
            CliError::failed("interrupted")
        }
        error => CliError::failed(error),
    }
}

/// The game that the options describe.
fn game<G: Registered>(options: &ArgMatches) -> Result<G, CliError> {
    G::from_options(G::Options::from_arg_matches(options).map_err(CliError::usage)?)
}

/// The same; what should be known of it is told.
fn set_up<G: Registered>(options: &ArgMatches, session: &Session) -> Result<G, CliError> {
    let game = game::<G>(options)?;
    game.notes().iter().for_each(|note| session.note(note));
    Ok(game)
}

/// Adds a game's own options to a command.
fn with_options_of<G: Registered>(command: Command) -> Command {
    use clap::Args;
    // A negative number is a wrong number rather than an unknown flag.
    G::Options::augment_args(command).mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    })
}
