//! The answers about some states, in the order in which the engine asks for them.

use std::cell::{Cell, RefCell};

use pyo3::prelude::*;
use retrograde::Outcome;

use super::rules::Rules;

/// A form of states.
pub(super) trait State:
    Clone + Ord + std::hash::Hash + std::fmt::Debug + Send + Sync + 'static
{
    /// Whether the second player is to move.
    fn is_second(&self) -> bool;

    /// The state as its game knows it.
    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>>;

    /// The state with this data.
    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self>;

    /// The state that a text stands for.
    fn of_text(py: Python<'_>, text: &str, rules: &Rules) -> PyResult<Self> {
        Self::of_data(&rules.parse(py, text)?, rules)
    }

    /// The state that a text stands for, if that is found without the interpreter.
    fn of_plain_text(text: &str, rules: &Rules) -> Option<Self>;

    fn roots(rules: &Rules) -> &[Self];

    /// Asks the rules about some states.
    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>>;

    /// The answers about one state, if they are kept.
    fn kept(&self, rules: &Rules) -> Option<Answers<Self>>;

    /// What this thread has prepared.
    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T;
}

/// The answers about some states: how play ends in each, and where the moves of the others lead.
#[derive(Clone, Debug)]
pub(super) struct Answers<S> {
    pub(super) ends: Vec<Option<Outcome>>,
    /// The place behind the last successor of each state.
    pub(super) bounds: Vec<usize>,
    pub(super) successors: Vec<S>,
}

impl<S> Default for Answers<S> {
    fn default() -> Self {
        Answers { ends: Vec::new(), bounds: Vec::new(), successors: Vec::new() }
    }
}

impl<S> Answers<S> {
    /// Ends the answer about a state, whose successors were added.
    pub(super) fn finish(&mut self, end: Option<Outcome>) {
        self.ends.push(end);
        self.bounds.push(self.successors.len());
    }

    pub(super) fn successors(&self, at: usize) -> &[S] {
        let start = if at == 0 { 0 } else { self.bounds[at - 1] };
        &self.successors[start..self.bounds[at]]
    }
}

/// How many states may be passed over, since nobody asks about them.
const NEAR: usize = 64;

/// Answers that wait to be asked for.
pub(super) struct Prepared<S> {
    /// The identity of the rules that answered.
    rules: usize,
    states: Vec<S>,
    answers: Answers<S>,
    /// The place of the state that was asked about last.
    at: Cell<usize>,
}

impl<S> Default for Prepared<S> {
    fn default() -> Self {
        Prepared { rules: 0, states: Vec::new(), answers: Answers::default(), at: Cell::new(0) }
    }
}

impl<S: Eq + Clone> Prepared<S> {
    pub(super) fn fill(&mut self, rules: &Rules, states: &[S], answers: Answers<S>) {
        self.rules = rules.identity();
        self.states.clear();
        self.states.extend_from_slice(states);
        self.answers = answers;
        self.at.set(0);
    }

    /// The answers that contain those about a state, and its place among them.
    pub(super) fn find(&self, rules: &Rules, state: &S) -> Option<(&Answers<S>, usize)> {
        if self.rules != rules.identity() {
            return None;
        }
        let last = self.at.get();
        let near = last..self.states.len().min(last + NEAR);
        let at = near.into_iter().find(|&at| self.states[at] == *state)?;
        self.at.set(at);
        Some((&self.answers, at))
    }
}
