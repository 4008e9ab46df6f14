//! How the states of a game become indices. The analysis and the file know states by their indices
//! alone.
//!
//! A game's author and its users choose a [`scheme`]. Each scheme is an [`indexing`], a pair of two
//! choices: whether the game is cut into tiers, and whether a formula or discovery finds the states.
//! [`Part`] is the numbering of one tier, or of a whole game, in any of them.

#![expect(unreachable_pub, reason = "the sealed traits of `scheme` name these in their signatures")]

pub(crate) mod all_tiers;
pub(crate) mod discovered;
pub(crate) mod indexing;
mod kind;
mod part;
pub mod scheme;
mod witnesses;

use std::ops::Range;

pub(crate) use all_tiers::{AllTiers, TierStarts};
pub use kind::NumberingKind;
pub(crate) use kind::StateForm;
pub(crate) use part::{Part, SolvedTier, TierValues};
pub(crate) use witnesses::{Witness, Witnesses, witnesses};

use crate::game::{Game, Player, Repeats, Turns, VisitSuccessors, write_debug};
use crate::numbering::discovered::{FindKeys, Place};
use crate::value::Value;

/// Visits the successor after each move, by its index if the numbering has one for it.
#[inline(always)]
fn successors_by_moves<N: Numbering + ?Sized>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    visitor: &mut impl VisitSuccessors<<N::Game as Game>::State>,
) {
    let game = numbering.game();
    game.moves(state, |next| match numbering.index(&next) {
        Some(index) => visitor.stay(index, game.next_mover(&next)),
        None => visitor.leave(next),
    });
}

/// A question to another process: the value of a state of a solved tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Question {
    /// The process that has the value.
    pub(crate) owner: u32,
    pub(crate) tier: u32,
    /// The index of the state, or the key by which its owner finds it.
    pub(crate) word: u128,
}

/// Indices 0..`len` for the states of one game, or of one tier of it, and the way back.
pub trait Numbering {
    /// The game whose states are numbered.
    type Game: Game;

    /// What indices and states are computed from: see
    /// [`Indexing::Context`](indexing::Indexing::Context).
    type Context;

    /// Whether moves may lead to states without an index here, whose values are known.
    const HAS_EXITS: bool;

    /// Whether [`predecessors_of`](Numbering::predecessors_of) visits predecessors.
    const PREDECESSORS: bool;

    /// Whether no two moves to states with an index here have the same index, and no two
    /// predecessors.
    const DISTINCT: bool;

    /// Whether the game computes the indices of predecessors itself.
    const PREDECESSOR_INDICES: bool;

    /// Whether the states were discovered, so that their moves may be recorded.
    const IS_DISCOVERED: bool = false;

    /// What indices and states are computed from.
    fn context(&self) -> &Self::Context;

    /// The game whose states are numbered.
    fn game_of(context: &Self::Context) -> &Self::Game;

    /// How many indices there are, unused ones included.
    fn len(&self) -> u64;

