//! Looks at boards along random play, before a game is solved on the command line.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::game::notation::Notation;
use crate::laws::names::{Changes, look_at_names, name_wrong};

/// The number of states and the time for [`look_at_boards`].
const LOOKED_AT: usize = 256;
const TIME: Duration = Duration::from_millis(50);

/// Looks at pictures along random play, and says how a board is seen by the other player that is not
/// marked so.
pub(crate) fn look_at_boards<G: Notation>(game: &G) -> Option<String> {
    let (begin, mut random) = (Instant::now(), SmallRng::seed_from_u64(0));
    let successors = |state: &G::State| {
        let mut successors = Vec::new();
        if game.terminal(state).is_none() {
            game.moves(state, |next| successors.push(next));
        }
        successors
    };
    let root = game.roots().into_iter().next()?;
    let (mut states, mut changes) = (vec![root.clone()], Changes::default());
    let mut at = successors(&root);
    while !at.is_empty() && states.len() < LOOKED_AT && begin.elapsed() < TIME {
        let place = states.len() as u64 - 1;
        changes.add(&look_at_names(game, (place, states.last()?), &at));
        let next = at.swap_remove(random.random_range(0..at.len()));
        at = successors(&next);
        match at.is_empty() {
            false => states.push(next),
            true => {
                states.push(root.clone());
                at = successors(&root);
            }
        }
    }
    let view = changes.better()?;
    let state = states.get(changes.first[view]? as usize)?;
    name_wrong(game, state, &successors(state), Some(view))
}
