//! Solves whose cells and frontiers are in scratch files: the same table, byte for byte.

#![cfg(target_os = "linux")]

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use kit::web::{Plan, Web};
use kit::{bytes, few, some};
use retrograde::scheme::Packed;
use retrograde::solve::{Method, Progress};
use retrograde::table::Checkpoints;
use retrograde::{Outcome, Player, SolveError, Solver};

/// Solves a game in files, and returns the bytes of its table and the length of the files.
fn in_files<const P: bool, const D: bool>(
    game: &Web<P, D>,
    threads: usize,
    memory: u64,
    folder: &Path,
) -> Result<(Vec<u8>, u64), SolveError> {
    let length = Cell::new(0);
    let watch = |progress| {
        if let Progress::Planned(plan) = progress {
            match plan.method {
                Method::Predecessors => assert!(P),
                Method::ReverseEdges { passes, .. } => assert!(!P && passes == 1, "{plan:?}"),
                Method::Forward => panic!("the moves are not listed"),
                _ => panic!("another method"),
            }
            assert_eq!(plan.allowed, Some(memory));
            if let Some(forecast) = plan.forecast {
                // Moves go to files and back where cells are in files; with more memory, none are.
                let a_move = if memory < 2_000_000 { 4 } else { 0 };
                assert_eq!(forecast.traffic, a_move * forecast.edges);
            }
            assert!(plan.bytes <= memory && plan.widened <= memory, "{plan:?}");
            length.set(plan.scratch);
        }
        ControlFlow::Continue(())
    };
    let solver = Solver::new(game).threads(threads).memory(memory).scratch(folder);
    let solution = solver.on_progress(watch).solve()?;
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "scratch files have no names");
    let table = tempfile::tempdir().unwrap();
    Ok((bytes(&solution, table.path()), length.get()))
}

/// A game of many states whose moves lead far, or near.
fn plan(seed: u64) -> Plan {
    let endless = [Outcome::Draw, Outcome::Win(Player::First)][seed as usize % 2];
    let reach = [None, Some(300)][seed as usize / 2 % 2];
    let size = few(150_000, 400_000);
    Plan { seed, size, reach, endless, moves: 6, alternating: seed.is_multiple_of(3) }
}

fn has_one_table<const P: bool, const D: bool>(plan: Plan) {
    let game = Web::<P, D>::from(plan);
    let table = tempfile::tempdir().unwrap();
    let expected = bytes(&Solver::new(&game).solve().unwrap(), table.path());
    let refused = Solver::new(&game).memory(0).scratch(table.path()).solve().map(|_| ());
    let Err(SolveError::OverLimit { needed, states, .. }) = refused else { panic!("{refused:?}") };
    assert!(needed < states / 2, "{needed} bytes for {states} states");
    let folder = tempfile::tempdir().unwrap();
    let trial = plan.seed as usize;
    for threads in some(&[1, 2, 3], trial) {
        for memory in some(&[needed, states / 2, states], trial + threads) {
            let (written, length) = in_files(&game, threads, memory, folder.path()).unwrap();
            assert!(written == expected, "{threads} threads, {memory} bytes, {plan:?}");
            // A game without predecessors has its moves in files, too.
            let least = if P { 2 } else { 6 };
            assert!(length >= least * states, "{length} bytes for {states} states");
        }
    }
}

#[test]
fn a_game_has_one_table_in_files_and_in_memory() {
    for seed in 0..kit::by_effort([2, 4, 8]) {
        match seed % 2 {
            0 => has_one_table::<true, true>(plan(seed)),
            _ => has_one_table::<true, false>(plan(seed)),
        }
        // Listing the moves takes time.
        if seed % 2 == 0 {
            has_one_table::<false, true>(plan(seed));
        }
    }
}

#[test]
fn with_room_nothing_is_in_files() {
    let game = Web::<true, true>::from(Plan { size: 2_000, ..plan(1) });
    let folder = tempfile::tempdir().unwrap();
    let (_, length) = in_files(&game, 1, 10 << 20, folder.path()).unwrap();
    assert_eq!(length, 0);
}

#[test]
fn a_run_in_files_goes_on_in_memory_and_the_other_way() {
    let plan = Plan { size: few(30_000, 400_000), ..plan(0) };
    goes_on_elsewhere(&Web::<true, true>::from(plan));
    goes_on_elsewhere(&Web::<false, true>::from(plan));
}

