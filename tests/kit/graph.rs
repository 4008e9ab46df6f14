//! A game that is an explicit graph. Every rule and every fault is a field.

use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Stored, Tier,
    TierIndexed, Tiered, scheme,
};
use serde::{Deserialize, Serialize};

/// A state of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The player to move.
    pub turn: Player,
    /// The outcome if play is over. The node then loses its moves.
    pub terminal: Option<Outcome>,
    /// The outcome if the node has no move.
    pub stuck: Option<Outcome>,
    /// The tier that the game reports for it.
    pub tier: usize,
}

impl Node {
    /// A node of the only tier at which play goes on.
    pub fn of(turn: Player) -> Node {
        Node { turn, terminal: None, stuck: None, tier: 0 }
    }
}

/// Lists of numbers, stored one after the other.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    ends: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.all.extend(list);
        self.ends.push(self.all.len() as u32);
    }

    /// The list at this place; empty beyond the last.
    fn at(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let Some(&end) = self.ends.get(place) else { return &[] };
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.all[begin as usize..end as usize]
    }

    /// For each number below `len`, the places of the lists that contain it, each place as often as
    /// its list contains the number.
    fn reversed(&self, len: usize) -> Lists {
        let mut sources = vec![Vec::new(); len];
        for from in 0..self.ends.len() as u32 {
            for &to in self.at(from) {
                sources[to as usize].push(from);
            }
        }
        let mut reversed = Lists::default();
        sources.into_iter().for_each(|list| reversed.push(list));
        reversed
    }
}

/// How states are packed.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    /// The game's answer to whether all states fit into 64 bits.
    pub fits_u64: bool,
    /// A state as a word.
    pub pack: fn(u32) -> u128,
    /// The state of a word.
    pub unpack: fn(u128) -> u32,
}

impl Default for Packing {
    fn default() -> Packing {
        Packing { fits_u64: true, pack: u128::from, unpack: |word| word as u32 }
    }
}

/// A game of numbered states. It has predecessors if `PREDECESSORS`, and promises distinct
/// neighbours if `DISTINCT`. A file stores its label and size, and not the graph itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Label", into = "Label")]
pub struct Graph<const PREDECESSORS: bool, const DISTINCT: bool> {
    /// Distinguishes it from other graphs.
    pub label: String,
    /// The number of states.
    pub length: u32,
    /// The states.
    pub nodes: Vec<Node>,
    /// The moves of each state.
    pub moves: Lists,
    /// The moves to each state, if the game has predecessors.
    pub predecessors: Lists,
    /// The states in which play can start.
    pub roots: Vec<u32>,
    /// The outcome of endless play.
    pub endless: Endless,
    /// The tiers, all of one length.
    pub tiers: Vec<Tier>,
    /// Of every `spacing` indices in a row, the second is a state. 0 stands for 1: every index is a
    /// state.
    pub spacing: u32,
    /// How states are packed.
    pub packing: Packing,
    /// A fault: a state, and its wrong index.
    pub wrong_index: Option<(u32, u64)>,
    /// A fault: a state, and its wrong representative.
    pub wrong_canonical: Option<(u32, u32)>,
    /// A fault: a tier whose exits are not visited.
    pub hidden_exits: Option<usize>,
    /// A fault: a tier, and the wrong number of moves that stay in it.
    pub wrong_internal_degree: Option<(usize, u64)>,
}

/// The content of a file that stands for a graph.
#[derive(Serialize, Deserialize)]
struct Label {
    label: String,
    length: u32,
}

impl<const P: bool, const D: bool> From<Label> for Graph<P, D> {
    fn from(Label { label, length }: Label) -> Self {
        Graph { label, length, ..Graph::default() }
    }
}

impl<const P: bool, const D: bool> From<Graph<P, D>> for Label {
    fn from(Graph { label, length, .. }: Graph<P, D>) -> Label {
        Label { label, length }
    }
}

/// The outcome of endless play; by default a draw.
#[derive(Clone, Copy, Debug)]
pub struct Endless(pub Outcome);

impl Default for Endless {
    fn default() -> Endless {
        Endless(Outcome::Draw)
    }
}

impl<const P: bool, const D: bool> Graph<P, D> {
    /// A graph of these nodes and their moves, with node 0 as the root. If neighbours are promised
    /// to be distinct, repeated moves are dropped.
    pub fn new(
        label: impl Into<String>,
        nodes: impl IntoIterator<Item = (Node, Vec<u32>)>,
    ) -> Self {
        let mut graph = Graph { label: label.into(), roots: vec![0], ..Graph::default() };
        for (node, mut moves) in nodes {
            if node.terminal.is_some() {
                moves.clear();
            }
            if D {
                moves.sort_unstable();
                moves.dedup();
            }
            graph.nodes.push(node);
            graph.moves.push(moves);
        }
        if P {
            graph.predecessors = graph.moves.reversed(graph.nodes.len());
        }
        graph.length = graph.nodes.len() as u32;
        let only = Tier { name: "all".into(), leads_to: vec![] };
        Graph { tiers: vec![only], ..graph }
    }

