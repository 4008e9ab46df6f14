//! The retrograde analysis, level by level.
//!
//! The analysis works only on indices and knows no game. Level d settles exactly the states of
//! distance d + 1, in two passes (Thompson, "Retrograde analysis of certain endgames", ICCA Journal
//! 9(3), 1986; linear time by counting: Dowling and Gallier on Horn formulae, Journal of Logic
//! Programming 1(3), 1984).
//!
//! The first pass settles wins and losses. A state is won as soon as any successor is lost for the
//! opponent, and lost once all its successors are won for the opponent. The cell of an open state
//! counts the successors that are not won for the opponent yet. Levels finish in order, so winners
//! get their least distance and losers their greatest.
//!
//! Nobody can force a win from the states that the first pass leaves open. The second pass settles
//! the states among them from which play has to end in a draw. All others are endless. The rule
//! depends on the value of endless play:
//!
//! - Endless play is a draw: both players may make any move that keeps the draw. A state is settled
//!   once all its successors that keep the draw are settled. The settled states are therefore the
//!   ones where drawn play must end.
//! - Endless play wins for one player: the other player, the hurrying one, heads for a draw. Any
//!   drawn successor settles a state in which the hurrying player is to move; a state of the
//!   opponent needs all successors. The settled states are the attractor of the drawn ends: the
//!   region in which the hurrying player has at least a draw. This player has no more than a draw,
//!   since the first pass found no win. In the rest, the player for whom endless play wins can stay
//!   for ever.
//!
//! A level can be computed in three ways. [`Backward`] walks the frontier, the set of states settled
//! in the last level, and updates their predecessors. [`Forward`] goes through the moves of all
//! open states. It serves games without predecessors whose reverse edges do not fit into memory. As
//! soon as the edges between the open states fit, [`Backward`] takes over. [`ByRows`] walks the frontier 64 states
//! at a time, where the game tells of such rows.

mod analysis;
mod applied;
mod backward;
mod forward;
mod open_moves;
mod rows;
mod step;

pub(crate) use analysis::Analysis;
pub(crate) use backward::{Backward, UpdateSorter, by_edges};
pub(crate) use forward::Forward;
pub(crate) use open_moves::collect_open;
pub(crate) use rows::ByRows;
pub(crate) use step::Levels;
