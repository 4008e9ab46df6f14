//! Inputs that could hang the program or control a terminal: pipes in place of files, and control
//! characters in arguments.

#![cfg(unix)]

use std::fs;
use std::process::Command;

use crate::program::{Folder, Run, retrograde};

/// Makes a pipe that nobody writes to.
fn pipe(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo starts");
    assert!(made.success());
}

/// Calls the program, and ends it if it hangs.
fn run_for_seconds(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = Command::new("timeout");
    command.args(["20", env!("CARGO_BIN_EXE_retrograde")]).args(arguments);
    Run::of(command.current_dir(folder.path(".")).output().expect("timeout starts"))
}

#[test]
fn a_pipe_in_place_of_a_table_is_refused_at_once() {
    let folder = Folder::new();
    pipe(&folder, "pipe");
    fs::create_dir(folder.path("tiers")).expect("a folder");
    pipe(&folder, "tiers/manifest.json");
    for table in ["pipe", "tiers"] {
        for command in ["probe", "verify", "stats", "play", "draw"] {
            let run = run_for_seconds(&folder, &[command, table]);
            run.assert_refused(1, &[table, "not a regular file"]);
        }
        run_for_seconds(&folder, &["verify", "--bytes", table])
            .assert_refused(1, &["not a regular file"]);
    }
    // A pipe does no harm to the search for a file with a similar name.
    let missing = run_for_seconds(&folder, &["probe", "pip"]);
    missing.assert_refused(1, &["pip: can't open the file"]);
}

#[test]
fn a_pipe_is_not_written_to_nor_read_as_a_checkpoint() {
    let folder = Folder::new();
    pipe(&folder, "pipe");
    let solve = ["solve", "hexapawn"];
    let run = |options: &[&str]| run_for_seconds(&folder, &[&solve[..], options].concat());
    run(&["-o", "pipe"]).assert_refused(1, &["pipe", "not a regular file"]);
    run(&["-o", "table.rtb", "--checkpoint", "pipe"]).assert_refused(1, &["pipe"]);
    for name in ["checkpoint.lock", "levels.checkpoint"] {
        let folder = Folder::new();
        fs::create_dir(folder.path("saved")).expect("a folder");
        pipe(&folder, &format!("saved/{name}"));
        let save = [&solve[..], &["--checkpoint", "saved"], &["-o", "table.rtb"]].concat();
        run_for_seconds(&folder, &save).assert_refused(1, &["saved"]);
    }
}

#[test]
fn a_table_is_read_from_standard_input_where_that_is_a_file() {
    let folder = Folder::with_small_table();
    let table = fs::File::open(folder.path("table.rtb")).expect("a table");
    let mut command = folder.command(&["probe", "/dev/stdin", "-q"]);
    Run::of(command.stdin(table).output().expect("the program starts")).answer();
}

/// Checks that an error is short, and has no control characters but line ends.
#[track_caller]
fn assert_harmless(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{run:?}");
    let bad = run.stderr.chars().find(|&letter| letter.is_control() && letter != '\n');
    assert_eq!(bad, None, "{run:?}");
    assert!(run.stderr.len() < 10_000, "{} bytes", run.stderr.len());
}

#[test]
fn control_characters_of_arguments_do_not_reach_the_terminal() {
    let folder = Folder::with_small_table();
    let rude = "\u{1b}]0;title\u{7}\r\u{202e}x";
    for (arguments, code) in [
        (&["probe", rude][..], 1),
        (&["probe", "table.rtb", rude], 2),
        (&["play", "table.rtb", "--as", rude], 2),
        (&["solve", rude], 2),
        (&[rude], 2),
        (&["games", rude], 2),
        (&["solve", "mnk", "-m", rude], 2),
        (&["solve", "mnk", rude], 2),
        (&["solve", "cat-mouse", "--graph", rude], 1),
        (&["solve", "hexapawn", "--memory", rude], 2),
    ] {
        let run = folder.run(arguments);
        assert_harmless(&run, code);
        assert!(run.stderr.contains("\\r\\u{202e}x"), "{run:?}");
        assert!(!run.stderr.contains('\u{202e}'), "{run:?}");
    }
}

#[test]
fn an_echo_is_cut_where_it_is_long_and_advice_behind_it_stays() {
    let folder = Folder::with_small_table();
    // Nearly the longest single argument.
    let long = "é".repeat(60_000);
    for (arguments, code) in [
        (&["probe", "table.rtb", &long][..], 2),
        (&["solve", &long], 2),
        (&["solve", "mnk", &long], 2),
        (&["games", &long], 2),
        (&["play", "table.rtb", "--as", &long], 2),
    ] {
        let run = folder.run(arguments);
        assert_harmless(&run, code);
        assert!(run.stderr.contains(" characters left out]"), "{run:?}");
    }
    let advice = "expected one of ";
    let run = folder.run(&["play", "table.rtb", "--as", &long]);
    assert!(run.stderr.trim_end().ends_with("both") && run.stderr.contains(advice), "{run:?}");
}

#[test]
fn usual_errors_are_printed_as_they_are() {
    let run = retrograde(&["probe", "no\u{e9}.rtb"]);
    assert!(run.stderr.contains("no\u{e9}.rtb"), "{run:?}");
}
