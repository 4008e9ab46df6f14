//! `--start`: a game that begins with a position of a person's choice.

use serde_json::{Value as Json, json};

use crate::program::{Folder, Run, SMALL_GRAPH, retrograde};

/// Connect Four with 8 of 16 stones on the board, yellow to move.
const START: &str = "..../.o../xxo./oxxo";

/// Each discovering game with a position to begin with, and a numbering that discovers states.
const GAMES: &[(&[&str], &str)] = &[
    (&["chess", "KQvK", "--numbering", "packed"], "8/8/8/8/8/1K6/3Q4/k7 b - - 0 1"),
    (&["connect-four", "-m", "4", "-n", "4"], START),
    #[cfg(feature = "numberings")]
    (&["connect-four", "-m", "4", "-n", "4", "--numbering", "packed-tiers"], START),
    (
        &["dobutsu", "--no-elephants", "--no-giraffes", "--numbering", "packed"],
        ".l./.c./.C./.L.,-,sente",
    ),
    (&["hexapawn", "-m", "3", "-n", "3"], "bbb/w../.ww,black"),
    (&["kalah", "--houses", "3", "--seeds", "3"], "3-0-0/0-1-2,north"),
    (&["mnk", "-m", "3", "-n", "3"], "x.o/.x./..."),
    #[cfg(feature = "numberings")]
    (&["mnk", "-m", "3", "-n", "3", "--numbering", "packed-tiers"], "x.o/.x./..."),
    (
        &["morris", "--board", "six", "--men", "3", "--numbering", "packed"],
        "w../.b./..../.../...,2-2,white",
    ),
    (&["othello", "-m", "4", "-n", "4", "--fold"], ".xo./.xo./.xo./....,black"),
];

fn solve(folder: &Folder, game: &[&str], more: &[&str]) -> Run {
    folder.run(&[&["solve"], game, &["--json"], more].concat())
}

#[test]
fn every_discovering_game_begins_with_any_position() {
    let is_quick = |game: &[&str]| ["hexapawn", "mnk"].contains(&game[0]);
    for &(game, start) in GAMES.iter().filter(|(game, _)| !kit::PLAIN || is_quick(game)) {
        let folder = Folder::new();
        let part = solve(&folder, game, &["--start", start, "-o", "part"]).json();
        let explored = folder.run(&[&["explore"], game, &["--json", "--start", start]].concat());
        assert_eq!(part["states"], explored.json()["states"], "{game:?}");
        assert_eq!(part["start"]["state"], json!(start), "{game:?}: {part}");
        // The table remembers where play begins.
        let probed = folder.run(&["probe", "part", "--json"]).json();
        assert_eq!(
            (&probed["state"], &probed["outcome"]),
            (&json!(start), &part["start"]["outcome"])
        );
        let stats = folder.run(&["stats", "part", "--json"]).json();
        assert_eq!(stats["parameters"]["start"], json!(start), "{game:?}: {stats}");
        folder.run(&["verify", "part", "--quiet"]).answer();
        folder.run(&[&["laws"], game, &["--quiet", "--start", start]].concat()).answer();
    }
}

#[test]
fn the_values_are_those_of_the_whole_game() {
    let folder = Folder::new();
    let game = ["connect-four", "-m", "4", "-n", "4"];
    let whole = solve(&folder, &game, &["-o", "whole.rtb"]).json();
    let part = solve(&folder, &game, &["--start", START, "-o", "part.rtb"]).json();
    let states = |answer: &Json| answer["states"].as_u64().unwrap();
    assert!(states(&part) < states(&whole) / 100, "{part} {whole}");
    let line = |table: &str| folder.run(&["line", table, START, "--json"]).answer();
    assert_eq!(line("part.rtb"), line("whole.rtb"));
    let moves = |table: &str| folder.run(&["moves", table, START, "--json"]).answer();
    assert_eq!(moves("part.rtb"), moves("whole.rtb"));
    // Positions that play can't reach from there are not in the table.
    let empty = "..../..../..../....";
    folder.run(&["probe", "part.rtb", empty]).assert_refused(1, &["not in the table"]);
    // A mirror image is another start.
    let other = "..../..o./.oxx/oxxo";
    solve(&folder, &game, &["--start", other, "-o", "other.rtb"]).json();
    assert_ne!(folder.read("part.rtb"), folder.read("other.rtb"));
}

#[cfg(feature = "numberings")]
#[test]
fn a_folder_of_tiers_is_not_resumed_from_another_start() {
    let folder = Folder::new();
    let game = ["connect-four", "-m", "4", "-n", "4", "--numbering", "packed-tiers"];
    solve(&folder, &game, &["--start", START, "-o", "tiers"]).json();
    let again = solve(&folder, &game, &["--start", START, "-o", "tiers"]).json();
    assert_eq!(again["start"]["state"], json!(START));
    let mirrored = "..../..o./.oxx/oxxo";
    for other in [&["--start", mirrored][..], &[]] {
        let refused = solve(&folder, &game, &[other, &["-o", "tiers"]].concat());
        refused.assert_refused_in_json(1, &["the table of another game", "\"start\":"]);
    }
}

#[test]
fn a_start_needs_a_numbering_that_discovers_states() {
    let start = ["--start", START];
    for command in ["solve", "laws"] {
        let board = ["connect-four", "-m", "4", "-n", "4", "--numbering", "tiers"];
        let tiers = [&[command], &board[..], &start].concat();
        retrograde(&tiers).assert_refused(2, &["--start needs a numbering", "packed"]);
    }
    // The usual numbering of chess endings is a formula.
    let chess = ["solve", "chess", "KQvK", "--start", "8/8/8/8/8/1K6/3Q4/k7 b - - 0 1"];
    retrograde(&chess).assert_refused(2, &["\"tiers\"", "--numbering packed"]);
    let graph = ["--graph", SMALL_GRAPH];
    for (game, more) in [("awari", &[][..]), ("cat-mouse", &graph), ("quixo", &[])] {
        retrograde(&[&["solve", game, "--start", "anything"], more].concat())
            .assert_refused(2, &[&format!("{game} has no option --start"), "formula", "probe"]);
    }
    retrograde(&["solve", "mnk", "--start", "x.o"]).assert_refused(2, &["--start: ", "rows"]);
}

#[test]
fn a_start_where_play_is_over_is_told() {
    let start = ["--start", "xxx/oo./..."];
    for command in ["solve", "explore", "laws"] {
        let run = retrograde(&[&[command, "mnk"][..], &start].concat());
        assert!(
            run.stderr.contains("note: play is over in the root, so that only 1 state was found"),
            "{run:?}"
        );
        run.answer();
        let run = retrograde(&[&[command, "mnk", "--quiet"][..], &start].concat());
        assert_eq!(run.stderr, "");
    }
    #[cfg(feature = "numberings")]
    for options in [["solve", "packed-tiers"], ["explore", "dense"]] {
        let [command, numbering] = options;
        let run = retrograde(&[command, "mnk", "--numbering", numbering, "--start", start[1]]);
        assert!(run.stderr.contains("only 1 state was found"), "{run:?}");
    }
    assert!(!retrograde(&["solve", "mnk"]).stderr.contains("play is over"));
}
