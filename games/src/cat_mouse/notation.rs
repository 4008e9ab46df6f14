//! How people write the positions of Cat and Mouse, and what they look like.

use retrograde::scene::{Kit, Scene};
use retrograde::{Notation, NotationError, Player};

use super::{CatMouse, Stuck};
use crate::pursuit::{self, CAT, Chase};

impl Notation for CatMouse {
    fn player(&self, player: Player) -> &str {
        pursuit::name(player)
    }

    fn rules(&self) -> Option<String> {
        let (nodes, hole) = (self.graph.nodes(), self.hole);
        let stuck = match self.stuck {
            None if self.has_all() => "",
            None => " Positions are left out from which an animal can come to where it is stuck.",
            Some(Stuck::Draw) => " If the player to move is stuck, the game is a draw.",
            Some(Stuck::Mouse) => " If the player to move is stuck, the mouse wins.",
            Some(Stuck::Cat) => " If the player to move is stuck, the cat wins.",
        };
        Some(format!(
            "A mouse and a cat are on a graph of {nodes} nodes. They move in turns along an edge to \
             another node, the mouse first, and nobody may stay. The cat may not enter the hole, which \
             is node {hole}. The mouse wins if it comes to the hole. The cat wins if both are on one \
             node.{stuck} Endless play is a draw."
        ))
    }

    fn write_state(&self, state: &Chase) -> String {
        pursuit::write(state, |node| node.to_string())
    }

    fn parse_state(&self, text: &str) -> Result<Chase, NotationError> {
        let last = self.graph.nodes() - 1;
        let state = pursuit::parse(self, text, |text| match text.parse() {
            Ok(node) if usize::from(node) <= last => Ok(node),
            _ => {
                let message = format!("\"{text}\" is not a node: the nodes are 0 to {last}");
                Err(NotationError::new(message))
            }
        })?;
        if state.cat == self.hole {
            let message = format!("the cat can't be on node {}, which is the hole", self.hole);
            return Err(NotationError::new(message));
        }
        self.placed(state)
    }

    fn write_move(&self, from: &Chase, to: &Chase) -> String {
        let mover = from.turn;
        format!("{} {}-{}", pursuit::name(mover), from.place(mover), to.place(mover))
    }

    fn draw(&self, state: &Chase) -> String {
        let (mouse, cat, turn) = (state.mouse, state.cat, pursuit::name(state.turn));
        format!("mouse on {mouse}, cat on {cat}, hole {}; {turn} to move", self.hole)
    }

    /// The graph, if it has at most 300 nodes and 3,000 edges.
    fn scene(&self, state: &Chase) -> Option<Scene> {
        let mut scene = self.drawn_graph()?.clone();
        for player in Player::BOTH {
            scene.put(state.place(player).into(), pursuit::animal(player));
        }
        Some(scene)
    }

    fn kit(&self) -> Kit {
        pursuit::kit()
    }

    fn set_up(&self, scene: &Scene, turn: Player) -> Result<Chase, NotationError> {
        let state = pursuit::set_up(scene, turn, |node, player| match node as u16 {
            node if node == self.hole && player == CAT => {
                Err(format!("the cat can't be on node {node}, which is the hole"))
            }
            node => Ok(node),
        })?;
        self.placed(state)
    }

    fn move_places(&self, from: &Chase, to: &Chase) -> Vec<usize> {
        match self.drawn_graph() {
            Some(_) => [from, to].map(|state| usize::from(state.place(from.turn))).to_vec(),
            None => Vec::new(),
        }
    }

    fn with_other_mover(&self, state: &Chase) -> Option<Chase> {
        Some(Chase { turn: state.turn.opponent(), ..*state })
    }
}
