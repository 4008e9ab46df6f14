//! The games whose tables these tests damage, forge and search.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, PackedState, Player, Players,
    Stored, Tier, TierIndexed, Tiered, scheme,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use Player::{First, Second};

/// The name of a node: a state of the game, stored with even or uneven width.
pub(crate) trait Name:
    'static + Clone + Eq + Ord + Hash + Debug + Serialize + DeserializeOwned + Send + Sync
{
    fn of(node: u32) -> Self;
    fn node(&self) -> u32;
}

impl Name for u32 {
    fn of(node: u32) -> u32 {
        node
    }

    fn node(&self) -> u32 {
        *self
    }
}

impl Name for String {
    fn of(node: u32) -> String {
        node.to_string()
    }

    fn node(&self) -> u32 {
        // Texts from a file may be no numbers.
        self.parse().unwrap_or(u32::MAX)
    }
}

/// How the rules differ from the parameters in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lie {
    #[default]
    None,
    /// The second player wins at node 3, and not the first.
    OtherWinner,
    /// Node 3 is a draw, and not a win.
    WinIsDraw,
    /// Node 5 is a win, and not a draw.
    DrawIsWin,
    /// Node 1 takes a longer way to its loss.
    Later,
    /// Node 0 takes a shorter way to its win.
    Sooner,
    /// Node 8 can wait instead of going to its draw.
    DrawIsEndless,
    /// Node 6 can't wait.
    EndlessIsDraw,
    /// Node 7 has no index.
    NewHole,
    /// Index 12 is the index of a state.
    NewState,
    /// Endless play is a win.
    EndlessWins,
    /// Play starts only at node 0.
    FewerRoots,
}

/// Fourteen nodes with every kind of value, and an unused index 12. All nodes beyond these lose at
/// once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Small<S> {
    pub(crate) nodes: u32,
    #[serde(skip)]
    pub(crate) lie: Lie,
    #[serde(skip)]
    pub(crate) names: PhantomData<S>,
}

pub(crate) const HOLE: u32 = 12;

impl<S: Name> Small<S> {
    pub(crate) fn new(lie: Lie) -> Self {
        Small { nodes: 14, lie, names: PhantomData }
    }

    /// Every state, in order.
    pub(crate) fn states(&self) -> Vec<S> {
        let mut states: Vec<S> = (0..self.nodes).filter(|&node| node != HOLE).map(S::of).collect();
        states.sort_unstable();
        states
    }

    fn node(&self, node: u32) -> (Player, &'static [u32]) {
        match (node, self.lie) {
            (0, Lie::Sooner) => (First, &[2, 6]), // won in 2
            (0, _) => (First, &[1, 6]),           // won in 3
            (1, Lie::Later) => (Second, &[13]),   // lost in 3
            (1, _) => (Second, &[2]),             // lost in 2
            (2, _) => (First, &[3]),              // won in 1
            (4, _) => (Second, &[5, 1]),          // a draw in 1
            (6, Lie::EndlessIsDraw) => (First, &[4]),
            (6, _) => (First, &[4, 6]), // endless
            (7, _) => (Second, &[8]),   // a draw in 3
            (8, Lie::DrawIsEndless) => (First, &[9, 4, 8]),
            (8, _) => (First, &[9, 4]), // a draw in 2
            (10, _) => (Second, &[9]),  // won in 1
            (11, _) => (First, &[10]),  // lost in 2
            (13, _) => (First, &[2]),   // won in 2, two plies in a row
            _ => (First, &[]),
        }
    }
}

impl<S: Name> Game for Small<S> {
    type State = S;

    fn turn(&self, state: &S) -> Player {
        self.node(state.node()).0
    }

    fn terminal(&self, state: &S) -> Option<Outcome> {
        match (state.node(), self.lie) {
            (3, Lie::OtherWinner) => Some(Outcome::Win(Second)),
            (3, Lie::WinIsDraw) => Some(Outcome::Draw),
            (3, _) => Some(Outcome::Win(First)),
            (5, Lie::DrawIsWin) => Some(Outcome::Win(First)),
            (5, _) => Some(Outcome::Draw),
            (9 | 12 | 14.., _) => Some(Outcome::Win(Second)),
            _ => None,
        }
    }

