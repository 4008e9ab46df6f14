//! What a game is: the rules, and nothing else.
//!
//! A [`Game`] knows its states and how play goes from one to the next. It has no storage, no
//! printing and no numbering in it; those are [`Indexed`](crate::Indexed),
//! [`Notation`](crate::Notation) and [`Stored`](crate::Stored), each optional and small.

mod successors;
mod turns;

use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::packed_word::Word;
pub(crate) use turns::{Turns, WriteState, one_line, write_debug};

/// One of the two players. [`Notation::player`](crate::Notation::player) has their names.
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

/// "the first player" or "the second player".
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::First => "the first player",
            Player::Second => "the second player",
        })
    }
}

/// How play ends.
///
/// A game names the winner ([`Win`](Outcome::Win)), or says whether the player to move wins. Where
/// states do not say who is to move ([`Players::Unnamed`]), it can't name the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// This player wins and the other loses.
    Win(Player),
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    MoverWins,
    /// The player to move loses: the one who has just moved wins.
    MoverLoses,
}

impl Outcome {
    /// The winner, if the outcome names one.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw | Outcome::MoverWins | Outcome::MoverLoses => None,
        }
    }

    /// The outcome for the player to move: `Less` for a loss, `Equal` for a draw, `Greater` for a
    /// win. `mover` is that player, or `None` where states do not say who is to move.
    #[must_use]
    pub fn for_mover(self, mover: Option<Player>) -> Ordering {
        match self {
            Outcome::Draw => Ordering::Equal,
            Outcome::MoverWins => Ordering::Greater,
            Outcome::MoverLoses => Ordering::Less,
            Outcome::Win(winner) if Some(winner) == mover => Ordering::Greater,
            Outcome::Win(_) => Ordering::Less,
        }
    }
}

/// As people say it: "a win for the first player", "a draw", "a loss for the player to move".
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "a win for {player}"),
            Outcome::Draw => f.pad("a draw"),
            Outcome::MoverWins => f.pad("a win for the player to move"),
            Outcome::MoverLoses => f.pad("a loss for the player to move"),
        }
    }
}

/// Whether the states of a game say who is to move, and whether its tables distinguish the two
/// players: see [`Game::PLAYERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// A state says who is to move ([`Game::turn`]), and tables count the wins of each player.
    Distinct,
    /// A state says who is to move, but its index does not: a state and its mirror image with the
    /// players exchanged share an index. Tables then count wins and losses of the player to move,
    /// and not of each player.
    Folded,
    /// A state does not say who is to move, and turns alternate. Moves and the end of play are the
    /// same for both players, as in nim, or where states have "the mover's pieces and the
    /// opponent's". Such a game has no [`Game::turn`]. Its outcomes are [`Outcome::MoverWins`],
    /// [`Outcome::MoverLoses`] and draws, and its endless play is a draw.
    Unnamed,
    /// One player makes every move, as in a puzzle. Without it,
    /// [`laws::check`](crate::laws::check) reports a turn that never changes as a mistake.
    Solitary,
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
/// [`laws::check`](crate::laws::check) checks the laws that the methods have to obey.
pub trait Game: Sync {
    /// A position together with the side to move: all that the rest of play depends on.
    type State: Clone + Eq + Debug + Send + Sync;

    /// Whether [`predecessors`](Game::predecessors) is written. Where it is not, the engine
    /// collects reverse edges from the moves, which take 1 to 4 bytes of memory an edge and 4 bytes a
    /// state while it solves. Where memory is short, it collects them in several passes over the moves.
    /// Where there is no room for them at all, it goes through the moves at every level.
    const PREDECESSORS: bool = false;

    /// Whether states say who is to move, and whether tables distinguish the players.
    /// [`laws::check`](crate::laws::check) checks the answer.
    const PLAYERS: Players = Players::Distinct;

    /// Promises that neither the moves nor the predecessors of a state ever have two states that
    /// share an index: the same state twice, or two that are the same by symmetry.
    ///
    /// Without the promise the engine removes repetitions itself. With it, and with
    /// [`predecessors`](Game::predecessors), the engine counts moves without a look at where they
    /// lead; solving then does not notice a move to a state without an index. Where the game has a
    /// [`degree`](Game::degree) or an [`tier_degree`](Tiered::tier_degree), moves are not
    /// counted, and may repeat an index all the same. [`laws::check`](crate::laws::check) checks
    /// the promise.
    const DISTINCT: bool = false;

