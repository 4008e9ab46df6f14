//! Probes a table for as long as somebody waits.

use std::ops::Range;

use crate::error::{QueryError, TableError};
use crate::game::Game;
use crate::game::value::{Rules, Value, ValueKind};
use crate::program::answers::IsLate;
use crate::query::sealed::Sealed;
use crate::query::{Query, Visit};
use crate::table::Prober;

/// A prober whose probes fail as interrupted once it is late.
pub(super) struct Timed<'p, G> {
    pub(super) prober: &'p Prober<'p, G>,
    pub(super) is_late: IsLate<'p>,
}

impl<G> Timed<'_, G> {
    fn check(&self) -> Result<(), QueryError> {
        if (self.is_late)() { Err(TableError::Interrupted.into()) } else { Ok(()) }
    }
}

impl<G: Game> Sealed for Timed<'_, G> {}

impl<G: Game> Query for Timed<'_, G> {
    type Game = G;

    fn game(&self) -> &G {
        self.prober.game()
    }

    fn rules(&self) -> Rules {
        self.prober.rules()
    }

    fn index_and_value(&self, state: &G::State) -> Result<(u64, Value), QueryError> {
        self.check()?;
        self.prober.index_and_value(state)
    }

    fn index_and_kind(&self, state: &G::State) -> Result<(u64, ValueKind), QueryError> {
        self.check()?;
        self.prober.index_and_kind(state)
    }

    fn has_distances(&self) -> bool {
        self.prober.has_distances()
    }

    fn for_each_with_value_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError> {
        self.prober.for_each_with_value_in(indices, wanted, visit)
    }
}
