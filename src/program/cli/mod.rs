//! The command line, as a library function over any set of games.
//!
//! A game that implements [`Registered`] gets all subcommands (`games`, `rules`, `solve`, `explore`,
//! `probe`, `moves`, `line`, `play`, `draw`, `stats`, `verify`, `laws`, `completions`; with the feature
//! `serve` also `serve` and `publish`) with three lines:
//!
//! ```no_run
//! # use retrograde::cli::{Registered, Registry};
//! # fn binary<MyGame>() -> std::process::ExitCode
//! # where MyGame: Registered + 'static {
//! // fn main() -> std::process::ExitCode {
//! Registry::new("my-games", env!("CARGO_PKG_VERSION")).register::<MyGame>().main()
//! // }
//! # }
//! ```
//!
//! Results go to standard output, everything else to standard error. The exit code is 0 after
//! success, 1 after a failed run, and 2 after wrong usage: invalid flags, graphs, grids or
//! positions.

mod arguments;
mod bars;
mod caller;
mod commands;
mod entry;
mod game_entry;
mod glossary;
mod lines;
mod missing;
mod numberings;
mod open_table;
#[cfg(feature = "serve")]
mod opened;
mod output;
mod pace;
mod plan_notes;
mod plot;
mod session;
mod similar;
mod terminal;
mod usage;
mod wording;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write as _};
#[cfg(feature = "serve")]
use std::net::SocketAddr;
#[cfg(feature = "serve")]
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};

pub use crate::program::code::ErrorCode;
pub use crate::program::registered::{Answer, CliError, Many, Registered, Share, read_text};

pub use caller::Caller;
pub use glossary::Glossary;
#[cfg(feature = "serve")]
pub use opened::{OpenedTable, Refusal, Stopper};

#[cfg(feature = "serve")]
pub use crate::program::answers::facts::Judged;
#[cfg(feature = "serve")]
use crate::program::answers::file_table;
use arguments::{switch, words};
use caller::Called;
use entry::{Described, Entry};
use game_entry::{FromOptions, GameEntry, Ready};
#[cfg(feature = "serve")]
use open_table::OpenTable;
use session::Session;
use usage::wrong_usage;

/// The help of the option `--quiet`.
const QUIET: &str = "Print one line of result, without progress and notes; `moves` and `line` print their \
                     whole lists";

/// Checks the examples in the help of one game, as [`Registry::check_examples`] does for all.
///
/// # Errors
/// When an example is invalid.
pub fn check_example<G: Registered + 'static>() -> Result<(), CliError> {
    check_example_of(&GameEntry::<G, _>::new(FromOptions))
}

fn check_example_of(entry: &dyn Described) -> Result<(), CliError> {
    let words = words(entry.about().example).ok_or_else(|| {
        CliError::usage(format!("{}: a quote in `EXAMPLE` is not closed", entry.name()))
    })?;
    let command = entry.with_options(Command::new(entry.name().to_owned()));
    let arguments = std::iter::once(entry.name().to_owned()).chain(words);
    let matches = command.try_get_matches_from(arguments).map_err(CliError::usage)?;
    entry.check_example(&matches)
}

/// The games that a command line knows. A game with several numberings has the option `--numbering`
/// to choose one. The first of its list is the default.
pub struct Registry {
    name: &'static str,
    version: &'static str,
    entries: Vec<Box<dyn Entry>>,
    /// How the modules for browsers are built.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only `publish` names it"))]
    modules: Option<&'static str>,
    glossary: Glossary,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| entry.name())).finish()
    }
}

impl Registry {
    /// An empty registry for the program of this name and version.
    #[must_use]
    pub fn new(name: &'static str, version: &'static str) -> Registry {
        let (entries, glossary) = (Vec::new(), Glossary::default());
        Registry { name, version, entries, modules: None, glossary }
    }

