//! Solving the own window of a game, together with the processes that own the others.

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::discovered::ListedStates;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Lookup};
use crate::numbering::{Numbering, NumberingKind, Part, Witnesses, witnesses};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::Windows;
use crate::runtime::pool::WorkerPool;
use crate::solve::checkpoint::{CheckpointStore, Checkpointing};
use crate::solve::plan::Room;
use crate::solve::shared::find_shared;
use crate::solve::{Cells, Resources, find_states, run};
use crate::summary::Summary;
use crate::value::Rules;

/// The values of a window of a solved game or tier, and the figures of the whole.
pub(crate) struct SolvedWindow<'s, G: Game> {
    pub(crate) kind: NumberingKind,
    /// How many indices the game has, unused ones included.
    pub(crate) len: u64,
    pub(crate) windows: &'s Windows,
    /// The cells of the own window.
    pub(crate) cells: &'s Cells,
    /// The states in the order of their indices, where no formula computes them: all, or those of the own
    /// window.
    pub(crate) states: Option<&'s dyn ListedStates>,
    pub(crate) summary: &'s Summary,
    /// Some states, by which a table is recognized.
    pub(crate) witnesses: Witnesses<G>,
}

/// Solves the own window of a game without tiers in some indexing.
pub(crate) struct SolveWindow<'g, 'r, 'c, 's, G: Game, F> {
    pub(crate) game: &'g G,
    pub(crate) resources: Resources<G>,
    /// Where checkpoints are saved, until all is done with the solved window.
    pub(crate) checkpoints: Option<&'s mut (dyn CheckpointStore + 's)>,
    pub(crate) pool: &'r mut WorkerPool<'c>,
    /// What is done with it.
    pub(crate) finish: F,
}

impl<G, F, T, E> IndexingVisitor<G> for SolveWindow<'_, '_, '_, '_, G, F>
where
    G: Game,
    E: From<SolveError>,
    F: FnOnce(&G, SolvedWindow<'_, G>, &mut WorkerPool<'_>) -> Result<T, E>,
{
    type Output = Result<T, E>;

    fn visit<I: Indexing<G>>(self) -> Result<T, E> {
        let SolveWindow { game, resources, checkpoints, pool, finish } = self;
        // Discovered states are not saved: the processes discover them again.
        let indices = match find_shared::<G, I>(game, resources, pool)? {
            Some(shared) => Some(shared),
            None => find_states::<G, I>(game, resources, &mut None, pool)?.into_iter().next(),
        };
        let Some(indices) = indices else {
            let problem = "the game has no states".into();
            return Err(SolveError::NotTogether { problem }.into());
        };
        let numbering = Part::<G, I>::new(game, 0, indices, vec![None]).writing(resources.write);
        let len = numbering.len();
        resources.check_len(len)?;
        let Resources { memory: allowed, saving, .. } = resources;
        let room = Room { tier: None, allowed, held: 0, incoming: 0, saving };
        let kind = numbering.kind();
        let mut checkpoints = Checkpointing::new(checkpoints, kind);
        let rules = Rules::of(game);
        let (cells, summary) = run::solve(&numbering, room, rules, &mut checkpoints, pool)?;
        let windows = pool.windows(len, CHUNK);
        let solved = SolvedWindow {
            kind,
            len,
            windows: &windows,
            cells: &cells,
            states: I::Lookup::listed(&numbering.indices),
            summary: &summary,
            witnesses: witnesses::<G, I>,
        };
        let finished = finish(game, solved, pool)?;
        checkpoints.remove(pool)?;
        Ok(finished)
    }
}
