//! Questions to a solution in memory, the same as to a prober.

use std::ops::Range;

use crate::error::QueryError;
use crate::game::Game;
use crate::game::value::{Value, ValueKind, Verdict};
use crate::query::answers::{Assessed, Line, RankedMoves};
use crate::query::probe::{Probe, Visit};
use crate::query::states::States;
use crate::query::view::View;
use crate::solve::Solution;

impl<G: Game> Solution<'_, G> {
    pub(crate) fn view(&self) -> View<'_, G> {
        View::new(self.game(), true, self)
    }

    /// The value of a state, for the player to move, without regard to a ply limit.
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn value(&self, state: &G::State) -> Result<Value, QueryError> {
        self.view().index_and_value(state).map(|(_, value)| value)
    }

    /// As [`Prober::values`](crate::Prober::values).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        self.view().values(states)
    }

    /// As [`Prober::verdict`](crate::Prober::verdict).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn verdict(&self, state: &G::State) -> Result<Verdict, QueryError> {
        self.view().verdict(state)
    }

    /// As [`Prober::moves`](crate::Prober::moves).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn moves(&self, state: &G::State) -> Result<Vec<Assessed<G::State>>, QueryError> {
        self.view().ranked_moves(state).map(|ranked| ranked.moves)
    }

    /// As [`Prober::ranked_moves`](crate::Prober::ranked_moves).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn ranked_moves(&self, state: &G::State) -> Result<RankedMoves<G::State>, QueryError> {
        self.view().ranked_moves(state)
    }

    /// As [`Prober::line`](crate::Prober::line).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn line(&self, state: &G::State) -> Result<Line<G::State>, QueryError> {
        self.view().line_within(state, usize::MAX)
    }

    /// As [`Prober::line_within`](crate::Prober::line_within).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn line_within(
        &self,
        state: &G::State,
        plies: usize,
    ) -> Result<Line<G::State>, QueryError> {
        self.view().line_within(state, plies)
    }

    /// As [`Prober::index_and_value`](crate::Prober::index_and_value).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.view().index_and_value(state)
    }

    /// As [`Prober::index_and_kind`](crate::Prober::index_and_kind).
    ///
    /// # Errors
    /// When the solution does not have the state.
    pub fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.view().index_and_kind(state)
    }

    /// The states whose values are wanted, in the order of their indices. Reads the values as the
    /// iterator goes on, some at a time.
    ///
    /// An item is an error when the table has outcomes only, or can't be read; it is the last one.
    pub fn states_with<'a>(&'a self, wanted: impl Fn(Value) -> bool + 'a) -> States<'a, G> {
        self.states_with_in(0..u64::MAX, wanted)
    }

    /// The states of a range of indices whose values are wanted: see
    /// [`states_with`](Self::states_with). The range may go beyond the last index.
    pub fn states_with_in<'a>(
        &'a self,
        indices: Range<u64>,
        wanted: impl Fn(Value) -> bool + 'a,
    ) -> States<'a, G> {
        self.view().states_with(indices, wanted)
    }
}

impl<G: Game> Probe<G> for Solution<'_, G> {
    fn len(&self) -> u64 {
        self.index_count()
    }

    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.find(state).ok_or_else(|| QueryError::not_in_table(state))
    }

    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        self.visit_values(indices, wanted, visit);
        Ok(())
    }
}
