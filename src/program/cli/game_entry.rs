//! A game of a registry, and the commands that need its type.

use std::marker::PhantomData;
use std::sync::Arc;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::numbering::scheme::Numberings;
use crate::program::cli::arguments::option;
use crate::program::cli::commands::{
    explore, laws, position, probe_lines, rules, solve, stats, verify,
};
use crate::program::cli::entry::{About, Described, Entry, Show};
use crate::program::cli::numberings::Choice;
use crate::program::cli::open_table::OpenTable;
use crate::program::cli::session::Session;
use crate::program::cli::{CliError, Many, Registered, numberings};

/// Where the commands have a game from.
pub(super) trait Source<G> {
    fn about(&self) -> About<'_>;

    /// Adds the game's options to a command.
    fn with_options(&self, command: Command) -> Command;

    /// The game that the options describe.
    fn game_of(&self, options: &ArgMatches) -> Result<G, CliError>;

    /// The games that the options name, if they name many.
    fn many(&self, _: &ArgMatches) -> Result<Option<Many>, CliError> {
        Ok(None)
    }

    /// The game of a table.
    fn game_in(&self, table: &OpenTable<'_>) -> Result<G, CliError>;
}

/// A game that its options describe, or the parameters in a table.
pub(super) struct FromOptions;

/// A game that exists.
pub(super) struct Ready<G> {
    game: G,
    name: String,
    about: String,
    states: String,
}

impl<G: Registered + Clone> Ready<G> {
    pub(super) fn new(game: G, about: &str, states: &str) -> Ready<G> {
        let name = game.name().to_owned();
        Ready { game, name, about: about.to_owned(), states: states.to_owned() }
    }
}

impl<G: Registered> Source<G> for FromOptions {
    fn about(&self) -> About<'_> {
        About { name: G::NAME, about: G::ABOUT, example: G::EXAMPLE, states: G::STATES }
    }

    fn with_options(&self, command: Command) -> Command {
        // Otherwise "-1" would be refused as an unknown option, not as a value out of range.
        G::Options::augment_args(command).mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            if takes_values { arg.allow_negative_numbers(true) } else { arg }
        })
    }

    fn game_of(&self, options: &ArgMatches) -> Result<G, CliError> {
        G::from_options(G::Options::from_arg_matches(options).map_err(CliError::usage)?)
    }

    fn many(&self, options: &ArgMatches) -> Result<Option<Many>, CliError> {
        G::many(&G::Options::from_arg_matches(options).map_err(CliError::usage)?)
    }

    fn game_in(&self, table: &OpenTable<'_>) -> Result<G, CliError> {
        table.game()
    }
}

impl<G: Clone> Source<G> for Ready<G> {
    fn about(&self) -> About<'_> {
        let Ready { name, about, states, .. } = self;
        About { name, about, example: "", states }
    }

    fn with_options(&self, command: Command) -> Command {
        command
    }

    fn game_of(&self, _: &ArgMatches) -> Result<G, CliError> {
        Ok(self.game.clone())
    }

    fn game_in(&self, _: &OpenTable<'_>) -> Result<G, CliError> {
        Ok(self.game.clone())
    }
}

/// A game of the registry.
pub(super) struct GameEntry<G, S> {
    source: S,
    game: PhantomData<fn() -> G>,
}

impl<G, S> GameEntry<G, S> {
    pub(super) const fn new(source: S) -> Self {
        GameEntry { source, game: PhantomData }
    }
}

impl<G: Registered + 'static, S: Source<G>> GameEntry<G, S> {
    /// The scheme that the options name, if any.
    fn numbering(&self, options: &ArgMatches) -> Result<Option<&'static str>, CliError> {
        numberings::chosen(self.numberings(), options)
    }
}

/// The option `--start` of a game that has none.
const NO_START: &str = "no-start";

impl<G: Registered + 'static, S: Source<G>> GameEntry<G, S> {
    /// The game that the options describe.
    fn game_of(&self, options: &ArgMatches) -> Result<G, CliError> {
        if matches!(options.try_get_one::<String>(NO_START), Ok(Some(_))) {
            let name = self.name();
            let problem = match self
                .numberings()
                .built
                .iter()
                .any(|name| numberings::discovers(name))
            {
                true => "play begins with the roots that its rules name",
                false => {
                    "a formula numbers all its positions, wherever play begins: solve it without \
                     --start, and probe the position"
                }
            };
            return Err(CliError::usage(format!("{name} has no option --start: {problem}")));
        }
        self.source.game_of(options)
    }

    /// Refuses a position to begin with in a numbering that has all positions.
    fn check_start(&self, game: &G, numbering: &str) -> Result<(), CliError> {
        match game.has_own_start() && !numberings::discovers(numbering) {
            true => Err(needs_discovering(numbering, self.numberings().built)),
            false => Ok(()),
        }
    }
}

