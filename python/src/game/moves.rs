//! The ends and the successors that a game in Python tells.

use std::ops::ControlFlow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use retrograde::Outcome;

use super::ask::{blame, short};
use super::prepared::State;
use super::rules::Rules;

/// The most roots, and the most successors of a state.
pub(super) const MOST_SUCCESSORS: usize = 1 << 24;

impl Rules {
    /// Whether play is over in a state, and how.
    pub(super) fn end_of(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let py = data.py();
        let returned = self.terminal.bind(py).call1((data,));
        returned
            .and_then(|returned| self.ends.read(&returned))
            .map_err(|raised| blame(py, raised, "terminal", &short(data)))
    }

    /// The state that stands for all that are the same as this one, where the game has a method that says it.
    pub(super) fn canonical_data<'py>(
        &self,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(canonical) = &self.canonical else { return Ok(None) };
        let py = data.py();
        let returned = canonical.bind(py).call1((data,));
        returned.map(Some).map_err(|raised| blame(py, raised, "canonical", &short(data)))
    }

    /// Visits what `moves` returns or yields, up to where `visit` stops.
    pub(super) fn each_move<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        mut visit: impl FnMut(&Bound<'py, PyAny>) -> PyResult<ControlFlow<()>>,
    ) -> PyResult<()> {
        let py = data.py();
        let mut visit_all = || {
            let moves = self.moves.bind(py).call1((data,))?;
            if let Ok(moves) = moves.cast_exact::<PyList>() {
                for next in moves.iter() {
                    if visit(&next)?.is_break() {
                        break;
                    }
                }
                return Ok(());
            }
            for next in iterator(&moves)? {
                if visit(&next?)?.is_break() {
                    break;
                }
            }
            Ok(())
        };
        visit_all().map_err(|raised| blame(py, raised, "moves", &short(data)))
    }

    /// The successors of a state, which are told some at a time.
    pub(super) fn all_moves(&self, data: &Bound<'_, PyAny>) -> PyResult<Moves> {
        let py = data.py();
        let moves = self.moves.bind(py).call1((data,)).and_then(|moves| iterator(&moves));
        let moves = moves.map_err(|raised| blame(py, raised, "moves", &short(data)))?;
        Ok(Moves { moves: moves.unbind(), state: short(data), count: 0 })
    }
}

/// The rest of the successors of a state.
pub(super) struct Moves {
    moves: Py<PyIterator>,
    /// The state, as it is named in messages.
    state: String,
    count: usize,
}

impl Moves {
    /// The next successors, none of them at the end.
    pub(super) fn next<S: State>(
        &mut self,
        py: Python<'_>,
        rules: &Rules,
        most: usize,
    ) -> PyResult<Vec<S>> {
        let moves = self.moves.bind(py).clone().take(most);
        let next: PyResult<Vec<S>> = moves.map(|next| S::of_data(&next?, rules)).collect();
        self.count += next.as_ref().map_or(0, Vec::len);
        let next = next.and_then(|next| match self.count > MOST_SUCCESSORS {
            true => {
                let problem = format!("yields more than {MOST_SUCCESSORS} states");
                Err(PyValueError::new_err(problem))
            }
            false => Ok(next),
        });
        next.map_err(|raised| blame(py, raised, "moves", &self.state))
    }
}

fn iterator<'py>(moves: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    moves.try_iter().map_err(|_| {
        let told = short(moves);
        PyTypeError::new_err(format!(
            "returned {told}: expected the states after each move, in a list or by yield"
        ))
    })
}
