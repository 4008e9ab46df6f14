//! Cat and Mouse: a pursuit on a graph (LeetCode 913).
//!
//! A mouse and a cat move in turns along the edges of a graph, the mouse first. The cat may not
//! enter the hole. The mouse wins when it is in the hole, the cat when both are on one node, and a
//! position that repeats is a draw.
//!
//! The engine computes that last rule by calling endless play a draw. From a position that is won
//! in d plies, the winner has a move to one that is won in d - 1, and every answer leads to one
//! that is won in d - 2 or fewer. The distance falls with every ply, so no position repeats and no
//! forced win is lost. Where nobody can force a win, both can avoid losing for ever. There are
//! finitely many positions, so one of them then repeats, which is a draw under either rule.

mod notation;
mod options;
mod scene;

use std::ops::Range;
use std::sync::OnceLock;

use retrograde::index::Divisor;
use retrograde::scene::Scene;
use retrograde::{Game, Indexed, NotationError, Numbered, Outcome, PackedState, Player, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::graphs::steps;
pub use crate::graphs::{Graph, GraphError, MOST_NODES};
use crate::pursuit::{self, CAT, Chase, MOUSE};
use crate::shared;
pub use options::CatMouseOptions;

/// The parameters of a game of Cat and Mouse.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CatMouseParameters {
    /// For every node, the nodes that it has an edge to: LeetCode's form. That of a large graph is
    /// written as the steps that lead there, which are alike all over a graph and compress well.
    #[serde(with = "steps")]
    pub graph: Vec<Vec<i64>>,
    /// Whether edges lead one way only. Otherwise each is given from both its ends.
    pub directed: bool,
    /// The node where the mouse starts.
    pub mouse: u32,
    /// The node where the cat starts.
    pub cat: u32,
    /// The node that is the mouse's goal and closed to the cat.
    pub hole: u32,
    /// The outcome when a player can't move. Without it, a start from which the mouse or the
    /// cat can come to be stuck is refused, and other placements from which they can are no
    /// positions of the game.
    pub stuck: Option<Stuck>,
}

impl Default for CatMouseParameters {
    /// An empty graph, and LeetCode's start: the mouse on node 1, the cat on node 2, the hole
    /// on node 0.
    fn default() -> Self {
        let graph = Vec::new();
        CatMouseParameters { graph, directed: false, mouse: 1, cat: 2, hole: 0, stuck: None }
    }
}

/// The outcome when a player can't move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Stuck {
    /// A draw.
    Draw,
    /// A win for the mouse.
    Mouse,
    /// A win for the cat.
    Cat,
}

/// An error in the parameters of a game of Cat and Mouse.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CatMouseError {
    /// The graph is not one to play on.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The mouse, the cat or the hole is on a node that is not there.
    #[error("{what} {node} is not a node: the nodes are 0 to {last}")]
    NoSuchNode {
        /// Which of them.
        what: &'static str,
        /// The node that it should be on.
        node: u32,
        /// The last node.
        last: usize,
    },
    /// The cat starts in the hole.
    #[error("the cat can't start on node {0}, which is the hole")]
    CatInHole(u32),
    /// An animal can come to where it cannot move.
    #[error(
        "the {animal} cannot move from {}: choose the outcome of that with --stuck draw, mouse or \
         cat",
        list(nodes)
    )]
    Stuck {
        /// Which animal.
        animal: &'static str,
        /// The nodes from which it cannot move.
        nodes: Vec<u16>,
    },
}

/// Cat and Mouse on a graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "CatMouseParameters", into = "CatMouseParameters")]
pub struct CatMouse {
    graph: Graph,
    start: Chase,
    hole: u16,
    stuck: Option<Stuck>,
    /// How many nodes the cat can be on: all but the hole.
    cats: Divisor,
    /// How many moves the mouse, and the cat, have from each node.
    degrees: [Vec<u16>; 2],
    /// Without an outcome for it: the nodes from which the mouse, and the cat, can come to where it
    /// can't move. Empty if neither can.
    fated: [Vec<bool>; 2],
    /// The graph as it is drawn, if it is, from the first picture on.
    drawn: OnceLock<Option<Scene>>,
}

