//! Games with points in which play takes long: more values than one byte can number, and more plies
//! than a table can hold.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use kit::random_game::{ALL, NONE, State, WITHIN};
use kit::{few, files, some};
use retrograde::scheme::{Dense, Packed, Tiers};
use retrograde::solve::Progress;
use retrograde::table::Checkpoints;
use retrograde::{Player, SolveError, Solver, Table, TableError, TierIndexed, Value};

use super::compare::{compare, solved, with_least_memory};
use super::ends::{end, in_two_tiers, moves};
use super::game::{FOLDED, Node, Plan, PointGame};

/// Two long walks in each of two tiers. On one, the first player goes back and forth alone, and hurries
/// to the gain at its end. On the other the players alternate, and have no way back from the loss of
/// the second.
fn walks(length: u16) -> Plan {
    use Player::{First, Second};
    let mut nodes: Vec<Node> = Vec::new();
    for tier in 0..2 {
        for forced in [false, true] {
            let begin = nodes.len() as u16;
            for at in 0..length {
                let place = begin + at;
                let (back, on) = (place - u16::from(at > 0), place + u16::from(at + 1 < length));
                let owner = if forced && at % 2 == 0 { Second } else { First };
                nodes.push(match (at, forced) {
                    (0, false) if tier == 0 => end(owner, 2),
                    (0, true) if tier == 0 => end(owner, -3),
                    // From the later tier, half way up a walk of the earlier.
                    (0, false) => moves(owner, &[(length / 2, 1)]),
                    (0, true) => moves(owner, &[(length + length / 2, 1)]),
                    (_, false) => moves(owner, &[(back, 0), (on, 0)]),
                    (_, true) => moves(owner, &[(back, 0)]),
                });
            }
        }
    }
    in_two_tiers(nodes)
}

fn assert_all_agree<const P: u8>(plan: &Plan, states: &[(State, Value)]) {
    let game = PointGame::<P, false, FOLDED>(plan.clone());
    for threads in some(&[1, 2], usize::from(P)) {
        let solution = Solver::new(&game).threads(threads).solve_as::<Tiers<Dense>>().unwrap();
        for (state, value) in states {
            assert_eq!(solution.value(state).unwrap(), *value, "{state:?}");
        }
    }
    let frugal =
        with_least_memory(|memory| Solver::new(&game).memory(memory).solve_as::<Tiers<Dense>>());
    let packed = Solver::new(&game).solve_as::<Tiers<Packed>>().unwrap();
    let reachable = plan.reachable();
    for (state, value) in states {
        assert_eq!(frugal.value(state).unwrap(), *value, "{state:?}");
        let found = packed.value(state).ok();
        assert_eq!(found, reachable.contains(&state.node).then_some(*value), "{state:?}");
    }
}

#[test]
fn more_values_than_a_byte_can_number_are_those_of_brute_force() {
    let plan = walks(180);
    let states = solved(&plan, true);
    let last = states[180 * 2 + 179].1;
    assert_eq!(last, Value::Points { points: 3, plies: 179 + 1 + 90 });
    assert_eq!(states[180 * 4 - 1].1, Value::Points { points: 2, plies: 179 + 1 + 90 });
    assert_all_agree::<WITHIN>(&plan, &states);
    if !kit::PLAIN {
        assert_all_agree::<NONE>(&plan, &states);
        assert_all_agree::<ALL>(&plan, &states);
    }
}

#[test]
fn tables_of_long_games_are_read_verified_and_resumed() {
    let plan = walks(few(50, 150));
    let states = solved(&plan, true);
    let game = PointGame::<ALL, false, FOLDED>(plan);
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    Solver::new(&game).solve_into_as::<Tiers<Dense>>(at("whole")).unwrap();
    let table = Table::open(at("whole")).unwrap();
    compare(&table.prober(game.clone()).unwrap(), &states);
    assert_eq!(table.verify(&game).unwrap(), states.len() as u64);
    table.save_outcomes(&game, at("outcomes")).unwrap();
    Table::open(at("outcomes")).unwrap().verify(&game).unwrap();
    // Every 40th level of each run is its last.
    let mut runs = 0;
    loop {
        let mut checkpoints = Checkpoints::in_folder(at("kept")).unwrap().interval(Duration::ZERO);
        let mut levels = 0;
        let solver = Solver::new(&game).checkpoints(&mut checkpoints).unwrap();
        let solver = solver.on_progress(|progress| {
            levels += u32::from(matches!(progress, Progress::Settling { .. }));
            if levels == 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match solver.solve_into_as::<Tiers<Dense>>(at("pieces")) {
            Ok(_) => break,
            Err(TableError::Solve(SolveError::Interrupted)) => runs += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(runs > few(1, 5), "{runs}");
    assert!(files(&at("pieces")) == files(&at("whole")));
    assert!(fs::read_dir(at("kept")).unwrap().next().is_none());
}

#[test]
fn more_plies_than_fit_beside_so_many_points_are_refused() {
    // With 511 points, a table holds 47 plies.
    let promised = |length, most| {
        let mut plan = walks(length);
        plan.recipe.most = Some(most);
        plan
    };
    let solve = |plan: &Plan| {
        let game = PointGame::<NONE, false, FOLDED>(plan.clone());
        Solver::new(&game).solve_as::<Tiers<Dense>>().map(|solution| solution.summary().longest())
    };
    assert_eq!(promised(31, 511).nodes.len(), 124);
    assert_eq!(solve(&promised(31, 511)), Ok(Some(30 + 1 + 15)));
    assert_eq!(solve(&promised(32, 511)).unwrap_err(), too_long(511, 47));
    assert_eq!(solve(&promised(49, 511)).unwrap_err(), too_long(511, 47));
    assert_eq!(solve(&promised(60, 511)).unwrap_err(), too_long(511, 47));
    assert_eq!(solve(&promised(60, 255)), Ok(Some(59 + 1 + 30)));
    let game = PointGame::<NONE, false, FOLDED>(promised(60, 511));
    assert_eq!(game.tier_len(0), 240);
}

fn too_long(points: u16, plies: u32) -> SolveError {
    SolveError::TooLongWithPoints { points, plies }
}
