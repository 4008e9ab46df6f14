//! The states with a wanted value.

use std::collections::VecDeque;
use std::fmt;
use std::ops::{ControlFlow, Range};

use crate::error::QueryError;
use crate::game::Game;
use crate::game::value::Value;
use crate::query::answers::Assessed;
use crate::query::view::View;

impl<'a, G: Game> View<'a, G> {
    /// The states of a range of indices whose values are wanted.
    pub(crate) fn states_with(
        self,
        indices: Range<u64>,
        wanted: impl Fn(Value) -> bool + 'a,
    ) -> States<'a, G> {
        let end = indices.end.min(self.probe.len());
        States {
            next: indices.start,
            end,
            at_once: FEWEST_AT_ONCE,
            found: VecDeque::new(),
            wanted: Box::new(wanted),
            view: self,
        }
    }
}

/// How many indices an iterator reads first. Each time it reads twice as many, so that its first state
/// comes at once.
const FEWEST_AT_ONCE: u64 = 1 << 8;

/// The most indices that an iterator reads at once.
const MOST_AT_ONCE: u64 = 1 << 16;

/// An iterator over the states whose values are wanted, in the order of their indices: see
/// [`Prober::states_with`](crate::Prober::states_with).
pub struct States<'a, G: Game> {
    view: View<'a, G>,
    wanted: Box<dyn Fn(Value) -> bool + 'a>,
    /// The first index that was not read, and the end of the range.
    next: u64,
    end: u64,
    /// How many indices are read next.
    at_once: u64,
    found: VecDeque<Assessed<G::State>>,
}

impl<G: Game> States<'_, G> {
    /// Reads until there is a state, or the range ends.
    fn read(&mut self) -> Result<(), QueryError> {
        if self.next < self.end {
            self.view.check_distances("a search for values")?;
        }
        while self.found.is_empty() && self.next < self.end {
            let to = self.end.min(self.next.saturating_add(self.at_once));
            let (view, found) = (self.view, &mut self.found);
            view.probe.visit_in(self.next..to, &self.wanted, &mut |index, state, value| {
                let verdict = view.judge(value, &state);
                found.push_back(Assessed { state, index, value: Some(value), verdict, gain: 0 });
                ControlFlow::Continue(())
            })?;
            self.next = to;
            self.at_once = MOST_AT_ONCE.min(2 * self.at_once);
        }
        Ok(())
    }
}

impl<G: Game> Iterator for States<'_, G> {
    type Item = Result<Assessed<G::State>, QueryError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.found.is_empty()
            && let Err(error) = self.read()
        {
            // An error is told once.
            (self.next, self.end) = (0, 0);
            self.found.clear();
            return Some(Err(error));
        }
        self.found.pop_front().map(Ok)
    }
}

impl<G: Game> fmt::Debug for States<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States")
            .field("next", &self.next)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