impl CatMouse {
    /// The game with these parameters.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn new(parameters: &CatMouseParameters) -> Result<CatMouse, CatMouseError> {
        let &CatMouseParameters { ref graph, directed, mouse, cat, hole, stuck } = parameters;
        let graph = Graph::new(graph, directed)?;
        let node = |what, node: u32| match u16::try_from(node) {
            Ok(node) if usize::from(node) < graph.nodes() => Ok(node),
            _ => Err(CatMouseError::NoSuchNode { what, node, last: graph.nodes() - 1 }),
        };
        let hole_node = node("the hole", hole)?;
        let mouse = node("the mouse's start", mouse)?;
        let cat_node = node("the cat's start", cat)?;
        if cat_node == hole_node {
            return Err(CatMouseError::CatInHole(cat));
        }
        let start = Chase { mouse, cat: cat_node, turn: MOUSE };
        let cats = Divisor::new(graph.nodes() as u64 - 1);
        let degree = |node| graph.successors(node).len() as u16;
        let mouse_degrees: Vec<u16> = (0..graph.nodes() as u16).map(degree).collect();
        let mut cat_degrees = mouse_degrees.clone();
        graph.predecessors(hole_node).iter().for_each(|&from| cat_degrees[usize::from(from)] -= 1);
        let degrees = [mouse_degrees, cat_degrees];
        let drawn = OnceLock::new();
        let fated = [Vec::new(), Vec::new()];
        let mut game =
            CatMouse { graph, start, hole: hole_node, stuck, cats, degrees, fated, drawn };
        if stuck.is_none() {
            game.fated = Player::BOTH.map(|player| game.fated(player));
            if game.fated.iter().flatten().all(|is_fated| !is_fated) {
                game.fated = Default::default();
            }
        }
        match [CAT, MOUSE].into_iter().find(|&player| game.is_fated(player, start.place(player))) {
            Some(player) if !game.is_state(&start) => Err(CatMouseError::Stuck {
                animal: pursuit::name(player),
                nodes: game.stuck_nodes(player),
            }),
            _ => Ok(game),
        }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    fn parameters(self) -> CatMouseParameters {
        CatMouseParameters {
            graph: self.graph.lists(),
            directed: self.graph.is_directed(),
            mouse: self.start.mouse.into(),
            cat: self.start.cat.into(),
            hole: self.hole.into(),
            stuck: self.stuck,
        }
    }

    /// The nodes from which `player`'s animal cannot move.
    fn stuck_nodes(&self, player: Player) -> Vec<u16> {
        let nodes = 0..self.graph.nodes() as u16;
        let closed = |next: &u16| player == CAT && *next == self.hole;
        nodes
            .filter(|&node| node != self.hole && self.graph.successors(node).iter().all(closed))
            .collect()
    }

    /// For each node, whether `player`'s animal can come from there to a node where it cannot move.
    fn fated(&self, player: Player) -> Vec<bool> {
        let mut open = self.stuck_nodes(player);
        let mut fated = vec![false; self.graph.nodes()];
        open.iter().for_each(|&node| fated[usize::from(node)] = true);
        while let Some(node) = open.pop() {
            for &from in self.graph.predecessors(node) {
                // The hole is closed to the cat, and for the mouse the end of the game.
                if from != self.hole && !fated[usize::from(from)] {
                    fated[usize::from(from)] = true;
                    open.push(from);
                }
            }
        }
        fated
    }

    fn is_fated(&self, player: Player, node: u16) -> bool {
        self.fated[player.index()].get(usize::from(node)) == Some(&true)
    }

    /// Whether a placement is a position of the game: play from it can't come to where an animal cannot
    /// move, or there is an outcome for that.
    fn is_state(&self, state: &Chase) -> bool {
        let is_fated = |player: Player| self.is_fated(player, state.place(player));
        !Player::BOTH.into_iter().any(is_fated) || self.terminal(state).is_some()
    }

    /// Whether each placement is a position of the game.
    #[inline]
    fn has_all(&self) -> bool {
        self.fated[0].is_empty()
    }

    /// A placement that a person made, if it is a position of the game.
    fn placed(&self, state: Chase) -> Result<Chase, NotationError> {
        if self.is_state(&state) {
            return Ok(state);
        }
        let fated = [CAT, MOUSE].into_iter();
        let fated = fated.filter(|&player| self.is_fated(player, state.place(player)));
        let stuck = fated.map(|player| {
            let (animal, nodes) = (pursuit::name(player), self.stuck_nodes(player));
            format!(
                "the {animal} on node {} can come to where it cannot move: {}",
                state.place(player),
                list(&nodes)
            )
        });
        let stuck: Vec<String> = stuck.collect();
        Err(NotationError::new(format!(
            "{}; a game solved with --stuck draw, mouse or cat has an outcome for that",
            stuck.join(", and ")
        )))
    }
}

/// Names nodes in a sentence; the first few, if there are many.
fn list(nodes: &[u16]) -> String {
    let named: Vec<String> = nodes.iter().take(8).map(u16::to_string).collect();
    match (nodes.len(), nodes.len() - named.len()) {
        (1, _) => format!("node {}", named[0]),
        (_, 0) => format!("the nodes {}", named.join(", ")),
        (_, more) => format!("the nodes {} and {more} more", named.join(", ")),
    }
}

impl Game for CatMouse {
    type State = Chase;
    const PREDECESSORS: bool = true;
    const DISTINCT: bool = true;

    #[inline]
    fn turn(&self, state: &Chase) -> Player {
        state.turn
    }

