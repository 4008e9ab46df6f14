//! States as Python has them: any plain data.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;

use pyo3::prelude::*;
use pyo3::types::PyInt;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::kept::Kept;
use super::parts;
use super::plain::{self, Bytes};
use super::prepared::{Prepared, State, prepared_by_threads};
use super::rules::Rules;

/// The length of the longest state that needs no memory of its own.
const SHORT: usize = 22;

/// A state: a byte that says who is to move, and its data as bytes.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PlainState(Form);

/// Short bytes are three words, the first bytes in the highest places. They are copied and compared by words:
/// by bytes, finding the states of m,n,k 4,4,3 takes a tenth longer.
#[derive(Clone, PartialEq, Eq)]
enum Form {
    Short {
        first: [u64; 2],
        /// The other bytes, zeros behind the last one, and the length in the lowest bits, plus one.
        last: NonZeroU64,
    },
    Long(Box<[u8]>),
}

impl PlainState {
    fn new(own: &[u8]) -> Self {
        let mut bytes = [0; 24];
        let long = || PlainState(Form::Long(own.into()));
        let Some(place) = bytes[..SHORT].get_mut(..own.len()) else { return long() };
        place.copy_from_slice(own);
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_be_bytes(word)
        };
        PlainState(Form::short([word(0), word(8), word(16)], own.len()))
    }

    /// The state that is a number, with nobody to move.
    pub(super) fn of_number(number: i64) -> Self {
        let (first, length, number) = plain::integer(number);
        let words = [u64::from(first) << 48 | number >> 16, number << 48, 0];
        PlainState(Form::short(words, 2 + length))
    }

    /// The number that the state is; `None` if it is negative, or other data.
    pub(super) fn number(&self) -> Option<u64> {
        let Form::Short { first: [first, second], .. } = self.0 else { return None };
        let kind = (first >> 48) as u8;
        let length = u32::from(kind.checked_sub(plain::POSITIVE)?);
        let number = (first << 16 | second >> 48).unbounded_shr(64_u32.checked_sub(8 * length)?);
        let mut same = PlainState::of_number(i64::try_from(number).ok()?);
        same.set_turn(self.turn());
        (same == *self).then_some(number)
    }

    pub(super) fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        match &self.0 {
            Form::Short { first: [first, second], last } => {
                let mut bytes = [0; 24];
                for (place, word) in bytes.chunks_exact_mut(8).zip([*first, *second, last.get()]) {
                    place.copy_from_slice(&word.to_be_bytes());
                }
                let length = (last.get() & 0xFF) as usize - 1;
                work(bytes.get(..length).unwrap_or_default())
            }
            Form::Long(bytes) => work(bytes),
        }
    }

    /// Gives the bytes of the data to `work`.
    fn with_data<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        self.with_bytes(|bytes| work(bytes.get(1..).unwrap_or_default()))
    }

    pub(super) fn turn(&self) -> u8 {
        match &self.0 {
            Form::Short { first, .. } => (first[0] >> 56) as u8,
            Form::Long(bytes) => bytes.first().copied().unwrap_or(0),
        }
    }

    pub(super) fn set_turn(&mut self, turn: u8) {
        match &mut self.0 {
            Form::Short { first, .. } => first[0] = first[0] << 8 >> 8 | u64::from(turn) << 56,
            Form::Long(bytes) => bytes[0] = turn,
        }
    }
}

impl Form {
    fn short([first, second, last]: [u64; 3], length: usize) -> Form {
        let last = NonZeroU64::MIN.saturating_add(last | length as u64);
        Form::Short { first: [first, second], last }
    }
}

/// The order of the bytes. The zeros behind short ones change nothing.
impl Ord for PlainState {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Short { first, last }, Form::Short { first: other_first, last: other_last }) => {
                (first, last).cmp(&(other_first, other_last))
            }
            _ => self.with_bytes(|bytes| other.with_bytes(|others| bytes.cmp(others))),
        }
    }
}

impl PartialOrd for PlainState {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for PlainState {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match &self.0 {
            Form::Short { first, last } => {
                hasher.write_u64(first[0]);
                hasher.write_u64(first[1]);
                // Of data of up to 16 bytes, all are in the first words.
                if last.get() >> 16 > 0 {
                    hasher.write_u64(last.get());
                }
            }
            Form::Long(bytes) => hasher.write(bytes),
        }
    }
}

impl fmt::Debug for PlainState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("state ")?;
        self.with_bytes(|bytes| bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")))
    }
}

impl Serialize for PlainState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_bytes(|bytes| serializer.serialize_bytes(bytes))
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
        self.turn() == 1
    }

    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
        self.with_data(|data| plain::read(py, data, rules.classes()))
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
        self.with_data(|data| parts::write(data, rules.classes()))
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        rules.roots().iter().cloned()
    }

    fn check_places(&self, rules: &Rules) -> PyResult<()> {
        match &rules.symmetries {
            Some(symmetries) => self.with_data(|data| symmetries.check_places(data)),
            None => Ok(()),
        }
    }

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        let Some(symmetries) = &rules.symmetries else { return Ok(None) };
        let mut bytes = Bytes::new();
        bytes.push(self.turn());
        bytes.extend_from_slice(&self.with_data(|data| symmetries.least(data))?);
        Ok(Some(PlainState::new(&bytes)))
    }

    fn kept(rules: &Rules) -> &Kept<Self> {
        &rules.kept.plain
    }

    prepared_by_threads!(with_prepared, PlainState);
}
