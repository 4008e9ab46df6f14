//! Asking a folder about the states of its game.

use super::super::{Stored, TableError};
use super::TierFolder;
use crate::game::Tiered;
use crate::numbering::{Joined, Numbering};
use crate::query::{Query, QueryError};
use crate::value::{Rules, Value};

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
        let unknown = || QueryError::not_in_table(state);
        let number = self.joined.number(state).ok_or_else(unknown)?;
        let (tier, index) = self.joined.place(number);
        let table = self.folder.table_of(tier, self.game())?;
        let failed = self.folder.error(tier);
        let packed = table.packed_value(index).map_err(&failed)?;
        match Value::unpack(packed) {
            Ok(Some(value)) => Ok((number, value)),
            Ok(None) => Err(unknown()),
            Err(not) => {
                let problem = format!("stores {:#06x} for {state:?}, which is no value", not.0);
                Err(failed(TableError::malformed("the table", problem)).into())
            }
        }
    }
}
