//! A game that is solved tier by tier.

use std::marker::PhantomData;
use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use crate::cli::commands;
use crate::cli::commands::{Question, Stats, explore, laws, stats, tiers, verify};
use crate::cli::entry::{About, Entry, OpenTable, Opened, from_folder, set_up, with_options_of};
use crate::cli::session::Session;
use crate::cli::{CliError, Registered};
use crate::error::FolderError;
use crate::error::SolveError;
use crate::game::{Packed, TierIndexed, Tiered};
use crate::laws::{LawError, Report, Scope, check_tiers_packed_reporting, check_tiers_reporting};
use crate::numbering::{Keeping, Word};
use crate::runtime::progress::OnProgress;
use crate::solve::Solver;
use crate::solve::tiers::{TierFigures, TieredSolution};
use crate::table::{ByFormula, BySearch, Compression, TierFolder, TierWay};

use crate::cli::entry::packed::fits_eight_bytes;

/// A way to number the tiers of a game, with all that goes by it.
pub(crate) trait TiersWay<G: Registered + Tiered>: TierWay<G> {
    /// What it is called.
    const NAME: &'static str;

    fn solve<'g>(
        solver: Solver<'g, '_, G>,
    ) -> Result<TieredSolution<'g, G, Self::Numbers>, SolveError>;

    fn solve_into(
        solver: Solver<'_, '_, G>,
        folder: &Path,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError>;

    fn write_outcomes(
        game: &G,
        tables: &TierFolder,
        folder: &Path,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError>;

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError>;
}

impl<G: Registered + TierIndexed> TiersWay<G> for ByFormula {
    const NAME: &'static str = "tiers";

    fn solve<'g>(
        solver: Solver<'g, '_, G>,
    ) -> Result<TieredSolution<'g, G, Self::Numbers>, SolveError> {
        solver.tiered()
    }

    fn solve_into(
        solver: Solver<'_, '_, G>,
        folder: &Path,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError> {
        solver.tiered_into_with(folder, only, compression)
    }

    fn write_outcomes(
        game: &G,
        tables: &TierFolder,
        folder: &Path,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        tables.write_outcomes(game, folder, compression, progress)
    }

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError> {
        check_tiers_reporting(game, scope, progress)
    }
}

impl<G, K> TiersWay<G> for BySearch<K>
where
    G: Registered + Tiered + Packed,
    K: Keeping<G, Key = K> + Word,
{
    const NAME: &'static str = "explored-tiers";

    fn solve<'g>(
        solver: Solver<'g, '_, G>,
    ) -> Result<TieredSolution<'g, G, Self::Numbers>, SolveError> {
        solver.tiered_packed::<K>()
    }

    fn solve_into(
        solver: Solver<'_, '_, G>,
        folder: &Path,
        only: Option<&str>,
        compression: Compression,
    ) -> Result<Vec<TierFigures>, FolderError> {
        solver.tiered_packed_into::<K>(folder, only, compression)
    }

    fn write_outcomes(
        game: &G,
        tables: &TierFolder,
        folder: &Path,
        compression: Compression,
        progress: &mut OnProgress<'_>,
    ) -> Result<u64, FolderError> {
        tables.write_outcomes_packed::<G, K>(game, folder, compression, progress)
    }

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError> {
        check_tiers_packed_reporting::<G, K>(game, scope, progress)
    }
}

/// A game in tiers, and the way to number them.
pub(crate) struct TieredEntry<G, W>(PhantomData<fn() -> (G, W)>);

impl<G, W> TieredEntry<G, W> {
    pub(crate) const fn new() -> Self {
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

impl<G, W> Entry for TieredEntry<G, W>
where
    G: Registered + Tiered + Packed + 'static,
    W: TiersWay<G> + 'static,
{
    fn about(&self) -> About {
        About::of::<G>()
    }

    fn numberings(&self) -> Vec<&'static str> {
        vec![W::NAME]
    }

    fn takes(&self, table: &OpenTable<'_>) -> bool {
        matches!(&table.table, Opened::Folder(folder) if folder.is_numbered_by::<G, W>())
    }

    fn with_options(&self, command: Command) -> Command {
        with_options_of::<G>(command)
    }

    fn with_solve_options(&self, command: Command) -> Command {
        if command.get_arguments().any(|argument| argument.get_id() == "tier") {
            return command;
        }
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
        tiers::run::<G, W>(&set_up::<G>(options, session)?, options, session)
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
        let game = crate::cli::entry::game::<G>(options)?;
        laws::run(G::NAME, options, session, |scope, progress| W::check(&game, scope, progress))
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
        let prober = folder.prober_by::<G, W>(&game).map_err(from_folder)?;
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
        let prober = folder.prober_by::<G, W>(&game).map_err(from_folder)?;
        let stats = Stats::of_tiers(folder, W::NAME, &tiers);
        stats::run(&prober, table.path, &stats, examples, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        let folder = folder(table)?;
        let game: G = folder.game().map_err(from_folder)?;
        verify::run(session, table.path, folder.has_outcomes_only(), |progress| {
            folder.verify_by::<G, W>(&game, progress).map_err(from_folder)
        })
    }
}
