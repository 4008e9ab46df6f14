//! Chess endings against published figures (`tests/data/chess`) and against rules that look at one
//! square after the other.

mod draw;
mod laws;
mod mailbox;
mod moves;
mod notation;
mod published;
