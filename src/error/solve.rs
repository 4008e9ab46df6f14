//! Why a game could not be solved.

use thiserror::Error;

use crate::error::bytes::Bytes;
use crate::error::{BrokenLaw, CheckpointError, SystemError};
use crate::game::value::MAX_PLIES;
use crate::runtime::peers::PeerError;
use crate::runtime::scratch::{ScratchError, free_space};
use crate::runtime::{Cancelled, NoRoom, OutOfMemory};

/// Why a game could not be solved. A solve returns the whole solution, or one of these.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A distance is longer than a table can hold.
    #[error(
        "some states are decided only after more than {MAX_PLIES} plies, the longest distance that \
         a table can hold: this game can't be solved"
    )]
    TooLong,
    /// A distance is longer than a table can hold with so many points.
    #[error(
        "some states are decided only after more than {plies} plies, the longest distance that a \
         table can hold with {points} points: lower `Game::max_points`, if no player gains so \
         many"
    )]
    TooLongWithPoints {
        /// The promise of [`Game::max_points`](crate::Game::max_points).
        points: u16,
        /// The most plies of a value.
        plies: u32,
    },
    /// A game in tiers has a ply limit, and endless play is a win in it.
    #[error(
        "a limit of {limit} plies can't be applied to a game in tiers where endless play is a win: \
         it is not known what the draws that it cuts off are worth; choose a numbering without \
         tiers"
    )]
    LimitInTiers {
        /// The limit: [`Game::ply_limit`](crate::Game::ply_limit).
        limit: u32,
    },
    /// The system did not give the memory.
    #[error(
        "not enough memory: the system did not give {} for {what}; free some memory, or set a \
         lower limit: the run may then take less",
        Bytes(*bytes)
    )]
    OutOfMemory {
        /// The purpose of the memory.
        what: &'static str,
        /// How many bytes were requested.
        bytes: u64,
    },
    /// The disk has no room for scratch files, they can't be made, written or read, or are not as they were
    /// written.
    #[error(
        "scratch files of {} can't be made, written or read in {folder}{}: {error}",
        Bytes(*needed),
        free_of(*free)
    )]
    Scratch {
        /// The folder of the scratch files.
        folder: String,
        /// How many bytes they take.
        needed: u64,
        /// How many bytes are free there, where the system says.
        free: Option<u64>,
        /// The error of the system.
        error: SystemError,
    },
    /// The game, or the tier of it that takes most, can't be solved within the memory that is
    /// allowed.
    #[error(
        "{}solving {} takes {} of memory at least{}, but the limit is {}: raise it",
        in_tier(tier),
        states_of(*states),
        Bytes(*needed),
        of_others(*held),
        Bytes(*allowed)
    )]
    OverLimit {
        /// The name of the tier; `None` for a game without tiers.
        tier: Option<String>,
        /// How many indices there are, unused ones included.
        states: u64,
        /// How much memory it takes at least, in bytes: all that the run has to have in memory at
        /// that time.
        needed: u64,
        /// How much of that is for other tiers, which this one does not need. They stay in memory
        /// where the run does not write them to files.
        held: u64,
        /// How much it takes at least where finished tiers are in files; `None` where they are, or
        /// the game has no tiers.
        in_files: Option<u64>,
        /// How much it takes at least with scratch files
        /// ([`Solver::scratch`](crate::Solver::scratch)); `None` where they do not serve, or are in use.
        in_scratch: Option<u64>,
        /// How much is allowed.
        allowed: u64,
    },
    /// Values take two bytes a state from some level on, and the memory that is allowed is too
    /// little for that. With checkpoints, the levels so far are saved.
    #[error(
        "{}from level {level} on, there are too many distances for one byte a state: solving \
         {states} states then takes {} of memory, but the limit is {}: run again with more",
        in_tier(tier),
        Bytes(*needed),
        Bytes(*allowed)
    )]
    WideningOverLimit {
        /// The name of the tier; `None` for a game without tiers.
        tier: Option<String>,
        /// How many indices there are, unused ones included.
        states: u64,
        /// The level before which the run ended.
        level: u32,
        /// How much memory it takes, in bytes.
        needed: u64,
        /// How much is allowed.
        allowed: u64,
    },
    /// A numbering of discovered states found more states than it can index.
    #[error(
        "play reaches more than 2^32 states, the most that can be numbered as they are (hashed): \
         pack them (`PackedState`), number them by a formula (`Indexed`), or in tiers (`Tiered`)"
    )]
    TooManyStates,
    /// An exploration found more states than it was allowed to.
    #[error(
        "the limit of {limit} states was exceeded{}, after the moves of {expanded} states: raise \
         it",
        at_ply(*ply)
    )]
    TooManyToExplore {
        /// How many states are allowed.
        limit: u64,
        /// The ply that was being explored; `None` where tiers are explored, since their first
        /// states are at different plies.
        ply: Option<u32>,
        /// How many states had been expanded before that ply: all their moves were made.
        expanded: u64,
    },
    /// An exploration needs more memory than is allowed.
    #[error(
        "the memory limit of {} was exceeded{}, after the moves of {expanded} states: {states} \
         states were found, and the next step takes {}; raise the limit{}",
        Bytes(*allowed),
        at_ply(*ply),
        Bytes(*needed),
        enough_for_search(*enough)
    )]
    ExplorationOverLimit {
        /// How many states were found.
        states: u64,
        /// The ply that was being explored; `None` where tiers are explored, since their first
        /// states are at different plies.
        ply: Option<u32>,
        /// How many states had been expanded before that ply: all their moves were made.
        expanded: u64,
        /// How much memory the next step takes, in bytes.
        needed: u64,
        /// How much memory is enough for the search, in bytes, if plies go on to shrink as the last
        /// one did. `None` while plies grow.
        enough: Option<u64>,
        /// How much is allowed.
        allowed: u64,
        /// Whether the states could be in scratch files, for which no folder was named.
        in_scratch: bool,
    },
    /// An exploration was refused, and along play the states repeat except for parts that grow.
    #[error(
        "{refused}; play repeats except for growth in {parts}: first {earlier}, later {later}; a \
         part that counts plies or remembers past play makes new states of each round of play: \
         leave it out of the state, or bound it"
    )]
    GrowingStates {
        /// Why the exploration was refused.
        refused: Box<SolveError>,
        /// The parts that grow, as `Debug` calls them.
        parts: String,
        /// A state.
        earlier: String,
        /// A later state that differs from it only in these parts.
        later: String,
    },
    /// The game's own numbering has more indices than allowed.
    #[error("the game's numbering has {}, but the limit is {limit}: raise it", states_of(*states))]
    TooManyStatesAllowed {
        /// How many indices there are.
        states: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The game breaks a law. A sample of the states is checked before solving, and what a solve
    /// relies on while solving.
    #[error(
        "{0}; a solve checks some of the laws, and `laws::check` (`retrograde laws GAME`) all of them \
         on all states"
    )]
    BrokenLaw(BrokenLaw),
    /// The ply limit may cut play off in a game where the worth of such play is not known.
    #[error(
        "a limit of {limit} plies can't be applied to this game, where endless play is a win and \
         play can also end in a draw: it is not known which of the two play counts as that is cut \
         off; allow at least {least} plies"
    )]
    LimitAmongDraws {
        /// The limit: [`Game::ply_limit`](crate::Game::ply_limit).
        limit: u32,
        /// The least limit that cuts nothing off.
        least: u32,
    },
    /// A checkpoint could not be written, or the solve could not be resumed from it.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Several processes solve the game together, and this one lost another one.
    #[error("{problem}")]
    PeerError {
        /// A sentence on what happened, and to which process.
        problem: String,
    },
    /// Several processes can't solve this game together.
    #[error("several processes can't solve this: {problem}")]
    UnsupportedByCluster {
        /// Why they can't, and what to do instead.
        problem: String,
    },
    /// The caller's progress function requested a stop.
    #[error("interrupted")]
    Interrupted,
}

