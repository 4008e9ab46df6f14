//! Chess endings against published figures (`tests/data/chess`) and against rules that look at one
//! square after the other.

mod draw;
mod laws;
#[allow(dead_code, reason = "only values are changed here")]
#[path = "../../table_file/layout.rs"]
mod layout;
mod mailbox;
mod moves;
mod notation;
mod published;
#[path = "../states.rs"]
mod states;
mod successors;
mod whole;
