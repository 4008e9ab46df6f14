//! A program that runs commands, in place of a person at a terminal.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

/// Who runs a command from a program: see [`Registry::call`](crate::cli::Registry::call).
pub trait Caller: Send + Sync {
    /// The work goes on, about ten times a second: what is done, in a few words. `Break` interrupts
    /// it.
    fn progress(&self, doing: &str) -> ControlFlow<()>;

    /// A sentence that a person should read.
    fn note(&self, note: &str);

    /// A sentence about a likely mistake in the game. Default: a [`note`](Caller::note).
    fn warning(&self, warning: &str) {
        self.note(warning);
    }
}

/// A caller, and the answer that it gets.
pub(super) struct Called {
    pub(super) caller: Arc<dyn Caller>,
    answer: Mutex<Json>,
}

impl Called {
    pub(super) fn new(caller: Arc<dyn Caller>) -> Called {
        Called { caller, answer: Mutex::default() }
    }

    pub(super) fn answer(&self, answer: Json) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    pub(super) fn take_answer(&self) -> Json {
        std::mem::take(&mut *self.answer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
