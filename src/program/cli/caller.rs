//! A program that runs commands, in place of a person at a terminal.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use crate::program::cli::CliError;

/// The callbacks of a program that runs a command: see [`Registry::call`](crate::cli::Registry::call).
pub trait Caller: Send + Sync {
    /// Called about ten times a second during the work, with what is done in a few words. `Break` interrupts
    /// it.
    fn progress(&self, doing: &str) -> ControlFlow<()>;

    /// A sentence that a person should read.
    fn note(&self, note: &str);

    /// A sentence about a likely mistake in the game. Default: a [`note`](Caller::note).
    fn warning(&self, warning: &str) {
        self.note(warning);
    }

    /// How sentences for the caller name an option of a command, such as `max-states`. Default: as it is
    /// typed, `--max-states`.
    fn option(&self, name: &str) -> String {
        format!("--{name}")
    }
}

/// A caller, the options that sentences may name, and the answer that it gets.
pub(super) struct Called {
    pub(super) caller: Arc<dyn Caller>,
    options: BTreeSet<String>,
    answer: Mutex<Json>,
}

impl Called {
    /// A caller of a command line with these options.
    pub(super) fn new(caller: Arc<dyn Caller>, options: BTreeSet<String>) -> Called {
        Called { caller, options, answer: Mutex::default() }
    }

    /// The name of an option as the caller writes it.
    pub(super) fn option(&self, name: &str) -> String {
        self.caller.option(name)
    }

    /// Tells the caller a note.
    pub(super) fn note(&self, note: &str) {
        self.caller.note(&self.worded(note));
    }

    /// Warns the caller.
    pub(super) fn warning(&self, warning: &str) {
        self.caller.warning(&self.worded(warning));
    }

    /// The error in the words of the caller.
    pub(super) fn error(&self, error: CliError) -> CliError {
        error.reworded(|message| self.worded(message))
    }

    /// A sentence of this program, in which `--` marks the name of an option, as the caller names options.
    /// Other words with `--` stay: they are no options of these commands.
    fn worded(&self, sentence: &str) -> String {
        let (mut worded, mut last) = (String::with_capacity(sentence.len()), ' ');
        let mut rest = sentence;
        while let Some(letter) = rest.chars().next() {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
            let name = rest.strip_prefix("--").filter(|_| !is_word(last)).map(|after| {
                let end = after.find(|letter| !is_word(letter)).unwrap_or(after.len());
                &after[..end]
            });
            let taken = match name.filter(|name| self.options.contains(*name)) {
                Some(name) => {
                    worded += &self.caller.option(name);
                    2 + name.len()
                }
                None => {
                    worded.push(letter);
                    letter.len_utf8()
                }
            };
            last = letter;
            rest = &rest[taken..];
        }
        worded
    }

    pub(super) fn answer(&self, answer: Json) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    pub(super) fn take_answer(&self) -> Json {
        std::mem::take(&mut *self.answer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Keywords;

    impl Caller for Keywords {
        fn progress(&self, _: &str) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn note(&self, _: &str) {}

        fn option(&self, name: &str) -> String {
            name.replace('-', "_")
        }
    }

    #[test]
    fn sentences_name_options_as_the_caller_does_and_leave_all_else() {
        let options = ["max-states", "start", "as"].map(str::to_owned);
        let called = Called::new(Arc::new(Keywords), options.into());
        for (sentence, worded) in [
            ("--max-states 100000 ends it", "max_states 100000 ends it"),
            ("(with --start) or --max-states, ä--start", "(with start) or max_states, ä--start"),
            ("--as: no such player", "as: no such player"),
            (
                "--game FILE.py:CLASS and --starts and a--start",
                "--game FILE.py:CLASS and --starts and a--start",
            ),
            ("--", "--"),
        ] {
            assert_eq!(called.worded(sentence), worded);
        }
    }
}
