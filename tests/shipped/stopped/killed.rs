//! Runs that are killed again and again, at random times, and started again with the same command.
//! The result is the same, byte for byte, and no other files are left.
//!
//! How often a game is killed depends on `RETROGRADE_TESTS`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use kit::Random;

use crate::program::Folder;

/// The number of kills for each game, by effort.
const KILLS: [u32; 3] = [2, 6, 25];

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder to list") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).expect("a file to read"));
        }
    }
    found
}

/// Solves a game into `out` and remembers the files. Then removes them and solves the game again
/// with runs that are killed. Returns the number of runs that resumed from a checkpoint.
fn kill(arguments: &[&str], seed: u64) -> usize {
    let folder = Folder::new();
    let arguments = [&["solve"], arguments, &["-o", "out", "--checkpoint", "saved"]].concat();
    let arguments = [&arguments[..], &["--checkpoint-every", "0s"]].concat();
    let begin = Instant::now();
    folder.run(&arguments).answer();
    let took = begin.elapsed();
    let expected = files(&folder.path("."));
    assert!(expected.keys().all(|path| path.starts_with(folder.path("out"))), "{arguments:?}");

    let wanted = kit::by_effort(KILLS);
    let (mut random, mut kills, mut resumed) = (Random(seed), 0, 0);
    // All runs may be killed before a checkpoint exists.
    while kills < wanted || (resumed == 0 && kills < 20 * wanted) {
        let out = folder.path("out");
        if out.is_dir() { fs::remove_dir_all(out) } else { fs::remove_file(out) }
            .expect("what was solved is removed");
        loop {
            let mut command = folder.command(&arguments);
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the program starts");
            sleep(took.mul_f64(random.share()) + Duration::from_millis(1));
            // The run may have ended before.
            child.kill().expect("a child to kill");
            let output = child.wait_with_output().expect("a child");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!said.contains("error") && !said.contains("panicked"), "{said}");
            resumed += usize::from(said.contains("resuming from a checkpoint"));
            if output.status.success() {
                break;
            }
            kills += 1;
        }
        let found = files(&folder.path("."));
        assert!(found.keys().eq(expected.keys()), "{:?}", found.keys());
        assert!(found == expected, "another table");
    }
    resumed
}

#[test]
fn a_game_with_predecessors() {
    let arguments = ["cat-mouse-grid", "--grid", GRID, "--cat-jump", "2", "--mouse-jump", "3"];
    assert!(kill(&arguments, 1) > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_in_scratch_files() {
    let arguments = ["cat-mouse-grid", "--grid", GRID, "--cat-jump", "2", "--mouse-jump", "3"];
    let in_files = ["--memory", "50kB", "--scratch", "."];
    assert!(kill(&[&arguments[..], &in_files].concat(), 6) > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_in_tiers_and_scratch_files() {
    assert!(kill(&["chess", "KRvK", "--memory", "50kB", "--scratch", "."], 7) > 0);
}

/// A grid with some hundred thousand states.
pub(crate) const GRID: &str = r##"[
    "M...#..........C", "......#.........", ".##.......#.....", "....#.....#.....", "......#.........",
    "..#......##.....", "....#...........", ".........#......", "..#......#......", "......#.......F."
]"##;

#[test]
fn a_game_without_predecessors_whose_states_are_discovered() {
    assert!(kill(&["hexapawn", "-m", "4", "-n", "5"], 2) > 0);
}

#[test]
fn a_game_in_tiers() {
    assert!(kill(&["chess", "KRvK"], 3) > 0);
}

#[cfg(feature = "numberings")]
#[test]
fn a_game_in_its_own_numbering() {
    assert!(kill(&["mnk", "-m", "4", "-n", "3", "-k", "3", "--numbering", "dense"], 4) > 0);
}

#[cfg(feature = "numberings")]
#[test]
fn a_game_in_tiers_whose_states_are_discovered() {
    let board = ["connect-four", "-m", "4", "-n", "4", "-k", "3"];
    assert!(kill(&[&board[..], &["--numbering", "packed-tiers"]].concat(), 5) > 0);
}
