//! Games as the command line holds them: which game, and which way to number it.

use std::hash::Hash;
use std::marker::PhantomData;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::commands::{self, Question, explore, laws, solve, stats, verify};
use super::session::Session;
use super::{CliError, Registered};
use crate::explore::Survey;
use crate::game::{Indexed, Packed};
use crate::laws::{
    LawError, Report, Scope, check_explored_reporting, check_packed_reporting, check_reporting,
};
use crate::numbering::{Dense, Explored, Keeping, Numbering as _, NumberingKind};
use crate::query::Query;
use crate::solve::{OnProgress, Solution, SolveError, Solver};
use crate::tablebase::{ByFormula, BySearch, Prober, StoredNumbering, TableError, Tablebase};

/// What a state has to be for its game to be explored and stored.
pub trait Explorable: Hash + Ord + Serialize + DeserializeOwned {}

impl<S: Hash + Ord + Serialize + DeserializeOwned> Explorable for S {}

/// A registered game, whichever it is.
pub(super) trait Entry {
    fn name(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn example(&self) -> &'static str;
    fn states(&self) -> &'static str;
    fn numbering(&self) -> String;
    /// Adds the game's options to a command.
    fn with_options(&self, command: Command) -> Command;
    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError>;
    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError>;
    fn stats(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError>;
    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError>;
}

/// The game of this name.
pub(super) fn find<'e>(entries: &'e [Box<dyn Entry>], name: &str) -> Option<&'e dyn Entry> {
    entries.iter().map(|entry| &**entry).find(|entry| entry.name() == name)
}

/// The names of all games, for a sentence.
pub(super) fn names(entries: &[Box<dyn Entry>]) -> String {
    entries.iter().map(|entry| entry.name()).collect::<Vec<_>>().join(", ")
}

/// An open table and the file it is in.
pub(super) struct OpenTable<'a> {
    pub(super) path: &'a std::path::Path,
    pub(super) table: Tablebase,
}

/// A way to number a game's states, with all that goes by it.
pub(super) trait Way<G: Registered> {
    type Numbering<'g>: StoredNumbering<Game = G>
    where
        G: 'g;
    type Prober<'t>: Query<Game = G>
    where
        G: 't;

    fn solve<'g>(solver: Solver<'g, '_, G>) -> Result<Solution<Self::Numbering<'g>>, SolveError>;

    fn survey(solver: Solver<'_, '_, G>) -> Result<Survey, SolveError>;

    fn prober<'t>(table: &'t Tablebase, game: &'t G) -> Result<Self::Prober<'t>, TableError>;

    fn verify(table: &Tablebase, game: &G, progress: &mut OnProgress<'_>)
    -> Result<(), TableError>;

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError>;
}

/// The game's own numbering.
pub(super) struct DenseWay;

impl<G: Registered + Indexed> Way<G> for DenseWay {
    type Numbering<'g>
        = Dense<'g, G>
    where
        G: 'g;
    type Prober<'t>
        = Prober<'t, G, ByFormula>
    where
        G: 't;

    fn solve<'g>(solver: Solver<'g, '_, G>) -> Result<Solution<Dense<'g, G>>, SolveError> {
        solver.dense()
    }

    fn survey(solver: Solver<'_, '_, G>) -> Result<Survey, SolveError> {
        solver.survey_dense()
    }

    fn prober<'t>(table: &'t Tablebase, game: &'t G) -> Result<Self::Prober<'t>, TableError> {
        table.dense(game)
    }

