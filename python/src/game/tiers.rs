//! States with their tiers, of games that are solved tier by tier.

use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use retrograde::{Tier, Tiered};
use serde::{Deserialize, Serialize};

use super::ask::{blame, short};
use super::kept::Kept;
use super::packed::PackedWord;
use super::prepared::{Answers, Prepared, State, prepared_by_threads};
use super::python_game::Adapted;
use super::rules::Rules;
use super::state::PlainState;

/// A state, and the place of its tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct InTier<S> {
    pub(super) tier: u32,
    pub(super) state: S,
}

/// States in tiers that a thread has prepared.
pub(super) trait HasTier: State {
    /// The answers about states in tiers that are kept.
    fn kept_in_tiers(rules: &Rules) -> &Kept<InTier<Self>>;

    fn with_prepared_in_tiers<T>(work: impl FnOnce(&RefCell<Prepared<InTier<Self>>>) -> T) -> T;

    /// The places of the tiers of some states.
    fn tiers(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<u32>>;
}

impl HasTier for PlainState {
    fn kept_in_tiers(rules: &Rules) -> &Kept<InTier<Self>> {
        &rules.kept.plain_in_tiers
    }

    prepared_by_threads!(with_prepared_in_tiers, InTier<PlainState>);

    fn tiers(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<u32>> {
        states.iter().map(|state| rules.tier_of(&state.data(py, rules)?)).collect()
    }
}

impl HasTier for PackedWord {
    fn kept_in_tiers(rules: &Rules) -> &Kept<InTier<Self>> {
        &rules.kept.words_in_tiers
    }

    prepared_by_threads!(with_prepared_in_tiers, InTier<PackedWord>);

    fn tiers(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<u32>> {
        let (Some(tier), [first, ..]) = (&rules.tier, states) else { return Ok(Vec::new()) };
        let returned = tier.bind(py).call1((PackedWord::numbers(py, rules, states)?,));
        let read = |returned: Bound<'_, PyAny>| {
            let bytes = returned.cast_into::<PyBytes>()?;
            let tiers = bytes.as_bytes().chunks_exact(4);
            Ok(tiers.map(|tier| tier.try_into().map_or(0, u32::from_ne_bytes)).collect())
        };
        returned.and_then(read).map_err(|raised| {
            let asked = first.data(py, rules).map_or_else(|_| String::new(), |data| short(&data));
            blame(py, raised, "tier", &format!("{} states from {asked} on", states.len()))
        })
    }
}

impl Rules {
    /// The place of the tier of a state.
    pub(super) fn tier_of(&self, data: &Bound<'_, PyAny>) -> PyResult<u32> {
        let Some(tier) = &self.tier else { return Ok(0) };
        let py = data.py();
        let returned = tier.bind(py).call1((data,)).and_then(|tier| tier.extract());
        returned.map_err(|raised| blame(py, raised, "tier", &short(data)))
    }

    /// The tiers in the order in which they are solved.
    pub(super) fn tiers(&self) -> &[Tier] {
        &self.tiers
    }
}

/// Reads the tiers that `retrograde._tiers` has put in order: their names, and where moves lead from each.
pub(super) fn read(listed: &Bound<'_, PyAny>) -> PyResult<Vec<Tier>> {
    let listed: Vec<(String, Vec<usize>)> = listed.extract()?;
    Ok(listed.into_iter().map(|(name, leads_to)| Tier { name, leads_to }).collect())
}

impl<S: HasTier> InTier<S> {
    fn of(py: Python<'_>, rules: &Rules, states: Vec<S>) -> PyResult<Vec<Self>> {
        let tiers = S::tiers(py, rules, &states)?;
        Ok(tiers.into_iter().zip(states).map(|(tier, state)| InTier { tier, state }).collect())
    }

    fn answers(answers: Answers<S>) -> Answers<Self> {
        let Answers { ends, bounds, successors, canonical, tiers, gains, is_last_long } = answers;
        let in_tiers = |states: Vec<S>| {
            let states = tiers.iter().zip(states);
            states.map(|(&tier, state)| InTier { tier, state }).collect()
        };
        // By the laws, the states that are the same have one tier.
        let (successors, canonical) = (in_tiers(successors), in_tiers(canonical));
        Answers { ends, bounds, successors, canonical, tiers: Vec::new(), gains, is_last_long }
    }
}

impl<S: HasTier> State for InTier<S> {
    fn is_second(&self) -> bool {
        self.state.is_second()
    }

    fn data<'py>(&self, py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyAny>> {
        self.state.data(py, rules)
    }

    fn of_data(data: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Self> {
        let found = InTier::of(data.py(), rules, vec![S::of_data(data, rules)?])?;
        found.into_iter().next().ok_or_else(|| PyValueError::new_err("the state has no tier"))
    }

    fn of_plain_text(_: &str, _: &Rules) -> Option<Self> {
        None
    }

    fn parts(&self, rules: &Rules) -> String {
        self.state.parts(rules)
    }

    fn roots(rules: &Rules) -> impl ExactSizeIterator<Item = Self> {
        let states = S::roots(rules).zip(&rules.root_tiers);
        states.map(|(state, &tier)| InTier { tier, state })
    }

    fn ask(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Answers<Self>> {
        let states: Vec<S> = states.iter().map(|one| one.state.clone()).collect();
        S::ask(py, rules, &states).map(InTier::answers)
    }

    fn some_successors(
        py: Python<'_>,
        rules: &Rules,
        state: &Self,
        most: usize,
    ) -> PyResult<Vec<Self>> {
        InTier::of(py, rules, S::some_successors(py, rules, &state.state, most)?)
    }

    fn check_places(&self, rules: &Rules) -> PyResult<()> {
        self.state.check_places(rules)
    }

    fn least(&self, rules: &Rules) -> PyResult<Option<Self>> {
        let least = self.state.least(rules)?;
        Ok(least.map(|state| InTier { tier: self.tier, state }))
    }

    fn canonical(py: Python<'_>, rules: &Rules, states: &[Self]) -> PyResult<Vec<Self>> {
        let own: Vec<S> = states.iter().map(|one| one.state.clone()).collect();
        InTier::of(py, rules, S::canonical(py, rules, &own)?)
    }

    fn kept(rules: &Rules) -> &Kept<Self> {
        S::kept_in_tiers(rules)
    }

    fn with_prepared<T>(work: impl FnOnce(&RefCell<Prepared<Self>>) -> T) -> T {
        S::with_prepared_in_tiers(work)
    }
}

impl<S: HasTier, const NAMED: bool, const POINTS: bool> Tiered
    for Adapted<InTier<S>, NAMED, POINTS>
{
    fn tiers(&self) -> Vec<Tier> {
        self.rules().tiers().to_vec()
    }

    fn tier(&self, state: &InTier<S>) -> usize {
        state.tier as usize
    }
}
