//! The laws that a game has to obey, and a check that finds the first state that breaks one.
//!
//! A game that breaks a law gives wrong tables without an error. Check a game whenever its rules or its
//! numbering change: [`check`] uses its usual numbering, [`Laws`] any.

mod checker;
mod look;
mod neighbours;
mod report;
mod states;
mod tiers;
mod view;
mod writing;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

pub use crate::error::Law;
use crate::error::SolveError;
use crate::explore::{Explorer, discover_parts};
use crate::game::{Game, WriteState};
use crate::notation::Notation;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::{Discover, Indexing, IndexingVisitor, Lookup, Tiering};
use crate::numbering::scheme::{Scheme, Solvable, Usual};
use crate::numbering::{AllTiers, Numbering};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress};
use checker::{Checker, Comparison, Seen};
pub(crate) use look::{check_game, look};
pub use report::{LawError, Report};
use tiers::TierLaws;
use view::NumberingView;
use writing::Writing;

/// Which states are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every state.
    All,
    /// This many states drawn at random; the seed determines which.
    Sample {
        /// How many indices are drawn, unused ones included.
        states: u64,
        /// The seed of the random numbers.
        seed: u64,
    },
}

/// Checks the laws on the states of a game, in its usual numbering. Counterexamples are written with
/// `Debug`; [`Laws::with_notation`] writes them in the game's notation.
///
/// The check generates the moves and predecessors of all neighbours of each state. In a numbering of
/// discovered states, it discovers all of them first.
///
/// # Errors
/// The first counterexample found, or the error of discovering the states.
pub fn check<G: Solvable>(game: &G, scope: Scope) -> Result<Report, LawError> {
    Laws::new(game).scope(scope).check()
}

/// A check of the laws on a game, with its options.
///
/// ```
/// # use retrograde::{Game, Outcome, Players, Solvable, scheme};
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = u64;
/// #     const PLAYERS: Players = Players::Unnamed;
/// #     fn terminal(&self, &heap: &u64) -> Option<Outcome> {
/// #         (heap == 0).then_some(Outcome::MoverLoses)
/// #     }
/// #     fn moves(&self, &heap: &u64, visit: impl FnMut(u64)) {
/// #         (1..=heap.min(3)).map(|taken| heap - taken).for_each(visit);
/// #     }
/// #     fn roots(&self) -> impl IntoIterator<Item = u64> { [21] }
/// # }
/// # impl Solvable for Nim { type Numberings = scheme::Explored; }
/// # let game = Nim;
/// use retrograde::laws::{Laws, Scope};
///
/// let report = Laws::new(&game).scope(Scope::Sample { states: 100, seed: 1 }).check()?;
/// assert_eq!(report.states, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the laws are not checked before `check` is called"]
pub struct Laws<'g, 'p, G: Game> {
    game: &'g G,
    scope: Scope,
    writing: Writing<G>,
    limits: Limits,
    progress: Box<OnProgress<'p>>,
}

/// What a check may take.
#[derive(Clone, Copy, Default)]
struct Limits {
    /// The most states that there may be, if there is a limit.
    states: Option<u64>,
    /// The most bytes that the states may take where they are discovered, if there is a limit.
    memory: Option<u64>,
}

impl<'g, 'p, G: Game> Laws<'g, 'p, G> {
    /// A check of all states of `game`, by default without its notation.
    pub fn new(game: &'g G) -> Self {
        let progress = Box::new(|_| ControlFlow::Continue(()));
        let (scope, limits) = (Scope::All, Limits::default());
        Laws { game, scope, writing: Writing::debug(), limits, progress }
    }

    /// Sets which states are checked.
    pub fn scope(self, scope: Scope) -> Self {
        Laws { scope, ..self }
    }

    /// Sets the most states that may be checked, or discovered where the numbering needs that. Default: no
    /// limit.
    pub fn max_states(mut self, states: u64) -> Self {
        self.limits.states = Some(states);
        self
    }

    /// Sets how many bytes the states may take where the numbering needs them to be discovered. Default: no
    /// limit.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Writes counterexamples in the game's notation, and checks that notation too.
    pub fn with_notation(self) -> Self
    where
        G: Notation,
    {
        Laws { writing: Writing::notation(), ..self }
    }

    /// Calls `report` with the progress of the check. When it returns `Break`, the check ends with
    /// [`SolveError::Interrupted`].
    pub fn on_progress(self, report: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        Laws { progress: Box::new(report), ..self }
    }

    /// Checks the laws in the game's usual numbering.
    ///
    /// # Errors
    /// As [`check`], and when the progress function interrupts.
    pub fn check(self) -> Result<Report, LawError>
    where
        G: Solvable,
    {
        self.check_as::<Usual<G>>()
    }

    /// Checks the laws in any [scheme](crate::scheme), listed by the game or not.
    ///
    /// # Errors
    /// As [`check`], and when the progress function interrupts.
    pub fn check_as<S: Scheme<G>>(self) -> Result<Report, LawError> {
        S::visit(self.game, self)
    }
}

