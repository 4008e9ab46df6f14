//! Solving the own window of a game, together with the processes that own the others.

use crate::error::SolveError;
use crate::game::Game;
use crate::numbering::discovered::ListedStates;
use crate::numbering::indexing::{Indexing, IndexingVisitor, Lookup, Tiering};
use crate::numbering::{Numbering, NumberingKind, Part};
use crate::runtime::frontier::CHUNK;
use crate::runtime::peers::{Sent, Windows};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::OnProgress;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::plan::Room;
use crate::solve::{Cells, Resources, find_states, run};
use crate::summary::Summary;
use crate::value::Rules;

/// The values of a window of a solved game, and the figures of the whole game.
pub(crate) struct SolvedWindow<'s> {
    pub(crate) kind: NumberingKind,
    /// How many indices the game has, unused ones included.
    pub(crate) len: u64,
    pub(crate) windows: &'s Windows,
    /// The cells of the own window.
    pub(crate) cells: &'s Cells,
    /// All states in the order of their indices, where no formula computes them.
    pub(crate) states: Option<&'s dyn ListedStates>,
    pub(crate) summary: &'s Summary,
    /// What the processes sent each other.
    pub(crate) sent: Sent,
}

/// Solves the own window of a game in some indexing.
pub(super) struct SolveWindow<'g, 'r, 'c, G, F> {
    pub(super) game: &'g G,
    pub(super) resources: Resources,
    pub(super) pool: &'r mut WorkerPool<'c>,
    pub(super) finish: F,
}

impl<G, F, T, E> IndexingVisitor<G> for SolveWindow<'_, '_, '_, G, F>
where
    G: Game,
    E: From<SolveError>,
    F: FnOnce(&G, SolvedWindow<'_>, &mut OnProgress<'_>) -> Result<T, E>,
{
    type Output = Result<T, E>;

    fn visit<I: Indexing<G>>(self) -> Result<T, E> {
        let SolveWindow { game, resources, pool, finish } = self;
        if I::Tiering::HAS_TIERS {
            let problem = "a game in tiers is solved by one process: choose a numbering without \
                           tiers, or leave out the other processes";
            return Err(SolveError::NotTogether { problem: problem.into() }.into());
        }
        let indices = find_states::<G, I>(game, resources, &mut None, pool)?;
        let Some(indices) = indices.into_iter().next() else {
            let problem = "the game has no states".into();
            return Err(SolveError::NotTogether { problem }.into());
        };
        let numbering = Part::<G, I>::new(game, 0, indices, vec![None]);
        let len = numbering.len();
        resources.check_len(len)?;
        let room = Room { tier: None, allowed: resources.memory, held: 0 };
        let kind = numbering.kind();
        let mut checkpoints = Checkpointing::new(None, kind);
        let rules = Rules::of(game);
        let (cells, summary) = run::solve(&numbering, room, rules, &mut checkpoints, pool)?;
        let windows = pool.windows(len, CHUNK);
        let sent = pool.all_sent().map_err(SolveError::from)?;
        let solved = SolvedWindow {
            kind,
            len,
            windows: &windows,
            cells: &cells,
            states: I::Lookup::listed(&numbering.indices),
            summary: &summary,
            sent,
        };
        finish(game, solved, pool.on_progress())
    }
}
