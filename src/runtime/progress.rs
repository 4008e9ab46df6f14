//! Progress: the reports of a long run.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// A report of the progress of a run. The figures grow within one pass over the states. There are
/// two passes through the levels, the first for wins and losses and the second for draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a run makes few reports, and each is taken at once")]
pub enum Progress {
    /// The method of the solve is chosen. Reported again if the first pass over the states finds a
    /// better method, or exact figures.
    Planned(Plan),
    /// States are being discovered from the roots.
    Exploring {
        /// The number of states whose moves were listed.
        expanded: u64,
        /// The number of known states.
        discovered: u64,
        /// The memory that the known states take now, in bytes; 0 where it is not counted.
        memory: u64,
        /// The memory that they may take, in bytes, if there is a limit.
        allowed: Option<u64>,
    },
    /// A ply of an exploration is complete: the states first reached after this number of plies. In
    /// a game with tiers, each tier counts its own plies.
    Hashed {
        /// The ply, from 0.
        ply: u32,
        /// The number of states in the ply.
        states: u64,
        /// The number of terminal states among them.
        terminal: u64,
        /// The number of moves of the other states.
        moves: u64,
        /// The fewest moves of a state that is not terminal; 0 if all are terminal.
        fewest: u64,
        /// The most moves of a state that is not terminal.
        most: u64,
    },
    /// Play repeats, except that a part of the state grows, such as a count of plies. This
    /// discovery may never end. Reported once, after many plies.
    Growing {
        /// The ply that was completed.
        ply: u32,
    },
    /// Play is over in all roots, so that no other states were discovered. Reported once.
    OverAtRoots {
        /// The number of roots, which are all states.
        states: u64,
    },
    /// The next tier of a game with tiers begins. The reports that follow are about this tier.
    Tier {
        /// The number of tiers done.
        done: u64,
        /// The number of all tiers.
        of: u64,
    },
    /// A tier that an earlier run finished is solved again, because its file is damaged.
    Damaged {
        /// The place of the tier in the solving order.
        tier: usize,
    },
    /// The reverse edges of all moves are being found, because the game has no predecessors or its
    /// moves were recorded.
    Reversing {
        /// The number of states done.
        done: u64,
        /// The number of all states.
        of: u64,
    },
    /// The successors of every state are being counted.
    Counting {
        /// The number of states done.
        done: u64,
        /// The number of all states.
        of: u64,
    },
    /// The states are being solved, level by level.
    Settling {
        /// The current level: the states that it walks have this distance.
        level: u32,
        /// The number of states that had their value when the level began.
        settled: u64,
        /// The number of all states. States whose value is endless play are never settled.
        of: u64,
        /// The part of the level that is done, in states or indices.
        level_done: u64,
        /// The size of the level: the states that it walks, or all indices if it goes through all.
        level_of: u64,
    },
    /// The run is resumed from a checkpoint.
    Resumed(Resumed),
    /// A checkpoint is being written.
    Checkpointing {
        /// The number of bytes done.
        done: u64,
        /// The number of all bytes.
        of: u64,
    },
    /// The values are being sampled, to choose how the table is compressed.
    Sampling {
        /// The number of values sampled so far.
        done: u64,
        /// The number of values to sample.
        of: u64,
    },
    /// The table is being written.
    Writing {
        /// The number of states done.
        done: u64,
        /// The number of all states.
        of: u64,
    },
    /// The table is written, and the system writes it to the disk.
    Syncing {
        /// The size of the table in bytes.
        bytes: u64,
    },
    /// The laws are being checked.
    Checking {
        /// The number of states done.
        done: u64,
        /// The number of all states.
        of: u64,
    },
    /// The stored values are being checked against each other.
    Verifying {
        /// The number of states done.
        done: u64,
        /// The number of all states.
        of: u64,
    },
}

impl Progress {
    /// The report of a search that has found all of its states, and is still ordering them.
    pub(crate) fn searched(states: u64) -> Progress {
        Progress::Exploring { expanded: states, discovered: states, memory: 0, allowed: None }
    }

    /// How many states the memory allowed is enough for, if each takes as much as those that are
    /// known. `None` unless states are being discovered within a limit.
    #[must_use]
    pub fn reach(&self) -> Option<u64> {
        let &Progress::Exploring { discovered, memory, allowed: Some(allowed), .. } = self else {
            return None;
        };
        let reach = u128::from(discovered) * u128::from(allowed);
        let reach = reach.checked_div(memory.into())?;
        Some(u64::try_from(reach).unwrap_or(u64::MAX))
    }
}