    /// Who is to move in `state`. Turns need not alternate: a double move or a pass is a state
    /// whose successor has the same or another player to move.
    ///
    /// Required, except in a game whose states do not say who is to move ([`Players::Unnamed`]). A
    /// game without either does not compile.
    #[inline]
    fn turn(&self, state: &Self::State) -> Player {
        const {
            assert!(
                matches!(Self::PLAYERS, Players::Unnamed),
                "write `Game::turn`, or declare that states do not say who is to move: \
                 `const PLAYERS: Players = Players::Unnamed`"
            );
        }
        let _ = state;
        Player::First
    }

    /// The outcome, if play is over in `state`.
    fn terminal(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether play stops in a terminal state one ply before the real end, which then is certain.
    /// Some games, for example, are over as soon as a king can be captured. The distance of such a
    /// state is 1 instead of 0. Called for terminal states alone; false by default.
    fn stops_early(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Visits the state after each legal move. Never called for a terminal state. The same state
    /// may be visited more than once (unless [`DISTINCT`](Game::DISTINCT) promises otherwise); it
    /// counts once.
    fn moves(&self, state: &Self::State, visit: impl FnMut(Self::State));

    /// How many distinct indices the moves from a state lead to, if the game knows that without
    /// listing them. Never called for a terminal state. With [`PREDECESSORS`](Game::PREDECESSORS)
    /// the moves are then never listed while solving.
    fn degree(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// Promises that no win and no draw takes more plies than this; `None` by default. Where
    /// distances are short, the engine solves with one byte a state in any case. With the promise
    /// it knows so beforehand, and allows for one byte where memory is limited. A broken promise
    /// takes more memory than planned, and the values are right all the same.
    fn max_plies(&self) -> Option<u32> {
        None
    }

    /// The states where play can start. The first is the start position that people see. Discovery
    /// starts from all of them; the dense numbering needs none.
    ///
    /// A single root is an array of one: `[start]`. Many roots are an iterator that makes them one by
    /// one: the engine never has all of them in a list. Each search and each check iterates anew, and
    /// expects the same roots.
    fn roots(&self) -> impl IntoIterator<Item = Self::State>;

    /// Visits every state that has a move to `state`. States that are terminal, that were never
    /// discovered, or whose index is unused may be visited too: the engine ignores them.
    fn predecessors(&self, state: &Self::State, visit: impl FnMut(Self::State)) {
        let _ = (state, visit);
    }

    /// The outcome of a state that is not terminal and has no legal move: stalemate. `None`, the
    /// default, promises that there is no such state; solving a game with one is then an error.
    fn no_moves(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// What endless play is worth, which never reaches a terminal state: a draw (the default) or a
    /// win of a named player. Always a draw where states do not say who is to move
    /// ([`Players::Unnamed`]).
    fn endless(&self) -> Outcome {
        Outcome::Draw
    }

    /// The greatest number of plies that play may take, counted from the position that is probed;
    /// `None`, the default, for no limit. Play that is not over by then is worth what
    /// [`endless`](Game::endless) play is worth. Tables have the distances without the limit, and
    /// verdicts apply it. Where endless play is a win and play can end in a draw too, a limit that
    /// could cut anything off is an error.
    fn ply_limit(&self) -> Option<u32> {
        None
    }

    /// The representative of a state under the game's symmetries, by which discovered states are
    /// stored. The exchange of colours can be one of the symmetries, since values are for the
    /// player to move.
    fn canonical(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// Whether the indices that a game visits for one state may repeat: see
/// [`Indexed::predecessor_indices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// No two of them are the same.
    Never,
    /// Some may be the same. The engine looks for repetitions and counts each index once.
    Maybe,
}

impl Repeats {
    /// `Never` for a game that promises distinct neighbours.
    pub(crate) const fn unless(distinct: bool) -> Repeats {
        if distinct { Repeats::Never } else { Repeats::Maybe }
    }
}

/// A dense numbering of a game's states: a formula from states to 0..`len` and back.
///
/// With it no state is hashed, and only the value of a state is stored. `index` may fold
/// symmetries: several states may share an index, and `unindex` gives the canonical one of them.
pub trait Indexed: Game {
    /// How many indices there are, unused ones included.
    fn len(&self) -> u64;

    /// Whether there are no indices.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a state of the game: below [`len`](Indexed::len).
    fn index(&self, state: &Self::State) -> u64;

    /// The canonical state of an index below [`len`](Indexed::len), or `None` for an unused index,
    /// which has no state.
    fn unindex(&self, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of indices in ascending order, each with its index, and leaves
    /// out unused indices. Passes over all states call it. A game may override it where the next
    /// state is found faster than by [`unindex`](Indexed::unindex).
    #[inline]
    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Self::State)) {
        for index in indices {
            if let Some(state) = self.unindex(index) {
                visit(index, state);
            }
        }
    }

    /// Whether [`predecessor_indices`](Indexed::predecessor_indices) is written. Few games need it.
    const PREDECESSOR_INDICES: bool = false;

    /// Visits the index of every state that has a move to `state`, and who is to move there: what
    /// [`predecessors`](Game::predecessors) visits, by index. The turn is ignored where states do not
    /// say who is to move ([`Players::Unnamed`]).
    ///
    /// A game overrides it, and sets [`PREDECESSOR_INDICES`](Indexed::PREDECESSOR_INDICES), where
    /// making each state and then finding its index costs much: where symmetries are folded, the
    /// pieces that do not move are folded once for all predecessors
    /// ([`Folded::fold_lead`](crate::index::Folded::fold_lead)). It returns whether indices that it visited
    /// may repeat, which [`laws::check`](crate::laws::check) checks.
    #[inline]
    fn predecessor_indices(
        &self,
        state: &Self::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        self.predecessors(state, |before| visit(self.index(&before), self.next_mover(&before)));
        Repeats::unless(Self::DISTINCT)
    }
}

/// One tier of a [`Tiered`] game: a set of states that moves leave only towards earlier tiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// The name of the tier, and of its table's file: letters, digits, `-`, `_`, `+` and `.`, the
    /// first a letter or digit.
    pub name: String,
    /// The other tiers that moves lead to, by their places in the solving order, each before this
    /// one.
    pub leads_to: Vec<usize>,
}

/// A game whose states are cut into tiers, which are solved one after the other. Only one tier and
/// those that its moves lead to have to be in memory.
///
/// The states of a tier are indexed by a formula ([`TierIndexed`]), or discovered and packed
/// ([`PackedState`]): [`scheme::Tiers`](crate::scheme::Tiers) has both.
///
/// Methods name a tier by its place in [`tiers`](Tiered::tiers). Typical tiers are the material on a
/// chessboard, or the number of stones.
pub trait Tiered: Game {
    /// The tiers in solving order: moves from a tier stay in it, or lead to earlier ones.
    fn tiers(&self) -> Vec<Tier>;

    /// The tier of a state.
    fn tier(&self, state: &Self::State) -> usize;

    /// Whether [`tier_predecessors`](Tiered::tier_predecessors) visits predecessors. By default
    /// it does where the game has [`Game::PREDECESSORS`]. A game that only computes predecessors
    /// inside a tier sets this to true, and leaves `Game::PREDECESSORS` false. Solved without its
    /// tiers, it is then solved like a game without predecessors.
    const TIER_PREDECESSORS: bool = Self::PREDECESSORS;

    /// Promises what [`DISTINCT`](Game::DISTINCT) does, for the moves and the predecessors that stay
    /// in a tier alone. By default, as `DISTINCT` says.
    const TIER_DISTINCT: bool = Self::DISTINCT;

    /// Visits every state of the tier `tier` that has a move to `state`, which is in that tier too.
    /// As in [`Game::predecessors`], terminal and undiscovered states and those of unused indices
    /// may be visited. By default it visits those of all predecessors that are in the tier.
    #[inline]
    fn tier_predecessors(
        &self,
        tier: usize,
        state: &Self::State,
        mut visit: impl FnMut(Self::State),
    ) {
        self.predecessors(state, |before| {
            if self.tier(&before) == tier {
                visit(before);
            }
        });
    }

    /// Visits the state after each exit of `state`, which is a legal move that leaves its tier,
    /// `tier`. A game may override it where exits, such as captures, are found faster than by
    /// listing all moves. Never called for a terminal state.
    #[inline]
    fn exits(&self, tier: usize, state: &Self::State, mut visit: impl FnMut(Self::State)) {
        self.moves(state, |next| {
            if self.tier(&next) != tier {
                visit(next);
            }
        });
    }

    /// How many distinct indices of the tier `tier` the moves from a state of that tier lead to, if
    /// the game knows that without listing them. It is to a tier what [`Game::degree`] is to a
    /// whole game. Never called for a terminal state.
    #[inline]
    fn tier_degree(&self, tier: usize, state: &Self::State) -> Option<u64> {
        let _ = (tier, state);
        None
    }
}

/// A dense numbering of the states of each tier of a game: a formula to 0..`tier_len` and back. It
/// is to a tier what [`Indexed`] is to a whole game.
pub trait TierIndexed: Tiered {
    /// How many indices a tier has, unused ones included.
    fn tier_len(&self, tier: usize) -> u64;

    /// The index of a state in its tier `tier`: below [`tier_len`](TierIndexed::tier_len). As in
    /// [`Indexed::index`], states that are the same by symmetry may share an index.
    fn tier_index(&self, tier: usize, state: &Self::State) -> u64;

    /// The canonical state of an index of a tier, or `None` for an unused index.
    fn tier_unindex(&self, tier: usize, index: u64) -> Option<Self::State>;

    /// Visits the states of a range of a tier's indices in ascending order, each with its index, and
    /// leaves out unused indices. A game may override it where the next state is found faster than by
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

    /// Whether [`tier_predecessor_indices`](TierIndexed::tier_predecessor_indices) is written.
    const TIER_PREDECESSOR_INDICES: bool = false;

    /// Visits the index in the tier `tier` of every state of that tier that has a move to `state`,
    /// which is in it too, and who is to move there. It is to
    /// [`tier_predecessors`](Tiered::tier_predecessors) what [`Indexed::predecessor_indices`] is
    /// to [`Game::predecessors`].
    #[inline]
    fn tier_predecessor_indices(
        &self,
        tier: usize,
        state: &Self::State,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        self.tier_predecessors(tier, state, |before| {
            visit(self.tier_index(tier, &before), self.next_mover(&before));
        });
        Repeats::unless(Self::TIER_DISTINCT)
    }

    /// Whether [`successor_indices`](TierIndexed::successor_indices) is written. Few games need it:
    /// chess and the morris family do, since verifying them spends most of its time on moves.
    const SUCCESSOR_INDICES: bool = false;

    /// Visits what each legal move from a state of the tier `tier` leads to: successors in that tier by
    /// their indices. A game overrides it where it computes indices without making the states. Never
    /// called for a terminal state.
    ///
    /// With [`SUCCESSOR_INDICES`](TierIndexed::SUCCESSOR_INDICES), [`Table::verify`](crate::Table::verify)
    /// uses it instead of [`moves`](Game::moves), and [`laws::check`](crate::laws::check) compares the two.
    #[inline]
    fn successor_indices(
        &self,
        tier: usize,
        state: &Self::State,
        visitor: &mut impl VisitSuccessors<Self::State>,
    ) {
        self.moves(state, |next| match self.tier(&next) == tier {
            true => visitor.stay(self.tier_index(tier, &next), self.next_mover(&next)),
            false => visitor.leave(next),
        });
    }

    /// The length of a run of a tier's indices, a power of two: from 0 on, the indices are cut into
    /// runs of so many. Where the successors of a state are in few runs, a game overrides it, and
    /// `successor_indices` leaves out runs that do not matter ([`VisitSuccessors::run_matters`]). Runs
    /// of fewer than 1,024 indices are too short to be of use.
    #[inline]
    fn run_len(&self, tier: usize) -> u64 {
        let _ = tier;
        1
    }
}

/// A game whose states pack into 8 or 16 bytes. Discovered states then take that much memory, and
/// are found faster than by hashing: see [`scheme::Packed`](crate::scheme::Packed).
pub trait PackedState: Game {
    /// The type of a packed state: `u64`, or `u128` where some parameters of the game need more
    /// than 64 bits.
    type Word: Word;

    /// Whether all states of this game, with its parameters, fit into 64 bits, so that 8 bytes a
    /// state are enough. Called only where [`Word`](PackedState::Word) is `u128`. A state that does not
    /// fit after all is an error when it is discovered.
    fn fits_u64(&self) -> bool {
        false
    }

    /// The packed form of a state. Different states have different packed forms.
    ///
    /// States that are close in play should be close in the order of their packed forms, where that
    /// is possible: what changes rarely belongs in the high bits.
    fn pack(&self, state: &Self::State) -> Self::Word;

    /// The state with this packed form, which [`pack`](PackedState::pack) made.
    fn unpack(&self, packed: Self::Word) -> Self::State;

    /// Whether [`pack`](PackedState::pack) makes this word of some state that the rules can be asked about. Tables
    /// are not to be trusted, so that words from files are asked about first. By default the word is unpacked
    /// and packed again, which any word has to stand.
    fn is_packed(&self, word: Self::Word) -> bool {
        self.pack(&self.unpack(word)) == word
    }
}
