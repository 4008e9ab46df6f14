//! The ends of play, as a class in Python tells them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyType};
use retrograde::{Outcome, Player};

/// What an array of ends has where play goes on: `retrograde.ONGOING`.
pub(super) const ONGOING: i64 = -128;

const EXPECTED: &str = "expected None where play goes on, or DRAW, MOVER_WINS, MOVER_LOSES, FIRST_WINS \
                        or SECOND_WINS";

/// The outcome that a number of `retrograde.End` stands for.
pub(super) fn outcome(code: i64, is_named: bool) -> PyResult<Outcome> {
    match code {
        0 => Ok(Outcome::Draw),
        1 => Ok(Outcome::MoverWins),
        -1 => Ok(Outcome::MoverLoses),
        2 | 3 if !is_named => Err(PyValueError::new_err(
            "a game without `turn` does not name its players: an end is DRAW, MOVER_WINS or \
             MOVER_LOSES",
        )),
        2 => Ok(Outcome::Win(Player::First)),
        3 => Ok(Outcome::Win(Player::Second)),
        other => Err(PyValueError::new_err(format!("{other} is no end: {EXPECTED}"))),
    }
}

/// The ends that a game tells with points.
pub(super) struct Points {
    /// The most that a player can win by.
    pub(super) most: u16,
    /// The class `retrograde.End`.
    pub(super) ends: Py<PyType>,
}

impl Points {
    /// The end with which the player to move has this many points more. A member of `End` names a winner and
    /// says no number, except for a draw.
    fn end(&self, returned: &Bound<'_, PyAny>, number: i64) -> PyResult<Outcome> {
        let most = self.most;
        let names_a_winner = || returned.is_instance(self.ends.bind(returned.py()).as_any());
        if !returned.is_exact_instance_of::<PyInt>() && number != 0 && names_a_winner()? {
            let problem = format!(
                "returned {}: in a game with `points`, an end is the number of points that the player to \
                 move has more, or DRAW. If the attribute `points` has another meaning, rename it, as in \
                 _points",
                super::ask::short(returned)
            );
            return Err(PyTypeError::new_err(problem));
        }
        if number.unsigned_abs() > u64::from(most) {
            let problem =
                format!("returned {number} points, where `points` promises {most} at most");
            return Err(PyValueError::new_err(problem));
        }
        Ok(Outcome::Points(number as i16))
    }
}

/// What `terminal` returned. In a game with points, a number says how many more the player to move has.
pub(super) fn end(
    returned: &Bound<'_, PyAny>,
    is_named: bool,
    points: Option<&Points>,
) -> PyResult<Option<Outcome>> {
    if returned.is_none() {
        return Ok(None);
    }
    // `return board.is_full()` is a slip: True says nothing about who wins.
    let number = if returned.is_instance_of::<PyBool>() { None } else { returned.extract().ok() };
    let Some(number) = number else {
        let expected = match points {
            None => EXPECTED,
            Some(_) => {
                "expected None where play goes on, or a number of points, as the class has `points`"
            }
        };
        let problem = format!("returned {}: {expected}", super::ask::short(returned));
        return Err(PyTypeError::new_err(problem));
    };
    match points {
        None => outcome(number, is_named).map(Some),
        Some(points) => points.end(returned, number).map(Some),
    }
}
