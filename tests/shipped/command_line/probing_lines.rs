//! `probe` with positions from standard input.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::program::{Folder, Run, SMALL_GRAPH};

const PROBE: [&str; 3] = ["probe", "table.rtb", "-"];

/// All positions of the small graph that the notation can write.
fn positions() -> Vec<String> {
    let nodes = || 0..4;
    let turns = |mouse: i32, cat: i32| ["mouse", "cat"].map(|turn| format!("{mouse},{cat},{turn}"));
    nodes().flat_map(|mouse| (1..4).flat_map(move |cat| turns(mouse, cat))).collect()
}

/// The objects of the output, one a line.
fn objects(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn each_position_is_answered_as_alone() {
    let folder = Folder::with_small_table();
    let states = positions();
    let input = states.join("\n");
    let text = folder.run_with_input(&PROBE, input.as_bytes()).answer();
    assert_eq!(text.lines().count(), 24);
    for (state, line) in states.iter().zip(text.lines()) {
        let alone = folder.run(&["probe", "table.rtb", state, "-q"]).answer();
        assert_eq!(line, format!("{state}: {}", alone.trim_end()));
    }
    let quiet = folder.run_with_input(&[&PROBE[..], &["-q"]].concat(), input.as_bytes());
    assert_eq!(quiet.answer(), text);
    let json = folder.run_with_input(&[&PROBE[..], &["--json"]].concat(), input.as_bytes());
    for (state, object) in states.iter().zip(objects(&json.answer())) {
        assert_eq!(object, folder.run(&["probe", "table.rtb", state, "--json"]).json());
    }
}

#[test]
fn tables_of_all_kinds_answer() {
    let folder = Folder::new();
    folder.run(&["solve", "mnk", "-o", "mnk.rtb", "--outcomes-only=outcomes.rtb"]).answer();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    for (table, states) in [
        ("mnk.rtb", &["x../..o/...", ".../.../...", "xxx/oo./..."][..]),
        ("outcomes.rtb", &["xxx/oo./...", "x../..o/..."]),
        ("rook", &["8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/K7 w - - 0 1"]),
    ] {
        let probe = ["probe", table, "-", "--json"];
        let objects =
            objects(&folder.run_with_input(&probe, states.join("\n").as_bytes()).answer());
        assert_eq!(objects.len(), states.len());
        for (state, object) in states.iter().zip(objects) {
            assert_eq!(object, folder.run(&["probe", table, state, "--json"]).json(), "{table}");
        }
    }
}

#[test]
fn lines_without_an_answer_are_named_and_the_others_answered() {
    let folder = Folder::with_small_table();
    let run = folder.run_with_input(&PROBE, b"1,2,mouse\n\n1,2,dog\r\n\xff\n  \n3,2,cat\r\n");
    assert_eq!(run.stdout, "1,2,mouse: mouse wins in 1 ply\n3,2,cat: cat wins in 1 ply\n");
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 3, "{run:#?}");
    let alone = folder.run(&["probe", "table.rtb", "1,2,dog"]).stderr;
    assert_eq!(Some(errors[0].replacen("line 3: ", "", 1).as_str()), alone.lines().next());
    assert!(errors[1].starts_with("error: line 4: not UTF-8: "), "{run:#?}");
    assert_eq!(errors[2], "error: no answer to 2 of 4 positions");
    assert_eq!(run.code, Some(2));

    let run = folder.run_with_input(&[&PROBE[..], &["--json"]].concat(), b"1,2,dog\n3,2,cat\n");
    let [wrong, right] = &objects(&run.stdout)[..] else { panic!("{run:#?}") };
    assert_eq!(wrong["state"], "1,2,dog");
    assert!(wrong["error"].as_str().is_some_and(|error| error.contains("dog")), "{run:#?}");
    assert_eq!(
        *right,
        json!({ "state": "3,2,cat", "outcome": "cat", "plies": 1, "decided_by": "play" })
    );
    assert_eq!(run.code, Some(2));
}

#[test]
fn a_position_that_the_table_lacks_is_an_error_of_its_line() {
    let folder = Folder::new();
    folder.run(&["solve", "mnk", "-o", "mnk.rtb"]).answer();
    let input = b".../.../...\nxxx/ooo/...\nx../.../...\n";
    let run = folder.run_with_input(&["probe", "mnk.rtb", "-"], input);
    assert_eq!(run.stdout.lines().count(), 2, "{run:#?}");
    assert!(run.stderr.contains("error: line 2: ") && run.stderr.contains("xxx/ooo/..."));
    assert!(run.stderr.ends_with("error: no answer to 1 of 3 positions\n"), "{run:#?}");
    assert_eq!(run.code, Some(1));
}

#[test]
fn nothing_is_answered_where_nothing_is_asked() {
    let folder = Folder::with_small_table();
    for input in ["", "\n", "\r\n \n"] {
        assert_eq!(folder.run_with_input(&PROBE, input.as_bytes()).answer(), "");
    }
}

#[test]
fn positions_are_drawn_where_that_is_asked_for() {
    let folder = Folder::with_small_table();
    let board = folder.run_with_input(&[&PROBE[..], &["--board"]].concat(), b"1,2,mouse\n");
    let picture = "mouse on 1, cat on 2, hole 0; mouse to move\n";
    assert_eq!(board.answer(), format!("1,2,mouse: mouse wins in 1 ply\n{picture}"));
}

#[test]
fn many_positions_are_answered_in_their_order() {
    let folder = Folder::with_small_table();
    let states = positions();
    let once = folder.run_with_input(&PROBE, states.join("\n").as_bytes()).answer();
    // Several batches, and more than the capacity of a pipe.
    let times = 10_000;
    folder.write("positions", (states.join("\n") + "\n").repeat(times));
    let mut command = folder.command(&PROBE);
    command.stdin(File::open(folder.path("positions")).expect("a file"));
    let answer = Run::of(command.output().expect("the program starts")).answer();
    assert!(answer == once.repeat(times), "{} bytes", answer.len());
}

#[test]
fn an_answer_does_not_wait_for_the_next_question() {
    let folder = Folder::with_small_table();
    let mut command = folder.command(&PROBE);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut typed = child.stdin.take().expect("a pipe");
    let mut shown = BufReader::new(child.stdout.take().expect("a pipe"));
    for (state, verdict) in [("1,2,mouse", "mouse wins in 1 ply"), ("3,2,cat", "cat wins in 1 ply")]
    {
        writeln!(typed, "{state}").expect("it reads");
        let mut line = String::new();
        shown.read_line(&mut line).expect("it answers");
        assert_eq!(line, format!("{state}: {verdict}\n"));
    }
    drop(typed);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn it_ends_where_nobody_reads_the_answers() {
    let folder = Folder::with_small_table();
    let mut command = folder.command(&PROBE);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut typed = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    writeln!(typed, "1,2,mouse").expect("it reads");
    // It ends although more positions could follow.
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    drop(typed);
}

#[test]
fn the_start_of_the_graph_is_still_probed_without_a_position() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "-o", "table.rtb"];
    folder.run(&solve).answer();
    let run = folder.run_with_input(&["probe", "table.rtb", "-q"], b"3,2,cat\n");
    assert_eq!(run.answer(), "mouse wins in 1 ply\n");
}
