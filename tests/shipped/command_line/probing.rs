//! `probe`, `moves`, `line`, `stats`, `verify` and `laws`: answers from a stored table.

use serde_json::{Value as Json, json};

use crate::oracle::{self, Known};
use crate::program::{Folder, SMALL_GRAPH, retrograde};

#[test]
fn every_answer_about_the_small_graph_is_as_it_has_always_been() {
    let folder = Folder::with_small_table();
    let position = |state: &str, outcome: &str, plies: u32| json!({ "state": state, "outcome": outcome, "plies": plies, "decided_by": "play" });
    let parameters = json!({
        "graph": [[1, 3], [0], [3], [0, 2]],
        "directed": false, "mouse": 1, "cat": 2, "hole": 0, "stuck": "draw",
    });
    let distances = [(0, 6, 6), (1, 6, 1), (2, 0, 2)]
        .map(|(plies, won, lost)| json!({ "plies": plies, "won": won, "lost": lost }));
    let table: &[(&[&str], Json)] = &[
        (&["probe"], position("1,2,mouse", "mouse", 1)),
        (&["probe", "3,2,cat"], position("3,2,cat", "cat", 1)),
        (&["probe", " 0, 2 ,cat "], position("0,2,cat", "mouse", 0)),
        (&["probe", "2,2,mouse"], position("2,2,mouse", "cat", 0)),
        (
            &["probe", "2,1,cat"],
            json!({ "state": "2,1,cat", "outcome": "draw", "plies": null, "decided_by": "play" }),
        ),
        (
            &["moves"],
            json!({
                "position": position("1,2,mouse", "mouse", 1),
                "moves": [
                    { "move": "mouse 1-0", "state": "0,2,cat", "outcome": "mouse", "plies": 0, "decided_by": "play" },
                ],
            }),
        ),
        (
            &["moves", "3,2,mouse"],
            json!({
                "position": position("3,2,mouse", "mouse", 1),
                "moves": [
                    { "move": "mouse 3-0", "state": "0,2,cat", "outcome": "mouse", "plies": 0, "decided_by": "play" },
                    { "move": "mouse 3-2", "state": "2,2,cat", "outcome": "cat", "plies": 0, "decided_by": "play" },
                ],
            }),
        ),
        (
            &["moves", "0,2,cat"],
            json!({ "position": position("0,2,cat", "mouse", 0), "moves": [] }),
        ),
        (
            &["line", "2,3,mouse"],
            json!({
                "position": position("2,3,mouse", "cat", 1),
                "line": [
                    {
                        "move": "mouse 2-3", "state": "3,3,cat", "outcome": "cat", "plies": 0, "decided_by": "play",
                        "only": false,
                    },
                ],
                "end": "over",
                "repeats_ply": null,
            }),
        ),
        (
            &["stats"],
            json!({
                "game": "cat-mouse",
                "parameters": parameters,
                "numbering": "dense",
                "states": 24,
                "wins": { "mouse": 12, "cat": 9 },
                "draws": 3,
                "endless": 0,
                "beyond_ply_limit": 0,
                "longest_plies": 2,
                "to_move": { "won": 12, "lost": 9, "drawn": 3 },
                "distances": distances,
                "bytes": folder.read("table.rtb").len(),
            }),
        ),
        (&["verify"], json!({ "verified": true, "states": 24, "seconds": null })),
    ];
    for (command, expected) in table {
        let arguments = [&command[..1], &["table.rtb", "--json"], &command[1..]].concat();
        let mut answer = folder.run(&arguments).json();
        if let Some(seconds) = answer.get_mut("seconds") {
            assert!(seconds.take().is_number());
        }
        assert_eq!(answer, *expected, "{command:?}");
        // The text is for people, and may change.
        let arguments = [&command[..1], &["table.rtb"], &command[1..]].concat();
        let text = folder.run(&arguments).answer();
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
    }
}

