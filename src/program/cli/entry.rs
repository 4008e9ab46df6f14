//! The games of a registry, without their types.

use clap::{ArgMatches, Command};

use crate::program::cli::numberings::Choice;
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use crate::program::cli::similar::{did_you_mean, most_similar};
use crate::program::cli::{CliError, ErrorCode};

/// A game whose type is hidden, and what its help shows.
pub(super) trait Described {
    fn about(&self) -> About<'_>;

    fn name(&self) -> &str {
        self.about().name
    }

    /// The schemes that number the states.
    fn numberings(&self) -> Choice;

    /// Adds the game's options to a command.
    fn with_options(&self, command: Command) -> Command;

    /// Reads the example of a state in the game that these options describe.
    fn check_example(&self, options: &ArgMatches) -> Result<(), CliError>;
}

/// A registered game whose type is hidden.
pub(super) trait Entry: Described {
    fn rules(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    /// Shows a position, which the arguments name.
    fn probe(
        &self,
        table: &OpenTable<'_>,
        show: Show,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError>;

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError>;

    fn verify(
        &self,
        table: &OpenTable<'_>,
        tier: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError>;

    /// The answers of a table of the game, for the server.
    #[cfg(feature = "serve")]
    fn serve(
        &self,
        table: OpenTable<'_>,
    ) -> Result<Box<dyn crate::program::answers::facts::Answers>, CliError>;
}

/// What to show of one position of a table.
#[derive(Clone, Copy)]
pub(super) enum Show {
    Verdict,
    Moves,
    Line,
    Play,
    Picture,
}

/// The texts about a game that the help shows.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) name: &'a str,
    pub(super) about: &'a str,
    pub(super) example: &'a str,
    pub(super) states: &'a str,
}

impl About<'_> {
    /// A command line that runs `command` with the options of the example.
    pub(super) fn example_of(&self, command: &str) -> String {
        format!("{command} {} {}", self.name, self.example).trim_end().to_owned()
    }
}

/// The game of this name.
fn find<'e>(entries: &'e [Box<dyn Entry>], name: &str) -> Option<&'e dyn Entry> {
    entries.iter().map(|entry| &**entry).find(|entry| entry.name() == name)
}

/// The game of this name.
///
/// # Errors
/// When there is none: the error suggests the most similar name.
pub(super) fn named<'e>(
    entries: &'e [Box<dyn Entry>],
    name: &str,
) -> Result<&'e dyn Entry, CliError> {
    find(entries, name).ok_or_else(|| {
        let meant = most_similar(name, entries.iter().map(|entry| entry.name()));
        let hint = did_you_mean(meant);
        let known = names(entries);
        let wrong = format!("no such game: \"{name}\"{hint}; expected one of {known}");
        let games: Vec<&str> = entries.iter().map(|entry| entry.name()).collect();
        CliError::usage(wrong)
            .coded(ErrorCode::UnknownGame)
            .with("game", name)
            .with("meant", meant)
            .with("games", games)
    })
}

/// The game of a table.
///
/// # Errors
/// When it is none of these.
pub(super) fn of_table<'e>(
    entries: &'e [Box<dyn Entry>],
    table: &OpenTable<'_>,
) -> Result<&'e dyn Entry, CliError> {
    known(entries, table).ok_or_else(|| {
        let (path, game, known) = (table.path.display(), table.table.game_name(), names(entries));
        CliError::failed(format!(
            "{path}: this needs the rules of \"{game}\", which this program does not have: use the \
             program that solved the table or, for a class in Python, its `retrograde` with --game \
             FILE.py:CLASS; `stats` needs no rules (the games here are {known})"
        ))
        .coded(ErrorCode::NeedsRules)
        .with("game", game)
        .with("path", table.path.to_string_lossy())
    })
}

/// The game of a table; `None` if it is none of these.
pub(super) fn known<'e>(
    entries: &'e [Box<dyn Entry>],
    table: &OpenTable<'_>,
) -> Option<&'e dyn Entry> {
    find(entries, table.table.game_name())
}

/// The names of all games, for a sentence.
pub(super) fn names(entries: &[Box<dyn Entry>]) -> String {
    entries.iter().map(|entry| entry.name()).collect::<Vec<_>>().join(", ")
}
