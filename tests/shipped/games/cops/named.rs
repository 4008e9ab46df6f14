//! Graphs that have names.

/// The lists of neighbours of nodes that these edges join.
pub(super) fn joined(
    nodes: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<Vec<i64>> {
    let mut lists = vec![Vec::new(); nodes];
    for (one, other) in edges {
        lists[one].push(other as i64);
        lists[other].push(one as i64);
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

pub(super) fn path(nodes: usize) -> Vec<Vec<i64>> {
    joined(nodes, (1..nodes).map(|node| (node - 1, node)))
}

pub(super) fn circle(nodes: usize) -> Vec<Vec<i64>> {
    joined(nodes, (0..nodes).map(|node| (node, (node + 1) % nodes)))
}

pub(super) fn complete(nodes: usize) -> Vec<Vec<i64>> {
    joined(nodes, (0..nodes).flat_map(|one| (0..one).map(move |other| (one, other))))
}

/// The Cartesian product: pairs of nodes, one of which goes along an edge.
pub(super) fn product(one: &[Vec<i64>], other: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut lists = Vec::new();
    let columns = other.len() as i64;
    for (row, rows) in (0..).zip(one) {
        for (column, nexts) in (0..).zip(other) {
            let along = nexts.iter().map(|next| row * columns + next);
            lists.push(rows.iter().map(|next| next * columns + column).chain(along).collect());
        }
    }
    lists
}

/// The hypercube of this dimension.
pub(super) fn cube(dimension: usize) -> Vec<Vec<i64>> {
    (0..dimension).fold(vec![vec![]], |cube, _| product(&cube, &path(2)))
}

pub(super) fn petersen() -> Vec<Vec<i64>> {
    generalized_petersen(5, 2)
}

/// An outer circle, an inner circle of steps of this length, and spokes.
fn generalized_petersen(spokes: usize, step: usize) -> Vec<Vec<i64>> {
    let edges = (0..spokes).flat_map(|at| {
        let inner = spokes + at;
        [(at, (at + 1) % spokes), (at, inner), (inner, spokes + (at + step) % spokes)]
    });
    joined(2 * spokes, edges)
}

pub(super) fn dodecahedron() -> Vec<Vec<i64>> {
    generalized_petersen(10, 2)
}

/// A circle with chords: each node has one, whose length these numbers repeat (LCF notation).
fn with_chords(nodes: usize, lengths: &[i64]) -> Vec<Vec<i64>> {
    let around = (0..nodes).map(|node| (node, (node + 1) % nodes));
    let chords = (0..nodes).map(|node| {
        let to = node as i64 + lengths[node % lengths.len()];
        (node, to.rem_euclid(nodes as i64) as usize)
    });
    joined(nodes, around.chain(chords))
}

pub(super) fn heawood() -> Vec<Vec<i64>> {
    with_chords(14, &[5, -5])
}

/// The least graph of degree 4 without circles of fewer than 5 nodes: N. Robertson, "The smallest
/// graph of girth 5 and valency 4", 1964.
pub(super) fn robertson() -> Vec<Vec<i64>> {
    let around = (0..19).map(|node| (node, (node + 1) % 19));
    let chords = [
        (0, 4),
        (0, 7),
        (1, 9),
        (1, 12),
        (2, 6),
        (2, 14),
        (3, 8),
        (3, 11),
        (4, 15),
        (5, 13),
        (5, 17),
        (6, 10),
        (7, 16),
        (8, 13),
        (9, 17),
        (10, 15),
        (11, 18),
        (12, 16),
        (14, 18),
    ];
    joined(19, around.chain(chords))
}
