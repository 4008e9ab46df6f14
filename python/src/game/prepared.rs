//! The answers about some states, in the order in which the engine asks for them.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use pyo3::prelude::*;
use retrograde::Outcome;

use super::kept::Kept;
use super::one_by_one;
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
    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>> {
        one_by_one::ask(py, rules, states)
    }

    /// The first few successors of a state, none where play is over.
    fn some_successors(
        py: Python<'_>,
        rules: &Rules,
        state: &Self,
        most: usize,
    ) -> PyResult<Vec<Self>> {
        one_by_one::some_successors(py, rules, state, most)
    }

    /// An error if the state has not the places of the symmetries that the game lists.
    fn check_places(&self, _: &Rules) -> PyResult<()> {
        Ok(())
    }

    /// The state that stands for all that are the same as this one, by the symmetries that the game lists;
    /// `None` if it lists none.
    fn least(&self, rules: &Rules) -> PyResult<Option<Self>>;

    /// The same for many states, by the method of the game; nothing if it has none.
    fn canonical(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<Self>> {
        one_by_one::canonical(py, rules, states)
    }

    /// The answers that are kept.
    fn kept(rules: &Rules) -> &Kept<Self>;

    /// What this thread has prepared.
    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T;
}

/// Writes the method of this name that gives `work` the states of this form that the thread has prepared.
macro_rules! prepared_by_threads {
    ($method:ident, $state:ty) => {
        fn $method<T>(work: impl FnOnce(&RefCell<Prepared<$state>>) -> T) -> T {
            thread_local! {
                static PREPARED: RefCell<Prepared<$state>> = RefCell::default();
            }
            PREPARED.with(work)
        }
    };
}

pub(super) use prepared_by_threads;

/// The answers about some states: how play ends in each, and where the moves of the others lead.
pub(super) struct Answers<S> {
    pub(super) ends: Vec<Option<Outcome>>,
    /// The place behind the last successor of each state.
    pub(super) bounds: Vec<usize>,
    pub(super) successors: Vec<S>,
    /// For each successor the state that stands for it, where a method of the game says so.
    pub(super) canonical: Vec<S>,
    /// The place of the tier of each successor, in a game with tiers.
    pub(super) tiers: Vec<u32>,
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
            tiers: Vec::new(),
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

    /// Whether a state has more successors than are kept.
    pub(super) fn is_long(&self, at: usize) -> bool {
        self.is_last_long && at + 1 == self.ends.len()
    }

    pub(super) fn successors(&self, at: usize) -> &[S] {
        &self.successors[self.start(at)..self.bounds[at]]
    }
}

/// Some states, and the answers about those from one place on.
pub(super) struct Batch<S> {
    states: Arc<Vec<S>>,
    /// The place of the first state that is answered.
    first: usize,
    answers: Answers<S>,
}

impl<S: State> Batch<S> {
    /// Asks the rules about the states from place `first` on, and keeps the answers.
    pub(super) fn ask(rules: &Rules, states: Arc<Vec<S>>, first: usize) -> PyResult<Arc<Self>> {
        let answers = Python::attach(|py| S::ask(py, rules, &states[first..]))?;
        let batch = Arc::new(Batch { states, first, answers });
        S::kept(rules).keep(&batch, rules.has_points());
        Ok(batch)
    }

    pub(super) fn answers(&self) -> &Answers<S> {
        &self.answers
    }

    /// The states that are answered.
    pub(super) fn answered(&self) -> &[S] {
        &self.states[self.first..self.first + self.answers.ends.len()]
    }
}

/// How many states may be passed over, since nobody asks about them.
const NEAR: usize = 64;

/// A batch, and the places in it that were asked about last.
struct Cursor<S> {
    batch: Arc<Batch<S>>,
    state: Cell<usize>,
    successor: Cell<usize>,
}

impl<S: State> Cursor<S> {
    /// Begins at a state, whose place is counted from the first one that is answered.
    fn new(batch: Arc<Batch<S>>, at: usize) -> Self {
        let state = Cell::new(batch.first + at);
        let successor = Cell::new(batch.answers.start(at));
        Cursor { batch, state, successor }
    }

