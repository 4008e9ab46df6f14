//! Random games with points: any graph in tiers. Moves to an earlier tier gain points, and so do ends.

use std::collections::BTreeSet;

use kit::Random;
use kit::random_game::{ALL, BY_INDEX, Mirror, NONE, State};
use proptest::prelude::*;
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players,
    Repeats, Stored, Tier, TierIndexed, Tiered, VisitSuccessors, scheme,
};
use serde::{Deserialize, Serialize};

/// The most points that a move or an end is worth.
const MOST: i16 = 3;

/// What a random game is made from. It is also what a table stores of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recipe {
    pub(crate) seed: u64,
    pub(crate) nodes: usize,
    pub(crate) tiers: usize,
    pub(crate) mirror: Mirror,
    /// Whether a player may be to move again after an own move.
    pub(crate) doubles: bool,
    /// Whether moves gain points, and not ends only.
    pub(crate) gains: bool,
    /// Whether the game knows how many moves stay in a tier.
    pub(crate) degree: bool,
    /// What the game promises as the most points; `None` for a number that is certainly enough.
    pub(crate) most: Option<u16>,
}

/// The data that a random game consists of.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) recipe: Recipe,
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) owner: Player,
    pub(crate) terminal: Option<Outcome>,
    /// Whether play stops at this node one ply early, if the node is terminal.
    pub(crate) early: bool,
    /// A terminal node may also have some, which don't count.
    pub(crate) moves: Vec<Move>,
    /// The outcome if the node has no moves.
    pub(crate) stuck: Outcome,
}

#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) to: u16,
    /// Whether the move changes sides of the mirror.
    pub(crate) flip: bool,
    /// The points that it gains. All moves between two nodes gain the same.
    pub(crate) gain: i16,
}

/// Any recipe, of a game in up to this many tiers.
pub(crate) fn recipe(tiers: usize) -> impl Strategy<Value = Recipe> {
    let nodes = prop_oneof![4 => 1_usize..12, 1 => 12_usize..40];
    let mirror = prop_oneof![Just(Mirror::None), Just(Mirror::Plain), Just(Mirror::Colours)];
    let seed = any::<u64>().no_shrink();
    (seed, nodes, 1..=tiers, mirror, any::<[bool; 3]>()).prop_map(
        |(seed, nodes, tiers, mirror, [doubles, gains, degree])| {
            let tiers = tiers.min(nodes);
            // Most games have moves that gain points.
            let gains = gains || seed.is_multiple_of(2);
            Recipe { seed, nodes, tiers, mirror, doubles, gains, degree, most: None }
        },
    )
}

impl Recipe {
    fn tier(&self, node: u16) -> usize {
        usize::from(node) * self.tiers / self.nodes
    }

    /// The nodes of a tier.
    fn nodes_of(&self, tier: usize) -> Vec<u16> {
        (0..self.nodes as u16).filter(|&node| self.tier(node) == tier).collect()
    }

    fn node(&self, node: u16) -> Node {
        let mut random = Random(self.seed.wrapping_add(u64::from(node) << 32));
        random.next();
        let tier = self.tier(node);
        let owner = Player::BOTH[random.place(2)];
        let terminal = (random.below(5) == 0).then(|| self.end(&mut random));
        let early = random.below(3) == 0;
        let stuck = self.end(&mut random);
        let mut moves: Vec<Move> = Vec::new();
        for _ in 0..random.below(5) {
            let nearby = self.nodes_of(tier);
            let stays = random.below(2) == 0;
            let earlier = if stays || tier == 0 { None } else { Some(u64::from(nearby[0])) };
            let to = match earlier {
                None => nearby[random.place(nearby.len())],
                Some(before) => random.below(before) as u16,
            };
            let drawn = random.below(2 * MOST as u64 + 1) as i16 - MOST;
            let before = moves.iter().find(|other| other.to == to).map(|other| other.gain);
            let gain = before.unwrap_or(if self.gains && self.tier(to) < tier { drawn } else { 0 });
            moves.push(Move { to, flip: random.below(2) == 0, gain });
        }
        Node { owner, terminal, early, moves, stuck }
    }

