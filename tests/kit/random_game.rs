//! Random games: any graph, with every rule that a solver must cope with.

#![allow(missing_docs, reason = "the fields are what rules are made of")]

use proptest::prelude::*;
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players,
    Repeats, Stored, Tier, TierIndexed, Tiered, scheme,
};
use serde::{Deserialize, Serialize};

/// The data that a random game is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub nodes: Vec<Node>,
    pub endless: Outcome,
    pub ply_limit: Option<u32>,
    pub mirror: Mirror,
    /// The number of tiers that the nodes are cut into, as nearly equal as possible.
    pub tiers: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    pub owner: Player,
    pub terminal: Option<Outcome>,
    /// Whether play stops at this node one ply early, if the node is terminal.
    pub early: bool,
    /// The targets of the moves, and whether each move changes sides of the mirror. A terminal node
    /// may also have some, which don't count.
    pub moves: Vec<(u16, bool)>,
    /// The outcome if the node has no moves.
    pub stuck: Outcome,
}

/// The symmetry of a game. Under a symmetry, every node exists twice, once on each side of the
/// mirror.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Mirror {
    None,
    Plain,
    /// The other side exchanges the colours.
    Colours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct State {
    pub node: u16,
    pub flipped: bool,
}

impl Plan {
    fn at(&self, state: &State) -> &Node {
        &self.nodes[usize::from(state.node)]
    }

    fn exchanged(&self, state: &State) -> bool {
        state.flipped && self.mirror == Mirror::Colours
    }

    fn seen_from(&self, state: &State, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Win(player) if self.exchanged(state) => Outcome::Win(player.opponent()),
            outcome => outcome,
        }
    }

    pub fn turn(&self, state: &State) -> Player {
        let owner = self.at(state).owner;
        if self.exchanged(state) { owner.opponent() } else { owner }
    }

    pub fn terminal(&self, state: &State) -> Option<Outcome> {
        Some(self.seen_from(state, self.at(state).terminal?))
    }

    pub fn stops_early(&self, state: &State) -> bool {
        let node = self.at(state);
        node.terminal.is_some() && node.early
    }

    pub fn stuck(&self, state: &State) -> Outcome {
        self.seen_from(state, self.at(state).stuck)
    }

    pub fn flips(&self, flip: bool) -> bool {
        flip && self.mirror != Mirror::None
    }

    pub fn moves(&self, state: &State) -> Vec<State> {
        let next =
            |&(node, flip): &(u16, bool)| State { node, flipped: state.flipped ^ self.flips(flip) };
        self.at(state).moves.iter().map(next).collect()
    }

    /// The same game in tiers, without the moves that lead to later tiers.
    pub fn in_tiers(mut self, tiers: usize) -> Plan {
        self.tiers = tiers;
        for node in 0..self.nodes.len() as u16 {
            let tier = self.tier(node);
            let mut moves = std::mem::take(&mut self.nodes[usize::from(node)].moves);
            moves.retain(|&(target, _)| self.tier(target) <= tier);
            self.nodes[usize::from(node)].moves = moves;
        }
        self
    }

    fn tier(&self, node: u16) -> usize {
        usize::from(node) * self.tiers / self.nodes.len()
    }

    /// The nodes of a tier.
    fn nodes_of(&self, tier: usize) -> Vec<u16> {
        (0..self.nodes.len() as u16).filter(|&node| self.tier(node) == tier).collect()
    }

    /// Every state, on both sides of the mirror.
    pub fn states(&self) -> Vec<State> {
        let sides: &[bool] = if self.mirror == Mirror::None { &[false] } else { &[false, true] };
        let nodes = 0..self.nodes.len() as u16;
        nodes.flat_map(|node| sides.iter().map(move |&flipped| State { node, flipped })).collect()
    }

    /// The states that play can reach from node 0.
    pub fn reachable(&self) -> Vec<State> {
        let mut reached = vec![State { node: 0, flipped: false }];
        let mut at = 0;
        while at < reached.len() {
            if self.terminal(&reached[at]).is_none() {
                for next in self.moves(&reached[at]) {
                    if !reached.contains(&next) {
                        reached.push(next);
                    }
                }
            }
            at += 1;
        }
        reached
    }
}

/// A game without predecessors.
pub const NONE: u8 = 0;
/// A game that has only the predecessors in the same tier.
pub const WITHIN: u8 = 1;
/// A game that has all predecessors.
pub const ALL: u8 = 2;
/// A game that has all predecessors, and also provides their indices.
pub const BY_INDEX: u8 = 3;

