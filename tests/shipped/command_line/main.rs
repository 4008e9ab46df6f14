//! The program as it is called: what it answers, what it refuses, and what it leaves on the disk.

#[path = "../oracle.rs"]
mod oracle;
mod program;

mod asking;
mod explored_tiers;
mod exploring;
mod kept_tables;
mod limits;
mod outcomes;
mod refusing_games;
mod refusing_tables;
mod solving;
#[cfg(unix)]
mod talking;
