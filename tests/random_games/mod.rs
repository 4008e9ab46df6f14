//! Random games, solved in every way of the engine and compared with brute force.

mod brute_force;
mod laws;

use std::fs;
use std::path::Path;

use brute_force::BruteForce;
use kit::Query;
use kit::cases;
use kit::random_game::{ALL, BY_INDEX, Mirror, NONE, Plan, RandomGame, State, WITHIN, plan};
use proptest::prelude::*;
use retrograde::error::QueryError;
use retrograde::query::{Assessed, DecidedBy, LineEnd};
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Outcome, Player, SolveError, Solver, Table, TableError, Value};

/// Every state with its value, found by brute force.
fn solved(plan: &Plan) -> Vec<(State, Value)> {
    let brute = BruteForce::new(plan);
    let values = brute.values();
    brute.states.into_iter().zip(values).collect()
}

/// Compares all answers about `states` with the brute force.
fn compare<Q: Query<Game: Game<State = State>>>(query: &Q, states: &[(State, Value)]) {
    // All at once, not in the order of their indices, and one of them twice.
    let mixed = || states.iter().rev().chain(states.first());
    let (probed, expected): (Vec<_>, Vec<_>) = mixed().copied().unzip();
    assert_eq!(query.values(&probed).unwrap(), expected);
    for (state, expected) in states {
        assert_eq!(query.value(state).unwrap(), *expected, "{state:?}");
        compare_moves(query, state, *expected);
        compare_line(query, state, *expected);
    }
}

/// The number of plies by which play stops early in a state without moves.
fn early_plies(game: &impl Game<State = State>, state: &State) -> u32 {
    u32::from(game.terminal(state).is_some() && game.stops_early(state))
}

fn compare_moves<Q: Query<Game: Game<State = State>>>(query: &Q, state: &State, value: Value) {
    let mover = query.game().turn(state);
    let moves = query.moves(state).unwrap();
    let Some(best) = moves.first() else {
        assert_eq!(value.plies(), Some(early_plies(query.game(), state)));
        return;
    };
    let best_value = best.value.unwrap();
    let after = if query.game().turn(&best.state) == mover {
        best_value
    } else {
        match best_value {
            Value::Win(plies) => Value::Loss(plies),
            Value::Loss(plies) => Value::Win(plies),
            value => value,
        }
    };
    let expected = match value {
        Value::Win(plies) => Value::Win(plies - 1),
        Value::Loss(plies) => Value::Loss(plies - 1),
        Value::Draw(plies) => Value::Draw(plies - 1),
        Value::Endless => Value::Endless,
        Value::Points { .. } => unreachable!("the games have no points"),
    };
    assert_eq!(after, expected, "the best move of {state:?}");
    let rank = |outcome: Outcome| match outcome.winner() {
        Some(winner) if winner == mover => 0,
        None => 1,
        Some(_) => 2,
    };
    assert!(moves.is_sorted_by_key(|step| rank(step.verdict.outcome)), "{moves:?}");
}

fn compare_line<Q: Query<Game: Game<State = State>>>(query: &Q, state: &State, value: Value) {
    let line = query.line(state).unwrap();
    let last = line.positions.last().unwrap();
    match value {
        Value::Endless => {
            let LineEnd::Repetition { first } = line.end else { panic!("{line:?}") };
            assert_eq!(line.positions[first].index, last.index);
            assert!(line.positions.iter().all(|step| step.value == Some(Value::Endless)));
            // It ends as soon as an endless move repeats a position.
            for (at, step) in line.positions[..line.positions.len() - 2].iter().enumerate() {
                let seen = |index| line.positions[..=at].iter().any(|step| step.index == index);
                let moves = query.moves(&step.state).unwrap();
                let repeats =
                    |to: &Assessed<State>| to.value == Some(Value::Endless) && seen(to.index);
                assert!(!moves.iter().any(repeats), "{line:?}");
            }
        }
        Value::Win(plies) | Value::Loss(plies) | Value::Draw(plies) => {
            assert_eq!(line.end, LineEnd::Over);
            let early = early_plies(query.game(), &last.state);
            assert_eq!(line.positions.len() as u32 + early, plies + 1);
            assert_eq!(last.verdict.outcome, query.verdict(state).unwrap().outcome);
        }
        Value::Points { .. } => unreachable!("the games have no points"),
    }
}

