//! Why a game could not be solved.

use thiserror::Error;

use crate::error::bytes::Bytes;
use crate::error::{CheckpointError, Law};
use crate::runtime::peers::Parted;
use crate::runtime::{Cancelled, OutOfMemory};
use crate::value::MAX_PLIES;

/// Why a game could not be solved. A solve returns the whole solution, or one of these.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A distance is longer than a table can hold.
    #[error(
        "some states are decided only after more than {MAX_PLIES} plies, which is the longest \
         distance that a table can hold"
    )]
    TooLong,
    /// A state that is not terminal, has no move, and for which the game names no outcome.
    #[error(
        "state {state} is not terminal and has no legal move, and the game does not say what that \
         is worth (`Game::no_moves`)"
    )]
    NoMoves {
        /// The state.
        state: String,
    },
    /// The game gives a state an index beyond the end of its numbering.
    #[error(
        "the game gives state {state} the index {index}, but its indices end at {len}: its \
         numbering is broken"
    )]
    IndexOutOfRange {
        /// The state.
        state: String,
        /// The index that the game gave for it.
        index: u64,
        /// The length of the numbering.
        len: u64,
    },
    /// A move of a tiered game leads to a state whose value is not known.
    #[error(
        "state {state} has a move to {next}, which is in a tier that the state's own does not say it \
         leads to, or at an index of it that stands for no state"
    )]
    UnexpectedTier {
        /// The state.
        state: String,
        /// Where the move leads.
        next: String,
    },
    /// The game puts a state into a tier that does not exist.
    #[error(
        "state {state} is in tier number {tier}, and there are {tiers}, the first of them number 0"
    )]
    NoSuchTier {
        /// The state.
        state: String,
        /// The place of its tier.
        tier: usize,
        /// How many tiers there are.
        tiers: usize,
    },
    /// A tier leads to one that is not solved before it.
    #[error("tier {tier} leads to {later}, which does not come before it in the solving order")]
    TierOrder {
        /// The tier.
        tier: String,
        /// Where it leads.
        later: String,
    },
    /// A game in tiers has a ply limit, and endless play is a win in it.
    #[error(
        "a limit of {limit} plies can't be applied to a game in tiers where endless play is a win: \
         nothing says what becomes of the draws that it cuts off"
    )]
    LimitInTiers {
        /// The limit: [`Game::ply_limit`](crate::Game::ply_limit).
        limit: u32,
    },
    /// The system did not give the memory.
    #[error("not enough memory: {} for {what}", Bytes(*bytes))]
    OutOfMemory {
        /// What the memory was for.
        what: &'static str,
        /// How many bytes were requested.
        bytes: u64,
    },
    /// The game, or the tier of it that takes most, can't be solved within the memory that is
    /// allowed.
    #[error(
        "{}solving {} takes {} of memory at least{}, and {} are allowed",
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
        /// How much memory it takes at least, in bytes: all of what the run has to have in memory
        /// then.
        needed: u64,
        /// How much of that is for other tiers, which this one does not need. They stay in memory
        /// where the run does not write them to files.
        held: u64,
        /// How much it takes at least where finished tiers are in files; `None` where they are, or the
        /// game has no tiers.
        in_files: Option<u64>,
        /// How much is allowed.
        allowed: u64,
    },
    /// Values take two bytes a state from some level on, and there is no room for that within the
    /// memory that is allowed. With checkpoints, the levels so far are saved.
    #[error(
        "{}from level {level} on, solving {states} states takes {} of memory, since there are too \
         many distances for one byte a state, and {} are allowed: run again with more",
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
    /// The order of the states (`Ord`) contradicts their equality.
    #[error("the states {states} are different and in no order: `Ord` and `Eq` disagree")]
    FaultyOrder {
        /// The states.
        states: String,
    },
    /// An exploration found more states than it can index.
    #[error("more than 2^32 states can be reached, too many for the explored numbering")]
    TooManyStates,
    /// An exploration found more states than it was allowed to.
    #[error(
        "more than the {limit} states that are allowed can be reached: that many were found{}, when \
         the moves of {expanded} had been looked at",
        at_ply(*ply)
    )]
    TooManyToExplore {
        /// How many states are allowed.
        limit: u64,
        /// The ply at work; `None` where tiers are searched, which roots and other tiers lead to.
        ply: Option<u32>,
        /// How many states had had their moves looked at before that ply.
        expanded: u64,
    },
    /// An exploration needs more memory than is allowed.
    #[error(
        "exploring takes more than the {} of memory that are allowed: {states} states were found{}, \
         when the moves of {expanded} had been looked at, and the next step takes {}",
        Bytes(*allowed),
        at_ply(*ply),
        Bytes(*needed)
    )]
    ExplorationOverLimit {
        /// How many states were found.
        states: u64,
        /// The ply at work; `None` where tiers are searched, which roots and other tiers lead to.
        ply: Option<u32>,
        /// How many states had had their moves looked at before that ply.
        expanded: u64,
        /// How much memory the next step takes, in bytes.
        needed: u64,
        /// How much is allowed.
        allowed: u64,
    },
    /// An exploration was refused, and along play the states repeat but for parts that grow.
    #[error(
        "{refused}; play repeats up to {parts}, which grows: first {earlier}, later {later}; what counts \
         plies or remembers past play makes each round of play new states: leave it out of the state, or \
         bound it"
    )]
    GrowingStates {
        /// Why the exploration was refused.
        refused: Box<SolveError>,
        /// The parts that grow, as `Debug` calls them.
        parts: String,
        /// A state.
        earlier: String,
        /// A later state that differs from it in these parts alone.
        later: String,
    },
    /// The game's own numbering has more indices than allowed.
    #[error("the game's numbering has {}, and {limit} are allowed", states_of(*states))]
    TooManyStatesAllowed {
        /// How many indices there are.
        states: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A state does not pack into 64 bits, though the game says that all do.
    #[error(
        "state {state} takes more than 64 bits, and the game says that none does \
         (`Packed::fits_u64`)"
    )]
    TooWide {
        /// The state.
        state: String,
    },
    /// The game's outcome of endless play is none that such a game can have.
    #[error(
        "the game says that endless play is worth {outcome}: it has to be a draw or a win of a \
         player who is named, and a draw where states do not say who is to move (`Game::endless`)"
    )]
    EndlessOutcome {
        /// What the game says.
        outcome: String,
    },
    /// The game names the winner of a state that does not say who is to move.
    #[error(
        "the game names the winner of state {state}, though its states do not say who is to move: \
         `Outcome::MoverWins` and `Outcome::MoverLoses` are right there"
    )]
    NamedWinner {
        /// The state.
        state: String,
    },
    /// The game breaks a law on a state of the sample that is looked at before solving.
    #[error(
        "broken law: {law}\n{counterexample}\nthis was found in a sample of the states: \
         `laws::check`, on the command line `retrograde laws GAME`, checks all of them"
    )]
    BrokenLaw {
        /// Which law.
        law: Law,
        /// The states that break the law, and how.
        counterexample: String,
    },
    /// Two tiers have one name, so that the table of one would replace that of the other.
    #[error("two tiers are called {name}: give each tier of `Tiered::tiers` a name of its own")]
    SharedTierName {
        /// The name.
        name: String,
    },
    /// There is nothing to explore from.
    #[error("the game has no roots, so there is nothing to explore (`Game::roots`)")]
    NoRoots,
    /// The ply limit may cut play off in a game where nobody can say what such play is then worth.
    #[error(
        "a limit of {limit} plies can't be applied to this game, where endless play is a win and \
         play can also end in a draw: nothing says which of the two becomes of what is cut \
         off; allow at least {least} plies"
    )]
    LimitAmongDraws {
        /// The limit: [`Game::ply_limit`](crate::Game::ply_limit).
        limit: u32,
        /// The least limit that cuts nothing off.
        least: u32,
    },
    /// A checkpoint could not be written, or the solve not resumed from it.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The run is done by several processes, and this one lost another one.
    #[error("{problem}")]
    Parted {
        /// What happened, and to which process.
        problem: String,
    },
    /// The run is done by several processes, and that can't be done with this game.
    #[error("several processes can't solve this: {problem}")]
    NotTogether {
        /// What stands against it, and what to do instead.
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

/// A number of states, of which a formula may give more than can be counted.
fn states_of(states: u64) -> String {
    match states {
        u64::MAX => "more than 2^64 states".into(),
        states => format!("{states} states"),
    }
}

/// How much of the memory is for other tiers, if any.
fn of_others(held: u64) -> String {
    match held {
        0 => String::new(),
        held => format!(" ({} of that for other tiers, which stay in memory)", Bytes(held)),
    }
}

impl From<Cancelled> for SolveError {
    fn from(_: Cancelled) -> SolveError {
        SolveError::Interrupted
    }
}

impl From<Parted> for SolveError {
    fn from(parted: Parted) -> SolveError {
        match parted {
            Parted::Cancelled => SolveError::Interrupted,
            Parted::Lost(problem) => SolveError::Parted { problem },
        }
    }
}

impl From<OutOfMemory> for SolveError {
    fn from(OutOfMemory { what, bytes }: OutOfMemory) -> SolveError {
        SolveError::OutOfMemory { what, bytes }
    }
}