/// How a settled state reaches the states that have a move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// By the game's own predecessors.
    Predecessors,
    /// By reverse edges, found by the engine and kept in memory.
    ReverseEdges {
        /// The number of edges.
        edges: u64,
        /// How many passes over the moves collect them: more than one if the memory allowed is
        /// short. An estimate, from the first pass.
        passes: u32,
    },
    /// By the moves of all open states at every level, until the edges between them fit into memory.
    Forward,
    /// All moves leave the tier, so that each value follows from solved tiers, without levels.
    OnePass,
}

/// The plan of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The method.
    pub method: Method,
    /// The memory of the method, in bytes, including the numbering and the tiers in memory.
    pub bytes: u64,
    /// The memory of the method, in bytes, if values turn out to need two bytes a state instead of
    /// one. They do if there are some 190 levels or more, or if many states have more than 63
    /// moves. Equal to [`bytes`](Plan::bytes) if the game promises short distances. A run that
    /// needs this much and is allowed less ends with an error at that level.
    pub widened: u64,
    /// The memory allowed, in bytes, if there is a limit.
    pub allowed: Option<u64>,
    /// Whether the moves that were recorded during the discovery serve, so that the rules are not
    /// asked again.
    pub recorded: bool,
    /// Whether discovered states are coded in memory, where they do not fit as they are. Finding one
    /// takes up to twice as long then.
    pub coded: bool,
    /// The length of the scratch files that hold what does not fit into memory, in bytes; 0 if there
    /// are none.
    pub scratch: u64,
    /// The expected cost of the run. `None` for small games, for resumed runs, and once the first
    /// pass has found exact figures.
    pub forecast: Option<Forecast>,
}

/// The expected cost of a run, estimated from a sample of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forecast {
    /// The number of states, without unused indices.
    pub states: u64,
    /// The number of moves of all states.
    pub edges: u64,
    /// The time to solve: within a factor of two or three for most games, and less if many states
    /// are draws by endless play. The time to write a table is not included.
    pub time: Duration,
    /// The most bytes of moves that all levels together write into scratch files, and read again. 0
    /// without such files.
    pub traffic: u64,
    /// The other ways, as far as there are any.
    pub(crate) others: [Option<Alternative>; 3],
}

/// Another way to solve the same game, which takes other memory and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alternative {
    /// The method.
    pub method: Method,
    /// Whether what does not fit into memory is in scratch files.
    pub in_files: bool,
    /// The memory that has to be allowed for it, in bytes, about.
    pub memory: u64,
    /// The time to solve, as uncertain as [`Forecast::time`].
    pub time: Duration,
}

impl Forecast {
    /// The other ways to solve the game, those with the most memory first. A run that is allowed so much memory
    /// takes that way, with a folder for scratch files if they are [needed](Alternative::in_files) and else without.
    pub fn alternatives(&self) -> impl Iterator<Item = Alternative> {
        self.others.into_iter().flatten()
    }
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
            Method::Forward => f.write_str(
                "by going through all open states at every level, until the moves between them fit \
                 into memory",
            ),
            Method::OnePass => f.write_str("in one pass, since all moves leave the tier"),
        }
    }
}

/// The progress that was saved in the checkpoint from which a run resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resumed {
    /// Some plies of the search were done.
    Searching {
        /// The place of the tier that is searched in the solving order; `None` in a game without
        /// tiers.
        tier: Option<usize>,
        /// The number of plies whose states were expanded, of the tier if there are tiers.
        plies: u32,
        /// The number of states that were known.
        states: u64,
    },
    /// The states were discovered.
    Discovered {
        /// The number of states.
        states: u64,
    },
    /// Some levels were done.
    Levels {
        /// The level that comes next.
        level: u32,
        /// The number of states that had their value.
        settled: u64,
        /// The number of all states.
        of: u64,
    },
    /// All levels were done.
    Settled {
        /// The number of states.
        states: u64,
    },
}

/// A function that receives each [`Progress`]. If it returns `Break`, the run ends with an error
/// that says so.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Receives progress where nobody asked for it, and never interrupts.
pub(crate) fn unheard<'a>() -> Box<OnProgress<'a>> {
    Box::new(|_| ControlFlow::Continue(()))
}
