//! Counts the reachable states in a game's own numbering, with one bit an index.

use crate::error::{BrokenLaw, SolveError};
use crate::explore::statistics::{Ply, Statistics};
use crate::game::Game;
use crate::numbering::AllTiers;
use crate::numbering::indexing::Indexing;
use crate::runtime::frontier::Frontier;
use crate::runtime::memory::Array;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;

/// Counts the states that can be reached from the roots of a game, ply by ply. Takes 3 bits for
/// each index of the game's numbering. Runs on one thread.
///
/// # Errors
/// If the game has no roots or an index beyond the end of its numbering, memory runs out, or
/// progress interrupts.
pub(crate) fn statistics_of_numbering<G: Game, I: Indexing<G>>(
    numbering: &AllTiers<'_, G, I>,
    pool: &mut WorkerPool<'_>,
) -> Result<Statistics, SolveError> {
    let (game, len) = (numbering.game, numbering.len());
    let mut seen =
        Seen { bits: Array::zeroed(len.div_ceil(64), "the states seen")?, len, states: 0 };
    let [mut frontier, mut next] = [Frontier::empty(len)?, Frontier::empty(len)?];
    for root in game.roots() {
        if let Some(index) = seen.mark(numbering, &root)? {
            frontier.whole().insert(index);
        }
    }
    if seen.states == 0 {
        return Err(BrokenLaw::no_roots().into());
    }
    let mut statistics = Statistics::default();
    let mut expanded = 0;
    loop {
        let (mut ply, mut now, mut then) = (Ply::default(), frontier.whole(), next.whole());
        for chunk in 0..now.chunks() {
            let mut result = Ok(());
            now.drain_chunk(chunk, |index| {
                let Some(state) = numbering.state(index) else { return };
                if game.terminal(&state).is_some() {
                    ply.add_terminal();
                    return;
                }
                let mut moves = 0;
                game.moves(&state, |next| {
                    moves += 1;
                    match seen.mark(numbering, &next) {
                        Ok(Some(index)) => then.insert(index),
                        Ok(None) => {}
                        Err(error) => result = Err(error),
                    }
                });
                ply.add_open(moves);
            });
            result?;
            if chunk.is_multiple_of(16) {
                let (expanded, discovered) = (expanded + ply.states, seen.states);
                pool.report(Progress::Exploring {
                    expanded,
                    discovered,
                    memory: 0,
                    allowed: None,
                })?;
            }
        }
        if ply.states == 0 {
            if let Some(event) = statistics.over_at_roots() {
                pool.report(event)?;
            }
            return Ok(statistics);
        }
        expanded += ply.states;
        pool.report(ply.report(statistics.plies.len() as u32))?;
        statistics.plies.push(ply);
        std::mem::swap(&mut frontier, &mut next);
    }
}

/// The states seen so far, a bit for each index.
struct Seen {
    bits: Array<u64>,
    len: u64,
    states: u64,
}

impl Seen {
    /// Marks a state as seen. Returns its index if it was not seen before.
    fn mark<G: Game, I: Indexing<G>>(
        &mut self,
        numbering: &AllTiers<'_, G, I>,
        state: &G::State,
    ) -> Result<Option<u64>, SolveError> {
        let index = numbering.index(state).unwrap_or(u64::MAX);
        if index >= self.len {
            let (state, len) = (numbering.write(state), self.len);
            return Err(BrokenLaw::index_beyond(state, index, len).into());
        }
        let (word, bit) = (&mut self.bits[(index / 64) as usize], 1 << (index % 64));
        let new = *word & bit == 0;
        *word |= bit;
        self.states += u64::from(new);
        Ok(new.then_some(index))
    }
}
