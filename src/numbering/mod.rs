//! How states become numbers, which is all that the analysis and the file know of them.
//!
//! Two numberings feed the one analysis: [`Dense`], the game's own closed formula, and
//! [`Explored`], the states that a search from the game's roots discovers.

mod dense;
mod explored;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use dense::Dense;
pub use explored::{Explored, Keeping, Whole};

use crate::game::{Game, Player};

/// Which numbering a table was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NumberingKind {
    /// The game's own formula: [`Indexed`](crate::Indexed).
    Dense,
    /// The states discovered from the roots, sorted, numbered in that order.
    Explored,
    /// The same, each packed into 8 bytes.
    Packed8,
    /// The same, each packed into 16 bytes.
    Packed16,
}

impl NumberingKind {
    /// "dense" or "explored", however the explored states are kept.
    #[must_use]
    pub fn family(self) -> &'static str {
        match self {
            NumberingKind::Dense => "dense",
            NumberingKind::Explored | NumberingKind::Packed8 | NumberingKind::Packed16 => {
                "explored"
            }
        }
    }
}

impl std::fmt::Display for NumberingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NumberingKind::Dense => "dense",
            NumberingKind::Explored => "explored",
            NumberingKind::Packed8 => "explored (8 bytes a state)",
            NumberingKind::Packed16 => "explored (16 bytes a state)",
        })
    }
}

/// Numbers 0..`len` for the states of one game, and the way back. [`Dense`] and [`Explored`] are
/// the two there are.
pub trait Numbering {
    /// The game whose states are numbered.
    type Game: Game;

    /// What numbers and states are worked out from. Where a loop takes this as an argument, the
    /// compiler can see that nothing the loop writes changes it, and keeps its fields in registers.
    type Base;

    /// Which numbering this is.
    const KIND: NumberingKind;

    /// What numbers and states are worked out from.
    fn base(&self) -> &Self::Base;

    /// The game whose states are numbered.
    fn game_of(base: &Self::Base) -> &Self::Game;

    /// How many numbers there are, holes included.
    fn len(&self) -> u64;

    /// Whether there is no number at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a state, or `None` for one that has none. A dense numbering answers for any
    /// state of the game, and what a faulty game answers may lie beyond [`len`](Numbering::len).
    fn number_of(base: &Self::Base, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// The state of a number below [`len`](Numbering::len), or `None` for a hole.
    fn state_of(base: &Self::Base, number: u64) -> Option<<Self::Game as Game>::State>;

    /// The game whose states are numbered.
    #[inline]
    fn game(&self) -> &Self::Game {
        Self::game_of(self.base())
    }

    /// The same as [`number_of`](Numbering::number_of).
    #[inline]
    fn number(&self, state: &<Self::Game as Game>::State) -> Option<u64> {
        Self::number_of(self.base(), state)
    }

    /// The same as [`state_of`](Numbering::state_of).
    #[inline]
    fn state(&self, number: u64) -> Option<<Self::Game as Game>::State> {
        Self::state_of(self.base(), number)
    }

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

    /// How much memory the numbering takes, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// What is left of a state when it is kept and taken out again: the same, unless the game packs
    /// it wrongly.
    fn kept(&self, state: &<Self::Game as Game>::State) -> <Self::Game as Game>::State {
        state.clone()
    }

    /// Who is to move in the state of a number below [`len`](Numbering::len); for a hole, the first
    /// player.
    #[inline]
    fn mover(&self, number: u64) -> Player {
        self.state(number).map_or(Player::First, |state| self.game().turn(&state))
    }
}
