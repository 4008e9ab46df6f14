//! Decides whether to record the moves of a game that computes predecessors itself.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::game::Game;
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::Tiering;

/// How many states are sampled.
const SAMPLE: usize = 256;

/// The time to record and reverse a move, in nanoseconds. Measured on m,n,k 4,4,4 and Connect Four
/// 5 x 5.
const RECORDING: f64 = 55.0;

/// The time to find a state among all by its packed form, and by its hash, in nanoseconds.
const FINDING: f64 = 25.0;
const FINDING_BY_HASH: f64 = 100.0;

/// Whether to record the moves of a game. They are recorded if the game computes no predecessors,
/// or if computing and finding predecessors takes longer than reversing recorded moves. Times the
/// rules on some states near the roots. The result of a solve is the same either way. Several
/// processes that share the states also have to find the states to which recorded moves lead.
pub(super) fn recording_pays<G: Game, T: Tiering<G>, K: Encoding<G>>(
    game: &G,
    is_shared: bool,
) -> bool {
    // Records name states, and what a move gains depends on more.
    if G::POINTS {
        return false;
    }
    if !T::PREDECESSORS {
        return true;
    }
    let tiers = T::tiers(game).len();
    let mut sample = sample(game);
    // The search reports states of tiers that do not exist.
    sample.retain(|state| T::tier(game, state) < tiers);
    let mut moves = 0;
    for state in &sample {
        game.moves(state, |_| moves += 1);
    }
    let mut found = 0;
    let mut time = Duration::MAX;
    // In the first run, the code is not in the caches.
    for _ in 0..2 {
        found = 0;
        let begin = Instant::now();
        for state in &sample {
            T::predecessors(game, T::tier(game, state), state, |before| {
                found += 1;
                black_box(K::encode(game, game.canonical(&before)));
            });
        }
        time = begin.elapsed().min(time);
    }
    let finding = if K::RAW.is_some() { FINDING } else { FINDING_BY_HASH };
    let predecessors = time.as_nanos() as f64 + f64::from(found) * finding;
    let recording = if is_shared { RECORDING + finding } else { RECORDING };
    predecessors > f64::from(moves) * recording
}

/// The first states of a search that are not terminal.
fn sample<G: Game>(game: &G) -> Vec<G::State> {
    let mut queue: VecDeque<G::State> = game.roots().into_iter().take(SAMPLE).collect();
    let mut sample: Vec<G::State> = Vec::new();
    while sample.len() < SAMPLE
        && let Some(state) = queue.pop_front()
    {
        if game.terminal(&state).is_some() || sample.contains(&state) {
            continue;
        }
        if queue.len() < 4 * SAMPLE {
            game.moves(&state, |next| queue.push_back(next));
        }
        sample.push(state);
    }
    sample
}
