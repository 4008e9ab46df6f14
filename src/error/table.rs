//! The faults of a table: a file, or a folder of tiers.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::error::bytes::{Bytes, Grouped};
use crate::error::{BrokenLaw, SolveError};
use crate::runtime::{Cancelled, OutOfMemory};

/// Why a table could not be read, written, probed or verified. Errors of a folder of tiers name the
/// file or folder ([`At`](TableError::At)). Errors of a single file do not, since the caller knows
/// it.
#[derive(Error)]
#[non_exhaustive]
pub enum TableError {
    // Raw, so that an error whose text the message contains is not returned by `Error::source` too.
    /// The system failed to read or write.
    #[error("can't {action}: {source}")]
    Io {
        /// The action that failed, as in "read it".
        action: &'static str,
        /// The error of the system.
        r#source: io::Error,
    },
    /// The file does not begin like a tablebase.
    #[error("not a retrograde tablebase: it does not begin like one")]
    NotATablebase,
    /// The file is of a later format than this program reads.
    #[error(
        "made by a newer program: its format is version {found}, but this program reads only \
         versions up to {known}; use a newer release"
    )]
    NewerVersion {
        /// The version in the file.
        found: u32,
        /// The latest version that this program reads.
        known: u32,
    },
    /// The file is shorter than it says, or too short to say.
    #[error(
        "truncated: {} bytes expected, {} found; copy or make the file again",
        Grouped(*expected),
        Grouped(*found)
    )]
    Truncated {
        /// How long it should be, at least.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The file is longer than it says.
    #[error(
        "longer than it should be: {} bytes expected, {} found; copy or make the file again",
        Grouped(*expected),
        Grouped(*found)
    )]
    Overlong {
        /// How long it should be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// Bytes have changed since the file was written.
    #[error(
        "damaged: the checksum of {part} (at byte {offset}) does not match; copy or make the file \
         again"
    )]
    Damaged {
        /// Which part.
        part: String,
        /// Where it begins.
        offset: u64,
    },
    /// A part has the right checksum and makes no sense. This program never writes such a part.
    #[error("malformed: {part} {problem}; solve the game again")]
    Malformed {
        /// Which part.
        part: String,
        /// The fault.
        problem: String,
    },
    /// The table is of another game, or of this game with other parameters.
    #[error("the table of another game: it is of {found}, not of {asked}")]
    OtherGame {
        /// The game of the file, with its parameters.
        found: String,
        /// The game that was expected, with its parameters.
        asked: String,
    },
    /// The folder is of a game that goes further than this one, and has all of its tiers.
    #[error(
        "the folder goes further: it is of {found}, which has all tiers of {asked}; probe it as it \
         is, or choose another folder"
    )]
    GoesFurther {
        /// The game of the folder, with its parameters.
        found: String,
        /// The game that was expected, with its parameters.
        asked: String,
    },
    /// The game's state type, packing or index formula has changed since the table was written.
    #[error(
        "made for another numbering of the game: {place} was {then} when it was written, and is \
         {now} now; the game's states, packing or index formula have changed: solve the game again"
    )]
    GameHasChanged {
        /// Which index, or that it is a stored state.
        place: String,
        /// The state, as the table remembers it.
        then: String,
        /// The state that the game makes of it now.
        now: String,
    },
    /// The table has another numbering than was expected.
    #[error(
        "its states are numbered as \"{found}\", where {expected} was expected: name another table, \
         or solve the game again"
    )]
    OtherNumbering {
        /// The numbering of the table.
        found: String,
        /// The numberings that would have been right.
        expected: String,
    },
    /// The table has a numbering that this program was built without.
    #[error(
        "its states are numbered as \"{found}\", which this program was built without: use one that \
         was built with {needs}, or solve the game again"
    )]
    NumberingNotBuilt {
        /// The numbering of the table.
        found: &'static str,
        /// The build that has it: see [`OptionalSchemes`](crate::scheme::OptionalSchemes).
        needs: &'static str,
    },
    /// The file contains one tier of a game, but all tiers are needed.
    #[error(
        "the table of one tier, which only `stats` reads: give the folder that it is in, with the \
         tiers that its moves lead to"
    )]
    OneTier,
    /// The path is not that of a file, but of a folder, a device or a pipe.
    #[error("not a regular file: name a file on a disk")]
    NotAFile,
    /// There is a file that is not a table, and only tables are replaced.
    #[error(
        "the file there is not a retrograde tablebase, and is not replaced: choose another name or \
         delete it"
    )]
    NotReplaced,
    /// The path is that of a tier in a folder of tiers, which the table of a whole game does not
    /// replace.
    #[error(
        "the table of tier {tier} belongs there, in a folder of tiers, and is not replaced: choose \
         another name"
    )]
    TierNotReplaced {
        /// The tier.
        tier: String,
    },
    /// There is a symbolic link to a file that does not exist.
    #[error("a symbolic link to a file that does not exist: name that file, or delete the link")]
    DanglingLink,
    /// The game's parameters are too long to be stored.
    #[error(
        "the game's parameters are too long to be stored: expected at most {most} bytes, found \
         {bytes}"
    )]
    ParametersTooLong {
        /// How long they are.
        bytes: usize,
        /// How long they may be.
        most: usize,
    },
    /// A table of outcomes only can't be of a game whose ply limit cuts something off.
    #[error(
        "outcomes without distances do not show what a limit of {limit} plies cuts off, and some \
         positions take {longest} plies or more: write distances, or raise the ply limit"
    )]
    LimitWithoutDistances {
        /// The limit.
        limit: u32,
        /// The longest distance within it.
        longest: u32,
    },
    /// The folder has outcomes only, but distances are needed.
    #[error("the tables there have outcomes only, but distances are needed: choose another folder")]
    OutcomesOnly,
    /// The folder has distances, but outcomes only were to be written into it.
    #[error(
        "the tables there have distances, but outcomes only were asked for: choose another folder"
    )]
    HasDistances,
    /// The file does not say which of its indices have states: the game's formula does.
    #[error(
        "only the rules of its game say which of its indices have states: open the table with its \
         game"
    )]
    NeedsRules,
    /// The table does not have all of these indices.
    #[error(
        "no such indices: {} to {}, where the table has {count}",
        asked.start,
        asked.end.saturating_sub(1)
    )]
    NoSuchIndex {
        /// The indices that were asked for.
        asked: std::ops::Range<u64>,
        /// The number of indices.
        count: u64,
    },
    /// The folder has no manifest.
    #[error("not a folder of tiers: there is no manifest.json in it; name another folder")]
    NotOfTiers,
    /// The table of a tier is missing, and another tier that is solved leads to it.
    #[error(
        "missing: the table of tier {tier}, which the solved tier {needed_by} leads to; bring the \
         file back, or run the same `solve` again, which solves the tier again"
    )]
    TierMissing {
        /// The tier.
        tier: String,
        /// A solved tier that leads to it.
        needed_by: String,
    },
    /// The table of a tier is missing, and no tier that is solved leads to it.
    #[error(
        "missing: the table of tier {tier}; {solved} of {of} tiers are solved: run the same \
         `solve` again, which solves the others"
    )]
    TierUnsolved {
        /// The tier.
        tier: String,
        /// How many tiers are solved.
        solved: usize,
        /// How many tiers there are.
        of: usize,
    },
    /// The manifest counts more or fewer states of a tier than there are.
    #[error(
        "counts {} states of tier {tier}, but {what} {}: copy the folder again, or delete it to \
         start again",
        Grouped(*counted),
        Grouped(*found)
    )]
    OtherCount {
        /// The tier.
        tier: String,
        /// How many states the manifest counts.
        counted: u64,
        /// Where other states were counted, and a verb.
        what: &'static str,
        /// How many states there are.
        found: u64,
    },
    /// The states of a tier that is not solved yet are gone.
    #[error(
        "the states file and the tier's table are both missing: run the same command again, which \
         discovers the states again"
    )]
    NoStates,
    /// The file of a tier belongs to another game or tier, or to another version of the program. It
    /// is not damaged, so it is not overwritten.
    #[error("{source}; the file is not overwritten: delete it to have the tier solved again")]
    NotTheTier {
        /// The fault of the file.
        r#source: Box<TableError>,
    },
    /// The file of a tier is damaged, and no other file has the states that were discovered in the
    /// tier.
    #[error(
        "{source}; no other file has the tier's states: delete this one to have them discovered \
         and the tier solved again"
    )]
    StatesLost {
        /// The fault of the file.
        r#source: Box<TableError>,
    },
    /// Another run writes into the folder.
    #[error("another run writes into this folder: wait until it ends, or choose another folder")]
    InUse,
    /// The game has no tier of that name.
    #[error("no such tier: \"{name}\"; expected {known}")]
    NoSuchTier {
        /// The name that was given.
        name: String,
        /// The tiers that there are, or the first of them.
        known: String,
    },
    /// A table in tiers can't be written like that.
    #[error("{asked} can't be written in one go: {instead}")]
    NotInTiers {
        /// The table that was to be written.
        asked: &'static str,
        /// How it can be written.
        instead: &'static str,
    },
    /// The game could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The fault of one file or folder of several.
    #[error("{}: {source}", path.display())]
    At {
        /// The file or folder.
        path: PathBuf,
        /// The fault.
        r#source: Box<TableError>,
    },
    /// The system did not give the memory that the whole table needs.
    #[error(
        "not enough memory: the system did not give {} for the table's values and states; free \
         some memory, or set a lower limit: checking then takes less",
        Bytes(*bytes)
    )]
    OutOfMemory {
        /// How many bytes were requested.
        bytes: u64,
    },
    /// A stored value contradicts the values of its successors.
    #[error(
        "wrong value: {state} is stored as {stored}, but its successors make it {expected}; solve \
         the game again"
    )]
    WrongValue {
        /// The state.
        state: String,
        /// The stored value.
        stored: String,
        /// The value that follows from the states that its moves lead to.
        expected: String,
    },
    /// An unused index has a value.
    #[error(
        "wrong value: index {index} is unused, but is stored as {stored}; solve the game again"
    )]
    ValueOfUnused {
        /// The index.
        index: u64,
        /// The stored value.
        stored: String,
    },
    /// The counts in the header are not the counts of the values.
    #[error(
        "wrong counts: the figures in the header are not those of the stored values; solve the \
         game again"
    )]
    WrongSummary,
    /// The caller's progress function requested a stop.
    #[error("interrupted")]
    Interrupted,
}

