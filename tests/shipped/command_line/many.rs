//! `solve cops` for many graphs: a line for each.

use serde_json::{Value as Json, json};

use crate::program::{Folder, retrograde};

/// A path of three nodes, a square, and the Petersen graph.
const GRAPHS: &str = ">>graph6<<Bg\nCl\n\nIheA@GUAo\n";

/// The objects of the output, one a line.
fn objects(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_line_is_printed_for_each_graph() {
    let folder = Folder::new();
    folder.write("graphs.g6", GRAPHS);
    let solve = ["solve", "cops", "--graphs", "graphs.g6"];
    let with = |more: &[&str]| folder.run(&[&solve[..], more].concat());
    assert_eq!(with(&[]).answer(), ">>graph6<<Bg 1 cops 1\nCl 1 robber -\nIheA@GUAo 1 robber -\n");
    assert_eq!(
        with(&["--cops", "3"]).answer(),
        ">>graph6<<Bg 3 cops 0\nCl 3 cops 1\nIheA@GUAo 3 cops 1\n"
    );
    let least = ">>graph6<<Bg 1 cops 1\nCl 2 cops 1\nIheA@GUAo 3 cops 1\n";
    assert_eq!(with(&["--cop-number", "--threads", "3"]).answer(), least);
    let petersen = json!({
        "graph": "IheA@GUAo", "nodes": 10, "cops": 2, "winner": "robber", "capture_time": null
    });
    let found = objects(&with(&["--cops", "2", "--json"]).answer());
    assert_eq!((found.len(), &found[2]), (3, &petersen));
    assert_eq!(found[1]["capture_time"], 1);
    let input = ["solve", "cops", "--graphs", "-", "--cop-number"];
    assert_eq!(folder.run_with_input(&input, GRAPHS.as_bytes()).answer(), least);
    assert_eq!(folder.run_with_input(&input, b"").answer(), "");
    // A graph of many nodes goes another way to the same answer.
    let path: Vec<String> = (1..400).map(|node| format!("{} {node}", node - 1)).collect();
    folder.write("path.txt", path.join("\n"));
    let one = folder.run(&["solve", "cops", "--graph", "path.txt", "--cop-number"]).answer();
    assert!(one.ends_with(" 1 cops 200\n"), "{one}");
    let square = ["solve", "cops", "--graph", "[[1,3],[0,2],[1,3],[0,2]]", "--cop-number"];
    assert_eq!(folder.run(&square).answer(), "Cl 2 cops 1\n");
    let circle = ["solve", "cops", "--graph", "[[1],[2],[0]]", "--directed", "--cop-number"];
    assert_eq!(folder.run(&circle).answer(), "[[1],[2],[0]] 2 cops 1\n");
    let lists = "[[1],[0]]\n[[1],[0,2],[1]]\n";
    assert_eq!(
        folder.run_with_input(&["solve", "cops", "--graphs", "-"], lists.as_bytes()).answer(),
        "[[1],[0]] 1 cops 1\n[[1],[0,2],[1]] 1 cops 1\n"
    );
}

#[test]
fn answers_keep_their_order_on_any_number_of_threads() {
    let folder = Folder::new();
    let graphs: String = (0..5_000).map(|at| ["Bg\n", "Cl\n", "Bw\n"][at % 3]).collect();
    folder.write("graphs.g6", &graphs);
    let answers = |threads: &str| {
        let solve = ["solve", "cops", "--graphs", "graphs.g6", "--threads", threads];
        folder.run(&solve).answer()
    };
    let one = answers("1");
    assert_eq!(one.lines().count(), 5_000);
    let named = one.lines().map(|line| line.split_once(' ').expect("a graph").0);
    assert!(named.eq(graphs.lines()));
    assert_eq!(one, answers("4"));
}

#[test]
fn the_first_wrong_line_ends_the_run() {
    let folder = Folder::new();
    folder.write("graphs.g6", "Bg\nC\u{e9}\nCl\n");
    let run = folder.run(&["solve", "cops", "--graphs", "graphs.g6"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), "Bg 1 cops 1\n"), "{run:?}");
    let says = "error: --graphs: line 2, column 2: 'é' is no character of graph6";
    assert!(run.stderr.contains(says), "{run:?}");
    let refused = |arguments: &[&str], says: &[&str]| {
        let solve = ["solve", "cops"];
        retrograde(&[&solve[..], arguments].concat()).assert_refused(2, says);
    };
    refused(&["--cops", "1"], &["--graph"]);
    refused(&["--graphs", "x", "--graph", "[]"], &["--graph"]);
    refused(&["--graphs", "x", "-o", "x.rtb"], &["--output: no table is made"]);
    refused(&["--graph", "[[]]", "--cop-number", "--cops", "2"], &["--cop"]);
    retrograde(&["solve", "cops", "--graphs", "nowhere"])
        .assert_refused(1, &["--graphs: can't open the file \"nowhere\""]);
    retrograde(&["laws", "cops", "--graph", "[[]]", "--cop-number"])
        .assert_refused(2, &["--cop-number is only for solve"]);
    retrograde(&["laws", "cops", "--graphs", "nowhere"])
        .assert_refused(2, &["--graphs is only for solve: name one graph with --graph"]);
}

#[test]
fn one_graph_is_a_game_like_any_other() {
    let folder = Folder::new();
    let square = "[[1,3],[0,2],[1,3],[0,2]]";
    let solve = ["solve", "cops", "--graph", square, "--cops", "2", "-o", "cops.rtb"];
    let answer = folder.run(&solve).answer();
    assert!(answer.contains("-,-,cops: cops win in 3 plies"), "{answer}");
    folder.run(&["verify", "cops.rtb"]).answer();
    let line = folder.run(&["line", "cops.rtb", "0+2,-,robber"]).answer();
    assert!(line.contains("robber to 1"), "{line}");
    folder.run(&["laws", "cops", "--graph", square]).answer();
    let rules = retrograde(&["rules", "cops"]).answer();
    assert!(rules.contains("The cops choose the nodes on which they start"), "{rules}");
}
