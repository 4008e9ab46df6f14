//! Solving: from the rules of a game to the value of every state.

pub(crate) mod checkpoint;
mod exchange;
mod graph;
mod levels;
mod plan;
mod run;
pub(crate) mod tiers;

use std::hash::Hash;
use std::ops::ControlFlow;
use std::thread;

pub use tiers::{TierFigures, TieredSolution};

use crate::error::SolveError;
use crate::explore::{Explorer, Survey, survey_dense};
use crate::game::{Game, Indexed, Packed};
use crate::numbering::{Dense, Explored, Keeping, Numbering, NumberingKind, Sorted, Whole};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::{OnProgress, Progress, Resumed};
use crate::summary::Summary;
use crate::value::Rules;
use checkpoint::{CheckpointStore, Checkpointing, Kind, Stage};
use levels::cells::Cells;

/// Solves a game: [`dense`](Solver::dense) in the game's own numbering,
/// [`explored`](Solver::explored) or [`packed`](Solver::packed) from its roots.
#[must_use = "a solver does nothing before `dense`, `explored` or `packed` is called"]
pub struct Solver<'g, 'p, G> {
    game: &'g G,
    resources: Resources,
    store: Option<&'p mut (dyn CheckpointStore + 'p)>,
    progress: Option<Box<OnProgress<'p>>>,
}

/// What a solve may use.
#[derive(Clone, Copy)]
pub(crate) struct Resources {
    threads: usize,
    memory: Option<u64>,
    states: Option<u64>,
}

impl<'g, 'p, G: Game> Solver<'g, 'p, G> {
    /// A solver for `game`.
    pub fn new(game: &'g G) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Solver {
            game,
            resources: Resources { threads, memory: None, states: None },
            store: None,
            progress: None,
        }
    }

    /// How many threads work; all cores unless said otherwise, and never fewer than one. The
    /// solution does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.resources.threads = threads;
        self
    }

    /// How much memory the run may take, in bytes: exploration first, then the numbering and the
    /// analysis. For a game without predecessors it decides the [`Method`]; [`Progress::Planned`]
    /// tells which. What can't be solved within it is refused as soon as that is known. Without a
    /// limit the fastest method is taken.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.resources.memory = Some(bytes);
        self
    }

    /// How many states there may be, holes of a numbering included; an exploration ends when it
    /// finds more.
    pub fn max_states(mut self, states: u64) -> Self {
        self.resources.states = Some(states);
        self
    }

    /// Has `report` called as the run goes on: at least once a level, and about twenty times a
    /// second. When it returns `Break`, the run ends with [`SolveError::Interrupted`]. It is called
    /// on the thread that called the solver.
    pub fn on_progress(mut self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Solves all states of the game's own numbering.
    ///
    /// Costs 1 byte and 2 bits a state where distances are short (some 190 levels, and few states
    /// with more than 63 moves), and 2 bytes and 2 bits otherwise. Games without predecessors cost
    /// another 4 bytes a state and 4 bytes an edge (5 from 2^31 states on), or, where that is more
    /// than [`memory`](Solver::memory) allows, nothing more but time.
    ///
    /// # Errors
    /// When the rules or the numbering are faulty in a way that is noticed on the way
    /// ([`laws::check`](crate::laws::check) notices more), when a distance is too long for the
    /// table, when memory runs out or the memory allowed can't be enough, and when the progress
    /// function interrupts.
    pub fn dense(self) -> Result<Solution<Dense<'g, G>>, SolveError>
    where
        G: Indexed,
    {
        self.with_pool(|game, resources, store, pool| {
            resources.check_len(game.len())?;
            let mut checkpoints = Checkpointing::new(store, NumberingKind::Dense);
            Solution::of(Dense::new(game), resources, &mut checkpoints, pool)
        })
    }

    /// Discovers the states that can be reached from the game's roots, and solves those.
    ///
    /// Costs, beside what [`dense`](Solver::dense) costs, every state once and about 6 to 12 bytes a
    /// state; a quarter more while the states are discovered. `Ord` has to agree with `Eq`.
    ///
    /// # Errors
    /// As [`dense`](Solver::dense), and when the game has no roots, more than 2^32 states, or more
    /// than are allowed.
    pub fn explored(self) -> Result<Solution<Explored<'g, G>>, SolveError>
    where
        G::State: Hash + Ord,
    {
        self.kept::<Whole>()
    }

    /// The same with states packed into 8 or 16 bytes: `K` is `u64` or `u128`.
    ///
    /// Costs, beside what [`dense`](Solver::dense) costs, 8 or 16 bytes a state and up to one to find
    /// it; 16 to 19, or 24 to 29, while the states are discovered.
    ///
    /// # Errors
    /// As [`explored`](Solver::explored), and when the states take more bits than `K` has.
    pub fn packed<K>(self) -> Result<Solution<Explored<'g, G, K>>, SolveError>
    where
        G: Packed,
        K: Keeping<G>,
    {
        self.kept::<K>()
    }

    fn kept<K: Keeping<G>>(self) -> Result<Solution<Explored<'g, G, K>>, SolveError> {
        self.with_pool(|game, resources, store, pool| {
            let mut checkpoints = Checkpointing::new(store, K::KIND);
            let numbering = discover::<G, K>(game, resources, &mut checkpoints, pool)?;
            Solution::of(numbering, resources, &mut checkpoints, pool)
        })
    }

    /// Discovers the states that can be reached from the game's roots, without solving them, and
    /// tells what was seen.
    ///
    /// # Errors
    /// As [`explored`](Solver::explored) until the states are discovered.
    pub fn survey_explored(self) -> Result<Survey, SolveError>
    where
        G::State: Hash + Ord,
    {
        self.survey::<Whole>()
    }

    /// The same with states packed into 8 or 16 bytes: `K` is `u64` or `u128`.
    ///
    /// # Errors
    /// As [`packed`](Solver::packed) until the states are discovered.
    pub fn survey_packed<K>(self) -> Result<Survey, SolveError>
    where
        G: Packed,
        K: Keeping<G>,
    {
        self.survey::<K>()
    }

    /// The same in the game's own numbering: only the states that can be reached from its roots.
    /// Costs 3 bits a number.
    ///
    /// # Errors
    /// When the game has no roots, its numbering is faulty or longer than allowed, memory runs out,
    /// and when the progress function interrupts.
    pub fn survey_dense(self) -> Result<Survey, SolveError>
    where
        G: Indexed,
    {
        self.with_pool(|game, resources, _, pool| {
            resources.check_len(game.len())?;
            survey_dense(game, pool)
        })
    }

    fn survey<K: Keeping<G>>(self) -> Result<Survey, SolveError> {
        self.with_pool(|game, resources, _, pool| resources.explorer(pool).survey::<G, K>(game))
    }

    /// The same, with its checkpoints kept by `keeper`.
    pub(crate) fn kept_by(mut self, store: &'p mut (dyn CheckpointStore + 'p)) -> Self {
        self.store = Some(store);
        self
    }

    /// The game that is to be solved.
    pub(crate) fn game(&self) -> &'g G {
        self.game
    }

    pub(crate) fn with_pool<T>(
        self,
        run: impl FnOnce(
            &'g G,
            Resources,
            Option<&'p mut (dyn CheckpointStore + 'p)>,
            &mut WorkerPool<'_>,
        ) -> T,
    ) -> T {
        let Solver { game, resources, store, progress } = self;
        let mut progress = progress.unwrap_or_else(|| Box::new(|_| ControlFlow::Continue(())));
        run(game, resources, store, &mut WorkerPool::new(resources.threads, &mut *progress))
    }
}

