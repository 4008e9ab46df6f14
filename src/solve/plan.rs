//! How a game is going to be solved, chosen by what the game offers and the memory allowed.

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::progress::{Method, Plan};
use crate::solve::graph::reverse_edges;

/// What is known when the memory is weighed.
#[derive(Clone, Copy)]
pub(crate) struct Needs {
    len: u64,
    /// What every method needs: the numbering, the cells and two frontiers.
    base: u64,
    allowed: Option<u64>,
}

impl Needs {
    /// Those of a game of `len` numbers in a numbering of so many bytes, whose longest distance is
    /// promised to be `longest`. An error if it can't fit into what is `allowed`.
    pub(crate) fn weigh(
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
    pub(crate) fn fit_in_degrees(&self) -> bool {
        self.fit(reverse_edges::starts_bytes(self.len))
    }

    /// Whether there is room for all edges turned round.
    pub(crate) fn fit_edges(&self, edges: u64) -> bool {
        self.fit(reverse_edges::bytes(self.len, edges))
    }

    fn fit(&self, more: u64) -> bool {
        self.allowed.is_none_or(|allowed| self.base.saturating_add(more) <= allowed)
    }

    /// The plan to solve by this method.
    pub(crate) fn plan(&self, method: Method) -> Plan {
        let more = match method {
            Method::ReverseEdges { edges } => reverse_edges::bytes(self.len, edges),
            Method::Predecessors | Method::Forward => 0,
        };
        Plan { method, bytes: self.base.saturating_add(more), allowed: self.allowed }
    }
}
