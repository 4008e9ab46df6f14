//! The law of ends: which outcomes a game may end with.

use crate::error::{BrokenLaw, Law};
use crate::game::{Game, Outcome};

/// Checks that an end names a winner only where states name the player to move, has points only in a
/// game with points and as many as it promises, and that such a game has no other ends.
#[inline(always)]
pub(crate) fn check_end<G: Game>(
    game: &G,
    outcome: Outcome,
    write: impl FnOnce() -> String,
) -> Result<(), BrokenLaw> {
    let is_within = match outcome {
        Outcome::Points(points) if G::POINTS => points.unsigned_abs() <= game.max_points(),
        _ => true,
    };
    if outcome.may_end::<G>() && is_within {
        Ok(())
    } else {
        Err(wrong_end(game, outcome, write()))
    }
}

#[cold]
fn wrong_end<G: Game>(game: &G, outcome: Outcome, state: String) -> BrokenLaw {
    match outcome {
        Outcome::Points(points) if G::POINTS => {
            BrokenLaw::too_many_points(state, points, game.max_points())
        }
        Outcome::Points(_) => {
            let text = format!(
                "the outcome of {state} has points, but the game has none: set `POINTS` to true"
            );
            BrokenLaw::new(Law::Points, [state], text)
        }
        _ if G::POINTS => {
            let text = format!(
                "the outcome of {state} is `Outcome::{outcome:?}`, but the game has points: expected \
                 `Outcome::Points`, with how many points more the player to move has, or `Outcome::Draw`"
            );
            BrokenLaw::new(Law::Points, [state], text)
        }
        _ => {
            let text = format!(
                "{state} does not say who is to move, but its outcome is `Outcome::{outcome:?}`: expected \
                 `Outcome::MoverWins` or `Outcome::MoverLoses`"
            );
            BrokenLaw::new(Law::Players, [state], text)
        }
    }
}
