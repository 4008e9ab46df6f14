//! The games of a registry, without their types.

use std::marker::PhantomData;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::cli::commands::{self, Probe, explore, laws, missing, solve, stats, verify};
use crate::cli::session::Session;
use crate::cli::similar::{did_you_mean, most_similar};
use crate::cli::{CliError, Registered};
use crate::error::TableError;
use crate::numbering::scheme::Numberings;
use crate::table::Table;

/// The option that chooses between the numberings of a game.
const NUMBERING: &str = "numbering";

/// A game whose type is hidden, and what its help shows.
pub(super) trait Described {
    fn about(&self) -> About;

    fn name(&self) -> &'static str {
        self.about().name
    }

    /// The names of the schemes that number the states, the usual one first.
    fn numberings(&self) -> &'static [&'static str];

    /// Adds the game's options to a command.
    fn with_options(&self, command: Command) -> Command;

    /// Reads the example of a state in the game that these options describe.
    fn check_example(&self, options: &ArgMatches) -> Result<(), CliError>;
}

/// A registered game whose type is hidden.
pub(super) trait Entry: Described {
    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;

    fn probe(
        &self,
        table: &OpenTable<'_>,
        probe: Probe<'_>,
        session: &mut Session,
    ) -> Result<(), CliError>;

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError>;

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError>;

    /// What answers questions about a table of the game.
    #[cfg(feature = "serve")]
    fn serve(&self, table: OpenTable<'_>) -> Result<Box<dyn crate::serve::Answers>, CliError>;
}

/// The texts about a game that the help shows.
#[derive(Clone, Copy)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) example: &'static str,
    pub(super) states: &'static str,
}

impl About {
    /// A command line that runs `command` with the options of the example.
    pub(super) fn example_of(&self, command: &str) -> String {
        format!("{command} {} {}", self.name, self.example).trim_end().to_owned()
    }
}

/// The game of this name.
pub(super) fn find<'e>(entries: &'e [Box<dyn Entry>], name: &str) -> Option<&'e dyn Entry> {
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
        let meant = did_you_mean(meant);
        let known = names(entries);
        CliError::usage(format!("no such game: \"{name}\"{meant}; expected one of {known}"))
    })
}

/// The names of all games, for a sentence.
pub(super) fn names(entries: &[Box<dyn Entry>]) -> String {
    entries.iter().map(|entry| entry.name()).collect::<Vec<_>>().join(", ")
}

/// Whether the scheme of this name solves a game in tiers.
pub(super) fn has_tiers(numbering: &str) -> bool {
    numbering.ends_with("tiers")
}

/// The former name of a scheme, which is still accepted.
fn former_name(numbering: &str) -> Option<&'static str> {
    match numbering {
        "packed" => Some("explored"),
        "packed-tiers" => Some("explored-tiers"),
        _ => None,
    }
}

/// The help of the option `--numbering`.
fn numbering_help(numberings: &[&str]) -> String {
    let explain = |name: &&str| match *name {
        "dense" => "dense (by a formula)",
        "explored" => "explored (the reachable states)",
        "packed" => "packed (the reachable states, 8 or 16 bytes each)",
        "tiers" => "tiers (by a formula, one tier after another)",
        "packed-tiers" => "packed-tiers (the reachable states, one tier after another)",
        _ => "",
    };
    let ways: Vec<&str> = numberings.iter().map(explain).collect();
    format!("How states are numbered: {} [default: {}]", ways.join(", "), numberings[0])
}

/// An open table and its path.
pub(super) struct OpenTable<'a> {
    pub(super) path: &'a Path,
    pub(super) table: Table,
}