    fn end(&self, random: &mut Random) -> Outcome {
        match random.below(12) {
            0 => Outcome::Draw,
            _ => Outcome::Points(random.below(2 * MOST as u64 + 1) as i16 - MOST),
        }
    }
}

impl From<Recipe> for Plan {
    fn from(recipe: Recipe) -> Plan {
        let nodes = (0..recipe.nodes as u16).map(|node| recipe.node(node)).collect();
        let mut plan = Plan { nodes, recipe };
        if !plan.recipe.doubles {
            for node in 0..plan.nodes.len() as u16 {
                let from = State { node, flipped: false };
                let mut moves = std::mem::take(&mut plan.nodes[usize::from(node)].moves);
                moves.retain(|step| plan.turn(&plan.after(&from, step)) != plan.turn(&from));
                plan.nodes[usize::from(node)].moves = moves;
            }
        }
        plan
    }
}

impl From<Plan> for Recipe {
    fn from(plan: Plan) -> Recipe {
        plan.recipe
    }
}

impl Plan {
    fn at(&self, state: &State) -> &Node {
        &self.nodes[usize::from(state.node)]
    }

    pub(crate) fn turn(&self, state: &State) -> Player {
        let owner = self.at(state).owner;
        let exchanged = state.flipped && self.recipe.mirror == Mirror::Colours;
        if exchanged { owner.opponent() } else { owner }
    }

    pub(crate) fn tier(&self, state: &State) -> usize {
        self.recipe.tier(state.node)
    }

    pub(crate) fn tier_of(&self, node: u16) -> usize {
        self.recipe.tier(node)
    }

    pub(crate) fn terminal(&self, state: &State) -> Option<Outcome> {
        self.at(state).terminal
    }

    pub(crate) fn stops_early(&self, state: &State) -> bool {
        let node = self.at(state);
        node.terminal.is_some() && node.early
    }

    pub(crate) fn stuck(&self, state: &State) -> Outcome {
        self.at(state).stuck
    }

    fn flips(&self, step: &Move) -> bool {
        step.flip && self.recipe.mirror != Mirror::None
    }

    fn after(&self, state: &State, step: &Move) -> State {
        State { node: step.to, flipped: state.flipped ^ self.flips(step) }
    }

    /// The state after each move, with what it gains.
    pub(crate) fn moves(&self, state: &State) -> Vec<(State, i16)> {
        let moves = &self.at(state).moves;
        moves.iter().map(|step| (self.after(state, step), step.gain)).collect()
    }

    pub(crate) fn gain(&self, state: &State, next: &State) -> i16 {
        let step = self.at(state).moves.iter().find(|step| step.to == next.node);
        step.expect("asked for a move that there is not").gain
    }

    /// A number of points that no value exceeds.
    fn enough(&self) -> u16 {
        self.recipe.tiers as u16 * MOST as u16
    }

    /// Every state, on both sides of the mirror.
    pub(crate) fn states(&self) -> Vec<State> {
        let mirrored = self.recipe.mirror != Mirror::None;
        let sides: &[bool] = if mirrored { &[false, true] } else { &[false] };
        let nodes = 0..self.nodes.len() as u16;
        nodes.flat_map(|node| sides.iter().map(move |&flipped| State { node, flipped })).collect()
    }

    /// The last node, and one in the middle.
    fn roots(&self) -> [State; 2] {
        let last = self.nodes.len() as u16 - 1;
        [last, last / 2].map(|node| State { node, flipped: false })
    }

    /// The nodes that play can reach from the roots.
    pub(crate) fn reachable(&self) -> BTreeSet<u16> {
        let mut waiting: Vec<u16> = self.roots().iter().map(|root| root.node).collect();
        let mut reached = BTreeSet::new();
        while let Some(node) = waiting.pop() {
            if reached.insert(node) && self.nodes[usize::from(node)].terminal.is_none() {
                waiting.extend(self.nodes[usize::from(node)].moves.iter().map(|step| step.to));
            }
        }
        reached
    }
}

