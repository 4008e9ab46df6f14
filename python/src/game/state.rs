//! States as Python has them: any plain data.

use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow::{Break, Continue};

use pyo3::prelude::*;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::parts;
use super::plain::{self, Bytes};
use super::prepared::{Answers, Prepared, State};
use super::rules::Rules;

/// How many successors are kept before the engine takes them. More of a state are visited as the rules tell
/// them.
const AT_ONCE: usize = 1 << 17;

/// A state: a byte that says who is to move, and its data as bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlainState(pub(super) Bytes);

impl Hash for PlainState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.0);
    }
}

impl fmt::Debug for PlainState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("state ")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for PlainState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for PlainState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyBytes;
        impl Visitor<'_> for AnyBytes {
            type Value = PlainState;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of a state")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<PlainState, E> {
                Ok(PlainState(bytes.into()))
            }
        }
        deserializer.deserialize_bytes(AnyBytes)
    }
}

impl State for PlainState {
    fn is_second(&self) -> bool {
        self.0.first() == Some(&1)
    }

    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
        plain::read(py, self.0.get(1..).unwrap_or_default(), rules.classes())
    }

    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        let mut bytes = Bytes::new();
        bytes.push(0);
        plain::write(data, rules.classes(), 0, &mut bytes)?;
        if rules.is_named() {
            bytes[0] = rules.turn_of(data, &bytes)?;
        }
        Ok(PlainState(bytes))
    }

    fn of_plain_text(text: &str, rules: &Rules) -> Option<Self> {
        if !rules.reads_plain_texts() || rules.is_named() {
            return None;
        }
        let mut bytes = Bytes::new();
        bytes.push(0);
        plain::write_text(text, &mut bytes).then_some(PlainState(bytes))
    }

    fn parts(&self, rules: &Rules) -> String {
        parts::write(self.0.get(1..).unwrap_or_default(), rules.classes())
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        rules.roots().iter().cloned()
    }

    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>> {
        let mut answers = Answers::default();
        for state in states {
            let data = state.data(py, rules)?;
            let end = rules.end_of(&data)?;
            let start = answers.successors.len();
            if end.is_none() {
                rules.each_move(&data, |next| {
                    answers.successors.push(PlainState::of_data(next, rules)?);
                    if let Some(gain) = rules.gain_of(&data, next)? {
                        answers.gains.push(gain);
                    }
                    if let Some(canonical) = rules.canonical_data(next)? {
                        answers.canonical.push(PlainState::of_data(&canonical, rules)?);
                    }
                    answers.is_last_long = answers.successors.len() - start > AT_ONCE;
                    Ok(if answers.is_last_long { Break(()) } else { Continue(()) })
                })?;
            }
            if answers.is_last_long {
                answers.successors.truncate(start);
                answers.canonical.truncate(start);
                answers.gains.truncate(start);
            }
            answers.finish(end);
            if answers.is_last_long || answers.successors.len() >= AT_ONCE {
                break;
            }
        }
        rules.keep(states, &answers);
        Ok(answers)
    }

    fn some_successors(
        py: Python<'_>,
        rules: &Rules,
        state: &Self,
        most: usize,
    ) -> PyResult<Vec<Self>> {
        let data = state.data(py, rules)?;
        let mut successors = Vec::new();
        if rules.end_of(&data)?.is_none() {
            rules.each_move(&data, |next| {
                successors.push(PlainState::of_data(next, rules)?);
                Ok(if successors.len() < most { Continue(()) } else { Break(()) })
            })?;
        }
        Ok(successors)
    }

    fn check_places(&self, rules: &Rules) -> PyResult<()> {
        match &rules.symmetries {
            Some(symmetries) => symmetries.check_places(&self.0[1..]),
            None => Ok(()),
        }
    }

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        let Some(symmetries) = &rules.symmetries else { return Ok(None) };
        let mut bytes: Bytes = self.0[..1].into();
        bytes.extend_from_slice(&symmetries.least(&self.0[1..])?);
        Ok(Some(PlainState(bytes)))
    }

    fn canonical(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<Self>> {
        let mut canonical = Vec::new();
        for state in states {
            if let Some(data) = rules.canonical_data(&state.data(py, rules)?)? {
                canonical.push(PlainState::of_data(&data, rules)?);
            }
        }
        Ok(canonical)
    }

    fn kept(&self, rules: &Rules) -> Option<Answers<Self>> {
        rules.kept(self)
    }

    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T {
        thread_local! {
            static PREPARED: RefCell<Prepared<PlainState>> = RefCell::default();
        }
        PREPARED.with(work)
    }
}
