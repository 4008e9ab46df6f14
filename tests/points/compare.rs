//! Compares what the engine answers about states with the brute force.

use kit::Query;
use kit::random_game::State;
use retrograde::error::QueryError;
use retrograde::query::{Assessed, Line, LineEnd};
use retrograde::{Game, Players, Solution, SolveError, Value};

use super::brute_force::BruteForce;
use super::game::{Plan, PointGame};

/// Every state of a plan with its value, found by brute force. With `named`, states name the player
/// to move.
pub(crate) fn solved(plan: &Plan, named: bool) -> Vec<(State, Value)> {
    BruteForce::new(plan, named).values()
}

/// The most points of any of these values.
pub(crate) fn most_points<'v>(values: impl IntoIterator<Item = &'v (State, Value)>) -> u16 {
    values.into_iter().map(|(_, value)| value.points().unsigned_abs()).max().unwrap_or(0)
}

/// Solves with as little memory as possible, so that games without predecessors are solved forward.
pub(crate) fn with_least_memory<'g, G: Game>(
    solve: impl Fn(u64) -> Result<Solution<'g, G>, SolveError>,
) -> Solution<'g, G> {
    let mut memory = 0;
    loop {
        match solve(memory) {
            Err(
                SolveError::OverLimit { needed, allowed, .. }
                | SolveError::WideningOverLimit { needed, allowed, .. },
            ) => memory += needed - allowed,
            // The steps of a search are small.
            Err(SolveError::ExplorationOverLimit { .. }) => memory += 2_048,
            solution => break solution.unwrap(),
        }
    }
}

/// Whether the same player is to move in two states that follow each other.
fn same_mover<G: Game>(game: &G, before: &G::State, after: &G::State) -> bool {
    G::PLAYERS != Players::Unnamed && game.turn(before) == game.turn(after)
}

/// Compares all answers about `states` with the brute force.
pub(crate) fn compare<Q: Query<Game: Game<State = State>>>(query: &Q, states: &[(State, Value)]) {
    // All at once, not in the order of their indices, and one of them twice.
    let mixed = || states.iter().rev().chain(states.first());
    let (probed, expected): (Vec<_>, Vec<_>) = mixed().copied().unzip();
    assert_eq!(query.values(&probed).unwrap(), expected);
    for (state, expected) in states {
        assert_eq!(query.value(state).unwrap(), *expected, "{state:?}");
        assert_eq!(query.index_and_kind(state).unwrap().1, expected.kind(), "{state:?}");
        compare_moves(query, state, *expected);
        compare_line(query, state, *expected);
    }
}

/// The number of plies by which play stops early in a state without moves.
fn early_plies(game: &impl Game<State = State>, state: &State) -> u32 {
    u32::from(game.terminal(state).is_some() && game.stops_early(state))
}

/// What a move is worth, from the value of the state that it leads to.
fn worth<G: Game<State = State>>(game: &G, state: &State, step: &Assessed<State>) -> Value {
    let (gain, value) = (game.gain(state, &step.state), step.value.unwrap());
    let sign = if same_mover(game, state, &step.state) { 1 } else { -1 };
    let points = gain + sign * value.points();
    match value.plies() {
        Some(plies) => Value::Points { points, plies: plies + 1 },
        None if gain != 0 => Value::Points { points, plies: 1 },
        None => Value::Endless,
    }
}

fn compare_moves<Q: Query<Game: Game<State = State>>>(query: &Q, state: &State, value: Value) {
    let moves = query.moves(state).unwrap();
    let Some(best) = moves.first() else {
        assert_eq!(value.plies(), Some(early_plies(query.game(), state)));
        return;
    };
    let game = query.game();
    assert_eq!(worth(game, state, best), value, "the best move of {state:?}");
    // The more points, the earlier.
    let points: Vec<i16> = moves.iter().map(|step| worth(game, state, step).points()).collect();
    assert!(points.is_sorted_by(|one, next| one >= next), "{state:?}: {points:?}, {moves:?}");
    // Those as good as the best come first, and no others. Draws are equally good, however long they
    // take.
    let ranked = query.ranked_moves(state).unwrap();
    for (place, step) in ranked.moves.iter().enumerate() {
        let is_best = match (worth(game, state, step), value) {
            (step, value) if value.points() == 0 => step.points() == 0,
            (step, value) => step == value,
        };
        assert_eq!(place < ranked.best_count, is_best, "{state:?}, {step:?}, {value:?}");
    }
    let wins = points.iter().filter(|&&points| points > 0).count();
    let draws = points.iter().filter(|&&points| points == 0).count();
    let is_only = points.len() > 1 && (wins == 1 || wins == 0 && draws == 1);
    assert_eq!(ranked.only, is_only, "{state:?}: {points:?}");
}

/// What the player to move at the beginning of a line gains on it.
fn gained<G: Game<State = State>>(game: &G, line: &Line<State>) -> i16 {
    let (mut sum, mut sign) = (0, 1);
    for step in line.positions.windows(2) {
        let [before, after] = [&step[0].state, &step[1].state];
        sum += sign * game.gain(before, after);
        sign = if same_mover(game, before, after) { sign } else { -sign };
    }
    let last = line.positions.last().unwrap();
    match line.end {
        LineEnd::Over => sum + sign * last.value.unwrap().points(),
        _ => sum,
    }
}

fn compare_line<Q: Query<Game: Game<State = State>>>(query: &Q, state: &State, value: Value) {
    let line = query.line(state).unwrap();
    let last = line.positions.last().unwrap();
    assert_eq!(gained(query.game(), &line), value.points(), "{line:?}");
    match (line.end, value.plies()) {
        (LineEnd::Over, Some(plies)) => {
            let early = early_plies(query.game(), &last.state);
            assert_eq!(line.positions.len() as u32 + early, plies + 1, "{line:?}");
        }
        (LineEnd::Repetition { first }, plies) => {
            assert_eq!(line.positions[first].index, last.index);
            // Something may be gained first, and then play goes on for ever.
            let (before, after) = line.positions.split_at(plies.unwrap_or(0) as usize);
            assert!(before.iter().all(|step| step.value != Some(Value::Endless)), "{line:?}");
            assert!(after.iter().all(|step| step.value == Some(Value::Endless)), "{line:?}");
        }
        (end, plies) => panic!("{end:?}, {plies:?}: {line:?}"),
    }
}

/// Compares the states that play can reach. The others must be missing.
pub(crate) fn compare_reachable<const P: u8, const A: bool, const W: u8>(
    query: &impl Query<Game = PointGame<P, A, W>>,
    states: &[(State, Value)],
) {
    let reachable = query.game().0.reachable();
    let (inside, outside): (Vec<_>, Vec<_>) =
        states.iter().copied().partition(|(state, _)| reachable.contains(&state.node));
    compare(query, &inside);
    for (state, _) in outside {
        assert!(matches!(query.value(&state), Err(QueryError::NotInTable { .. })));
    }
}
