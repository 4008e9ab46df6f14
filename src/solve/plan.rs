//! The plan: which method solves a game, by what the game offers and the memory allowed.

use crate::error::SolveError;
use crate::runtime::frontier::Frontier;
use crate::runtime::progress::{Method, Plan};
use crate::solve::graph::reverse_edges;

/// The memory that a solve needs, and what is allowed.
#[derive(Clone, Copy)]
pub(crate) struct Needs {
    len: u64,
    /// What every method needs: the numbering, the cells and two frontiers.
    base: u64,
    allowed: Option<u64>,
}

impl Needs {
    /// The needs of a game of `len` indices in a numbering of so many bytes. `longest` is the longest
    /// distance that the game promises.
    ///
    /// # Errors
    /// When what every method needs is more than `allowed`.
    pub(crate) fn weigh(
        len: u64,
        numbering: u64,
        longest: Option<u32>,
        allowed: Option<u64>,
    ) -> Result<Needs, SolveError> {
        // Cells of one byte have codes for more levels than this, whatever each level settles.
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

    /// Whether there is room for the in-degrees.
    pub(crate) fn fit_in_degrees(&self) -> bool {
        self.fit(reverse_edges::starts_bytes(self.len))
    }

    /// Whether there is room for all reverse edges.
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
