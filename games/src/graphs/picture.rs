//! A graph as it is drawn.

use retrograde::scene::Scene;

use super::Graph;
use super::layout::{is_dense, layout};

/// The most nodes of a graph that is drawn: more could not be told apart.
const MOST_NODES: usize = 300;

/// The most edges of a graph that is drawn: more would hide each other.
const MOST_EDGES: usize = 3_000;

/// The graph without anybody on it, each place the node of its number. `None` for more than 300
/// nodes or 3,000 edges.
pub(crate) fn picture(graph: &Graph) -> Option<Scene> {
    let nodes = 0..graph.nodes() as u16;
    if nodes.len() > MOST_NODES {
        return None;
    }
    let neighbours: Vec<Vec<usize>> = nodes
        .clone()
        .map(|node| graph.successors(node).iter().map(|&next| next.into()).collect())
        .collect();
    let ends = if graph.is_directed() { 1 } else { 2 };
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
    Some(scene)
}
