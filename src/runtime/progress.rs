//! Progress: what a long run reports while it runs.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// How far a run has come. The figures grow within one pass over the states. There are two passes
/// through the levels, the first for wins and losses and the second for draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// The method is chosen by which the game is going to be solved. Reported again where the first pass
    /// over the states shows that another one is better, or exact figures.
    Planned(Plan),
    /// States are being discovered from the roots.
    Exploring {
        /// How many states have had their moves looked at.
        expanded: u64,
        /// How many states are known.
        discovered: u64,
    },
    /// A ply of an exploration is complete: the states that play reaches after so many plies and no
    /// sooner. In a game in tiers the plies are those of a tier.
    Explored {
        /// The ply, from 0.
        ply: u32,
        /// How many states it has.
        states: u64,
        /// How many of them are terminal.
        terminal: u64,
        /// How many moves the others have in all.
        moves: u64,
        /// The fewest moves that one of them has; 0 where all are terminal.
        fewest: u64,
        /// The most moves that one of them has.
        most: u64,
    },
    /// Play repeats but for something in the state that grows, as a count of plies does. Such a discovery
    /// may never end. Reported once, after many plies.
    Growing {
        /// The ply that was completed.
        ply: u32,
    },
    /// The next tier of a game in tiers is begun. The reports that follow are about this tier.
    Tier {
        /// How many tiers are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// A tier that an earlier run finished is done again, because its file is damaged.
    Damaged {
        /// The place of the tier in the solving order.
        tier: usize,
    },
    /// The reverse edges of all moves are being found, because the game has no predecessors.
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
    /// The states are being solved, level by level.
    Settling {
        /// The level at work: the states that it walks have this distance.
        level: u32,
        /// How many states had their value when the level began.
        settled: u64,
        /// Of how many. States whose value is endless play are never settled.
        of: u64,
        /// How much of the level is done, in states or indices.
        level_done: u64,
        /// Of how much: the states that the level walks, or all indices where it goes through all.
        level_of: u64,
    },
    /// The run is resumed from a checkpoint.
    Resumed(Resumed),
    /// A checkpoint is being written.
    Checkpointing {
        /// How many bytes of it are done.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// The values are being looked at, to choose how the table is compressed.
    Sampling {
        /// How many states have had their value looked at.
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
    /// The table is written, and the system is asked to bring it to the disk.
    Syncing {
        /// How many bytes the table has.
        bytes: u64,
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

/// How a settled state reaches the states that have a move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// By the game's own predecessors.
    Predecessors,
    /// By reverse edges, found by the engine and kept in memory.
    ReverseEdges {
        /// How many edges there are.
        edges: u64,
        /// In how many passes over the moves they are collected: more than one where the memory
        /// allowed is short. An estimate, from the first pass.
        passes: u32,
    },
    /// By the moves of all open states at every level. This needs no edges and takes longer.
    Forward,
}

/// How a game is going to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// How much memory the method takes, in bytes, with the numbering and the tiers in memory.
    pub bytes: u64,
    /// How much memory the method takes, in bytes, where values turn out to need two bytes a state
    /// instead of one: there are some 190 levels or more, or many states have more than 63 moves. Equal to
    /// [`bytes`](Plan::bytes) where the game promises short distances. A run that needs this much and
    /// is allowed less ends with an error at that level.
    pub widened: u64,
    /// How many bytes are allowed, if there is a limit.
    pub allowed: Option<u64>,
    /// Whether the moves that were recorded while states were discovered serve, so that the rules are not
    /// asked again.
    pub recorded: bool,
    /// What the run is expected to take. `None` for small games, for runs that are resumed, and once the
    /// first pass has found exact figures.
    pub forecast: Option<Forecast>,
}

/// What a run is expected to take, estimated from a sample of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// How many states there are, without unused indices.
    pub states: u64,
    /// How many moves they have in all.
    pub edges: u64,
    /// How long solving takes: within a factor of two or three for most games, and less where many
    /// states are draws by endless play. Writing a table comes on top.
    pub time: Duration,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Predecessors => f.write_str("by the game's predecessors"),
            Method::ReverseEdges { edges, passes } => {
                write!(f, "by {edges} reverse edges kept in memory")?;
                match passes {
                    0 | 1 => Ok(()),
                    _ => write!(f, ", collected in some {passes} passes"),
                }
            }
            Method::Forward => f.write_str("by going through all open states at every level"),
        }
    }
}

/// What was done when the checkpoint was written from which a run is resumed.
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