    fn moves(&self, state: &S, visit: impl FnMut(S)) {
        self.node(state.node()).1.iter().copied().map(S::of).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = S> {
        let mut roots = if self.lie == Lie::FewerRoots { vec![S::of(0)] } else { self.states() };
        roots.retain(|root| !(self.lie == Lie::NewHole && root.node() == 7));
        roots
    }

    fn endless(&self) -> Outcome {
        if self.lie == Lie::EndlessWins { Outcome::Win(First) } else { Outcome::Draw }
    }
}

impl<S: Name> Indexed for Small<S> {
    fn len(&self) -> u64 {
        self.nodes.into()
    }

    fn index(&self, state: &S) -> u64 {
        state.node().into()
    }

    fn unindex(&self, index: u64) -> Option<S> {
        match (index as u32, self.lie) {
            (7, Lie::NewHole) => None,
            (HOLE, lie) if lie != Lie::NewState => None,
            (node, _) => Some(S::of(node)),
        }
    }
}

impl<S: Name> Numbered for Small<S> {
    type Numberings = (scheme::Dense, scheme::Hashed);
}

impl<S: Name> Stored for Small<S> {
    const NAME: &'static str = "small";
}

/// All schemes.
pub(crate) type AllSchemes = (
    scheme::Dense,
    scheme::Hashed,
    scheme::Packed,
    scheme::Tiers<scheme::Dense>,
    scheme::Tiers<scheme::Packed>,
);

/// A tree of several blocks. Node n has the children 2n + 1 and 2n + 2.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Tree<S, L = AllSchemes> {
    pub(crate) nodes: u32,
    #[serde(skip)]
    pub(crate) names: PhantomData<S>,
    /// The schemes that the game lists.
    #[serde(skip)]
    list: PhantomData<L>,
}

impl<S: Name> Tree<S> {
    pub(crate) fn new(nodes: u32) -> Self {
        Tree::listing(nodes)
    }
}

impl<S: Name, L> Tree<S, L> {
    pub(crate) fn listing(nodes: u32) -> Self {
        Tree { nodes, names: PhantomData, list: PhantomData }
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + use<S, L> {
        let (first, nodes) = (2 * u64::from(node) + 1, u64::from(self.nodes));
        (first..nodes.min(first + 2)).map(|child| child as u32)
    }
}

/// A number without a pattern.
fn mixed(node: u32) -> u32 {
    node.wrapping_mul(0x9E37_79B9) >> 16
}

impl<S: Name, L: Sync> Game for Tree<S, L> {
    type State = S;

    const PREDECESSORS: bool = true;
    const DISTINCT: bool = true;

    fn turn(&self, state: &S) -> Player {
        Player::BOTH[(mixed(state.node()) % 2) as usize]
    }

    fn terminal(&self, state: &S) -> Option<Outcome> {
        let node = state.node();
        let ends = [Outcome::Win(First), Outcome::Draw, Outcome::Win(Second)];
        self.children(node).next().is_none().then_some(ends[(mixed(node) / 2 % 3) as usize])
    }

    fn moves(&self, state: &S, visit: impl FnMut(S)) {
        self.children(state.node()).map(S::of).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = S> {
        [S::of(0)]
    }

    fn predecessors(&self, state: &S, mut visit: impl FnMut(S)) {
        if let Some(left) = state.node().checked_sub(1) {
            visit(S::of(left / 2));
        }
    }
}

impl<S: Name, L: Sync> Indexed for Tree<S, L> {
    fn len(&self) -> u64 {
        self.nodes.into()
    }

    fn index(&self, state: &S) -> u64 {
        state.node().into()
    }

    fn unindex(&self, index: u64) -> Option<S> {
        Some(S::of(index as u32))
    }
}

impl<S, L> Tree<S, L> {
    /// The first node of a tier.
    fn first(&self, tier: usize) -> u32 {
        [self.nodes / 3, 0][tier]
    }
}

/// The tree cut in two.
impl<S: Name, L: Sync> Tiered for Tree<S, L> {
    fn tiers(&self) -> Vec<Tier> {
        vec![
            Tier { name: "far".into(), leads_to: vec![] },
            Tier { name: "near".into(), leads_to: vec![0] },
        ]
    }

    fn tier(&self, state: &S) -> usize {
        usize::from(state.node() < self.nodes / 3)
    }
}

impl<S: Name, L: Sync> TierIndexed for Tree<S, L> {
    fn tier_len(&self, tier: usize) -> u64 {
        ([self.nodes, self.nodes / 3][tier] - self.first(tier)).into()
    }

