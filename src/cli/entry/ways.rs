//! The ways to number a game's states.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cli::Registered;
use crate::cli::entry::Explorable;
use crate::error::SolveError;
use crate::error::TableError;
use crate::explore::Survey;
use crate::game::{Indexed, Packed};
use crate::laws::{
    LawError, Report, Scope, check_explored_reporting, check_packed_reporting, check_reporting,
};
use crate::numbering::{Dense, Explored, Keeping};
use crate::query::Query;
use crate::runtime::progress::OnProgress;
use crate::solve::{Solution, Solver};
use crate::table::{ByFormula, BySearch, Prober, StoredNumbering, Tablebase};

/// A way to number a game's states, with all that goes by it.
pub(crate) trait Way<G: Registered> {
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
pub(crate) struct DenseWay;

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
pub(crate) struct ExploredWay;

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
pub(crate) struct PackedWay<K>(PhantomData<K>);

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
