//! A graph whose nodes people, cats or cops walk on.

use thiserror::Error;

/// The most nodes a graph can have.
pub const MOST_NODES: usize = 65_535;

/// A simple graph of at most [`MOST_NODES`] nodes, directed or not.
#[derive(Clone, Debug)]
pub struct Graph {
    forward: Adjacency,
    /// The reverse edges of a directed graph.
    backward: Option<Adjacency>,
}

/// The neighbours of every node, one list behind the other.
#[derive(Clone, Debug)]
struct Adjacency {
    /// Where in `neighbours` the list of each node begins and ends.
    ranges: Vec<(u32, u32)>,
    neighbours: Vec<u16>,
}

/// An error in a graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There are no nodes at all.
    #[error("the graph is empty: expected {least} to {MOST_NODES} nodes")]
    Empty {
        /// The least number of nodes that the game takes.
        least: usize,
    },
    /// There are too few nodes or too many.
    #[error("the graph has the wrong size: expected {least} to {MOST_NODES} nodes, found {found}")]
    Size {
        /// The least number of nodes that the game takes.
        least: usize,
        /// The number of nodes.
        found: usize,
    },
    /// An edge leads to a node that is not there.
    #[error("node {from} has an edge to node {to}, but the nodes are 0 to {last}")]
    NoSuchNode {
        /// Where the edge begins.
        from: usize,
        /// Where it should lead.
        to: i64,
        /// The last node.
        last: usize,
    },
    /// An edge leads back to where it begins.
    #[error("node {0} has an edge to itself: expected none")]
    SelfLoop(usize),
    /// An edge is there twice.
    #[error("node {from} has its edge to node {to} twice: list it once")]
    Doubled {
        /// Where the edge begins.
        from: usize,
        /// Where it leads.
        to: u16,
    },
    /// An edge of an undirected graph has no counterpart.
    #[error(
        "node {from} has an edge to node {to}, but node {to} has none to node {from}: add it, or \
         use --directed for a directed graph"
    )]
    OneWay {
        /// Where the edge begins.
        from: usize,
        /// Where it leads.
        to: u16,
    },
}

impl Graph {
    /// The graph of these adjacency lists, each edge of an undirected one given from both ends. It
    /// has at least 3 nodes.
    ///
    /// # Errors
    /// The first thing that is wrong, by rising node.
    pub fn new(lists: &[Vec<i64>], directed: bool) -> Result<Graph, GraphError> {
        Graph::with_at_least(3, lists, directed)
    }

    /// The graph of these adjacency lists, as [`new`](Graph::new) makes it, of at least this many
    /// nodes.
    ///
    /// # Errors
    /// The first thing that is wrong, by rising node.
    pub fn with_at_least(
        least: usize,
        lists: &[Vec<i64>],
        directed: bool,
    ) -> Result<Graph, GraphError> {
        match lists.len() {
            0 => return Err(GraphError::Empty { least }),
            found if !(least..=MOST_NODES).contains(&found) => {
                return Err(GraphError::Size { least, found });
            }
            _ => {}
        }
        let forward = Adjacency::new(lists)?;
        let sorted = forward.sorted()?;
        let reversed = forward.reversed();
        if directed {
            return Ok(Graph { forward, backward: Some(reversed) });
        }
        for from in 0..lists.len() {
            // Reversing in order of the sources has sorted the lists.
            let (out, into) = (sorted.of(from), reversed.of(from));
            if out == into {
                continue;
            }
            if let Some(&to) = out.iter().find(|to| into.binary_search(to).is_err()) {
                return Err(GraphError::OneWay { from, to });
            }
        }
        Ok(Graph { forward, backward: None })
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.forward.nodes()
    }

    /// Whether the edges have a direction.
    #[must_use]
    pub fn is_directed(&self) -> bool {
        self.backward.is_some()
    }

    /// The nodes that `node` has an edge to, in the order they were given.
    #[inline]
    #[must_use]
    pub fn successors(&self, node: u16) -> &[u16] {
        self.forward.of(node.into())
    }

    /// The nodes that have an edge to `node`.
    #[inline]
    #[must_use]
    pub fn predecessors(&self, node: u16) -> &[u16] {
        self.backward.as_ref().unwrap_or(&self.forward).of(node.into())
    }

    /// The adjacency lists.
    pub(crate) fn lists(&self) -> Vec<Vec<i64>> {
        let list = |node| self.forward.of(node).iter().map(|&to| i64::from(to)).collect();
        (0..self.nodes()).map(list).collect()
    }
}

impl Adjacency {
    fn new(lists: &[Vec<i64>]) -> Result<Adjacency, GraphError> {
        let mut ranges = Vec::new();
        let mut neighbours = Vec::new();
        for (from, list) in lists.iter().enumerate() {
            let start = neighbours.len();
            for &to in list {
                match usize::try_from(to) {
                    Ok(node) if node == from => return Err(GraphError::SelfLoop(from)),
                    Ok(node) if node < lists.len() => neighbours.push(node as u16),
                    _ => {
                        let last = lists.len() - 1;
                        return Err(GraphError::NoSuchNode { from, to, last });
                    }
                }
            }
            ranges.push((start as u32, neighbours.len() as u32));
        }
        Ok(Adjacency { ranges, neighbours })
    }

    fn nodes(&self) -> usize {
        self.ranges.len()
    }

    #[inline]
    fn of(&self, node: usize) -> &[u16] {
        let (start, end) = self.ranges[node];
        &self.neighbours[start as usize..end as usize]
    }

    /// A copy with every list sorted; an error where a node is in a list twice.
    fn sorted(&self) -> Result<Adjacency, GraphError> {
        let mut sorted = self.clone();
        for from in 0..self.nodes() {
            let (start, end) = self.ranges[from];
            let list = &mut sorted.neighbours[start as usize..end as usize];
            list.sort_unstable();
            if let Some(pair) = list.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(GraphError::Doubled { from, to: pair[0] });
            }
        }
        Ok(sorted)
    }

    /// The reverse edges, with every list sorted.
    fn reversed(&self) -> Adjacency {
        let mut counts = vec![0; self.nodes()];
        for &to in &self.neighbours {
            counts[usize::from(to)] += 1;
        }
        let mut end = 0;
        let mut ranges = Vec::new();
        for count in counts {
            // Filling the list moves its end to where it belongs.
            ranges.push((end, end));
            end += count;
        }
        let mut neighbours = vec![0; self.neighbours.len()];
        for from in 0..self.nodes() {
            for &to in self.of(from) {
                let (_, end) = &mut ranges[usize::from(to)];
                neighbours[*end as usize] = from as u16;
                *end += 1;
            }
        }
        Adjacency { ranges, neighbours }
    }
}