    /// A walk from `length` down to 0, one step per ply, with an outcome at 0.
    pub fn walk(length: u32, end: Outcome) -> Self {
        let nodes = (0..=length).map(|at| {
            let node = Node::of(Player::BOTH[(at % 2) as usize]);
            let terminal = (at == 0).then_some(end);
            (Node { terminal, ..node }, Vec::from_iter(at.checked_sub(1)))
        });
        Graph { roots: vec![length], ..Graph::new("walk", nodes) }
    }

    /// The moves of a state.
    pub fn successors(&self, state: u32) -> &[u32] {
        self.moves.at(state)
    }

    /// Cuts the graph into `tiers` tiers of the same length. Each may lead to all tiers before it.
    pub fn in_tiers(mut self, tiers: usize, name: &str) -> Self {
        let tier = |tier| Tier { name: format!("{name}{tier}"), leads_to: (0..tier).collect() };
        self.tiers = (0..tiers).map(tier).collect();
        let length = self.tier_length();
        for (at, node) in (0..).zip(&mut self.nodes) {
            node.tier = (at / length) as usize;
        }
        self
    }

    /// Changes nodes, but not their moves.
    pub fn change(&mut self, mut change: impl FnMut(u32, &mut Node)) {
        (0..).zip(&mut self.nodes).for_each(|(at, node)| change(at, node));
    }

    fn tier_length(&self) -> u32 {
        self.length / self.tiers.len() as u32
    }

    fn spacing(&self) -> u64 {
        u64::from(self.spacing.max(1))
    }
}

impl<const P: bool, const D: bool> Game for Graph<P, D> {
    type State = u32;
    const PREDECESSORS: bool = P;
    const DISTINCT: bool = D;

    fn turn(&self, &state: &u32) -> Player {
        self.nodes.get(state as usize).map_or(Player::First, |node| node.turn)
    }

    fn terminal(&self, &state: &u32) -> Option<Outcome> {
        self.nodes.get(state as usize)?.terminal
    }

    fn moves(&self, &state: &u32, visit: impl FnMut(u32)) {
        self.moves.at(state).iter().copied().for_each(visit);
    }

    fn predecessors(&self, &state: &u32, visit: impl FnMut(u32)) {
        self.predecessors.at(state).iter().copied().for_each(visit);
    }

    fn no_moves(&self, &state: &u32) -> Option<Outcome> {
        self.nodes.get(state as usize)?.stuck
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        self.roots.iter().copied()
    }

    fn endless(&self) -> Outcome {
        self.endless.0
    }

    fn canonical(&self, &state: &u32) -> u32 {
        match self.wrong_canonical {
            Some((wrong, canonical)) if wrong == state => canonical,
            _ => state,
        }
    }
}

impl<const P: bool, const D: bool> Indexed for Graph<P, D> {
    fn len(&self) -> u64 {
        self.spacing() * u64::from(self.length)
    }

    fn index(&self, &state: &u32) -> u64 {
        match self.wrong_index {
            Some((wrong, index)) if wrong == state => index,
            _ => self.spacing() * u64::from(state) + u64::from(self.spacing > 1),
        }
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        let is_used = self.spacing() == 1 || index % self.spacing() == 1;
        is_used.then_some((index / self.spacing()) as u32)
    }
}

impl<const P: bool, const D: bool> Tiered for Graph<P, D> {
    fn tiers(&self) -> Vec<Tier> {
        self.tiers.clone()
    }

    fn tier(&self, &state: &u32) -> usize {
        let beyond = (state / self.tier_length()) as usize;
        self.nodes.get(state as usize).map_or(beyond, |node| node.tier)
    }

    fn exits(&self, tier: usize, &state: &u32, visit: impl FnMut(u32)) {
        if self.hidden_exits != Some(tier) {
            let leaves = |next: &u32| self.tier(next) != tier;
            self.moves.at(state).iter().copied().filter(leaves).for_each(visit);
        }
    }

    fn tier_degree(&self, tier: usize, _: &u32) -> Option<u64> {
        self.wrong_internal_degree.filter(|wrong| wrong.0 == tier).map(|wrong| wrong.1)
    }
}

impl<const P: bool, const D: bool> TierIndexed for Graph<P, D> {
    fn tier_len(&self, _: usize) -> u64 {
        self.tier_length().into()
    }

    fn tier_index(&self, _: usize, &state: &u32) -> u64 {
        (state % self.tier_length()).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(tier as u32 * self.tier_length() + index as u32)
    }
}

impl<const P: bool, const D: bool> PackedState for Graph<P, D> {
    type Word = u128;

    fn fits_u64(&self) -> bool {
        self.packing.fits_u64
    }

    fn pack(&self, &state: &u32) -> u128 {
        (self.packing.pack)(state)
    }

    fn unpack(&self, packed: u128) -> u32 {
        (self.packing.unpack)(packed)
    }
}

impl<const P: bool, const D: bool> Numbered for Graph<P, D> {
    type Numberings = (
        scheme::Dense,
        scheme::Hashed,
        scheme::Packed,
        scheme::Tiers<scheme::Dense>,
        scheme::Tiers<scheme::Packed>,
    );
}

impl<const P: bool, const D: bool> Stored for Graph<P, D> {
    const NAME: &'static str = "graph";
}

impl<const P: bool, const D: bool> Notation for Graph<P, D> {
    fn write_state(&self, state: &u32) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::new("expected a number"))
    }
}
