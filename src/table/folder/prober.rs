//! Asking a folder about the states of its game.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::error::TableError;
use crate::game::Tiered;
use crate::numbering::Starts;
use crate::query::{Query, QueryError, Visit};
use crate::table::folder::{TierFolder, TierWay};
use crate::table::{ByFormula, Stored, Tablebase};
use crate::value::{Rules, Value, ValueKind};

/// A folder of tiers together with its game, ready to be asked through [`Query`]. `W` is the way it
/// finds the numbers of states.
#[derive(Debug)]
pub struct TierProber<'t, G, W = ByFormula> {
    pub(crate) folder: &'t TierFolder,
    pub(crate) game: &'t G,
    pub(crate) starts: Starts,
    pub(crate) way: PhantomData<W>,
}

impl<G: Stored + Tiered, W: TierWay<G>> Query for TierProber<'_, G, W> {
    type Game = G;

    fn game(&self) -> &G {
        self.game
    }

    fn rules(&self) -> Rules {
        Rules::of(self.game)
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
            let tier = self.tier(state)?;
            order.push((tier, W::order(self.game, tier, state), at));
        }
        order.sort_unstable();
        let mut values = vec![Value::Endless; states.len()];
        for (_, _, at) in order {
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
            let table = self.folder.table_of::<G, W>(tier, self.game)?;
            table.check_distances("a search for values")?;
            let mut stopped = false;
            table
                .each_value(wanted, |index, value| {
                    let number = self.starts.number_at(tier, index);
                    let state = W::state(table, self.game, tier, index)?;
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

impl<'t, G: Stored + Tiered, W: TierWay<G>> TierProber<'t, G, W> {
    /// The tier of a state.
    fn tier(&self, state: &G::State) -> Result<usize, QueryError> {
        let tier = self.game.tier(state);
        if tier < self.folder.tier_count() {
            Ok(tier)
        } else {
            Err(QueryError::not_in_table(state))
        }
    }

    /// The table that a state is in, its number and value; the distance is 0 where the table has
    /// none.
    fn look_up(&self, state: &G::State) -> Result<(&'t Tablebase, u64, Value), QueryError> {
        let tier = self.tier(state)?;
        let table = self.folder.table_of::<G, W>(tier, self.game)?;
        let failed = self.folder.error(tier);
        let found = W::number(table, self.game, tier, state).map_err(&failed)?;
        let unknown = || QueryError::not_in_table(state);
        let index = found.ok_or_else(unknown)?;
        let value = table.value(index, state).map_err(&failed)?.ok_or_else(unknown)?;
        let number = self.starts.number_at(tier, index).ok_or_else(unknown)?;
        Ok((table, number, value))
    }
}
