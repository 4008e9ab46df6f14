//! Cops and robbers: some cops chase a robber on a graph.
//!
//! The cops choose their nodes, then the robber chooses one. They move in turns, the cops first.
//! In the usual game each cop moves along an edge or stays, and so does the robber. The cops win
//! when one of them is on the robber's node. If they never catch the robber, the robber wins.
//! (R. Nowakowski and P. Winkler, "Vertex-to-vertex pursuit in a graph", 1983; A. Quilliot, 1978;
//! M. Aigner and M. Fromme, "A game of cops and robbers", 1984.)
//!
//! Both choices are plies, and a round is a ply of the cops and one of the robber. So from the start,
//! a catch in round t takes 2 t + 1 plies. The rounds until the catch are the capture time of the
//! graph (A. Bonato, P. Golovach, G. Hahn and J. Kratochvíl, "The capture time of a graph", 2009).
//!
//! Cops are alike, so their nodes are a multiset, which has one index whatever their order.

mod capture;
mod moves;
mod notation;
mod options;
mod placings;

use std::ops::Range;
use std::sync::OnceLock;

use retrograde::scene::Scene;
use retrograde::{Game, Indexed, Numbered, Outcome, Player, scheme};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::graphs::{Graph, GraphError, steps};
use crate::shared;
use moves::Moves;
pub use options::CopsOptions;
use placings::{Cops as Nodes, Placings};

/// The most cops.
pub const MOST_COPS: usize = 6;

/// The player who moves the cops, and moves first.
const COPS: Player = Player::First;
/// The player who moves the robber.
const ROBBER: Player = Player::Second;

/// The node of someone who has not chosen one.
const NOWHERE: u16 = u16::MAX;

/// The parameters of a game of cops and robbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopsParameters {
    /// For every node, the nodes that it has an edge to.
    #[serde(with = "steps")]
    pub graph: Vec<Vec<i64>>,
    /// Whether edges lead one way only. Otherwise each is given from both its ends.
    pub directed: bool,
    /// The number of cops, from 1 to [`MOST_COPS`].
    pub cops: u32,
    /// Who may stay in place of a move.
    pub passing: Passing,
    /// Whether at most one cop moves at a time.
    pub lazy: bool,
    /// How many edges the robber may run along in a move, at least 1. The robber can't run past a cop.
    pub robber_speed: u32,
}

impl Default for CopsParameters {
    /// An empty graph, and the usual game with one cop.
    fn default() -> CopsParameters {
        CopsParameters {
            graph: Vec::new(),
            directed: false,
            cops: 1,
            passing: Passing::Both,
            lazy: false,
            robber_speed: 1,
        }
    }
}

/// Who may stay in place of a move. Someone who has no edge to move along always stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Passing {
    /// Each cop, and the robber.
    #[default]
    Both,
    /// Each cop. The robber has to move.
    Cops,
    /// The robber. All cops have to move, or one of them if they are lazy.
    Robber,
    /// Neither: the game is fully active.
    Nobody,
}

/// An error in the parameters of a game of cops and robbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CopsError {
    /// The graph is not one to play on.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// There is no cop, or there are too many.
    #[error("{0} cops: expected 1 to {MOST_COPS}")]
    Cops(u32),
    /// The robber has no speed.
    #[error("a robber of speed 0: expected at least 1")]
    Speed,
    /// There are too many states to number.
    #[error("{cops} cops on {nodes} nodes have more states than can be numbered: use fewer")]
    TooLarge {
        /// The number of cops.
        cops: u32,
        /// The number of nodes.
        nodes: usize,
    },
}

/// Where everybody is, and who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Beat {
    /// The nodes of the cops in ascending order, 0 behind the last; nowhere before they choose.
    cops: Nodes,
    /// The node of the robber; nowhere before the choice.
    robber: u16,
    /// The player to move: the cops are [`Player::First`].
    turn: Player,
}

/// Cops and robbers on a graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "CopsParameters", into = "CopsParameters")]
pub struct Cops {
    graph: Graph,
    cops: usize,
    passing: Passing,
    lazy: bool,
    robber_speed: u32,
    moves: Moves,
    placings: Placings,
    /// The graph as it is drawn, if it is, from the first picture on.
    drawn: OnceLock<Option<Scene>>,
}