impl<G: Game> IndexingVisitor<G> for Laws<'_, '_, G> {
    type Output = Result<Report, LawError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let Laws { game, scope, writing, limits, mut progress } = self;
        check_game(game)?;
        let tiers = I::Tiering::tiers(game);
        tiers::check_order(&tiers)?;
        let (write, progress) = (writing.write, &mut *progress);
        let discover = DiscoverAll::<G, I> { game, write, limits, progress, indexing: PhantomData };
        let indices = match I::Lookup::discover(discover) {
            Some(keys) => keys?.into_iter().map(I::Lookup::of_keys).collect(),
            None => tiers.iter().map(|_| I::Lookup::of_keys(Vec::new())).collect(),
        };
        let indices: Result<Vec<_>, SolveError> = indices;
        let all = AllTiers::<G, I>::new(game, indices?).writing(write);
        if let (Scope::All, Some(limit)) = (scope, limits.states)
            && Numbering::len(&all) > limit
        {
            let states = Numbering::len(&all);
            return Err(SolveError::TooManyStatesAllowed { states, limit }.into());
        }
        let laws = TierLaws { all: &all, tiers, write };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut pool = WorkerPool::new(threads, progress);
        check_states(&all, writing, scope, &mut pool, &|state| {
            if I::Tiering::HAS_TIERS { laws.check(state) } else { Ok(()) }
        })
    }
}

/// Discovers the states of each tier.
struct DiscoverAll<'d, 'p, G: Game, I> {
    game: &'d G,
    write: WriteState<G>,
    limits: Limits,
    progress: &'d mut OnProgress<'p>,
    indexing: PhantomData<I>,
}

impl<G: Game, I: Indexing<G>> Discover<G> for DiscoverAll<'_, '_, G, I> {
    type Output<K> = Result<Vec<Vec<K>>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        let mut progress = |event| (self.progress)(event);
        let mut pool = WorkerPool::new(1, &mut progress);
        let Limits { states, memory } = self.limits;
        let write = self.write;
        let mut explorer =
            Explorer { pool: &mut pool, most_states: states, memory, records: false, write };
        let held = |states: u64| states.saturating_mul(size_of::<E::Key>() as u64);
        let found = discover_parts::<G, I::Tiering, E>(&mut explorer, self.game, held)?;
        Ok(found.into_iter().map(|found| found.keys).collect())
    }
}

/// How many indices a thread checks in one go.
const CHUNK: u64 = 256;

/// How many chunks are handed out at once. The first counterexample among them is reported.
const CHUNKS: u64 = 256;

/// Checks the laws on the states of a scope; `more` does the further checks of a state.
fn check_states<G: Game>(
    numbering: &(dyn NumberingView<G> + Sync),
    writing: Writing<G>,
    scope: Scope,
    pool: &mut WorkerPool<'_>,
    more: &(dyn Fn(&G::State) -> Result<(), LawError> + Sync),
) -> Result<Report, LawError> {
    let len = numbering.len();
    let draws: Option<Vec<u64>> = match scope {
        Scope::All => None,
        Scope::Sample { .. } if len == 0 => Some(Vec::new()),
        Scope::Sample { states, seed } => {
            let mut random = SmallRng::seed_from_u64(seed);
            Some((0..states).map(|_| random.random_range(0..len)).collect())
        }
    };
    let of = draws.as_ref().map_or(len, |draws| draws.len() as u64);
    let comparison = if draws.is_none() { Comparison::Sums } else { Comparison::Each };
    let index = |at: u64| draws.as_ref().map_or(at, |draws| draws[at as usize]);
    let mut sweep = |comparison| {
        let mut seen = Seen::default();
        let mut start = 0;
        while start < of {
            let end = of.min(start + CHUNK * CHUNKS);
            let chunks = (start..end).step_by(CHUNK as usize).collect();
            let event = |done| Progress::Checking { done: start + done, of };
            let found = pool.run(Size::Big, chunks, event, |begin: u64, token| {
                let mut checker = Checker::new(numbering, writing, comparison, begin);
                for at in begin..end.min(begin + CHUNK) {
                    checker.check(index(at))?;
                    checker.numbering.state(index(at)).map_or(Ok(()), |state| more(&state))?;
                }
                // A cancelled run ends in any case.
                let _ = token.done(CHUNK.min(end - begin));
                Ok::<_, LawError>(checker.seen)
            })?;
            found.iter().for_each(|more| seen.add(more));
            start = end;
        }
        Ok::<_, LawError>(seen)
    };
    let seen = sweep(comparison)?;
    if comparison == Comparison::Sums && !seen.sums_agree() {
        // Some move has no predecessor, or the other way round: this finds it.
        sweep(Comparison::Each)?;
    }
    Checker::new(numbering, writing, Comparison::Each, 0).check_play()?;
    Checker::<G>::check_players(&seen)?;
    Ok(seen.report)
}
