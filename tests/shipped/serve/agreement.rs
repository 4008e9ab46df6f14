//! No two answers contradict each other, for every shipped game.

use kit::Random;
use serde_json::{Value as Json, json};

use crate::client::{Server, encoded};
use crate::program::Folder;

/// The number of positions of each game to compare.
const POSITIONS: usize = 40;

/// Compares all answers about the positions of random play.
fn compare(arguments: &[&str], path: &str) {
    let folder = Folder::new();
    folder.run(&[&["solve"], arguments, &["-o", path]].concat()).answer();
    let server = Server::of(folder, &[path]);
    let table = server.get("/api/tables").json()["tables"][0].clone();
    let name = table["name"].as_str().unwrap();
    let start = table["start"].as_str().expect("a start");
    let (mut random, mut state, mut states) = (Random(7), start.to_owned(), Vec::new());
    while states.len() < POSITIONS {
        let look = server.ask(name, "position", &state);
        compare_position(&server, name, &table, &state, &look);
        states.push(state);
        let moves: Vec<&Json> = moves_of(&look["moves"]);
        state = match moves.len() as u64 {
            0 => start.to_owned(),
            count => moves[(random.next() % count) as usize]["state"].as_str().unwrap().into(),
        };
    }
    let lines: String = states.iter().map(|state| format!("{}\n", json!(state))).collect();
    let batch = server.batch(name, &lines).text;
    assert_eq!(batch.lines().count(), states.len());
    for (state, line) in states.iter().zip(batch.lines()) {
        let answer: Json = serde_json::from_str(line).unwrap();
        assert_eq!(answer, server.ask(name, "probe", state), "the batch and the single answer");
    }
}

fn moves_of(groups: &Json) -> Vec<&Json> {
    ["won", "drawn", "lost"].iter().flat_map(|group| groups[*group].as_array().unwrap()).collect()
}

fn compare_position(server: &Server, name: &str, table: &Json, state: &str, look: &Json) {
    let position = &look["position"];
    assert_eq!(position["state"].as_str(), Some(state));
    assert_eq!(*position, server.ask(name, "probe", state), "the page's number and the probe's");
    let listed = server.ask(name, "moves", state);
    assert_eq!(listed["position"], *position);
    assert_eq!(moves_of(&listed), moves_of(&look["moves"]));
    let line = server.ask(name, "line", state);
    assert_eq!(line["position"], *position);
    assert_eq!(line["line"], look["line"]["line"]);
    let ask = |question: &str| {
        server.get(&format!("/api/tables/{name}/{question}&state={}", encoded(state))).json()
    };
    let mut brief = ask("position?brief=true");
    assert!(brief["line"].take().is_null());
    brief["line"] = look["line"].clone();
    let mut uncounted = look.clone();
    for group in ["won", "drawn", "lost"] {
        for one in uncounted["moves"][group].as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("replies");
        }
    }
    assert_eq!(brief, uncounted, "all but the line, and the replies to drawing moves");
    let (beginning, all) = (ask("line?plies=2"), line["line"].as_array().unwrap());
    assert_eq!(beginning["line"].as_array().unwrap()[..], all[..all.len().min(2)]);
    let is_cut = all.len() > 2;
    assert_eq!(beginning["end"], if is_cut { json!("cut") } else { line["end"].clone() });

    let moves = moves_of(&look["moves"]);
    assert_eq!(position["over"].as_bool(), Some(moves.is_empty()), "{position}");
    let steps = look["line"]["line"].as_array().unwrap();
    let Some(first) = steps.first() else {
        assert!(moves.is_empty() || look["line"]["end"] == "ply-limit", "{look}");
        return;
    };
    // The line's first move is among the best, and its equally good alternatives are the others.
    let best: Vec<&str> = best_of(&moves);
    assert!(best.contains(&first["state"].as_str().unwrap()), "{look}");
    let mut equals: Vec<&str> = vec![first["state"].as_str().unwrap()];
    equals.extend(
        first["alternatives"].as_array().unwrap().iter().map(|one| one["state"].as_str().unwrap()),
    );
    equals.sort_unstable();
    assert_eq!(equals, best);
    let [won, drawn, lost] =
        ["won", "drawn", "lost"].map(|group| look["moves"][group].as_array().unwrap().len());
    let is_only = won == 1 && drawn + lost > 0 || won == 0 && drawn == 1 && lost > 0;
    assert_eq!(first["only"].as_bool(), Some(is_only), "{look}");
    // The best move is worth as much as the position.
    assert_eq!(first["worth"], position["value"], "{look}");
    assert_eq!(total(first), position["points"].as_u64(), "{look}");
    for step in steps {
        assert_eq!(step["best"], true);
    }
    for pair in steps.windows(2) {
        assert_eq!(pair[1]["worth"], pair[0]["value"], "{look}");
        assert_eq!(total(&pair[1]), pair[0]["points"].as_u64(), "{look}");
        compare_plies(table, &pair[0], &pair[1]);
    }
    compare_plies(table, position, first);
}

