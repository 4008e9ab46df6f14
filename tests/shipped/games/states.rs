//! All states of a solved game.

use kit::Query;
use retrograde::{Game, Value};

/// Every state of a solved game, with its value.
pub(crate) fn of<Q: Query>(query: &Q) -> Vec<(<Q::Game as Game>::State, Value)> {
    let states = query.states().map(|found| {
        let found = found.expect("values that can be read");
        (found.state, found.value.expect("a value"))
    });
    states.collect()
}
