//! A solved tier: its figures, and the values and states to write to a file.

use crate::game::Game;
use crate::game::summary::Summary;
use crate::numbering::discovered::ListedStates;
use crate::numbering::{NumberingKind, Witnesses};
use crate::runtime::pool::WorkerPool;
use crate::solve::cells::Cells;

/// The figures of a solved tier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TierFigures {
    /// The name of the tier; empty for a game without tiers.
    pub name: String,
    /// The figures of the tier's states.
    pub summary: Summary,
    /// The length of its file in bytes; `None` if it has none.
    pub bytes: Option<u64>,
    /// Whether an earlier run solved it.
    pub found: bool,
}

/// A tier or a whole game that this process has solved, as input for writing a file.
pub(crate) struct SolvedPart<'s, G: Game> {
    pub(crate) kind: NumberingKind,
    /// The number of indices, unused ones included.
    pub(crate) len: u64,
    /// The values of this process's window: all values, unless several processes solved the game.
    pub(crate) values: &'s Cells,
    /// The states in the order of their indices, if no formula computes them: all states, or only
    /// this process's window.
    pub(crate) states: Option<&'s dyn ListedStates>,
    /// The figures of all windows.
    pub(crate) summary: &'s Summary,
    /// Some states that identify a table.
    pub(crate) witnesses: Witnesses<G>,
}

/// Saves a tier; returns the length of its file, if it has one.
pub(crate) type SaveTier<'a, G, E> =
    dyn FnMut(SolvedPart<'_, G>, &mut WorkerPool<'_>) -> Result<Option<u64>, E> + 'a;
