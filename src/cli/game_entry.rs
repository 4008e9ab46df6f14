//! A registered game: its options, and the commands that need its type.

use std::marker::PhantomData;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::commands::{explore, laws, position, probe_lines, rules, solve, stats, verify};
use crate::cli::entry::{About, Described, Entry, Show};
use crate::cli::open_table::OpenTable;
use crate::cli::session::Session;
use crate::cli::{CliError, Registered, numberings};
use crate::numbering::scheme::Numberings;

/// A game of the registry.
pub(super) struct GameEntry<G>(PhantomData<fn() -> G>);

impl<G> GameEntry<G> {
    pub(super) const fn new() -> Self {
        GameEntry(PhantomData)
    }
}

impl<G: Registered + 'static> GameEntry<G> {
    /// The scheme that the options name, if any.
    fn numbering(&self, options: &ArgMatches) -> Option<&'static str> {
        numberings::chosen(self.numberings(), options)
    }
}

/// The game that the options describe.
fn game<G: Registered>(options: &ArgMatches) -> Result<G, CliError> {
    G::from_options(G::Options::from_arg_matches(options).map_err(CliError::usage)?)
}

/// Prints what a person should know before the game is solved.
fn say_notes<G: Registered>(game: &G, session: &Session) {
    game.notes().iter().for_each(|note| session.note(note));
}

impl<G: Registered + 'static> Described for GameEntry<G> {
    fn about(&self) -> About {
        About { name: G::NAME, about: G::ABOUT, example: G::EXAMPLE, states: G::STATES }
    }

    fn numberings(&self) -> &'static [&'static str] {
        <G::Numberings as Numberings<G>>::NAMES
    }

    fn with_options(&self, command: Command) -> Command {
        // Otherwise "-1" would be refused as an unknown option, not as a value out of range.
        let command = G::Options::augment_args(command).mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            if takes_values { arg.allow_negative_numbers(true) } else { arg }
        });
        match self.numberings() {
            names @ [_, _, ..] => command.arg(numberings::argument(names)),
            _ => command,
        }
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
    fn rules(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        rules::run(&game::<G>(options)?, session)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = self.numbering(options).unwrap_or(self.numberings()[0]);
        let game = game::<G>(options)?;
        if solve::says_notes(options) {
            say_notes(&game, session);
            solve::note_laws::<G>(options, session);
        }
        solve::run::<G>(&game, numbering, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = game::<G>(options)?;
        say_notes(&game, session);
        explore::run(&game, self.numbering(options), options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let numbering = self.numbering(options).unwrap_or(self.numberings()[0]);
        laws::run(&game::<G>(options)?, numbering, options, session)
    }

    fn probe(
        &self,
        table: &OpenTable<'_>,
        show: Show,
        arguments: &ArgMatches,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game: G = table.game()?;
        let prober = table.table.prober(&game).map_err(CliError::table(table.path))?;
        match show {
            Show::Verdict if probe_lines::is_wanted(arguments) => {
                probe_lines::show(&prober, table.path, arguments, session)
            }
            show => position::show(&prober, table.path, show, arguments, session),
        }
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
    fn serve(
        &self,
        table: OpenTable<'_>,
    ) -> Result<Box<dyn crate::answers::facts::Answers>, CliError> {
        let about = crate::answers::facts::About { about: G::ABOUT, notation: G::STATES };
        let opened = crate::answers::game_table::open::<G, _>(table.game()?, table.table, about);
        opened.map_err(CliError::table(table.path))
    }
}