impl Cops {
    /// The game with these parameters.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn new(parameters: &CopsParameters) -> Result<Cops, CopsError> {
        let &CopsParameters { ref graph, directed, cops, passing, lazy, robber_speed } = parameters;
        let graph = Graph::with_at_least(1, graph, directed)?;
        let number = match usize::try_from(cops) {
            Ok(number @ 1..=MOST_COPS) => number,
            _ => return Err(CopsError::Cops(cops)),
        };
        if robber_speed == 0 {
            return Err(CopsError::Speed);
        }
        let nodes = graph.nodes();
        let placings = Placings::new(nodes as u16, number);
        let states = |placings: &Placings| {
            let with_robber = placings.len().checked_mul(2 * nodes as u64)?;
            with_robber.checked_add(placings.len())?.checked_add(1)
        };
        let placings = placings.filter(|placings| states(placings).is_some());
        let placings = placings.ok_or(CopsError::TooLarge { cops, nodes })?;
        let moves = Moves::new(&graph, passing);
        let drawn = OnceLock::new();
        Ok(Cops { graph, cops: number, passing, lazy, robber_speed, moves, placings, drawn })
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The number of rounds until the robber is caught, if that takes this many plies from the start:
    /// the capture time of the graph.
    #[must_use]
    pub fn rounds(plies: u32) -> u32 {
        // Without a round, the robber is caught by the second ply, the choice of a node.
        plies.saturating_sub(1) / 2
    }

    fn parameters(self) -> CopsParameters {
        CopsParameters {
            graph: self.graph.lists(),
            directed: self.graph.is_directed(),
            cops: self.cops as u32,
            passing: self.passing,
            lazy: self.lazy,
            robber_speed: self.robber_speed,
        }
    }

    /// The state at the start, before anybody has chosen a node.
    fn start(&self) -> Beat {
        let mut cops = [0; MOST_COPS];
        cops[..self.cops].fill(NOWHERE);
        Beat { cops, robber: NOWHERE, turn: COPS }
    }

    /// The state in which the cops have chosen these nodes, and the robber has not.
    fn chosen(cops: Nodes) -> Beat {
        Beat { cops, robber: NOWHERE, turn: ROBBER }
    }

    /// The nodes of the cops; none before they choose.
    #[inline]
    fn cops_of<'b>(&self, beat: &'b Beat) -> &'b [u16] {
        let cops = &beat.cops[..self.cops];
        if cops[0] == NOWHERE { &[] } else { cops }
    }

    /// Whether a cop is on the robber's node.
    #[inline]
    fn is_caught(&self, beat: &Beat) -> bool {
        beat.robber != NOWHERE && beat.cops[..self.cops].contains(&beat.robber)
    }

    /// The number of states with everybody on a node.
    #[inline]
    fn chases(&self) -> u64 {
        2 * self.graph.nodes() as u64 * self.placings.len()
    }

    fn each_node(&self) -> Range<u16> {
        0..self.graph.nodes() as u16
    }
}

impl Game for Cops {
    type State = Beat;
    const PREDECESSORS: bool = true;

    #[inline]
    fn turn(&self, beat: &Beat) -> Player {
        beat.turn
    }

    #[inline]
    fn terminal(&self, beat: &Beat) -> Option<Outcome> {
        self.is_caught(beat).then_some(Outcome::Win(COPS))
    }

    #[inline]
    fn moves(&self, beat: &Beat, mut visit: impl FnMut(Beat)) {
        let &Beat { cops, robber, turn } = beat;
        if self.cops_of(beat).is_empty() {
            let mut cops = self.placings.unrank(0);
            for _ in 0..self.placings.len() {
                visit(Cops::chosen(cops));
                self.placings.next(&mut cops);
            }
        } else if robber == NOWHERE {
            self.each_node().for_each(|robber| visit(Beat { cops, robber, turn: COPS }));
        } else if turn == COPS {
            let visit = |cops| visit(Beat { cops, robber, turn: ROBBER });
            moves::of_cops(&cops, self.cops, self.lazy, |node| self.moves.from(node), visit);
        } else {
            let visit = |robber| visit(Beat { cops, robber, turn: COPS });
            let successors = |node| self.graph.successors(node);
            let stays = self.moves.robber_stays(robber);
            let guards = self.cops_of(beat);
            moves::of_robber(robber, self.robber_speed, stays, guards, successors, visit);
        }
    }

