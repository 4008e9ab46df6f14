//! `solve --processes` and `solve --hosts`: the processes that solve a game together. With
//! `--processes`, a supervisor starts a copy of this program for each. With `--hosts`, each process
//! is started on its own machine.

mod member;
mod options;
mod supervisor;

pub(super) use member::{Joined, Member};
pub(super) use options::{arguments, check, is_supervisor};
pub(super) use supervisor::supervise;
