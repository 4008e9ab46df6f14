//! Open tables.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};
use retrograde::cli::{Judged, OpenedTable, Refusal};
use retrograde::query::DecidedBy;
use retrograde::{Outcome, Player};

use crate::errors::{failed, refused};
use crate::game::{PythonGame, guarded, registry};

/// How many states are looked up before Ctrl-C is noticed.
const PORTION: usize = 1 << 18;

/// A thread looks up this many states or more.
const LEAST: usize = 1 << 12;

/// An open table of a game that comes with the package, or of a game in Python.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct OpenTable {
    table: OpenedTable,
    game: Option<Py<PythonGame>>,
}

/// Worths, plies and points, one of each for each state: as bytes of `int8`, `int32` and `int16`.
type Columns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// What has no plies, no points.
const NONE: i32 = -1;

/// The worths beside win, draw and loss.
const ENDLESS: i8 = 2;
const UNUSED: i8 = -128;
/// A win or a loss, by the player to move.
const BY_MOVER: i8 = -127;

#[derive(Default)]
struct Answers {
    worth: Vec<u8>,
    plies: Vec<u8>,
    points: Vec<u8>,
}

impl Answers {
    fn push(&mut self, worth: i8, plies: Option<u32>, points: i16) {
        self.worth.push(worth as u8);
        let plies = plies.map_or(NONE, |plies| plies as i32);
        self.plies.extend_from_slice(&plies.to_ne_bytes());
        self.points.extend_from_slice(&points.to_ne_bytes());
    }

    fn columns<'py>(&self, py: Python<'py>) -> Columns<'py> {
        let bytes = |column| PyBytes::new(py, column);
        (bytes(&self.worth), bytes(&self.plies), bytes(&self.points))
    }
}

/// Looks up states on all cores: half of the time is reading what is written.
fn in_threads<T: Sync, R: Send>(
    all: &[T],
    look_up: impl Fn(&[T]) -> Result<Vec<R>, Refusal> + Sync,
) -> Result<Vec<R>, Refusal> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let a_part = all.len().div_ceil(threads).max(LEAST);
    let look_up = &look_up;
    let parts = std::thread::scope(|scope| {
        let others = all.get(a_part..).unwrap_or_default().chunks(a_part);
        let others: Vec<_> = others.map(|part| scope.spawn(move || look_up(part))).collect();
        let mut parts = vec![look_up(&all[..all.len().min(a_part)])];
        let ended = others.into_iter().map(|other| other.join());
        parts.extend(ended.map(|part| part.unwrap_or_else(|unwound| resume_unwind(unwound))));
        parts
    });
    Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

