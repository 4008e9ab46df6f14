//! How cops and robbers is set up on the command line.

use retrograde::cli::{Answer, CliError, Many, Share, read_text};
use serde_json::json;

use super::{Cops, CopsParameters, MOST_COPS, Passing};
use crate::graphs::{self, Lists};

/// The options of cops and robbers.
#[derive(Clone, Debug, clap::Args)]
pub struct CopsOptions {
    /// The graph: for every node the list of its neighbours, as JSON like [[1,3],[0],[3],[0,2]];
    /// or a file with that, with lines FROM TO, in DIMACS or in graph6; or - for standard input. A
    /// text that begins with >>graph6<< is such a graph itself
    #[arg(long, value_name = "JSON|FILE|-", required = true)]
    graph: Option<String>,
    /// Solve each graph of a file, or of - for standard input, a line in graph6 or JSON for each, and
    /// print a line for it: the graph, the number of cops, who wins, and the capture time in rounds
    #[arg(long, value_name = "FILE|-", conflicts_with = "graph")]
    graphs: Option<String>,
    /// The number of cops, from 1 to 6
    #[arg(long, value_name = "N", default_value_t = 1)]
    cops: u32,
    /// Find the least number of cops that win, up to 6, and print a line as with --graphs
    #[arg(long, conflicts_with = "cops")]
    cop_number: bool,
    /// Edges lead one way only
    #[arg(long)]
    directed: bool,
    /// Who may stay in place of a move; someone without an edge to move along always stays
    #[arg(long, value_enum, default_value_t)]
    passing: Passing,
    /// Only one cop moves at a time
    #[arg(long)]
    lazy: bool,
    /// How many edges the robber may run along in a move, but not past a cop
    #[arg(long, value_name = "EDGES", default_value_t = 1)]
    robber_speed: u32,
}

/// The graph that an option names.
fn read_graph(value: &str, directed: bool) -> Result<Lists, CliError> {
    let text = match value.starts_with(graphs::GRAPH6_HEADER) {
        true => value.to_owned(),
        false => read_text("--graph", value)?,
    };
    graphs::lists_of_text(&text, directed)
        .map_err(|error| CliError::usage(format!("--graph: {error}")))
}

impl CopsOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<Cops, CliError> {
        let problem = match (&self.graph, &self.graphs) {
            (Some(_), _) if self.cop_number => "--cop-number is only for solve: leave it out",
            (Some(graph), _) => return self.game_on(graph),
            (None, Some(_)) => "--graphs is only for solve: name one graph with --graph",
            (None, None) => "no graph to play on: name it with --graph",
        };
        Err(CliError::usage(problem))
    }

    fn game_on(&self, graph: &str) -> Result<Cops, CliError> {
        let graph = read_graph(graph, self.directed)?;
        Cops::new(&self.parameters(graph, self.cops)).map_err(CliError::usage)
    }

    fn parameters(&self, graph: Lists, cops: u32) -> CopsParameters {
        let &CopsOptions { directed, passing, lazy, robber_speed, .. } = self;
        CopsParameters { graph, directed, cops, passing, lazy, robber_speed }
    }

    /// The games of many graphs, or of several numbers of cops.
    pub(super) fn many(&self) -> Result<Option<Many>, CliError> {
        let options = self.clone();
        Ok(Some(match (&self.graphs, &self.graph) {
            (Some(path), _) => Many::lines("--graphs", path.clone(), move |line, share| {
                let lists = graphs::lists_of_word(line, options.directed);
                options.answer(line, lists.map_err(CliError::usage)?, share)
            }),
            (None, Some(graph)) if self.cop_number => {
                let lists = read_graph(graph, self.directed)?;
                let name = graphs::written(&lists, self.directed);
                Many::one(move |share| options.answer(&name, lists.clone(), share))
            }
            _ => return Ok(None),
        }))
    }

    /// The answer about a graph that is written as `name`.
    fn answer(&self, name: &str, lists: Lists, share: Share) -> Result<Answer, CliError> {
        let mut parameters = self.parameters(lists, self.cops);
        let numbers = if self.cop_number { 1..=MOST_COPS as u32 } else { self.cops..=self.cops };
        let mut time = None;
        for cops in numbers {
            parameters.cops = cops;
            let game = Cops::new(&parameters).map_err(CliError::usage)?;
            time = game.capture_time_by(|mut solver| {
                solver = solver.threads(share.threads);
                if let Some(bytes) = share.memory {
                    solver = solver.memory(bytes);
                }
                match share.states {
                    Some(states) => solver.max_states(states),
                    None => solver,
                }
            })?;
            if time.is_some() {
                break;
            }
        }
        let cops = parameters.cops;
        let winner = if time.is_some() { "cops" } else { "robber" };
        let rounds = time.map_or("-".to_owned(), |time| time.to_string());
        Ok(Answer {
            text: format!("{name} {cops} {winner} {rounds}"),
            json: json!({
                "graph": name,
                "nodes": parameters.graph.len(),
                "cops": cops,
                "winner": winner,
                "capture_time": time,
            }),
        })
    }
}
