//! How Cat and Mouse is set up on the command line.

use retrograde::Player;
use retrograde::cli::{CliError, Registered, read_text};

use super::{CatMouse, CatMouseParameters, Stuck};
use crate::pursuit::{self, CAT, MOUSE};

/// The options of Cat and Mouse.
#[derive(Debug, clap::Args)]
pub struct CatMouseOptions {
    /// The graph: for every node the list of its neighbours, as JSON like [[1,3],[0],[3],[0,2]];
    /// or a file with that, or - for standard input
    #[arg(long, value_name = "JSON|FILE|-")]
    graph: String,
    /// Take edges as leading one way only
    #[arg(long)]
    directed: bool,
    /// The node where the mouse starts
    #[arg(long, value_name = "NODE", default_value_t = 1)]
    mouse: u32,
    /// The node where the cat starts
    #[arg(long, value_name = "NODE", default_value_t = 2)]
    cat: u32,
    /// The node that is the mouse's goal and closed to the cat
    #[arg(long, value_name = "NODE", default_value_t = 0)]
    hole: u32,
    /// What it is worth when a player cannot move; without it, a game in which that can come about
    /// is refused
    #[arg(long, value_enum)]
    stuck: Option<Stuck>,
}

impl Registered for CatMouse {
    const ABOUT: &'static str = "Cat and Mouse on a graph (LeetCode 913)";
    const EXAMPLE: &'static str = "--graph '[[1,3],[0],[3],[0,2]]'";
    const STATES: &'static str = "mouse's node, cat's node, who moves: 1,2,mouse";
    type Options = CatMouseOptions;

    fn from_options(options: CatMouseOptions) -> Result<CatMouse, CliError> {
        let CatMouseOptions { graph, directed, mouse, cat, hole, stuck } = options;
        let text = read_text("--graph", &graph)?;
        let graph = serde_json::from_str(&text).map_err(|error| {
            CliError::usage(format!(
                "--graph: expected a list of lists of nodes like [[1,3],[0],[3],[0,2]]: {error}"
            ))
        })?;
        CatMouse::new(&CatMouseParameters { graph, directed, mouse, cat, hole, stuck })
            .map_err(CliError::usage)
    }

    fn notes(&self) -> Vec<String> {
        if self.stuck.is_some() {
            return Vec::new();
        }
        let note = |player: Player| {
            let nodes = self.stuck_nodes(player);
            let animal = pursuit::name(player);
            (!nodes.is_empty()).then(|| {
                format!(
                    "the {animal} could not move from {}, and does not get there from its start; \
                     where it is placed there, that is a draw (--stuck decides otherwise)",
                    super::list(&nodes)
                )
            })
        };
        [CAT, MOUSE].into_iter().filter_map(note).collect()
    }
}
