//! States as numbers of 64 bits, about which rules answer many at a time.

use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use retrograde::Outcome;

use super::ask::blame;
use super::ends::ONGOING;
use super::kept::Kept;
use super::prepared::{Answers, Prepared, State, prepared_by_threads};
use super::rules::Rules;
use super::tiers::HasTier as _;

/// A state: its number, with who is to move in the highest bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PackedWord(pub(super) u64);

/// The bit that says that the second player is to move. Where states do not say it, numbers have all bits.
const SECOND: u64 = 1 << 63;

impl std::fmt::Debug for PackedWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "state {:#x}", self.0)
    }
}

impl PackedWord {
    fn new(number: u64, is_second: bool, is_named: bool) -> PyResult<PackedWord> {
        if is_named && number & SECOND != 0 {
            let problem =
                format!("{number} is no state: in a game with `turn`, states are below 2**63");
            return Err(PyValueError::new_err(problem));
        }
        Ok(PackedWord(number | if is_second { SECOND } else { 0 }))
    }

    /// The numbers of some states, as numpy has them.
    pub(super) fn numbers<'py>(
        py: Python<'py>,
        rules: &Rules,
        states: &[Self],
    ) -> PyResult<Bound<'py, PyBytes>> {
        bytes_of(py, states.iter().map(|state| state.number(rules.is_named())))
    }

    fn number(self, is_named: bool) -> u64 {
        if is_named { self.0 & !SECOND } else { self.0 }
    }
}

