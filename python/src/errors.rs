//! The errors of the engine as exceptions of `retrograde._errors`.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use retrograde::cli::{CliError, ErrorCode, Refusal};

/// The exception of this class in `retrograde._errors`.
pub(crate) fn error(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = || py.import("retrograde._errors")?.getattr(class)?.call1((message,));
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// Whether an exception is of this class in `retrograde._errors`.
pub(crate) fn is_of_class(py: Python<'_>, raised: &PyErr, class: &str) -> bool {
    let class = py.import("retrograde._errors").and_then(|errors| errors.getattr(class));
    class.and_then(|class| raised.value(py).is_instance(&class)).unwrap_or(false)
}

/// The exception for an error with a code. Without a class, the code says which.
fn coded(
    py: Python<'_>,
    class: Option<&str>,
    message: &str,
    code: ErrorCode,
    fields: &serde_json::Map<String, serde_json::Value>,
) -> PyErr {
    let made = || {
        let fields = serde_json::to_string(fields).unwrap_or_default();
        let make = py.import("retrograde._errors")?.getattr("make")?;
        make.call1((class, message, code.word(), fields))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// The exception for a command that failed: of this class, or `UsageError` where its arguments are wrong.
pub(crate) fn failed(py: Python<'_>, class: &str, problem: &CliError) -> PyErr {
    let class = if problem.exit_code() == 2 { "UsageError" } else { class };
    coded(py, Some(class), &problem.to_string(), problem.code(), problem.fields())
}

/// The exception for a question without an answer.
pub(crate) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let message = match refusal.code() {
        ErrorCode::Interrupted => return PyKeyboardInterrupt::new_err(()),
        ErrorCode::NeedsRules => {
            format!("{refusal}; here, retrograde.open(path, game) takes the game")
        }
        _ => refusal.to_string(),
    };
    coded(py, None, &message, refusal.code(), refusal.fields())
}