fn compare_dense<const P: u8, const D: bool, const F: bool>(
    plan: &Plan,
    states: &[(State, Value)],
) {
    let game = RandomGame::<P, D, F>(plan.clone());
    let solution = Solver::new(&game).solve().unwrap();
    compare(&solution, states);

    // The figures count the numbered states: one for each node, on this side of the mirror.
    let numbered: Vec<_> = states.iter().filter(|(state, _)| !state.flipped).collect();
    let verdicts = || {
        let judge = |(state, value): &&(State, Value)| {
            solution.rules().judge(*value, Some(plan.turn(state)))
        };
        numbered.iter().map(judge).collect::<Vec<_>>()
    };
    let count = |outcome| verdicts().iter().filter(|verdict| verdict.outcome == outcome).count();
    let summary = solution.summary();
    assert_eq!(summary.states(), numbered.len() as u64);
    for player in Player::BOTH {
        assert_eq!(summary.wins(player), count(Outcome::Win(player)) as u64);
    }
    assert_eq!(summary.draws(), count(Outcome::Draw) as u64);
    let endless = numbered.iter().filter(|(_, value)| *value == Value::Endless).count();
    assert_eq!(summary.endless(), endless as u64);
    let longest = verdicts().iter().filter_map(|verdict| verdict.plies).max();
    assert_eq!(summary.longest(), longest);
    let at_distances: u64 = summary.distances.iter().map(|at| at.won + at.lost).sum();
    let forced = verdicts().iter().filter(|verdict| verdict.plies.is_some()).count();
    assert_eq!(at_distances, forced as u64);
}

/// Compares a numbering of discovered states.
fn compare_discovered<S, const P: u8, const D: bool, const F: bool>(
    plan: &Plan,
    states: &[(State, Value)],
) where
    S: Scheme<RandomGame<P, D, F>>,
{
    let game = RandomGame::<P, D, F>(plan.clone());
    compare_reachable(plan, &Solver::new(&game).solve_as::<S>().unwrap(), states);
}

/// Compares the states that play can reach. The others must be missing.
fn compare_reachable<const P: u8, const D: bool, const F: bool>(
    plan: &Plan,
    solution: &impl Query<Game = RandomGame<P, D, F>>,
    states: &[(State, Value)],
) {
    let reachable = plan.reachable();
    let folded = |state: &State| solution.game().canonical(state);
    let (inside, outside): (Vec<_>, Vec<_>) = states
        .iter()
        .copied()
        .partition(|(state, _)| reachable.iter().any(|other| folded(other) == folded(state)));
    compare(solution, &inside);
    for (state, _) in outside {
        assert!(matches!(solution.value(&state), Err(QueryError::NotInTable { .. })));
    }
}

/// Compares two numberings by a formula: of all states at once, and tier by tier.
fn compare_tiered<const P: u8, const D: bool, const F: bool>(
    plan: &Plan,
    states: &[(State, Value)],
) {
    let game = RandomGame::<P, D, F>(plan.clone());
    let whole = Solver::new(&game).solve().unwrap();
    let solution = Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap();
    compare(&whole, states);
    compare(&solution, states);
    assert_eq!(solution.summary(), whole.summary());
    assert_eq!(solution.tiers().len(), plan.tiers);
    // As little memory as possible, so that games without predecessors are solved forward.
    let mut least = 0;
    let frugal = loop {
        match Solver::new(&game).memory(least).solve_as::<Tiers<Dense>>() {
            Err(
                SolveError::OverLimit { needed, allowed, .. }
                | SolveError::WideningOverLimit { needed, allowed, .. },
            ) => least += needed - allowed,
            solution => break solution.unwrap(),
        }
    };
    for (state, value) in states {
        assert_eq!(frugal.value(state).unwrap(), *value, "{state:?}");
    }
}

