//! A checkpoint that can't be resumed is refused with the reason, and stays in its place.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kit::Graph;
use kit::web::{Plan, Web};
use retrograde::error::CheckpointError;
use retrograde::solve::Progress;
use retrograde::table::Checkpoints;
use retrograde::{Indexed, Outcome, Player, SolveError, Solver, Stored, scheme};

/// A walk of 21 states.
fn walk() -> Graph<true, false> {
    Graph::walk(20, Outcome::Win(Player::First))
}

fn solve<G: Indexed + Stored>(game: &G, folder: &Path) -> Result<u64, SolveError> {
    let mut checkpoints = Checkpoints::in_folder(folder)?;
    let solution = Solver::new(game).checkpoints(&mut checkpoints)?.solve_as::<scheme::Dense>()?;
    Ok(solution.summary().states())
}

/// A folder with the checkpoint of a game that was interrupted in its first level.
fn interrupted<G: Indexed + Stored>(game: &G, memory: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
    let mut checkpoints = checkpoints.interval(Duration::ZERO);
    let solver = Solver::new(game).memory(memory).checkpoints(&mut checkpoints).unwrap();
    let stop = |progress| match progress {
        Progress::Settling { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let solved = solver.on_progress(stop).solve_as::<scheme::Dense>().map(|_| ());
    assert_eq!(solved, Err(SolveError::Interrupted));
    let path = folder.path().join("levels.checkpoint");
    assert!(path.exists());
    (folder, path)
}

#[track_caller]
fn refused<G: Indexed + Stored>(game: &G, folder: &Path) -> CheckpointError {
    let before = fs::read(folder.join("levels.checkpoint")).unwrap();
    let error = match solve(game, folder) {
        Err(SolveError::Checkpoint(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(fs::read(folder.join("levels.checkpoint")).unwrap(), before);
    assert!(error.to_string().contains(&folder.display().to_string()), "{error}");
    error
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let (folder, _) = interrupted(&walk(), u64::MAX);
    let longer = Graph::<true, false>::walk(21, Outcome::Win(Player::First));
    let CheckpointError::OfAnother { found, asked, .. } = refused(&longer, folder.path()) else {
        panic!("another error")
    };
    assert!(found.contains("walk") && found.contains("\"length\":21"), "{found}");
    assert!(asked.contains("walk") && asked.contains("\"length\":22"), "{asked}");
    let (endless, reach) = (Outcome::Draw, None);
    let plan = Plan { seed: 7, size: 20, reach, endless, moves: 5, alternating: true };
    let web = Web::<true, true>::from(plan);
    assert!(matches!(refused(&web, folder.path()), CheckpointError::OfAnother { .. }));
    let mut checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
    let same = walk();
    let explored =
        Solver::new(&same).checkpoints(&mut checkpoints).unwrap().solve_as::<scheme::Hashed>();
    let error = explored.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("of graph {"), "{error}");
    assert!(error.to_string().contains("dense numbering, not of"), "{error}");
    drop(checkpoints);
    assert_eq!(solve(&walk(), folder.path()), Ok(21), "nothing is lost");
}

#[test]
fn another_method_than_the_one_that_was_begun_is_refused() {
    let (endless, reach) = (Outcome::Draw, None);
    let plan = Plan { seed: 7, size: 200, reach, endless, moves: 5, alternating: true };
    let web = Web::<false, true>::from(plan);
    let (folder, _) = interrupted(&web, u64::MAX);
    let Err(SolveError::OverLimit { needed, .. }) =
        Solver::new(&web).memory(0).solve_as::<scheme::Dense>()
    else {
        panic!("no least memory")
    };
    let mut checkpoints = Checkpoints::in_folder(folder.path()).unwrap();
    let solver = Solver::new(&web).memory(needed).checkpoints(&mut checkpoints).unwrap();
    let error = solver.solve_as::<scheme::Dense>().map(|_| ()).unwrap_err();
    let needs_edges = matches!(error, SolveError::Checkpoint(CheckpointError::NeedsEdges { .. }));
    assert!(needs_edges, "{error}");
    // A run that was begun without edges is resumed without them, with any amount of memory.
    let (folder, _) = interrupted(&web, needed);
    assert_eq!(solve(&web, folder.path()), Ok(200));
}

#[test]
fn a_folder_that_another_run_uses_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = Checkpoints::in_folder(folder.path()).unwrap();
    let second = Checkpoints::in_folder(folder.path()).unwrap_err();
    assert!(matches!(second, CheckpointError::InUse { .. }), "{second}");
    drop(first);
    assert!(Checkpoints::in_folder(folder.path()).is_ok());
    let file = folder.path().join("a file");
    fs::write(&file, "").unwrap();
    let error = Checkpoints::in_folder(&file).unwrap_err();
    let CheckpointError::Io { action, error, .. } = error else { panic!("{error}") };
    assert_eq!(action, "make the folder");
    assert!(error.as_io().raw_os_error().is_some(), "{error}");
}

#[test]
fn every_damage_is_found() {
    let (folder, path) = interrupted(&walk(), u64::MAX);
    let intact = fs::read(&path).unwrap();
    for at in 0..intact.len() {
        for bit in [0, 3, 7] {
            let mut damaged = intact.clone();
            damaged[at] ^= 1 << bit;
            fs::write(&path, damaged).unwrap();
            let error = refused(&walk(), folder.path());
            let expected = match at {
                0..16 => matches!(error, CheckpointError::Foreign { .. }),
                _ => matches!(error, CheckpointError::Damaged { .. }),
            };
            assert!(expected, "bit {bit} of byte {at}: {error}");
        }
        fs::write(&path, &intact[..at]).unwrap();
        refused(&walk(), folder.path());
    }
    fs::write(&path, [&intact[..], &[0]].concat()).unwrap();
    assert!(matches!(refused(&walk(), folder.path()), CheckpointError::Damaged { .. }));
    fs::write(&path, &intact).unwrap();
    assert_eq!(solve(&walk(), folder.path()), Ok(21));
}

#[test]
fn files_of_others_stay_when_checkpoints_are_cleared() {
    let (folder, path) = interrupted(&walk(), u64::MAX);
    let others = ["model.checkpoint", "levels-7.checkpoint"].map(|name| folder.path().join(name));
    for other in &others {
        fs::write(other, "dear reader").unwrap();
    }
    Checkpoints::in_folder(folder.path()).unwrap().clear().unwrap();
    assert!(!path.exists());
    for other in &others {
        assert_eq!(fs::read(other).unwrap(), b"dear reader");
    }
}
