//! Tables of random games with points: written, read again, verified, resumed.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use kit::random_game::{ALL, Mirror, NONE, State};
use kit::{cases, files, some};
use proptest::prelude::*;
use retrograde::error::QueryError;
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::table::{Checkpoints, Compression, Destination};
use retrograde::{Outcome, SolveError, Solver, Table, TableError, Value};

use super::compare::{compare, compare_reachable, solved};
use super::game::{FOLDED, Plan, PointGame, Recipe, recipe};
use super::layout::Parts;

type Random = PointGame<ALL, false, FOLDED>;

/// How many states of `states` are on this side of the mirror.
fn numbered(states: &[(State, Value)]) -> u64 {
    states.iter().filter(|(state, _)| !state.flipped).count() as u64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(160), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_folder_of_tiers_answers_like_brute_force_and_goes_on_where_it_was(recipe in recipe(5)) {
        let plan = Plan::from(recipe);
        let states = solved(&plan, true);
        let game = PointGame::<ALL, false, FOLDED>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tiers");
        let middle = format!("tier-{}", plan.recipe.tiers / 2);
        let solve = |threads, only: Option<&str>| {
            let to = only.into_iter().fold(Destination::at(&path), Destination::only_tier);
            Solver::new(&game).threads(threads).solve_into_as::<Tiers<Dense>>(to)
        };
        solve(1, Some(middle.as_str())).unwrap();
        let all = solve(2, None).unwrap();
        prop_assert_eq!(all.iter().filter(|tier| tier.found).count(), plan.recipe.tiers / 2 + 1);
        let table = Table::open(&path).unwrap();
        compare(&table.prober(game.clone()).unwrap(), &states);
        for memory in [u64::MAX, 0] {
            let table = Table::open(&path).unwrap().memory(memory).threads(2);
            prop_assert_eq!(table.verify(&game).unwrap(), numbered(&states));
        }
        prop_assert_eq!(&table.game::<Random>().unwrap().0.recipe, &plan.recipe);
        // A solution in memory, and one of a game without predecessors, are saved as the same files.
        let saved = place.path().join("saved");
        Solver::new(&game).solve_as::<Tiers<Dense>>().unwrap().save(&saved).unwrap();
        prop_assert!(files(&saved) == files(&path));
        let saved = place.path().join("without");
        let without = PointGame::<NONE, false, FOLDED>(plan.clone());
        Solver::new(&without).solve_into_as::<Tiers<Dense>>(&saved).unwrap();
        prop_assert!(files(&saved) == files(&path));
    }

    #[test]
    fn a_folder_of_discovered_tiers_answers_like_brute_force(recipe in recipe(5)) {
        let plan = Plan::from(recipe);
        let game = PointGame::<ALL, false, FOLDED>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        for compression in [Compression::Plain, Compression::Zstd(1)] {
            let path = place.path().join(format!("{compression:?}"));
            let to = Destination::at(&path).compression(compression);
            Solver::new(&game).solve_into_as::<Tiers<Packed>>(to).unwrap();
            let table = Table::open(&path).unwrap();
            compare_reachable(&table.prober(game.clone()).unwrap(), &solved(&plan, true));
            prop_assert_eq!(table.verify(&game).unwrap(), plan.reachable().len() as u64);
        }
    }

    #[test]
    fn a_stored_table_answers_like_brute_force(recipe in recipe(1)) {
        let plan = Plan::from(Recipe { gains: false, ..recipe });
        let states = solved(&plan, true);
        let game = PointGame::<ALL, false, FOLDED>(plan);
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("points.rtb");
        Solver::new(&game).solve_as::<Dense>().unwrap().save(&path).unwrap();
        let table = Table::open(&path).unwrap();
        compare(&table.prober(game.clone()).unwrap(), &states);
        prop_assert_eq!(table.verify(&game).unwrap(), numbered(&states));
        compare_stored::<Hashed>(&game, &path, &states);
        compare_stored::<Packed>(&game, &path, &states);
    }

    #[test]
    fn outcomes_are_points_without_plies(recipe in recipe(4)) {
        let plan = Plan::from(recipe);
        let states = solved(&plan, true);
        let game = PointGame::<ALL, false, FOLDED>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tiers");
        Solver::new(&game).solve_into_as::<Tiers<Dense>>(&path).unwrap();
        let tables = Table::open(&path).unwrap();
        let written = place.path().join("outcomes");
        tables.save_outcomes(&game, &written).unwrap();
        compare_outcomes(&game, &written, &states);
        if !plan.recipe.gains {
            let path = place.path().join("outcomes.rtb");
            let whole = Solver::new(&game).solve_as::<Dense>().unwrap();
            whole.save(Destination::at(&path).outcomes_only()).unwrap();
            compare_outcomes(&game, &path, &states);
        }
    }

    /// The table of a game with one other end or one other gain passes for the right one exactly if
    /// all its values are right.
    #[test]
    fn wrong_values_are_found(recipe in recipe(4), lie in any::<u64>()) {
        let plan = Plan::from(recipe);
        let Some(other) = lied(&plan, lie) else { return Ok(()) };
        let [right, wrong] = [&plan, &other].map(|plan| solved(plan, true));
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("tiers");
        let liar = PointGame::<ALL, false, FOLDED>(other);
        Solver::new(&liar).solve_into_as::<Tiers<Dense>>(&path).unwrap();
        let game = PointGame::<ALL, false, FOLDED>(plan);
        assert_verified(&game, &path, right == wrong);
        let points = |states: &[(State, Value)]| -> Vec<_> {
            states.iter().map(|(_, value)| value.kind()).collect()
        };
        let outcomes = place.path().join("outcomes");
        Table::open(&path).unwrap().save_outcomes(&liar, &outcomes).unwrap();
        // Outcomes may agree with the moves where the points are right.
        if points(&right) == points(&wrong) {
            assert_verified(&game, &outcomes, true);
        }
    }

    #[test]
    fn any_other_value_is_found_to_be_wrong(recipe in recipe(3), seed in any::<u64>()) {
        let plan = Plan::from(recipe);
        let game = PointGame::<ALL, false, FOLDED>(plan.clone());
        let place = tempfile::tempdir().unwrap();
        let to = Destination::at(place.path()).compression(Compression::Plain);
        Solver::new(&game).solve_into_as::<Tiers<Dense>>(to).unwrap();
        let paths: Vec<_> =
            (0..plan.recipe.tiers).map(|tier| place.path().join(format!("tier-{tier}.rtb"))).collect();
        let tiers: Vec<Parts> =
            paths.iter().map(|path| Parts::of(&fs::read(path).unwrap())).collect();
        // The values of all states, and those with a ply more or less.
        let known: Vec<u16> = tiers.iter().flat_map(Parts::packed).collect();
        let others: Vec<u16> =
            known.iter().flat_map(|&packed| [packed, packed + 1, packed.saturating_sub(1)]).collect();
        let mut random = kit::Random(seed);
        for (path, intact) in paths.iter().zip(&tiers) {
            let file = intact.to_file();
            prop_assert!(file == fs::read(path).unwrap());
            for index in (1..intact.packed().len()).step_by(2) {
                let mut wrong = intact.clone();
                wrong.set_value(index, others[random.place(others.len())]);
                if wrong.packed() == intact.packed() {
                    continue;
                }
                fs::write(path, wrong.to_file()).unwrap();
                for memory in some(&[u64::MAX, 0], index / 2) {
                    let verified = Table::open(place.path()).unwrap().memory(memory).verify(&game);
                    let Err(TableError::At { source, .. }) = verified else {
                        panic!("index {index} of {path:?} may be {:?}", wrong.packed())
                    };
                    let told = matches!(
                        *source,
                        TableError::WrongValue { .. } | TableError::Malformed { .. }
                    );
                    prop_assert!(told, "{source}");
                }
            }
            fs::write(path, file).unwrap();
        }
        prop_assert!(Table::open(place.path()).unwrap().verify(&game).is_ok());
    }

    #[test]
    fn a_run_that_is_interrupted_resumes_and_finds_the_same(recipe in recipe(4), pace in 1_u64..6) {
        let game = PointGame::<NONE, false, FOLDED>(Plan::from(recipe));
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        Solver::new(&game).solve_into_as::<Tiers<Dense>>(at("expected")).unwrap();
        for run in 1_u64.. {
            let mut checkpoints =
                Checkpoints::in_folder(at("kept")).unwrap().interval(Duration::ZERO);
            let mut reports = 0;
            let solver = Solver::new(&game).threads(1 + run as usize % 2);
            let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(|_| {
                reports += 1;
                // Each run comes further than the one before, so that one of them ends.
                let stop = reports == pace * run;
                if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            match solver.solve_into_as::<Tiers<Dense>>(at("pieces")) {
                Ok(_) => break,
                Err(TableError::Solve(SolveError::Interrupted) | TableError::Interrupted) => {}
                Err(error) => panic!("{error}"),
            }
        }
        prop_assert!(files(&at("expected")) == files(&at("pieces")));
    }
}

/// Compares a table of discovered states with the brute force.
fn compare_stored<S: Scheme<Random>>(game: &Random, path: &Path, states: &[(State, Value)]) {
    Solver::new(game).solve_as::<S>().unwrap().save(path).unwrap();
    let table = Table::open(path).unwrap();
    compare_reachable(&table.prober(game.clone()).unwrap(), states);
    assert_eq!(table.verify(game).unwrap(), game.0.reachable().len() as u64);
}

/// Compares a table of outcomes: it has the points, and no plies.
fn compare_outcomes(game: &Random, path: &Path, states: &[(State, Value)]) {
    let outcomes = Table::open(path).unwrap();
    assert!(outcomes.has_outcomes_only());
    assert_eq!(outcomes.verify(game).unwrap(), numbered(states));
    let prober = outcomes.prober(game.clone()).unwrap();
    for (state, value) in states {
        assert_eq!(prober.index_and_kind(state).unwrap().1, value.kind(), "{state:?}");
        let verdict = prober.verdict(state).unwrap();
        assert_eq!((verdict.points, verdict.plies), (Some(value.points().unsigned_abs()), None));
        let refused = prober.value(state).unwrap_err();
        assert!(matches!(refused, QueryError::OutcomesOnly { .. }), "{refused}");
        let moves = prober.moves(state).unwrap();
        let Some(best) = moves.first() else { continue };
        let (_, kind) = prober.index_and_kind(&best.state).unwrap();
        let points = match kind {
            retrograde::query::ValueKind::Points(points) => points,
            _ => 0,
        };
        let sign = if game.0.turn(state) == game.0.turn(&best.state) { 1 } else { -1 };
        assert_eq!(game.0.gain(state, &best.state) + sign * points, value.points(), "{state:?}");
    }
}

/// A plan with other points in one place: an end, or a move to an earlier tier.
fn lied(plan: &Plan, lie: u64) -> Option<Plan> {
    let mut other = plan.clone();
    let count = plan.nodes.len() as u64;
    let at = (lie % count) as usize;
    let change = if (lie / count).is_multiple_of(2) { 1 } else { -1 };
    let node = &mut other.nodes[at];
    let changed = |end: Outcome| match end {
        Outcome::Points(points) => Some(Outcome::Points((points + change).clamp(-3, 3))),
        _ => None,
    };
    if let Some(end) = node.terminal {
        node.terminal = Some(changed(end)?);
    } else if node.moves.is_empty() {
        node.stuck = changed(node.stuck)?;
    } else {
        let earlier = |to: u16| plan.tier_of(to) < plan.tier_of(at as u16);
        let to = node.moves.iter().map(|step| step.to).find(|&to| earlier(to))?;
        for step in node.moves.iter_mut().filter(|step| step.to == to) {
            step.gain = (step.gain + change).clamp(-3, 3);
        }
    }
    Some(other)
}

/// Verifies a table with much memory and little.
fn assert_verified(game: &Random, path: &Path, is_right: bool) {
    let mut said = Vec::new();
    for memory in [u64::MAX, 0] {
        let verified = Table::open(path).unwrap().memory(memory).verify(game);
        said.push(verified.as_ref().map_err(ToString::to_string).copied());
        match verified {
            Ok(_) => assert!(is_right, "wrong values pass"),
            Err(TableError::At { source, .. })
                if matches!(*source, TableError::WrongValue { .. }) =>
            {
                assert!(!is_right, "{source}");
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(said[0], said[1]);
}

#[test]
fn the_table_of_a_game_with_another_promise_of_points_is_refused() {
    let recipe = |most| Recipe {
        seed: 7,
        nodes: 12,
        tiers: 2,
        mirror: Mirror::None,
        doubles: true,
        gains: true,
        degree: true,
        most: Some(most),
    };
    let [game, other] = [20, 30].map(|most| Random::from(recipe(most)));
    let place = tempfile::tempdir().unwrap();
    Solver::new(&game).solve_into_as::<Tiers<Dense>>(place.path()).unwrap();
    let table = Table::open(place.path()).unwrap();
    table.verify(&game).unwrap();
    let refused = table.prober(other.clone()).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("20") && refused.contains("30"), "{refused}");
}