/// The beginning of a message about a tier.
fn in_tier(tier: &Option<String>) -> String {
    tier.as_ref().map_or(String::new(), |tier| format!("tier {tier}: "))
}

/// At which ply something happened, if that is known.
fn at_ply(ply: Option<u32>) -> String {
    ply.map_or(String::new(), |ply| format!(" at ply {ply}"))
}

/// How much memory is enough for a search.
fn enough_for_search(enough: Option<u64>) -> String {
    match enough {
        Some(enough) => format!(
            ": {} would be enough for the search if plies go on to shrink as the last one did",
            Bytes(enough)
        ),
        None => ": while plies grow, nobody can say how much is enough".into(),
    }
}

/// A number of states. A formula may have more than can be counted.
fn states_of(states: u64) -> String {
    match states {
        u64::MAX => "more than 2^64 states".into(),
        states => format!("{states} states"),
    }
}

/// How much space is free, if the system says.
fn free_of(free: Option<u64>) -> String {
    free.map_or_else(String::new, |free| format!(", where {} are free", Bytes(free)))
}

/// How much of the memory is for other tiers, if any is.
fn of_others(held: u64) -> String {
    match held {
        0 => String::new(),
        held => format!(" ({} of it for other tiers, which stay in memory)", Bytes(held)),
    }
}

impl From<BrokenLaw> for SolveError {
    fn from(broken: BrokenLaw) -> SolveError {
        SolveError::BrokenLaw(broken)
    }
}

impl From<Cancelled> for SolveError {
    fn from(_: Cancelled) -> SolveError {
        SolveError::Interrupted
    }
}

impl From<PeerError> for SolveError {
    fn from(error: PeerError) -> SolveError {
        match error {
            PeerError::Cancelled => SolveError::Interrupted,
            PeerError::Lost(problem) => SolveError::PeerError { problem },
        }
    }
}

impl From<NoRoom> for SolveError {
    fn from(error: NoRoom) -> SolveError {
        match error {
            NoRoom::InMemory(error) => error.into(),
            NoRoom::OnDisk(ScratchError { folder, bytes, error }) => SolveError::Scratch {
                needed: bytes,
                free: free_space(&folder),
                folder: folder.display().to_string(),
                error: error.into(),
            },
        }
    }
}

impl From<OutOfMemory> for SolveError {
    fn from(OutOfMemory { what, bytes }: OutOfMemory) -> SolveError {
        SolveError::OutOfMemory { what, bytes }
    }
}
