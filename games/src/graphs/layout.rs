//! Lays out a graph readably: neighbours near each other, few edges that cross.

use std::collections::VecDeque;
use std::f64::consts::TAU;

use super::room::{self, Edge, Point};

/// Up to this number of nodes, every pair of them pulls and pushes; beyond it, only neighbours and
/// pivots do.
const ALL_PAIRS: usize = 400;

/// The number of nodes to which all others measure their distance.
const PIVOTS: usize = 64;

/// Up to this number of nodes, several layouts are compared.
const FEW: usize = 80;

/// This number of crossings is as bad as one node that seems to be on an edge.
const MISLEADING: usize = 30;

/// Up to this number of nodes, a graph is drawn with room to spare.
const SMALL: usize = 16;

/// The least distance between two nodes of a larger graph, in sides of a cell.
const NEAREST: f64 = 0.86;

/// With more ends of edges than this for a node, only a circle can be read.
const DENSE: usize = 12;

/// How often every node is moved.
const ROUNDS: usize = 120;

/// The distance between neighbours, in sides of a cell.
const EDGE: f64 = 1.3;

/// Places for the nodes of a graph, given the neighbours of each; directions are ignored. The same
/// graph always has the same layout. Beyond 400 nodes, the time is proportional to the number of
/// nodes and edges.
///
/// The method is stress majorization (Gansner, Koren, North 2004), which brings distances on the
/// picture near the distances in the graph. It begins with pivot multidimensional scaling (Brandes,
/// Pich 2006). Up to 400 nodes, nodes are then moved away from each other and from edges that are
/// not their own.
///
/// # Panics
/// If a neighbour is not a node.
pub(super) fn layout(neighbours: &[Vec<usize>]) -> Vec<[f32; 2]> {
    let graph = Graph::of(neighbours);
    let count = graph.edges.len();
    let circle: Vec<Point> = (0..count).map(|node| on_circle(node, count)).collect();
    if is_dense(neighbours) {
        return from_the_corner(&scaled(&circle, NEAREST));
    }
    let mut layouts = vec![graph.relaxed(graph.scaled())];
    if count <= FEW {
        layouts.extend([graph.relaxed(circle.clone()), circle]);
    }
    let edges = graph.each_edge();
    for points in &mut layouts {
        points.iter_mut().flatten().for_each(|part| *part *= EDGE);
        if count <= ALL_PAIRS {
            room::make_room(points, &edges);
        }
    }
    let faults = |points: &Vec<Point>| match count {
        0..=FEW => crossings(points, &edges) + MISLEADING * room::misleading(points, &edges),
        _ => 0,
    };
    let best = layouts.into_iter().min_by_key(faults).unwrap_or_default();
    from_the_corner(&room::laid_flat(&drawn_together(best, &edges)))
}

/// Whether a graph has so many edges that its nodes are on a circle and its edges are faint.
pub(super) fn is_dense(neighbours: &[Vec<usize>]) -> bool {
    let ends: usize = neighbours.iter().map(Vec::len).sum();
    neighbours.len() > SMALL && ends > DENSE * neighbours.len()
}

/// A node's place on a circle on which neighbours are 1 apart.
fn on_circle(node: usize, count: usize) -> Point {
    let radius = count as f64 / TAU;
    let (sine, cosine) = (TAU * node as f64 / count as f64).sin_cos();
    [radius * cosine, radius * sine]
}

fn scaled(points: &[Point], by: f64) -> Vec<Point> {
    points.iter().map(|point| point.map(|part| part * by)).collect()
}

