//! Probing a solved game: the value of a state, its moves, the line of best play.
//!
//! A [`Prober`] of a [`Table`](crate::Table), and a [`Solution`](crate::Solution) in
//! memory, answer the same questions.

mod answers;
mod files;
mod line;
mod probe;
mod prober;
mod ranked;
mod solution;
mod states;
pub(crate) mod view;

pub use crate::game::value::{DecidedBy, MAX_PLIES, MAX_POINTS, Rules, ValueKind};
pub use answers::{Assessed, Line, LineEnd, RankedMoves};
pub use prober::{IntoShared, Prober};
#[cfg(feature = "cli")]
#[cfg_attr(
    not(feature = "cli"),
    expect(unused_imports, reason = "only the command line and the answers use it")
)]
pub(crate) use ranked::{Replies, points_of_move};
pub use states::States;
