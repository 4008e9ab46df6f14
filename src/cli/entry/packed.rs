//! A game whose states are packed.

use std::marker::PhantomData;

use clap::{ArgMatches, Command};

use super::super::commands::Question;
use super::super::session::Session;
use super::super::{CliError, Registered};
use super::ways::PackedWay;
use super::{About, Entry, GameEntry, OpenTable, game};
use crate::game::Packed;

/// A game whose states are packed, into 8 bytes where they fit and into 16 otherwise.
pub(in crate::cli) struct PackedEntry<G>(PhantomData<fn() -> G>);

impl<G: Registered + Packed + 'static> PackedEntry<G> {
    pub(in crate::cli) const fn new() -> Self {
        PackedEntry(PhantomData)
    }

    const EIGHT: GameEntry<G, PackedWay<u64>> = GameEntry::new();
    const SIXTEEN: GameEntry<G, PackedWay<u128>> = GameEntry::new();

    /// The entry for a table.
    fn of_table(table: &OpenTable<'_>) -> &'static dyn Entry {
        if Self::SIXTEEN.takes(table) { &Self::SIXTEEN } else { &Self::EIGHT }
    }

    /// The entry for a game.
    fn of_game(options: &ArgMatches) -> Result<&'static dyn Entry, CliError> {
        let game = game::<G>(options)?;
        Ok(if fits_eight_bytes(&game) { &Self::EIGHT } else { &Self::SIXTEEN })
    }
}

pub(super) fn fits_eight_bytes<G: Packed>(game: &G) -> bool {
    game.bits() <= u64::BITS
}

impl<G: Registered + Packed + 'static> Entry for PackedEntry<G> {
    fn about(&self) -> About {
        About::of::<G>()
    }

    fn numberings(&self) -> Vec<&'static str> {
        Self::EIGHT.numberings()
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        Self::EIGHT.takes(table) || Self::SIXTEEN.takes(table)
    }

    fn with_options(&self, command: Command) -> Command {
        Self::EIGHT.with_options(command)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        Self::of_game(options)?.solve(options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        Self::of_game(options)?.explore(options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        Self::of_game(options)?.laws(options, session)
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        Self::of_table(table).ask(table, question, state, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        Self::of_table(table).stats(table, examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        Self::of_table(table).verify(table, session)
    }
}
