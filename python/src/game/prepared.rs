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

    /// The state with its parts by name, in the form of derived `Debug`.
    fn parts(&self, rules: &Rules) -> String;

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self>;

    /// Asks the rules about some states: about the first of them, if all have too many successors to keep.
    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>>;

    /// The first few successors of a state, none where play is over.
    fn some_successors(
        py: Python<'_>,
        rules: &Rules,
        state: &Self,
        most: usize,
    ) -> PyResult<Vec<Self>>;

    /// An error if the state has not the places of the symmetries that the game lists.
    fn check_places(&self, _: &Rules) -> PyResult<()> {
        Ok(())
    }

    /// The state that stands for all that are the same as this one, by the symmetries that the game lists;
    /// `None` if it lists none.
    fn least(&self, rules: &Rules) -> PyResult<Option<Self>>;

    /// The same for many states, by the method of the game; nothing if it has none.
    fn canonical(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<Self>>;

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
    /// For each successor the state that stands for it, where a method of the game says so.
    pub(super) canonical: Vec<S>,
    /// The points that each move gains, in a game where moves gain points.
    pub(super) gains: Vec<i16>,
    /// Whether the last state has more successors than are kept, and none of them is among these.
    pub(super) is_last_long: bool,
}

impl<S> Default for Answers<S> {
    fn default() -> Self {
        Answers {
            ends: Vec::new(),
            bounds: Vec::new(),
            successors: Vec::new(),
            canonical: Vec::new(),
            gains: Vec::new(),
            is_last_long: false,
        }
    }
}

impl<S> Answers<S> {
    /// Ends the answer about a state, whose successors were added.
    pub(super) fn finish(&mut self, end: Option<Outcome>) {
        self.ends.push(end);
        self.bounds.push(self.successors.len());
    }

    /// The place of the first successor of a state.
    fn start(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.bounds[at - 1] }
    }

    /// The points that the moves of a state gain; nothing in a game where moves gain none.
    pub(super) fn gains(&self, at: usize) -> &[i16] {
        self.gains.get(self.start(at)..self.bounds[at]).unwrap_or_default()
    }

    /// Whether a state has more successors than are kept.
    pub(super) fn is_long(&self, at: usize) -> bool {
        self.is_last_long && at + 1 == self.ends.len()
    }

    pub(super) fn successors(&self, at: usize) -> &[S] {
        &self.successors[self.start(at)..self.bounds[at]]
    }
}

/// How many states may be passed over, since nobody asks about them.
const NEAR: usize = 64;

/// States that wait to be asked about, and the answers about some of them.
pub(super) struct Prepared<S> {
    /// The identity of the rules that answer.
    rules: usize,
    states: Vec<S>,
    /// The place of the first state that is answered.
    first: usize,
    answers: Answers<S>,
    /// The place of the state that was asked about last.
    at: Cell<usize>,
    /// The place of the successor whose symmetries were asked about last.
    successor: Cell<usize>,
}

impl<S> Default for Prepared<S> {
    fn default() -> Self {
        let answers = Answers::default();
        let (at, successor) = (Cell::new(0), Cell::new(0));
        Prepared { rules: 0, states: Vec::new(), first: 0, answers, at, successor }
    }
}

impl<S: Eq + Clone> Prepared<S> {
    pub(super) fn fill(&mut self, rules: &Rules, states: &[S], answers: Answers<S>) {
        self.go_on(rules, states.to_vec(), 0, answers);
    }

    /// Takes the answers about the states from place `first` on.
    pub(super) fn go_on(
        &mut self,
        rules: &Rules,
        states: Vec<S>,
        first: usize,
        answers: Answers<S>,
    ) {
        self.rules = rules.identity();
        self.states = states;
        self.first = first;
        self.answers = answers;
        self.at.set(first);
        self.successor.set(0);
    }

    fn place(&self, rules: &Rules, state: &S) -> Option<usize> {
        if self.rules != rules.identity() {
            return None;
        }
        let last = self.at.get();
        let near = last..self.states.len().min(last + NEAR);
        near.into_iter().find(|&at| self.states[at] == *state)
    }

    /// The answers that contain those about a state, and its place among them.
    pub(super) fn find(&self, rules: &Rules, state: &S) -> Option<(&Answers<S>, usize)> {
        let at = self.place(rules, state)?;
        if at - self.first >= self.answers.ends.len() {
            return None;
        }
        if self.at.replace(at) != at {
            self.successor.set(self.answers.start(at - self.first));
        }
        Some((&self.answers, at - self.first))
    }

    /// The state that stands for a successor.
    pub(super) fn canonical(&self, rules: &Rules, successor: &S) -> Option<&S> {
        self.answers.canonical.get(self.successor(rules, successor)?)
    }

    /// The points that the move from a state to a successor gains.
    pub(super) fn gain(&self, rules: &Rules, state: &S, successor: &S) -> Option<i16> {
        self.find(rules, state)?;
        let at = self.successor(rules, successor)?;
        let own = self.at.get() - self.first;
        let is_own = (self.answers.start(own)..self.answers.bounds[own]).contains(&at);
        self.answers.gains.get(at).copied().filter(|_| is_own)
    }

    /// The place of a successor near the one that was asked about last.
    fn successor(&self, rules: &Rules, successor: &S) -> Option<usize> {
        if self.rules != rules.identity() {
            return None;
        }
        let last = self.successor.get();
        let near = last..self.answers.successors.len().min(last + NEAR);
        let at = near.into_iter().find(|&at| self.answers.successors[at] == *successor)?;
        self.successor.set(at);
        Some(at)
    }

    /// The states, from the place of this one on, if it is the next that has no answer. They are taken out.
    pub(super) fn take_waiting(&mut self, rules: &Rules, state: &S) -> Option<(Vec<S>, usize)> {
        let at = self.place(rules, state)?;
        self.answers = Answers::default();
        Some((std::mem::take(&mut self.states), at))
    }
}
