//! The graph as it is drawn.

use retrograde::scene::{Piece, Scene};

use super::CatMouse;
use super::layout::{is_dense, layout};

/// The most nodes of a graph that is drawn: more could not be told apart.
const MOST_NODES: usize = 300;

/// The most edges of a graph that is drawn: more would hide each other.
const MOST_EDGES: usize = 3_000;

/// A hole in the ground, as a path in a square of 100 by 100.
const HOLE: &str = "M10 54a40 26 0 1 1 80 0a40 26 0 1 1 -80 0z";

impl CatMouse {
    /// The graph and the hole, if there is a picture of them. It is laid out once: solving never
    /// needs it.
    pub(super) fn drawn_graph(&self) -> Option<&Scene> {
        self.drawn.get_or_init(|| self.draw_graph()).as_ref()
    }

    fn draw_graph(&self) -> Option<Scene> {
        let nodes = 0..self.graph.nodes() as u16;
        if nodes.len() > MOST_NODES {
            return None;
        }
        let neighbours: Vec<Vec<usize>> = nodes
            .clone()
            .map(|node| self.graph.successors(node).iter().map(|&next| next.into()).collect())
            .collect();
        let ends = if self.graph.is_directed() { 1 } else { 2 };
        if neighbours.iter().map(Vec::len).sum::<usize>() > ends * MOST_EDGES {
            return None;
        }
        let mut scene = Scene::new();
        for (node, [x, y]) in layout(&neighbours).into_iter().enumerate() {
            scene.named_point(x, y, &node.to_string());
        }
        for (from, nexts) in neighbours.iter().enumerate() {
            for &to in nexts {
                // An edge that leads both ways is drawn once.
                if !neighbours[to].contains(&from) {
                    scene.arrow(from, to);
                } else if from < to {
                    scene.line(from, to);
                }
            }
        }
        if is_dense(&neighbours) {
            scene.set_faint_lines();
        }
        scene.put(self.hole.into(), Piece::disc("hole").with_path(HOLE));
        Some(scene)
    }
}
