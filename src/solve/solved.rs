//! What is known of a solved tier: its figures, and what of it is written to a file.

use crate::game::Game;
use crate::numbering::discovered::ListedStates;
use crate::numbering::{NumberingKind, Witnesses};
use crate::runtime::pool::WorkerPool;
use crate::solve::levels::cells::Cells;
use crate::summary::Summary;

/// The figures of a solved tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierFigures {
    /// The name of the tier; empty for a game without tiers.
    pub name: String,
    /// The figures of its states.
    pub summary: Summary,
    /// The length of its file in bytes; `None` if it has none.
    pub bytes: Option<u64>,
    /// Whether an earlier run solved it.
    pub found: bool,
}

/// A tier or a whole game as this process has solved it, to be written to a file.
pub(crate) struct SolvedPart<'s, G: Game> {
    pub(crate) kind: NumberingKind,
    /// How many indices there are, unused ones included.
    pub(crate) len: u64,
    /// The values of the own window: all of them, unless several processes solved it.
    pub(crate) values: &'s Cells,
    /// The states in the order of their indices, where no formula computes them: all, or those of the own
    /// window.
    pub(crate) states: Option<&'s dyn ListedStates>,
    /// The figures of all windows.
    pub(crate) summary: &'s Summary,
    /// Some states, by which a table is recognized.
    pub(crate) witnesses: Witnesses<G>,
}

/// Saves a tier; returns the length of its file, if it has one.
pub(crate) type SaveTier<'a, G, E> =
    dyn FnMut(SolvedPart<'_, G>, &mut WorkerPool<'_>) -> Result<Option<u64>, E> + 'a;
