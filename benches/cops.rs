//! Capture times with one cop of all connected graphs: `cargo bench --bench cops -- 9` for those of up
//! to nine nodes. Prints how long it took to list them, and for each number of nodes the graphs, those
//! that a cop wins, and the seconds on one thread. With `write`, prints the graphs of the greatest
//! number of nodes in graph6, for `retrograde solve cops --graphs`.

use std::time::Instant;

use kit::small_graphs;
use retrograde_games::cops::{Cops, CopsParameters};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let most = arguments.iter().filter_map(|argument| argument.parse().ok()).next().unwrap_or(7);
    let begin = Instant::now();
    let orders = small_graphs::connected(most);
    if arguments.iter().any(|argument| argument == "write") {
        for graph in orders.last().into_iter().flatten() {
            println!("{}", small_graphs::graph6(&small_graphs::lists(graph)));
        }
        return;
    }
    println!("listed in {:.3} s", begin.elapsed().as_secs_f64());
    for (nodes, graphs) in (1..).zip(&orders) {
        let begin = Instant::now();
        let is_won = |graph: &&Vec<u16>| {
            let graph = small_graphs::lists(graph);
            let game = Cops::new(&CopsParameters { graph, ..CopsParameters::default() });
            let time = game.expect("a graph").capture_time().expect("a small game");
            time.is_some()
        };
        let won = graphs.iter().filter(is_won).count();
        let seconds = begin.elapsed().as_secs_f64();
        println!("{nodes} nodes: {} graphs, {won} won in {seconds:.3} s", graphs.len());
    }
}
