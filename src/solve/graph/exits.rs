//! The joint value of the exits of a state: the value of the best one.

use crate::error::{BrokenLaw, SolveError};
use crate::game::preference::{Preference, of_move};
use crate::game::value::{Scale, Value};
use crate::game::{Game, Turns};
use crate::numbering::Numbering;

/// The value of the best exit of a state for its mover, who has this preference. `None` if the
/// state has no exits. The distance is counted from the successor.
///
/// # Errors
/// If the value of an exit is not known, or gains more points than the game promises.
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
            let value = of_move(game, state, &next, value, game.is_mover_of(mover, &next));
            best = Some(preference.better(best, value));
        }
        None => unknown = Some(numbering.unknown_exit(state, &next)),
    });
    match unknown {
        None => {
            if N::Game::POINTS
                && let Some(best) = best
            {
                check_value(numbering, state, best)?;
            }
            Ok(best)
        }
        Some(error) => Err(error),
    }
}

/// Refuses the value of an end or of an exit that gains more points than the game promises, or takes
/// more plies than a table with so many points holds.
pub(crate) fn check_value<N: Numbering>(
    numbering: &N,
    state: &<N::Game as Game>::State,
    value: Value,
) -> Result<(), SolveError> {
    let scale = Scale::of_game(numbering.game());
    let (points, most) = (value.points(), numbering.game().max_points());
    if points.unsigned_abs() > most {
        let state = numbering.write(state);
        return Err(BrokenLaw::too_many_points(state, points, most).into());
    }
    // The exit itself is a ply.
    match value.plies() {
        Some(plies) if plies >= scale.most_plies() => {
            Err(SolveError::TooLongWithPoints { points: most, plies: scale.most_plies() })
        }
        _ => Ok(()),
    }
}
