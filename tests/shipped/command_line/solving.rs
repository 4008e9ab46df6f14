//! `solve`: its figures, where it takes games from, and what it writes.

use serde_json::{Value as Json, json};

use crate::oracle::{self, Known};
use crate::program::{Folder, SMALL_GRAPH, retrograde};

/// Compares the whole output of `solve --json` with known figures.
#[track_caller]
fn assert_known(mut answer: Json, game: &str, start: &str, known: &Known, bytes: Option<u64>) {
    let seconds = answer["seconds"].take().as_f64().expect("seconds are a number");
    assert!(seconds >= 0.0);
    let endless = answer["endless"].as_u64().expect("a count");
    assert!(endless == known.endless.unwrap_or(endless), "{answer}");
    let decided_by = match known.plies {
        Some(_) => json!("play"),
        None => answer["start"]["decided_by"].clone(),
    };
    let expected = json!({
        "game": game,
        "states": known.states(),
        "wins": { "mouse": known.mouse, "cat": known.cat },
        "draws": known.draws,
        "endless": endless,
        "longest_plies": known.longest,
        "start": { "state": start, "outcome": known.outcome, "plies": known.plies, "decided_by": decided_by },
        "seconds": null,
        "bytes": bytes,
    });
    assert_eq!(answer, expected);
}

#[test]
fn every_graph_is_solved_from_an_argument_a_file_and_standard_input() {
    let folder = Folder::new();
    for (at, line) in oracle::graphs().into_iter().enumerate().step_by(kit::few(7, 1)) {
        let graph = serde_json::to_string(&line.graph).unwrap();
        folder.write("graph.json", format!("\n {graph}\n"));
        let source = [graph.as_str(), "graph.json", "-"][at % 3];
        let solve = ["solve", "cat-mouse", "--json", "--graph", source];
        let plain = folder.run_with_input(&solve, graph.as_bytes()).json();
        // The other program calls it a draw where an animal is placed that can't move.
        let stuck = [&solve[..], &["--stuck", "draw"]].concat();
        let answer = folder.run_with_input(&stuck, graph.as_bytes()).json();
        assert_eq!(plain["start"], answer["start"]);
        assert_known(answer, "cat-mouse", "1,2,mouse", &line.known(), None);
    }
}

#[test]
fn every_grid_is_solved_from_an_argument_files_and_standard_input() {
    let folder = Folder::new();
    for (at, line) in oracle::grids().into_iter().enumerate().step_by(kit::few(7, 1)) {
        let (json, rows) = (serde_json::to_string(&line.grid).unwrap(), line.grid.join("\n"));
        folder.write("grid.json", &json);
        folder.write("rows.txt", &rows);
        folder.write("dos.txt", line.grid.join("\r\n") + "\r\n\r\n");
        let source = [json.as_str(), "grid.json", "rows.txt", "dos.txt", "-"][at % 5];
        let (cat, mouse) = (line.cat_jump.to_string(), line.mouse_jump.to_string());
        let options = ["--json", "--cat-jump", &cat, "--mouse-jump", &mouse, "--grid", source];
        let solve = [&["solve", "cat-mouse-grid"][..], &options].concat();
        let answer = folder.run_with_input(&solve, rows.as_bytes()).json();

        let cell = |piece| {
            let find = |(row, text): (usize, &String)| Some((row, text.find(piece)?));
            let (row, column) = line.grid.iter().enumerate().find_map(find).unwrap();
            format!("r{row}c{column}")
        };
        let start = format!("{},{},mouse", cell('M'), cell('C'));
        assert_known(answer, "cat-mouse-grid", &start, &line.known(), None);
    }
}

#[test]
fn with_an_output_the_bytes_are_those_of_the_file_and_nothing_else_is_left() {
    for line in oracle::graphs().into_iter().take(12) {
        let folder = Folder::new();
        let graph = serde_json::to_string(&line.graph).unwrap();
        let solve = ["solve", "cat-mouse", "--graph", &graph, "-o", "a table – Ü.rtb", "--json"];
        let answer = folder.run(&[&solve[..], &["--stuck", "draw"]].concat()).json();
        let bytes = folder.read("a table – Ü.rtb").len() as u64;
        assert_known(answer, "cat-mouse", "1,2,mouse", &line.known(), Some(bytes));
        assert_eq!(folder.contents().len(), 1);
    }
}

