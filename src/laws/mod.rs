//! The laws that a game must obey, and a check that finds the first state that breaks one.
//!
//! A game that breaks a law gives wrong tables without an error. Check a game whenever its rules or
//! its numbering change: [`check`] uses its usual numbering, [`Laws`] any.

mod beginning;
#[cfg(feature = "cli")]
mod boards;
mod checker;
mod ends;
mod exits;
mod names;
mod neighbours;
mod report;
mod rows;
mod sample;
mod states;
mod tiers;
mod view;
mod writing;

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

pub use crate::error::Law;
use crate::error::{BrokenLaw, LawError, SolveError};
use crate::explore::{Explorer, discover_parts};
use crate::game::Game;
use crate::game::notation::Notation;
use crate::numbering::AllTiers;
use crate::numbering::discovered::{Encoding, FoundKeys};
use crate::numbering::indexing::{Discover, Indexing, IndexingVisitor, Lookup, Tiering};
use crate::numbering::scheme::{Numbered, Scheme, Usual};
use crate::runtime::pool::{Size, WorkerPool};
use crate::runtime::progress::{OnProgress, Progress, unheard};
use beginning::AllStates;
#[cfg(feature = "cli")]
pub(crate) use boards::look_at_boards;
use checker::{Checker, Comparison, Seen};
pub(crate) use ends::check_end;
pub(crate) use sample::{check_game, check_sample};
pub(crate) use tiers::check_order;

pub use report::Report;
use states::FEW;
use tiers::TierLaws;
use view::NumberingView;
use writing::Writing;

/// The states that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// Every state.
    All,
    /// This many states drawn at random; the seed determines which. If the numbering discovers
    /// states, they are drawn from the first ones found, and no more are discovered: see
    /// [`Laws::sample_from`].
    Sample {
        /// The number of indices that are drawn, unused ones included.
        states: u64,
        /// The seed of the random numbers.
        seed: u64,
    },
}

/// Checks the laws on the states of a game, in its usual numbering. Counterexamples are written
/// with `Debug`; [`Laws::notation`] writes them in the game's notation.
///
/// The check generates the moves and predecessors of all neighbours of each state. If the numbering
/// discovers states, the check first discovers all of them, or enough to draw a sample from.
///
/// # Errors
/// The first counterexample found, or the error of discovering the states.
pub fn check<G: Numbered>(game: &G, scope: Scope) -> Result<Report, LawError> {
    Laws::new(game).scope(scope).check()
}

/// A check of the laws on a game, with its options.
///
/// ```
/// # use kit::games::Nim;
/// use retrograde::laws::{Laws, Scope};
///
/// let game = Nim { counters: 21 };
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

/// The limits of a check.
#[derive(Clone, Copy, Default)]
struct Limits {
    /// The most states that there may be, if this is limited.
    states: Option<u64>,
    /// The most bytes that discovered states may take, if this is limited.
    memory: Option<u64>,
    /// The number of states from which a sample is drawn, if it is set.
    sample_from: Option<u64>,
}

impl<'g, 'p, G: Game> Laws<'g, 'p, G> {
    /// A check of all states of `game`, by default without its notation.
    pub fn new(game: &'g G) -> Self {
        let (scope, limits, progress) = (Scope::All, Limits::default(), unheard());
        Laws { game, scope, writing: Writing::debug(), limits, progress }
    }

    /// Sets which states are checked.
    pub fn scope(self, scope: Scope) -> Self {
        Laws { scope, ..self }
    }

    /// Sets the most states that may be checked, or discovered if the numbering discovers them.
    /// Default: no limit.
    pub fn max_states(mut self, states: u64) -> Self {
        self.limits.states = Some(states);
        self
    }

    /// Sets the number of states from which a sample is drawn if the numbering discovers states. If
    /// the game has more states, the sample is drawn from the first ones found, in the order of
    /// their distance from the roots, and [`Report::drawn_from`] is set. The check then follows all
    /// moves and predecessors of the sample. It ignores predecessors outside the first states,
    /// since it can't know whether play reaches them. Default: 2^20, or ten times the sample if
    /// that is more.
    pub fn sample_from(mut self, states: u64) -> Self {
        self.limits.sample_from = Some(states);
        self
    }

    /// Sets how many bytes the states may take if the numbering discovers them. If the memory has
    /// no room for more, a sample is drawn from fewer states. Default: no limit.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Writes counterexamples in the game's notation, and checks that notation too.
    pub fn notation(self) -> Self
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
        G: Numbered,
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

impl<G: Game> fmt::Debug for Laws<'_, '_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { states, memory, sample_from } = &self.limits;
        formatter
            .debug_struct("Laws")
            .field("scope", &self.scope)
            .field("max_states", states)
            .field("memory", memory)
            .field("sample_from", sample_from)
            .finish_non_exhaustive()
    }
}

impl<G: Game> IndexingVisitor<G> for Laws<'_, '_, G> {
    type Output = Result<Report, LawError>;