impl OpenTable<'_> {
    /// Opens what is at the path.
    pub(super) fn open(path: &Path) -> Result<OpenTable<'_>, CliError> {
        let table = Table::open(path).map_err(|error| missing::explain(path, error))?;
        Ok(OpenTable { path, table })
    }

    /// Refuses the file of one tier, which answers no probe.
    pub(super) fn check_is_whole(&self) -> Result<(), CliError> {
        match self.table.header() {
            Some(header) if header.numbering.tier().is_some() => {
                Err(CliError::table(self.path)(TableError::OneTier))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a folder with the tables of other tiers than its own, or without one that it needs. Returns
    /// how many tiers are solved, in a sentence, where not all are.
    pub(super) fn check_tiers(&self) -> Result<Option<String>, CliError> {
        let failed = CliError::table(self.path);
        self.table.check_tiers().map_err(&failed)?;
        let (solved, of) = (self.table.tiers().map_err(failed)?.len(), self.table.tier_count());
        let path = self.path.display();
        Ok((solved < of).then(|| {
            format!("{path}: {solved} of {of} tiers are solved; positions of others have no answer")
        }))
    }

    /// The game that the table is of.
    fn game<G: Registered>(&self) -> Result<G, CliError> {
        self.table.game().map_err(CliError::table(self.path))
    }
}

/// A game of the registry.
pub(super) struct GameEntry<G>(PhantomData<fn() -> G>);

impl<G> GameEntry<G> {
    pub(super) const fn new() -> Self {
        GameEntry(PhantomData)
    }
}

/// The game that the options describe.
fn game<G: Registered>(options: &ArgMatches) -> Result<G, CliError> {
    G::from_options(G::Options::from_arg_matches(options).map_err(CliError::usage)?)
}

/// The game that the options describe, after printing its notes.
fn game_with_notes<G: Registered>(options: &ArgMatches, session: &Session) -> Result<G, CliError> {
    let game = game::<G>(options)?;
    game.notes().iter().for_each(|note| session.note(note));
    Ok(game)
}

/// The scheme that the options name, if any.
fn numbering<G: Registered>(options: &ArgMatches) -> Option<&'static str> {
    let names = <G::Numberings as Numberings<G>>::NAMES;
    let wanted = options.try_get_one::<String>(NUMBERING).ok().flatten()?;
    let same = names.iter().find(|name| **name == wanted);
    same.or_else(|| names.iter().find(|name| former_name(name) == Some(wanted))).copied()
}

impl<G: Registered + 'static> Described for GameEntry<G> {
    fn about(&self) -> About {
        About { name: G::NAME, about: G::ABOUT, example: G::EXAMPLE, states: G::STATES }
    }

    fn numberings(&self) -> &'static [&'static str] {
        <G::Numberings as Numberings<G>>::NAMES
    }

    fn with_options(&self, command: Command) -> Command {
        // "-1" is then refused as a value that is out of range, not as an unknown flag.
        let command = G::Options::augment_args(command).mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            if takes_values { arg.allow_negative_numbers(true) } else { arg }
        });
        let names = self.numberings();
        if names.len() < 2 {
            return command;
        }
        let value = |&name: &&'static str| match former_name(name) {
            Some(former) if !names.contains(&former) => PossibleValue::new(name).alias(former),
            _ => PossibleValue::new(name),
        };
        let numbering = Arg::new(NUMBERING)
            .long(NUMBERING)
            .value_name("NUMBERING")
            .display_order(799)
            .help(numbering_help(names))
            .value_parser(PossibleValuesParser::new(names.iter().map(value)));
        command.arg(numbering)
    }

    fn check_example(&self, options: &ArgMatches) -> Result<(), CliError> {
        let game = game::<G>(options)?;
        let Some((_, example)) = G::STATES.rsplit_once(": ") else {
            let problem = "has no example of a state behind `: ` in `STATES`";
            return Err(CliError::usage(format!("{} {problem}", G::NAME)));
        };
        let parsed = game.parse_state(example.trim_matches('"'));
        parsed.map(drop).map_err(|error| CliError::usage(format!("{}: {error}", G::NAME)))
    }
}

impl<G: Registered + 'static> Entry for GameEntry<G> {
    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = numbering::<G>(options).unwrap_or(self.numberings()[0]);
        let game = match solve::says_notes(options) {
            true => {
                let game = game_with_notes::<G>(options, session)?;
                solve::note_laws::<G>(options, session);
                game
            }
            false => game::<G>(options)?,
        };
        solve::run::<G>(&game, numbering, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = game_with_notes::<G>(options, session)?;
        explore::run(&game, numbering::<G>(options), options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = numbering::<G>(options).unwrap_or(self.numberings()[0]);
        laws::run(&game::<G>(options)?, numbering, options, session)
    }

    fn probe(
        &self,
        table: &OpenTable<'_>,
        probe: Probe<'_>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game: G = table.game()?;
        let prober = table.table.prober(&game).map_err(CliError::table(table.path))?;
        commands::probe::<G>(&prober, table.path, probe, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game: G = table.game()?;
        let failed = CliError::table(table.path);
        match table.table.tier_name(&game).map_err(&failed)? {
            Some(tier) => stats::run(&game, None, Some(tier), table, examples, session),
            None => {
                let prober = table.table.prober(&game).map_err(&failed)?;
                stats::run(&game, Some(&prober), None, table, examples, session)
            }
        }
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        verify::run::<G>(&table.game()?, table, session)
    }

    #[cfg(feature = "serve")]
    fn serve(&self, table: OpenTable<'_>) -> Result<Box<dyn crate::serve::Answers>, CliError> {
        let about = crate::serve::About { about: G::ABOUT, notation: G::STATES };
        let opened = crate::serve::open::<G>(table.game()?, table.table, about);
        opened.map_err(CliError::table(table.path))
    }
}
