//! The codes of errors: what a program looks at, where a person reads the sentence.

use std::fmt;

use serde::{Serialize, Serializer};

/// Defines the codes, each with the word that stands for it in JSON.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal,)*) => {
        /// The kind of an error of the program, the same on the command line, over HTTP and in Python. JSON
        /// has it as a word, as in `not-in-table`. The sentence beside it is for people and may change.
        ///
        /// ```
        /// use retrograde::cli::{CliError, ErrorCode};
        ///
        /// let error = CliError::usage("--rows: expected 1 to 8").with("option", "rows");
        /// assert_eq!(error.code(), ErrorCode::Usage);
        /// assert_eq!(error.json()["fields"]["option"], "rows");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])* $code,)*
        }

        impl ErrorCode {
            /// All codes, in the order of the pages.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$code,)*];

            /// The word of the code.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(ErrorCode::$code => $word,)*
                }
            }
        }
    };
}

codes! {
    /// The arguments of a command are wrong in another way than the next ones.
    Usage = "usage",
    /// A command has no such option. Fields: `option`, `options` and perhaps `meant`.
    UnknownOption = "unknown-option",
    /// An option or a parameter has a wrong value. Fields: `option` or `parameter`, `value`, and `choices`
    /// where there are some.
    InvalidValue = "invalid-value",
    /// A command needs more options. Field: `options`.
    MissingOption = "missing-option",
    /// There is no such game. Fields: `game`, `games` and perhaps `meant`.
    UnknownGame = "unknown-game",
    /// The table has no such tier. Field: `tier`.
    UnknownTier = "unknown-tier",
    /// A text is no state of the game. Fields: `state`, and perhaps `meant`.
    NotAState = "not-a-state",
    /// The table does not have the state. Field: `state`.
    NotInTable = "not-in-table",
    /// A question needs distances, and the table has outcomes only.
    OutcomesOnly = "outcomes-only",
    /// A question needs the rules of the game, which the program lacks. Field: `game`.
    NeedsRules = "needs-rules",
    /// A table can't be read or written, or is damaged. Field: `path`, where the reader may know it.
    Table = "table",
    /// A game can't be solved. Fields: `allowed_bytes`, and `needed_bytes` if known, where the memory
    /// allowed is too little; `needed_disk_bytes`, and `free_disk_bytes` if known, where a disk is.
    Solve = "solve",
    /// The rules of a game break a law. Fields: `law`, and `states` with the texts of those that show it.
    Law = "law",
    /// The work was interrupted, or took too long.
    Interrupted = "interrupted",
    /// Some positions of a list have no answer. Fields: `positions`, `unanswered`.
    Unanswered = "unanswered",
    /// The work failed for another reason than these.
    Failed = "failed",
    /// A question is wrong in another way than the next ones.
    BadRequest = "bad-request",
    /// A question has no such parameter. Fields: `parameter`, `parameters`.
    UnknownParameter = "unknown-parameter",
    /// There is no such address, or nothing of what it asks for.
    NotFound = "not-found",
    /// There is no such table. Fields: `table`, `tables`.
    UnknownTable = "unknown-table",
    /// An address does not take the method of the request.
    WrongMethod = "wrong-method",
    /// A request, its address or its head is too long.
    TooLong = "too-long",
    /// A body is of another type or encoding than expected.
    WrongType = "wrong-type",
    /// A request was meant for another host.
    WrongHost = "wrong-host",
    /// Too much is asked at once: ask again later.
    Busy = "busy",
}

/// The word of the code.
impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The word of the code.
impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
