//! What a game is: the rules, and nothing else.
//!
//! A [`Game`] knows its states and how play goes from one to the next. It has no storage, no
//! printing and no numbering in it; those are [`Indexed`](crate::Indexed),
//! [`Notation`](crate::Notation) and [`Stored`](crate::Stored), each optional and small.

use std::fmt::Debug;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One of the two players. What they are called is the game's [`Notation`](crate::Notation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Player {
    /// The player named first: white, the mouse, crosses.
    First,
    /// The player named second: black, the cat, noughts.
    Second,
}

impl Player {
    /// Both players, in order; `BOTH[player.index()] == player`.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How play ends, told absolutely: "the second player wins", never "the mover wins".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// This player wins and the other loses.
    Win(Player),
    /// Nobody wins.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }
}

/// The rules of a finite two-player game of perfect information.
///
/// Four methods are required: whose [`turn`](Game::turn) it is, whether play is over
/// ([`terminal`](Game::terminal)), the legal [`moves`](Game::moves), and where play starts
/// ([`roots`](Game::roots)). Everything else has the usual meaning by default and is one line to
/// change: what a player without a move gets, what endless play is worth, a limit on the number of
/// plies, symmetries, a faster way backwards.
///
/// Successors are handed to a visitor instead of being returned, so that the compiler can turn the
/// analysis over any game into the loop that one would write for that game alone. Write plain
/// loops that call `visit`, or an iterator that ends in `.for_each(visit)`.
///
/// The laws that the methods have to keep are checked by [`laws::check`](crate::laws::check).
pub trait Game: Sync {
    /// A position together with the side to move: all that the rest of play depends on.
    type State: Clone + Eq + Debug + Send + Sync;

    /// Set this to true where [`predecessors`](Game::predecessors) is written. Where it is false
    /// the engine finds the reverse edges itself from the moves and keeps them in memory while it
    /// solves, at 4 bytes an edge and 4 bytes a state, or does without where there is no room.
    const PREDECESSORS: bool = false;

    /// A promise that pays in speed: neither the moves nor the predecessors of one state ever
    /// contain two states that share a number (the same state twice, or two that a symmetry folds
    /// into one). Without it the engine removes the repetitions itself. With it, and with
    /// [`predecessors`](Game::predecessors), moves are counted without looking where they lead, so
    /// that solving does not notice one that leads nowhere. Where the game tells the
    /// [`degree`](Game::degree) of a state, or [`internal_degree`](Tiered::internal_degree), its moves are not
    /// counted, and may repeat a number all the same.
    /// [`laws::check`](crate::laws::check) holds a game to its promise.
    const DISTINCT: bool = false;

    /// Who is to move in `state`. Turns need not alternate: a double move or a pass is a state
    /// whose successor has the same or another player to move.
    fn turn(&self, state: &Self::State) -> Player;