    /// Adds a game, with all the numberings that it lists.
    #[must_use]
    pub fn register<G: Registered + 'static>(mut self) -> Registry {
        self.entries.push(Box::new(GameEntry::<G, _>::new(FromOptions)));
        self
    }

    /// Adds a game that exists, under its own [name](crate::table::Stored::name) and without options.
    /// `about` is the game in a few words, and `states` says how a state is written. If there is a game of
    /// that name, the new one takes its place.
    #[must_use]
    pub fn add<G: Registered + Clone + 'static>(
        mut self,
        game: G,
        about: &str,
        states: &str,
    ) -> Registry {
        let name = game.name().to_owned();
        self.entries.retain(|entry| entry.name() != name);
        self.entries.push(Box::new(GameEntry::<G, _>::new(Ready::new(game, about, states))));
        self
    }

    /// The names of the games.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name())
    }

    /// Sets the command that builds the modules for browsers, which `publish` names where one is missing.
    /// `GAME` in it stands for the name of the game.
    #[must_use]
    pub fn modules(self, command: &'static str) -> Registry {
        Registry { modules: Some(command), ..self }
    }

    /// Sets the words of authors who write the games in another language than Rust. Errors have them in
    /// place of the names of this library.
    #[must_use]
    pub fn glossary(self, glossary: Glossary) -> Registry {
        Registry { glossary, ..self }
    }

    /// Checks the examples in the help of each game: the [options](Registered::EXAMPLE) describe a
    /// game, and that game reads the [state](Registered::STATES). Call it in a test of the games.
    ///
    /// # Errors
    /// The first example that is invalid.
    pub fn check_examples(&self) -> Result<(), CliError> {
        self.entries.iter().try_for_each(|entry| check_example_of(&**entry))
    }

    /// Runs the command line with the program's own arguments.
    #[must_use]
    pub fn main(self) -> ExitCode {
        ExitCode::from(self.main_with(std::env::args_os()))
    }

    /// Runs the command line with these arguments, the first of which is ignored, and returns the exit
    /// code.
    #[must_use]
    pub fn main_with<T: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = T>,
    ) -> u8 {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        match self.command().try_get_matches_from(&arguments) {
            Ok(matches) => self.run(&matches),
            Err(error) if error.use_stderr() => {
                match arguments.iter().any(|argument| argument == "--json") {
                    true => {
                        let named = |option: &str| format!("--{option}");
                        let wrong = wrong_usage(&error, &self.command(), &arguments, &named);
                        session::print_error(&wrong, true);
                    }
                    false => print_wrong_usage(&error),
                }
                error.exit_code() as u8
            }
            Err(error) => {
                // Help and version are no errors and go to standard output.
                let printed = error.print().and_then(|()| io::stdout().flush());
                match printed {
                    Err(problem) if session::is_lost(&problem) => {
                        let problem = session::cannot_print(&problem);
                        session::print_beside(&format!("error: {problem}"));
                        problem.exit_code()
                    }
                    _ => error.exit_code() as u8,
                }
            }
        }
    }

    /// The whole command line.
    fn command(&self) -> Command {
        let global = |name, help| switch(name, help).global(true).display_order(900);
        self.command_for_program()
            .version(self.version)
            .about("Solves finite two-player games completely and probes the tables")
            .arg_required_else_help(true)
            .arg(global("json", "Print JSON instead of text"))
            .arg(global("quiet", QUIET).short('q'))
    }

    /// The command line without what only a person at a terminal needs.
    fn command_for_program(&self) -> Command {
        Command::new(self.name)
            .subcommand_required(true)
            .subcommands(commands::all(self.name, &self.entries))
    }

    fn run(&self, matches: &ArgMatches) -> u8 {
        let as_json = matches.get_flag("json");
        let mut session = Session::new(self.name, as_json, matches.get_flag("quiet"));
        let Some((name, arguments)) = matches.subcommand() else { return 2 };
        let result = match name {
            "completions" => commands::completions::run(self.command(), self.name, arguments),
            #[cfg(feature = "serve")]
            "serve" => commands::serve::run(&self.entries, arguments, &mut session),
            #[cfg(feature = "serve")]
            "publish" => {
                commands::publish::run(&self.entries, self.modules, arguments, &mut session)
            }
            _ => self.answer(name, arguments, &mut session),
        };
        session.finish();
        match result {
            Ok(()) => 0,
            Err(error) => {
                let exit_code = error.exit_code();
                if !error.is_said() {
                    session::print_error(&self.glossary.error(error), as_json);
                }
                exit_code
            }
        }
    }

    /// Runs a command that ends in an answer.
    fn answer(
        &self,
        name: &str,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError> {
        match name {
            "games" => {
                let program = self.command_for_program();
                commands::games::run(&program, &self.entries, arguments, session)
            }
            "rules" | "solve" | "explore" | "laws" => self.with_game(name, arguments, session),
            _ => commands::with_table(&self.entries, name, arguments, session),
        }
    }

    /// Runs a command for a program instead of a person, and returns its answer: what `--json` prints.
    /// The arguments begin with one of the commands in [`CALLED`](Registry::CALLED). The caller gets the
    /// progress and the notes, and can interrupt the work.
    ///
    /// ```no_run
    /// # use retrograde::cli::{Caller, CliError, Registered, Registry};
    /// use std::ops::ControlFlow;
    /// use std::sync::Arc;
    ///
    /// struct Patient;
    ///
    /// impl Caller for Patient {
    ///     fn progress(&self, _: &str) -> ControlFlow<()> {
    ///         ControlFlow::Continue(())
    ///     }
    ///
    ///     fn note(&self, _: &str) {}
    /// }
    /// # fn solve<MyGame: Registered + 'static>() -> Result<(), CliError> {
    /// let registry = Registry::new("my-games", "1.0").register::<MyGame>();
    /// let answer = registry.call(["solve", "my-game", "-o", "my.rtb"], Arc::new(Patient))?;
    /// println!("{} states", answer["states"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As on the command line.
    pub fn call<T: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = T>,
        caller: Arc<dyn Caller>,
    ) -> Result<serde_json::Value, CliError> {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let command = self.command_for_program().no_binary_name(true);
        let called = Arc::new(Called::new(caller, names_of_options(&command)));
        let answered = command
            .clone()
            .try_get_matches_from(&arguments)
            .map_err(|error| wrong_usage(&error, &command, &arguments, &|name| called.option(name)))
            .and_then(|matches| self.answer_call(&matches, &called));
        answered.map_err(|error| called.error(self.glossary.error(error)))
    }

    fn answer_call(
        &self,
        matches: &ArgMatches,
        called: &Arc<Called>,
    ) -> Result<serde_json::Value, CliError> {
        let (name, arguments) = matches.subcommand().unwrap_or(("", matches));
        if !Registry::CALLED.contains(&name) {
            let known = Registry::CALLED.join(", ");
            return Err(CliError::usage(format!("\"{name}\" is none of {known}")));
        }
        self.answer(name, arguments, &mut Session::of_call(self.name, called))?;
        Ok(called.take_answer())
    }

    /// The commands that a program can [`call`](Registry::call).
    pub const CALLED: [&str; 7] = ["games", "rules", "solve", "explore", "stats", "verify", "laws"];

    /// Serves tables of the games over HTTP, with the page that shows them, until `stop` says so. Calls
    /// `ready` with the address, where port 0 has become a free one. Runs on this thread. With a secret, all
    /// addresses begin with it, and pages of this machine may have the page in a frame.
    ///
    /// # Errors
    /// When a table can't be opened, or nobody can listen there.
    #[cfg(feature = "serve")]
    pub fn serve(
        &self,
        paths: &[PathBuf],
        listen: SocketAddr,
        secret: Option<String>,
        caller: Arc<dyn Caller>,
        stop: &Stopper,
        ready: impl FnOnce(SocketAddr),
    ) -> Result<(), CliError> {
        let options = names_of_options(&self.command_for_program());
        let called = Arc::new(Called::new(caller, options));
        let session = &mut Session::of_call(self.name, &called);
        let entries = &self.entries;
        commands::serve::run_for_program(
            entries,
            paths,
            listen,
            secret,
            stop.inner(),
            ready,
            session,
        )
    }

    /// Opens a table with this much memory for its values. The table of a game that is not here answers
    /// what its files alone say: its figures and its values by index.
    ///
    /// # Errors
    /// When it can't be read, is damaged, or is the file of a single tier.
    #[cfg(feature = "serve")]
    pub fn open(&self, path: &Path, cache: usize) -> Result<OpenedTable, CliError> {
        let mut table = OpenTable::open(path)?;
        table.table = table.table.cache(cache);
        table.check_is_whole()?;
        table.check_tiers()?;
        let answers = match entry::of_table(&self.entries, &table) {
            Ok(entry) => entry.serve(table)?,
            Err(lacks) => {
                let opened = file_table::open(table.table, lacks.to_string());
                opened.map_err(CliError::table(path))?
            }
        };
        Ok(OpenedTable::new(path, answers))
    }

    fn with_game(
        &self,
        command: &str,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let Some((name, options)) = arguments.subcommand() else {
            return Err(CliError::usage(format!(
                "{command} needs the name of a game: {}",
                entry::names(&self.entries)
            )));
        };
        let entry = entry::named(&self.entries, name)?;
        match command {
            "solve" => entry.solve(options, session),
            "rules" => entry.rules(options, session),
            "explore" => entry.explore(options, session),
            _ => entry.laws(options, session),
        }
    }
}

/// The names of all options of a command and its subcommands.
fn names_of_options(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|option| option.get_long().map(str::to_owned));
    own.chain(command.get_subcommands().flat_map(names_of_options)).collect()
}

/// Prints what is wrong with the arguments: in colours, unless the message echoes characters that a
/// terminal should not get.
fn print_wrong_usage(error: &clap::Error) {
    let text = error.render().to_string();
    let is_harmless = text.lines().all(|line| session::harmless(line) == line);
    match is_harmless {
        true => drop(error.print()),
        false => text.lines().for_each(session::print_beside),
    }
}
