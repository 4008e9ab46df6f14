//! Tiers whose discovered states take more memory than is allowed: coded, and in scratch files.

#![cfg(target_os = "linux")]

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;

use kit::files;
use retrograde::scheme::{Packed, Tiers};
use retrograde::solve::Progress;
use retrograde::table::Destination;
use retrograde::{SolveError, Solver, TableError};

use super::{Castle, castle, solve, solve_into, wide};

/// What the plans of a run say: whether states were coded, and the most bytes of scratch files.
type Seen = (bool, u64);

/// Solves the game with this much memory, and then with less and less.
fn has_one_folder(game: &Castle, mut memory: u64) {
    let folder = tempfile::tempdir().unwrap();
    let [expected, scratch] = ["expected", "scratch"].map(|name| folder.path().join(name));
    fs::create_dir(&scratch).unwrap();
    solve(game, &expected);
    let expected = files(&expected);
    let run = |memory: u64, in_files: bool| -> Result<Seen, TableError> {
        let tables = folder.path().join(format!("{memory}-{in_files}"));
        let (coded, length) = (Cell::new(false), Cell::new(0));
        let watch = |progress| {
            if let Progress::Planned(plan) = progress {
                coded.set(coded.get() || plan.coded);
                length.set(length.get().max(plan.scratch));
            }
            ControlFlow::Continue(())
        };
        let solver = Solver::new(game).threads(2).memory(memory).on_progress(watch);
        let solver = if in_files { solver.scratch(&scratch) } else { solver };
        solve_into(solver, &tables)?;
        assert!(files(&tables) == expected, "{memory} bytes, in files: {in_files}");
        assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
        Ok((coded.get(), length.get()))
    };
    assert_eq!(run(1 << 30, false).unwrap(), (false, 0));
    // Until not even coded states fit.
    let mut coded = 0;
    let in_scratch = loop {
        match run(memory, false) {
            Ok(seen) => coded += u32::from(seen == (true, 0)),
            Err(TableError::Solve(SolveError::OverLimit { in_scratch, needed, .. })) => {
                assert!(needed > memory);
                break in_scratch.expect("a figure");
            }
            Err(error) => panic!("{memory}: {error}"),
        }
        memory = memory / 4 * 3;
    };
    assert!(coded > 0 && in_scratch < memory, "{coded} times, {in_scratch} of {memory}");
    // What is enough beside files may be too little for the search before the solve.
    for memory in [memory, in_scratch.max(memory / 4 * 3)] {
        let (coded, length) = run(memory, true).unwrap();
        assert!(coded && length > memory / 2, "{memory}: {length} bytes of files");
    }
    let solved_before = folder.path().join("solved-before");
    let solver = Solver::new(game).threads(2);
    solver
        .solve_into_as::<Tiers<Packed>>(Destination::at(&solved_before).only_tier("floor-0"))
        .unwrap();
    solve_into(Solver::new(game).memory(in_scratch).scratch(&scratch), &solved_before).unwrap();
    assert!(files(&solved_before) == expected, "{in_scratch} bytes");
}

#[test]
fn states_are_coded_or_in_files_where_memory_is_short() {
    let rooms = kit::few(6_000, 20_000);
    let game = castle(rooms);
    has_one_folder(&game, u64::from(rooms) * 100);
    if !kit::PLAIN {
        has_one_folder(&wide(&game), u64::from(rooms) * 200);
    }
}
