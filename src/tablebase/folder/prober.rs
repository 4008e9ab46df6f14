//! Asking a folder about the states of its game.

use std::ops::ControlFlow;

use super::super::{Stored, TableError, Tablebase};
use super::TierFolder;
use crate::game::Tiered;
use crate::numbering::{Joined, Numbering};
use crate::query::{Query, QueryError, Visit};
use crate::value::{Rules, Value, ValueKind};

/// A folder of tiers together with its game, ready to be asked through [`Query`].
#[derive(Debug)]
pub struct TierProber<'t, G> {
    pub(super) folder: &'t TierFolder,
    pub(super) joined: Joined<'t, G>,
}

impl<G: Stored + Tiered> Query for TierProber<'_, G> {
    type Game = G;

    fn game(&self) -> &G {
        self.joined.game()
    }

    fn rules(&self) -> Rules {
        Rules::of(self.joined.game())
    }

    fn find(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        let (table, number, value) = self.look_up(state)?;
        table.check_distances("a distance")?;
        Ok((number, value))
    }

    fn find_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.look_up(state).map(|(_, number, value)| (number, value.kind()))
    }

    fn has_distances(&self) -> bool {
        !self.folder.has_outcomes_only()
    }

    fn values(&self, states: &[G::State]) -> Result<Vec<Value>, QueryError> {
        let mut order = Vec::with_capacity(states.len());
        for (at, state) in states.iter().enumerate() {
            let number =
                self.joined.number(state).ok_or_else(|| QueryError::not_in_table(state))?;
            order.push((number, at));
        }
        order.sort_unstable();
        let mut values = vec![Value::Endless; states.len()];
        for (_, at) in order {
            values[at] = self.value(&states[at])?;
        }
        Ok(values)
    }

    fn each(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        for tier in 0..self.folder.tier_count() {
            let table = self.folder.table_of(tier, self.game())?;
            table.check_distances("a search for values")?;
            let mut stopped = false;
            table
                .each_value(wanted, |index, value| {
                    let number = self.joined.number_at(tier, index);
                    let state = self.game().tier_unindex(tier, index);
                    Ok::<_, TableError>(match number.zip(state) {
                        Some((number, state)) => {
                            let flow = visit(number, state, value);
                            stopped = flow.is_break();
                            flow
                        }
                        None => ControlFlow::Continue(()),
                    })
                })
                .map_err(self.folder.error(tier))?;
            if stopped {
                break;
            }
        }
        Ok(())
    }
}

impl<'t, G: Stored + Tiered> TierProber<'t, G> {
    /// The table that a state is in, its number and value; the distance is 0 where the table has
    /// none.
    fn look_up(&self, state: &G::State) -> Result<(&'t Tablebase, u64, Value), QueryError> {
        let unknown = || QueryError::not_in_table(state);
        let number = self.joined.number(state).ok_or_else(unknown)?;
        let (tier, index) = self.joined.place(number);
        let table = self.folder.table_of(tier, self.game())?;
        let failed = self.folder.error(tier);
        if table.has_filled_holes() && self.game().tier_unindex(tier, index).is_none() {
            return Err(unknown());
        }
        let value = table.value(index, state).map_err(&failed)?;
        value.map(|value| (table, number, value)).ok_or_else(unknown)
    }
}
