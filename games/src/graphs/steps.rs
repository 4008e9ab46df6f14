//! Graphs as they are written: as lists of nodes, or, if they are large, as `{"steps": [[1, 50],
//! [-1, 1, 50]]}`, where the edge from node 1 to node 51 is a step of 50.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Graphs of fewer nodes are written as lists of nodes, for whoever looks at them.
const LARGE: usize = 256;

/// The steps along the edges from each node.
#[derive(Serialize, Deserialize)]
struct Steps<L> {
    steps: L,
}

/// The steps of a graph, made as they are written.
struct StepsOf<'g>(&'g [Vec<i64>]);

impl Serialize for StepsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..).zip(self.0).map(|(from, list)| StepsFrom(from, list)))
    }
}

/// The steps from a node to these.
struct StepsFrom<'g>(i64, &'g [i64]);

impl Serialize for StepsFrom<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|to| to.wrapping_sub(self.0)))
    }
}

pub(crate) fn serialize<S: Serializer>(
    graph: &[Vec<i64>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match graph.len() < LARGE {
        true => graph.serialize(serializer),
        false => Steps { steps: StepsOf(graph) }.serialize(serializer),
    }
}

pub(crate) fn deserialize<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<Vec<Vec<i64>>, D::Error> {
    deserializer.deserialize_any(Written)
}

/// Reads either form without a copy of what is read, which may have millions of edges.
struct Written;

impl<'d> Visitor<'d> for Written {
    type Value = Vec<Vec<i64>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a graph: a list of lists of nodes, or of steps")
    }

    fn visit_seq<A: SeqAccess<'d>>(self, nodes: A) -> Result<Vec<Vec<i64>>, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(nodes))
    }

    fn visit_map<A: MapAccess<'d>>(self, steps: A) -> Result<Vec<Vec<i64>>, A::Error> {
        let steps = MapAccessDeserializer::new(steps);
        let Steps { steps: mut lists } = Steps::<Vec<Vec<i64>>>::deserialize(steps)?;
        for (from, list) in (0_i64..).zip(&mut lists) {
            list.iter_mut().for_each(|step| *step = step.wrapping_add(from));
        }
        Ok(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::LARGE;
    use crate::cat_mouse::CatMouseParameters;

    #[test]
    fn graphs_of_any_size_are_read_back() {
        for nodes in [3, LARGE as i64 - 1, LARGE as i64, 1_000] {
            // A ring, and behind it something that is no graph but has to be named as it was given.
            let mut graph: Vec<Vec<i64>> = (0..nodes)
                .map(|node| vec![(node + 1) % nodes, (node + nodes - 1) % nodes])
                .collect();
            graph[2].push(i64::MIN);
            let parameters = CatMouseParameters { graph, ..Default::default() };
            let written = serde_json::to_string(&parameters).unwrap();
            assert_eq!(written.contains("steps"), nodes >= LARGE as i64);
            let read: CatMouseParameters = serde_json::from_str(&written).unwrap();
            assert_eq!(read.graph, parameters.graph);
        }
    }

    #[test]
    fn large_graphs_are_read_as_lists_of_nodes_too() {
        let graph: Vec<Vec<i64>> = (0..1_000).map(|node| vec![(node + 1) % 1_000]).collect();
        let written = serde_json::json!({
            "graph": graph, "directed": true, "mouse": 1, "cat": 2, "hole": 0, "stuck": null
        });
        let read: CatMouseParameters = serde_json::from_value(written).unwrap();
        assert_eq!(read.graph, graph);
    }
}
