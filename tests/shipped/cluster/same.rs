//! The same file, from any number of processes and threads.

use crate::program::{Folder, Run};

/// A graph with a few nodes more than LeetCode's. Many of its positions are endless.
const PARK: &str = "[[2,6],[2,4,5,6],[0,1,3,5,6],[2,7],[1,5,6],[1,2,4,6],[0,1,2,4,5],[3]]";

fn compare(arguments: &[&str]) {
    let folder = Folder::new();
    let solve = |more: &[&str]| folder.run(&[&["solve"], arguments, more].concat());
    let alone = solve(&["-q", "-o", "alone.rtb"]).answer();
    for (processes, threads) in [("2", "1"), ("3", "2")] {
        let options = ["--processes", processes, "--threads", threads, "-q", "-o", "together.rtb"];
        let together = solve(&options).answer();
        let without_seconds = |line: &str| line.split("; from").last().map(str::to_owned);
        assert_eq!(without_seconds(&together), without_seconds(&alone));
        assert_eq!(
            folder.read("together.rtb"),
            folder.read("alone.rtb"),
            "{arguments:?} by {processes} processes"
        );
        assert_eq!(folder.contents().len(), 2, "{:?}", folder.contents().keys());
    }
}

#[test]
fn games_by_a_formula_are_the_same() {
    compare(&["cat-mouse", "--graph", PARK]);
    compare(&["mnk", "--numbering", "dense"]);
    compare(&["quixo", "--size", "3"]);
}

#[test]
fn games_of_discovered_states_are_the_same() {
    compare(&["mnk"]);
    compare(&["connect-four", "-m", "4", "-n", "3", "-k", "3"]);
    compare(&["hexapawn"]);
    // Enough positions for each process, and symmetries.
    compare(&["mnk", "-m", "4", "-n", "3", "-k", "3"]);
}

#[test]
fn more_positions_than_allowed_are_refused_as_by_one_process() {
    let folder = Folder::new();
    let solve = |more: &[&str]| {
        let arguments = ["solve", "mnk", "-m", "4", "-n", "3", "-k", "3", "--max-states", "20000"];
        folder.run(&[&arguments, more].concat())
    };
    let alone = solve(&["-o", "a.rtb"]);
    alone.assert_refused(1, &["20000"]);
    let together = solve(&["-o", "a.rtb", "--processes", "3"]);
    together.assert_refused(1, &["20000"]);
    let error = |run: &Run| {
        let error = run.stderr.lines().find(|line| line.starts_with("error: "));
        error.expect("an error").to_owned()
    };
    assert_eq!(error(&together), error(&alone));
    assert!(folder.contents().is_empty(), "{:?}", folder.contents().keys());
}

#[test]
fn games_without_predecessors_are_the_same() {
    compare(&["chess", "KQvK", "--numbering", "packed"]);
}

#[test]
fn games_in_tiers_are_the_same_and_resume() {
    for (game, numbering, first) in [
        (&["chess", "KQvK"][..], "tiers", None),
        (&["connect-four", "-m", "4", "-n", "3", "-k", "3"], "tiers", None),
        (&["morris", "--board", "six", "--men", "3"], "tiers", Some("1-1-2-2")),
        (&["connect-four", "-m", "4", "-n", "3", "-k", "3"], "packed-tiers", Some("9-stones")),
        (&["mnk", "-m", "4", "-n", "3", "-k", "3"], "packed-tiers", None),
    ] {
        let folder = Folder::new();
        let solve = |more: &[&str]| {
            folder.run(&[&["solve"], game, &["--numbering", numbering], more].concat()).answer()
        };
        solve(&["-o", "alone"]);
        if let Some(first) = first {
            // Some of the tiers are solved before, by one process or by several.
            solve(&["-o", "together", "--tier", first]);
            solve(&["-o", "together", "--tier", first, "--processes", "2"]);
        }
        solve(&["-o", "together", "--processes", "3", "--threads", "1"]);
        assert_same_folders(&folder, "alone", "together");
        if let Some(first) = first {
            // One process goes on after several have stopped.
            solve(&["-o", "mixed", "--tier", first, "--processes", "2"]);
            solve(&["-o", "mixed"]);
            assert_same_folders(&folder, "alone", "mixed");
        }
    }
}

#[test]
fn games_with_points_are_the_same() {
    compare(&["othello"]);
    for game in [
        &["othello", "--fold", "--numbering", "packed-tiers"][..],
        &["awari", "--seeds", "6"],
        &["kalah", "--houses", "3", "--seeds", "2"],
        &["dots-and-boxes", "-m", "2", "-n", "2"],
    ] {
        let folder = Folder::new();
        let solve = |more: &[&str]| folder.run(&[&["solve"], game, more].concat()).answer();
        solve(&["-o", "alone"]);
        for (processes, together) in [("2", "two"), ("3", "three")] {
            solve(&["-o", together, "--processes", processes, "--threads", "1"]);
            assert_same_folders(&folder, "alone", together);
        }
    }
}