    fn verify(
        table: &Tablebase,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        table.verify_dense(game, progress)
    }

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError> {
        check_reporting(game, scope, progress)
    }
}

/// The numbering of what is discovered from the roots.
pub(super) struct ExploredWay;

impl<G: Registered> Way<G> for ExploredWay
where
    G::State: Explorable,
{
    type Numbering<'g>
        = Explored<'g, G>
    where
        G: 'g;
    type Prober<'t>
        = Prober<'t, G, BySearch>
    where
        G: 't;

    fn solve<'g>(solver: Solver<'g, '_, G>) -> Result<Solution<Explored<'g, G>>, SolveError> {
        solver.explored()
    }

    fn survey(solver: Solver<'_, '_, G>) -> Result<Survey, SolveError> {
        solver.survey_explored()
    }

    fn prober<'t>(table: &'t Tablebase, game: &'t G) -> Result<Self::Prober<'t>, TableError> {
        table.explored(game)
    }

    fn verify(
        table: &Tablebase,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        table.verify_explored(game, progress)
    }

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError> {
        check_explored_reporting(game, scope, progress)
    }
}

/// The same, with states packed into `K`.
pub(super) struct PackedWay<K>(PhantomData<K>);

impl<G, K> Way<G> for PackedWay<K>
where
    G: Registered + Packed,
    K: Keeping<G, Key: Serialize + DeserializeOwned> + 'static,
{
    type Numbering<'g>
        = Explored<'g, G, K>
    where
        G: 'g;
    type Prober<'t>
        = Prober<'t, G, BySearch<K>>
    where
        G: 't;

    fn solve<'g>(solver: Solver<'g, '_, G>) -> Result<Solution<Explored<'g, G, K>>, SolveError> {
        solver.packed::<K>()
    }

    fn survey(solver: Solver<'_, '_, G>) -> Result<Survey, SolveError> {
        solver.survey_packed::<K>()
    }

    fn prober<'t>(table: &'t Tablebase, game: &'t G) -> Result<Self::Prober<'t>, TableError> {
        table.packed::<G, K>(game)
    }

    fn verify(
        table: &Tablebase,
        game: &G,
        progress: &mut OnProgress<'_>,
    ) -> Result<(), TableError> {
        table.verify_packed::<G, K>(game, progress)
    }

    fn check(game: &G, scope: Scope, progress: &mut OnProgress<'_>) -> Result<Report, LawError> {
        check_packed_reporting::<G, K>(game, scope, progress)
    }
}

/// A game and the way to number it.
pub(super) struct GameEntry<G, W>(PhantomData<fn() -> (G, W)>);

impl<G, W> GameEntry<G, W> {
    pub(super) fn new() -> Self {
        GameEntry(PhantomData)
    }
}

/// The game that the options describe; what should be known of it is told.
fn set_up<G: Registered>(options: &ArgMatches, session: &Session) -> Result<G, CliError> {
    let options = G::Options::from_arg_matches(options).map_err(CliError::usage)?;
    let game = G::from_options(options)?;
    game.notes().iter().for_each(|note| session.note(note));
    Ok(game)
}

impl<G: Registered, W: Way<G>> Entry for GameEntry<G, W> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn example(&self) -> &'static str {
        G::EXAMPLE
    }

    fn states(&self) -> &'static str {
        G::STATES
    }

    fn numbering(&self) -> String {
        W::Numbering::KIND.family().to_owned()
    }

    fn with_options(&self, command: Command) -> Command {
        // A negative number is a wrong number rather than an unknown flag.
        G::Options::augment_args(command).mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            if takes_values { arg.allow_negative_numbers(true) } else { arg }
        })
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        solve::run::<G, W>(&set_up::<G>(options, session)?, options, session)
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        explore::run::<G, W>(&set_up::<G>(options, session)?, options, session)
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        laws::run::<G, W>(&set_up::<G>(options, session)?, options, session)
    }

    fn ask(
        &self,
        table: &OpenTable<'_>,
        question: Question,
        state: Option<&str>,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let game: G = table.game()?;
        let prober = W::prober(&table.table, &game).map_err(CliError::file(table.path))?;
        commands::ask(&prober, table.path, question, state, session)
    }

    fn stats(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        stats::run(&table.game::<G>()?, &table.table, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        verify::run::<G, W>(&table.game()?, table, session)
    }
}

/// A game whose states are packed, into 8 bytes where they fit and into 16 otherwise.
pub(super) struct PackedEntry<G>(PhantomData<fn() -> G>);

impl<G: Registered + Packed + 'static> PackedEntry<G> {
    pub(super) fn new() -> Self {
        PackedEntry(PhantomData)
    }

    const EIGHT: GameEntry<G, PackedWay<u64>> = GameEntry(PhantomData);
    const SIXTEEN: GameEntry<G, PackedWay<u128>> = GameEntry(PhantomData);

    /// The entry for a table.
    fn of_table(table: &OpenTable<'_>) -> &'static dyn Entry {
        match table.table.header().numbering {
            NumberingKind::Packed16 => &Self::SIXTEEN,
            _ => &Self::EIGHT,
        }
    }
}

fn fits_eight_bytes<G: Packed>(game: &G) -> bool {
    game.bits() <= u64::BITS
}

impl<G: Registered + Packed + 'static> Entry for PackedEntry<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn example(&self) -> &'static str {
        G::EXAMPLE
    }

    fn states(&self) -> &'static str {
        G::STATES
    }

    fn numbering(&self) -> String {
        Self::EIGHT.numbering()
    }

    fn with_options(&self, command: Command) -> Command {
        Self::EIGHT.with_options(command)
    }

    fn solve(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        match fits_eight_bytes(&game) {
            true => solve::run::<G, PackedWay<u64>>(&game, options, session),
            false => solve::run::<G, PackedWay<u128>>(&game, options, session),
        }
    }

    fn explore(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        match fits_eight_bytes(&game) {
            true => explore::run::<G, PackedWay<u64>>(&game, options, session),
            false => explore::run::<G, PackedWay<u128>>(&game, options, session),
        }
    }

    fn laws(&self, options: &ArgMatches, session: &mut Session) -> Result<(), CliError> {
        let game = set_up::<G>(options, session)?;
        match fits_eight_bytes(&game) {
            true => laws::run::<G, PackedWay<u64>>(&game, options, session),
            false => laws::run::<G, PackedWay<u128>>(&game, options, session),
        }
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

    fn stats(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        Self::of_table(table).stats(table, session)
    }

    fn verify(&self, table: &OpenTable<'_>, session: &mut Session) -> Result<(), CliError> {
        Self::of_table(table).verify(table, session)
    }
}

impl OpenTable<'_> {
    /// The game that the table says it is of.
    fn game<G: Registered>(&self) -> Result<G, CliError> {
        self.table.game().map_err(CliError::file(self.path))
    }
}