/// [`PointGame`]'s players: states say who is to move, and the numbering distinguishes them.
pub(crate) const DISTINCT: u8 = 0;
/// States say who is to move, and the numbering may exchange the players.
pub(crate) const FOLDED: u8 = 1;
/// States do not say who is to move.
pub(crate) const UNNAMED: u8 = 2;

/// A plan as a game. `PREDECESSORS` says which predecessors it has, `APART` promises distinct
/// neighbours, and `PLAYERS` says whether states name the player to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Recipe", into = "Recipe")]
pub(crate) struct PointGame<const PREDECESSORS: u8, const APART: bool, const PLAYERS: u8>(
    pub(crate) Plan,
);

impl<const P: u8, const A: bool, const W: u8> From<Recipe> for PointGame<P, A, W> {
    fn from(recipe: Recipe) -> Self {
        PointGame(recipe.into())
    }
}

impl<const P: u8, const A: bool, const W: u8> From<PointGame<P, A, W>> for Recipe {
    fn from(game: PointGame<P, A, W>) -> Recipe {
        game.0.recipe
    }
}

impl<const P: u8, const A: bool, const W: u8> PointGame<P, A, W> {
    /// All predecessors of a state.
    fn sources(&self, state: &State) -> Vec<State> {
        let sources = self.0.nodes.iter().zip(0..).flat_map(|(source, node)| {
            let here = source.moves.iter().filter(|step| step.to == state.node);
            here.map(move |step| State { node, flipped: state.flipped ^ self.0.flips(step) })
        });
        sources.collect()
    }

    /// Visits the indices of these predecessors.
    fn visit_indices(
        &self,
        mut sources: Vec<State>,
        index: impl Fn(&State) -> u64,
        mut visit: impl FnMut(u64, Player),
    ) -> Repeats {
        assert_eq!(P, BY_INDEX, "called for a game that does not tell indices");
        let visited = sources.len();
        sources.iter().for_each(|source| visit(index(source), self.0.turn(source)));
        sources.sort_by_key(&index);
        sources.dedup_by_key(|source| index(source));
        if sources.len() < visited { Repeats::Maybe } else { Repeats::Never }
    }
}

fn visit_all<const APART: bool>(mut states: Vec<State>, visit: impl FnMut(State)) {
    if APART {
        states.sort();
        states.dedup();
    }
    states.into_iter().for_each(visit);
}

impl<const P: u8, const A: bool, const W: u8> Game for PointGame<P, A, W> {
    type State = State;
    const PREDECESSORS: bool = P >= ALL;
    const DISTINCT: bool = A;
    const PLAYERS: Players = match W {
        DISTINCT => Players::Distinct,
        FOLDED => Players::Folded,
        _ => Players::Unnamed,
    };
    const POINTS: bool = true;

    fn turn(&self, state: &State) -> Player {
        assert!(W != UNNAMED, "asked for the player to move where states do not say it");
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
        visit_all::<A>(self.0.moves(state).into_iter().map(|(next, _)| next).collect(), visit);
    }

    fn gain(&self, state: &State, next: &State) -> i16 {
        assert_eq!(self.terminal(state), None, "the moves of a terminal state are nobody's");
        self.0.gain(state, next)
    }

    fn max_points(&self) -> u16 {
        self.0.recipe.most.unwrap_or(self.0.enough())
    }

    fn roots(&self) -> impl IntoIterator<Item = State> {
        self.0.roots()
    }

    fn predecessors(&self, state: &State, visit: impl FnMut(State)) {
        if P >= ALL {
            visit_all::<A>(self.sources(state), visit);
        }
    }

    fn no_moves(&self, state: &State) -> Option<Outcome> {
        assert!(self.0.moves(state).is_empty(), "called for a state with moves");
        Some(self.0.stuck(state))
    }

    fn canonical(&self, state: &State) -> State {
        State { flipped: false, ..*state }
    }
}

