//! Finding the values of states, with the type of the numbering and of the storage hidden.

use std::ops::{ControlFlow, Range};

use crate::error::{QueryError, TableError};
use crate::game::Game;
use crate::game::value::Value;

/// A visitor of states: takes the index of a state, the state, and its value.
pub(crate) type Visit<'v, State> = dyn FnMut(u64, State, Value) -> ControlFlow<()> + 'v;

/// A visitor of values: takes a state's place in a list, and the state's value.
pub(crate) type VisitValue<'v> =
    dyn FnMut(usize, Result<Value, QueryError>) -> ControlFlow<()> + 'v;

/// Finds the values of states. Distances are 0 where there are outcomes only.
pub(crate) trait Probe<G: Game>: Send + Sync {
    /// How many indices there are, unused ones included.
    fn len(&self) -> u64;

    /// The index and the value of a state.
    fn look_up(&self, state: &G::State) -> Result<(u64, Value), QueryError>;

    /// Visits the values of states and reads each block once, until `visit` returns `Break` or
    /// `is_late` returns true. A value comes with the place of its state in `states`.
    fn look_up_all(
        &self,
        states: &[G::State],
        is_late: &dyn Fn() -> bool,
        visit: &mut VisitValue<'_>,
    ) {
        for (at, state) in states.iter().enumerate() {
            let value = self.look_up(state).map(|(_, value)| value);
            if is_late() || visit(at, value).is_break() {
                return;
            }
        }
    }

    /// Visits the states of a range of indices that have a wanted value, until `visit` returns `Break`.
    fn visit_in(
        &self,
        indices: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
        visit: &mut Visit<'_, G::State>,
    ) -> Result<(), QueryError>;
}

/// Finds what else the files of a table hold.
pub(crate) trait ProbeTable<G: Game>: Probe<G> {
    /// The name of each tier, and the range of its indices, in solving order.
    fn tiers(&self) -> Vec<(String, Range<u64>)>;

    /// Appends the packed values of a range of indices to `packed`. Unused indices have the value 0.
    fn packed_values(&self, indices: Range<u64>, packed: &mut Vec<u16>) -> Result<(), TableError>;

    /// The state of an index; `None` for an unused one.
    fn state(&self, index: u64) -> Result<Option<G::State>, TableError>;
}
