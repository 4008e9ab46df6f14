//! Several processes that solve a game together. They write the file that one process writes. If
//! one of them ends, all end soon, with a clear error and without a file.

#[path = "../command_line/program.rs"]
#[allow(dead_code, reason = "the other tests of the program use the rest")]
mod program;

#[cfg(target_os = "linux")]
mod ended;
mod hosts;
#[cfg(target_os = "linux")]
mod resumed;
mod same;
