//! Graphs in the formats that people have. The command line reads them; here its options are asked.

use clap::{Args, Command, FromArgMatches as _};
use kit::small_graphs;
use retrograde::Stored as _;
use retrograde::cli::Registered as _;
use retrograde_games::cops::{Cops, CopsOptions};

use super::named;

/// The graph of a file with this text, or the error.
fn read(text: &str, options: &[&str]) -> Result<Vec<Vec<i64>>, String> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("a file to write");
    named_by(file.path().to_str().expect("a path"), options)
}

/// The graph that the option `--graph` names, or the error.
fn named_by(graph: &str, options: &[&str]) -> Result<Vec<Vec<i64>>, String> {
    let command = CopsOptions::augment_args(Command::new("cops").no_binary_name(true));
    let arguments = ["--graph", graph].into_iter().chain(options.iter().copied());
    let matches = command.try_get_matches_from(arguments).expect("right options");
    let options = CopsOptions::from_arg_matches(&matches).expect("right options");
    let game = Cops::from_options(options).map_err(|error| error.to_string())?;
    assert_eq!(Cops::NAME, "cops");
    let nodes = 0..game.graph().nodes() as u16;
    let list = |node| game.graph().successors(node).iter().map(|&next| i64::from(next)).collect();
    Ok(nodes.map(list).collect())
}

#[test]
fn a_graph_is_the_same_in_each_format() {
    let square = named::circle(4);
    for text in [
        "[[1,3],[0,2],[1,3],[0,2]]",
        "[\n[1, 3],\n[0, 2],\n[1, 3],\n[0, 2]]\n",
        "0 1\n1 2\n2 3\n3 0\n",
        "# a square\n0 1 # an edge\n\n  1\t2\n2 1\r\n2 3\n0 3",
        "c a square\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        "p col 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4",
        "Cl",
        ">>graph6<<Cl\n",
        "\u{feff}Cl\n",
    ] {
        assert_eq!(read(text, &[]).as_ref(), Ok(&square), "{text}");
    }
    assert_eq!(named_by(">>graph6<<Cl", &[]), Ok(square.clone()));
    assert_eq!(named_by("[[1,3],[0,2],[1,3],[0,2]]", &[]), Ok(square));
    // The Petersen graph as nauty and networkx write it.
    let petersen = read("IheA@GUAo", &[]).expect("a graph");
    assert_eq!(super::cop_number(&petersen), (3, 1));
    // A graph of 28 nodes begins like a list in JSON, and one of 63 has a long number of nodes.
    for nodes in [1, 2, 28, 62, 63, 64, 300] {
        let path = named::path(nodes);
        let bits: Vec<bool> =
            (1..nodes).flat_map(|column| (0..column).map(move |row| row + 1 == column)).collect();
        let six = |bits: usize| char::from(63 + (bits & 63) as u8);
        let word = match nodes {
            0..=62 => small_graphs::graph6(&path),
            _ => {
                let head = ['~', six(nodes >> 12), six(nodes >> 6), six(nodes)];
                let value = |bits: &[bool]| {
                    (0..6).fold(0, |sum, at| sum << 1 | usize::from(bits.get(at) == Some(&true)))
                };
                head.into_iter().chain(bits.chunks(6).map(|bits| six(value(bits)))).collect()
            }
        };
        assert_eq!(read(&word, &[]), Ok(path), "{word}");
    }
    let circle = vec![vec![1], vec![2], vec![0]];
    assert_eq!(read("0 1\n1 2\n2 0", &["--directed"]), Ok(circle.clone()));
    assert_eq!(read("p edge 3 3\na 1 2\na 2 3\na 3 1", &["--directed"]), Ok(circle));
    assert_eq!(read("2\n0 1", &[]), Ok(vec![vec![1], vec![0], vec![]]));
}

#[test]
fn what_is_no_graph_is_refused_with_its_place() {
    for (text, options, says) in [
        ("", &[][..], "the graph is empty: expected 1 to 65535 nodes"),
        ("[]", &[], "the graph is empty"),
        ("[[1],[0]", &[], "expected a list of lists of nodes like [[1,3],[0],[3],[0,2]]: EOF"),
        ("[[1],[\"x\"]]", &[], "line 1 column 9"),
        ("[[1],[]]", &[], "node 0 has an edge to node 1, but node 1 has none"),
        ("0 1\n1 x", &[], "--graph: line 2, column 3: \"x\": expected a node from 0 to 65534"),
        ("0 1\n1 65535", &[], "line 2, column 3: \"65535\": expected a node from 0 to 65534"),
        ("0 1\n  1 -2", &[], "line 2, column 5: \"-2\": expected a node"),
        ("0 1 2", &[], "line 1, column 5: \"2\": expected the two nodes of an edge"),
        ("0 1\n1 1", &[], "line 2, column 1: an edge from a node to itself: expected none"),
        ("c x\ne 1 2", &[], "line 2, column 1: \"e\": expected a line p edge NODES EDGES first"),
        ("c x\n", &[], "expected a line p edge NODES EDGES"),
        (
            "p edge 99999999999 1",
            &[],
            "line 1, column 8: \"99999999999\": expected the number of nodes",
        ),
        ("p edge 3 1\ne 1 4", &[], "line 2, column 5: \"4\": expected a node from 1 to 3"),
        ("p edge 3 1\ne 0 1", &[], "line 2, column 3: \"0\": expected a node from 1 to 3"),
        ("p edge 3 1\nx 0 1", &[], "line 2, column 1: \"x\": expected an edge: e FROM TO"),
        ("p edge 3 1\ne 2 2", &[], "line 2, column 3: an edge from a node to itself"),
        (
            "Cll",
            &[],
            "line 1, column 3: 2 characters behind the number of nodes: expected 1 for 4 nodes",
        ),
        (
            "D~",
            &[],
            "line 1, column 3: 1 characters behind the number of nodes: expected 2 for 5 nodes",
        ),
        (">>graph6<<C l", &[], "line 1, column 12: ' ' is no character of graph6"),
        (">>graph6<<", &[], "line 1, column 11: nothing there"),
        ("~~", &[], "line 1, column 1: too many nodes: expected at most 65535"),
        ("~A", &[], "line 1, column 1: 1 characters behind ~: expected at least 3"),
        ("~~~~~~", &[], "too many nodes"),
        ("Cl\nCl\n", &[], "line 2: expected one graph; for a file of many, use --graphs"),
        ("Cl", &["--directed"], "graphs in graph6 have no directions: leave out --directed"),
    ] {
        let error = read(text, options).expect_err(text);
        assert!(error.contains(says), "{text:?}: {error}");
    }
    let missing = named_by("nowhere", &[]).expect_err("no such file");
    assert!(missing.contains("can't open the file \"nowhere\""), "{missing}");
}

#[test]
fn no_text_is_a_panic() {
    let mut random = kit::Random(3);
    let letters: Vec<char> = "0123456789 \n\r\t#cpe[],~?@A_l>\u{e9}-".chars().collect();
    for _ in 0..kit::by_effort([1_000, 1_000, 32_000]) {
        let length = random.place(20);
        let text: String = (0..length).map(|_| letters[random.place(letters.len())]).collect();
        drop(read(&text, &[]));
        drop(read(&format!(">>graph6<<{text}"), &[]));
    }
}