/// The bytes of numbers, as numpy has them.
fn bytes_of<'py>(
    py: Python<'py>,
    numbers: impl ExactSizeIterator<Item = u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 8 * numbers.len(), |bytes| {
        for (bytes, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

fn number_of(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(0, u64::from_ne_bytes)
}

/// The numbers of some roots, and who is to move in each.
pub(super) fn read_roots(
    roots: &Bound<'_, PyBytes>,
    turns: &Bound<'_, PyBytes>,
    is_named: bool,
) -> PyResult<Vec<PackedWord>> {
    words(roots.as_bytes(), turns.as_bytes(), is_named)
}

/// The states of some numbers, and of who is to move in each.
fn words(numbers: &[u8], turns: &[u8], is_named: bool) -> PyResult<Vec<PackedWord>> {
    let numbers = numbers.chunks_exact(8).map(number_of);
    if !is_named {
        return Ok(numbers.map(PackedWord).collect());
    }
    let mut words = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.enumerate() {
        let is_second = turns.get(at).is_some_and(|&turn| turn == 1);
        words.push(PackedWord::new(number, is_second, is_named)?);
    }
    Ok(words)
}

/// Successors in the order of their parents, with what the moves to them gain, and where those of each of the
/// `ongoing` states begin, with the end of the last.
fn by_parent(
    ongoing: usize,
    parents: &[u8],
    successors: Vec<PackedWord>,
    gains: Vec<i16>,
) -> PyResult<(Vec<usize>, Vec<PackedWord>, Vec<i16>)> {
    let parents = || parents.chunks_exact(8).map(|bytes| number_of(bytes) as i64);
    let mut starts = vec![0; ongoing + 1];
    let (mut last, mut is_sorted) = (0, true);
    for parent in parents() {
        let Some(count) = usize::try_from(parent).ok().and_then(|at| starts.get_mut(at + 1)) else {
            let problem = format!(
                "a parent is the place of a state among the {ongoing} of the call, but one is {parent}"
            );
            return Err(PyValueError::new_err(problem));
        };
        *count += 1;
        is_sorted &= parent >= last;
        last = parent;
    }
    for at in 0..ongoing {
        starts[at + 1] += starts[at];
    }
    if is_sorted {
        return Ok((starts, successors, gains));
    }
    let mut next = starts.clone();
    let mut sorted = vec![PackedWord(0); successors.len()];
    let mut sorted_gains = vec![0; gains.len()];
    let mut gains = gains.into_iter();
    for (parent, successor) in parents().zip(successors) {
        let place = &mut next[parent as usize];
        sorted[*place] = successor;
        if let Some(gain) = gains.next() {
            sorted_gains[*place] = gain;
        }
        *place += 1;
    }
    Ok((starts, sorted, sorted_gains))
}

impl State for PackedWord {
    fn is_second(&self) -> bool {
        self.0 & SECOND != 0
    }

    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.number(rules.is_named()).into_pyobject(py)?.into_any())
    }

    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        let number: u64 = data.extract()?;
        let py = data.py();
        let bytes = bytes_of(py, [number].into_iter())?;
        let turns = rules.turns_of(py, &bytes)?;
        let is_second = turns.as_bytes().first() == Some(&1);
        PackedWord::new(number, is_second, rules.is_named())
    }

    fn of_plain_text(text: &str, rules: &Rules) -> Option<Self> {
        if !rules.reads_plain_texts() || rules.is_named() || text.starts_with('+') {
            return None;
        }
        text.parse().ok().map(PackedWord)
    }

    fn parts(&self, _: &Rules) -> String {
        format!("{self:?}")
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        rules.root_words().iter().copied()
    }

    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>> {
        let is_named = rules.is_named();
        let states = &states[..states.len().min(rules.batch())];
        let asked = || match states {
            [one] => one.number(is_named).to_string(),
            [first, ..] => {
                format!("{} states from {} on", states.len(), first.number(is_named))
            }
            [] => "no states".to_owned(),
        };
        let failed = |raised| blame(py, raised, "expand", &asked());
        let answered =
            rules.answer_all(py, &PackedWord::numbers(py, rules, states)?).map_err(failed)?;
        let (ends, parents, successors, turns, gains) = answered;
        rules.fit_batch(states.len(), successors.as_bytes().len() / 8);
        let mut answers = Answers::default();
        answers.ends.reserve_exact(states.len());
        for &end in ends.as_bytes() {
            answers.ends.push(match i64::from(end as i8) {
                ONGOING => None,
                code => Some(rules.ends.read_number(code).map_err(failed)?),
            });
        }
        let ongoing = answers.ends.iter().filter(|end| end.is_none()).count();
        let successors =
            words(successors.as_bytes(), turns.as_bytes(), is_named).map_err(failed)?;
        let gain = |bytes: &[u8]| bytes.try_into().map_or(0, i16::from_ne_bytes);
        let gains = gains.as_bytes().chunks_exact(2).map(gain).collect();
        let (starts, successors, gains) =
            by_parent(ongoing, parents.as_bytes(), successors, gains).map_err(failed)?;
        let mut bounds = starts.into_iter();
        let mut bound = bounds.next().unwrap_or(0);
        let bound_of = |end: &Option<Outcome>| {
            if end.is_none() {
                bound = bounds.next().unwrap_or(bound);
            }
            bound
        };
        answers.bounds = answers.ends.iter().map(bound_of).collect();
        answers.canonical = Self::canonical(py, rules, &successors)?;
        answers.tiers = Self::tiers(py, rules, &successors)?;
        answers.successors = successors;
        answers.gains = gains;
        Ok(answers)
    }

    fn some_successors(
        py: Python<'_>,
        rules: &Rules,
        state: &Self,
        most: usize,
    ) -> PyResult<Vec<Self>> {
        let answers = PackedWord::ask(py, rules, std::slice::from_ref(state))?;
        Ok(answers.successors(0).iter().copied().take(most).collect())
    }

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        Ok(rules.bit_symmetries.as_ref().map(|symmetries| PackedWord(symmetries.least(self.0))))
    }

    fn canonical(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<Self>> {
        let (Some(canonical), [first, ..]) = (&rules.canonical, states) else {
            return Ok(Vec::new());
        };
        let is_named = rules.is_named();
        let asked = || format!("{} states from {} on", states.len(), first.number(is_named));
        let numbers = PackedWord::numbers(py, rules, states)?;
        let returned = canonical.bind(py).call1((numbers,)).and_then(|returned| {
            let (numbers, turns): (Bound<'_, PyBytes>, Bound<'_, PyBytes>) = returned.extract()?;
            words(numbers.as_bytes(), turns.as_bytes(), is_named)
        });
        returned.map_err(|raised| blame(py, raised, "canonical", &asked()))
    }

    fn kept(rules: &Rules) -> &Kept<Self> {
        &rules.kept.words
    }

    prepared_by_threads!(with_prepared, PackedWord);
}
