//! The joint value of the exits of a state: the value of the best one.

use crate::error::SolveError;
use crate::game::{Game, Turns};
use crate::numbering::Numbering;
use crate::preference::{Preference, for_chooser};
use crate::value::Value;

/// The value of the best exit of a state for its mover, who has this preference. `None` if the
/// state has no exits. The distance is counted from the successor.
///
/// # Errors
/// If the value of an exit is not known.
pub(crate) fn best_exit<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    preference: Preference,
) -> Result<Option<Value>, SolveError> {
    best_exit_by(numbering, state, preference, |next| numbering.outside(next))
}

/// [`best_exit`], with `value_of` as the source of the values of states outside.
pub(super) fn best_exit_by<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    preference: Preference,
    mut value_of: impl FnMut(&<N::Game as Game>::State) -> Option<Value>,
) -> Result<Option<Value>, SolveError> {
    let game = numbering.game();
    let mover = game.mover(state);
    let (mut best, mut unknown) = (None, None);
    numbering.exits(state, |next| match value_of(&next) {
        Some(value) => {
            let value = for_chooser(value, game.is_mover_of(mover, &next));
            best = Some(preference.better(best, value));
        }
        None => unknown = Some(numbering.unknown_exit(state, &next)),
    });
    match unknown {
        None => Ok(best),
        Some(error) => Err(error),
    }
}
