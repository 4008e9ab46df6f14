//! A solved game that is asked: the index, the value and the verdict of a state.

use std::ops::ControlFlow;

use crate::error::{QueryError, TableError};
use crate::game::value::{Rules, Value, ValueKind, Verdict};
use crate::game::{Game, Turns as _};
use crate::query::probe::Probe;

/// A solved game that is asked: a [`Solution`](crate::Solution) or a [`Prober`](crate::Prober), without
/// the type of its numbering.
pub(crate) struct View<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) rules: Rules,
    /// Whether distances are known, and not outcomes only.
    pub(crate) has_distances: bool,
    pub(crate) probe: &'a (dyn Probe<G> + 'a),
    /// Probes fail as interrupted once this is true.
    pub(crate) is_late: &'a dyn Fn() -> bool,
}

impl<G> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for View<'_, G> {}

impl<'a, G: Game> View<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        has_distances: bool,
        probe: &'a (dyn Probe<G> + 'a),
    ) -> View<'a, G> {
        View { game, rules: Rules::of_game(game), has_distances, probe, is_late: &|| false }
    }

    /// Refuses a query that needs distances if there are outcomes only.
    pub(super) fn check_distances(&self, query: &'static str) -> Result<(), QueryError> {
        if self.has_distances { Ok(()) } else { Err(QueryError::OutcomesOnly { asked: query }) }
    }

    /// The index and the value of a state; without distances, its distance is 0.
    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        if (self.is_late)() {
            return Err(TableError::Interrupted.into());
        }
        self.probe.look_up(state)
    }

    pub(crate) fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.check_distances("a distance")?;
        self.look_up(state)
    }

    pub(crate) fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.look_up(state).map(|(index, value)| (index, value.kind()))
    }

    pub(crate) fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        self.check_distances("a distance")?;
        let (mut values, mut failed) = (vec![None; states.len()], None);
        self.probe.look_up_all(states, &|| false, &mut |at, value| match value {
            Ok(value) => {
                values[at] = Some(value);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        match failed {
            None => Ok(values.into_iter().flatten().collect()),
            Some(error) => Err(error),
        }
    }

    /// The verdict on a state with this value, whose distance counts if distances are known.
    pub(crate) fn judge(&self, value: Value, state: &G::State) -> Verdict {
        let mover = self.game.named_mover(state);
        match self.has_distances {
            true => self.rules.judge(value, mover),
            false => self.rules.judge_kind(value.kind(), mover),
        }
    }

    /// The index of a state, its value if distances are known, and its verdict.
    pub(crate) fn assess(
        &self,
        state: &G::State,
    ) -> Result<(u64, Option<Value>, Verdict), QueryError> {
        let (index, value) = self.look_up(state)?;
        Ok((index, self.has_distances.then_some(value), self.judge(value, state)))
    }

    pub(crate) fn verdict(&self, state: &G::State) -> Result<Verdict, QueryError> {
        Ok(self.assess(state)?.2)
    }
}
