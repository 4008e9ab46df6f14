//! Runs that are interrupted between any two slices of the first pass and of the levels.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;

use proptest::prelude::*;
use retrograde::scheme::{Dense, Tiers};
use retrograde::solve::{Progress, Resumed};
use retrograde::table::{Checkpoints, Compression};
use retrograde::{Outcome, Solution, SolveError, Solver, Stored};

use crate::interrupted::{bytes, least_memory};
use crate::stairs::Stairs;
use crate::walk::Walk;
use crate::web::{Plan, Web, plan};

/// From where runs were resumed: how often within the first pass, and how often within a level.
#[derive(Debug, Default, PartialEq)]
struct Within {
    first_pass: u32,
    level: u32,
}

/// Solves a game by runs that are told to stop as soon as they can, with slices as short as they can
/// be, and compares the table with that of one run. Each has another number of threads. A first pass
/// that lists reverse edges is not saved, and not `sliced`.
fn compare<'g, G: Stored>(
    game: &'g G,
    sliced: bool,
    solve: impl Fn(Solver<'g, '_, G>) -> Result<Solution<'g, G>, SolveError>,
) -> Within {
    let folder = tempfile::tempdir().unwrap();
    let expected = bytes(&solve(Solver::new(game)).unwrap(), folder.path());
    let kept = folder.path().join("kept");
    let (mut within, mut last) = (Within::default(), None);
    for run in 0.. {
        let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().slices_of(1);
        let begun = !checkpoints.is_empty();
        let resumed = Cell::new(None);
        let stop = |progress| {
            match progress {
                Progress::Resumed(from) => resumed.set(Some(from)),
                Progress::Counting { .. } if sliced => return ControlFlow::Break(()),
                Progress::Settling { .. } => return ControlFlow::Break(()),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        let solver = Solver::new(game).threads(1 + run % 3);
        let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(stop);
        let solved = solve(solver);
        assert_eq!(resumed.get().is_some(), begun, "run {run}");
        match (resumed.get(), last) {
            (Some(Resumed::Counting { .. }), _) => within.first_pass += 1,
            (Some(Resumed::Levels { level, .. }), Some(Resumed::Levels { level: before, .. })) => {
                within.level += u32::from(level == before);
            }
            _ => {}
        }
        last = resumed.get();
        match solved {
            Ok(solution) => {
                assert!(bytes(&solution, folder.path()) == expected);
                return within;
            }
            Err(error) => assert_eq!(error, SolveError::Interrupted),
        }
        assert!(!checkpoints.is_empty());
    }
    unreachable!("there are more runs than integers")
}

fn large(endless: Outcome) -> Plan {
    Plan { seed: 7, size: 12_000, reach: Some(3_000), endless, moves: 3, alternating: true }
}

#[test]
fn a_first_pass_and_a_level_are_resumed_where_they_were_interrupted() {
    for endless in [Outcome::Draw, Outcome::Win(retrograde::Player::First)] {
        let native = Web::<true, true>::from(large(endless));
        let within = compare(&native, true, |solver| solver.solve_as::<Dense>());
        assert!(within.first_pass > 2 && within.level > 10, "{within:?}");
        let reversed = Web::<false, true>::from(large(endless));
        let within = compare(&reversed, false, |solver| solver.solve_as::<Dense>());
        assert!(within.first_pass == 0 && within.level > 10, "{within:?}");
        // By all moves at every level.
        let memory = least_memory(&reversed);
        let within = compare(&reversed, true, |solver| solver.memory(memory).solve_as::<Dense>());
        assert!(within.first_pass > 2 && within.level > 10, "{within:?}");
    }
}

#[test]
fn cells_that_are_widened_between_slices_are_kept() {
    for end in [Outcome::Win(retrograde::Player::First), Outcome::Draw] {
        compare(&Walk { length: 250, end }, true, |solver| solver.solve_as::<Dense>());
    }
}

#[test]
fn a_first_pass_with_wide_cells_is_resumed() {
    let plan = Plan { moves: 150, size: 5_000, reach: None, ..large(Outcome::Draw) };
    let within = compare(&Web::<true, false>::from(plan), true, |s| s.solve_as::<Dense>());
    assert!(within.first_pass > 1, "{within:?}");
}

#[test]
fn tiers_with_exits_are_resumed_where_they_were_interrupted() {
    let stairs = Stairs { steps: 10_000 };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let solve = |solver: Solver<'_, '_, Stairs>, name| {
        solver.solve_into_as::<Tiers<Dense>>(at(name), None, Compression::default())
    };
    let tiers = solve(Solver::new(&stairs), "expected").unwrap();
    assert!(tiers.iter().all(|tier| tier.summary.longest() > Some(5)), "{tiers:?}");
    let (mut first_pass, mut runs) = (0, 0);
    let tiers = loop {
        let mut checkpoints = Checkpoints::in_folder(at("kept")).unwrap().slices_of(1);
        let solver = Solver::new(&stairs).threads(1 + runs % 3);
        let stop = |progress| {
            first_pass +=
                u32::from(matches!(progress, Progress::Resumed(Resumed::Counting { .. })));
            match progress {
                Progress::Counting { .. } | Progress::Settling { .. } => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(stop);
        match solve(solver, "pieces") {
            Ok(tiers) => break tiers,
            Err(error) => assert!(error.is_interrupted(), "{error}"),
        }
        assert!(!checkpoints.is_empty());
        runs += 1;
    };
    assert!(first_pass > 3, "{first_pass}");
    assert_eq!(tiers.len(), 3);
    for entry in fs::read_dir(at("expected")).unwrap() {
        let path = entry.unwrap().path();
        let pieces = at("pieces").join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(pieces).unwrap(), "{path:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_game_is_resumed_between_any_slices(plan in plan()) {
        compare(&Web::<true, false>::from(plan), true, |solver| solver.solve_as::<Dense>());
        let reversed = Web::<false, true>::from(plan);
        compare(&reversed, false, |solver| solver.solve_as::<Dense>());
        let memory = least_memory(&reversed);
        compare(&reversed, true, |solver| solver.memory(memory).solve_as::<Dense>());
    }
}
