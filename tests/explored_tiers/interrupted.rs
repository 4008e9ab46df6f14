//! Runs in tiers that are stopped, in the search or after it.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use kit::files;
use retrograde::scheme::{Hashed, Packed, Scheme, Tiers};
use retrograde::solve::{Progress, Resumed};
use retrograde::table::Checkpoints;
use retrograde::{SolveError, Solver, TableError};

use super::{Castle, FLOORS, ROOMS, castle, solve_into};

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_and_ends_in_the_same_files() {
    if kit::PLAIN {
        return;
    }
    stop_anywhere::<Tiers<Packed>>();
    stop_anywhere::<Tiers<Hashed>>();
}

fn stop_anywhere<S: Scheme<Castle>>() {
    let game = castle(ROOMS);
    let expected = tempfile::tempdir().unwrap();
    Solver::new(&game).solve_into_as::<S>(expected.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut stopped, mut found) = (0, 0);
    for reports in (0..).step_by(3) {
        let mut left = reports;
        let solver = Solver::new(&game).on_progress(|_| {
            left -= 1;
            if left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match solver.solve_into_as::<S>(folder.path()) {
            Ok(tiers) => {
                found = tiers.iter().filter(|tier| tier.found).count();
                break;
            }
            Err(TableError::Solve(SolveError::Interrupted)) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
        // Files are left only together with a manifest.
        let files = files(folder.path());
        assert!(files.is_empty() || files.contains_key("manifest.json"), "{:?}", files.keys());
    }
    assert!(stopped > 10 && found > 0, "{stopped} times, {found} tiers");
    assert!(files(expected.path()) == files(folder.path()));
}

#[test]
fn a_search_goes_on_after_each_ply_of_each_tier() {
    // Moves are recorded until the search is to be saved, or never.
    goes_on_anywhere::<Tiers<Packed>>(&kit::some(&[1 << 30, 400_000], 0));
    // They are recorded by the runs that do not go on.
    goes_on_anywhere::<Tiers<Hashed>>(&[1 << 30]);
}

fn goes_on_anywhere<S: Scheme<Castle>>(memory: &[u64]) {
    let game = castle(kit::few(300, ROOMS));
    let expected = tempfile::tempdir().unwrap();
    Solver::new(&game).solve_into_as::<S>(expected.path()).unwrap();
    let found = files(expected.path());
    for &memory in memory {
        let folder = tempfile::tempdir().unwrap();
        let [tables, kept] = ["tables", "kept"].map(|name| folder.path().join(name));
        let states = tables.join("floor-4.states");
        let (mut resumed, mut is_to_lose, mut was_lost) = (Vec::new(), true, false);
        loop {
            let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
            let (mut plies, mut went_on) = (0, None);
            let watch = |progress| {
                match progress {
                    Progress::Resumed(Resumed::Searching { tier, states, .. }) => {
                        assert!(tier.is_some());
                        went_on = Some(states);
                    }
                    Progress::Hashed { .. } => plies += 1,
                    _ => {}
                }
                // The ply before is saved.
                if plies == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let solver = Solver::new(&game).memory(memory).threads(1 + resumed.len() % 3);
            let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(watch);
            match solver.solve_into_as::<S>(&tables) {
                Err(TableError::Solve(SolveError::Interrupted)) => {}
                solved => {
                    resumed.extend(went_on);
                    assert_eq!(solved.unwrap().len(), FLOORS as usize);
                    assert!(checkpoints.is_empty());
                    break;
                }
            }
            assert!(!checkpoints.is_empty() && !tables.join("manifest.json").exists());
            resumed.extend(went_on);
            // The search of the tier at the top is over, and then its states are lost.
            if is_to_lose && states.exists() {
                fs::remove_file(&states).unwrap();
                assert!(resumed.is_sorted() && resumed.len() > 3, "{resumed:?}");
                (resumed, is_to_lose) = (Vec::new(), false);
                was_lost = true;
            } else if std::mem::take(&mut was_lost) {
                assert_eq!(went_on, None, "without the states of a tier");
            }
        }
        assert!(!is_to_lose && resumed.is_sorted(), "{resumed:?}");
        assert!(resumed.len() > 10, "{resumed:?}");
        assert!(files(&tables) == found);
    }
}

#[test]
fn a_run_in_tiers_leaves_the_checkpoint_of_one_without_alone() {
    let game = castle(300);
    let folder = tempfile::tempdir().unwrap();
    let [tables, kept] = ["tables", "kept"].map(|name| folder.path().join(name));
    let whole = |stops: bool| {
        let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
        let (mut went_on, mut levels) = (false, 0);
        let watch = |progress| {
            went_on |= matches!(progress, Progress::Resumed(_));
            levels += u32::from(matches!(progress, Progress::Settling { .. }));
            if stops && levels > 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let solver = Solver::new(&game).checkpoints(&mut checkpoints).unwrap().on_progress(watch);
        let solved = solver.solve_as::<Packed>().is_ok();
        (solved, went_on)
    };
    assert_eq!(whole(true), (false, false));
    let mut checkpoints = Checkpoints::in_folder(&kept).unwrap().interval(Duration::ZERO);
    solve_into(Solver::new(&game).checkpoints(&mut checkpoints).unwrap(), &tables).unwrap();
    drop(checkpoints);
    assert_eq!(whole(false), (true, true));
}
