//! The laws that a game has to obey.

use std::fmt;

use serde::Serialize;

/// A law that a game has to obey. JSON has its name as a word, as in `move-names`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Law {
    /// A state is a predecessor of exactly its successors.
    Predecessors,
    /// `index` and `unindex` are inverse, every index is below the length, and `states` finds the
    /// states that `unindex` finds. `Ord`, by which discovered states are numbered, agrees with `Eq`.
    Index,
    /// A state without moves has an outcome.
    NoMoves,
    /// States that share an index have the same outcome for the mover and the same successors. The
    /// check compares all states of the scope, their successors, and the states on 32 plies of
    /// random play from each; among more than 4,096 states, from one in 16.
    Symmetry,
    /// The text of a state reads back as that state. Checked only with
    /// [`Laws::notation`](crate::laws::Laws::notation).
    Notation,
    /// No two moves of a state have the same name. Names that the pictures before and after moves give
    /// say what moves change: not of pictures that are turned round, or whose colours are exchanged,
    /// without a mark that says so ([`Scene::set_places_of_mover`](crate::scene::Scene::set_places_of_mover),
    /// [`Scene::set_sides_of_mover`](crate::scene::Scene::set_sides_of_mover)). Checked only with
    /// [`Laws::notation`](crate::laws::Laws::notation). Among more than 4,096 states, about as many are
    /// checked.
    MoveNames,
    /// The picture of a state, set up by hand, is that state, or one that looks like it with the same
    /// player to move. No place that is not a reserve has more pieces than a person can put there.
    /// Checked only with [`Laws::notation`](crate::laws::Laws::notation), of a game with a
    /// [kit](crate::Notation::kit). Among more than 4,096 states, one in 16 is checked.
    SetUp,
    /// With [`DISTINCT`](crate::Game::DISTINCT) set, no state has an index twice among its moves or
    /// its predecessors. In tiers, [`TIER_DISTINCT`](crate::Tiered::TIER_DISTINCT) promises
    /// this of the moves and the predecessors in the same tier.
    Distinct,
    /// A state that is packed and unpacked is that state.
    Packing,
    /// A degree that the game gives is the number of distinct successors; in a game in tiers, of
    /// distinct successors in the same tier.
    Degree,
    /// A tier comes after the tiers that it leads to, moves lead to no others, and `exits` visits
    /// exactly the successors in other tiers.
    Tiers,
    /// The successor indices that a game in tiers gives agree with its moves. Only runs of
    /// indices and other tiers that the visitor does not need may be left out. Its
    /// [rows](crate::TierIndexed::tier_rows) agree with its moves, too.
    Successors,
    /// Turns, symmetries that exchange the players, and winners agree with
    /// [`Game::PLAYERS`](crate::Game::PLAYERS).
    Players,
    /// A move that gains points leaves its tier, so that no cycle of moves gains any, and no end is
    /// worth more points than [`Game::max_points`](crate::Game::max_points) promises. Endless play and
    /// ply limits gain none.
    Points,
    /// The game has a root, where play can start.
    Roots,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Predecessors => "a state is a predecessor of exactly its successors",
            Law::Index => "index and unindex are each other's inverse",
            Law::NoMoves => "a state without moves has an outcome",
            Law::Symmetry => "states that share an index have the same value",
            Law::Notation => "the text of a state reads back as that state",
            Law::MoveNames => {
                "each move of a state has a name of its own, and pictures show what it changes"
            }
            Law::SetUp => "the picture of a state is set up as that state",
            Law::Distinct => "with `DISTINCT` set, no state is visited twice",
            Law::Packing => "a state that is packed and unpacked is that state",
            Law::Tiers => "moves leave a tier only towards those that it leads to",
            Law::Successors => "the successor indices are those of the moves",
            Law::Players => "turns and winners agree with `Game::PLAYERS`",
            Law::Points => "moves that gain points leave their tier, within `Game::max_points`",
            Law::Roots => "the game has a root, where play can start",
            Law::Degree => "the degree of a state is its number of distinct successors",
        })
    }
}
