//! Tables over HTTP: the answers of every address, the refusals, and whether any two answers
//! contradict each other.

#[path = "../command_line/program.rs"]
#[allow(dead_code, reason = "the other tests of the program use the rest")]
mod program;

mod agreement;
#[cfg(unix)]
mod attacks;
mod client;
mod interface;
mod programs;
mod refusals;
mod setup;
mod sites;