    fn tier_index(&self, tier: usize, state: &S) -> u64 {
        (state.node() - self.first(tier)).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<S> {
        Some(S::of(self.first(tier) + index as u32))
    }
}

impl<S: Name, L: Sync> PackedState for Tree<S, L> {
    type Word = u64;

    fn pack(&self, state: &S) -> u64 {
        state.node().into()
    }

    fn unpack(&self, packed: u64) -> S {
        S::of(packed as u32)
    }
}

impl<S: Name, L: Sync> Stored for Tree<S, L> {
    const NAME: &'static str = "tree";
}

impl<S: Name, L: scheme::Numberings<Self> + Sync> Numbered for Tree<S, L> {
    type Numberings = L;
}

/// A row of states, with a few unused indices. In each state play is over, or the only move leads
/// to the state before. The ends of play repeat after a number of indices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Strip {
    pub(crate) len: u32,
    /// If given, the states are in rows of this many columns, and in most columns the ends of all
    /// rows are equal. Otherwise the ends repeat after 70,001 indices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    columns: Option<u32>,
    /// If given, the ends of the other columns repeat after this many indices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    period: Option<u32>,
}

impl Strip {
    pub(crate) fn new(len: u32) -> Strip {
        Strip { len, columns: None, period: None }
    }

    /// The number of columns in [`rows`](Strip::rows).
    pub(crate) const COLUMNS: u32 = 1 << 10;

    /// Rows of states. In most columns, the ends of all rows are equal.
    pub(crate) fn rows(len: u32) -> Strip {
        Strip { len, columns: Some(Strip::COLUMNS), period: None }
    }

    /// The same as [`rows`](Strip::rows), except that all ends repeat after `period`.
    pub(crate) fn rows_again(len: u32, period: u32) -> Strip {
        Strip { period: Some(period), ..Strip::rows(len) }
    }

    pub(crate) fn is_hole(state: u32) -> bool {
        state % 1009 == 5
    }
}

impl Game for Strip {
    type State = u32;
    const PLAYERS: Players = Players::Solitary;

    fn turn(&self, _: &u32) -> Player {
        First
    }

    fn terminal(&self, &state: &u32) -> Option<Outcome> {
        let column = self.columns.map(|columns| state % columns);
        let place = match column {
            None => state % 70_001,
            Some(column) if mixed(column).is_multiple_of(4) => {
                self.period.map_or(state, |period| state % period)
            }
            Some(column) => column,
        };
        // Twice, so that the compressor finds no pattern within.
        let mixed = mixed(mixed(place) ^ place);
        let ends = [Outcome::Win(First), Outcome::Draw, Outcome::Win(Second)];
        let over = match column {
            None => place == 0 || mixed.is_multiple_of(8),
            Some(column) => state == 0 || column % 7 != 3,
        };
        let over = over || Strip::is_hole(state - 1);
        over.then_some(ends[(mixed / 8 % 3) as usize])
    }

    fn moves(&self, &state: &u32, mut visit: impl FnMut(u32)) {
        visit(state - 1);
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        [0]
    }
}

impl Indexed for Strip {
    fn len(&self) -> u64 {
        self.len.into()
    }

    fn index(&self, &state: &u32) -> u64 {
        state.into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32).filter(|&state| !Strip::is_hole(state))
    }
}

impl Stored for Strip {
    const NAME: &'static str = "strip";
}

impl Numbered for Strip {
    type Numberings = scheme::Dense;
}

impl Notation for Strip {
    fn write_state(&self, state: &u32) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        text.parse().map_err(|_| NotationError::new("a number was expected"))
    }
}

macro_rules! notation_by_node {
    ($game:ident) => {
        impl<S: Name> Notation for $game<S> {
            fn write_state(&self, state: &S) -> String {
                format!("node {}", state.node())
            }

            fn parse_state(&self, text: &str) -> Result<S, NotationError> {
                let node = text.strip_prefix("node ").and_then(|digits| digits.parse().ok());
                let node = node.filter(|&node| node < self.nodes);
                node.map(S::of).ok_or_else(|| NotationError::new("a node was expected"))
            }
        }
    };
}

notation_by_node!(Small);
notation_by_node!(Tree);
