//! Graphs as they are written: as lists of nodes, or, if they are large, as `{"steps": [[1, 50],
//! [-1, 1, 50]]}`, where the edge from node 1 to node 51 is a step of 50.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Graphs of fewer nodes are written as lists of nodes, for whoever looks at them.
const LARGE: usize = 256;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Nodes(Vec<Vec<i64>>),
    Steps { steps: Vec<Vec<i64>> },
}

pub(super) fn serialize<S: Serializer>(
    graph: &[Vec<i64>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if graph.len() < LARGE {
        return graph.serialize(serializer);
    }
    let step = |from: i64| move |&to: &i64| to.wrapping_sub(from);
    let steps = (0..).zip(graph).map(|(from, to)| to.iter().map(step(from)).collect()).collect();
    Written::Steps { steps }.serialize(serializer)
}

pub(super) fn deserialize<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<Vec<Vec<i64>>, D::Error> {
    Ok(match Written::deserialize(deserializer)? {
        Written::Nodes(graph) => graph,
        Written::Steps { steps } => {
            let node = |from: i64| move |step: i64| step.wrapping_add(from);
            (0..)
                .zip(steps)
                .map(|(from, steps)| steps.into_iter().map(node(from)).collect())
                .collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::CatMouseParameters;
    use super::LARGE;

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