    /// The place of a state near the one that was asked about last.
    fn place(&self, state: &S) -> Option<usize> {
        let (last, states) = (self.state.get(), &self.batch.states);
        let near = last..states.len().min(last + NEAR);
        near.into_iter().find(|&at| states[at] == *state)
    }

    /// The answers, and the place of a state among them.
    fn find(&self, state: &S) -> Option<(&Answers<S>, usize)> {
        let Batch { first, answers, .. } = &*self.batch;
        let place = self.place(state)?;
        let at = place - first;
        if at >= answers.ends.len() {
            return None;
        }
        if self.state.replace(place) != place {
            self.successor.set(answers.start(at));
        }
        Some((answers, at))
    }

    /// The place of a successor from the one on that was asked about last, before `end`.
    fn successor(&self, successor: &S, end: usize) -> Option<usize> {
        let (last, successors) = (self.successor.get(), &self.batch.answers.successors);
        let near = last..end.min(last + NEAR);
        let at = near.into_iter().find(|&at| successors[at] == *successor)?;
        self.successor.set(at);
        Some(at)
    }

    fn canonical(&self, successor: &S) -> Option<&S> {
        let answers = &self.batch.answers;
        answers.canonical.get(self.successor(successor, answers.successors.len())?)
    }

    fn gain(&self, state: &S, successor: &S) -> Option<i16> {
        let (answers, own) = self.find(state)?;
        let (start, end) = (answers.start(own), answers.bounds[own]);
        let at = self.successor(successor, end).or_else(|| {
            // The engine visits the moves of a state more than once.
            self.successor.set(start);
            self.successor(successor, end)
        })?;
        answers.gains.get(at).copied()
    }
}

/// The answers that a thread has at hand.
pub(super) struct Prepared<S> {
    /// The identity of the rules that answered.
    rules: usize,
    /// The answers about states that wait to be asked about, in their order.
    waiting: Option<Cursor<S>>,
    /// The answers about another state that was asked about last.
    last: Option<Cursor<S>>,
}

impl<S> Default for Prepared<S> {
    fn default() -> Self {
        Prepared { rules: 0, waiting: None, last: None }
    }
}

impl<S: State> Prepared<S> {
    /// Takes answers about states that wait from now on.
    pub(super) fn wait(&mut self, rules: &Rules, batch: Arc<Batch<S>>) {
        *self =
            Prepared { rules: rules.identity(), waiting: Some(Cursor::new(batch, 0)), last: None };
    }

    /// Takes the answers about another state, beside those that wait.
    pub(super) fn take(&mut self, rules: &Rules, batch: Arc<Batch<S>>, at: usize) {
        if self.rules != rules.identity() {
            *self = Prepared { rules: rules.identity(), ..Prepared::default() };
        }
        self.last = Some(Cursor::new(batch, at));
    }

    fn cursors(&self, rules: &Rules) -> impl Iterator<Item = &Cursor<S>> {
        let own = self.rules == rules.identity();
        [&self.waiting, &self.last].into_iter().flatten().filter(move |_| own)
    }

    /// The answers that contain those about a state, and its place among them.
    pub(super) fn find(&self, rules: &Rules, state: &S) -> Option<(&Answers<S>, usize)> {
        self.cursors(rules).find_map(|cursor| cursor.find(state))
    }

    /// The state that stands for a successor.
    pub(super) fn canonical(&self, rules: &Rules, successor: &S) -> Option<&S> {
        self.cursors(rules).find_map(|cursor| cursor.canonical(successor))
    }

    /// The points that the move from a state to a successor gains.
    pub(super) fn gain(&self, rules: &Rules, state: &S, successor: &S) -> Option<i16> {
        self.cursors(rules).find_map(|cursor| cursor.gain(state, successor))
    }

    /// The states that wait, and the place of this one, if it is the next that has no answer.
    pub(super) fn waiting(&self, rules: &Rules, state: &S) -> Option<(Arc<Vec<S>>, usize)> {
        let waiting = self.waiting.as_ref().filter(|_| self.rules == rules.identity())?;
        Some((Arc::clone(&waiting.batch.states), waiting.place(state)?))
    }
}