    #[inline]
    fn predecessors(&self, beat: &Beat, mut visit: impl FnMut(Beat)) {
        let &Beat { cops, robber, turn } = beat;
        let guards = self.cops_of(beat);
        if guards.is_empty() {
            return;
        }
        if robber == NOWHERE {
            visit(self.start());
            return;
        }
        if turn == COPS {
            visit(Cops::chosen(cops));
            let predecessors = |node| self.graph.predecessors(node);
            let stays = self.moves.robber_stays(robber);
            moves::of_robber(robber, self.robber_speed, stays, guards, predecessors, |robber| {
                if !guards.contains(&robber) {
                    visit(Beat { cops, robber, turn: ROBBER });
                }
            });
            return;
        }
        moves::of_cops(
            &cops,
            self.cops,
            self.lazy,
            |node| self.moves.to(node),
            |cops| {
                if !cops[..self.cops].contains(&robber) {
                    visit(Beat { cops, robber, turn: COPS });
                }
            },
        );
    }

    fn roots(&self) -> impl IntoIterator<Item = Beat> {
        [self.start()]
    }

    fn endless(&self) -> Outcome {
        Outcome::Win(ROBBER)
    }
}

/// Everybody on a node, either to move; then the choices of the cops; then the start.
impl Indexed for Cops {
    #[inline]
    fn len(&self) -> u64 {
        self.chases() + self.placings.len() + 1
    }

    #[inline]
    fn index(&self, beat: &Beat) -> u64 {
        if self.cops_of(beat).is_empty() {
            return self.len() - 1;
        }
        let placing = self.placings.rank(&beat.cops);
        match beat.robber {
            NOWHERE => self.chases() + placing,
            robber => {
                let chase = placing * self.graph.nodes() as u64 + u64::from(robber);
                2 * chase + beat.turn.index() as u64
            }
        }
    }

    #[inline]
    fn unindex(&self, index: u64) -> Option<Beat> {
        let (chase, turn) = (index / 2, Player::BOTH[(index % 2) as usize]);
        Some(match index.checked_sub(self.chases()) {
            None => {
                let nodes = self.graph.nodes() as u64;
                let cops = self.placings.unrank(chase / nodes);
                Beat { cops, robber: (chase % nodes) as u16, turn }
            }
            Some(placing) if placing < self.placings.len() => {
                Cops::chosen(self.placings.unrank(placing))
            }
            Some(_) => self.start(),
        })
    }

    /// Goes from each placing to the next, which takes no search.
    #[inline]
    fn states(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Beat)) {
        let chases = indices.start..indices.end.min(self.chases());
        if let Some(Beat { mut cops, mut robber, .. }) =
            (!chases.is_empty()).then(|| self.unindex(chases.start)).flatten()
        {
            for index in chases {
                let turn = Player::BOTH[(index % 2) as usize];
                visit(index, Beat { cops, robber, turn });
                if turn == ROBBER {
                    robber += 1;
                    if usize::from(robber) == self.graph.nodes() {
                        robber = 0;
                        self.placings.next(&mut cops);
                    }
                }
            }
        }
        for index in indices.start.max(self.chases())..indices.end {
            if let Some(beat) = self.unindex(index) {
                visit(index, beat);
            }
        }
    }
}

impl Numbered for Cops {
    type Numberings = scheme::Dense;
}

shared::shipped! {
    Cops, "cops": "Cops and robbers: cops chase a robber on a graph",
    example: "--graph '[[1,3],[0,2],[1,3],[2,0]]' --cops 2",
    states: "cops' nodes, robber's node, who moves; - for a node to be chosen: 0+2,1,cops",
    parameters: CopsParameters,
    made: |parameters| Cops::new(&parameters), CopsError,
    kept: Cops::parameters,
    options: CopsOptions, CopsOptions::game,
    many: CopsOptions::many,
}
