//! The statistics of the states that play can reach.

use serde::{Deserialize, Serialize};

use crate::runtime::progress::Progress;

/// How many states play can reach, and how many moves they have, ply by ply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// The states of each ply: those that play reaches after so many plies and no sooner.
    pub plies: Vec<Ply>,
}

/// The statistics of the states that play reaches after one number of plies and no sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// How many states there are.
    pub states: u64,
    /// How many of them are terminal.
    pub terminal: u64,
    /// How many moves the other states have in all, as the game lists them: two moves to the same
    /// state are two.
    pub moves: u64,
    /// The fewest moves that one of them has; 0 where all states are terminal.
    pub fewest: u64,
    /// The most moves that one of them has.
    pub most: u64,
}

impl Statistics {
    /// The statistics of all plies together.
    #[must_use]
    pub fn total(&self) -> Ply {
        self.plies.iter().fold(Ply::default(), |sum, ply| sum.and(*ply))
    }

    /// The ply with the most states, the first of several, and how many states it has.
    #[must_use]
    pub fn widest(&self) -> Option<(usize, u64)> {
        let widths = self.plies.iter().map(|ply| ply.states).enumerate();
        widths.rev().max_by_key(|&(_, states)| states)
    }
}

impl Ply {
    /// How many moves a state that is not terminal has on average.
    #[must_use]
    pub fn mean_moves(&self) -> f64 {
        let open = self.states - self.terminal;
        if open == 0 { 0.0 } else { self.moves as f64 / open as f64 }
    }

    /// The report that this ply is complete.
    pub(super) fn report(&self, ply: u32) -> Progress {
        let Ply { states, terminal, moves, fewest, most } = *self;
        Progress::Explored { ply, states, terminal, moves, fewest, most }
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

    /// The statistics of the states of both.
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
