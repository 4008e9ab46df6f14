//! The ends of play, as a class in Python tells them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
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

/// What `terminal` returned. In a game with points, a number says how many more the player to move has.
pub(super) fn end(
    returned: &Bound<'_, PyAny>,
    is_named: bool,
    points: Option<u16>,
) -> PyResult<Option<Outcome>> {
    if returned.is_none() {
        return Ok(None);
    }
    // `return board.is_full()` is a slip: True says nothing about who wins.
    let number = if returned.is_instance_of::<PyBool>() { None } else { returned.extract().ok() };
    let Some(number) = number else {
        let problem = format!("returned {}: {EXPECTED}", super::ask::short(returned));
        return Err(PyTypeError::new_err(problem));
    };
    match points {
        None => outcome(number, is_named).map(Some),
        Some(most) if number.unsigned_abs() <= u64::from(most) => {
            Ok(Some(Outcome::Points(number as i16)))
        }
        Some(most) => {
            let problem =
                format!("returned {number} points, where `points` promises {most} at most");
            Err(PyValueError::new_err(problem))
        }
    }
}
