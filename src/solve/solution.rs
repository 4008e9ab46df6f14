//! A solved game in memory.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::error::SolveError;
use crate::game::summary::Summary;
use crate::game::value::{Rules, Value};
use crate::game::{Game, Tier};
use crate::numbering::indexing::{Indexing, Lookup, Tiering};
use crate::numbering::{AllTiers, NumberingKind, TierValues, witnesses};
use crate::runtime::pool::WorkerPool;
use crate::solve::cells::Cells;
use crate::solve::checkpoint::Checkpointing;
use crate::solve::run;
use crate::solve::solved::{SolvedPart, TierFigures};

/// A solved game in memory, made by [`Solver::solve`](crate::Solver::solve). Probe it with
/// [`value`](Solution::value), [`moves`](Solution::moves) and [`line`](Solution::line), and write it
/// to a file with [`save`](Solution::save).
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::{Outcome, Solver, Value};
///
/// let game = Nim { counters: 21 };
/// let solution = Solver::new(&game).solve()?;
/// assert_eq!(solution.value(&21)?, Value::Win(11));
/// assert_eq!(solution.verdict(&21)?.outcome, Outcome::MoverWins);
/// assert_eq!(solution.moves(&21)?[0].state, 20);
/// let line = solution.line(&21)?;
/// assert_eq!(line.positions.len(), 12); // the heap of 21, and one after each ply
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its figures:
///
/// ```
/// # use kit::games::Nim;
/// # use retrograde::Solver;
/// # let game = Nim { counters: 21 };
/// # let solution = Solver::new(&game).solve()?;
/// assert_eq!(solution.summary().states(), 22);
/// assert_eq!(solution.summary().longest(), Some(11));
/// assert_eq!((solution.numbering().name(), solution.tiers().len()), ("dense", 1));
/// assert!(!solution.has_tiers());
/// assert_eq!((solution.game().counters, solution.rules().ply_limit), (21, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution<'g, G: Game> {
    game: &'g G,
    rules: Rules,
    summary: Summary,
    tiers: Vec<TierFigures>,
    solved: Box<dyn Solved<G> + Send + Sync + 'g>,
}

impl<G: Game> fmt::Debug for Solution<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution").field("states", &self.summary.states()).finish_non_exhaustive()
    }
}

impl<'g, G: Game> Solution<'g, G> {
    pub(crate) fn new<I: Indexing<G>>(
        all: AllTiers<'g, G, I>,
        cells: Vec<Arc<Cells>>,
        tiers: Vec<TierFigures>,
    ) -> Self {
        let game = all.game;
        let summary = Summary::sum(tiers.iter().map(|tier| &tier.summary));
        let rules = Rules::of_game(game);
        Solution { game, rules, summary, tiers, solved: Box::new(SolvedTiers { all, cells }) }
    }

    /// The figures of the solved game.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The figures of each tier, in solving order. A game without tiers is one tier without a name.
    #[must_use]
    pub fn tiers(&self) -> &[TierFigures] {
        &self.tiers
    }

    /// The game that was solved.
    #[must_use]
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// The rules that turn values into verdicts.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How the states are indexed; in a game with tiers, how the states of the first tier are.
    #[must_use]
    pub fn numbering(&self) -> NumberingKind {
        self.part(0).kind
    }

    /// Whether the game was solved tier by tier.
    #[must_use]
    pub fn has_tiers(&self) -> bool {
        self.numbering().tier().is_some()
    }

    /// How many indices there are, unused ones included.
    pub(crate) fn index_count(&self) -> u64 {
        self.solved.len()
    }

    /// The index and the value of a state; `None` if it was not solved.
    pub(crate) fn find(&self, state: &G::State) -> Option<(u64, Value)> {
        self.solved.find(state)
    }

    /// Visits the states of a range of indices that have a wanted value, until `visit` returns `Break`.
    pub(crate) fn visit_values(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut dyn FnMut(u64, G::State, Value) -> ControlFlow<()>,
    ) {
        self.solved.visit_in(indices, wanted, visit);
    }

    /// The tiers in the game's order.
    pub(crate) fn tier_list(&self) -> Vec<Tier> {
        self.solved.tiers()
    }

    /// The solved states of a tier, to be written.
    pub(crate) fn part(&self, tier: usize) -> SolvedPart<'_, G> {
        self.solved.part(tier, &self.tiers[tier].summary)
    }

    /// Saves all values of a game without tiers as a checkpoint.
    pub(crate) fn save_checkpoint(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        run::save_solved(self.part(0).values, &self.summary, checkpoints, pool)
    }
}

/// The values of a solution, with the type of the numbering hidden.
trait Solved<G: Game> {
    /// How many indices there are, unused ones included.
    fn len(&self) -> u64;

    fn find(&self, state: &G::State) -> Option<(u64, Value)>;

    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut dyn FnMut(u64, G::State, Value) -> ControlFlow<()>,
    );

    /// A tier, with its figures.
    fn part<'s>(&'s self, tier: usize, summary: &'s Summary) -> SolvedPart<'s, G>;

    /// The tiers in the game's order.
    fn tiers(&self) -> Vec<Tier>;
}

/// The values of all tiers in memory.
struct SolvedTiers<'g, G: Game, I: Indexing<G>> {
    all: AllTiers<'g, G, I>,
    /// The cells of each tier.
    cells: Vec<Arc<Cells>>,
}

impl<G: Game, I: Indexing<G>> Solved<G> for SolvedTiers<'_, G, I> {
    fn len(&self) -> u64 {
        self.all.len()
    }

    fn find(&self, state: &G::State) -> Option<(u64, Value)> {
        let index = self.all.index(state).filter(|&index| index < self.all.len())?;
        let (tier, within) = self.all.place(index);
        Some((index, self.cells.get(tier)?.value(within)?))
    }

    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut dyn FnMut(u64, G::State, Value) -> ControlFlow<()>,
    ) {
        for index in indices.start..indices.end.min(self.all.len()) {
            let (tier, within) = self.all.place(index);
            let value = self.cells.get(tier).and_then(|cells| cells.value(within));
            if let Some(value) = value.filter(|&value| wanted(value))
                && let Some(state) = self.all.state(index)
                && visit(index, state, value).is_break()
            {
                break;
            }
        }
    }

    fn part<'s>(&'s self, tier: usize, summary: &'s Summary) -> SolvedPart<'s, G> {
        let (cells, indices) = (&self.cells[tier], &self.all.tiers()[tier]);
        SolvedPart {
            kind: I::kind(tier),
            len: cells.len(),
            values: cells,
            states: I::Lookup::listed(indices),
            summary,
            witnesses: witnesses::<G, I>,
        }
    }

    fn tiers(&self) -> Vec<Tier> {
        I::Tiering::tiers(self.all.game)
    }
}