fn goes_on_elsewhere<const P: bool>(game: &Web<P, true>) {
    let folders = [0; 3].map(|_| tempfile::tempdir().unwrap());
    let [scratch, kept, table] = folders.each_ref().map(|folder| folder.path());
    let expected = bytes(&Solver::new(game).solve().unwrap(), table);
    for files_first in [true, false] {
        let (mut runs, mut resumed) = (0, false);
        let written = loop {
            let mut checkpoints = Checkpoints::in_folder(kept).unwrap().interval(Duration::ZERO);
            let (is_in_files, mut levels) = (files_first == (runs % 2 == 0), 0);
            let watch = |progress| {
                resumed |= matches!(progress, Progress::Resumed(_));
                levels += u32::from(matches!(progress, Progress::Checkpointing { done: 0, .. }));
                if levels == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let solver = Solver::new(game).threads(2).on_progress(watch);
            let solver = match is_in_files {
                true => solver.memory(few(60_000, 300_000)).scratch(scratch),
                false => solver,
            };
            match solver.checkpoints(&mut checkpoints).unwrap().solve() {
                Ok(solution) => break bytes(&solution, table),
                Err(error) => assert_eq!(error, SolveError::Interrupted),
            }
            runs += 1;
        };
        assert!(runs > 1 && resumed);
        assert!(written == expected);
        fs::remove_dir_all(kept).unwrap();
    }
}

/// Cells that fit into memory stay there.
#[test]
fn moves_alone_are_in_files_if_cells_fit() {
    let game = Web::<false, true>::from(Plan { size: 300_000, ..plan(0) });
    let folders = [0; 2].map(|_| tempfile::tempdir().unwrap());
    let [scratch, table] = folders.each_ref().map(|folder| folder.path());
    let expected = bytes(&Solver::new(&game).solve().unwrap(), table);
    let (written, length) = in_files(&game, 2, 2_500_000, scratch).unwrap();
    assert!(written == expected);
    assert!(length > 3_000_000, "{length}");
}

/// Too few bytes for the states of a search, of which most then are in files.
#[test]
fn states_that_are_discovered_are_in_files_where_memory_is_short() {
    let game = Web::<false, true>::from(Plan { size: few(30_000, 400_000), ..plan(0) });
    let folders = [0; 3].map(|_| tempfile::tempdir().unwrap());
    let [scratch, kept, table] = folders.each_ref().map(|folder| folder.path());
    let expected = bytes(&Solver::new(&game).solve_as::<Packed>().unwrap(), table);
    let memory = few(100_000, 900_000);
    let refused = Solver::new(&game).memory(memory).solve_as::<Packed>().map(|_| ());
    let refused = refused.unwrap_err();
    let is_told = matches!(refused, SolveError::ExplorationOverLimit { in_scratch: true, .. });
    assert!(is_told, "{refused}");
    for stops in [false, true] {
        let mut resumed = 0;
        let written = loop {
            let mut checkpoints = Checkpoints::in_folder(kept).unwrap().interval(Duration::ZERO);
            let mut saved = 0;
            let watch = |progress| {
                resumed += u32::from(matches!(progress, Progress::Resumed(_)));
                saved += u32::from(matches!(progress, Progress::Checkpointing { done: 0, .. }));
                if stops && saved == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let solver = Solver::new(&game).threads(2).memory(memory).scratch(scratch);
            let solver = solver.checkpoints(&mut checkpoints).unwrap().on_progress(watch);
            match solver.solve_as::<Packed>() {
                Ok(solution) => break bytes(&solution, table),
                Err(error) => assert_eq!(error, SolveError::Interrupted),
            }
        };
        assert!(written == expected);
        assert_eq!(resumed > 2, stops, "{resumed}");
        fs::remove_dir_all(kept).unwrap();
    }
}

#[test]
fn folders_that_are_not_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none");
    let game = Web::<true, true>::from(plan(0));
    is_refused(Solver::new(&game).memory(300_000).scratch(&missing).solve(), &missing);
    let game = Web::<false, true>::from(plan(0));
    is_refused(Solver::new(&game).memory(300_000).scratch(&missing).solve(), &missing);
    // Here only the moves would be in files.
    is_refused(Solver::new(&game).memory(1_000_000).scratch(&missing).solve(), &missing);
}

fn is_refused<T>(solved: Result<T, SolveError>, missing: &Path) {
    let Err(SolveError::Scratch { folder, needed, .. }) = solved.map(|_| ()) else {
        panic!("it is solved");
    };
    assert_eq!(folder, missing.display().to_string());
    assert!(needed >= 300_000);
}

/// What a plan says of the other ways is enough for them.
#[test]
fn a_plan_names_the_memory_of_other_ways() {
    let game = Web::<false, true>::from(Plan { size: 300_000, ..plan(0) });
    let folders = [0; 2].map(|_| tempfile::tempdir().unwrap());
    let [scratch, table] = folders.each_ref().map(|folder| folder.path());
    let first_plan = |memory: u64, in_files: bool| {
        let plan = Cell::new(None);
        let solver = Solver::new(&game).threads(2).memory(memory).on_progress(|progress| {
            if let Progress::Planned(planned) = progress {
                plan.set(plan.get().or(Some(planned)));
            }
            ControlFlow::Continue(())
        });
        let solver = if in_files { solver.scratch(scratch) } else { solver };
        (bytes(&solver.solve().unwrap(), table), plan.get().unwrap())
    };
    let (expected, plan) = first_plan(2_500_000, false);
    let forecast = plan.forecast.unwrap();
    assert_eq!(plan.method, Method::Forward);
    let others: Vec<_> = forecast.alternatives().collect();
    assert_eq!(others.iter().map(|other| other.in_files).collect::<Vec<_>>(), [false, false, true]);
    for (other, passes) in others.iter().zip([1, 2, 1]) {
        let (written, planned) = first_plan(other.memory, other.in_files);
        assert!(written == expected);
        let Method::ReverseEdges { passes: planned_passes, .. } = planned.method else {
            panic!("{planned:?}")
        };
        assert_eq!((planned_passes, planned.scratch > 0), (passes, other.in_files), "{other:?}");
        let rest: Vec<_> = planned.forecast.unwrap().alternatives().collect();
        // With a folder, what does not fit goes there, and nothing is listed again.
        assert_eq!(rest.len(), if other.in_files { 1 } else { 3 }, "{rest:?}");
        assert!(
            rest.iter().all(|way| (way.method, way.in_files) != (planned.method, other.in_files))
        );
    }
    assert!(others[0].memory > others[1].memory && others[1].memory > others[2].memory);
    assert!(others[0].time < others[1].time);
}
