//! States as numbers of 64 bits, about which rules answer many at a time.

use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::ask::blame;
use super::ends::{ONGOING, outcome};
use super::prepared::{Answers, Prepared, State};
use super::rules::Rules;

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
    words(roots.as_bytes(), turns.as_bytes(), is_named).collect()
}

fn words(
    numbers: &[u8],
    turns: &[u8],
    is_named: bool,
) -> impl Iterator<Item = PyResult<PackedWord>> {
    numbers.chunks_exact(8).enumerate().map(move |(at, bytes)| {
        let is_second = is_named && turns.get(at).is_some_and(|&turn| turn == 1);
        PackedWord::new(number_of(bytes), is_second, is_named)
    })
}

/// Successors in the order of their parents, and where those of each of the `ongoing` states begin, with the
/// end of the last.
fn by_parent(
    ongoing: usize,
    parents: &[u8],
    successors: Vec<PackedWord>,
) -> PyResult<(Vec<usize>, Vec<PackedWord>)> {
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
        return Ok((starts, successors));
    }
    let mut next = starts.clone();
    let mut sorted = vec![PackedWord(0); successors.len()];
    for (parent, successor) in parents().zip(successors) {
        let place = &mut next[parent as usize];
        sorted[*place] = successor;
        *place += 1;
    }
    Ok((starts, sorted))
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
        let (ends, parents, successors, turns) = answered;
        rules.fit_batch(states.len(), successors.as_bytes().len() / 8);
        let mut answers = Answers::default();
        for &end in ends.as_bytes() {
            answers.ends.push(match i64::from(end as i8) {
                ONGOING => None,
                code => Some(outcome(code, is_named).map_err(failed)?),
            });
        }
        let ongoing = answers.ends.iter().filter(|end| end.is_none()).count();
        let words = words(successors.as_bytes(), turns.as_bytes(), is_named);
        let successors: Vec<PackedWord> = words.collect::<PyResult<_>>().map_err(failed)?;
        let (mut starts, successors) =
            by_parent(ongoing, parents.as_bytes(), successors).map_err(failed)?;
        starts.reverse();
        let mut bound = starts.pop().unwrap_or(0);
        for end in &answers.ends {
            if end.is_none() {
                bound = starts.pop().unwrap_or(bound);
            }
            answers.bounds.push(bound);
        }
        answers.canonical = Self::canonical(py, rules, &successors)?;
        answers.successors = successors;
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
            words(numbers.as_bytes(), turns.as_bytes(), is_named).collect()
        });
        returned.map_err(|raised| blame(py, raised, "canonical", &asked()))
    }

    fn kept(&self, _: &Rules) -> Option<Answers<Self>> {
        None
    }

    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T {
        thread_local! {
            static PREPARED: RefCell<Prepared<PackedWord>> = RefCell::default();
        }
        PREPARED.with(work)
    }
}