/// The layout of a large graph with its nodes as near to each other as can be, so that they are large on the
/// picture.
fn drawn_together(points: Vec<Point>, edges: &[Edge]) -> Vec<Point> {
    if !(SMALL..=ALL_PAIRS).contains(&points.len()) {
        return points;
    }
    let pairs = (0..points.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let distance = |(one, other): (usize, usize)| {
        let ([x1, y1], [x2, y2]) = (points[one], points[other]);
        (x1 - x2).hypot(y1 - y2)
    };
    let nearest = pairs.map(distance).fold(f64::INFINITY, f64::min);
    if nearest <= NEAREST {
        return points;
    }
    let nearer = scaled(&points, NEAREST / nearest);
    match room::misleading(&nearer, edges) > room::misleading(&points, edges) {
        true => points,
        false => nearer,
    }
}

/// An undirected graph, and the distances of its nodes from the pivots.
struct Graph {
    edges: Vec<Vec<usize>>,
    pivots: Vec<usize>,
    /// For each pivot, the number of edges to each node.
    distances: Vec<Vec<f64>>,
}

impl Graph {
    fn of(neighbours: &[Vec<usize>]) -> Graph {
        let mut edges = vec![Vec::new(); neighbours.len()];
        for (node, others) in neighbours.iter().enumerate() {
            for &other in others.iter().filter(|&&other| other != node) {
                edges[node].push(other);
                edges[other].push(node);
            }
        }
        for others in &mut edges {
            others.sort_unstable();
            others.dedup();
        }
        let mut graph = Graph { edges, pivots: Vec::new(), distances: Vec::new() };
        let count = graph.edges.len();
        let wanted = if count <= ALL_PAIRS { count } else { PIVOTS };
        // The next pivot is the node that is farthest from the previous pivots.
        let mut nearest = vec![f64::INFINITY; count];
        let mut next = 0;
        while graph.pivots.len() < wanted {
            let distances = graph.distances_from(next);
            for (nearest, distance) in nearest.iter_mut().zip(&distances) {
                *nearest = nearest.min(*distance);
            }
            graph.pivots.push(next);
            graph.distances.push(distances);
            next = (0..count)
                .max_by(|&one, &other| nearest[one].total_cmp(&nearest[other]))
                .unwrap_or(0);
        }
        graph
    }

    /// The number of edges to each node. Nodes that can't be reached count as farther than all
    /// others.
    fn distances_from(&self, start: usize) -> Vec<f64> {
        let mut distances = vec![f64::INFINITY; self.edges.len()];
        distances[start] = 0.0;
        let mut queue = VecDeque::from([start]);
        let mut farthest = 0.0;
        while let Some(node) = queue.pop_front() {
            farthest = distances[node];
            for &other in &self.edges[node] {
                if distances[other].is_infinite() {
                    distances[other] = farthest + 1.0;
                    queue.push_back(other);
                }
            }
        }
        distances.iter().map(|distance| distance.min(farthest + 2.0)).collect()
    }

    /// The first layout: the two directions in which the distances to the pivots differ most.
    fn scaled(&self) -> Vec<Point> {
        let (count, pivots) = (self.edges.len(), self.pivots.len());
        if count == 0 {
            return Vec::new();
        }
        let mut centred: Vec<Vec<f64>> = self.distances.clone();
        centred.iter_mut().flatten().for_each(|distance| *distance *= *distance);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let rows: Vec<f64> = centred.iter().map(|row| mean(row)).collect();
        let columns: Vec<f64> = (0..count)
            .map(|node| centred.iter().map(|row| row[node]).sum::<f64>() / pivots as f64)
            .collect();
        let all = mean(&rows);
        for (row, row_mean) in centred.iter_mut().zip(&rows) {
            for (value, column_mean) in row.iter_mut().zip(&columns) {
                *value = -0.5 * (*value - row_mean - column_mean + all);
            }
        }
        let project = |vector: &[f64]| -> Vec<f64> {
            let along =
                |node: usize| centred.iter().zip(vector).map(|(row, part)| row[node] * part).sum();
            (0..count).map(along).collect()
        };
        let mut found: Vec<Vec<f64>> = Vec::new();
        for axis in 0..2 {
            // Any start that is not at right angles to the result.
            let mut vector: Vec<f64> =
                (0..pivots).map(|pivot| ((pivot * (7 + 6 * axis) + 3) % 11) as f64 - 4.7).collect();
            for _ in 0..60 {
                for other in &found {
                    let along: f64 = vector.iter().zip(other).map(|(one, two)| one * two).sum();
                    vector.iter_mut().zip(other).for_each(|(part, other)| *part -= along * other);
                }
                let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt().max(1e-12);
                vector.iter_mut().for_each(|part| *part /= length);
                let projected = project(&vector);
                let back =
                    |row: &Vec<f64>| row.iter().zip(&projected).map(|(one, two)| one * two).sum();
                vector = centred.iter().map(back).collect();
            }
            let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt().max(1e-12);
            vector.iter_mut().for_each(|part| *part /= length);
            found.push(vector);
        }
        let [x, y] = [project(&found[0]), project(&found[1])];
        // As wide as the distances, for any number of pivots.
        let widest = x.iter().chain(&y).fold(1e-9_f64, |widest, part| widest.max(part.abs()));
        let farthest = self.distances.iter().flatten().fold(1.0_f64, |most, &one| most.max(one));
        let scale = farthest / (2.0 * widest);
        // Nodes with the same neighbours would otherwise never come apart.
        let aside = |node: usize| 1e-3 * ((node * 37 % 101) as f64 - 50.0);
        (0..count)
            .map(|node| [x[node] * scale + aside(node), y[node] * scale + aside(node + 1)])
            .collect()
    }

    /// Repeatedly moves every node to where its distances to others pull and push it.
    fn relaxed(&self, mut points: Vec<Point>) -> Vec<Point> {
        let all_pairs = self.pivots.len() == self.edges.len();
        for _ in 0..ROUNDS {
            for node in 0..points.len() {
                let (mut sum, mut weights) = ([0.0; 2], 0.0);
                let mut pull = |points: &[Point], other: usize, distance: f64| {
                    let weight = 1.0 / (distance * distance);
                    let ([x, y], [other_x, other_y]) = (points[node], points[other]);
                    let (right, down) = (x - other_x, y - other_y);
                    let length = right.hypot(down).max(1e-6);
                    sum[0] += weight * (other_x + distance * right / length);
                    sum[1] += weight * (other_y + distance * down / length);
                    weights += weight;
                };
                for (pivot, distances) in self.pivots.iter().zip(&self.distances) {
                    if *pivot != node {
                        pull(&points, *pivot, distances[node]);
                    }
                }
                if !all_pairs {
                    self.edges[node].iter().for_each(|&other| pull(&points, other, 1.0));
                }
                if weights > 0.0 {
                    points[node] = sum.map(|part| part / weights);
                }
            }
        }
        points
    }

    /// Every edge once.
    fn each_edge(&self) -> Vec<Edge> {
        let later = |(node, others): (usize, &Vec<usize>)| -> Vec<Edge> {
            others.iter().filter(|&&other| other > node).map(|&other| [node, other]).collect()
        };
        self.edges.iter().enumerate().flat_map(later).collect()
    }
}

/// The number of pairs of edges that cross.
fn crossings(points: &[Point], edges: &[Edge]) -> usize {
    let side = |a: usize, b: usize, c: usize| {
        let ([ax, ay], [bx, by], [cx, cy]) = (points[a], points[b], points[c]);
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    };
    let cross = |[a, b]: Edge, [c, d]: Edge| {
        a != c
            && a != d
            && b != c
            && b != d
            && side(a, b, c) * side(a, b, d) < 0.0
            && side(c, d, a) * side(c, d, b) < 0.0
    };
    let count = |(at, &edge): (usize, &Edge)| {
        edges[..at].iter().filter(|&&other| cross(edge, other)).count()
    };
    edges.iter().enumerate().map(count).sum()
}

/// The points relative to the top left corner of all points.
fn from_the_corner(points: &[Point]) -> Vec<[f32; 2]> {
    let least = |axis: usize| points.iter().map(|point| point[axis]).fold(f64::INFINITY, f64::min);
    let corner = [least(0), least(1)];
    points.iter().map(|point| [0, 1].map(|axis| (point[axis] - corner[axis]) as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossings(neighbours: &[Vec<usize>]) -> usize {
        super::crossings(&points_of(neighbours), &Graph::of(neighbours).each_edge())
    }

    fn points_of(neighbours: &[Vec<usize>]) -> Vec<Point> {
        layout(neighbours).iter().map(|&[x, y]| [x.into(), y.into()]).collect()
    }

    fn complete(nodes: usize) -> Vec<Vec<usize>> {
        (0..nodes).map(|node| (0..node).collect()).collect()
    }

    fn grid(columns: usize, rows: usize) -> Vec<Vec<usize>> {
        (0..columns * rows)
            .map(|node| {
                let right = ((node + 1) % columns != 0).then_some(node + 1);
                let below = (node + columns < columns * rows).then_some(node + columns);
                right.into_iter().chain(below).collect()
            })
            .collect()
    }

    #[test]
    fn a_ring_and_a_complete_graph_of_50_have_large_nodes_side_by_side() {
        let ring: Vec<Vec<usize>> = (0..50).map(|node| vec![(node + 1) % 50]).collect();
        for graph in [ring, complete(50)] {
            let points = points_of(&graph);
            let width =
                [0, 1].map(|axis| points.iter().map(|point| point[axis]).fold(0.0, f64::max));
            assert!(
                width.iter().all(|&width| width < 14.2),
                "a node is a fiftieth of the picture: {width:?}"
            );
            let centre = width.map(|width| width / 2.0);
            let apart = |point: &Point| (point[0] - centre[0]).hypot(point[1] - centre[1]);
            assert!(points.iter().all(|point| (apart(point) - apart(&points[0])).abs() < 1.0));
        }
    }

    #[test]
    fn planar_graphs_of_games_have_no_crossings() {
        assert_eq!(crossings(&grid(5, 4)), 0, "a grid");
        let ring: Vec<Vec<usize>> = (0..12).map(|node| vec![(node + 1) % 12]).collect();
        assert_eq!(crossings(&ring), 0, "a ring");
        let tree: Vec<Vec<usize>> = (0..15)
            .map(|node| (2 * node + 1..2 * node + 3).filter(|&child| child < 15).collect())
            .collect();
        assert_eq!(crossings(&tree), 0, "a tree");
    }

    #[test]
    fn no_node_seems_to_be_on_an_edge_of_others() {
        let petersen: Vec<Vec<usize>> = (0..5)
            .map(|node| vec![(node + 1) % 5, node + 5])
            .chain((0..5).map(|node| vec![5 + (node + 2) % 5]))
            .collect();
        let bipartite: Vec<Vec<usize>> =
            (0..7).map(|node| if node < 3 { (3..7).collect() } else { Vec::new() }).collect();
        let mut grid = grid(6, 6);
        grid[0].push(22);
        grid[3].push(29);
        for graph in [petersen, bipartite, grid, complete(7), complete(12)] {
            let edges = Graph::of(&graph).each_edge();
            assert_eq!(room::misleading(&points_of(&graph), &edges), 0, "{graph:?}");
        }
    }

    #[test]
    fn a_path_lies_flat() {
        let path: Vec<Vec<usize>> = (0..12).map(|node| vec![(node + 1).min(11)]).collect();
        let length =
            |axis: usize| layout(&path).iter().map(|point| point[axis]).fold(0.0, f32::max);
        assert!(length(0) > 12.0 && length(1) < 1.0);
    }

    #[test]
    fn nodes_are_apart_from_each_other_and_from_the_border() {
        for graph in [
            grid(4, 4),
            vec![Vec::new(); 6],
            vec![vec![1, 2, 3, 4], vec![], vec![], vec![], vec![]],
        ] {
            let points = layout(&graph);
            for (at, one) in points.iter().enumerate() {
                assert!(one[0] >= 0.0 && one[1] >= 0.0 && one.iter().all(|part| part.is_finite()));
                for other in &points[..at] {
                    assert!((one[0] - other[0]).hypot(one[1] - other[1]) > 0.5, "{points:?}");
                }
            }
        }
    }

    #[test]
    fn graphs_without_nodes_and_with_thousands_have_layouts() {
        assert!(layout(&[]).is_empty());
        assert_eq!(layout(&[vec![0]]), [[0.0, 0.0]]);
        let points = layout(&grid(40, 40));
        assert!(points.iter().flatten().all(|part| part.is_finite()));
        // Neighbours are nearer to each other than nodes are on average.
        let length =
            |a: usize, b: usize| (points[a][0] - points[b][0]).hypot(points[a][1] - points[b][1]);
        assert!((0..39).all(|node| length(node, node + 1) < 6.0));
    }
}
