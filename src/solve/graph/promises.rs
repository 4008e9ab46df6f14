//! A check of the game's promises on a few states, before each solve. Only `laws` checks them on all.

use crate::error::SolveError;
use crate::game::{Game, Players, Turns};
use crate::numbering::Numbering;
use crate::numbering::discovered::Place;
use crate::solve::graph::positions::Neighbours;

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
    // Where processes share the states, each checks those of its own.
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
    let mut next_states = Neighbours::default();
    let mut moves = 0;
    game.moves(state, |next| {
        // The pass that follows reports a move to a state without an index.
        let place = N::place_of(numbering.context(), &next);
        if !matches!(place, Place::Here(index) if index >= len)
            && next_states.add(place, game.is_mover_of(mover, &next))
        {
            moves += 1;
        }
    });
    next_states.keep_distinct();
    let degree = numbering.degree(state);
    if let Some(degree) = degree.filter(|&degree| degree != next_states.len() as u64) {
        let problem =
            format!("the game says {degree}, and the moves lead to {}", next_states.len());
        return broken("how many distinct successors there are (`degree`)", problem);
    }
    if N::DISTINCT && degree.is_none() && moves > next_states.len() {
        let problem = format!("{moves} moves lead to {}", next_states.len());
        return broken("distinct successors (`DISTINCT`)", problem);
    }
    if !N::PREDECESSORS {
        return Ok(());
    }
    let here = next_states.links.iter().map(|link| (numbering.state(link.index), link.same_mover));
    let foreign = next_states.foreign.iter();
    let foreign = foreign.map(|link| (numbering.foreign_state(link.key), link.same_mover));
    for (next, same_mover) in here.chain(foreign) {
        let Some(next) = next else { continue };
        let (mover, mut found, mut out_of_range) = (game.mover(&next), false, None);
        N::predecessors_of(numbering.context(), &next, |before| {
            let place = numbering.index(&before);
            if let Some(index) = place.filter(|&place| place >= len) {
                out_of_range = Some((format!("{before:?}"), index));
            }
            found |= place == Some(index) && game.is_mover_of(mover, &before) == same_mover;
        });
        // The solver takes the indices, where the game tells them.
        let mut by_index = !N::PREDECESSOR_INDICES;
        if N::PREDECESSOR_INDICES {
            N::predecessor_indices_of(numbering.context(), &next, |place, turn| {
                let stays = N::Game::PLAYERS != Players::Unnamed && turn == mover;
                by_index |= place == index && stays == same_mover;
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
