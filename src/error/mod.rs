//! The errors of the library.
//!
//! A message says what was wrong, where, what was expected, and what to do next. The message of an
//! error contains the messages of the errors that caused it. So [`source`](std::error::Error::source)
//! never returns an error whose message has been printed, and a caller prints `{error}` only. The
//! cause itself is in a field of the variant. A game that breaks a [`Law`] is one variant,
//! [`SolveError::BrokenLaw`], wherever it is found.
//!
//! A message writes a state in the notation of its game where one was given, as with
//! [`Solver::notation`](crate::Solver::notation). Otherwise it writes the state as
//! `Debug` does, on one line of at most 200 characters.
//!
//! `Debug` writes the message, too: a `main` that returns the error prints it.
//!
//! | error | returned by |
//! | --- | --- |
//! | [`SolveError`] | solving and exploring |
//! | [`CheckpointError`] | checkpoints |
//! | [`TableError`] | tables in files and folders |
//! | [`QueryError`] | probes |
//! | [`LawError`] | checks of the laws |
//! | [`NotationError`] | the notation of a game |
//! | [`IndexError`] | the parts of numberings |

// All errors are in one module, so that one can contain another without imports between the modules
// that return them.

mod broken;
mod bytes;
mod checkpoint;
mod differences;
mod law;
mod query;
mod solve;
mod system;
mod table;
mod unlawful;

pub use broken::BrokenLaw;
#[cfg(feature = "cli")]
pub(crate) use bytes::Bytes;
#[cfg(all(feature = "serve", not(target_family = "wasm")))]
pub(crate) use bytes::Grouped;
pub use checkpoint::CheckpointError;
pub(crate) use differences::differences;
pub use law::Law;
pub use query::QueryError;
pub use solve::SolveError;
pub use system::SystemError;
pub use table::TableError;
pub use unlawful::LawError;

pub use crate::game::notation::NotationError;
pub use crate::index::error::IndexError;

/// Has `Debug` write the message of an error, so that a `main` that returns the error prints it.
macro_rules! debug_by_message {
    ($($error:ident),+) => {
        $(impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        })+
    };
}

debug_by_message!(
    CheckpointError,
    LawError,
    NotationError,
    QueryError,
    SolveError,
    SystemError,
    TableError
);

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::io;
    use std::path::Path;

    use super::*;

    /// The messages of an error and of its sources, as programs print them.
    fn chain(error: &dyn Error) -> String {
        let sources = std::iter::successors(Some(error), |&error| error.source());
        sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }

    #[test]
    fn no_cause_is_told_twice() {
        let unplugged = || io::Error::other("unplugged");
        let failed = || TableError::at(Path::new("a.rtb"))(TableError::io("read it")(unplugged()));
        let tells = |error: &dyn Error| chain(error).matches("unplugged").count();
        let file = failed();
        assert_eq!(chain(&file), "a.rtb: can't read it: unplugged");
        let error = unplugged().into();
        let checkpoint = CheckpointError::Io { path: "saved".into(), action: "read it", error };
        let solve = SolveError::from(checkpoint.clone());
        for error in [
            &TableError::NotTheTier { source: Box::new(failed()) } as &dyn Error,
            &TableError::StatesLost { source: Box::new(failed()) },
            &QueryError::from(failed()),
            &checkpoint,
            &solve,
            &TableError::from(solve.clone()),
            &LawError::from(solve.clone()),
        ] {
            assert_eq!(tells(error), 1, "{}", chain(error));
        }
    }

    #[test]
    fn errors_of_the_system_are_equal_if_they_say_the_same() {
        let error = |text: &str| SystemError::from(io::Error::other(text.to_owned()));
        assert_eq!(error("full").as_io().kind(), io::ErrorKind::Other);
        assert!(error("full") == error("full") && error("full") != error("empty"));
    }

    #[test]
    fn every_error_can_be_sent_to_another_thread() {
        fn check<E: Error + Send + Sync + 'static>() {}
        check::<CheckpointError>();
        check::<IndexError>();
        check::<LawError>();
        check::<NotationError>();
        check::<QueryError>();
        check::<SolveError>();
        check::<SystemError>();
        check::<TableError>();
    }
}