#[test]
fn the_text_of_an_answer_names_the_outcome() {
    let folder = Folder::with_small_table();
    let table: &[(&[&str], &[&str])] = &[
        (&["probe", "table.rtb"], &["1,2,mouse", "mouse to move", "mouse wins in 1 ply"]),
        (&["probe", "table.rtb", "2,1,cat"], &["draw"]),
        (&["moves", "table.rtb", "3,2,mouse"], &["mouse 3-0", "mouse has won", "cat has won"]),
        (&["moves", "table.rtb", "0,2,cat"], &["play is over"]),
        (&["line", "table.rtb"], &["mouse 1-0", "over: mouse has won"]),
        (&["stats", "table.rtb"], &["cat-mouse", "24 states", "dense", "2 plies"]),
        (
            &["stats", "table.rtb", "--examples", "1"],
            &["farthest from the end\n", " wins in 2 plies"],
        ),
        (&["verify", "table.rtb"], &["table.rtb", "24 states"]),
        (&["verify", "table.rtb", "--bytes"], &["table.rtb", "as they were written"]),
        (&["laws", "cat-mouse", "--graph", SMALL_GRAPH], &["keeps the laws", "20 states"]),
    ];
    for (arguments, says) in table {
        let text = folder.run(arguments).answer();
        for part in *says {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }
}

#[test]
fn as_many_of_the_farthest_positions_are_shown_as_the_option_says() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    folder.run(&["solve", "hexapawn", "-o", "pawns.rtb"]).answer();
    for (table, longest) in [("rook", 32), ("pawns.rtb", 6)] {
        let stats = folder.run(&["stats", table, "--examples", "5", "--json"]).json();
        let farthest = stats["distances"].as_array().expect("a list").last().expect("a distance");
        assert_eq!(farthest["plies"], longest);
        let all = farthest["won"].as_u64().unwrap() + farthest["lost"].as_u64().unwrap();
        let examples = stats["examples"].as_array().expect("a list");
        assert_eq!(examples.len() as u64, all.min(5));
        for example in examples {
            let state = example["state"].as_str().expect("a text");
            assert_eq!(folder.run(&["probe", table, state, "--json"]).json(), *example);
            assert_eq!(example["plies"], longest);
        }
        let plain = folder.run(&["stats", table, "--json"]).json();
        assert!(plain.get("examples").is_none());
    }
}

#[test]
fn the_laws_are_checked_on_all_states_or_on_a_sample() {
    let laws = ["laws", "cat-mouse", "--json", "--graph", SMALL_GRAPH];
    let without = json!({ "lawful": true, "states": 20, "moves": 9, "predecessors": 22 });
    assert_eq!(retrograde(&laws).json(), without);
    let laws = [&laws[..], &["--stuck", "draw"]].concat();
    let all = json!({ "lawful": true, "states": 24, "moves": 12, "predecessors": 26 });
    assert_eq!(retrograde(&laws).json(), all);
    let sample =
        |seed| retrograde(&[&laws[..], &["--sample", "7", "--seed", seed]].concat()).json();
    assert_eq!(sample("5")["states"], 7);
    assert_eq!(sample("5"), sample("5"));
    assert_eq!(retrograde(&["laws", "mnk", "--json"]).json()["moves"], 16_167);
}

/// Checks that `line` shows best play from the start.
fn assert_best_play(folder: &Folder, known: &Known) {
    let answer = folder.run(&["line", "table.rtb", "--json"]).json();
    let steps = answer["line"].as_array().expect("a list of steps");
    let position = &answer["position"];
    assert_eq!(
        (&position["outcome"], &position["plies"]),
        (&json!(known.outcome), &json!(known.plies))
    );
    // Under best play only the number of plies that are left changes.
    for (ply, step) in (1..).zip(steps) {
        let left = known.plies.map(|plies| plies - ply);
        assert_eq!((&step["outcome"], &step["plies"]), (&json!(known.outcome), &json!(left)));
        let mover = if ply % 2 == 1 { "mouse " } else { "cat " };
        assert!(step["move"].as_str().is_some_and(|text| text.starts_with(mover)), "{answer}");
    }
    let states: Vec<&str> =
        [position].into_iter().chain(steps).filter_map(|step| step["state"].as_str()).collect();
    match known.plies {
        Some(plies) => {
            assert_eq!((&answer["end"], &answer["repeats_ply"]), (&json!("over"), &Json::Null));
            assert_eq!(steps.len(), plies as usize, "{answer}");
        }
        None => {
            assert_eq!(answer["end"], "repetition", "{answer}");
            let first = answer["repeats_ply"].as_u64().expect("a ply") as usize;
            assert_eq!(states[first], states[steps.len()], "{answer}");
        }
    }
    // A probe of the position after the first move gives the same answer.
    if let Some(state) = states.get(1) {
        let probed = folder.run(&["probe", "table.rtb", state, "--json"]).json();
        let left = known.plies.map(|plies| plies - 1);
        assert_eq!((&probed["outcome"], &probed["plies"]), (&json!(known.outcome), &json!(left)));
    }
}

