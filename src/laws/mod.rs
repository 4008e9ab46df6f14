//! The laws that a game has to keep, and a check that names the first state that breaks one.
//!
//! Authors break these without noticing, and then tables are wrong without looking wrong. Check a
//! game whenever its rules or its numbering change: [`check`] for a dense numbering,
//! [`check_explored`] and [`check_packed`] for states that are discovered from the roots.

mod checker;
mod tiers;

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Arc;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::error::SolveError;
use crate::explore::Explorer;
use crate::game::{Game, Indexed, Packed, TierIndexed, Tiered};
use crate::notation::Notation;
use crate::numbering::{
    AllTiers, Dense, Explored, Keeping, Numbering, Sorted, TierNumbers, Whole, Word,
};
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::sweep;
use crate::runtime::progress::{OnProgress, Progress};
use checker::Checker;
use tiers::TierLaws;

/// Which states are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every one.
    All,
    /// So many, drawn at random; the same seed draws the same.
    Sample {
        /// How many, holes of the numbering included.
        states: u64,
        /// Where the random numbers begin.
        seed: u64,
    },
}

/// What a check that found nothing has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many states.
    pub states: u64,
    /// How many moves from those states.
    pub moves: u64,
    /// How many predecessors of those states; none where the game does not tell them.
    pub predecessors: u64,
}

/// The laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// A state is a predecessor of exactly its successors.
    Predecessors,
    /// The index of an index's state is the same index, and stays below the length; a pass over
    /// several finds the same states.
    Index,
    /// A state without moves has an outcome.
    NoMoves,
    /// States that share a number have the same outcome for the mover and the same successors.
    /// All states that are numbered and all that their moves lead to are compared, and beyond
    /// those what 32 plies of random play from each state come across.
    Symmetry,
    /// What a state is printed as reads back as that state.
    Notation,
    /// Moves and predecessors that are promised to be distinct are.
    Distinct,
    /// A state that is packed and unpacked is that state.
    Packing,
    /// A degree that the game knows is the number of its distinct successors, in a game in tiers
    /// that of those in the tier.
    Degree,
    /// Moves lead to the tier where they begin and to those that it says it leads to, all of which
    /// come before it, and the leaving ones are those that the game says leave.
    Tiers,
    /// Of the successors of a state in a tier, those that the game tells the indices of are the ones
    /// in that tier; and all are told but those of runs, or of other tiers, that it was told do not matter.
    Successors,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Predecessors => "a state is a predecessor of exactly its successors",
            Law::Index => "index and unindex are each other's inverse",
            Law::NoMoves => "a state without moves has an outcome",
            Law::Symmetry => "states that share a number are worth the same",
            Law::Notation => "what a state is printed as reads back as that state",
            Law::Distinct => "promised to be distinct, moves and predecessors are",
            Law::Packing => "a state that is packed and unpacked is that state",
            Law::Tiers => "moves leave a tier only towards those that it leads to",
            Law::Successors => "successors told by their indices are those that moves lead to",
            Law::Degree => "the degree of a state is how many distinct successors it has",
        })
    }
}

/// Why a check did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// A law is broken; the first counterexample found, in the game's notation.
    #[error("broken law: {law}\n{counterexample}")]
    Broken {
        /// Which law.
        law: Law,
        /// The states that break it, and how.
        counterexample: String,
    },
    /// The states could not be discovered, or the progress function asked to stop.
    #[error(transparent)]
    Unchecked(#[from] SolveError),
}

/// Checks the laws on the states of a game with its own numbering.
///
/// Costs, for each state, the moves and predecessors of its neighbours.
///
/// # Errors
/// The first counterexample found.
pub fn check<G: Indexed + Notation>(game: &G, scope: Scope) -> Result<Report, LawError> {
    check_reporting(game, scope, &mut |_| ControlFlow::Continue(()))
}

/// Like [`check`], reporting progress.
///
/// # Errors
/// As [`check`], and when `progress` interrupts.
pub fn check_reporting<G: Indexed + Notation>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError> {
    check_numbering(&Dense::new(game), scope, progress)
}

/// Checks the laws on the states that can be reached from a game's roots, all of which are
/// discovered first.
///
/// # Errors
/// The first counterexample found, and what can go wrong with an exploration.
pub fn check_explored<G>(game: &G, scope: Scope) -> Result<Report, LawError>
where
    G: Notation,
    G::State: Hash + Ord,
{
    check_explored_reporting(game, scope, &mut |_| ControlFlow::Continue(()))
}

/// Like [`check_explored`], reporting progress.
///
/// # Errors
/// As [`check_explored`], and when `progress` interrupts.
pub fn check_explored_reporting<G>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError>
where
    G: Notation,
    G::State: Hash + Ord,
{
    check_kept::<G, Whole>(game, scope, progress)
}

/// Checks the laws on the states that can be reached from a game's roots, packed as `K` says: `u64`
/// or `u128`. All are discovered first.
///
/// # Errors
/// As [`check_explored`], and when the states take more bits than `K` has.
pub fn check_packed<G: Packed + Notation, K: Keeping<G>>(
    game: &G,
    scope: Scope,
) -> Result<Report, LawError> {
    check_packed_reporting::<G, K>(game, scope, &mut |_| ControlFlow::Continue(()))
}