#[test]
fn a_table_is_the_same_however_often_it_is_made_and_replaces_what_was_there() {
    let games: [&[&str]; 3] = [
        &["cat-mouse", "--graph", SMALL_GRAPH],
        &["cat-mouse-grid", "--grid", r#"["M.C...F"]"#],
        &["mnk", "--fold"],
    ];
    for game in games {
        let folder = Folder::new();
        // An old table, of which only the mark is intact.
        folder.write("second.rtb", [b"\x89RTB\r\n\x1a\n", &[b'x'; 1_000_000][..]].concat());
        for output in ["first.rtb", "second.rtb"] {
            folder.run(&[&["solve"], game, &["-o", output]].concat()).answer();
        }
        assert!(folder.read("first.rtb") == folder.read("second.rtb"), "{game:?}");
        assert_eq!(folder.contents().len(), 2);
    }
}

#[test]
fn the_text_names_the_figures_the_start_and_the_file() {
    let folder = Folder::new();
    let eleven = serde_json::to_string(&oracle::graphs()[2].graph).unwrap();
    let solve = ["solve", "cat-mouse", "--graph", &eleven, "-o", "eleven.rtb"];
    let text = folder.run(&solve).answer();
    let bytes = folder.read("eleven.rtb").len();
    assert!(bytes < 1000);
    let wrote = format!("wrote eleven.rtb: {bytes} bytes");
    for part in ["220 states", "76", "144", "13 plies", "1,2,mouse: mouse wins in 7 plies"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(text.contains(&wrote), "no {wrote} in {text}");
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
}

/// A row of the table: a graph, the options, and the outcome and plies of the start.
type Variant<'a> = (&'a str, &'a [&'a str], &'a str, Option<u32>);

#[test]
fn the_options_of_a_graph_decide_its_start() {
    // The first graph is a path 3-1-2-0 in both directions. In the second, the cat's only move from
    // node 2 leads to the hole.
    let path = "[[2],[2,3],[1,0],[1]]";
    let pairs = "[[2],[3],[0],[1]]";
    let alone = "[[2],[],[0,3],[2]]";
    let one_way = "[[3],[3],[3],[1,2]]";
    let table: &[Variant<'_>] = &[
        (pairs, &["--stuck", "draw"], "draw", None),
        (pairs, &["--stuck", "mouse"], "mouse", Some(1)),
        (pairs, &["--stuck", "cat"], "cat", Some(1)),
        (alone, &["--stuck", "draw"], "draw", None),
        (alone, &["--stuck", "mouse"], "mouse", Some(0)),
        (alone, &["--stuck", "cat"], "cat", Some(0)),
        (path, &[], "cat", Some(3)),
        (path, &["--mouse", "2", "--cat", "3"], "mouse", Some(1)),
        (path, &["--mouse", "3", "--cat", "1"], "cat", Some(1)),
        (path, &["--hole", "3", "--cat", "0"], "mouse", Some(1)),
        (path, &["--mouse", "0"], "mouse", Some(0)),
        (path, &["--mouse", "2"], "cat", Some(0)),
        // Both can go only to node 3: first the mouse, and then the cat.
        (one_way, &["--directed"], "cat", Some(2)),
    ];
    for (graph, options, outcome, plies) in table {
        let solve = ["solve", "cat-mouse", "--json", "--graph", graph];
        let answer = retrograde(&[&solve[..], options].concat()).json();
        let start = (&answer["start"]["outcome"], &answer["start"]["plies"]);
        assert_eq!(start, (&json!(outcome), &json!(plies)), "{graph} {options:?}");
    }
}

#[test]
fn the_ply_limit_gives_the_cat_what_the_mouse_wins_too_late() {
    // In LeetCode's first example the mouse needs five plies.
    for (limit, outcome, plies) in [(5, "mouse", Some(5)), (4, "cat", None), (0, "cat", None)] {
        let grid = json!(["####F", "#C...", "M...."]).to_string();
        let limit = format!("--ply-limit={limit}");
        let solve = ["solve", "cat-mouse-grid", "--mouse-jump=2", "--grid", &grid, &limit];
        let answer = retrograde(&[&solve[..], &["--json"]].concat()).json();
        let start = (&answer["start"]["outcome"], &answer["start"]["plies"]);
        assert_eq!(start, (&json!(outcome), &json!(plies)), "{limit}");
        let text = retrograde(&solve).answer();
        assert_eq!(text.contains("cat wins by the ply limit"), plies.is_none(), "{text}");
    }
}

#[test]
fn a_game_of_boards_is_solved_like_the_others() {
    for (fold, states, x, o, draws) in
        [(&[][..], 5478, 2936, 1474, 1068), (&["--fold"][..], 765, 412, 202, 151)]
    {
        let mut answer = retrograde(&[&["solve", "mnk", "--json"], fold].concat()).json();
        answer["seconds"].take();
        let expected = json!({
            "game": "mnk",
            "states": states,
            "wins": { "x": x, "o": o },
            "draws": draws,
            "endless": 0,
            "longest_plies": 5,
            "start": { "state": ".../.../...", "outcome": "draw", "plies": null, "decided_by": "play" },
            "seconds": null,
            "bytes": null,
        });
        assert_eq!(answer, expected);
    }
}

#[test]
fn where_colours_are_exchanged_wins_are_counted_for_the_player_to_move() {
    let folder = Folder::new();
    let solve = ["solve", "hexapawn", "-o", "pawns.rtb"];
    let solved = folder.run(&[&solve[..], &["--json"]].concat()).json();
    let stats = folder.run(&["stats", "pawns.rtb", "--json"]).json();
    for answer in [&solved, &stats] {
        assert_eq!(answer["wins"], json!({ "mover": 55, "opponent": 76 }));
    }
    // The winner from the start is still named.
    assert_eq!(
        (&solved["start"]["outcome"], &solved["start"]["plies"]),
        (&json!("black"), &json!(6))
    );
    for text in [folder.run(&solve).answer(), folder.run(&["stats", "pawns.rtb"]).answer()] {
        for line in ["the player to move wins        55", "the player to move loses       76"] {
            assert!(text.contains(line), "no {line:?} in {text}");
        }
        assert!(!text.contains("white wins ") && !text.contains("black wins  "), "{text}");
    }
    assert!(folder.run(&solve).answer().contains("bbb/.../www,white: black wins in 6 plies"));
}

#[test]
fn the_figures_of_tiers_fit_a_terminal_of_eighty_columns() {
    let folder = Folder::new();
    let solved = folder.run(&["solve", "chess", "KQvK", "-o", "queen"]).answer();
    for text in [solved, folder.run(&["stats", "queen"]).answer()] {
        let at = text.lines().position(|line| line.starts_with("  tier ")).expect("a table");
        let rows: Vec<&str> = text.lines().skip(at).take(3).collect();
        let expected = [
            "  tier  states     won    lost  drawn  longest",
            "  KvK      462       0       0    462     none",
            "  KQvK  46,137  18,081  25,160  2,896       20",
        ];
        assert_eq!(rows, expected, "{text}");
    }
}