/// Compares two numberings of discovered states: of all at once, and tier by tier.
fn compare_discovered_tiers<const P: u8, const D: bool, const F: bool>(
    plan: &Plan,
    states: &[(State, Value)],
) {
    let game = RandomGame::<P, D, F>(plan.clone());
    let packed = Solver::new(&game).solve_as::<Packed>().unwrap();
    compare_reachable(plan, &packed, states);
    let discovered = Solver::new(&game).solve_as::<Tiers<Packed>>().unwrap();
    compare_reachable(plan, &discovered, states);
    assert_eq!(discovered.tiers().len(), plan.tiers);
    assert_eq!(discovered.summary(), packed.summary());
    let explored = Solver::new(&game).solve_as::<Hashed>().unwrap();
    compare_reachable(plan, &explored, states);
    assert_eq!(discovered.summary(), explored.summary());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(2_500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_value_is_that_of_brute_force(plan in plan()) {
        let states = solved(&plan);
        compare_dense::<ALL, false, true>(&plan, &states);
        compare_dense::<BY_INDEX, false, true>(&plan, &states);
        compare_dense::<NONE, false, true>(&plan, &states);
        compare_discovered::<Hashed, ALL, false, true>(&plan, &states);
        if !kit::PLAIN {
            compare_discovered::<Hashed, NONE, false, true>(&plan, &states);
        }
        if !kit::PLAIN && plan.mirror == Mirror::None {
            compare_dense::<ALL, true, false>(&plan, &states);
            compare_dense::<NONE, true, false>(&plan, &states);
            compare_discovered::<Hashed, ALL, true, false>(&plan, &states);
        }
    }

    #[test]
    fn every_value_found_tier_by_tier_is_that_of_brute_force(plan in plan(), tiers in 1..6_usize) {
        let tiers = tiers.min(plan.nodes.len());
        let plan = plan.in_tiers(tiers);
        let states = solved(&plan);
        compare_tiered::<ALL, false, true>(&plan, &states);
        compare_tiered::<BY_INDEX, false, true>(&plan, &states);
        compare_tiered::<NONE, false, true>(&plan, &states);
        // The game can't provide indices of discovered states.
        compare_discovered_tiers::<NONE, false, true>(&plan, &states);
        if !kit::PLAIN {
            compare_discovered_tiers::<ALL, false, true>(&plan, &states);
        }
        if !kit::PLAIN && plan.mirror == Mirror::None {
            compare_tiered::<ALL, true, false>(&plan, &states);
            compare_discovered_tiers::<ALL, true, false>(&plan, &states);
        }
    }

    /// Predecessors within a tier are not taken for all predecessors.
    #[test]
    fn a_game_that_has_predecessors_within_tiers_alone_is_solved_right_without_tiers(
        plan in plan(),
        tiers in 1..6_usize,
    ) {
        let tiers = tiers.min(plan.nodes.len());
        let plan = plan.in_tiers(tiers);
        let states = solved(&plan);
        compare_tiered::<WITHIN, false, true>(&plan, &states);
        compare_discovered::<Tiers<Packed>, WITHIN, false, true>(&plan, &states);
    }

    #[test]
    fn every_outcome_within_a_ply_limit_is_that_of_brute_force(plan in plan(), limit in 0..12_u32) {
        let plan = Plan { ply_limit: Some(limit), ..plan };
        let brute = BruteForce::new(&plan);
        let values = brute.values();
        let outcomes = brute.outcomes_within(limit);
        let game = RandomGame::<ALL, false, true>(plan.clone());
        let (mut win, mut draw) = (0, None);
        for value in &values {
            match *value {
                Value::Win(plies) | Value::Loss(plies) => win = win.max(plies),
                Value::Draw(plies) => draw = draw.max(Some(plies)),
                Value::Endless | Value::Points { .. } => {}
            }
        }
        let endless_wins = plan.endless != Outcome::Draw;
        let cut_among_draws =
            endless_wins && win > 0 && draw.is_some_and(|draw| limit < win + draw);
        let solution = match Solver::new(&game).solve() {
            Err(SolveError::LimitAmongDraws { .. }) => {
                prop_assert!(cut_among_draws);
                return Ok(());
            }
            solution => solution.unwrap(),
        };
        prop_assert!(!cut_among_draws);
        for (state, (value, outcome)) in brute.states.iter().zip(values.iter().zip(outcomes)) {
            let verdict = solution.verdict(state).unwrap();
            prop_assert_eq!(verdict.outcome, outcome, "{:?}, {:?}", state, value);
            prop_assert!(verdict.plies.is_none_or(|plies| plies <= limit));
            let best = solution.moves(state).unwrap();
            if let Some(best) = best.first() && limit > 0 {
                prop_assert_eq!(best.verdict.outcome, outcome, "the best move of {:?}", state);
            }
            let line = solution.line(state).unwrap();
            prop_assert!(line.positions.len() <= limit as usize + 1);
            if let Some(plies) = verdict.plies {
                prop_assert_eq!(verdict.decided_by, DecidedBy::Play);
                let early = early_plies(&game, &line.positions.last().unwrap().state);
                prop_assert_eq!(line.positions.len() as u32 + early, plies + 1);
                prop_assert_eq!(line.end, LineEnd::Over);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_folder_of_tiers_answers_like_brute_force_and_goes_on_where_it_was(
        plan in plan(),
        tiers in 1..6_usize,
    ) {
        let tiers = tiers.min(plan.nodes.len());
        let plan = plan.in_tiers(tiers);
        let states = solved(&plan);
        let game = RandomGame::<ALL, false, true>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tiers");
        let middle = format!("tier-{}", tiers / 2);
        let solve = |threads, only: Option<&str>| {
            let to = only.into_iter().fold(Destination::at(&path), Destination::only_tier);
            Solver::new(&game).threads(threads).solve_into_as::<Tiers<Dense>>(to)
        };
        let first = solve(1, Some(middle.as_str())).unwrap();
        prop_assert_eq!(first.len(), tiers / 2 + 1);
        prop_assert!(first.iter().all(|tier| !tier.found));
        let all = solve(3, None).unwrap();
        prop_assert_eq!(all.iter().filter(|tier| tier.found).count(), tiers / 2 + 1);
        let table = Table::open(&path).unwrap();
        compare(&table.prober(game.clone()).unwrap(), &states);
        let numbered = states.iter().filter(|(state, _)| !state.flipped).count();
        prop_assert_eq!(table.verify(&game).unwrap(), numbered as u64);
        prop_assert_eq!(&table.game::<RandomGame<ALL, false, true>>().unwrap().0, &plan);
        let unknown = solve(1, Some("tier-9"));
        let refused = matches!(unknown, Err(TableError::NoSuchTier { .. }));
        prop_assert!(refused);
        // A solution in memory is saved as the same files.
        let saved = place.path().join("saved");
        Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap().save(&saved).unwrap();
        for tier in 0..tiers {
            let name = format!("tier-{tier}.rtb");
            prop_assert!(fs::read(saved.join(&name)).unwrap() == fs::read(path.join(&name)).unwrap());
        }

        let path = place.path().join("discovered");
        let solve = |only: Option<&str>| {
            let to = Destination::at(&path).compression(Compression::Plain);
            let to = only.into_iter().fold(to, Destination::only_tier);
            Solver::new(&game).solve_into_as::<Tiers<Packed>>(to)
        };
        solve(Some(middle.as_str())).unwrap();
        solve(None).unwrap();
        let table = Table::open(&path).unwrap();
        compare_reachable(&plan, &table.prober(game.clone()).unwrap(), &states);
        table.verify(&game).unwrap();
    }

    #[test]
    fn outcomes_of_tiers_do_not_depend_on_how_the_tables_are_stored(
        plan in plan(),
        tiers in 1..6_usize,
    ) {
        let plan = plan.clone().in_tiers(tiers.min(plan.nodes.len()));
        let game = RandomGame::<ALL, false, true>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        let mut written = Vec::new();
        // Compressed tables contain values at unused indices.
        for compression in [Compression::Plain, Compression::Zstd(1)] {
            let tables = place.path().join(format!("{compression:?}"));
            let solver = Solver::new(&game);
            solver.solve_into_as::<Tiers<Dense>>(Destination::at(&tables).compression(compression)).unwrap();
            let tables = Table::open(tables).unwrap();
            let path = place.path().join(format!("outcomes {compression:?}"));
            match tables.save_outcomes(&game, &path) {
                Ok(_) => {}
                Err(TableError::At { source, .. })
                    if matches!(*source, TableError::LimitWithoutDistances { .. }) =>
                {
                    return Ok(());
                }
                Err(error) => panic!("{error}"),
            }
            let files = (0..plan.tiers).map(|tier| fs::read(path.join(format!("tier-{tier}.rtb"))));
            written.push(files.collect::<Result<Vec<_>, _>>().unwrap());
            let outcomes = Table::open(path).unwrap();
            outcomes.verify(&game).unwrap();
            let prober = outcomes.prober(game.clone()).unwrap();
            for (state, value) in solved(&plan) {
                prop_assert_eq!(prober.index_and_kind(&state).unwrap().1, value.kind());
            }
        }
        prop_assert_eq!(&written[0], &written[1]);
    }

    #[test]
    fn a_stored_table_answers_like_the_solution(plan in plan()) {
        let states = solved(&plan);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("random.rtb");
        let game = RandomGame::<ALL, false, true>(plan.clone());

        Solver::new(&game).solve().unwrap().save(&path).unwrap();
        let table = Table::open(&path).unwrap();
        compare(&table.prober(game.clone()).unwrap(), &states);
        table.verify(&game).unwrap();

        compare_stored::<Hashed>(&game, &path, &states);
        compare_stored::<Packed>(&game, &path, &states);
    }
}

/// Compares a table of discovered states with the solution that was saved.
fn compare_stored<S: Scheme<RandomGame<ALL, false, true>>>(
    game: &RandomGame<ALL, false, true>,
    path: &Path,
    states: &[(State, Value)],
) {
    let solution = Solver::new(game).solve_as::<S>().unwrap();
    solution.save(path).unwrap();
    let table = Table::open(path).unwrap();
    let prober = table.prober(game.clone()).unwrap();
    for (state, _) in states {
        match solution.index_and_value(state) {
            Ok(found) => assert_eq!(prober.index_and_value(state).unwrap(), found),
            Err(_) => assert!(prober.index_and_value(state).is_err()),
        }
    }
    table.verify(game).unwrap();
}
