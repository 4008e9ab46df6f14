//! Solving: from the rules of a game to the value of every state. [`Solver`] solves, and returns a
//! [`Solution`]; the other types here are its progress and its figures.

// `solver` holds the options. `states` finds the states, `tiers` solves the tiers of a game in order;
// a game without tiers is one tier. `run` does one solve: in `one_pass` where all moves leave the tier,
// or as `method` chooses by the memory that `plan` counts. `graph` provides the moves between indices,
// `levels` is the analysis of `cells`, and `exchange` carries messages between the owners of indices.

mod cells;
pub(crate) mod checkpoint;
mod exchange;
mod forecast;
mod graph;
mod levels;
mod method;
mod one_pass;
pub(crate) mod plan;
mod resources;
mod run;
mod solution;
mod solved;
mod solver;
mod states;
pub(crate) mod tiers;

pub(crate) use crate::explore::RecordedMoves;
pub use crate::explore::{Ply, Statistics};
pub use crate::game::summary::{AtDistance, AtPoints, Tally};
pub use crate::runtime::progress::{
    Alternative, Forecast, Method, OnProgress, Plan, Progress, Resumed,
};
pub(crate) use cells::Cells;
pub(crate) use resources::Resources;
pub use solution::Solution;
pub(crate) use solved::SolvedPart;
pub use solved::TierFigures;
pub use solver::Solver;
pub(crate) use solver::solve_and_save;
pub(crate) use states::find_states;

#[cfg(all(test, feature = "cluster"))]
mod recorded_together_tests;
#[cfg(all(test, feature = "cluster"))]
pub(crate) mod together_tests;
