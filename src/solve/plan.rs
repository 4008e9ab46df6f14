//! How a game is going to be solved, chosen by what the game offers and the memory allowed.

use std::fmt;

use super::SolveError;
use super::edges;
use super::frontier::Frontier;

/// How the states are found that a settled state settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The game tells its predecessors.
    Predecessors,
    /// The moves are turned round and kept in memory.
    ReverseEdges {
        /// How many there are.
        edges: u64,
    },
    /// The moves of all open states are gone through at every level, which needs no edges and
    /// takes longer.
    Forward,
}

/// How a game is going to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the states are found that a settled state settles.
    pub method: Method,
    /// The most memory that takes, in bytes, that of the numbering included.
    pub bytes: u64,
    /// How much is allowed, if there is a limit.
    pub allowed: Option<u64>,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Predecessors => f.write_str("by the game's predecessors"),
            Method::ReverseEdges { edges } => {
                write!(f, "by {edges} moves turned round and kept in memory")
            }
            Method::Forward => f.write_str("by going through all open states at every level"),
        }
    }
}

/// What is known when the memory is weighed.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    len: u64,
    /// What every method needs: the numbering, the cells and two frontiers.
    base: u64,
    allowed: Option<u64>,
}

impl Needs {
    /// Those of a game of `len` numbers in a numbering of so many bytes, whose longest distance is
    /// promised to be `longest`. An error if it can't fit into what is `allowed`.
    pub(super) fn weigh(
        len: u64,
        numbering: u64,
        longest: Option<u32>,
        allowed: Option<u64>,
    ) -> Result<Needs, SolveError> {
        // Cells of one byte have numbers for more levels than this, whatever each settles.
        let cell = if longest.is_some_and(|plies| plies <= 90) { 1 } else { 2 };
        let base = len
            .saturating_mul(cell)
            .saturating_add(2 * Frontier::bytes(len))
            .saturating_add(numbering);
        let needs = Needs { len, base, allowed };
        match allowed {
            Some(allowed) if base > allowed => {
                Err(SolveError::OverLimit { states: len, needed: base, allowed })
            }
            _ => Ok(needs),
        }
    }

    /// Whether there is room for counting the moves that arrive at each state.
    pub(super) fn fit_arrivals(&self) -> bool {
        self.fit(edges::starts_bytes(self.len))
    }

    /// Whether there is room for all edges turned round.
    pub(super) fn fit_edges(&self, edges: u64) -> bool {
        self.fit(edges::bytes(self.len, edges))
    }

    fn fit(&self, more: u64) -> bool {
        self.allowed.is_none_or(|allowed| self.base.saturating_add(more) <= allowed)
    }

    /// The plan to solve by this method.
    pub(super) fn plan(&self, method: Method) -> Plan {
        let more = match method {
            Method::ReverseEdges { edges } => edges::bytes(self.len, edges),
            Method::Predecessors | Method::Forward => 0,
        };
        Plan { method, bytes: self.base.saturating_add(more), allowed: self.allowed }
    }
}