/// A plan as a game. `PREDECESSORS` says which predecessors it has, `DISTINCT` promises distinct
/// neighbours, and `FOLDED` says that the numbering exchanges the colours.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RandomGame<const PREDECESSORS: u8, const DISTINCT: bool, const FOLDED: bool>(pub Plan);

impl<const P: u8, const D: bool, const F: bool> RandomGame<P, D, F> {
    /// All predecessors of a state.
    fn sources(&self, state: &State) -> Vec<State> {
        let sources = self.0.nodes.iter().zip(0..).flat_map(|(source, node)| {
            let here = source.moves.iter().filter(|(target, _)| *target == state.node);
            here.map(move |&(_, flip)| State { node, flipped: state.flipped ^ self.0.flips(flip) })
        });
        sources.collect()
    }

    /// Visits the indices of these predecessors. The answer is true: they never repeat, or they
    /// may.
    fn visit_indices(
        &self,
        sources: &[State],
        index: impl Fn(&State) -> u64,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        assert_eq!(P, BY_INDEX, "called for a game that does not tell indices");
        let mut seen = Vec::new();
        for source in sources {
            let (index, turn) = (index(source), self.turn(source));
            visit(index, turn);
            seen.push((index, turn));
        }
        let visited = seen.len();
        seen.sort();
        seen.dedup();
        if seen.len() < visited || visited % 3 == 2 { Repeats::Maybe } else { Repeats::Never }
    }
}

fn visit_all<const DISTINCT: bool>(mut states: Vec<State>, visit: impl FnMut(State)) {
    if DISTINCT {
        states.sort();
        states.dedup();
    }
    states.into_iter().for_each(visit);
}

impl<const P: u8, const D: bool, const F: bool> Game for RandomGame<P, D, F> {
    type State = State;
    const PREDECESSORS: bool = P >= ALL;
    const DISTINCT: bool = D;
    const PLAYERS: Players = if F { Players::Folded } else { Players::Distinct };

    fn turn(&self, state: &State) -> Player {
        self.0.turn(state)
    }

    fn terminal(&self, state: &State) -> Option<Outcome> {
        self.0.terminal(state)
    }

    fn stops_early(&self, state: &State) -> bool {
        assert!(self.terminal(state).is_some(), "play does not stop early where it does not stop");
        self.0.stops_early(state)
    }

    fn moves(&self, state: &State, visit: impl FnMut(State)) {
        assert_eq!(self.terminal(state), None, "the moves of a terminal state are nobody's");
        visit_all::<D>(self.0.moves(state), visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = State> {
        [State { node: 0, flipped: false }]
    }

    fn predecessors(&self, state: &State, visit: impl FnMut(State)) {
        if P >= ALL {
            visit_all::<D>(self.sources(state), visit);
        }
    }

    fn no_moves(&self, state: &State) -> Option<Outcome> {
        assert!(self.0.moves(state).is_empty(), "called for a state with moves");
        Some(self.0.stuck(state))
    }

    fn endless(&self) -> Outcome {
        self.0.endless
    }

    fn ply_limit(&self) -> Option<u32> {
        self.0.ply_limit
    }

    fn canonical(&self, state: &State) -> State {
        State { flipped: false, ..*state }
    }
}

/// Every second index is unused, and the mirror is folded away.
impl<const P: u8, const D: bool, const F: bool> Indexed for RandomGame<P, D, F> {
    fn len(&self) -> u64 {
        2 * self.0.nodes.len() as u64
    }

    fn index(&self, state: &State) -> u64 {
        2 * u64::from(state.node) + 1
    }

    fn unindex(&self, index: u64) -> Option<State> {
        (index % 2 == 1).then_some(State { node: (index / 2) as u16, flipped: false })
    }

    const PREDECESSOR_INDICES: bool = P == BY_INDEX;

    fn predecessor_indices(&self, state: &State, visit: impl FnMut(u64, Player)) -> Repeats {
        self.visit_indices(&self.sources(state), |source| self.index(source), visit)
    }
}

/// Every second index is unused.
impl<const P: u8, const D: bool, const F: bool> Tiered for RandomGame<P, D, F> {
    const TIER_PREDECESSORS: bool = P != NONE;

    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier| Tier { name: format!("tier-{tier}"), leads_to: (0..tier).collect() };
        (0..self.0.tiers).map(tier).collect()
    }

    fn tier(&self, state: &State) -> usize {
        self.0.tier(state.node)
    }

    fn tier_predecessors(&self, tier: usize, state: &State, visit: impl FnMut(State)) {
        assert_eq!(tier, self.tier(state), "called for a state of another tier");
        if P != NONE {
            let mut sources = self.sources(state);
            sources.retain(|source| self.tier(source) == tier);
            visit_all::<D>(sources, visit);
        }
    }
}

impl<const P: u8, const D: bool, const F: bool> TierIndexed for RandomGame<P, D, F> {
    fn tier_len(&self, tier: usize) -> u64 {
        2 * self.0.nodes_of(tier).len() as u64
    }

