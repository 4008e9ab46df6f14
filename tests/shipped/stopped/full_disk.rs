//! A full disk or a used-up quota: an error, and the earlier files stay.

#![cfg(unix)]

use std::process::Command;

use super::killed::GRID;
use crate::program::{Folder, Run};

/// Calls the program with a limit on the size of every file, as on a full disk.
fn with_room_for(folder: &Folder, kilobytes: u32, arguments: &[&str]) -> Run {
    let mut shell = Command::new("bash");
    shell.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &kilobytes.to_string()]);
    shell.arg(env!("CARGO_BIN_EXE_retrograde")).args(arguments);
    let output = shell.current_dir(folder.path(".")).output().expect("bash starts");
    Run::of(output)
}

/// The table has 62 kB. Before that, the saved states have 96 kB and the levels 19 kB.
const SOLVE: [&str; 8] = ["solve", "hexapawn", "-m", "4", "-n", "5", "-o", "out.rtb"];

#[test]
fn a_table_that_does_not_fit_leaves_the_one_before() {
    let folder = Folder::new();
    folder.write("out.rtb", "what was there before");
    let solve = [&SOLVE[..], &["--force"]].concat();
    with_room_for(&folder, 40, &solve).assert_refused(1, &["out.rtb: can't write the table"]);
    assert_eq!(folder.read("out.rtb"), b"what was there before");
    assert_eq!(folder.contents().len(), 1, "{:?}", folder.contents().keys());
}

#[test]
fn a_checkpoint_that_does_not_fit_leaves_the_one_before() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse-grid", "--grid", GRID, "--cat-jump", "2", "--mouse-jump", "3"];
    let solve = [&solve[..], &["-o", "out.rtb", "--checkpoint", "saved"]].concat();
    let solve = [&solve[..], &["--checkpoint-every", "0s"]].concat();
    // The first checkpoint takes 6 kB, and the second 8 kB.
    let run = with_room_for(&folder, 7, &solve);
    run.assert_refused(1, &["saved", "checkpoint", "can't write the file"]);
    assert!(!folder.path("out.rtb").exists());
    // The earlier checkpoint is intact.
    let run = folder.run(&solve);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("resuming from a checkpoint: level 1 is next"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn scratch_files_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse-grid", "--grid", GRID, "--memory", "50kB", "--scratch", "."];
    let run = with_room_for(&folder, 20, &solve);
    run.assert_refused(
        1,
        &["scratch files of", "can't be made, written or read in ., where", "are free"],
    );
    assert!(folder.contents().is_empty());
    let missing = [&solve[..7], &["none"]].concat();
    folder
        .run(&missing)
        .assert_refused(1, &["scratch files of", "can't be made, written or read in none"]);
    folder.run(&solve).answer();
}

#[test]
fn what_was_solved_is_kept_where_its_table_does_not_fit() {
    let folder = Folder::new();
    let solve = [&SOLVE[..], &["--checkpoint", "saved"]].concat();
    with_room_for(&folder, 40, &solve).assert_refused(1, &["out.rtb: can't write the table"]);
    let run = folder.run(&solve);
    assert!(run.stderr.contains("states are solved"), "{run:?}");
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// Checks that a run failed to write. `stats` has printed its answer before.
#[track_caller]
fn assert_not_written(run: &Run, says: &str) {
    assert!(run.code == Some(1) && run.stderr.contains(says), "{run:?}");
}

#[test]
fn pictures_that_do_not_fit_leave_those_before() {
    let folder = Folder::new();
    folder.run(&["solve", "hexapawn", "-o", "table.rtb"]).answer();
    for (command, options) in [
        ("draw", &["-o", "one"][..]),
        ("stats", &["--svg", "one"]),
        ("stats", &["--html", "one"]),
        ("stats", &["--svg", "one", "--html", "two"]),
    ] {
        let call = [&[command, "table.rtb"][..], options].concat();
        folder.run(&call).answer();
        let before = folder.contents();
        assert_not_written(&with_room_for(&folder, 0, &call), "one: can't write the file");
        assert!(folder.contents() == before, "{call:?}");
        for name in ["one", "two"] {
            let _ = std::fs::remove_file(folder.path(name));
        }
    }
    // The picture fits, but not the page.
    let call = ["stats", "table.rtb", "--svg", "one", "--html", "two"];
    folder.run(&call).answer();
    let before = folder.contents();
    let page = before[&folder.path("two")].as_ref().expect("a page").len();
    let picture = before[&folder.path("one")].as_ref().expect("a picture").len();
    let kilobytes = page.div_ceil(1024) - 1;
    assert!(picture < kilobytes * 1024, "{picture} {page}");
    std::fs::write(folder.path("one"), "<svg").expect("a file to write");
    assert_not_written(&with_room_for(&folder, kilobytes as u32, &call), "two: can't write");
    assert_eq!(folder.read("one"), b"<svg");
}
