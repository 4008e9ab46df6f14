//! The moves of states, recorded while the states are discovered, so that the rules are asked once.
//!
//! A search asks each state for its end and its moves. What it hears goes into a [`MoveLog`]: of each
//! state where play is over its value, and of each other state its successors, by the places where
//! the search found them. Once all states are found and sorted, [`RecordedMoves`] turns the places into
//! indices.

mod log;
mod recorded;

pub(super) use log::{LogWriter, MoveLog, NO_SLOT, Number};
pub(crate) use recorded::{Movers, Places, RecordedMoves, Said};