    fn visit<I: Indexing<G>>(self) -> Self::Output {
        let Laws { game, scope, writing, limits, mut progress } = self;
        check_game(game)?;
        let tiers = I::Tiering::tiers(game);
        check_order(&tiers)?;
        if I::Tiering::HAS_TIERS {
            tiers::check_names(&tiers)?;
        }
        let (write, progress) = (writing.write, &mut *progress);
        let indexing = PhantomData;
        let discover = Discovering::<G, I> { game, scope, writing, limits, progress, indexing };
        let Discovered { keys, hash } = match I::Lookup::discover(discover) {
            Some(discovered) => discovered?,
            None => Discovered {
                keys: tiers.iter().map(|_| FoundKeys::default()).collect(),
                hash: None,
            },
        };
        let indices: Result<Vec<_>, SolveError> =
            keys.into_iter().map(I::Lookup::of_keys).collect();
        let all = AllTiers::<G, I>::new(game, indices?).writing(write);
        if let (Scope::All, Some(limit)) = (scope, limits.states)
            && all.len() > limit
        {
            let states = all.len();
            return Err(SolveError::TooManyStatesAllowed { states, limit }.into());
        }
        let view = AllStates { all: &all, hash };
        let laws = TierLaws { all: &all, tiers, write };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut pool = WorkerPool::new(threads, progress);
        let report = check_states(&view, writing, scope, &mut pool, &|state| {
            if I::Tiering::HAS_TIERS { laws.check(state) } else { Ok(()) }
        })?;
        Ok(Report { drawn_from: hash.map(|_| all.len()), ..report })
    }
}

/// Discovers the states of each tier.
struct Discovering<'d, 'p, G: Game, I> {
    game: &'d G,
    scope: Scope,
    writing: Writing<G>,
    limits: Limits,
    progress: &'d mut OnProgress<'p>,
    indexing: PhantomData<I>,
}

/// The keys of the discovered states.
struct Discovered<K> {
    /// The keys of each tier, sorted.
    keys: Vec<FoundKeys<K>>,
    /// The hash of a key, if not all states were discovered.
    hash: Option<fn(&K) -> u64>,
}

impl<G: Game, I> Discovering<'_, '_, G, I> {
    /// The number of states that suffice, if not all are needed.
    fn enough<K>(&self) -> Option<u64> {
        let Scope::Sample { states, .. } = self.scope else { return None };
        let Limits { states: most, memory, sample_from } = self.limits;
        let enough = sample_from.unwrap_or_else(|| beginning::enough_for(states));
        let enough = memory.map_or(enough, |bytes| enough.min(beginning::fit_into::<K>(bytes)));
        // A game with more states than are allowed is an error.
        (enough > 0 && most.is_none_or(|most| enough <= most)).then_some(enough)
    }
}

impl<G: Game, I: Indexing<G>> Discover<G> for Discovering<'_, '_, G, I> {
    type Output<K> = Result<Discovered<K>, SolveError>;

    fn run<E: Encoding<G>>(self) -> Self::Output<E::Key> {
        if let Some(enough) = self.enough::<E::Key>() {
            let (game, write) = (self.game, self.writing.write);
            let keys = beginning::discover::<G, I::Tiering, E>(game, enough, write, self.progress)?;
            if let Some(keys) = keys {
                let keys = keys.into_iter().map(FoundKeys::Listed).collect();
                return Ok(Discovered { keys, hash: Some(beginning::hash) });
            }
        }
        let mut progress = |event| (self.progress)(event);
        let mut pool = WorkerPool::new(1, &mut progress);
        let Limits { states, memory, .. } = self.limits;
        let Writing { write, parts, .. } = self.writing;
        let (pool, most_states) = (&mut pool, states);
        let mut explorer =
            Explorer { pool, most_states, memory, records: false, listing: None, write, parts };
        let held = |states: u64| states.saturating_mul(size_of::<E::Key>() as u64);
        let found = discover_parts::<G, I::Tiering, E>(&mut explorer, self.game, &held)?;
        Ok(Discovered { keys: found.into_iter().map(|found| found.keys).collect(), hash: None })
    }
}

/// The number of indices that a thread checks at once.
const CHUNK: u64 = 256;

/// The number of chunks that run in parallel. The first counterexample among them is reported.
const CHUNKS: u64 = 256;

/// Checks the laws on the states of a scope; `more` makes the further checks of a state.
fn check_states<G: Game>(
    numbering: &(dyn NumberingView<G> + Sync),
    writing: Writing<G>,
    scope: Scope,
    pool: &mut WorkerPool<'_>,
    more: &(dyn Fn(&G::State) -> Result<(), BrokenLaw> + Sync),
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
                checker.named_every = (of / FEW).max(1);
                if G::PREPARES {
                    let indices = (begin..end.min(begin + CHUNK)).map(index);
                    let states: Vec<_> = indices.filter_map(|at| numbering.state(at)).collect();
                    if !states.is_empty() && numbering.game().prepare(&states).is_break() {
                        return Err(SolveError::Interrupted.into());
                    }
                }
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
        // Some move lacks its predecessor, or some predecessor its move: this finds it.
        sweep(Comparison::Each)?;
    }
    let mut checker = Checker::new(numbering, writing, Comparison::Each, 0);
    checker.check_names(&seen.changes)?;
    checker.check_play()?;
    Checker::<G>::check_players(&seen)?;
    Ok(seen.report)
}
