//! States that are numbers, as words. They are stored as the same bytes as other plain data, and in the same
//! order, so that tables do not differ.

use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kept::Kept;
use super::prepared::{Prepared, State, prepared_by_threads};
use super::rules::Rules;
use super::state::PlainState;

/// A number below 2^63, with who is to move in the highest bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NumberState(u64);

/// The bit that says that the second player is to move.
const SECOND: u64 = 1 << 63;

impl NumberState {
    /// The state as a number; `None` if it is other data.
    fn of_plain(state: &PlainState) -> Option<Self> {
        let number = state.number().filter(|number| number & SECOND == 0)?;
        Some(NumberState(number | if state.turn() == 1 { SECOND } else { 0 }))
    }

    fn plain(self) -> PlainState {
        let mut state = PlainState::of_number((self.0 & !SECOND) as i64);
        state.set_turn(u8::from(self.is_second()));
        state
    }
}

impl Hash for NumberState {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0);
    }
}

impl fmt::Debug for NumberState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plain().fmt(f)
    }
}

impl Serialize for NumberState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.plain().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NumberState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = PlainState::deserialize(deserializer)?;
        NumberState::of_plain(&state).ok_or_else(|| D::Error::custom("the state is no number"))
    }
}

impl State for NumberState {
    fn is_second(&self) -> bool {
        self.0 & SECOND != 0
    }

    fn data<'py>(&self, py: Python<'py>, _: &Rules) -> PyResult<Bound<'py, PyAny>> {
        Ok((self.0 & !SECOND).into_pyobject(py)?.into_any())
    }

    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        if !rules.is_named()
            && data.is_exact_instance_of::<PyInt>()
            && let Ok(number @ 0..) = data.extract::<i64>()
        {
            return Ok(NumberState(number as u64));
        }
        NumberState::of_plain(&PlainState::of_data(data, rules)?).ok_or_else(|| {
            rules.leave_numbers();
            PyTypeError::new_err("the state is no number, as the roots are")
        })
    }

    fn of_plain_text(text: &str, rules: &Rules) -> Option<Self> {
        NumberState::of_plain(&PlainState::of_plain_text(text, rules)?)
    }

    fn parts(&self, rules: &Rules) -> String {
        self.plain().parts(rules)
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        // All are numbers, or there were other states.
        rules.roots().iter().map(|root| NumberState::of_plain(root).unwrap_or(NumberState(0)))
    }

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        let least = self.plain().least(rules)?;
        Ok(least.as_ref().and_then(NumberState::of_plain))
    }

    fn kept(rules: &Rules) -> &Kept<Self> {
        &rules.kept.numbers
    }

    prepared_by_threads!(with_prepared, NumberState);
}
