//! Runs of the program that are stopped: by Ctrl-C, by a kill, by a full disk, by the memory limit.

pub(crate) mod ctrl_c;
mod full_disk;
pub(crate) mod killed;
mod memory;
#[cfg(target_os = "linux")]
mod screen;