    /// The outcome, if play is over in `state`.
    fn terminal(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether play stops in a terminal state one ply before the end that
    /// [`terminal`](Game::terminal) tells, because everybody sees that coming: some games are taken
    /// to be over as soon as a king can be captured. The distance of such a state is 1 instead of
    /// 0. Asked of terminal states alone; by default there are none.
    fn stops_early(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Visits the state after each legal move. Never called for a terminal state. The same state
    /// may be visited more than once (unless [`DISTINCT`](Game::DISTINCT) promises otherwise); it
    /// counts once.
    fn moves(&self, state: &Self::State, visit: impl FnMut(Self::State));

    /// How many distinct numbers the moves from a state lead to, if the game knows that without
    /// listing them. Never called for a terminal state. With [`PREDECESSORS`](Game::PREDECESSORS)
    /// the moves are then never listed while solving.
    fn degree(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// A promise that no win and no draw takes longer than so many plies, if the game can make one.
    /// The engine keeps short distances in one byte whether they were promised or not; with the
    /// promise it can be sure beforehand that this is enough, where memory is limited. A promise
    /// that is broken costs memory, and no correctness.
    fn longest(&self) -> Option<u32> {
        None
    }

    /// The states where play can start. The first is the start position that people are shown. An
    /// exploration begins with all of them; the dense numbering needs none.
    fn roots(&self) -> Vec<Self::State>;

    /// Visits every state that has a move to `state`. Terminal states among them are ignored, so
    /// there is no need to leave them out; so are states that an exploration never reached, and
    /// those whose index is a hole.
    fn predecessors(&self, state: &Self::State, visit: impl FnMut(Self::State)) {
        let _ = (state, visit);
    }

    /// The outcome for a state that is not terminal and has no legal move: stalemate. `None`, the
    /// default, says that there is no such state, and solving a game that has one is an error.
    fn no_moves(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// What play is worth that never reaches a terminal state. A draw unless the game says
    /// otherwise.
    fn endless(&self) -> Outcome {
        Outcome::Draw
    }

    /// The greatest number of plies that play may take, counted from the position that is asked
    /// about. What is not over by then is worth what [`endless`](Game::endless) play is worth.
    /// Tables hold the distances without the limit; answers apply it. In a game where endless play
    /// is a win and there are drawn ends too, a limit that could cut anything off is an error.
    fn ply_limit(&self) -> Option<u32> {
        None
    }

    /// The representative of a state under the game's symmetries, used by exploration. The
    /// exchange of colours is a symmetry like any other: values are kept relative to the player to
    /// move.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// A dense numbering of a game's states: a closed formula from states to 0..`len` and back.
///
/// With it nothing is hashed, and nothing is stored per state but its value. `index` may fold
/// symmetries: several states may share an index, and `unindex` gives the canonical one of them.
pub trait Indexed: Game {
    /// How many indices there are, holes included.
    fn len(&self) -> u64;

    /// Whether there is no index at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a state of the game: below [`len`](Indexed::len).
    fn index(&self, state: &Self::State) -> u64;

    /// The canonical state of an index below [`len`](Indexed::len), or `None` for a hole, an index
    /// that stands for no state.
    fn unindex(&self, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of indices in ascending order, each with its index, and leaves
    /// out holes. What passes over all states goes by this; a game may override it where the next
    /// state is found faster than by [`unindex`](Indexed::unindex).
    #[inline]
    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Self::State)) {
        for index in indices {
            if let Some(state) = self.unindex(index) {
                visit(index, state);
            }
        }
    }
}

/// One tier of a [`Tiered`] game: a set of states that play leaves only towards tiers before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// What people call it, and what the file of its table is called: letters, digits, `-`, `_`, `+`
    /// and `.`, the first a letter or digit.
    pub name: String,
    /// The places in the solving order of the other tiers that moves lead to from here, each before
    /// this one.
    pub leads_to: Vec<usize>,
}

/// A game whose states are cut into tiers, which are solved one after the other, so that only one
/// of them and those that its moves lead to have to be in memory.
///
/// The states of a tier are numbered by a formula ([`TierIndexed`]), or discovered
/// ([`Solver::tiered_packed`](crate::Solver::tiered_packed)).
///
/// [`predecessors`](Game::predecessors) may leave out those that are in other tiers; such a game can't
/// be solved whole, without its tiers.
///
/// A tier is named by its place in [`tiers`](Tiered::tiers). Typical ones: the material on a
/// chessboard, the number of stones.
pub trait Tiered: Game {
    /// The tiers in solving order: moves lead from a tier to itself and to ones before it.
    fn tiers(&self) -> Vec<Tier>;

    /// The tier of a state.
    fn tier(&self, state: &Self::State) -> usize;

    /// Visits the state after each legal move that leaves the tier of `state`, which is `tier`. A
    /// game may override it where those moves are found faster than by listing all: captures, say.
    /// Never called for a terminal state.
    #[inline]
    fn exits(&self, tier: usize, state: &Self::State, mut visit: impl FnMut(Self::State)) {
        self.moves(state, |next| {
            if self.tier(&next) != tier {
                visit(next);
            }
        });
    }

    /// How many distinct states of its own tier the moves from a state lead to, if the game knows
    /// that without listing them: what [`Game::degree`] is to a game of one tier. Never called for a
    /// terminal state.
    #[inline]
    fn internal_degree(&self, tier: usize, state: &Self::State) -> Option<u64> {
        let _ = (tier, state);
        None
    }
}

/// A game in tiers, each of which has a dense numbering of its own: what [`Indexed`] is to a game of
/// one tier.
pub trait TierIndexed: Tiered {
    /// How many indices a tier has, holes included.
    fn tier_len(&self, tier: usize) -> u64;

    /// The index of a state in its tier, which is `tier`: below [`tier_len`](TierIndexed::tier_len).
    /// Symmetries may be folded as in [`Indexed::index`].
    fn tier_index(&self, tier: usize, state: &Self::State) -> u64;

    /// The canonical state of an index of a tier, or `None` for a hole.
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of a tier's indices in ascending order, each with its index, and
    /// leaves out holes. A game may override it where the next state is found faster than by
    /// [`tier_unindex`](TierIndexed::tier_unindex).
    #[inline]
    fn tier_states(
        &self,
        tier: usize,
        indices: Range<u64>,
        mut visit: impl FnMut(u64, Self::State),
    ) {
        for index in indices {
            if let Some(state) = self.tier_unindex(tier, index) {
                visit(index, state);
            }
        }
    }

    /// How many indices of a tier make a run, a power of two: its indices are cut into runs of so many
    /// from 0 on. Where the successors of a state lie together in few runs, a game says so here, and its
    /// [`successors`](TierIndexed::successors) can ask of each whether it matters. Runs of fewer than
    /// 1,024 indices are too short to be of use.
    #[inline]
    fn run_len(&self, tier: usize) -> u64 {
        let _ = tier;
        1
    }

    /// Tells the visitor what each legal move leads to from a state of a tier, which is `tier`. A game
    /// may override it where indices are found faster than the states that have them, or where many lie
    /// together, so that the visitor can be asked first whether they matter. The proof of a table
    /// ([`TierFolder`](crate::TierFolder)'s) goes by it instead of [`moves`](Game::moves), and
    /// [`laws::check_tiers`](crate::laws::check_tiers) compares the two. Never called for a terminal
    /// state.
    #[inline]
    fn successors(
        &self,
        tier: usize,
        state: &Self::State,
        visitor: &mut impl VisitSuccessors<Self::State>,
    ) {
        self.moves(state, |next| match self.tier(&next) == tier {
            true => visitor.stay(self.tier_index(tier, &next), self.turn(&next)),
            false => visitor.leave(next),
        });
    }
}

/// Who is told what the moves of a state lead to: see [`TierIndexed::successors`].
pub trait VisitSuccessors<State> {
    /// Whether the successors of the state still matter that lie in the same [run](TierIndexed::run_len) as
    /// this index, all of which have this player to move. If not, none of them has to be told, whatever was
    /// asked before. To ask is never necessary.
    #[inline]
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        let _ = (index, turn);
        true
    }

    /// The same for its successors in other tiers.
    #[inline]
    fn others_matter(&mut self) -> bool {
        true
    }

    /// A move leads to the state of this index of the same tier, in which this player is to move.
    fn stay(&mut self, index: u64, turn: Player);

    /// A move leads to this state, which has no index in the tier.
    fn leave(&mut self, state: State);
}

/// A game whose states pack into a few bytes, so that exploring it takes less memory and time: see
/// [`Solver::packed`](crate::Solver::packed).
pub trait Packed: Game {
    /// How many bits a packed state has at most, from 1 to 128. Up to 64 they are kept in 8 bytes a
    /// state, beyond that in 16.
    fn bits(&self) -> u32;

    /// The state as a number of so many bits. Different states have different numbers.
    ///
    /// Neighbours in play should be neighbours in this order where that can be had: what changes
    /// rarely belongs into the high bits.
    fn pack(&self, state: &Self::State) -> u128;

    /// The state that [`pack`](Packed::pack) made this number of.
    fn unpack(&self, packed: u128) -> Self::State;
}
