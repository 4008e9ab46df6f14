//! The errors of the engine as exceptions of `retrograde._errors`.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use retrograde::cli::Refusal;

/// The exception of this name in `retrograde._errors`.
pub(crate) fn error(py: Python<'_>, name: &str, message: &str) -> PyErr {
    let made = || py.import("retrograde._errors")?.getattr(name)?.call1((message,));
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// The exception for a question without an answer.
pub(crate) fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Question(detail) => error(py, "StateError", &detail),
        Refusal::Missing(detail) => error(py, "NotInTableError", &detail),
        Refusal::OutcomesOnly(detail) => error(py, "OutcomesOnlyError", &detail),
        Refusal::Interrupted => PyKeyboardInterrupt::new_err(()),
        Refusal::RulesMissing(detail) => error(
            py,
            "TableError",
            &format!("{detail}; here, retrograde.open(path, game) takes the game"),
        ),
        Refusal::Table(detail) => error(py, "TableError", &detail),
        other => error(py, "RetrogradeError", &format!("{other:?}")),
    }
}
