//! [`Solver`]: the options of a solve, and its start.

use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use crate::error::SolveError;
use crate::explore::{Statistics, statistics_of_numbering};
use crate::game::notation::Notation;
use crate::game::{Game, debug_parts, write_debug};
use crate::numbering::AllTiers;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, IndexingVisitor, Lookup};
use crate::numbering::scheme::{Numbered, Numberings, Scheme, Usual};
#[cfg(feature = "cluster")]
use crate::runtime::peers::Peers;
use crate::runtime::pool::WorkerPool;
#[cfg(doc)]
use crate::runtime::progress::{Method, Plan};
use crate::runtime::progress::{OnProgress, Progress, unheard};
use crate::solve::checkpoint::CheckpointStore;
use crate::solve::plan::{NOT_SAVED, Saving, SolveLimits};
use crate::solve::resources::Resources;
use crate::solve::solution::Solution;
use crate::solve::solved::SaveTier;
use crate::solve::states::find_states;
use crate::solve::tiers;

/// Solves a game completely: who wins from every state, and in how many plies.
///
/// ```
/// # use kit::games::Nim;
/// use std::ops::ControlFlow;
///
/// use retrograde::{Solver, Value};
///
/// let game = Nim { counters: 21 };
/// let mut reports = 0;
/// let solver = Solver::new(&game).threads(2).memory(1 << 30).max_states(1_000).notation();
/// let solution = solver
///     .on_progress(|_| {
///         reports += 1;
///         ControlFlow::Continue(())
///     })
///     .solve()?;
/// assert_eq!(solution.value(&21)?, Value::Win(11));
/// assert!(reports > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Counting the states that play can reach takes no solving:
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::Solver;
///
/// let statistics = Solver::new(&Nim { counters: 21 }).survey()?;
/// assert_eq!(statistics.total().states, 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a solver does nothing before `solve` or `survey` is called"]
pub struct Solver<'g, 'p, G: Game> {
    game: &'g G,
    resources: Resources<G>,
    store: Option<&'p mut (dyn CheckpointStore + 'p)>,
    scratch: Option<PathBuf>,
    progress: Box<OnProgress<'p>>,
}

