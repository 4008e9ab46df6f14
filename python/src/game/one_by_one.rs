//! Questions to rules that answer about one state at a time.

use std::ops::ControlFlow::{Break, Continue};

use pyo3::prelude::*;

use super::prepared::{Answers, State};
use super::rules::Rules;

/// How many successors are kept before the engine takes them. More of a state are visited as the rules tell
/// them.
const AT_ONCE: usize = 1 << 17;

/// See [`State::ask`].
pub(super) fn ask<S: State>(py: Python<'_>, rules: &Rules, states: &[S]) -> PyResult<Answers<S>> {
    let mut answers = Answers::default();
    let (has_gains, has_tiers) = (rules.has_gains(), rules.has_tiers());
    let has_canonical = rules.canonical.is_some();
    for state in states {
        let data = state.data(py, rules)?;
        let end = rules.end_of(&data)?;
        let start = answers.successors.len();
        if end.is_none() {
            rules.each_move(&data, |next| {
                answers.successors.push(S::of_data(next, rules)?);
                if has_tiers {
                    answers.tiers.push(rules.tier_of(next)?);
                }
                if has_gains {
                    answers.gains.push(rules.gain_of(&data, next)?);
                }
                if has_canonical && let Some(canonical) = rules.canonical_data(next)? {
                    answers.canonical.push(S::of_data(&canonical, rules)?);
                }
                answers.is_last_long = answers.successors.len() - start > AT_ONCE;
                Ok(if answers.is_last_long { Break(()) } else { Continue(()) })
            })?;
        }
        if answers.is_last_long {
            answers.successors.truncate(start);
            answers.canonical.truncate(start);
            answers.tiers.truncate(start);
            answers.gains.truncate(start);
        }
        answers.finish(end);
        if answers.is_last_long || answers.successors.len() >= AT_ONCE {
            break;
        }
    }
    Ok(answers)
}

/// See [`State::some_successors`].
pub(super) fn some_successors<S: State>(
    py: Python<'_>,
    rules: &Rules,
    state: &S,
    most: usize,
) -> PyResult<Vec<S>> {
    let data = state.data(py, rules)?;
    let mut successors = Vec::new();
    if rules.end_of(&data)?.is_none() {
        rules.each_move(&data, |next| {
            successors.push(S::of_data(next, rules)?);
            Ok(if successors.len() < most { Continue(()) } else { Break(()) })
        })?;
    }
    Ok(successors)
}

/// See [`State::canonical`].
pub(super) fn canonical<S: State>(py: Python<'_>, rules: &Rules, states: &[S]) -> PyResult<Vec<S>> {
    let mut canonical = Vec::new();
    for state in states {
        if let Some(data) = rules.canonical_data(&state.data(py, rules)?)? {
            canonical.push(S::of_data(&data, rules)?);
        }
    }
    Ok(canonical)
}
