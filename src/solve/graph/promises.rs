//! A check of the game's promises on a few states, before each solve. Only `laws` checks them on all.

use crate::error::SolveError;
use crate::game::{Game, Players, Turns};
use crate::numbering::Numbering;
use crate::solve::graph::positions::{Link, Links, keep_distinct};

/// How many states are checked, evenly spread. All together take some milliseconds.
const SAMPLES: u64 = 64;

/// Compares degrees, distinctness and predecessors with the moves of some states.
///
/// # Errors
/// The first promise that is broken.
pub(crate) fn check<N: Numbering>(numbering: &N) -> Result<(), SolveError> {
    let len = numbering.len();
    let indices = (0..SAMPLES.min(len))
        .map(|sample| (u128::from(len) * u128::from(sample) / u128::from(SAMPLES.min(len))) as u64);
    for index in indices {
        if let Some(state) = numbering.state(index)
            && numbering.game().terminal(&state).is_none()
        {
            check_state(numbering, index, &state)?;
        }
    }
    Ok(())
}

fn check_state<N: Numbering>(
    numbering: &N,
    index: u64,
    state: &<N::Game as Game>::State,
) -> Result<(), SolveError> {
    let (game, len) = (numbering.game(), numbering.len());
    let broken = |promise, problem: String| {
        let state = format!("{state:?}");
        Err(SolveError::BrokenPromise { promise, state, problem })
    };
    let mover = game.mover(state);
    let mut links = Links::new();
    game.moves(state, |next| {
        // The pass that follows reports a move to a state without an index.
        if let Some(index) = numbering.index(&next).filter(|&index| index < len) {
            links.push(Link { index, same_mover: game.is_mover_of(mover, &next) });
        }
    });
    let moves = links.len();
    keep_distinct(&mut links);
    let degree = numbering.degree(state);
    if let Some(degree) = degree.filter(|&degree| degree != links.len() as u64) {
        let problem = format!("the game says {degree}, and the moves lead to {}", links.len());
        return broken("how many distinct successors there are (`degree`)", problem);
    }
    if N::DISTINCT && degree.is_none() && moves > links.len() {
        let problem = format!("{moves} moves lead to {}", links.len());
        return broken("distinct successors (`DISTINCT`)", problem);
    }
    if !N::PREDECESSORS {
        return Ok(());
    }
    for link in &links {
        let Some(next) = numbering.state(link.index) else { continue };
        let (mover, mut found, mut out_of_range) = (game.mover(&next), false, None);
        N::predecessors_of(numbering.context(), &next, |before| {
            let place = numbering.index(&before);
            if let Some(index) = place.filter(|&place| place >= len) {
                out_of_range = Some((format!("{before:?}"), index));
            }
            found |= place == Some(index) && game.is_mover_of(mover, &before) == link.same_mover;
        });
        // The solver takes the indices, where the game tells them.
        let mut by_index = !N::PREDECESSOR_INDICES;
        if N::PREDECESSOR_INDICES {
            N::predecessor_indices_of(numbering.context(), &next, |place, turn| {
                let stays = N::Game::PLAYERS != Players::Unnamed && turn == mover;
                by_index |= place == index && stays == link.same_mover;
                if place >= len {
                    out_of_range = Some((format!("a predecessor of {next:?}"), place));
                }
            });
        }
        if let Some((state, index)) = out_of_range {
            return Err(SolveError::IndexOutOfRange { state, index, len });
        }
        if found && !by_index {
            let problem = format!("it has a move to {next:?}, whose predecessors' indices lack it");
            return broken("the indices of all predecessors (`predecessor_indices`)", problem);
        }
        if !found {
            let problem = format!("it has a move to {next:?}, whose predecessors lack it");
            return broken("all predecessors (`predecessors`)", problem);
        }
    }
    Ok(())
}