#[test]
fn best_play_on_every_graph_ends_when_it_should() {
    let folder = Folder::new();
    for line in oracle::graphs().into_iter().step_by(kit::few(20, 1)) {
        let graph = serde_json::to_string(&line.graph).unwrap();
        folder.run(&["solve", "cat-mouse", "--graph", &graph, "-o", "table.rtb"]).answer();
        assert_best_play(&folder, &line.known());
    }
}

#[test]
fn best_play_on_every_grid_ends_when_it_should() {
    let folder = Folder::new();
    for line in oracle::grids().into_iter().step_by(kit::few(20, 1)) {
        let grid = serde_json::to_string(&line.grid).unwrap();
        let (cat, mouse) = (line.cat_jump.to_string(), line.mouse_jump.to_string());
        let jumps = ["--cat-jump", &cat, "--mouse-jump", &mouse, "-o", "table.rtb"];
        let solve = [&["solve", "cat-mouse-grid", "--grid", &grid][..], &jumps].concat();
        folder.run(&solve).answer();
        assert_best_play(&folder, &line.known());
    }
}

#[test]
fn a_table_of_boards_answers_for_every_turn_and_reflection_of_them() {
    let folder = Folder::new();
    folder.run(&["solve", "mnk", "-o", "open.rtb"]).answer();
    folder.run(&["solve", "mnk", "--fold", "-o", "folded.rtb"]).answer();
    let table = [
        (".../.../...", "draw", None),
        ("x../.o./...", "draw", None),
        // Crosses win after any reply at the edge.
        ("x../..o/...", "x", Some(5)),
        ("..x/o../...", "x", Some(5)),
        (".../o../..x", "x", Some(5)),
        ("xx./oo./...", "x", Some(1)),
        ("x.x/oo./...", "x", Some(1)),
        ("xxx/oo./...", "x", Some(0)),
        ("xox/xoo/oxx", "draw", None),
    ];
    for (board, outcome, plies) in table {
        for file in ["open.rtb", "folded.rtb"] {
            let answer = folder.run(&["probe", file, board, "--json"]).json();
            let expected =
                json!({ "state": board, "outcome": outcome, "plies": plies, "decided_by": "play" });
            assert_eq!(answer, expected, "{file}");
        }
    }
    for file in ["open.rtb", "folded.rtb"] {
        let moves = folder.run(&["moves", file, "x../..o/...", "--json"]).json();
        let plies = moves["moves"].as_array().unwrap().iter().map(|step| step["plies"].as_u64());
        // The wins come first, in the order of their plies.
        let wins: Vec<u64> = plies.map_while(|plies| plies).collect();
        assert!(wins.first() == Some(&4) && wins.is_sorted(), "{moves}");
        let line = folder.run(&["line", file, "--json"]).json();
        assert_eq!((line["line"].as_array().unwrap().len(), &line["end"]), (9, &json!("over")));
        folder.run(&["verify", file]).answer();
        let numbering = folder.run(&["stats", file, "--json"]).json()["numbering"].take();
        assert_eq!(numbering, "packed");
    }
}

