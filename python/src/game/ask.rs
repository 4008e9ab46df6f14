//! How exceptions of a game's rules are told.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::errors::{error, is_of_class};

/// The most characters of a state in a message.
const LONGEST: usize = 200;

/// What an object looks like, on one line that is not too long.
pub(super) fn short(data: &Bound<'_, PyAny>) -> String {
    let text = data.repr().map_or_else(|_| "an object".into(), |repr| repr.to_string());
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The exception of a rule, which was asked about a state: a `GameError` that names both, with the one
/// that was raised as its cause. Ctrl-C stays what it is, and so does what names a rule already.
pub(super) fn blame(py: Python<'_>, raised: PyErr, asked: &str, state: &str) -> PyErr {
    if !raised.is_instance_of::<PyException>(py) || is_of_class(py, &raised, "GameError") {
        return raised;
    }
    let kind = raised.get_type(py).name().map_or_else(|_| "error".into(), |name| name.to_string());
    let detail = raised.value(py).to_string();
    let told = if detail.is_empty() { kind } else { format!("{kind}: {detail}") };
    let blamed = error(py, "GameError", &format!("{asked}({state}): {told}"));
    blamed.set_cause(py, Some(raised));
    blamed
}