    /// The index of a state, or `None` for one that has none. The index that the formula of a
    /// faulty game gives may be beyond [`len`](Numbering::len).
    fn index_of(context: &Self::Context, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// The state of an index below [`len`](Numbering::len), or `None` for an unused index.
    fn state_of(context: &Self::Context, index: u64) -> Option<<Self::Game as Game>::State>;

    /// Visits the states that have an index here, or none anywhere, and a move to this one.
    fn predecessors_of(
        context: &Self::Context,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(<Self::Game as Game>::State),
    );

    /// Visits the index of each predecessor that has one here, and who is to move there. The index of
    /// a faulty game may be beyond [`len`](Numbering::len).
    fn predecessor_indices_of(
        context: &Self::Context,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats;

    /// Whether other processes may have some of the states. Indices and states of these are then
    /// unknown here: see [`place_of`](Numbering::place_of).
    const CAN_BE_SHARED: bool = false;

    /// What finds the states that other processes send the keys of; `None` where no states are shared.
    fn find_keys(&self) -> Option<&dyn FindKeys> {
        None
    }

    /// Where a state is.
    #[inline]
    fn place_of(context: &Self::Context, state: &<Self::Game as Game>::State) -> Place {
        Self::index_of(context, state).map_or(Place::Nowhere, Place::Here)
    }

    /// The kind of this numbering, for a table's header.
    fn kind(&self) -> NumberingKind;

    /// Whether two indices are of the same tier.
    fn same_tier(&self, one: u64, other: u64) -> bool {
        let _ = (one, other);
        true
    }

    /// The value of a state that has no index here, if that is known.
    fn outside(&self, state: &<Self::Game as Game>::State) -> Option<Value> {
        let _ = state;
        None
    }

    /// The value of the state of an index of another tier, if that is known.
    fn outside_at(&self, tier: usize, index: u64) -> Option<Value> {
        let _ = (tier, index);
        None
    }

    /// Whether other processes have some of the values that [`outside`](Numbering::outside) would give.
    fn shares_exits(&self) -> bool {
        false
    }

    /// What to ask, and whom, for the value of a state of another tier; `None` if no other process has it.
    fn question(&self, state: &<Self::Game as Game>::State) -> Option<Question> {
        let _ = state;
        None
    }

    /// As [`question`](Numbering::question), for the state of a key of another tier.
    fn question_of_key(&self, tier: usize, key: u128) -> Option<Question> {
        let _ = (tier, key);
        None
    }

    /// The value of the state of a key of another tier, if that is known.
    fn outside_of_key(&self, tier: usize, key: u128) -> Option<Value> {
        let _ = (tier, key);
        None
    }

    /// The value that another process asks for, if it is here.
    fn answer(&self, tier: u32, word: u128) -> Option<Value> {
        let _ = (tier, word);
        None
    }

    /// Visits the state after each move that leads to one without an index here.
    fn exits(
        &self,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(<Self::Game as Game>::State),
    );

    /// The length of a run of indices: see [`TierIndexed::run_len`](crate::TierIndexed::run_len).
    fn run_len(&self) -> u64 {
        1
    }

    /// All values that [`outside`](Numbering::outside) may give, and maybe others; `None` if unknown.
    fn outside_values(&self) -> Option<Vec<Value>> {
        None
    }

    /// Visits the successor after each move, by its index if it has one here.
    #[inline]
    fn successors(
        &self,
        state: &<Self::Game as Game>::State,
        visitor: &mut impl VisitSuccessors<<Self::Game as Game>::State>,
    ) {
        successors_by_moves(self, state, visitor);
    }

    /// How many distinct indices the moves from a state lead to, if the game knows that without
    /// listing them. Never called for a terminal state.
    fn degree(&self, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// Writes a state in an error.
    fn write(&self, state: &<Self::Game as Game>::State) -> String {
        write_debug(self.game(), state)
    }

    /// Whether a state has no index here by right: it is of another tier, or of another process.
    fn is_elsewhere(&self, state: &<Self::Game as Game>::State) -> bool {
        let _ = state;
        false
    }

    /// The game whose states are numbered.
    #[inline]
    fn game(&self) -> &Self::Game {
        Self::game_of(self.context())
    }

    /// The index of a state: see [`index_of`](Numbering::index_of).
    #[inline]
    fn index(&self, state: &<Self::Game as Game>::State) -> Option<u64> {
        Self::index_of(self.context(), state)
    }

    /// The state of an index: see [`state_of`](Numbering::state_of).
    #[inline]
    fn state(&self, index: u64) -> Option<<Self::Game as Game>::State> {
        Self::state_of(self.context(), index)
    }

    /// Visits the states of a range of indices in ascending order, and leaves out unused indices.
    fn states_in(&self, indices: Range<u64>, visit: impl FnMut(u64, <Self::Game as Game>::State));

    /// How much memory the numbering takes, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// A state after it was stored and read back: equal to the state, unless the game packs wrongly.
    fn round_trip(&self, state: &<Self::Game as Game>::State) -> <Self::Game as Game>::State {
        state.clone()
    }

    /// Who is to move in the state of an index below [`len`](Numbering::len); for an unused index,
    /// the first player.
    #[inline]
    fn mover(&self, index: u64) -> Player {
        self.state(index).map_or(Player::First, |state| self.game().mover(&state))
    }
}