fn assert_same_folders(folder: &Folder, alone: &str, together: &str) {
    let files = |name: &str| {
        let entries = std::fs::read_dir(folder.path(name)).expect("a folder to list");
        let read = |path: std::path::PathBuf| {
            let content = std::fs::read(&path).expect("a file to read");
            (path.file_name().expect("a name").to_owned(), content)
        };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.map(read).collect::<std::collections::BTreeMap<_, _>>()
    };
    let (alone, together) = (files(alone), files(together));
    assert!(alone.keys().eq(together.keys()), "{:?} {:?}", alone.keys(), together.keys());
    assert!(alone == together);
}

#[test]
fn tiers_that_one_process_has_no_room_for_are_shared() {
    // A tier is written by one run, and read by the next one.
    for (game, memory, first) in [
        (&["connect-four", "-m", "4", "-n", "4", "-k", "3"][..], "70kB", "9-stones"),
        (&["morris", "--board", "six", "--men", "3"], "20kB", "1-1-2-2"),
    ] {
        let folder = Folder::new();
        let solve = |more: &[&str]| {
            let run = folder.run(&[&["solve"], game, &["--numbering", "tiers"], more].concat());
            let notes = run.stderr.clone();
            run.answer();
            notes
        };
        solve(&["-o", "alone"]);
        let two = ["-o", "together", "--processes", "2", "--threads", "1"];
        let whole = sent(&solve(&two));
        std::fs::remove_dir_all(folder.path("together")).expect("a folder to remove");
        let with_little = [&two[..], &["--memory", memory]].concat();
        let shared = sent(&solve(&with_little));
        assert!(shared > whole, "{shared} messages, and {whole} where nothing is looked up");
        assert_same_folders(&folder, "alone", "together");
        std::fs::remove_dir_all(folder.path("together")).expect("a folder to remove");
        solve(&["-o", "together", "--tier", first]);
        solve(&with_little);
        assert_same_folders(&folder, "alone", "together");
    }
}

/// The number of messages between processes that a run reports.
fn sent(notes: &str) -> u64 {
    let (_, rest) = notes.split_once("the processes sent each other ").expect("a note");
    let (count, _) = rest.split_once(" messages").expect("a number of messages");
    count.replace(',', "").parse().expect("a number")
}

#[test]
fn distances_beyond_what_a_byte_holds_are_the_same() {
    // A cat that is led along a path of 120 nodes.
    let node = |at: usize| match at {
        0 => "[1]".to_owned(),
        119 => "[118]".to_owned(),
        at => format!("[{},{}]", at - 1, at + 1),
    };
    let path: Vec<String> = (0..120).map(node).collect();
    let graph = format!("[{}]", path.join(","));
    compare(&["cat-mouse", "--graph", &graph, "--mouse", "60", "--cat", "119", "--stuck", "draw"]);
}

#[test]
fn outcomes_are_written_beside_and_in_place() {
    let folder = Folder::new();
    let small = ["solve", "cat-mouse", "--graph", PARK];
    let solve = |more: &[&str]| folder.run(&[&small, more].concat()).answer();
    solve(&["-o", "alone.rtb", "--outcomes-only=alone-outcomes.rtb"]);
    solve(&["-o", "two.rtb", "--outcomes-only=two-outcomes.rtb", "--processes", "2"]);
    solve(&["-o", "place.rtb", "--outcomes-only", "--processes", "2"]);
    assert_eq!(folder.read("alone.rtb"), folder.read("two.rtb"));
    assert_eq!(folder.read("alone-outcomes.rtb"), folder.read("two-outcomes.rtb"));
    assert_eq!(folder.read("alone-outcomes.rtb"), folder.read("place.rtb"));
}

#[test]
fn what_several_processes_can_t_do_is_refused_before_any_work() {
    let folder = Folder::new();
    let refused = |arguments: &[&str], says: &[&str]| {
        folder
            .run(&[&["solve", "mnk", "--processes", "2"], arguments].concat())
            .assert_refused(2, says);
    };
    refused(&[], &["--output"]);
    refused(&["-o", "a.rtb", "--checkpoint-every", "1s"], &["--checkpoint"]);
    folder
        .run(&["solve", "mnk", "-o", "there/is/none.rtb", "--processes", "2"])
        .assert_refused(1, &["folder"]);
    folder
        .run(&["solve", "mnk", "-o", "a.rtb", "--processes", "0"])
        .assert_refused(2, &["--processes"]);
    assert!(folder.contents().is_empty());
}
