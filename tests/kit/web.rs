//! A random game of any size: a web of states in which everything is drawn by hashing.

use proptest::prelude::*;
use retrograde::{Outcome, Player};

use crate::graph::{Endless, Graph, Node, Packing};

/// The data that a web is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The seed of all hashes.
    pub seed: u64,
    /// The number of states.
    pub size: u32,
    /// The greatest distance of a move, or any state.
    pub reach: Option<u32>,
    /// The outcome of endless play.
    pub endless: Outcome,
    /// The largest number of moves of most states.
    pub moves: u64,
    /// Whether the players take turns.
    pub alternating: bool,
}

impl Plan {
    fn hash(&self, state: u32, salt: u64) -> u64 {
        // SplitMix64.
        let mut hash =
            self.seed ^ (u64::from(state) << 20 | salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        hash ^ hash >> 31
    }

    fn outcome(&self, state: u32, salt: u64) -> Outcome {
        match self.hash(state, salt) % 5 {
            0 | 1 => Outcome::Win(Player::First),
            2 | 3 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        }
    }

    /// The player to move.
    pub fn turn(&self, state: u32) -> Player {
        let second = if self.alternating { u64::from(state) % 2 } else { self.hash(state, 1) % 2 };
        Player::BOTH[second as usize]
    }

    /// The outcome if play is over.
    pub fn terminal(&self, state: u32) -> Option<Outcome> {
        self.hash(state, 2).is_multiple_of(12).then(|| self.outcome(state, 3))
    }

    /// The outcome if there is no move.
    pub fn stuck(&self, state: u32) -> Outcome {
        self.outcome(state, 4)
    }

    /// The distinct successors, ascending; none for a terminal state.
    pub fn successors(&self, state: u32) -> Vec<u32> {
        if self.terminal(state).is_some() {
            return Vec::new();
        }
        // A few states have more moves than a cell of one byte can count.
        let many = self.hash(state, 5).is_multiple_of(1_000);
        let count = if many { 100 } else { self.hash(state, 6) % (self.moves + 1) };
        let mut successors: Vec<u32> = (0..count)
            .map(|at| {
                let draw = self.hash(state, 100 + at);
                let to = match self.reach {
                    None => draw % u64::from(self.size),
                    Some(reach) => {
                        let from = u64::from(state.saturating_sub(reach));
                        (from + draw % (2 * u64::from(reach) + 1)).min(u64::from(self.size) - 1)
                    }
                };
                let to = to as u32;
                if self.alternating && to % 2 == state % 2 { to ^ 1 } else { to }
            })
            .filter(|&to| to < self.size)
            .collect();
        successors.sort_unstable();
        successors.dedup();
        successors
    }
}

/// A web as a graph. Every third index is a state. Without the promise that neighbours are
/// distinct, every move is repeated.
pub type Web<const PREDECESSORS: bool, const DISTINCT: bool> = Graph<PREDECESSORS, DISTINCT>;

impl<const P: bool, const D: bool> From<Plan> for Graph<P, D> {
    fn from(plan: Plan) -> Self {
        let nodes = (0..plan.size).map(|state| {
            let stuck = Some(plan.stuck(state));
            let node =
                Node { turn: plan.turn(state), terminal: plan.terminal(state), stuck, tier: 0 };
            let moves = plan.successors(state);
            (node, if D { moves } else { moves.into_iter().flat_map(|to| [to, to]).collect() })
        });
        Graph {
            roots: (0..plan.size.min(10)).collect(),
            endless: Endless(plan.endless),
            spacing: 3,
            packing: FAR_APART,
            ..Graph::new(format!("{plan:?}"), nodes)
        }
    }
}

/// Words that are far apart, so that the highest bits say little.
const FAR_APART: Packing = Packing {
    fits_u64: true,
    pack: |state| u128::from(state >> 4) << 40 | u128::from(state & 15),
    unpack: |packed| ((packed >> 40) << 4 | packed & 15) as u32,
};

/// Any web that takes about ten milliseconds to solve.
pub fn plan() -> impl Strategy<Value = Plan> {
    let endless = prop_oneof![
        2 => Just(Outcome::Draw),
        1 => Just(Outcome::Win(Player::First)),
        1 => Just(Outcome::Win(Player::Second))
    ];
    let size = prop_oneof![1 => 1_u32..100, 4 => 10_000_u32..15_000];
    let reach = prop_oneof![Just(None), (2_u32..300).prop_map(Some)];
    (any::<u64>(), size, reach, endless, 1_u64..7, any::<bool>()).prop_map(
        |(seed, size, reach, endless, moves, alternating)| Plan {
            seed,
            size,
            reach,
            endless,
            moves,
            alternating,
        },
    )
}