/// By how many points a player wins or loses after a move; none in a game without points.
fn total(step: &Json) -> Option<u64> {
    step["total"].as_i64().map(i64::unsigned_abs)
}

fn best_of<'a>(moves: &[&'a Json]) -> Vec<&'a str> {
    let best = moves.iter().filter(|one| one["best"] == true);
    let mut best: Vec<&str> = best.map(|one| one["state"].as_str().unwrap()).collect();
    best.sort_unstable();
    best
}

/// Best play brings a forced end one ply nearer; endless play stays endless. After the last points
/// are gained, play may go on for ever.
fn compare_plies(table: &Json, before: &Json, after: &Json) {
    if after["decided_by"] == "endless" && after["gain"].as_i64().is_some_and(|gain| gain != 0) {
        assert_eq!(before["decided_by"], "play", "{before} {after}");
        assert_eq!((before["plies"].as_u64(), &before["points"]), (Some(1), &after["gain"]));
        return;
    }
    assert_eq!(before["decided_by"], after["decided_by"], "{before} {after}");
    match (before["plies"].as_u64(), after["plies"].as_u64()) {
        (Some(before), Some(after)) => assert_eq!(before, after + 1),
        (None, None) => assert!(before["decided_by"] != "play" || before["value"] == "draw"),
        // With a limit, a position won in time stays won in time.
        found => panic!("{found:?} in {table}: {before} {after}"),
    }
}

#[test]
fn answers_about_pursuits_agree() {
    compare(&["cat-mouse", "--graph", "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"], "park.rtb");
    let grid = r#"[".##F","M...","..C."]"#;
    let options = ["cat-mouse-grid", "--grid", grid, "--cat-jump", "1", "--mouse-jump", "2"];
    compare(&options, "grid.rtb");
}

#[test]
fn answers_about_boards_agree() {
    compare(&["hexapawn", "-m", "3", "-n", "3"], "pawns.rtb");
    if kit::PLAIN {
        return;
    }
    compare(&["bobail", "-m", "3", "-n", "3"], "bobail.rtb");
    compare(&["mnk"], "mnk.rtb");
    compare(&["connect-four", "-m", "3", "-n", "3", "-k", "3", "--numbering", "tiers"], "folder");
    compare(&["connect-four", "-m", "4", "-n", "4", "-k", "4"], "four.rtb");
    compare(&["quixo", "--size", "3"], "quixo.rtb");
}

#[test]
fn answers_about_awari_agree() {
    for rule in kit::some(&["illegal", "captures-nothing", "captures"], 0) {
        compare(&["awari", "--seeds", "6", "--grand-slam", rule], "seeds");
    }
}

#[test]
fn answers_about_chess_and_morris_agree() {
    compare(&["chess", "KRvK"], "rook");
    if kit::PLAIN {
        return;
    }
    compare(&["chess", "KNNvK"], "knights");
    compare(&["morris", "--board", "six", "--men", "3"], "morris");
}

#[test]
fn answers_about_dobutsu_agree() {
    if kit::PLAIN {
        return;
    }
    compare(&["dobutsu", "--no-elephants"], "dobutsu.rtb");
}
