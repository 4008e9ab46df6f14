//! The same in a game's own numbering, where a bit says whether a state was seen.

use crate::error::SolveError;
use crate::explore::survey::{Ply, Survey};
use crate::game::Indexed;
use crate::runtime::frontier::Frontier;
use crate::runtime::memory::Array;
use crate::runtime::pool::WorkerPool;
use crate::runtime::progress::Progress;

/// Goes through the states that play can reach from the roots of `game`, ply by ply. Costs 3 bits a
/// number of the game's numbering; one thread works.
///
/// # Errors
/// When the game has no roots, gives a number beyond the end of its numbering, there is no memory,
/// or progress interrupts.
pub(crate) fn survey_dense<G: Indexed>(
    game: &G,
    pool: &mut WorkerPool<'_>,
) -> Result<Survey, SolveError> {
    let len = game.len();
    let mut seen =
        Seen { bits: Array::zeroed(len.div_ceil(64), "the states seen")?, len, states: 0 };
    let [mut frontier, mut next] = [Frontier::empty(len)?, Frontier::empty(len)?];
    for root in game.roots() {
        if seen.is_new(game, &root)? {
            frontier.whole().insert(game.index(&root));
        }
    }
    if seen.states == 0 {
        return Err(SolveError::NoRoots);
    }
    let mut survey = Survey::default();
    let mut expanded = 0;
    loop {
        let (mut ply, mut now, mut then) = (Ply::default(), frontier.whole(), next.whole());
        for chunk in 0..now.chunks() {
            let mut result = Ok(());
            now.drain_chunk(chunk, |index| {
                let Some(state) = game.unindex(index) else { return };
                if game.terminal(&state).is_some() {
                    ply.add_terminal();
                    return;
                }
                let mut moves = 0;
                game.moves(&state, |next| {
                    moves += 1;
                    match seen.is_new(game, &next) {
                        Ok(true) => then.insert(game.index(&next)),
                        Ok(false) => {}
                        Err(error) => result = Err(error),
                    }
                });
                ply.add_open(moves);
            });
            result?;
            if chunk.is_multiple_of(16) {
                let (expanded, discovered) = (expanded + ply.states, seen.states);
                pool.report(Progress::Exploring { expanded, discovered })?;
            }
        }
        if ply.states == 0 {
            return Ok(survey);
        }
        expanded += ply.states;
        survey.plies.push(ply);
        std::mem::swap(&mut frontier, &mut next);
    }
}

/// The states seen so far.
struct Seen {
    bits: Array<u64>,
    len: u64,
    states: u64,
}

impl Seen {
    /// Whether a state was not seen before. It is from now on.
    fn is_new<G: Indexed>(&mut self, game: &G, state: &G::State) -> Result<bool, SolveError> {
        let index = game.index(state);
        if index >= self.len {
            let (state, len) = (format!("{state:?}"), self.len);
            return Err(SolveError::IndexOutOfRange { state, index, len });
        }
        let (word, bit) = (&mut self.bits[(index / 64) as usize], 1 << (index % 64));
        let new = *word & bit == 0;
        *word |= bit;
        self.states += u64::from(new);
        Ok(new)
    }
}
