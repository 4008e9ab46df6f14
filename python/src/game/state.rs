//! States as Python has them: any plain data.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow::{Break, Continue};

use pyo3::prelude::*;
use pyo3::types::PyInt;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::kept::Kept;
use super::parts;
use super::plain::{self, Bytes};
use super::prepared::{Answers, Prepared, State};
use super::rules::Rules;

/// About how many successors are told before the engine takes them, so that they are still in the caches.
const AT_ONCE: usize = 1 << 14;

/// How many successors of a state are kept before the engine takes them. More of a state are visited as the
/// rules tell them.
const MOST_KEPT: usize = 1 << 17;

/// The length of the longest state that needs no memory of its own.
const SHORT: usize = 22;

/// A state: a byte that says who is to move, and its data as bytes. It is copied and compared as a whole,
/// which takes less time than byte by byte.
#[derive(Clone)]
pub(super) struct PlainState(Form);

#[derive(Clone)]
enum Form {
    /// The bytes behind the length are zeros.
    Short {
        length: u8,
        bytes: [u8; SHORT],
    },
    Long(Box<[u8]>),
}

impl PlainState {
    fn new(own: &[u8]) -> Self {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..own.len()) {
            Some(place) => {
                place.copy_from_slice(own);
                PlainState(Form::Short { length: own.len() as u8, bytes })
            }
            None => PlainState(Form::Long(own.into())),
        }
    }

    /// The state that is a number.
    fn of_number(number: i64) -> Self {
        let (first, length, number) = plain::integer(number);
        let mut bytes = [0; SHORT];
        bytes[1] = first;
        bytes[2..10].copy_from_slice(&number);
        PlainState(Form::Short { length: 2 + length as u8, bytes })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Short { length, bytes } => &bytes[..usize::from(*length).min(SHORT)],
            Form::Long(bytes) => bytes,
        }
    }

    /// The bytes of the data.
    fn own(&self) -> &[u8] {
        self.bytes().get(1..).unwrap_or_default()
    }

    fn set_turn(&mut self, turn: u8) {
        match &mut self.0 {
            Form::Short { bytes, .. } => bytes[0] = turn,
            Form::Long(bytes) => bytes[0] = turn,
        }
    }
}

impl PartialEq for PlainState {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (
                Form::Short { length, bytes },
                Form::Short { length: other_length, bytes: other_bytes },
            ) => bytes == other_bytes && length == other_length,
            (Form::Long(bytes), Form::Long(others)) => bytes == others,
            _ => false,
        }
    }
}

impl Eq for PlainState {}

/// The order of the bytes. The zeros behind short ones change nothing.
impl Ord for PlainState {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (
                Form::Short { length, bytes },
                Form::Short { length: other_length, bytes: other_bytes },
            ) => bytes.cmp(other_bytes).then(length.cmp(other_length)),
            _ => self.bytes().cmp(other.bytes()),
        }
    }
}

impl PartialOrd for PlainState {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for PlainState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match &self.0 {
            Form::Short { length, bytes } => {
                let low = bytes.first_chunk().map_or(0, |low| u128::from_ne_bytes(*low));
                hasher.write_u128(low);
                if *length > 16 {
                    let high = bytes.last_chunk().map_or(0, |high| u64::from_ne_bytes(*high));
                    hasher.write_u64(high);
                }
            }
            Form::Long(bytes) => hasher.write(bytes),
        }
    }
}

impl fmt::Debug for PlainState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("state ")?;
        self.bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for PlainState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.bytes())
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
                Ok(PlainState::new(bytes))
            }
        }
        deserializer.deserialize_bytes(AnyBytes)
    }
}

impl State for PlainState {
    fn is_second(&self) -> bool {
        self.bytes().first() == Some(&1)
    }

    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
        plain::read(py, self.own(), rules.classes())
    }

    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        let number: Option<i64> = match data.is_exact_instance_of::<PyInt>() {
            true => data.extract().ok(),
            false => None,
        };
        let mut state = match number {
            Some(number) => PlainState::of_number(number),
            None => {
                let mut bytes = Bytes::new();
                bytes.push(0);
                plain::write(data, rules.classes(), 0, &mut bytes)?;
                PlainState::new(&bytes)
            }
        };
        if rules.is_named() {
            state.set_turn(rules.turn_of(data, &state)?);
        }
        Ok(state)
    }

    fn of_plain_text(text: &str, rules: &Rules) -> Option<Self> {
        if !rules.reads_plain_texts() || rules.is_named() {
            return None;
        }
        let mut bytes = Bytes::new();
        bytes.push(0);
        plain::write_text(text, &mut bytes).then(|| PlainState::new(&bytes))
    }

    fn parts(&self, rules: &Rules) -> String {
        parts::write(self.own(), rules.classes())
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        rules.roots().iter().cloned()
    }

    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>> {
        let mut answers = Answers::default();
        let (has_gains, has_canonical) = (rules.has_gains(), rules.canonical.is_some());
        for state in states {
            let data = state.data(py, rules)?;
            let end = rules.end_of(&data)?;
            let start = answers.successors.len();
            if end.is_none() {
                rules.each_move(&data, |next| {
                    answers.successors.push(PlainState::of_data(next, rules)?);
                    if has_gains {
                        answers.gains.push(rules.gain_of(&data, next)?);
                    }
                    if has_canonical && let Some(canonical) = rules.canonical_data(next)? {
                        answers.canonical.push(PlainState::of_data(&canonical, rules)?);
                    }
                    answers.is_last_long = answers.successors.len() - start > MOST_KEPT;
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

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        let Some(symmetries) = &rules.symmetries else { return Ok(None) };
        let own = self.bytes();
        let mut bytes: Bytes = own[..1].into();
        bytes.extend_from_slice(&symmetries.least(&own[1..])?);
        Ok(Some(PlainState::new(&bytes)))
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

    fn kept(rules: &Rules) -> &Kept<Self> {
        &rules.kept.plain
    }

    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T {
        thread_local! {
            static PREPARED: RefCell<Prepared<PlainState>> = RefCell::default();
        }
        PREPARED.with(work)
    }
}