impl TableError {
    /// An error for what the system said while `action` was done.
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> TableError {
        move |source| TableError::Io { action, source }
    }

    /// The error with the path of its file or folder, unless its message already names one.
    pub(crate) fn at(path: &Path) -> impl Fn(TableError) -> TableError + use<> {
        let path = path.to_owned();
        move |error| match error {
            error @ (TableError::At { .. } | TableError::Solve(_)) => error,
            source => TableError::At { path: path.clone(), source: Box::new(source) },
        }
    }

    /// The error without the path of its file or folder.
    pub(crate) fn without_path(self) -> Box<TableError> {
        match self {
            TableError::At { source, .. } => source,
            error => Box::new(error),
        }
    }

    /// Whether the caller's progress function requested a stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            TableError::Interrupted | TableError::Solve(SolveError::Interrupted) => true,
            TableError::At { source, .. } => source.is_interrupted(),
            _ => false,
        }
    }

    /// Whether only the rules of the game have the answer.
    #[cfg(all(feature = "serve", not(target_family = "wasm")))]
    pub(crate) fn needs_rules(&self) -> bool {
        match self {
            TableError::NeedsRules => true,
            TableError::At { source, .. } => source.needs_rules(),
            _ => false,
        }
    }

    /// The name of the tier that the table does not have yet, how many tiers are solved, and of how
    /// many; `None` for any other error.
    pub(crate) fn unsolved_tier(&self) -> Option<(&str, usize, usize)> {
        match self {
            TableError::TierUnsolved { tier, solved, of } => Some((tier, *solved, *of)),
            TableError::At { source, .. } => source.unsolved_tier(),
            _ => None,
        }
    }

    /// Whether a file begins as a table, but is not as it was written.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            TableError::Truncated { .. }
            | TableError::Overlong { .. }
            | TableError::Damaged { .. }
            | TableError::Malformed { .. } => true,
            TableError::At { source, .. } => source.is_damage(),
            _ => false,
        }
    }

    pub(crate) fn malformed(part: impl ToString, problem: impl ToString) -> TableError {
        TableError::Malformed { part: part.to_string(), problem: problem.to_string() }
    }
}

impl From<BrokenLaw> for TableError {
    fn from(broken: BrokenLaw) -> TableError {
        SolveError::from(broken).into()
    }
}

impl From<Cancelled> for TableError {
    fn from(_: Cancelled) -> TableError {
        TableError::Interrupted
    }
}

impl From<OutOfMemory> for TableError {
    fn from(OutOfMemory { bytes, .. }: OutOfMemory) -> TableError {
        TableError::OutOfMemory { bytes }
    }
}
