//! The numbering of the states of a game or of a tier, as the rest of the program sees it.

use std::ops::Range;

use crate::error::SolveError;
use crate::game::value::Value;
use crate::game::{Game, Player, Repeats, Rows, Turns, VisitSuccessors};
#[cfg(doc)]
use crate::numbering::discovered::NOWHERE;
use crate::numbering::discovered::{FindKeys, Location};
use crate::numbering::kind::NumberingKind;

/// Visits the successor after each move, by its index if the numbering has one for it.
#[inline(always)]
pub(super) fn successors_by_moves<N: Numbering + ?Sized>(
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

/// Assigns indices 0..`len` to the states of one game or of one of its tiers, and finds the states
/// again. This is a [`Part`], as one type parameter in place of three.
pub trait Numbering {
    /// The game whose states are numbered.
    type Game: Game;

    /// The data from which indices and states are computed: see
    /// [`Indexing::Context`](indexing::Indexing::Context).
    type Context;

    /// Whether moves may lead to states without an index in this numbering, whose values are known.
    const HAS_EXITS: bool;

    /// Whether [`predecessors_of`](Numbering::predecessors_of) visits predecessors.
    const PREDECESSORS: bool;

    /// Whether no two moves to states of this numbering lead to the same index, and no two
    /// predecessors have the same index.
    const DISTINCT: bool;

    /// Whether the game computes the indices of predecessors itself.
    const PREDECESSOR_INDICES: bool;

    /// Whether the states were discovered, so that their moves may be recorded.
    const IS_DISCOVERED: bool;

    /// The data from which indices and states are computed.
    fn context(&self) -> &Self::Context;

    /// The game whose states are numbered.
    fn game_of(context: &Self::Context) -> &Self::Game;

    /// The number of indices, unused ones included.
    fn len(&self) -> u64;

    /// The index of a state; `None` if it has none. A faulty game's formula may give an index
    /// beyond [`len`](Numbering::len).
    fn index_of(context: &Self::Context, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// The data by which [`find_all`](Numbering::find_all) finds a state: its key, or its index.
    type Key: Clone;

    /// The key of a state; `None` if it has no index.
    fn key_of(context: &Self::Context, state: &<Self::Game as Game>::State) -> Option<Self::Key>;

    /// Writes the indices of the states with these keys, as [`index_of`](Numbering::index_of) gives
    /// them; [`NOWHERE`] stands for none. Discovered states are found sooner than one by one.
    fn find_all(&self, keys: &[Self::Key], found: &mut [u64]);

    /// The state of an index below [`len`](Numbering::len); `None` for an unused index.
    fn state_of(context: &Self::Context, index: u64) -> Option<<Self::Game as Game>::State>;

    /// Visits the predecessors of a state, except those with an index in another numbering.
    fn predecessors_of(
        context: &Self::Context,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(<Self::Game as Game>::State),
    );

    /// Visits the index of each predecessor in this numbering, and the player to move there. A
    /// faulty game may give an index beyond [`len`](Numbering::len).
    fn predecessor_indices_of(
        context: &Self::Context,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats;

    /// Whether other processes may have some of the states. Their indices and states are then
    /// unknown in this process: see [`location_of`](Numbering::location_of).
    const CAN_BE_SHARED: bool;

    /// Finds states by keys that other processes send; `None` if no states are shared.
    fn find_keys(&self) -> Option<&dyn FindKeys>;

    /// The location of a state.
    fn location_of(context: &Self::Context, state: &<Self::Game as Game>::State) -> Location;

    /// The kind of this numbering, for a table's header.
    fn kind(&self) -> NumberingKind;

    /// The value of a state without an index in this numbering, if it is known.
    fn outside(&self, state: &<Self::Game as Game>::State) -> Option<Value>;

    /// The tier of a state without an index in this numbering, and its index there, if that tier's
    /// values are known.
    fn place_outside(&self, state: &<Self::Game as Game>::State) -> Option<(usize, u64)>;

    /// Lets the processor fetch the value of an index of another tier.
    fn prefetch_outside(&self, tier: usize, index: u64);

    /// The value of an index of another tier, if it is known.
    fn outside_at(&self, tier: usize, index: u64) -> Option<Value>;

    /// Whether other processes have some of the values that [`outside`](Numbering::outside) needs.
    fn shares_exits(&self) -> bool;

    /// The question to another process for the value of a state of another tier; `None` if no other
    /// process has the value.
    fn question(&self, state: &<Self::Game as Game>::State) -> Option<Question>;

    /// As [`question`](Numbering::question), for a key of another tier.
    fn question_of_key(&self, tier: usize, key: u128) -> Option<Question>;

    /// The value of the state with this key in another tier, if it is known.
    fn outside_of_key(&self, tier: usize, key: u128) -> Option<Value>;

    /// The answer to the question of another process; `None` if this process does not have the
    /// value.
    fn answer(&self, tier: u32, word: u128) -> Option<Value>;

    /// Visits the state after each move to a state without an index in this numbering.
    fn exits(
        &self,
        state: &<Self::Game as Game>::State,
        visit: impl FnMut(<Self::Game as Game>::State),
    );

    /// The error for a move from `state` to a state outside whose value is not known.
    fn unknown_exit(
        &self,
        state: &<Self::Game as Game>::State,
        next: &<Self::Game as Game>::State,
    ) -> SolveError;

    /// The moves by rows, if the game tells of them: see
    /// [`TierIndexed::tier_rows`](crate::TierIndexed::tier_rows).
    fn rows(&self) -> Option<impl Rows>;

    /// The length of a run of indices: see
    /// [`TierIndexed::run_len`](crate::TierIndexed::run_len).
    fn run_len(&self) -> u64;

    /// All values that [`outside`](Numbering::outside) may return, and maybe others; `None` if
    /// unknown.
    fn outside_values(&self) -> Option<Vec<Value>>;

    /// Visits the successor after each move, by its index if it has one in this numbering.
    fn successors(
        &self,
        state: &<Self::Game as Game>::State,
        visitor: &mut impl VisitSuccessors<<Self::Game as Game>::State>,
    );

    /// The number of distinct indices that the moves from a state lead to, if the game knows it
    /// without listing them. Never called for a terminal state.
    fn degree(&self, state: &<Self::Game as Game>::State) -> Option<u64>;

    /// Writes a state in an error.
    fn write(&self, state: &<Self::Game as Game>::State) -> String;

    /// The tier of a state, and its location there as far as this numbering knows it.
    fn location_in_tiers(&self, state: &<Self::Game as Game>::State) -> (usize, Location);

    /// A state after packing and unpacking: equal to the state, unless the game packs wrongly.
    fn round_trip(&self, state: &<Self::Game as Game>::State) -> <Self::Game as Game>::State;

    /// Whether a state is of another tier.
    fn is_of_other_tier(&self, state: &<Self::Game as Game>::State) -> bool;

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

    /// Whether discovered states are coded in memory, so that finding one takes longer.
    fn is_coded(&self) -> bool;

    /// The memory that the numbering takes, in bytes.
    fn bytes(&self) -> u64;

    /// The player to move in the state of an index below [`len`](Numbering::len). For an unused
    /// index, the first player.
    #[inline]
    fn mover(&self, index: u64) -> Player {
        self.state(index).map_or(Player::First, |state| self.game().mover(&state))
    }
}
