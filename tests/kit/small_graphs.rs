//! All connected graphs of a few nodes, each once whatever the names of its nodes.

use std::collections::HashSet;

/// For each node, the set of its neighbours, a bit a node.
pub type Neighbours = Vec<u16>;

/// The connected graphs of 1 to `most` nodes, those of each order in a list. At most 11 nodes.
///
/// Each of them has a node without which it is connected, so it is one of the smaller graphs with a
/// node more.
#[must_use]
pub fn connected(most: usize) -> Vec<Vec<Neighbours>> {
    let mut orders = vec![vec![vec![0]]];
    while orders.len() < most {
        let order = orders.len();
        let mut known = HashSet::new();
        let mut graphs = Vec::new();
        for smaller in &orders[order - 1] {
            for joined in 1_u16..1 << order {
                let mut graph = smaller.clone();
                for (node, neighbours) in graph.iter_mut().enumerate() {
                    *neighbours |= (joined >> node & 1) << order;
                }
                graph.push(joined);
                if known.insert(canonical(&graph)) {
                    graphs.push(graph);
                }
            }
        }
        orders.push(graphs);
    }
    orders
}

/// The lists of neighbours of a graph.
#[must_use]
pub fn lists(graph: &[u16]) -> Vec<Vec<i64>> {
    let nodes = 0..graph.len() as i64;
    let list =
        |neighbours: &u16| nodes.clone().filter(|node| neighbours >> node & 1 == 1).collect();
    graph.iter().map(list).collect()
}

/// A graph in the format graph6, of at most 62 nodes.
#[must_use]
pub fn graph6(lists: &[Vec<i64>]) -> String {
    let mut bits = Vec::new();
    for (column, list) in lists.iter().enumerate() {
        bits.extend((0..column as i64).map(|row| list.contains(&row)));
    }
    let mut text = String::from(char::from(63 + lists.len() as u8));
    for six in bits.chunks(6) {
        let value = (0..6).fold(0, |sum, at| sum << 1 | u8::from(six.get(at) == Some(&true)));
        text.push(char::from(63 + value));
    }
    text
}

/// A number that two graphs share if and only if they differ by the names of their nodes alone: the
/// least of all upper triangles in which nodes are ordered by what can be seen around them.
fn canonical(graph: &[u16]) -> u64 {
    let nodes = graph.len();
    let mut colours: Vec<u64> =
        graph.iter().map(|set| mixed(u64::from(set.count_ones()))).collect();
    for _ in 0..3 {
        let around = |set: &u16| {
            let near = (0..nodes).filter(|node| set >> node & 1 == 1);
            near.map(|node| mixed(colours[node])).fold(0, u64::wrapping_add)
        };
        let next = graph.iter().zip(&colours).map(|(set, own)| mixed(own ^ around(set)));
        colours = next.collect();
    }
    let mut sorted = colours.clone();
    sorted.sort_unstable();
    let mut search = Search { graph, colours: &colours, sorted: &sorted, best: [u16::MAX; 11] };
    search.go_on(&mut Vec::new(), [0; 11], true);
    let rows = search.best[..nodes].iter().enumerate();
    rows.fold(0, |key, (width, &row)| key << width | u64::from(row))
}

fn mixed(number: u64) -> u64 {
    crate::Random(number).next()
}

/// A search for the least order of the nodes.
struct Search<'g> {
    graph: &'g [u16],
    colours: &'g [u64],
    /// The colours in the order of the nodes.
    sorted: &'g [u64],
    /// For each node in order, its neighbours among those before.
    best: [u16; 11],
}

impl Search<'_> {
    /// Tries each node behind these. `equal` says whether they are as good as the best order.
    fn go_on(&mut self, order: &mut Vec<usize>, mut rows: [u16; 11], equal: bool) {
        let at = order.len();
        if at == self.graph.len() {
            self.best = rows;
            return;
        }
        let mut equal = equal;
        for node in 0..self.graph.len() {
            if self.colours[node] != self.sorted[at] || order.contains(&node) {
                continue;
            }
            let row = order.iter().fold(0, |row, &one| row << 1 | self.graph[node] >> one & 1);
            if equal && row > self.best[at] {
                continue;
            }
            rows[at] = row;
            let still_equal = equal && row == self.best[at];
            order.push(node);
            self.go_on(order, rows, still_equal);
            order.pop();
            // What was better has become the best.
            equal = true;
        }
    }
}
