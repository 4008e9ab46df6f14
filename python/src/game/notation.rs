//! How a game in Python writes and draws its states.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::ask::{blame, short};
use super::prepared::State;
use super::rules::Rules;

impl Rules {
    /// A state on one line.
    pub(super) fn write(&self, data: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = data.py();
        told(data, "write", "a text", || self.write.bind(py).call1((data,)))
    }

    /// The data that a text stands for.
    pub(super) fn parse<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        self.parse.bind(py).call1((text,))
    }

    /// Whether numbers and tuples are read as Python writes them.
    pub(super) fn reads_plain_texts(&self) -> bool {
        self.reads_plain_texts
    }

    /// A picture of a state in text, if the game draws one.
    pub(super) fn draw(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let Some(draw) = &self.draw else { return Ok(None) };
        told(data, "draw", "a text", || draw.bind(data.py()).call1((data,))).map(Some)
    }

    /// The rows of a board, if the game has one.
    pub(super) fn board(&self, data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
        let Some(board) = &self.board else { return Ok(None) };
        let expected = "the rows of a board, as a list of texts";
        told(data, "board", expected, || board.bind(data.py()).call1((data,))).map(Some)
    }

    /// A move, if the game writes moves.
    pub(super) fn write_move(
        &self,
        before: &Bound<'_, PyAny>,
        after: &Bound<'_, PyAny>,
    ) -> PyResult<Option<String>> {
        let Some(write_move) = &self.write_move else { return Ok(None) };
        let ask = || write_move.bind(before.py()).call1((before, after));
        told(before, "write_move", "a text", ask).map(Some)
    }

    /// Whether the board says what moves are called.
    pub(super) fn has_board(&self) -> bool {
        self.board.is_some()
    }

    /// Whether the class says how people see or write its states and moves.
    pub(super) fn has_notation(&self) -> bool {
        self.has_notation || self.draw.is_some() || self.has_board() || self.write_move.is_some()
    }

    /// Tries what the class says of states and moves on the first root and the states after it, before
    /// anything long begins. Adds an example to how states are written.
    pub(super) fn try_out<S: State>(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(root) = S::roots(self).next() else { return Ok(()) };
        let before = root.data(py, self)?;
        let example = self.write(&before)?;
        root.least(self).map_err(|raised| blame(py, raised, "symmetries", &short(&before)))?;
        S::canonical(py, self, std::slice::from_ref(&root))?;
        if self.has_notation() {
            self.try_state(&root, &before)?;
            for next in S::some_successors(py, self, &root, TRIED)? {
                let after = next.data(py, self)?;
                self.try_state(&next, &after)?;
                self.write_move(&before, &after)?;
            }
        }
        self.add_example(&example);
        Ok(())
    }

    fn try_state<S: State>(&self, state: &S, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.draw(data)?;
        self.board(data)?;
        self.text_of(state, data).map(drop)
    }

    /// The text of a state, which `parse` has to read as this state: otherwise a question by its text would
    /// be answered about another.
    pub(super) fn text_of<S: State>(&self, state: &S, data: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = data.py();
        let text = self.write(data)?;
        let written = || short(&PyString::new(py, &text));
        let read =
            self.parse(py, &text).map_err(|raised| blame(py, raised, "parse", &written()))?;
        match S::of_data(&read, self) {
            Ok(same) if same == *state => Ok(text),
            _ => {
                let (shown, state) = (short(&read), short(data));
                let problem = format!(
                    "returned {shown}: expected {state}, since write({state}) is this text, and `parse` \
                     reads what `write` writes"
                );
                Err(blame(py, PyValueError::new_err(problem), "parse", &written()))
            }
        }
    }

    /// Adds an example to how states are written.
    pub(super) fn add_example(&mut self, written: &str) {
        self.states = format!("{}: {written}", self.states);
    }
}

/// How many states after the first root are tried.
const TRIED: usize = 8;

/// The texts that a method returned about a state.
fn told<'py, T>(
    state: &Bound<'py, PyAny>,
    method: &str,
    expected: &str,
    ask: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let read = |returned: Bound<'py, PyAny>| {
        returned.extract().map_err(|_| {
            PyTypeError::new_err(format!("returned {}: expected {expected}", short(&returned)))
        })
    };
    ask().and_then(read).map_err(|raised| blame(state.py(), raised, method, &short(state)))
}
