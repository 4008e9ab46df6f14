//! Commands: called from Python, or run as the program `retrograde`.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use retrograde::cli::{Caller, Registry};

use crate::errors::failed;
use crate::game::{PythonGame, finding_states, guarded, registry};

/// Functions in Python that get the progress and the notes, and the exception that one of them raised.
struct Functions {
    progress: Option<Py<PyAny>>,
    note: Option<Py<PyAny>>,
    warning: Option<Py<PyAny>>,
    raised: Mutex<Option<PyErr>>,
}

impl Functions {
    fn call(&self, function: Option<&Py<PyAny>>, text: &str) -> ControlFlow<()> {
        let called = Python::attach(|py| {
            // Ctrl-C.
            py.check_signals()?;
            function.map_or(Ok(()), |function| function.call1(py, (text,)).map(drop))
        });
        match called {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                let mut first = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(raised);
                ControlFlow::Break(())
            }
        }
    }
}

impl Caller for Functions {
    fn progress(&self, doing: &str) -> ControlFlow<()> {
        self.call(self.progress.as_ref(), doing)
    }

    fn note(&self, note: &str) {
        if self.note.is_some() {
            let _ = self.call(self.note.as_ref(), note);
        }
    }

    fn warning(&self, warning: &str) {
        if self.warning.is_some() {
            let _ = self.call(self.warning.as_ref(), warning);
        }
    }

    fn option(&self, name: &str) -> String {
        name.replace('-', "_")
    }
}

/// Commands that find the states of a game. Others read those of a table.
const FINDING: [&str; 3] = ["solve", "laws", "explore"];

/// Runs a command, and returns its answer as JSON. `failure` is the name of the exception that is raised
/// where the command fails; wrong arguments raise `UsageError`.
#[pyfunction]
#[pyo3(signature = (arguments, game, failure, progress=None, note=None, warning=None))]
pub(crate) fn call(
    py: Python<'_>,
    arguments: Vec<String>,
    game: Option<&PythonGame>,
    failure: &str,
    progress: Option<Py<PyAny>>,
    note: Option<Py<PyAny>>,
    warning: Option<Py<PyAny>>,
) -> PyResult<String> {
    let functions = Arc::new(Functions { progress, note, warning, raised: Mutex::default() });
    let finds_states = arguments.first().is_some_and(|command| FINDING.contains(&command.as_str()));
    let call = |registry: Registry| registry.call(arguments.clone(), Arc::clone(&functions) as _);
    let answered = match finds_states {
        true => finding_states(py, game, call)?,
        false => guarded(py, game, || call(registry(game)))?,
    };
    if let Some(raised) = functions.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(raised);
    }
    match answered {
        Ok(answer) => Ok(answer.to_string()),
        Err(problem) => Err(failed(py, failure, &problem)),
    }
}

/// Runs the command line with these arguments, the first of which is ignored, and returns the exit code.
#[pyfunction]
#[pyo3(signature = (arguments, game=None))]
pub(crate) fn main(
    py: Python<'_>,
    arguments: Vec<String>,
    game: Option<&PythonGame>,
) -> PyResult<u8> {
    guarded(py, game, || registry(game).main_with(arguments))
}
