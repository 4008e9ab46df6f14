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

/// How a game tells its ends.
pub(super) struct Ends {
    pub(super) is_named: bool,
    /// In a game with points, the most that a player can win by.
    pub(super) points: Option<u16>,
    /// The class `retrograde.End`.
    pub(super) end_type: Py<PyType>,
}

impl Ends {
    /// Whether this is a member of `End`. Members of other enumerations are numbers too, but say nothing
    /// about an end: `Player` says who is to move.
    fn is_end(&self, returned: &Bound<'_, PyAny>) -> PyResult<bool> {
        if returned.is_exact_instance_of::<PyInt>() {
            return Ok(false);
        }
        if returned.is_instance(self.end_type.bind(returned.py()).as_any())? {
            return Ok(true);
        }
        if !returned.get_type().hasattr("__members__")? {
            return Ok(false);
        }
        let problem = format!("returned {}: {EXPECTED}", super::ask::short(returned));
        Err(PyTypeError::new_err(problem))
    }

    /// The end with which the player to move has this many points more. A member of `End` names a winner and
    /// says no number, except for a draw.
    fn with_points(
        returned: &Bound<'_, PyAny>,
        number: i64,
        is_end: bool,
        most: u16,
    ) -> PyResult<Outcome> {
        if is_end && number != 0 {
            let problem = format!(
                "returned {}: in a game with `points`, an end is the number of points that the player to \
                 move has more, or DRAW. If the attribute `points` has another meaning, rename it, as in \
                 _points",
                super::ask::short(returned)
            );
            return Err(PyTypeError::new_err(problem));
        }
        if number.unsigned_abs() > u64::from(most) {
            let problem = format!(
                "returned {number} points, where `points` promises {most} at most: raise it"
            );
            return Err(PyValueError::new_err(problem));
        }
        Ok(Outcome::Points(number as i16))
    }

    /// Reads a number of an array of ends. In a game with points, it says how many more the player to move has.
    pub(super) fn read_number(&self, number: i64) -> PyResult<Outcome> {
        match self.points {
            None => outcome(number, self.is_named),
            Some(_) => Ok(Outcome::Points(number as i16)),
        }
    }

    /// Reads what `terminal` returned. In a game with points, a number says how many more the player to move has.
    pub(super) fn read(&self, returned: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        if returned.is_none() {
            return Ok(None);
        }
        // `return board.is_full()` is a slip: True says nothing about who wins.
        let number =
            if returned.is_instance_of::<PyBool>() { None } else { returned.extract().ok() };
        let Some(number) = number else {
            let expected = match self.points {
                None => EXPECTED,
                Some(_) => {
                    "expected None where play goes on, or a whole number of points, as the class has \
                     `points`"
                }
            };
            let problem = format!("returned {}: {expected}", super::ask::short(returned));
            return Err(PyTypeError::new_err(problem));
        };
        let is_end = self.is_end(returned)?;
        match self.points {
            None => outcome(number, self.is_named).map(Some),
            Some(most) => Ends::with_points(returned, number, is_end, most).map(Some),
        }
    }
}