    fn tier_index(&self, tier: usize, state: &State) -> u64 {
        2 * u64::from(state.node - self.0.nodes_of(tier)[0]) + 1
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<State> {
        let node = self.0.nodes_of(tier)[(index / 2) as usize];
        (index % 2 == 1).then_some(State { node, flipped: false })
    }

    const TIER_PREDECESSOR_INDICES: bool = P == BY_INDEX;

    fn tier_predecessor_indices(
        &self,
        tier: usize,
        state: &State,
        visit: impl FnMut(u64, Player),
    ) -> Repeats {
        assert_eq!(tier, self.tier(state), "called for a state of another tier");
        let mut sources = self.sources(state);
        sources.retain(|source| self.tier(source) == tier);
        self.visit_indices(&sources, |source| self.tier_index(tier, source), visit)
    }
}

impl<const P: u8, const D: bool, const F: bool> PackedState for RandomGame<P, D, F> {
    type Word = u64;

    fn pack(&self, state: &State) -> u64 {
        u64::from(state.node) << 1 | u64::from(state.flipped)
    }

    fn unpack(&self, packed: u64) -> State {
        State { node: (packed >> 1) as u16, flipped: packed % 2 == 1 }
    }
}

impl<const P: u8, const D: bool, const F: bool> Numbered for RandomGame<P, D, F> {
    type Numberings = (
        scheme::Dense,
        scheme::Hashed,
        scheme::Packed,
        scheme::Tiers<scheme::Dense>,
        scheme::Tiers<scheme::Packed>,
    );
}

impl<const P: u8, const D: bool, const F: bool> Notation for RandomGame<P, D, F> {
    fn write_state(&self, state: &State) -> String {
        format!("{}{}", state.node, if state.flipped { "'" } else { "" })
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let node = text.trim_end_matches('\'');
        let flipped = node != text;
        let node = node.parse().map_err(|_| NotationError::new("expected a number"))?;
        Ok(State { node, flipped })
    }
}

impl<const P: u8, const D: bool, const F: bool> Stored for RandomGame<P, D, F> {
    const NAME: &'static str = "random";
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Win(Player::First)),
        Just(Outcome::Win(Player::Second)),
        Just(Outcome::Draw)
    ]
}

fn node(nodes: usize) -> impl Strategy<Value = Node> {
    let terminal = prop_oneof![3 => Just(None), 1 => outcome().prop_map(Some)];
    let moves = prop::collection::vec((0..nodes as u16, any::<bool>()), 0..=4);
    let owner = any::<bool>().prop_map(|first| Player::BOTH[usize::from(first)]);
    let early = prop_oneof![2 => Just(false), 1 => Just(true)];
    (owner, terminal, early, moves, outcome()).prop_map(|(owner, terminal, early, moves, stuck)| {
        Node { owner, terminal, early, moves, stuck }
    })
}

/// Any random game.
pub fn plan() -> impl Strategy<Value = Plan> {
    let size = prop_oneof![4 => 1_usize..10, 1 => 10_usize..40];
    let nodes = size.prop_flat_map(|nodes| prop::collection::vec(node(nodes), nodes));
    let mirror = prop_oneof![Just(Mirror::None), Just(Mirror::Plain), Just(Mirror::Colours)];
    (nodes, outcome(), mirror).prop_map(|(nodes, endless, mirror)| {
        // If colours are exchanged, endless play can't be a win for one of them.
        let endless = if mirror == Mirror::Colours { Outcome::Draw } else { endless };
        Plan { nodes, endless, ply_limit: None, mirror, tiers: 1 }
    })
}
