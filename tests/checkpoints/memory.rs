//! Memory that is enough for cells of one byte, but not for cells of two.

use std::cell::Cell;
use std::ops::ControlFlow;

use kit::web::{Plan, Web};
use kit::{Graph, bytes, narrow_cells};
use retrograde::scheme::Dense;
use retrograde::solve::Progress;
use retrograde::table::Checkpoints;
use retrograde::{Outcome, Player, SolveError, Solver};

#[test]
fn a_run_that_has_no_room_for_wider_cells_is_resumed_with_more() {
    for end in [Outcome::Win(Player::First), Outcome::Draw] {
        let [walk, short] = [400, 150].map(|length| Graph::<true, false>::walk(length, end));
        Solver::new(&short).memory(narrow_cells(&short)).solve_as::<Dense>().unwrap();
        let memory = narrow_cells(&walk);
        let folder = tempfile::tempdir().unwrap();
        let expected = bytes(&Solver::new(&walk).solve_as::<Dense>().unwrap(), folder.path());
        let mut checkpoints = Checkpoints::in_folder(folder.path().join("kept")).unwrap();
        let (planned, resumed) = (Cell::new(0), Cell::new(false));
        let mut solve = |memory| {
            let watch = |progress| {
                match progress {
                    Progress::Planned(plan) => planned.set(plan.widened),
                    Progress::Resumed(_) => resumed.set(true),
                    _ => {}
                }
                ControlFlow::Continue(())
            };
            let solver = Solver::new(&walk).memory(memory).checkpoints(&mut checkpoints).unwrap();
            solver.on_progress(watch).solve_as::<Dense>()
        };
        let refused = solve(memory).map(|_| ());
        let Err(SolveError::WideningOverLimit { tier: None, states, level, needed, allowed }) =
            refused
        else {
            panic!("{refused:?}")
        };
        assert_eq!((states, allowed), (401, memory));
        assert_eq!(needed, memory + 401);
        assert_eq!(planned.get(), needed, "it is told beforehand");
        assert!((180..200).contains(&level), "{level}");
        // One byte less is not enough, and nothing is lost.
        assert_eq!(solve(needed - 1).map(|_| ()).unwrap_err().to_string().lines().count(), 1);
        assert!(resumed.take());
        assert!(bytes(&solve(needed).unwrap(), folder.path()) == expected);
        assert!(resumed.get());
    }
}

#[test]
fn states_with_many_moves_are_refused_where_only_narrow_cells_fit() {
    let (endless, reach) = (Outcome::Draw, None);
    let plan = Plan { seed: 7, size: 2_000, reach, endless, moves: 200, alternating: true };
    let game = Web::<true, false>::from(plan);
    let memory = narrow_cells(&game);
    let solve = |memory| Solver::new(&game).memory(memory).solve_as::<Dense>().map(|_| ());
    let Err(SolveError::OverLimit { states, needed, .. }) = solve(memory) else {
        panic!("not refused")
    };
    assert_eq!(needed, memory + states);
    assert!(matches!(solve(needed - 1), Err(SolveError::OverLimit { .. })));
    solve(needed).unwrap();
}