/// The mouse needs three plies. If two are allowed it loses with every move, but still tries.
#[test]
fn where_a_ply_limit_makes_moves_equal_the_one_that_would_win_without_it_comes_first() {
    let folder = Folder::new();
    let grid = ["--grid", r#"["M.C...F"]"#, "--mouse-jump=4", "--ply-limit=2", "-o", "late.rtb"];
    folder.run(&[&["solve", "cat-mouse-grid"], &grid[..]].concat()).answer();
    let moves = folder.run(&["moves", "late.rtb", "--json"]).json();
    let played = |step: &Json| step["move"].as_str().expect("a move").to_owned();
    let moves: Vec<String> = moves["moves"].as_array().expect("moves").iter().map(played).collect();
    assert_eq!(moves[..2], ["mouse r0c0-r0c4", "mouse stays"]);
    assert_eq!(moves.last().map(String::as_str), Some("mouse r0c0-r0c2"));
    let line = folder.run(&["line", "late.rtb", "--json"]).json();
    assert_eq!((&line["end"], &line["line"][0]["move"]), (&json!("ply-limit"), &json!(moves[0])));
    assert_eq!(line["line"].as_array().map(Vec::len), Some(2));
}

#[test]
fn positions_are_drawn_where_that_is_asked_for() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    let start = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1";
    let picture = "8 . . . . . . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . k . .\n\
                   4 . . . . . . . .\n3 . . . . . . . .\n2 . Q . . . . . .\n1 K . . . . . . .\n  \
                   a b c d e f g h\nwhite to move\n";
    let words = "white wins in 19 plies (mate in 10)\n";
    let probe = |options: &[&str]| folder.run(&[&["probe", "queen"], options].concat()).answer();
    assert_eq!(probe(&[]), format!("{start}\n{picture}{words}"));
    assert_eq!(probe(&["--board"]), probe(&[]));
    assert_eq!(probe(&["--board", "-q"]), format!("{picture}{words}"));
    let moves = folder.run(&["moves", "queen", "--board"]).answer();
    assert!(moves.starts_with(&format!("{start}: {words}{picture}  ")), "{moves}");
    let line = folder.run(&["line", "queen"]).answer();
    assert!(line.contains("#  "), "moves are written as in chess: {line}");
    let drawn = folder.run(&["line", "queen", "--board"]).answer();
    assert_eq!(drawn.matches(" to move\n").count(), 20, "{drawn}");
    assert!(drawn.contains(&format!("{words}{picture}")), "{drawn}");
    let without: String = drawn
        .lines()
        .filter(|line| line.contains(" plies") || line.contains(" ply") || line.contains("won"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(without, line);
}

/// Solves a game into a folder, and probes two positions that differ by an exchange of colours.
fn probe_both(solve: &[&str], positions: [&str; 2]) -> [Json; 2] {
    let folder = Folder::new();
    folder.run(&[&["solve"], solve, &["-o", "table"]].concat()).answer();
    positions.map(|position| folder.run(&["probe", "table", position, "--json"]).json())
}

#[test]
fn the_winner_is_named_by_the_colour_in_the_position_that_was_asked_for() {
    // Both sides have the same men, so that both positions have the same index.
    let morris = ["morris", "--board", "six", "--men", "3"];
    for (solve, positions) in [
        (
            &["chess", "KQvK"][..],
            ["8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", "k7/1q6/8/8/5K2/8/8/8 b - - 0 1"],
        ),
        (&morris[..], ["w.w/.w./b..b/.../.b.,0-0,white", "b.b/.b./w..w/.../.w.,0-0,black"]),
    ] {
        let [white, black] = probe_both(solve, positions);
        assert_eq!(white["plies"], black["plies"]);
        assert_eq!([&white["outcome"], &black["outcome"]], ["white", "black"]);
    }
}

#[test]
fn a_misspelt_position_is_answered_with_the_one_that_is_meant() {
    let folder = Folder::with_small_table();
    for (typed, meant) in [
        ("1,2,mous", "1,2,mouse"),
        ("1,2,moues", "1,2,mouse"),
        ("1,2,cut", "1,2,cat"),
        ("1;2,cat", "1,2,cat"),
        ("11,2,cat", "1,2,cat"),
        ("3,2", "3,2,mouse"),
        ("1,2,Mouse", "1,2,mouse"),
    ] {
        for command in ["probe", "moves", "line", "play", "draw"] {
            let says = format!("; did you mean `{meant}`?");
            folder.run(&[command, "table.rtb", typed]).assert_refused(2, &[&says]);
        }
    }
    // The first two could mean several things, and the others nothing.
    for typed in ["9,2,cat", "1,,cat", "1,2,giraffe", &"1,2,mouse".repeat(1_000)] {
        let run = folder.run(&["probe", "table.rtb", typed]);
        run.assert_refused(2, &["error: \""]);
        assert!(!run.stderr.contains("did you mean"), "{run:#?}");
    }

    folder.run(&["solve", "chess", "KRvK", "-o", "rook", "--quiet"]).answer();
    let bare = folder.run(&["probe", "rook", "8/8/8/8/8/2k5/1R6/K7"]);
    bare.assert_refused(2, &["did you mean `8/8/8/8/8/2k5/1R6/K7 w - - 0 1`?"]);
}

#[test]
fn a_position_from_which_an_animal_can_be_stuck_is_none_without_an_outcome_for_that() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "-o", "table.rtb"];
    let run = folder.run(&solve);
    assert!(run.stderr.contains("positions from which it can are left out"), "{run:#?}");
    assert!(run.answer().contains("20 states"));
    // The cat can't leave node 1, whose only neighbour is the hole.
    for state in ["2,1,cat", "3,1,mouse"] {
        let refused = ["the cat on node 1", "cannot move", "--stuck draw, mouse or cat"];
        folder.run(&["probe", "table.rtb", state]).assert_refused(2, &refused);
    }
    // Play is over there.
    assert!(folder.run(&["probe", "table.rtb", "0,1,cat"]).answer().contains("mouse has won"));
    folder.run(&["verify", "table.rtb"]).answer();
    for (stuck, verdict) in [("draw", "draw"), ("mouse", "mouse has won"), ("cat", "cat has won")] {
        folder.run(&[&solve[..], &["--force", "--stuck", stuck]].concat()).answer();
        let probed = folder.run(&["probe", "table.rtb", "2,1,cat"]).answer();
        assert!(probed.contains(verdict), "{stuck}: {probed}");
    }
}

