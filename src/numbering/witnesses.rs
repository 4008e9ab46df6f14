//! Some states of a numbering, by which a table is recognized later.

use crate::game::Game;
use crate::numbering::indexing::{Indexing, Lookup};
use crate::runtime::codec;

/// A state and the key that finds it.
pub(crate) struct Witness<S> {
    /// The index that the game's formula gives, or the stored form of the state, as a record.
    pub(crate) key: Vec<u8>,
    pub(crate) state: S,
}

/// Finds some states of a tier, always the same ones in each process.
pub(crate) type Witnesses<G> = fn(&G, usize) -> Vec<Witness<<G as Game>::State>>;

/// The most states that are found.
const MOST: u64 = 16;

/// The number of indices that are searched for one with a state.
const SEARCHED: u64 = 1 << 10;

/// Some states of a tier. With a formula, they are spread over its indices. If states are
/// discovered, they lie along play from the first root, in any tier.
pub(crate) fn witnesses<G: Game, I: Indexing<G>>(game: &G, tier: usize) -> Vec<Witness<G::State>> {
    match I::Lookup::formula_len(game, tier) {
        Some(len) => spread::<G, I>(game, tier, len),
        None => along_play::<G, I>(game, tier),
    }
}

fn spread<G: Game, I: Indexing<G>>(game: &G, tier: usize, len: u64) -> Vec<Witness<G::State>> {
    let count = len.min(MOST);
    let edge = |slot: u64| (u128::from(len) * u128::from(slot) / u128::from(count.max(1))) as u64;
    let find = |slot: u64| {
        // Steps that vary, so that they do not follow the layout of the formula.
        let (start, end) = (edge(slot), edge(slot + 1));
        let first = start + slot.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (end - start).max(1);
        (first..end.min(first.saturating_add(SEARCHED))).find_map(|index| {
            let key = I::Lookup::key_of_index(index)?;
            let state = I::Lookup::state_of_key(game, tier, &key)?;
            Some(Witness { key: codec::encode(&key).ok()?, state })
        })
    };
    (0..count).filter_map(find).collect()
}

fn along_play<G: Game, I: Indexing<G>>(game: &G, tier: usize) -> Vec<Witness<G::State>> {
    let mut found = Vec::new();
    let mut next: Vec<_> = game
        .roots()
        .into_iter()
        .next()
        .and_then(|root| I::Lookup::key(game, tier, &root))
        .into_iter()
        .collect();
    for ply in 0..MOST as usize {
        if next.is_empty() {
            break;
        }
        // Another place among the successors at each ply, independent of the order of the moves.
        next.sort_unstable();
        next.dedup();
        let key = next.swap_remove((7 * ply + 3) % next.len());
        next.clear();
        let Some(state) = I::Lookup::state_of_key(game, tier, &key) else { break };
        if game.terminal(&state).is_none() {
            game.moves(&state, |successor| next.extend(I::Lookup::key(game, tier, &successor)));
        }
        let Ok(key) = codec::encode(&key) else { break };
        found.push(Witness { key, state });
    }
    found
}