impl Resources {
    pub(crate) fn explorer<'c, 'p>(&self, pool: &'c mut WorkerPool<'p>) -> Explorer<'c, 'p> {
        Explorer { pool, most_states: self.states, memory: self.memory }
    }

    /// Refuses a numbering that is too long.
    fn check_len(&self, states: u64) -> Result<(), SolveError> {
        match self.states {
            Some(limit) if states > limit => {
                Err(SolveError::TooManyStatesAllowed { states, limit })
            }
            _ => Ok(()),
        }
    }
}

/// A solved game, in memory. Ask it through [`Query`](crate::Query), keep it with
/// [`save`](Solution::save).
#[derive(Debug)]
pub struct Solution<N> {
    numbering: N,
    cells: Cells,
    rules: Rules,
    summary: Summary,
}

impl<N: Numbering + Sync> Solution<N> {
    fn of(
        numbering: N,
        resources: Resources,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<Self, SolveError> {
        let rules = Rules::of(numbering.game());
        let (cells, summary) = run::solve(&numbering, resources.memory, rules, checkpoints, pool)?;
        Ok(Solution { numbering, cells, rules, summary })
    }
}

/// Discovers the states of a game, unless a checkpoint has them.
fn discover<'g, G: Game, K: Keeping<G>>(
    game: &'g G,
    resources: Resources,
    checkpoints: &mut Checkpointing<'_>,
    pool: &mut WorkerPool<'_>,
) -> Result<Explored<'g, G, K>, SolveError> {
    let Some(plain) = K::PLAIN else {
        return Explored::discover(game, &mut resources.explorer(pool));
    };
    if let Some(kept) = checkpoints.find(Kind::States)? {
        let keys = kept.keys(plain)?;
        let states = keys.len() as u64;
        resources.check_len(states)?;
        pool.report(Progress::Resumed(Resumed::Discovered { states }))?;
        return Ok(Explored::of(game, Sorted::of(keys)?));
    }
    let explored = Explored::<G, K>::discover(game, &mut resources.explorer(pool))?;
    let keys = explored.keys();
    if checkpoints.is_due(size_of_val(keys) as u64) {
        let stage = Stage::Discovered { states: keys.len() as u64 };
        checkpoints.keep(&stage, &[(plain.bytes)(keys)], pool)?;
    }
    Ok(explored)
}

impl<N: Numbering> Solution<N> {
    /// Keeps all that is settled.
    pub(crate) fn keep(
        &self,
        checkpoints: &mut Checkpointing<'_>,
        pool: &mut WorkerPool<'_>,
    ) -> Result<(), SolveError> {
        run::keep_settled(&self.cells, &self.summary, checkpoints, pool)
    }

    /// The numbering that the states were solved in.
    pub fn numbering(&self) -> &N {
        &self.numbering
    }

    /// The solved game in figures.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The rules that turn values into verdicts.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The packed value of a number below the length of the numbering.
    pub(crate) fn packed(&self, number: u64) -> u16 {
        self.cells.get(number as usize)
    }

    /// The packed value of each number, for all threads.
    pub(crate) fn packed_values(&self) -> impl Fn(u64) -> u16 + Sync + use<'_, N> {
        let cells = &self.cells;
        |number| cells.get(number as usize)
    }
}
