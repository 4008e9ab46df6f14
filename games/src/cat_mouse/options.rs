//! How Cat and Mouse is set up on the command line.

use retrograde::Player;
use retrograde::cli::{CliError, read_text};

use super::{CatMouse, CatMouseParameters, Stuck};
use crate::graphs::lists_of_json;
use crate::pursuit::{self, CAT, MOUSE};

/// The options of Cat and Mouse.
#[derive(Debug, clap::Args)]
pub struct CatMouseOptions {
    /// The graph: for every node the list of its neighbours, as JSON like [[1,3],[0],[3],[0,2]];
    /// or a file with that, or - for standard input
    #[arg(long, value_name = "JSON|FILE|-")]
    graph: String,
    /// Edges lead one way only
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
    /// The outcome when a player cannot move; without it, a game in which that can happen is
    /// refused, and the table leaves out other placements from which it can
    #[arg(long, value_enum)]
    stuck: Option<Stuck>,
}

impl CatMouseOptions {
    /// The game that they describe.
    pub(super) fn game(self) -> Result<CatMouse, CliError> {
        let CatMouseOptions { graph, directed, mouse, cat, hole, stuck } = self;
        let text = read_text("--graph", &graph)?;
        let graph =
            lists_of_json(&text).map_err(|error| CliError::usage(format!("--graph: {error}")))?;
        CatMouse::new(&CatMouseParameters { graph, directed, mouse, cat, hole, stuck })
            .map_err(CliError::usage)
    }
}

impl CatMouse {
    /// Notes for people on a game in which an animal may be placed where it cannot move.
    pub(super) fn notes(&self) -> Vec<String> {
        if self.has_all() {
            return Vec::new();
        }
        let note = |player: Player| {
            let nodes = self.stuck_nodes(player);
            let animal = pursuit::name(player);
            (!nodes.is_empty()).then(|| {
                format!(
                    "the {animal} could not move from {}, but never gets there from its start; \
                     positions from which it can are left out (--stuck chooses an outcome for them)",
                    super::list(&nodes)
                )
            })
        };
        [CAT, MOUSE].into_iter().filter_map(note).collect()
    }
}
