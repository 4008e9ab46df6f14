//! Ctrl-C: the program stops, and the earlier files are still there.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Folder, Run};

/// The longest wait for the program on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A grid of nodes as the graph of Cat and Mouse. With a side of 64 the game has 33 million states,
/// and even optimized code takes seconds to solve it.
pub(crate) fn large_graph(side: usize) -> String {
    let list = |node: usize| {
        let (row, column) = (node / side, node % side);
        let around = [
            (row > 0).then(|| node - side),
            (row + 1 < side).then(|| node + side),
            (column > 0).then(|| node - 1),
            (column + 1 < side).then(|| node + 1),
        ];
        around.into_iter().flatten().collect::<Vec<_>>()
    };
    serde_json::to_string(&(0..side * side).map(list).collect::<Vec<_>>()).expect("JSON")
}

/// Starts to solve the large game into `out.rtb`, and returns once the solve is well under way.
fn start(folder: &Folder) -> Child {
    folder.write("large.json", large_graph(64));
    let files = || fs::read_dir(folder.path(".")).expect("a folder").count();
    let before = files();
    let mut command = folder.command(&["solve", "cat-mouse", "--graph", "large.json"]);
    command.args(["-o", "out.rtb", "--force"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    // The temporary file shows that the program has read the game and handles signals.
    let begin = Instant::now();
    while files() == before {
        assert!(begin.elapsed() < PATIENCE, "no temporary file appears");
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(100));
    child
}

/// Sends a signal to the program, as `kill` does.
pub(crate) fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.expect("a kill command").success());
}

/// Waits for the program to end.
pub(crate) fn end_of(mut child: Child) -> Run {
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > PATIENCE {
            child.kill().expect("a child to kill");
            panic!("the program does not stop");
        }
        sleep(Duration::from_millis(5));
    }
    Run::of(child.wait_with_output().expect("the program's output"))
}

#[test]
fn ctrl_c_ends_a_solve_and_leaves_no_file() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let child = start(&folder);
        send(signal, &child);
        end_of(child).assert_refused(1, &["interrupted"]);
        assert_eq!(folder.contents().len(), 1, "{:?}", folder.contents().keys());
    }
}

#[test]
fn ctrl_c_preserves_the_table_that_was_to_be_replaced() {
    let folder = Folder::new();
    folder.write("out.rtb", "what was there before");
    let child = start(&folder);
    send("-INT", &child);
    end_of(child).assert_refused(1, &["interrupted"]);
    assert_eq!(folder.read("out.rtb"), b"what was there before");
    assert_eq!(folder.contents().len(), 2, "{:?}", folder.contents().keys());
}

#[test]
fn times_and_folders_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    folder.write("file", "");
    let solve = ["solve", "quixo", "--size", "2", "--checkpoint"];
    for time in ["10", "-5s", "soon", ""] {
        let run = folder.run(&[&solve[..], &["saved", "--checkpoint-every", time]].concat());
        run.assert_refused(2, &["--checkpoint-every", "as in 90s, 10m or 1h30m"]);
    }
    folder.run(&[&solve[..], &["file"]].concat()).assert_refused(1, &["file: can't make"]);
    folder
        .run(&["solve", "quixo", "--checkpoint-every", "9s"])
        .assert_refused(2, &["--checkpoint"]);
    let tiers = ["solve", "chess", "KQvK", "--checkpoint", "saved"];
    folder.run(&tiers).assert_refused(2, &["--output"]);
    assert_eq!(folder.contents().len(), 1, "{:?}", folder.contents().keys());
}

#[test]
fn ctrl_c_writes_a_checkpoint_and_says_how_to_resume() {
    let folder = Folder::new();
    folder.write("park.json", large_graph(32));
    let solve = ["solve", "cat-mouse", "--graph", "park.json", "-o", "out.rtb"];
    folder.run(&solve).answer();
    let expected = folder.read("out.rtb");
    let solve = [&solve[..], &["--checkpoint", "saved", "--threads", "1"]].concat();
    let mut command = folder.command(&solve);
    command.args(["--checkpoint-every", "0s"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    let begin = Instant::now();
    while !folder.path("saved/levels.checkpoint").exists() {
        assert!(begin.elapsed() < PATIENCE, "no checkpoint appears");
        sleep(Duration::from_millis(1));
    }
    send("-INT", &child);
    end_of(child).assert_refused(1, &["saved in saved", "run the same command again to resume"]);
    let run = folder.run(&solve);
    assert!(run.stderr.contains("resuming from a checkpoint: "), "{run:?}");
    run.answer();
    assert!(folder.read("out.rtb") == expected);
    assert_eq!(folder.contents().len(), 3, "{:?}", folder.contents().keys());
}

#[test]
fn ctrl_c_ends_an_exploration_with_the_plies_that_are_complete() {
    for (options, form) in
        [(&[][..], ", interrupted after ply "), (&["--json"], "\"interrupted\":true")]
    {
        let folder = Folder::new();
        let mut command = folder.command(&["explore", "mnk", "-m", "5", "-n", "5"]);
        command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        sleep(Duration::from_secs(1));
        send("-INT", &child);
        let run = end_of(child);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.contains("interrupted: the figures are of the plies 0 to "), "{run:?}");
        assert!(run.stdout.contains(form), "{run:?}");
        if options.is_empty() {
            assert!(
                run.stdout.contains("\n      1              25               0          24.00\n")
            );
        }
    }
}

#[test]
fn a_large_game_that_is_solved_for_nothing_says_so() {
    let folder = Folder::new();
    folder.write("large.json", large_graph(64));
    let mut command = folder.command(&["solve", "cat-mouse", "--graph", "large.json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut notes = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut note = String::new();
    while !note.contains("the table is not kept; add -o FILE to keep it\n") {
        note.clear();
        assert!(notes.read_line(&mut note).expect("text") > 0, "no such note");
    }
    send("-INT", &child);
    assert_eq!(end_of(child).code, Some(1));
}
