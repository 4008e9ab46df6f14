//! The statistics of the reachable states.

use serde::{Deserialize, Serialize};

use crate::runtime::progress::Progress;

/// The number of reachable states and of their moves, ply by ply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The states of each ply: the states first reached after this number of plies.
    pub plies: Vec<Ply>,
}

/// The statistics of the states first reached after one number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ply {
    /// The number of states.
    pub states: u64,
    /// The number of terminal states among them.
    pub terminal: u64,
    /// The number of moves of the other states, as the game lists them: two moves to the same state
    /// count as two.
    pub moves: u64,
    /// The fewest moves of a state that is not terminal; 0 if all states are terminal.
    pub fewest: u64,
    /// The most moves of a state that is not terminal.
    pub most: u64,
}

impl Statistics {
    /// The statistics of all plies together.
    #[must_use]
    pub fn total(&self) -> Ply {
        self.plies.iter().fold(Ply::default(), |sum, ply| sum.and(*ply))
    }

    /// Whether play is over in all roots, so that there are no other states. A puzzle whose roots are
    /// its goals is such a game.
    ///
    /// ```
    /// # use kit::games::Nim;
    /// use retrograde::Solver;
    ///
    /// // No counters are left.
    /// assert!(Solver::new(&Nim { counters: 0 }).survey()?.is_over_at_roots());
    /// assert!(!Solver::new(&Nim { counters: 21 }).survey()?.is_over_at_roots());
    /// # Ok::<(), retrograde::SolveError>(())
    /// ```
    #[must_use]
    pub fn is_over_at_roots(&self) -> bool {
        self.plies.len() == 1 && self.total().moves == 0
    }

    /// The report that play is over in all roots, if it is.
    pub(super) fn over_at_roots(&self) -> Option<Progress> {
        let states = self.total().states;
        self.is_over_at_roots().then_some(Progress::OverAtRoots { states })
    }

    /// The ply with the most states, or the first of several such plies, and its number of states.
    #[must_use]
    pub fn widest(&self) -> Option<(usize, u64)> {
        let widths = self.plies.iter().map(|ply| ply.states).enumerate();
        widths.rev().max_by_key(|&(_, states)| states)
    }
}

impl Ply {
    /// The mean number of moves of a state that is not terminal.
    #[must_use]
    pub fn mean_moves(&self) -> f64 {
        let open = self.states - self.terminal;
        if open == 0 { 0.0 } else { self.moves as f64 / open as f64 }
    }

    /// The report that this ply is complete.
    pub(super) fn report(&self, ply: u32) -> Progress {
        let Ply { states, terminal, moves, fewest, most } = *self;
        Progress::Hashed { ply, states, terminal, moves, fewest, most }
    }

    /// Counts a state that is not terminal.
    #[inline]
    pub(super) fn add_open(&mut self, moves: u64) {
        self.fewest = if self.states == self.terminal { moves } else { self.fewest.min(moves) };
        self.most = self.most.max(moves);
        self.states += 1;
        self.moves += moves;
    }

    /// Counts a terminal state.
    #[inline]
    pub(super) fn add_terminal(&mut self) {
        self.states += 1;
        self.terminal += 1;
    }

    /// The statistics of the states of both plies together.
    pub(super) fn and(self, other: Ply) -> Ply {
        let fewest = match (self.states > self.terminal, other.states > other.terminal) {
            (true, true) => self.fewest.min(other.fewest),
            (true, false) => self.fewest,
            _ => other.fewest,
        };
        Ply {
            states: self.states + other.states,
            terminal: self.terminal + other.terminal,
            moves: self.moves + other.moves,
            fewest,
            most: self.most.max(other.most),
        }
    }
}