impl<'g, 'p, G: Game> Solver<'g, 'p, G> {
    /// Creates a solver for `game` that uses all cores and has no limits.
    pub fn new(game: &'g G) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Solver {
            game,
            resources: Resources {
                threads,
                limits: SolveLimits {
                    memory: None,
                    states: None,
                    saving: NOT_SAVED,
                    scratch: false,
                },
                write: write_debug,
                parts: debug_parts,
            },
            store: None,
            scratch: None,
            progress: unheard(),
        }
    }

    /// Sets the number of threads. Default: all cores; at least one. The solution does not depend
    /// on this number.
    pub fn threads(mut self, threads: usize) -> Self {
        self.resources.threads = threads;
        self
    }

    /// Limits the memory of the run, in bytes. The limit covers the exploration, and then the
    /// numbering and the analysis. Default: no limit, and the fastest method.
    ///
    /// For a game without predecessors the limit decides the [`Method`], which
    /// [`Progress::Planned`] reports. A game that can't be solved within the limit is refused as
    /// soon as this is known. That is at the start, or at the level at which values need two bytes
    /// a state ([`SolveError::WideningOverLimit`]). In a game with tiers, all tiers are checked
    /// first.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.resources.limits.memory = Some(bytes);
        self
    }

    /// Keeps what does not fit into the memory allowed in scratch files in this folder: the values,
    /// the frontiers, the values behind exits, packed states that are discovered, and the moves of a
    /// game without predecessors. The files have no names, and go with the solution. [`Plan::scratch`]
    /// reports how much they take: up to 3.3 bytes an index, 4 more for one with exits, and with moves 4
    /// more for each index and move; states, one to two bytes each, are counted in tiers only. The solution
    /// is the same. Without a limit by [`memory`](Solver::memory), no scratch files are used.
    /// They need Linux.
    ///
    /// With a quarter of the memory, the solve takes 1.3 to 3 times as long in most games measured:
    /// `docs/PERFORMANCE.md` has the figures, and `docs/SCALE.md` the model.
    pub fn scratch(mut self, folder: impl Into<PathBuf>) -> Self {
        self.scratch = Some(folder.into());
        self.resources.limits.scratch = true;
        self
    }

    /// Makes the limit include the memory that saving takes.
    pub(crate) fn saving(self, saving: Saving) -> Self {
        Solver { resources: self.resources.saving(saving), ..self }
    }

    /// Limits the number of states, unused indices of a numbering included. An exploration that
    /// finds more ends with an error. Default: no limit.
    pub fn max_states(mut self, states: u64) -> Self {
        self.resources.limits.states = Some(states);
        self
    }

    /// Calls `report` while the run works: at least once a level, and about twenty times a second.
    /// If it returns `Break`, the run ends with [`SolveError::Interrupted`]. It runs on the thread
    /// that called the solver.
    pub fn on_progress(mut self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Box::new(report);
        self
    }

    /// Writes states in errors in the game's notation. Default: their `Debug` output.
    pub fn notation(mut self) -> Self
    where
        G: Notation,
    {
        self.resources.write = G::write_state;
        self.resources.parts = G::write_parts;
        self
    }

    /// Solves the game in its usual numbering: the first of [`Numbered::Numberings`].
    ///
    /// Memory while it solves:
    ///
    /// | for | bytes |
    /// | --- | --- |
    /// | an index, if distances are short (190 levels, few states with more than 63 moves) | 1.25 |
    /// | an index otherwise | 2.25 |
    /// | an index, with several threads and 4 million indices or more, if there is room | 0.125 more, or 8 MiB |
    /// | an index of a game without predecessors | 4 more |
    /// | an edge of a game without predecessors | 4; from 2^31 indices on 5 |
    /// | a discovered state | its own size and 1 to 12; up to twice that during discovery |
    /// | a discovered state, until its moves are reverse edges | 12 more |
    /// | a move of a discovered state, until it is a reverse edge | 4 more |
    /// | a state of a solved tier that is in memory | 1 or 2 |
    /// | a state with moves to other tiers | 4 more |
    ///
    /// Discovered states have their moves recorded during the discovery, so that the rules are
    /// asked only once: one [`terminal`](Game::terminal) and one [`moves`](Game::moves) a state,
    /// and a few more to check the game's laws. Recorded moves take at most a quarter of the memory
    /// allowed, or of the memory that the system has to spare. If they need more, the rules are
    /// asked again; [`Plan::recorded`] reports whether recorded moves serve. No moves are recorded
    /// if the game's own predecessors cost less.
    ///
    /// If [`memory`](Solver::memory) leaves no room for the edges, a game without predecessors is
    /// solved without them, which takes longer. [`solve_into`](Solver::solve_into) need not keep
    /// all solved tiers in memory.
    ///
    /// # Errors
    /// - The rules or the numbering have a fault that solving notices;
    ///   [`laws::check`](crate::laws::check) notices more.
    /// - A distance is longer than a table can hold ([`MAX_PLIES`](crate::query::MAX_PLIES)).
    /// - Memory runs out, or the memory or the states allowed are not enough.
    /// - States are to be discovered, and the game has no roots, or more than 2^32 states
    ///   that are not packed.
    /// - The progress function interrupts.
    pub fn solve(self) -> Result<Solution<'g, G>, SolveError>
    where
        G: Numbered,
    {
        self.solve_as::<Usual<G>>()
    }

    /// Solves the game in the numbering of a [scheme](crate::scheme), which the game need not list.
    ///
    /// # Errors
    /// See [`solve`](Solver::solve).
    pub fn solve_as<S: Scheme<G>>(self) -> Result<Solution<'g, G>, SolveError> {
        self.with_pool(solve_in_memory::<G, S>)
    }

    /// Counts the states that can be reached from the game's roots, ply by ply, without solving
    /// them. Uses the first scheme of the game's list that has no tiers, if there is one. Takes 3
    /// bits of memory an index if a formula numbers the states, and otherwise the memory of the
    /// discovery.
    ///
    /// # Errors
    /// See [`solve`](Solver::solve), as far as the discovery of the states.
    pub fn survey(self) -> Result<Statistics, SolveError>
    where
        G: Numbered,
    {
        self.survey_as::<<G::Numberings as Numberings<G>>::Untiered>()
    }

    /// Counts the states that can be reached from the game's roots, as [`survey`](Solver::survey)
    /// does, in the numbering of a [scheme](crate::scheme), which the game need not list.
    ///
    /// # Errors
    /// See [`survey`](Solver::survey).
    pub fn survey_as<S: Scheme<G>>(self) -> Result<Statistics, SolveError> {
        self.with_pool(|game, resources, _, pool| {
            S::visit(game, SurveyStates { game, resources, pool })
        })
    }

    /// Runs `work` together with other processes.
    #[cfg(feature = "cluster")]
    pub(crate) fn with_peers<T>(
        self,
        peers: &mut dyn Peers,
        work: impl FnOnce(
            &'g G,
            Resources<G>,
            Option<&'p mut (dyn CheckpointStore + 'p)>,
            &mut WorkerPool<'_>,
        ) -> T,
    ) -> T {
        let Solver { game, resources, store, mut progress, .. } = self;
        let pool = WorkerPool::new(resources.threads, &mut *progress);
        work(game, resources, store, &mut pool.with_peers(peers))
    }

    /// Saves checkpoints in `store`.
    pub(crate) fn saving_in(mut self, store: &'p mut (dyn CheckpointStore + 'p)) -> Self {
        self.store = Some(store);
        self
    }

    /// The game that is solved.
    pub(crate) fn game(&self) -> &'g G {
        self.game
    }

    pub(crate) fn with_pool<T>(
        self,
        run: impl FnOnce(
            &'g G,
            Resources<G>,
            Option<&'p mut (dyn CheckpointStore + 'p)>,
            &mut WorkerPool<'_>,
        ) -> T,
    ) -> T {
        let Solver { game, resources, store, scratch, mut progress } = self;
        let pool = WorkerPool::new(resources.threads, &mut *progress);
        run(game, resources, store, &mut pool.with_scratch(scratch.as_deref()))
    }
}

