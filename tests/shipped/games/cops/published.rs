//! Figures from the literature.

use kit::small_graphs;

use super::named::{
    circle, complete, cube, dodecahedron, heawood, path, petersen, product, robertson,
};
use super::{capture_time, cop_number, game, usual};
use retrograde_games::cops::CopsParameters;

/// W. Baird, A. Beveridge, A. Bonato, P. Codenotti, A. Maurer, J. McCauley and S. Valeva, "On the
/// minimum order of k-cop-win graphs", 2014: the Petersen graph alone takes three cops on ten nodes.
/// Three nodes have each other node beside them, so that one round is enough.
#[test]
fn the_petersen_graph_takes_three_cops_and_one_round() {
    assert_eq!(cop_number(&petersen()), (3, 1));
}

/// M. Aigner and M. Fromme, "A game of cops and robbers", 1984: at least as many cops as each node
/// has neighbours, if there are no circles of three or four nodes; at most three on a planar graph.
#[test]
fn graphs_without_small_circles_take_as_many_cops_as_a_node_has_neighbours() {
    assert_eq!(cop_number(&heawood()).0, 3);
    if !kit::PLAIN {
        assert_eq!(cop_number(&dodecahedron()).0, 3);
        assert_eq!(capture_time(&robertson(), 3), None);
    }
    if kit::ALL_CASES {
        assert!(capture_time(&robertson(), 4).is_some());
    }
}

/// A. Mehrabian, "The capture time of grids", 2011.
#[test]
fn grids_take_two_cops_and_about_half_of_their_sides() {
    for (rows, columns) in [(2, 2), (2, 5), (3, 3), (3, 4), (5, 4)] {
        let grid = product(&path(rows), &path(columns));
        assert_eq!(cop_number(&grid), (2, ((rows + columns) / 2 - 1) as u32), "{rows} x {columns}");
    }
}

/// S. Neufeld and R. Nowakowski, "A game of cops and robbers played on products of graphs", 1998: the
/// product of two circles of at least four nodes takes three cops.
#[test]
fn tori_take_three_cops() {
    for (rows, columns) in kit::few(&[(4, 4)][..], &[(4, 4), (4, 5), (5, 5)]) {
        let torus = product(&circle(*rows), &circle(*columns));
        assert_eq!(cop_number(&torus).0, 3, "{rows} x {columns}");
    }
}

/// M. Maamoun and H. Meyniel, "On a game of policemen and robber", 1987: a product of n trees, such
/// as a hypercube, takes (n + 1) / 2 cops, rounded up.
#[test]
fn cubes_take_half_of_their_dimension_in_cops() {
    for dimension in 1..=kit::few(3, 4) {
        assert_eq!(cop_number(&cube(dimension)).0 as usize, (dimension + 2) / 2, "{dimension}");
    }
}

/// A. Bonato, P. Golovach, G. Hahn and J. Kratochvíl, "The capture time of a graph", 2009: on a tree
/// the cop begins in the centre.
#[test]
fn trees_take_one_cop_and_their_radius() {
    let mut random = kit::Random(1);
    for nodes in 2..=kit::few(12, 30) {
        let parents: Vec<usize> = (1..nodes).map(|node| random.place(node)).collect();
        let edges = parents.iter().enumerate().map(|(at, &parent)| (at + 1, parent));
        let tree = super::named::joined(nodes, edges);
        assert_eq!(cop_number(&tree), (1, radius(&tree)), "{tree:?}");
    }
    assert_eq!(cop_number(&complete(6)), (1, 1));
    assert_eq!(cop_number(&circle(9)).0, 2);
}

/// The least number of edges from one node to the farthest.
fn radius(graph: &[Vec<i64>]) -> u32 {
    let farthest = |from: usize| {
        let mut distances = vec![u32::MAX; graph.len()];
        distances[from] = 0;
        let mut open = vec![from];
        let mut at = 0;
        while let Some(&node) = open.get(at) {
            at += 1;
            for next in graph[node].iter().map(|&next| next as usize) {
                if distances[next] == u32::MAX {
                    distances[next] = distances[node] + 1;
                    open.push(next);
                }
            }
        }
        distances.into_iter().max().unwrap_or(0)
    };
    (0..graph.len()).map(farthest).min().unwrap_or(0)
}

/// Whether nodes can be taken away one after the other, each of which has no neighbour but those of
/// another node and that node itself.
fn is_dismantlable(graph: &[u16]) -> bool {
    let mut left = (1_u16 << graph.len()) - 1;
    let around = |node: usize, left: u16| (graph[node] | 1 << node) & left;
    while left.count_ones() > 1 {
        let nodes = || (0..graph.len()).filter(|node| left >> node & 1 == 1);
        let is_corner = |&node: &usize| {
            nodes().any(|other| other != node && around(node, left) & !around(other, left) == 0)
        };
        match nodes().find(is_corner) {
            Some(corner) => left ^= 1 << corner,
            None => return false,
        }
    }
    true
}

/// The numbers of the graphs that one cop wins: table 1 of Baird and others, 2014. One cop wins on
/// dismantlable graphs alone (R. Nowakowski and P. Winkler, "Vertex-to-vertex pursuit in a graph", 1983).
/// From seven nodes on, a cop who wins needs at most four rounds fewer than there are nodes, and on some
/// graphs as many (T. Gavenčiak, "Cop-win graphs with maximum capture-time", 2010).
#[test]
fn one_cop_wins_on_dismantlable_graphs() {
    let known = [1, 1, 2, 5, 16, 68, 403, 3_791, 65_561];
    let most = kit::by_effort([6, 8, if cfg!(debug_assertions) { 8 } else { 9 }]);
    let mut longest = 0;
    let counts: Vec<usize> = small_graphs::connected(most)
        .iter()
        .map(|graphs| {
            longest = 0;
            let is_won = |graph: &&Vec<u16>| {
                let time = capture_time(&small_graphs::lists(graph), 1);
                longest = longest.max(time.unwrap_or(0));
                assert_eq!(time.is_some(), is_dismantlable(graph), "{graph:?}");
                time.is_some()
            };
            graphs.iter().filter(is_won).count()
        })
        .collect();
    assert_eq!(counts, known[..most]);
    assert_eq!(longest as usize, 3.max(most - 4));
}

/// B. Sullivan, N. Townsend and M. Werzanski, "The 3x3 rooks graph is the unique smallest graph with
/// lazy cop number 3", 2016.
#[test]
fn rooks_on_nine_squares_take_three_lazy_cops() {
    let rooks = product(&complete(3), &complete(3));
    let lazy = |cops| {
        let parameters = CopsParameters { lazy: true, ..usual(&rooks, cops) };
        game(&parameters).capture_time().expect("a small game")
    };
    assert_eq!(lazy(2), None);
    assert!(lazy(3).is_some());
    assert_eq!(cop_number(&rooks).0, 2);
}
