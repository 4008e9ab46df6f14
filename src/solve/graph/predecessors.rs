//! A game as the backward levels see it: indices, and the moves between them.

use crate::explore::Movers;
use crate::game::{Game, Player, Players, Repeats, Turns};
use crate::numbering::Numbering;
use crate::numbering::discovered::FindKeys;
use crate::solve::graph::links::{Link, Neighbours};
use crate::solve::graph::reverse_edges::ReverseEdges;

/// A game with a numbering, as the backward levels see it.
pub(crate) trait Predecessors: Sync {
    /// Whether [`predecessors`](Predecessors::predecessors) never repeats a link.
    const DISTINCT: bool;

    /// Whether [`predecessors`](Predecessors::predecessors) repeats links only for few states, and
    /// reports for which.
    const SELDOM_REPEATS: bool;

    /// Whether other processes may own some predecessors, which only they can find: see
    /// [`find_keys`](Predecessors::find_keys).
    const CAN_BE_SHARED: bool = false;

    /// Whether a search structure has the indices of predecessors, which finds many together sooner
    /// than one by one: see [`keys`](Predecessors::keys).
    const LOOKED_UP: bool = false;

    /// The source from which predecessors are computed. Hot loops take it as an argument, so that
    /// the compiler sees that nothing they write changes it. This saves up to a tenth of the time.
    type Context;

    /// The source from which predecessors are computed.
    fn context(&self) -> &Self::Context;

    /// The number of indices, unused ones included.
    fn len(&self) -> u64;

    /// The player to move in the state of `index`.
    fn mover(&self, index: u64) -> Player;

    /// Visits every state that has a move to the state of `index`. Returns the player to move in
    /// the state of `index`, and whether a link may have been visited twice.
    fn predecessors(
        context: &Self::Context,
        index: u64,
        visit: impl FnMut(Link),
    ) -> (Player, Repeats);

    /// The data by which [`find_all`](Predecessors::find_all) finds a predecessor.
    type Key;

    /// Visits the key of every state that has a move to the state of `index`, and whether the same
    /// player is to move in both. Some of these states may have no index. Returns the player to move
    /// in the state of `index`.
    fn keys(_: &Self::Context, _: u64, _: impl FnMut(Self::Key, bool)) -> Player {
        unreachable!("only predecessors that are looked up have keys")
    }

    /// Writes the index of each key, or [`NOWHERE`](crate::numbering::discovered::NOWHERE).
    fn find_all(&self, _: &[Self::Key], _: &mut [u64]) {
        unreachable!("only predecessors that are looked up have keys")
    }

    /// Finds states by the keys that other processes send; `None` if each process finds all
    /// predecessors.
    fn find_keys(&self) -> Option<&dyn FindKeys> {
        None
    }

    /// Puts the distinct predecessors of the state of `index` into `found`, in whichever process
    /// they are. Returns the player to move in the state.
    fn neighbours(context: &Self::Context, index: u64, found: &mut Neighbours) -> Player {
        found.clear();
        let (mover, repeats) = Self::predecessors(context, index, |link| found.links.push(link));
        if !Self::DISTINCT && repeats == Repeats::Maybe {
            found.keep_distinct();
        }
        mover
    }
}

/// A game that computes predecessors itself.
pub(crate) struct NativePredecessors<'n, N>(pub(crate) &'n N);

/// The reverse edges that the engine has collected. They know no game, so that the levels that use
/// them are compiled once.
pub(crate) struct Reversed<'m> {
    /// The number of indices, including those of other processes.
    pub(crate) len: u64,
    /// The edges that lead to indices from `first` on.
    pub(crate) edges: ReverseEdges<'m>,
    pub(crate) first: u64,
    /// The player to move in each state.
    pub(crate) movers: Movers,
}

impl<N: Numbering + Sync> Predecessors for NativePredecessors<'_, N> {
    const CAN_BE_SHARED: bool = N::CAN_BE_SHARED;
    const DISTINCT: bool = N::DISTINCT;
    const LOOKED_UP: bool = N::IS_DISCOVERED && !N::PREDECESSOR_INDICES;
    const SELDOM_REPEATS: bool = N::PREDECESSOR_INDICES;
    type Context = N::Context;
    type Key = N::Key;

    #[inline]
    fn context(&self) -> &N::Context {
        self.0.context()
    }

    #[inline]
    fn len(&self) -> u64 {
        self.0.len()
    }

    #[inline]
    fn mover(&self, index: u64) -> Player {
        self.0.mover(index)
    }

    #[inline(always)]
    fn predecessors(
        context: &N::Context,
        index: u64,
        mut visit: impl FnMut(Link),
    ) -> (Player, Repeats) {
        let Some(state) = N::state_of(context, index) else {
            return (Player::First, Repeats::Never);
        };
        let game = N::game_of(context);
        let mover = game.mover(&state);
        if N::PREDECESSOR_INDICES {
            let repeats = N::predecessor_indices_of(context, &state, |index, turn| {
                visit(Link {
                    index,
                    same_mover: N::Game::PLAYERS != Players::Unnamed && turn == mover,
                });
            });
            return (mover, repeats);
        }
        N::predecessors_of(context, &state, |before| {
            if let Some(index) = N::index_of(context, &before) {
                visit(Link { index, same_mover: game.is_mover_of(mover, &before) });
            }
        });
        (mover, Repeats::unless(N::DISTINCT))
    }

    #[inline]
    fn keys(context: &N::Context, index: u64, mut visit: impl FnMut(N::Key, bool)) -> Player {
        let Some(state) = N::state_of(context, index) else { return Player::First };
        let game = N::game_of(context);
        let mover = game.mover(&state);
        N::predecessors_of(context, &state, |before| {
            if let Some(key) = N::key_of(context, &before) {
                visit(key, game.is_mover_of(mover, &before));
            }
        });
        mover
    }

    fn find_all(&self, keys: &[N::Key], found: &mut [u64]) {
        self.0.find_all(keys, found);
    }

    fn find_keys(&self) -> Option<&dyn FindKeys> {
        self.0.find_keys()
    }

    fn neighbours(context: &N::Context, index: u64, found: &mut Neighbours) -> Player {
        found.clear();
        let Some(state) = N::state_of(context, index) else { return Player::First };
        let game = N::game_of(context);
        let mover = game.mover(&state);
        N::predecessors_of(context, &state, |before| {
            // A predecessor that is nowhere cannot be reached from the roots.
            let _ = found.add(N::location_of(context, &before), game.is_mover_of(mover, &before));
        });
        if !N::DISTINCT {
            found.keep_distinct();
        }
        mover
    }
}

impl Predecessors for Reversed<'_> {
    const DISTINCT: bool = true;
    const SELDOM_REPEATS: bool = true;
    type Context = Self;
    type Key = ();

    #[inline]
    fn context(&self) -> &Self {
        self
    }

    #[inline]
    fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    fn mover(&self, index: u64) -> Player {
        self.movers.mover(index)
    }

    #[inline(always)]
    fn predecessors(context: &Self, index: u64, visit: impl FnMut(Link)) -> (Player, Repeats) {
        context.edges.predecessors(index - context.first, visit);
        (context.mover(index), Repeats::Never)
    }
}