impl<G: Game> fmt::Debug for Solver<'_, '_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resources { threads, limits: SolveLimits { memory, states, .. }, .. } = &self.resources;
        formatter
            .debug_struct("Solver")
            .field("threads", threads)
            .field("memory", memory)
            .field("max_states", states)
            .field("checkpoints", &self.store.is_some())
            .finish_non_exhaustive()
    }
}

/// Solves a game in the numbering of a scheme, in memory.
pub(crate) fn solve_in_memory<'g, 's, G: Game, S: Scheme<G>>(
    game: &'g G,
    resources: Resources<G>,
    store: Option<&'s mut (dyn CheckpointStore + 's)>,
    pool: &mut WorkerPool<'_>,
) -> Result<Solution<'g, G>, SolveError> {
    solve_and_save::<G, S, SolveError>(game, resources, store, &mut |_, _| Ok(None), pool)
}

/// Solves a game in the numbering of a scheme, in memory, and saves each tier by `save` as soon as
/// it is solved: see [`TierStore::save`]. With several processes, each solves its window and
/// returns only the solution of this window.
///
/// [`TierStore::save`]: tiers::TierStore::save
pub(crate) fn solve_and_save<'g, 's, G: Game, S: Scheme<G>, E: From<SolveError>>(
    game: &'g G,
    resources: Resources<G>,
    store: Option<&'s mut (dyn CheckpointStore + 's)>,
    save: &mut SaveTier<'_, G, E>,
    pool: &mut WorkerPool<'_>,
) -> Result<Solution<'g, G>, E> {
    S::visit(game, SolveAndSave { game, resources, store, save, pool })
}

struct SolveAndSave<'g, 'r, 's, 'a, 'c, G: Game, E> {
    game: &'g G,
    resources: Resources<G>,
    store: Option<&'s mut (dyn CheckpointStore + 's)>,
    save: &'r mut SaveTier<'a, G, E>,
    pool: &'r mut WorkerPool<'c>,
}

impl<'g, G: Game, E: From<SolveError>> IndexingVisitor<G>
    for SolveAndSave<'g, '_, '_, '_, '_, G, E>
{
    type Output = Result<Solution<'g, G>, E>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let SolveAndSave { game, resources, mut store, save, pool } = self;
        let states = find_states::<G, I>(game, resources, &mut store, pool)?;
        tiers::in_memory::<G, I, E>(game, states, resources, store, save, pool)
    }
}

/// Counts the states that can be reached from the roots.
struct SurveyStates<'g, 'r, 'c, G: Game> {
    game: &'g G,
    resources: Resources<G>,
    pool: &'r mut WorkerPool<'c>,
}

impl<G: Game> IndexingVisitor<G> for SurveyStates<'_, '_, '_, G> {
    type Output = Result<Statistics, SolveError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let SurveyStates { game, resources, pool } = self;
        struct Explore<'g, 'r, 'c, G: Game>(&'g G, Resources<G>, &'r mut WorkerPool<'c>);
        impl<G: Game> Discover<G> for Explore<'_, '_, '_, G> {
            type Output<K> = Result<Statistics, SolveError>;

            fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
                self.1.explorer(self.2).statistics::<E>(self.0)
            }
        }
        if let Some(statistics) = I::Lookup::discover(Explore(game, resources, &mut *pool)) {
            return statistics;
        }
        let indices = find_states::<G, I>(game, resources, &mut None, pool)?.indices;
        let all = AllTiers::<G, I>::new(game, indices).writing(resources.write);
        resources.limits.check_len(all.len())?;
        statistics_of_numbering(&all, pool)
    }
}
