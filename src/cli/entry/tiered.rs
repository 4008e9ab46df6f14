//! A game that is solved tier by tier.

use std::marker::PhantomData;

use clap::{Arg, ArgMatches, Command};

use super::super::commands::{self, Question, Stats, explore, laws, stats, tiers, verify};
use super::super::session::Session;
use super::super::{CliError, Registered};
use super::{About, Entry, OpenTable, Opened, from_folder, game, set_up, with_options_of};
use crate::game::{Packed, Tiered};
use crate::laws::check_tiers_reporting;
use crate::tablebase::TierFolder;

use super::packed::fits_eight_bytes;

/// A game in tiers.
pub(in crate::cli) struct TieredEntry<G>(PhantomData<fn() -> G>);

impl<G> TieredEntry<G> {
    pub(in crate::cli) const fn new() -> Self {
        TieredEntry(PhantomData)
    }
}

/// The folder that a table has to be.
fn folder<'t>(table: &'t OpenTable<'_>) -> Result<&'t TierFolder, CliError> {
    match &table.table {
        Opened::Folder(folder) => Ok(folder),
        Opened::File(_) => {
            let path = table.path.display();
            Err(CliError::failed(format!("{path}: a file, where a folder of tiers is expected")))
        }
    }
}

impl<G: Registered + Tiered + Packed + 'static> Entry for TieredEntry<G> {
    fn about(&self) -> About {
        About::of::<G>()
    }

    fn numberings(&self) -> Vec<&'static str> {
        vec!["tiers"]
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        matches!(table.table, Opened::Folder(_))
    }

    fn with_options(&self, command: Command) -> Command {
        with_options_of::<G>(command)
    }

    fn with_solve_options(&self, command: Command) -> Command {
        let tier = Arg::new("tier")
            .long("tier")
            .value_name("NAME")
            .display_order(801)
            .requires("output")
            .help("Solve this tier and those that it needs, not the whole game");
        command
            .mut_arg("output", |output| {
                output.value_name("FOLDER").help(
                    "Write the tables of the tiers to this folder; what is there already of the \
                     same game is used, so that an interrupted run goes on",
                )
            })
            .arg(tier)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        tiers::run(&set_up::<G>(options, session)?, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        // What play can reach has nothing to do with tiers.
        explore::run(&game, options, session, |solver| match fits_eight_bytes(&game) {
            true => solver.survey_packed::<u64>(),
            false => solver.survey_packed::<u128>(),
        })
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = game::<G>(options)?;
        laws::run(G::NAME, options, session, |scope, progress| {
            check_tiers_reporting(&game, scope, progress)
        })
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let folder = folder(table)?;
        let game: G = folder.game().map_err(from_folder)?;
        let prober = folder.prober(&game).map_err(from_folder)?;
        commands::ask(&prober, table.path, question, state, session)
    }

    fn stats(
        &self,
        table: &OpenTable<'_>,
        examples: usize,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let folder = folder(table)?;
        let tiers = folder.tiers().map_err(from_folder)?;
        let game: G = folder.game().map_err(from_folder)?;
        let prober = folder.prober(&game).map_err(from_folder)?;
        stats::run(&prober, table.path, &Stats::of_tiers(folder, &tiers), examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        let folder = folder(table)?;
        let game: G = folder.game().map_err(from_folder)?;
        verify::run(session, table.path, folder.has_outcomes_only(), |progress| {
            folder.verify(&game, progress).map_err(from_folder)
        })
    }
}