    #[inline]
    fn terminal(&self, state: &Chase) -> Option<Outcome> {
        if state.mouse == state.cat {
            Some(Outcome::Win(CAT))
        } else if state.mouse == self.hole {
            Some(Outcome::Win(MOUSE))
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self, state: &Chase, mut visit: impl FnMut(Chase)) {
        let mover = state.turn;
        for &to in self.graph.successors(state.place(mover)) {
            if mover == MOUSE || to != self.hole {
                visit(state.with(mover, to, mover.opponent()));
            }
        }
    }

    #[inline]
    fn predecessors(&self, state: &Chase, mut visit: impl FnMut(Chase)) {
        let &Chase { mouse, cat, turn } = state;
        let has_all = self.has_all();
        let mut visit = |before| {
            if has_all || self.is_state(&before) {
                visit(before);
            }
        };
        if turn == CAT {
            for &mouse in self.graph.predecessors(mouse) {
                visit(Chase { mouse, cat, turn: MOUSE });
            }
        } else {
            for &cat in self.graph.predecessors(cat) {
                if cat != self.hole {
                    visit(Chase { mouse, cat, turn: CAT });
                }
            }
        }
    }

    #[inline]
    fn degree(&self, state: &Chase) -> Option<u64> {
        let degrees = &self.degrees[state.turn.index()];
        Some(degrees[usize::from(state.place(state.turn))].into())
    }

    fn roots(&self) -> impl IntoIterator<Item = Chase> {
        [self.start]
    }

    #[inline]
    fn no_moves(&self, _: &Chase) -> Option<Outcome> {
        Some(match self.stuck {
            None | Some(Stuck::Draw) => Outcome::Draw,
            Some(Stuck::Mouse) => Outcome::Win(MOUSE),
            Some(Stuck::Cat) => Outcome::Win(CAT),
        })
    }
}

/// The mouse on any node, the cat on any node but the hole, either to move.
impl Indexed for CatMouse {
    #[inline]
    fn len(&self) -> u64 {
        self.graph.nodes() as u64 * self.cats.get() * 2
    }

    #[inline]
    fn index(&self, state: &Chase) -> u64 {
        let cat = u64::from(state.cat) - u64::from(state.cat > self.hole);
        (u64::from(state.mouse) * self.cats.get() + cat) * 2 + state.turn.index() as u64
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Chase> {
        let turn = if index.is_multiple_of(2) { MOUSE } else { CAT };
        let (mouse, cat) = self.cats.div_rem(index / 2);
        let (mouse, cat) = (mouse as u16, cat as u16);
        let state = Chase { mouse, cat: cat + u16::from(cat >= self.hole), turn };
        (self.has_all() || self.is_state(&state)).then_some(state)
    }

    /// Two nested loops over the placements, each with either to move: a third of the instructions
    /// that it takes to go by [`unindex`](Indexed::unindex).
    #[inline]
    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Chase)) {
        if !self.has_all() {
            let states = indices.filter_map(|index| Some((index, self.unindex(index)?)));
            states.for_each(|(index, state)| visit(index, state));
            return;
        }
        let placements = indices.start / 2..indices.end.div_ceil(2);
        let (first, mut cat) = self.cats.div_rem(placements.start);
        let mut placement = placements.start;
        for mouse in first.. {
            let row = (self.cats.get() - cat).min(placements.end.saturating_sub(placement));
            if row == 0 {
                break;
            }
            let mouse = mouse as u16;
            for cat in cat as u16..(cat + row) as u16 {
                let cat = cat + u16::from(cat >= self.hole);
                let index = 2 * placement;
                if index >= indices.start {
                    visit(index, Chase { mouse, cat, turn: MOUSE });
                }
                if index + 1 < indices.end {
                    visit(index + 1, Chase { mouse, cat, turn: CAT });
                }
                placement += 1;
            }
            cat = 0;
        }
    }
}

/// The mouse's node, the cat's, who is to move.
impl PackedState for CatMouse {
    type Word = u64;

    #[inline]
    fn pack(&self, state: &Chase) -> u64 {
        u64::from(state.mouse) << 17 | u64::from(state.cat) << 1 | state.turn.index() as u64
    }

    #[inline]
    fn unpack(&self, packed: u64) -> Chase {
        let turn = Player::BOTH[(packed & 1) as usize];
        Chase { mouse: (packed >> 17) as u16, cat: (packed >> 1) as u16, turn }
    }

    fn is_packed(&self, word: u64) -> bool {
        let chase = self.unpack(word);
        let are_nodes = [chase.mouse, chase.cat].map(|node| usize::from(node) < self.graph.nodes());
        let is_there = are_nodes == [true; 2] && chase.cat != self.hole;
        is_there && self.pack(&chase) == word && self.is_state(&chase)
    }
}

impl Numbered for CatMouse {
    type Numberings = scheme::Dense;
}

shared::shipped! {
    CatMouse, "cat-mouse": "Cat and Mouse on a graph (LeetCode 913)",
    example: "--graph '[[1,3],[0],[3],[0,2]]'",
    states: "mouse's node, cat's node, who moves: 1,2,mouse",
    parameters: CatMouseParameters,
    made: |parameters| CatMouse::new(&parameters), CatMouseError,
    kept: CatMouse::parameters,
    options: CatMouseOptions, CatMouseOptions::game,
    notes: CatMouse::notes,
}