/// The error about a position to begin with in a numbering that has all positions. `built` are the
/// game's numberings.
fn needs_discovering(numbering: &str, built: &[&str]) -> CliError {
    let names = built.iter().copied().filter(|name| numberings::discovers(name));
    let others = names.collect::<Vec<_>>().join(" or ");
    CliError::usage(format!(
        "--start needs a numbering that discovers states, but \"{numbering}\" has all positions by a \
         formula, wherever play begins: solve without --start, or choose --numbering {others}"
    ))
}

/// Prints what a person should know before the game is solved.
fn say_notes<G: Registered>(game: &G, session: &Session) {
    game.notes().iter().for_each(|note| session.note(note));
}

impl<G: Registered + 'static, S: Source<G>> Described for GameEntry<G, S> {
    fn about(&self) -> About<'_> {
        self.source.about()
    }

    fn numberings(&self) -> Choice {
        Choice { built: <G::Numberings as Numberings<G>>::NAMES, optional: G::OPTIONAL }
    }

    fn with_options(&self, command: Command) -> Command {
        let command = self.source.with_options(command);
        let numberings = self.numberings();
        let command = match numberings.names().len() {
            0 | 1 => command,
            _ => command.arg(numberings::argument(numberings)),
        };
        // Otherwise clap would only say that there is no such option.
        let has_start = command.get_arguments().any(|arg| arg.get_long() == Some("start"));
        match has_start {
            true => command,
            false => command.arg(option(NO_START, "POSITION").long("start").hide(true)),
        }
    }

    fn check_example(&self, options: &ArgMatches) -> Result<(), CliError> {
        let game = self.source.game_of(options)?;
        let About { name, states, .. } = self.about();
        let Some((_, example)) = states.rsplit_once(": ") else {
            let problem = "has no example of a state behind `: ` in `STATES`";
            return Err(CliError::usage(format!("{name} {problem}")));
        };
        let parsed = game.parse_state(example.trim_matches('"'));
        parsed.map(drop).map_err(|error| CliError::usage(format!("{name}: {error}")))
    }
}

impl<G: Registered + 'static, S: Source<G>> Entry for GameEntry<G, S> {
    fn rules(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = self.game_of(options)?;
        let command = self.source.with_options(Command::new(self.name().to_owned()));
        rules::note_example(&command, options, session);
        rules::run(&game, session)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = self.numbering(options)?.unwrap_or(self.numberings().built[0]);
        if let Some(many) = self.source.many(options)? {
            return solve::many::run(&many, options, session);
        }
        let game = Arc::new(self.game_of(options)?);
        self.check_start(&game, numbering)?;
        if solve::says_notes(options) {
            say_notes(&*game, session);
            solve::note_laws(&*game, options, session);
        }
        solve::run::<G>(&game, numbering, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = self.game_of(options)?;
        say_notes(&game, session);
        explore::run(&game, self.numbering(options)?, options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = self.numbering(options)?.unwrap_or(self.numberings().built[0]);
        let game = self.game_of(options)?;
        self.check_start(&game, numbering)?;
        laws::run(&game, numbering, options, session)
    }

    fn probe(
        &self,
        table: &OpenTable<'_>,
        show: Show,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game = self.source.game_in(table)?;
        let prober = table.table.prober(game).map_err(CliError::table(table.path))?;
        match show {
            Show::Verdict if probe_lines::is_wanted(arguments) => {
                probe_lines::show(prober.view(), table.path, arguments, session)
            }
            show => position::show(prober.view(), table.path, show, arguments, session),
        }
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game = self.source.game_in(table)?;
        let failed = CliError::table(table.path);
        match table.table.tier_name(&game).map_err(&failed)? {
            Some(tier) => stats::run(&game, None, Some(tier), table, examples, session),
            None => {
                let prober = table.table.prober(game).map_err(&failed)?;
                stats::run(prober.game(), Some(prober.view()), None, table, examples, session)
            }
        }
    }

    fn verify(
        &self,
        table: &OpenTable<'_>,
        tier: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        verify::run::<G>(&self.source.game_in(table)?, table, tier, session)
    }

    #[cfg(feature = "serve")]
    fn serve(
        &self,
        table: OpenTable<'_>,
    ) -> Result<Box<dyn crate::program::answers::facts::Answers>, CliError> {
        let About { about, states, .. } = self.about();
        let [about, notation] = [about, states].map(|text| text.to_owned().into());
        let about = crate::program::answers::facts::About { about, notation };
        let game = self.source.game_in(&table)?;
        let opened = crate::program::answers::game_table::open::<G, _>(game, table.table, about);
        opened.map_err(CliError::table(table.path))
    }
}
