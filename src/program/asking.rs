//! Questions that the program asks of a solved game.

use std::ops::ControlFlow;

use crate::error::QueryError;
use crate::game::Game;
use crate::game::notation::Notation;
use crate::game::value::Verdict;
use crate::query::view::View;

/// The position to start from: that of the notation, or the first root if the table lacks it.
pub(crate) fn start<G: Notation>(solved: View<'_, G>) -> Option<G::State> {
    let is_there =
        |state: &G::State| !matches!(solved.verdict(state), Err(QueryError::NotInTable { .. }));
    let game = solved.game;
    game.start().filter(is_there).or_else(|| game.roots().into_iter().next())
}

/// The verdicts of many states in their order. Each block of a table is read once. The remaining states
/// get `None` once `is_late` returns true.
pub(crate) fn verdicts_until<G: Game>(
    solved: View<'_, G>,
    states: &[G::State],
    is_late: &dyn Fn() -> bool,
) -> Vec<Option<Result<Verdict, QueryError>>> {
    let mut verdicts: Vec<_> = states.iter().map(|_| None).collect();
    solved.probe.look_up_all(states, is_late, &mut |at, value| {
        verdicts[at] = Some(value.map(|value| solved.judge(value, &states[at])));
        ControlFlow::Continue(())
    });
    verdicts
}
