//! The expansion of the states of a ply, and what is recorded of each.

use crate::explore::budget::Refused;
use crate::explore::gathered::{Gathered, Sink};
use crate::explore::moves::Number;
use crate::explore::ranges::ShardRange;
use crate::explore::statistics::Ply;
use crate::game::value::Value;
use crate::game::{Game, Outcome, Turns};
use crate::numbering::discovered::Encoding;
use crate::numbering::indexing::Tiering;
use crate::runtime::pool::CancellationToken;

/// How many states of a shard are copied and expanded together.
const CHUNK: usize = 1 << 10;

/// How many states a game [prepares](Game::prepare) at once, and up to [`CHUNK`] more.
const PREPARED: usize = 1 << 15;

/// Gathers the successors of some states of a ply, and counts the states.
pub(super) fn expand_ranges<G, K, T>(
    gathered: &mut Gathered<'_, G, K, T>,
    ranges: Vec<ShardRange>,
    token: &dyn CancellationToken,
) -> Result<Ply, Refused>
where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    if G::PREPARES {
        return expand_prepared(gathered, ranges, token);
    }
    let Sink { game, sets, .. } = gathered.sink;
    let mut ply = Ply::default();
    let mut chunk = Vec::new();
    for (shard, places) in ranges {
        for start in places.clone().step_by(CHUNK) {
            sets[0].copy(shard, start..places.end.min(start + CHUNK), &mut chunk);
            for (place, key) in (start..).zip(&chunk) {
                K::with_state(game, key, |state| {
                    let name = (Number::new(shard, place), key);
                    look_at_state(gathered, state, name, &mut ply);
                });
            }
            std::mem::replace(&mut gathered.result, Ok(()))?;
            if token.done(chunk.len() as u64).is_break() {
                return Ok(ply);
            }
        }
    }
    Ok(ply)
}

/// As [`expand_ranges`], for a game that prepares its answers about many states at once.
fn expand_prepared<G, K, T>(
    gathered: &mut Gathered<'_, G, K, T>,
    ranges: Vec<ShardRange>,
    token: &dyn CancellationToken,
) -> Result<Ply, Refused>
where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    let Sink { game, sets, .. } = gathered.sink;
    let mut ply = Ply::default();
    let (mut chunk, mut names, mut states) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = ranges.into_iter().flat_map(|(shard, places)| {
        let end = places.end;
        places.step_by(CHUNK).map(move |start| (shard, start..end.min(start + CHUNK)))
    });
    loop {
        let next = rest.next();
        let is_last = next.is_none();
        if let Some((shard, places)) = next {
            sets[0].copy(shard, places.clone(), &mut chunk);
            states.extend(chunk.iter().map(|key| K::decode(game, key)));
            names.extend(places.map(|place| Number::new(shard, place)).zip(chunk.drain(..)));
        }
        if states.len() < PREPARED && !is_last {
            continue;
        }
        if states.is_empty() {
            return Ok(ply);
        }
        if game.prepare(&states).is_break() {
            return Err(Refused::Unprepared);
        }
        for ((number, key), state) in names.iter().zip(&states) {
            look_at_state(gathered, state, (*number, key), &mut ply);
        }
        std::mem::replace(&mut gathered.result, Ok(()))?;
        if token.done(states.len() as u64).is_break() || is_last {
            return Ok(ply);
        }
        names.clear();
        states.clear();
    }
}

/// Gathers the successors of a state and counts it. Records the answer of the rules under the
/// state's number or key.
#[inline]
fn look_at_state<G, K, T>(
    gathered: &mut Gathered<'_, G, K, T>,
    state: &G::State,
    (number, key): (Option<Number>, &K::Key),
    ply: &mut Ply,
) where
    G: Game,
    K: Encoding<G>,
    T: Tiering<G>,
{
    let sink = gathered.sink;
    let game = sink.game;
    let end = game.terminal(state);
    let mover = game.mover(state);
    if let Some(outcome) = end {
        ply.add_terminal();
        if let Some(writer) = &mut gathered.writer {
            writer.begin(number, || sink.word_of(key));
            match is_clear::<G>(outcome) {
                true => writer.ended(mover, Value::of_outcome(game, state, outcome)),
                false => writer.unclear(mover),
            }
        }
        return;
    }
    if let Some(writer) = &mut gathered.writer {
        writer.begin(number, || sink.word_of(key));
    }
    let mut moves = 0;
    game.moves(state, |next| {
        moves += 1;
        gathered.add(next, state, mover);
    });
    ply.add_open(moves);
    if let Some(writer) = &mut gathered.writer {
        match moves {
            0 => match game.no_moves(state).filter(|&outcome| is_clear::<G>(outcome)) {
                Some(outcome) => writer.ended(mover, Value::of_end::<G>(outcome, mover)),
                None => writer.unclear(mover),
            },
            _ => writer.open(mover),
        }
    }
}

/// Whether an end can be recorded: it is one that the game may have. Points are checked by the solver.
fn is_clear<G: Game>(outcome: Outcome) -> bool {
    outcome.may_end::<G>() && !matches!(outcome, Outcome::Points(_))
}
