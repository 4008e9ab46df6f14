//! A game with one way to number it.

use std::marker::PhantomData;

use clap::{ArgMatches, Command};

use crate::cli::commands;
use crate::cli::commands::{Question, Stats, explore, laws, solve, stats, verify};
use crate::cli::entry::{About, Entry, OpenTable, Opened, Way, set_up, with_options_of};
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::numbering::Numbering as _;

/// A game and the way to number it.
pub(crate) struct GameEntry<G, W>(PhantomData<fn() -> (G, W)>);

impl<G, W> GameEntry<G, W> {
    pub(crate) const fn new() -> Self {
        GameEntry(PhantomData)
    }
}

impl<G: Registered, W: Way<G>> Entry for GameEntry<G, W> {
    fn about(&self) -> About {
        About::of::<G>()
    }

    fn numberings(&self) -> Vec<&'static str> {
        vec![W::Numbering::KIND.family()]
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        matches!(&table.table, Opened::File(file) if file.header().numbering == W::Numbering::KIND)
    }

    fn with_options(&self, command: Command) -> Command {
        with_options_of::<G>(command)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        solve::run::<G, W>(&set_up::<G>(options, session)?, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        explore::run(&game, options, session, W::survey)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        laws::run(G::NAME, options, session, |scope, progress| W::check(&game, scope, progress))
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game: G = table.game()?;
        let prober = W::prober(table.file()?, &game).map_err(CliError::file(table.path))?;
        commands::ask(&prober, table.path, question, state, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let (game, file) = (table.game::<G>()?, table.file()?);
        let prober = W::prober(file, &game).map_err(CliError::file(table.path))?;
        stats::run(&prober, table.path, &Stats::of_file(file), examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        let (game, file) = (table.game::<G>()?, table.file()?);
        verify::run(session, table.path, file.header().outcomes_only, |progress| {
            W::verify(file, &game, progress).map_err(CliError::file(table.path))?;
            Ok(file.header().summary.states())
        })
    }
}
