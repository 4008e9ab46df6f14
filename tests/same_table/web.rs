//! A random game of any size: a web of states in which everything is drawn by hashing.

use std::ops::Range;

use proptest::prelude::*;
use retrograde::{
    Game, Indexed, Notation, NotationError, Outcome, Packed, Player, Solvable, Stored, scheme,
};
use serde::{Deserialize, Serialize};

/// What a web is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) size: u32,
    /// How far moves lead: anywhere, or to a state not further than this.
    pub(crate) reach: Option<u32>,
    pub(crate) endless: Outcome,
    /// How many moves most states have at most.
    pub(crate) moves: u64,
    /// Whether turns alternate.
    pub(crate) alternating: bool,
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

    pub(crate) fn turn(&self, state: u32) -> Player {
        let second = if self.alternating { u64::from(state) % 2 } else { self.hash(state, 1) % 2 };
        Player::BOTH[second as usize]
    }

    pub(crate) fn terminal(&self, state: u32) -> Option<Outcome> {
        self.hash(state, 2).is_multiple_of(12).then(|| self.outcome(state, 3))
    }

    pub(crate) fn stuck(&self, state: u32) -> Outcome {
        self.outcome(state, 4)
    }

    /// The distinct successors, ascending; none of a terminal state.
    pub(crate) fn successors(&self, state: u32) -> Vec<u32> {
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

/// A web as a game: with or without predecessors, with or without the promise that neighbours are
/// distinct. Without it, every move is there twice. `WIDE` webs are packed into 16 bytes a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Plan", into = "Plan")]
pub(crate) struct Web<const PREDECESSORS: bool, const DISTINCT: bool, const WIDE: bool = false> {
    pub(crate) plan: Plan,
    predecessors: Vec<Vec<u32>>,
}

impl<const P: bool, const D: bool, const W: bool> From<Plan> for Web<P, D, W> {
    fn from(plan: Plan) -> Self {
        let mut predecessors = vec![Vec::new(); plan.size as usize];
        if P {
            for from in 0..plan.size {
                for to in plan.successors(from) {
                    predecessors[to as usize].push(from);
                }
            }
        }
        Web { plan, predecessors }
    }
}

impl<const P: bool, const D: bool, const W: bool> From<Web<P, D, W>> for Plan {
    fn from(web: Web<P, D, W>) -> Plan {
        web.plan
    }
}

impl<const P: bool, const D: bool, const W: bool> Game for Web<P, D, W> {
    type State = u32;
    const PREDECESSORS: bool = P;
    const DISTINCT: bool = D;

    fn turn(&self, state: &u32) -> Player {
        self.plan.turn(*state)
    }

    fn terminal(&self, state: &u32) -> Option<Outcome> {
        self.plan.terminal(*state)
    }

    fn moves(&self, state: &u32, mut visit: impl FnMut(u32)) {
        for to in self.plan.successors(*state) {
            visit(to);
            if !D {
                visit(to);
            }
        }
    }

    fn predecessors(&self, state: &u32, mut visit: impl FnMut(u32)) {
        for &from in self.predecessors.get(*state as usize).into_iter().flatten() {
            visit(from);
            if !D {
                visit(from);
            }
        }
    }

    fn no_moves(&self, state: &u32) -> Option<Outcome> {
        Some(self.plan.stuck(*state))
    }

    fn roots(&self) -> Vec<u32> {
        (0..self.plan.size.min(10)).collect()
    }

    fn endless(&self) -> Outcome {
        self.plan.endless
    }
}

/// Every third index is a state.
impl<const P: bool, const D: bool, const W: bool> Indexed for Web<P, D, W> {
    fn len(&self) -> u64 {
        3 * u64::from(self.plan.size)
    }

    fn index(&self, state: &u32) -> u64 {
        3 * u64::from(*state) + 1
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        (index % 3 == 1).then_some((index / 3) as u32)
    }

    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, u32)) {
        for state in (indices.start / 3) as u32..(indices.end.div_ceil(3)) as u32 {
            let index = self.index(&state);
            if indices.contains(&index) {
                visit(index, state);
            }
        }
    }
}

/// Far apart, so that the highest bits say little.
impl<const P: bool, const D: bool, const W: bool> Packed for Web<P, D, W> {
    type Word = u128;

    fn fits_u64(&self) -> bool {
        !W
    }

    fn pack(&self, state: &u32) -> u128 {
        let state = u128::from(*state);
        (state >> 4) << 40 | state & 15
    }

    fn unpack(&self, packed: u128) -> u32 {
        ((packed >> 40) << 4 | packed & 15) as u32
    }
}

impl<const P: bool, const D: bool, const W: bool> Notation for Web<P, D, W> {
    fn write_state(&self, state: &u32) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::new("expected a number"))
    }
}

impl<const P: bool, const D: bool> Solvable for Web<P, D, false> {
    type Numberings = (scheme::Dense, scheme::Explored, scheme::Packed);
}

/// All but one of those of narrow webs.
impl<const P: bool, const D: bool> Solvable for Web<P, D, true> {
    type Numberings = (scheme::Dense, scheme::Packed);
}

impl<const P: bool, const D: bool, const W: bool> Stored for Web<P, D, W> {
    const NAME: &'static str = "web";
}

/// Any plan, of a game that takes some ten milliseconds to solve.
pub(crate) fn plan() -> impl Strategy<Value = Plan> {
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
