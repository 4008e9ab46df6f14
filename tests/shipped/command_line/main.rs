//! The program as a user calls it: its answers and refusals, the files that it leaves, and how it
//! stops.

// This crate uses only a part of it.
#[allow(dead_code)]
#[path = "../../table_file/layout.rs"]
mod layout;
#[path = "../oracle.rs"]
mod oracle;
mod program;

mod destinations;
mod earlier_tables;
mod exploring;
mod folders;
mod forged_states;
mod hostile;
mod limits;
mod many;
mod numberings;
mod outcomes;
#[cfg(feature = "numberings")]
mod packed_tiers;
mod playing;
mod plotting;
mod probing;
mod probing_lines;
mod refusing_games;
mod refusing_tables;
mod rules;
mod solving;
mod starting;
#[path = "../stopped/mod.rs"]
mod stopped;
#[cfg(unix)]
mod talking;