/// Every second index is unused, and the mirror is folded away.
impl<const P: u8, const A: bool, const W: u8> Indexed for PointGame<P, A, W> {
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
        self.visit_indices(self.sources(state), |source| self.index(source), visit)
    }
}

impl<const P: u8, const A: bool, const W: u8> Tiered for PointGame<P, A, W> {
    const TIER_PREDECESSORS: bool = P != NONE;

    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier| Tier { name: format!("tier-{tier}"), leads_to: (0..tier).collect() };
        (0..self.0.recipe.tiers).map(tier).collect()
    }

    fn tier(&self, state: &State) -> usize {
        self.0.tier(state)
    }

    fn tier_predecessors(&self, tier: usize, state: &State, visit: impl FnMut(State)) {
        assert_eq!(tier, self.tier(state), "called for a state of another tier");
        if P != NONE {
            let mut sources = self.sources(state);
            sources.retain(|source| self.tier(source) == tier);
            visit_all::<A>(sources, visit);
        }
    }

    /// The last first.
    fn exits(&self, tier: usize, state: &State, visit: impl FnMut(State)) {
        assert_eq!(tier, self.tier(state), "called for a state of another tier");
        let exits = self.0.moves(state).into_iter().map(|(next, _)| next).rev();
        visit_all::<A>(exits.filter(|next| self.tier(next) != tier).collect(), visit);
    }

    /// Two states that share an index are distinct where different players are to move.
    fn tier_degree(&self, tier: usize, state: &State) -> Option<u64> {
        let moves = self.0.moves(state).into_iter().map(|(next, _)| next);
        let key = |next: State| (next.node, (W != UNNAMED).then(|| self.0.turn(&next)));
        let inside: BTreeSet<_> = moves.filter(|next| self.tier(next) == tier).map(key).collect();
        self.0.recipe.degree.then_some(inside.len() as u64)
    }
}

/// Every second index is unused.
impl<const P: u8, const A: bool, const W: u8> TierIndexed for PointGame<P, A, W> {
    fn tier_len(&self, tier: usize) -> u64 {
        2 * self.0.recipe.nodes_of(tier).len() as u64
    }

    fn tier_index(&self, tier: usize, state: &State) -> u64 {
        2 * u64::from(state.node - self.0.recipe.nodes_of(tier)[0]) + 1
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<State> {
        let node = self.0.recipe.nodes_of(tier)[(index / 2) as usize];
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
        self.visit_indices(sources, |source| self.tier_index(tier, source), visit)
    }

    const TIER_SUCCESSOR_INDICES: bool = P == BY_INDEX;

    fn tier_successor_indices(
        &self,
        tier: usize,
        state: &State,
        visitor: &mut impl VisitSuccessors<State>,
    ) {
        assert_eq!(P, BY_INDEX, "called for a game that does not tell indices");
        for (next, _) in self.0.moves(state).into_iter().rev() {
            match self.tier(&next) == tier {
                true => visitor.stay(self.tier_index(tier, &next), self.0.turn(&next)),
                false => visitor.leave(next),
            }
        }
    }
}

impl<const P: u8, const A: bool, const W: u8> PackedState for PointGame<P, A, W> {
    type Word = u64;

    fn pack(&self, state: &State) -> u64 {
        u64::from(state.node) << 1 | u64::from(state.flipped)
    }

    fn unpack(&self, packed: u64) -> State {
        State { node: (packed >> 1) as u16, flipped: packed % 2 == 1 }
    }
}

impl<const P: u8, const A: bool, const W: u8> Numbered for PointGame<P, A, W> {
    type Numberings = (
        scheme::Tiers<scheme::Dense>,
        scheme::Tiers<scheme::Packed>,
        scheme::Dense,
        scheme::Hashed,
        scheme::Packed,
    );
}

impl<const P: u8, const A: bool, const W: u8> Notation for PointGame<P, A, W> {
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

impl<const P: u8, const A: bool, const W: u8> Stored for PointGame<P, A, W> {
    const NAME: &'static str = "points";
}
