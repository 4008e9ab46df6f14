//! What an exploration saw.

use serde::{Deserialize, Serialize};

/// What an exploration saw, ply by ply: what one wants to know first about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// For each ply, the states that play reaches then and no sooner.
    pub plies: Vec<Ply>,
}

/// The states that play reaches in one number of plies and no sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// How many there are.
    pub states: u64,
    /// How many of those are over.
    pub terminal: u64,
    /// How many moves the others have between them, as the game lists them: two that lead to the
    /// same state are two.
    pub moves: u64,
    /// The fewest moves that one of them has; 0 where all are over.
    pub fewest: u64,
    /// The most.
    pub most: u64,
}

impl Survey {
    /// All plies together.
    #[must_use]
    pub fn total(&self) -> Ply {
        self.plies.iter().fold(Ply::default(), |sum, ply| sum.and(*ply))
    }

    /// The number of plies after which play reaches the most new states, and how many those are.
    #[must_use]
    pub fn widest(&self) -> Option<(usize, u64)> {
        let widths = self.plies.iter().map(|ply| ply.states).enumerate();
        // The first of the widest.
        widths.rev().max_by_key(|&(_, states)| states)
    }
}

impl Ply {
    /// The moves that a state has on average which is not over.
    #[must_use]
    pub fn mean_moves(&self) -> f64 {
        let open = self.states - self.terminal;
        if open == 0 { 0.0 } else { self.moves as f64 / open as f64 }
    }

    /// Counts a state that is not over.
    #[inline]
    pub(super) fn add_open(&mut self, moves: u64) {
        self.fewest = if self.states == self.terminal { moves } else { self.fewest.min(moves) };
        self.most = self.most.max(moves);
        self.states += 1;
        self.moves += moves;
    }

    /// Counts a state that is over.
    #[inline]
    pub(super) fn add_terminal(&mut self) {
        self.states += 1;
        self.terminal += 1;
    }

    /// Both together.
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
