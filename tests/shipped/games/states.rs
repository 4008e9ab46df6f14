//! All states of a solved game.

use std::ops::ControlFlow;

use retrograde::{Game, Query, Value};

/// Every state of a solved game, with its value.
pub(crate) fn of<Q: Query>(query: &Q) -> Vec<(<Q::Game as Game>::State, Value)> {
    let mut states = Vec::new();
    let visited = query.for_each_with_value(&|_| true, &mut |_, state, value| {
        states.push((state, value));
        ControlFlow::Continue(())
    });
    visited.expect("values that can be read");
    states
}
