//! Games whose rules are a class in Python.

mod ask;
mod ends;
mod kept;
mod moves;
mod notation;
mod numbers;
mod one_by_one;
mod packed;
mod parts;
mod plain;
mod prepared;
mod python_game;
mod rules;
mod state;
mod symmetries;
mod tiers;
mod turned;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use retrograde::cli::Registry;

use crate::errors::error;
use crate::glossary::GLOSSARY;
use numbers::NumberState;
use packed::PackedWord;
use prepared::{Prepared, State};
use python_game::Adapted;
use rules::{Raised, Rules};
use state::PlainState;
use tiers::InTier;

/// The rules of a game in Python, in a form that the engine asks.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct PythonGame(Arc<Rules>);

#[pymethods]
impl PythonGame {
    /// Reads what `retrograde._games` has found out about a game.
    #[new]
    fn new(described: &Bound<'_, PyAny>) -> PyResult<PythonGame> {
        let rules = Rules::read(described)?;
        let name = rules.name();
        if retrograde_games::registry().names().any(|shipped| shipped == name) {
            let problem = format!(
                "name: \"{name}\" comes with the package: give the class another name, or set `name`"
            );
            return Err(error(described.py(), "GameError", &problem));
        }
        Ok(PythonGame(Arc::new(rules)))
    }

    /// The garbage collector finds cycles by what the rules hold: a game may hold its own table. No other
    /// class of this package shows it the same objects. Those that need the rules hold this object.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(&visit)
    }

    /// The name of the game in files and on the command line.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// A state as people write it, and as the game reads it.
    fn write(&self, state: &Bound<'_, PyAny>) -> PyResult<String> {
        let PythonGame(rules) = self;
        match (rules.has_notation, rules.is_batched()) {
            (false, _) => rules.write(state),
            (true, false) => rules.text_of(&PlainState::of_data(state, rules)?, state),
            (true, true) => rules.text_of(&PackedWord::of_data(state, rules)?, state),
        }
    }
}

/// Does some work of the engine without the lock of the interpreter. Returns the exception if a rule of
/// the game raised one.
pub(crate) fn guarded<T: Send>(
    py: Python<'_>,
    game: Option<&PythonGame>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    let prepared = game.and_then(|PythonGame(rules)| {
        rules.forget();
        // Threads of the pool have ended; this one may be kept for long.
        clear::<PlainState>();
        clear::<NumberState>();
        clear::<PackedWord>();
        clear::<InTier<PlainState>>();
        clear::<InTier<PackedWord>>();
        rules.take_failure()
    });
    match done {
        Ok(done) => prepared.map_or(Ok(done), Err),
        Err(unwound) => match unwound.downcast::<Raised>() {
            Ok(raised) => Err(raised.0),
            Err(unwound) => resume_unwind(unwound),
        },
    }
}

/// Frees what this thread has prepared, unless a rule that asks a table stands in the middle of it.
fn clear<S: State>() {
    S::with_prepared(|prepared| {
        if let Ok(mut prepared) = prepared.try_borrow_mut() {
            *prepared = Prepared::default();
        }
    });
}

/// The games that come with the package, and one in Python. It takes states of any kind.
pub(crate) fn registry(game: Option<&PythonGame>) -> Registry {
    registry_of(game, false)
}

/// Does some work that finds the states of a game. If they are numbers as far as is known, the registry takes
/// only these, which is faster. If another state is met, the work is done anew.
pub(crate) fn finding_states<T: Send>(
    py: Python<'_>,
    game: Option<&PythonGame>,
    work: impl Fn(Registry) -> T + Send + Sync,
) -> PyResult<T> {
    let has_numbers = || game.is_some_and(|PythonGame(rules)| rules.has_numbers());
    if has_numbers() {
        let done = guarded(py, game, || work(registry_of(game, true)));
        if done.is_ok() || has_numbers() {
            return done;
        }
    }
    guarded(py, game, || work(registry(game)))
}

fn registry_of(game: Option<&PythonGame>, numbers: bool) -> Registry {
    let registry = retrograde_games::registry().glossary(GLOSSARY);
    let Some(PythonGame(rules)) = game else { return registry };
    let (about, states) = (rules.about().to_owned(), rules.states().to_owned());
    macro_rules! add {
        ($state:ty, $named:literal, $points:literal) => {
            registry.add(Adapted::<$state, $named, $points>::new(rules), &about, &states)
        };
    }
    if rules.has_tiers() {
        return match (rules.is_batched(), rules.is_named(), rules.has_points()) {
            (false, false, false) => add!(InTier<PlainState>, false, false),
            (false, false, true) => add!(InTier<PlainState>, false, true),
            (false, true, false) => add!(InTier<PlainState>, true, false),
            (false, true, true) => add!(InTier<PlainState>, true, true),
            (true, false, false) => add!(InTier<PackedWord>, false, false),
            (true, false, true) => add!(InTier<PackedWord>, false, true),
            (true, true, false) => add!(InTier<PackedWord>, true, false),
            (true, true, true) => add!(InTier<PackedWord>, true, true),
        };
    }
    if numbers {
        return match rules.is_named() {
            false => add!(NumberState, false, false),
            true => add!(NumberState, true, false),
        };
    }
    match (rules.is_batched(), rules.is_named(), rules.has_points()) {
        (false, false, false) => add!(PlainState, false, false),
        (false, false, true) => add!(PlainState, false, true),
        (false, true, false) => add!(PlainState, true, false),
        (false, true, true) => add!(PlainState, true, true),
        (true, false, false) => add!(PackedWord, false, false),
        (true, false, true) => add!(PackedWord, false, true),
        (true, true, false) => add!(PackedWord, true, false),
        (true, true, true) => add!(PackedWord, true, true),
    }
}
