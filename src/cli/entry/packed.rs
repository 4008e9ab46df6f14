//! A game whose states are packed.

use std::marker::PhantomData;

use clap::{ArgMatches, Command};

use crate::cli::commands::Question;
use crate::cli::entry::{About, Entry, OpenTable, game};
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::game::Packed;

/// A game whose states are packed, into 8 bytes where they fit and into 16 otherwise: two entries, of
/// which one is for a game, or for a table.
pub(crate) struct PackedEntry<G, E, S> {
    eight: E,
    sixteen: S,
    game: PhantomData<fn() -> G>,
}

impl<G: Registered + Packed + 'static, E: Entry, S: Entry> PackedEntry<G, E, S> {
    pub(crate) const fn new(eight: E, sixteen: S) -> Self {
        PackedEntry { eight, sixteen, game: PhantomData }
    }

    /// The entry for a table.
    fn of_table(&self, table: &OpenTable<'_>) -> &dyn Entry {
        if self.sixteen.takes(table) && !self.eight.takes(table) {
            &self.sixteen
        } else {
            &self.eight
        }
    }

    /// The entry for a game.
    fn of_game(&self, options: &ArgMatches) -> Result<&dyn Entry, CliError> {
        let game = game::<G>(options)?;
        Ok(if fits_eight_bytes(&game) { &self.eight } else { &self.sixteen })
    }
}

pub(super) fn fits_eight_bytes<G: Packed>(game: &G) -> bool {
    game.bits() <= u64::BITS
}

impl<G: Registered + Packed + 'static, E: Entry, S: Entry> Entry for PackedEntry<G, E, S> {
    fn about(&self) -> About {
        About::of::<G>()
    }

    fn numberings(&self) -> Vec<&'static str> {
        self.eight.numberings()
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        self.eight.takes(table) || self.sixteen.takes(table)
    }

    fn with_options(&self, command: Command) -> Command {
        self.eight.with_options(command)
    }

    fn with_solve_options(&self, command: Command) -> Command {
        self.eight.with_solve_options(command)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        self.of_game(options)?.solve(options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        self.of_game(options)?.explore(options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        self.of_game(options)?.laws(options, session)
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        self.of_table(table).ask(table, question, state, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        self.of_table(table).stats(table, examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        self.of_table(table).verify(table, session)
    }
}