/// Like [`check_packed`], reporting progress.
///
/// # Errors
/// As [`check_packed`], and when `progress` interrupts.
pub fn check_packed_reporting<G: Packed + Notation, K: Keeping<G>>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError> {
    check_kept::<G, K>(game, scope, progress)
}

/// Checks the laws on the states of all tiers of a game.
///
/// # Errors
/// The first counterexample found.
pub fn check_tiers<G: TierIndexed + Notation>(game: &G, scope: Scope) -> Result<Report, LawError> {
    check_tiers_reporting(game, scope, &mut |_| ControlFlow::Continue(()))
}

/// Like [`check_tiers`], reporting progress.
///
/// # Errors
/// As [`check_tiers`], and when `progress` interrupts.
pub fn check_tiers_reporting<G: TierIndexed + Notation>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError> {
    let tiers = TierLaws::new(game);
    tiers.check_order()?;
    check_joined(&tiers, &AllTiers::by_index(game), scope, progress, |state| {
        tiers.check_successors(state)
    })
}

/// Checks the laws on the states of all tiers that play can reach, packed into `u64` or `u128`.
///
/// # Errors
/// The first counterexample found, and what goes wrong when the states are discovered.
pub fn check_tiers_packed<G, K>(game: &G, scope: Scope) -> Result<Report, LawError>
where
    G: Tiered + Packed + Notation,
    K: Keeping<G, Key = K> + Word,
{
    check_tiers_packed_reporting::<G, K>(game, scope, &mut |_| ControlFlow::Continue(()))
}

/// Like [`check_tiers_packed`], reporting progress.
///
/// # Errors
/// As [`check_tiers_packed`], and when `progress` interrupts.
pub fn check_tiers_packed_reporting<G, K>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError>
where
    G: Tiered + Packed + Notation,
    K: Keeping<G, Key = K> + Word,
{
    let tiers = TierLaws::new(game);
    tiers.check_order()?;
    let mut numbers = Vec::new();
    {
        let mut progress = |event| progress(event);
        let mut pool = WorkerPool::new(1, &mut progress);
        let mut explorer = Explorer { pool: &mut pool, most_states: None, memory: None };
        explorer.discover_tiers::<G, K, SolveError>(game, |_, keys, _| {
            numbers.push(Arc::new(Sorted::<G, K>::of(keys)?));
            Ok(0)
        })?;
    }
    numbers.reverse();
    check_joined(&tiers, &AllTiers::new(game, numbers), scope, progress, |_| Ok(()))
}

/// The check of all tiers; `more` checks whatever else there is to check of a state.
fn check_joined<G: Tiered + Notation, S: TierNumbers<G>>(
    tiers: &TierLaws<'_, G>,
    joined: &AllTiers<'_, G, S>,
    scope: Scope,
    progress: &mut OnProgress<'_>,
    more: impl Fn(&G::State) -> Result<(), LawError>,
) -> Result<Report, LawError> {
    check_numbers(joined, scope, progress, |_, state| {
        tiers.check(state, |next| joined.number(next))?;
        more(state)
    })
}

fn check_kept<G: Notation, K: Keeping<G>>(
    game: &G,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError> {
    let numbering = {
        let mut pool = WorkerPool::new(1, progress);
        let mut explorer = Explorer { pool: &mut pool, most_states: None, memory: None };
        Explored::<G, K>::discover(game, &mut explorer)?
    };
    check_numbering(&numbering, scope, progress)
}

fn check_numbering<N: Numbering>(
    numbering: &N,
    scope: Scope,
    progress: &mut OnProgress<'_>,
) -> Result<Report, LawError>
where
    N::Game: Notation,
{
    check_numbers(numbering, scope, progress, |_, _| Ok(()))
}

/// The same; `more` checks whatever else there is to check of a state.
fn check_numbers<N: Numbering>(
    numbering: &N,
    scope: Scope,
    progress: &mut OnProgress<'_>,
    more: impl Fn(u64, &<N::Game as Game>::State) -> Result<(), LawError>,
) -> Result<Report, LawError>
where
    N::Game: Notation,
{
    let mut checker = Checker::new(numbering);
    checker.check_roots()?;
    let len = numbering.len();
    let (of, mut draw): (u64, Box<dyn FnMut(u64) -> u64>) = match scope {
        Scope::All => (len, Box::new(|at| at)),
        Scope::Sample { .. } if len == 0 => (0, Box::new(|at| at)),
        Scope::Sample { states, seed } => {
            let mut random = SmallRng::seed_from_u64(seed);
            (states, Box::new(move |_| random.random_range(0..len)))
        }
    };
    let event = |done| Progress::Checking { done, of };
    sweep(of, progress, event, SolveError::Interrupted.into(), |at| {
        let number = draw(at);
        checker.check(number)?;
        numbering.state(number).map_or(Ok(()), |state| more(number, &state))
    })?;
    Ok(checker.report())
}
