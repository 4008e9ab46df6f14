//! What a long run tells while it runs.

use std::fmt;
use std::ops::ControlFlow;

/// How far a run has come. Within one pass over the states the numbers grow; the levels are gone
/// through once for wins and once more for draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// How the game is going to be solved.
    Planned(Plan),
    /// States are being discovered from the roots.
    Exploring {
        /// How many states have had their moves looked at.
        expanded: u64,
        /// How many states are known.
        discovered: u64,
    },
    /// The next tier of a game in tiers is begun; what follows is about that.
    Tier {
        /// How many tiers are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The moves are being turned round, because the game has no predecessors.
    Reversing {
        /// How many states are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The successors of every state are being counted.
    Counting {
        /// How many states are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The analysis proper, level by level.
    Settling {
        /// The level at work: the states that it walks have this distance.
        level: u32,
        /// How many states have their value.
        settled: u64,
        /// Of how many. Those whose value is endless play are never settled.
        of: u64,
    },
    /// The run goes on from a checkpoint.
    Resumed(Resumed),
    /// A checkpoint is being written.
    Keeping {
        /// How many bytes of it are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The table is being written.
    Writing {
        /// How many states are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The laws are being checked.
    Checking {
        /// How many states are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The stored values are being checked against each other.
    Verifying {
        /// How many states are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
}

/// How the states are found that a settled state settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The game tells its predecessors.
    Predecessors,
    /// The moves are turned round and kept in memory.
    ReverseEdges {
        /// How many there are.
        edges: u64,
    },
    /// The moves of all open states are gone through at every level, which needs no edges and
    /// takes longer.
    Forward,
}

/// How a game is going to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the states are found that a settled state settles.
    pub method: Method,
    /// The most memory that takes, in bytes, that of the numbering included.
    pub bytes: u64,
    /// How much is allowed, if there is a limit.
    pub allowed: Option<u64>,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Predecessors => f.write_str("by the game's predecessors"),
            Method::ReverseEdges { edges } => {
                write!(f, "by {edges} moves turned round and kept in memory")
            }
            Method::Forward => f.write_str("by going through all open states at every level"),
        }
    }
}

/// What was done when the checkpoint was written that a run goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resumed {
    /// The states were discovered.
    Discovered {
        /// How many.
        states: u64,
    },
    /// Some levels were done.
    Levels {
        /// The level that comes next.
        level: u32,
        /// How many states had their value.
        settled: u64,
        /// Of how many.
        of: u64,
    },
    /// All levels were done.
    Settled {
        /// How many states there are.
        states: u64,
    },
}

/// What to do with each [`Progress`]; `Break` ends the run with an error that says so.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// How many states pass between two reports in a plain sweep over all of them.
const REPORT_EVERY: u64 = 1 << 16;

/// Runs `step` for every number below `len` and reports as it goes; fails with `interrupted` if that
/// is what the reports ask for.
pub(crate) fn sweep<E>(
    len: u64,
    progress: &mut OnProgress<'_>,
    event: impl Fn(u64) -> Progress,
    interrupted: E,
    mut step: impl FnMut(u64) -> Result<(), E>,
) -> Result<(), E> {
    let mut start = 0;
    while start < len {
        if progress(event(start)).is_break() {
            return Err(interrupted);
        }
        let end = len.min(start + REPORT_EVERY);
        for number in start..end {
            step(number)?;
        }
        start = end;
    }
    Ok(())
}
