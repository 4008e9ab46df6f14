//! `solve --processes` and `solve --hosts`: the processes that solve a game together. The first is
//! started by a supervisor, which starts a copy of this program for each; the second joins processes that
//! were started elsewhere.

mod member;
mod options;
mod supervisor;

pub(super) use member::{Joined, Member};
pub(super) use options::{arguments, check, is_supervisor};
pub(super) use supervisor::supervise;