#[pymethods]
impl OpenTable {
    #[new]
    #[pyo3(signature = (path, game, cache))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        game: Option<Py<PythonGame>>,
        cache: usize,
    ) -> PyResult<OpenTable> {
        let rules = game.as_ref().map(Py::get);
        match guarded(py, rules, || registry(rules).open(&path, cache))? {
            Ok(table) => Ok(OpenTable { table, game }),
            Err(problem) => Err(failed(py, "TableError", &problem)),
        }
    }

    /// The questions that tables answer, as JSON.
    #[staticmethod]
    fn questions() -> String {
        OpenedTable::questions().to_string()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.game)
    }

    /// The answer to a question, as the server gives it.
    fn ask(&self, py: Python<'_>, question: &str, query: &str) -> PyResult<String> {
        // Who waits for a search may press Ctrl-C. A search that is ended answers what it has found.
        let raised = Mutex::new(None);
        let is_over = || match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(signal) => {
                *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(signal);
                true
            }
        };
        let answered = self.asked(py, |table| table.ask(question, query, &is_over));
        raised.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(answered, Err)
    }

    /// What many states are worth. Returns the columns, and the first error: the place of the state and the
    /// exception. A state with an error counts as unused.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        states: Vec<pyo3::pybacked::PyBackedStr>,
    ) -> PyResult<(Columns<'py>, Option<(usize, PyErr)>)> {
        let mut answers = Answers::default();
        let mut first = None;
        for (portion, states) in states.chunks(PORTION).enumerate() {
            py.check_signals()?;
            let texts: Vec<&str> = states.iter().map(|state| &**state).collect();
            let judge =
                |table: &OpenedTable| in_threads(&texts, |part| table.judge_all(part, &|| false));
            let judged = self.asked(py, judge)?;
            for (at, judged) in judged.into_iter().enumerate() {
                match judged {
                    Ok(Judged { worth, plies, points, .. }) => {
                        answers.push(worth as i8, plies, points.unwrap_or(0));
                    }
                    Err(refusal) => {
                        answers.push(UNUSED, None, 0);
                        first.get_or_insert((portion * PORTION + at, refusal));
                    }
                }
            }
        }
        let first = first.map(|(at, refusal)| (at, refused(py, &refusal)));
        Ok((answers.columns(py), first))
    }

    /// How many indices there are, unused ones included.
    fn indices(&self) -> u64 {
        self.table.indices()
    }

    /// The values of a range of indices as the file stores them, as bytes of `uint16`.
    fn packed<'py>(&self, py: Python<'py>, start: u64, end: u64) -> PyResult<Bound<'py, PyBytes>> {
        let values = self.asked(py, |table| {
            let mut values = Vec::new();
            table.packed_values(start..end, &mut values).map(|()| values)
        })?;
        PyBytes::new_with(py, 2 * values.len(), |bytes| {
            for (bytes, value) in bytes.chunks_exact_mut(2).zip(&values) {
                bytes.copy_from_slice(&value.to_ne_bytes());
            }
            Ok(())
        })
    }

    /// Whether states say who is to move.
    fn names_movers(&self) -> bool {
        self.table.names_movers()
    }

    /// The players to move in the states of these indices, which are the bytes of `uint64`: bytes, each 0 for the
    /// first player or 1 for the second.
    fn movers<'py>(&self, py: Python<'py>, indices: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
        let indices: Vec<u64> = indices.chunks_exact(8).map(number).collect();
        let mut found = Vec::with_capacity(indices.len());
        for portion in indices.chunks(PORTION) {
            py.check_signals()?;
            let movers = self.asked(py, |table| in_threads(portion, |part| table.movers(part)))?;
            found.extend(movers.into_iter().map(|mover| u8::from(mover == Some(Player::Second))));
        }
        Ok(PyBytes::new(py, &found))
    }

    /// The meaning of each of the 65,536 stored values under the rules. Where endless play decides and is a
    /// win, the worth is `BY_MOVER`. The last bytes are 1 where endless play itself decides, and not the
    /// limit of plies.
    fn meanings<'py>(&self, py: Python<'py>) -> (Columns<'py>, Bound<'py, PyBytes>) {
        let mut answers = Answers::default();
        let mut is_endless = Vec::new();
        let rules = self.table.rules();
        let endless = if rules.endless == Outcome::Draw { ENDLESS } else { BY_MOVER };
        for packed in 0..=u16::MAX {
            let value = self.table.unpack(packed);
            let verdict = value.map(|value| rules.judge(value, None));
            let decided_by = verdict.map(|verdict| verdict.decided_by);
            is_endless.push(u8::from(decided_by == Some(DecidedBy::Endless)));
            match (value, verdict) {
                (Some(value), Some(verdict)) if verdict.decided_by == DecidedBy::Play => {
                    let points = value.points();
                    // As in all other answers, a draw has no plies.
                    answers.push(points.signum() as i8, verdict.plies, points);
                }
                (Some(_), _) => answers.push(endless, None, 0),
                (None, _) => answers.push(UNUSED, None, 0),
            }
        }
        (answers.columns(py), PyBytes::new(py, &is_endless))
    }

    /// The states of a range of indices; `None` for each unused one.
    fn states(&self, py: Python<'_>, start: u64, end: u64) -> PyResult<Vec<Option<String>>> {
        self.asked(py, |table| table.states(start..end))
    }
}

impl OpenTable {
    /// What the table answers.
    fn asked<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&OpenedTable) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let rules = self.game.as_ref().map(Py::get);
        let answered = guarded(py, rules, || ask(&self.table))?;
        answered.map_err(|refusal| refused(py, &refusal))
    }
}
