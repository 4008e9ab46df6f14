//! How states become numbers, which is all that the analysis and the file know of them.
//!
//! Two numberings feed the one analysis: [`Dense`], the game's own closed formula, and
//! [`Explored`], the states that a search from the game's roots discovers.

mod dense;
mod explored;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use dense::Dense;
pub use explored::Explored;

use crate::game::{Game, Player};

/// Which of the two numberings a table was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NumberingKind {
    /// The game's own formula: [`Indexed`](crate::Indexed).
    Dense,
    /// The states discovered from the roots, sorted, numbered in that order.
    Explored,
}

impl std::fmt::Display for NumberingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NumberingKind::Dense => "dense",
            NumberingKind::Explored => "explored",
        })
    }
}

/// Numbers 0..`len` for the states of one game, and the way back. [`Dense`] and [`Explored`] are
/// the two there are.
pub trait Numbering {
    /// The game whose states are numbered.
    type Game: Game;

    /// Which numbering this is.
    const KIND: NumberingKind;

    /// The game whose states are numbered.
    fn game(&self) -> &Self::Game;

    /// How many numbers there are, holes included.
    fn len(&self) -> u64;

    /// Whether there is no number at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state, or `None` for one that has none. A dense numbering answers for any
    /// state of the game, and what a faulty game answers may lie beyond [`len`](Numbering::len).
    fn number(&self, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// The state of a number below [`len`](Numbering::len), or `None` for a hole.
    fn state(&self, number: u64) -> Option<<Self::Game as Game>::State>;

    /// Visits the states of a range of numbers in ascending order, without the holes.
    #[inline]
    fn states_in(
        &self,
        numbers: Range<u64>,
        mut visit: impl FnMut(u64, <Self::Game as Game>::State),
    ) {
        for number in numbers {
            if let Some(state) = self.state(number) {
                visit(number, state);
            }
        }
    }

    /// Who is to move in the state of a number below [`len`](Numbering::len); for a hole, the first
    /// player.
    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.state(number).map_or(Player::First, |state| self.game().turn(&state))
    }
}
