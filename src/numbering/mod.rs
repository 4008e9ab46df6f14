//! How states become numbers, which is all that the analysis and the file know of them.
//!
//! Two numberings feed the one analysis: [`Dense`], the game's own closed formula, and
//! [`Explored`], the states that a search from the game's roots discovers.

mod dense;
mod explored;
mod in_tier;
mod joined;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use dense::Dense;
pub(crate) use explored::Plain;
pub use explored::{Explored, Keeping, Sorted, Whole, Word};
pub use in_tier::{ByIndex, TierNumbers};
pub(crate) use in_tier::{InTier, KnownTier, TierValues};
pub(crate) use joined::{AllTiers, Starts};

use crate::game::{Game, Player, VisitSuccessors};
use crate::value::Value;

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
    /// One tier of a game, in the numbering of its own: which of [`Tiered::tiers`](
    /// crate::Tiered::tiers) it is.
    Tier(u32),
    /// One tier of a game, its states discovered and sorted, each packed into 8 bytes.
    TierPacked8(u32),
    /// The same, each packed into 16 bytes.
    TierPacked16(u32),
}

impl NumberingKind {
    /// "dense", "explored" (however the explored states are kept), "tiers" or "explored-tiers".
    #[must_use]
    pub fn family(self) -> &'static str {
        match (self.tier(), self.has_states()) {
            (None, false) => "dense",
            (None, true) => "explored",
            (Some(_), false) => "tiers",
            (Some(_), true) => "explored-tiers",
        }
    }

    /// Which tier of its game it is of, if it is of one.
    #[must_use]
    pub fn tier(self) -> Option<u32> {
        match self {
            NumberingKind::Dense
            | NumberingKind::Explored
            | NumberingKind::Packed8
            | NumberingKind::Packed16 => None,
            NumberingKind::Tier(tier)
            | NumberingKind::TierPacked8(tier)
            | NumberingKind::TierPacked16(tier) => Some(tier),
        }
    }

    /// Whether the states are listed, since no formula tells them.
    #[must_use]
    pub fn has_states(self) -> bool {
        !matches!(self, NumberingKind::Dense | NumberingKind::Tier(_))
    }
}

impl std::fmt::Display for NumberingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let states = match self {
            NumberingKind::Dense => "dense",
            NumberingKind::Tier(tier) => return write!(f, "tier {tier}'s own"),
            NumberingKind::Explored => "explored",
            NumberingKind::Packed8 | NumberingKind::TierPacked8(_) => "explored (8 bytes a state)",
            NumberingKind::Packed16 | NumberingKind::TierPacked16(_) => {
                "explored (16 bytes a state)"
            }
        };
        match self.tier() {
            Some(tier) => write!(f, "tier {tier}'s, {states}"),
            None => f.write_str(states),
        }
    }
}

/// Numbers 0..`len` for the states of one game, or of one tier of it, and the way back. [`Dense`]
/// and [`Explored`] are the two that are for whole games.
pub trait Numbering {
    /// The game whose states are numbered.
    type Game: Game;

    /// What numbers and states are worked out from. Where a loop takes this as an argument, the
    /// compiler can see that nothing the loop writes changes it, and keeps its fields in registers.
    type Base;

    /// Which numbering this is.
    const KIND: NumberingKind;

    /// Whether moves may lead to states that have no number here, but a value that is known.
    const HAS_EXITS: bool = false;

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

    /// Which numbering this one is, among those of its kind.
    fn kind(&self) -> NumberingKind {
        Self::KIND
    }

    /// Whether two numbers are of the same tier.
    fn same_tier(&self, one: u64, other: u64) -> bool {
        let _ = (one, other);
        true
    }

    /// The value of a state that has no number here, where that is known from elsewhere.
    fn outside(&self, state: &<Self::Game as Game>::State) -> Option<Value> {
        let _ = state;
        None
    }

    /// Visits the state after each move that leads to one without a number here.
    fn exits(
        &self,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(<Self::Game as Game>::State),
    ) {
        let _ = (state, visit);
    }

    /// How many numbers make a run, as in [`TierIndexed::run_len`](crate::TierIndexed::run_len).
    fn run_len(&self) -> u64 {
        1
    }

    /// All values that [`outside`](Numbering::outside) may give, and maybe others, if that is known.
    fn outside_values(&self) -> Option<Vec<Value>> {
        None
    }

    /// Tells the visitor what each move leads to: the number of a state that has one here, and any
    /// other state.
    #[inline]
    fn successors(
        &self,
        state: &<Self::Game as Game>::State,
        visitor: &mut impl VisitSuccessors<<Self::Game as Game>::State>,
    ) {
        let game = self.game();
        game.moves(state, |next| match self.number(&next) {
            Some(number) => visitor.stay(number, game.turn(&next)),
            None => visitor.leave(next),
        });
    }

    /// To how many distinct numbers the moves from a state lead, if the game knows that without
    /// listing them. Never called for a terminal state.
    #[inline]
    fn degree(&self, state: &<Self::Game as Game>::State) -> Option<u64> {
        self.game().degree(state)
    }

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
