//! The program as it is called: what it answers, what it refuses, what it leaves on the disk, and how it is
//! stopped.

// Not all of it is needed here.
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
mod numberings;
mod outcomes;
mod packed_tiers;
mod playing;
mod plotting;
mod probing;
mod probing_lines;
mod refusing_games;
mod refusing_tables;
mod solving;
#[path = "../stopped/mod.rs"]
mod stopped;
#[cfg(unix)]
mod talking;
