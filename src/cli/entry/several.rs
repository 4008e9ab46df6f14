//! A game with several ways to number it.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use crate::cli::CliError;
use crate::cli::commands::Question;
use crate::cli::entry::{About, Entry, OpenTable};
use crate::cli::session::Session;

const OPTION: &str = "numbering";

/// The ways to number one game; the first is the usual one.
struct Several(Vec<Box<dyn Entry>>);

/// Adds a game, or one more way to number a game that is there already.
pub(crate) fn add(entries: &mut Vec<Box<dyn Entry>>, entry: Box<dyn Entry>) {
    match entries.iter().position(|known| known.name() == entry.name()) {
        None => entries.push(entry),
        Some(at) => {
            let Some(entry) = entries[at].take_way(entry) else { return };
            let known = std::mem::replace(&mut entries[at], Box::new(Several(Vec::new())));
            entries[at] = Box::new(Several(vec![known, entry]));
        }
    }
}

/// Whether a way to number states is one by tiers.
fn has_tiers(way: &str) -> bool {
    way.ends_with("tiers")
}

impl Several {
    /// The way that the options ask for.
    fn chosen(&self, options: &ArgMatches) -> Result<&dyn Entry, CliError> {
        let wanted = options.get_one::<String>(OPTION).map(String::as_str);
        let is_wanted =
            |entry: &dyn Entry| wanted.is_none_or(|wanted| entry.numberings().contains(&wanted));
        let found = self.0.iter().map(|entry| &**entry).find(|entry| is_wanted(*entry));
        found.ok_or_else(|| CliError::usage("no such numbering"))
    }

    /// The way that a table was made in.
    fn of_table(&self, table: &OpenTable<'_>) -> Result<&dyn Entry, CliError> {
        self.0.iter().find(|entry| entry.takes(table)).map(|entry| &**entry).ok_or_else(|| {
            let path = table.path.display();
            CliError::failed(format!("{path}: its states are numbered in a way that is not known"))
        })
    }
}

impl Entry for Several {
    fn about(&self) -> About {
        self.0[0].about()
    }

    fn take_way(&mut self, entry: Box<dyn Entry>) -> Option<Box<dyn Entry>> {
        self.0.push(entry);
        None
    }

    fn numberings(&self) -> Vec<&'static str> {
        self.0.iter().flat_map(|entry| entry.numberings()).collect()
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        self.0.iter().any(|entry| entry.takes(table))
    }

    fn with_options(&self, command: Command) -> Command {
        let ways = self.numberings();
        let numbering = Arg::new(OPTION)
            .long(OPTION)
            .value_name("WAY")
            .display_order(799)
            .help(format!("How the states are numbered [default: {}]", ways[0]))
            .value_parser(PossibleValuesParser::new(ways));
        self.0[0].with_options(command).arg(numbering)
    }

    fn with_solve_options(&self, command: Command) -> Command {
        let command =
            self.0.iter().fold(command, |command, entry| entry.with_solve_options(command));
        let ways = self.numberings();
        let (tiers, files): (Vec<&str>, Vec<&str>) =
            ways.into_iter().partition(|way| has_tiers(way));
        if tiers.is_empty() || files.is_empty() {
            return command;
        }
        let (files, tiers) = (files.join(" or "), tiers.join(" or "));
        let path = format!(
            "Write the table to this file, which is replaced once it is complete ({files}), or those \
             of the tiers to this folder, where an interrupted run goes on ({tiers})"
        );
        let tier = format!("Solve this tier and those that it needs, not the whole game ({tiers})");
        command
            .mut_arg("output", |output| output.value_name("PATH").help(path))
            .mut_arg("tier", |argument| argument.help(tier))
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let entry = self.chosen(options)?;
        let way = entry.numberings()[0];
        if matches!(options.try_get_one::<String>("tier"), Ok(Some(_))) && !has_tiers(way) {
            return Err(CliError::usage(format!(
                "--tier needs a numbering in tiers, and this is {way}"
            )));
        }
        entry.solve(options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        self.chosen(options)?.explore(options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        self.chosen(options)?.laws(options, session)
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        self.of_table(table)?.ask(table, question, state, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        self.of_table(table)?.stats(table, examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        self.of_table(table)?.verify(table, session)
    }
}
