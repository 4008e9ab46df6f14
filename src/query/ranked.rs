//! The verdict on a state, and the order of its moves.

use std::cmp::{Ordering, Reverse};

use crate::error::QueryError;
use crate::game::{Game, Player, Turns};
use crate::preference::{Preference, for_chooser};
use crate::query::{Assessed, Query, RankedMoves, StateOf};
use crate::value::{DecidedBy, Rules, Value, Verdict};

/// The index of a state, its value if distances are known, and its verdict under these rules.
pub(crate) fn assess<Q: Query + ?Sized>(
    query: &Q,
    state: &StateOf<Q>,
    rules: Rules,
) -> Result<(u64, Option<Value>, Verdict), QueryError> {
    let mover = query.game().named_mover(state);
    Ok(if query.has_distances() {
        let (index, value) = query.index_and_value(state)?;
        (index, Some(value), rules.judge(value, mover))
    } else {
        let (index, kind) = query.index_and_kind(state)?;
        (index, None, rules.judge_kind(kind, mover))
    })
}

/// The distinct successors of a state, best first, judged by these rules of before the move.
pub(crate) fn ranked_moves<Q: Query + ?Sized>(
    query: &Q,
    state: &StateOf<Q>,
    rules: Rules,
) -> Result<RankedMoves<StateOf<Q>>, QueryError> {
    let game = query.game();
    if game.terminal(state).is_some() {
        return Ok(RankedMoves { moves: Vec::new(), best_count: 0 });
    }
    let mut successors = Vec::new();
    game.moves(state, |next| {
        if !successors.contains(&next) {
            successors.push(next);
        }
    });
    let (from, rules) = (state, rules.after(1));
    let (mover, named) = (game.mover(state), game.named_mover(state));
    let preference = Preference::new(mover, rules.endless);
    let rank = |step: &Assessed<StateOf<Q>>| {
        if let Some(worth) = points_of_move(game, mover, step) {
            return Reverse([worth; 2].map(|value| preference.rank(value)));
        }
        let plies = step.value.and_then(Value::plies).unwrap_or(0);
        let outcome = step.verdict.outcome.for_mover(named);
        // Where states do not say who is to move, the verdict is for the player to move after the
        // move.
        let outcome = if named.is_some() { outcome } else { outcome.reverse() };
        let worth = match (step.verdict.decided_by, outcome) {
            (DecidedBy::Endless | DecidedBy::PlyLimit, _) => Value::Endless,
            (DecidedBy::Play, Ordering::Greater) => Value::Win(plies),
            (DecidedBy::Play, Ordering::Less) => Value::Loss(plies),
            (DecidedBy::Play, Ordering::Equal) => Value::Draw(plies),
        };
        // Where a ply limit makes moves equal, the one that would be best without the limit.
        let same_mover = game.is_mover_of(mover, &step.state);
        let unlimited = match step.value.map(|value| for_chooser(value, same_mover)) {
            Some(Value::Draw(_)) | None => Value::Endless,
            Some(value) => value,
        };
        Reverse([worth, unlimited].map(|value| preference.rank(value)))
    };
    let assessed = successors.into_iter().map(|state| {
        let (index, value, verdict) = assess(query, &state, rules)?;
        let gain = if Q::Game::POINTS { game.gain(from, &state) } else { 0 };
        Ok(Assessed { state, index, value, verdict, gain })
    });
    // All are looked up even if one fails: who fetches parts of a table then learns of all that lack.
    let assessed: Vec<Result<_, QueryError>> = assessed.collect();
    let mut moves = assessed.into_iter().collect::<Result<Vec<_>, QueryError>>()?;
    moves.sort_by_cached_key(rank);
    // All draws are equally good, however long they take.
    let worth = |step: &Assessed<_>| {
        let points = points_of_move(game, mover, step).map(|worth| match worth.points() {
            0 => (0, None),
            points => (points, step.value.and(worth.plies())),
        });
        // With points, these say all.
        let verdict = (step.verdict.outcome, step.verdict.plies);
        (points, if points.is_none() { Some(verdict) } else { None })
    };
    let best_count = moves.iter().take_while(|step| worth(step) == worth(&moves[0])).count();
    Ok(RankedMoves { moves, best_count })
}

/// What the move to a successor is worth to the player who makes it, in a game with points: the points
/// that the move gains, and those that follow. `None` in a game without points.
pub(crate) fn points_of_move<G: Game>(
    game: &G,
    mover: Player,
    step: &Assessed<G::State>,
) -> Option<Value> {
    let same_mover = game.is_mover_of(mover, &step.state);
    let value = step.value.or_else(|| match step.verdict {
        Verdict { decided_by: DecidedBy::Endless, .. } => Some(Value::Endless),
        Verdict { outcome, points: Some(points), .. } => {
            let points = points as i16;
            let is_lost = outcome.for_mover(game.named_mover(&step.state)) == Ordering::Less;
            Some(Value::Points { points: if is_lost { -points } else { points }, plies: 0 })
        }
        _ => None,
    });
    let worth = value.map(|value| for_chooser(value, same_mover).plus(step.gain));
    worth.filter(|_| G::POINTS)
}