#[test]
fn the_rules_of_every_game_are_printed_without_options() {
    for game in ["cat-mouse", "cat-mouse-grid"] {
        let run = retrograde(&["rules", game]);
        assert!(run.stderr.starts_with("note: these are the rules with --gr"), "{run:#?}");
        assert!(run.stderr.contains("an example"), "{run:#?}");
        assert!(run.answer().contains("A mouse and a cat are on a gr"));
    }
    let given = retrograde(&["rules", "cat-mouse", "--graph", SMALL_GRAPH]);
    assert_eq!(given.stderr, "");
    for game in ["awari", "chess", "connect-four", "dobutsu", "dots-and-boxes", "hexapawn"] {
        assert_eq!(retrograde(&["rules", game]).stderr, "", "{game}");
    }
    retrograde(&["solve", "cat-mouse"]).assert_refused(2, &["--graph"]);
    let says = |game: &[&str]| {
        let rules = retrograde(&[&["rules"], game].concat()).answer();
        rules.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(
        says(&["dobutsu"]).contains("Play stops one ply before, where the lion can be captured")
    );
    assert!(says(&["cat-mouse-grid"]).contains("Such a win is shown without a number of plies."));
}

#[test]
fn a_win_that_comes_too_late_for_the_fifty_move_rule_is_told_once() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    let fen = |clock: u32| format!("8/8/8/8/8/2k5/8/K6R w - - {clock} 90");
    let plies = folder.run(&["probe", "rook", &fen(0), "--json"]).json()["plies"].as_u64();
    let plies = plies.expect("a win") as u32;
    let note = "the fifty-move rule is not applied";
    for clock in [0, 1, 100 - plies] {
        let run = folder.run(&["probe", "rook", &fen(clock)]);
        assert_eq!(run.stderr, "", "{clock}");
    }
    let late = fen(101 - plies);
    let gone = format!("of which {} are gone by the halfmove clock", 101 - plies);
    for command in ["probe", "moves", "line"] {
        for options in [&[][..], &["--json"]] {
            let run = folder.run(&[&[command, "rook", &late], options].concat());
            assert_eq!(run.stderr.matches(note).count(), 1, "{command}: {run:#?}");
            assert!(run.stderr.contains(&gone), "{run:#?}");
            run.answer();
        }
    }
    // A draw stays one.
    assert_eq!(folder.run(&["probe", "rook", "8/8/8/8/8/8/1R6/k6K b - - 99 90"]).stderr, "");
    let lines = format!("{}\n{late}\n{}\n", fen(0), fen(99));
    let run = folder.run_with_input(&["probe", "rook", "-"], lines.as_bytes());
    assert_eq!(run.stderr.matches(note).count(), 1, "{run:#?}");
    assert!(run.stderr.contains(&format!("\"{late}\": ")), "{run:#?}");
    let solve = ["solve", "chess", "KRvK", "-o", "again", "--outcomes-only=wins"];
    folder.run(&solve).answer();
    assert!(folder.run(&["probe", "wins", &fen(1)]).stderr.contains(note));
    assert_eq!(folder.run(&["probe", "wins", &fen(0)]).stderr, "");
}
