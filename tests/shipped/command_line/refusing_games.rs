//! Games and calls that make no sense. Each is refused with the right exit code and a message that
//! gives the reason, and changes nothing.

use std::fs;

use serde_json::{Value as Json, json};

use crate::program::{Folder, SMALL_GRAPH};

const WRONG: i32 = 2;
const FAILED: i32 = 1;

/// The options of a game, the standard input, the exit code, and parts of the message.
type Row<'a> = (&'a [&'a str], &'a [u8], i32, &'a [&'a str]);

const NOT_A_GRAPH: &str = "expected a list of lists of nodes like [[1,3],[0],[3],[0,2]]";
const NOT_A_GRID: &str = r#"expected a list of rows like ["M.C...F"]"#;

const GRAPHS: &[Row<'_>] = &[
    // The size.
    (&["--graph", "[]"], b"", WRONG, &["the graph is empty", "3 to 65535 nodes"]),
    (&["--graph", "-"], b"[]", WRONG, &["the graph is empty"]),
    (&["--graph", "[[]]"], b"", WRONG, &["found 1", "3 to 65535"]),
    (&["--graph", "[[1],[0]]"], b"", WRONG, &["found 2", "3 to 65535"]),
    (&["--graph", "many.json"], b"", WRONG, &["found 65536", "3 to 65535"]),
    // The edges.
    (&["--graph", "[[1,3],[0],[3],[0,4]]"], b"", WRONG, &["node 3", "node 4", "0 to 3"]),
    (&["--graph", "[[1,3],[0],[3],[0,-1]]"], b"", WRONG, &["node 3", "node -1", "0 to 3"]),
    (&["--graph", "[[1,3],[0],[3],[0,65537]]"], b"", WRONG, &["node 3", "node 65537", "0 to 3"]),
    (&["--graph", "[[1,3],[0],[3],[0,2.0]]"], b"", WRONG, &[NOT_A_GRAPH, "2.0", "column 21"]),
    (&["--graph", "[[1,3],[0],[3],[0,1e30]]"], b"", WRONG, &[NOT_A_GRAPH, "line 1"]),
    (&["--graph", r#"[[1,3],[0],[3],[0,"2"]]"#], b"", WRONG, &[NOT_A_GRAPH, r#""2""#]),
    (&["--graph", "[[1,3],[0],[3],[0,null]]"], b"", WRONG, &[NOT_A_GRAPH, "null"]),
    (&["--graph", "[1,2,3]"], b"", WRONG, &[NOT_A_GRAPH, "integer `1`"]),
    (&["--graph", r#"["M.C..F"]"#], b"", WRONG, &[NOT_A_GRAPH]),
    (&["--graph", "[[1,3],[0],[3],[0,2,3]]"], b"", WRONG, &["node 3 has an edge to itself"]),
    (&["--graph", "[[1,3],[0],[3,3],[0,2]]"], b"", WRONG, &["node 2", "node 3 twice"]),
    (
        &["--graph", "[[1,3],[0],[],[0,2]]"],
        b"",
        WRONG,
        &["node 3 has an edge to node 2", "node 2 has none to node 3", "--directed"],
    ),
    // An animal that can't move.
    (&["--graph", "[[2],[3],[0],[1]]"], b"", WRONG, &["the cat", "from node 2", "--stuck"]),
    (&["--graph", "[[1,2],[0],[0]]"], b"", WRONG, &["the cat", "1, 2", "--stuck"]),
    (&["--graph", "[[2],[],[0,3],[2]]"], b"", WRONG, &["cannot move", "node 1", "--stuck"]),
    (
        &["--graph", "[[2],[0],[3],[2]]", "--directed", "--mouse", "3", "--cat", "1"],
        b"",
        WRONG,
        &["the cat cannot move from node 1", "--stuck"],
    ),
    (&["--graph", SMALL_GRAPH, "--stuck", "dog"], b"", WRONG, &["dog", "draw, mouse, cat"]),
    // The start.
    (&["--graph", SMALL_GRAPH, "--cat", "0"], b"", WRONG, &["cat", "node 0", "the hole"]),
    (&["--graph", SMALL_GRAPH, "--hole", "2"], b"", WRONG, &["cat", "node 2", "the hole"]),
    (&["--graph", SMALL_GRAPH, "--mouse", "4"], b"", WRONG, &["mouse's start 4", "0 to 3"]),
    (&["--graph", SMALL_GRAPH, "--cat", "70000"], b"", WRONG, &["cat's start 70000", "0 to 3"]),
    (&["--graph", SMALL_GRAPH, "--hole", "4"], b"", WRONG, &["hole 4", "0 to 3"]),
    (&["--graph", SMALL_GRAPH, "--mouse", "-1"], b"", WRONG, &["'-1'", "--mouse"]),
    (&["--graph", SMALL_GRAPH, "--mouse", "one"], b"", WRONG, &["'one'", "--mouse"]),
    (&["--graph", SMALL_GRAPH, "--cat", "99999999999"], b"", WRONG, &["99999999999", "--cat"]),
    // Text that is not JSON, and files that can't be read.
    (&["--graph", "[oops"], b"", WRONG, &[NOT_A_GRAPH, "line 1 column 2"]),
    (&["--graph", "[[1,3],[0],[3],[0,"], b"", WRONG, &[NOT_A_GRAPH, "EOF"]),
    (&["--graph", "[[1,3],[0],[3],[0,2]]]"], b"", WRONG, &[NOT_A_GRAPH, "trailing"]),
    (&["--graph", "-"], b"[[1,3],[0],[3]", WRONG, &[NOT_A_GRAPH, "EOF"]),
    (&["--graph", "-"], b"", WRONG, &[NOT_A_GRAPH, "EOF"]),
    (&["--graph", "-"], b"{\"graph\":[]}", WRONG, &[NOT_A_GRAPH, "map"]),
    (&["--graph", "-"], b"[[\xFF]]", FAILED, &["standard input", "UTF-8"]),
    (&["--graph", "empty"], b"", WRONG, &[NOT_A_GRAPH, "EOF"]),
    (&["--graph", "latin"], b"", FAILED, &["latin", "UTF-8"]),
    (&["--graph", "missing"], b"", FAILED, &["--graph", "\"missing\"", "begins with ["]),
    (&["--graph", "folder"], b"", FAILED, &["--graph", "folder"]),
    (&["--graph", ""], b"", FAILED, &["--graph", "\"\""]),
    (&[], b"", WRONG, &["--graph"]),
    (&["--graph", SMALL_GRAPH, "--hat", "1"], b"", WRONG, &["--hat"]),
    (&["--graph", SMALL_GRAPH, "--graph", "[]"], b"", WRONG, &["--graph", "multiple"]),
    (&["--graph", SMALL_GRAPH, "more"], b"", WRONG, &["more"]),
];

const GRIDS: &[Row<'_>] = &[
    (&["--grid", "[]"], b"", WRONG, &["the grid is empty"]),
    (&["--grid", r#"[""]"#], b"", WRONG, &["the grid is empty"]),
    (&["--grid", "empty"], b"", WRONG, &["the grid is empty"]),
    (&["--grid", "-"], b"\n\n", WRONG, &["the grid is empty"]),
    (&["--grid", r#"["M.C","F"]"#], b"", WRONG, &["row 1", "1 cells", "row 0 has 3"]),
    (&["--grid", "-"], b"\nM.C.F\n", WRONG, &["row 1", "5 cells", "row 0 has 0"]),
    (&["--grid", r#"["M.C",".xF"]"#], b"", WRONG, &["row 1, column 1", "'x'", "#, ., C, M or F"]),
    (&["--grid", "-"], b"M.C.F\n. ...\n", WRONG, &["row 1, column 1", "' '"]),
    (&["--grid", r#"["M.c..F"]"#], b"", WRONG, &["row 0, column 2", "'c'"]),
    (&["--grid", r#"["M..F"]"#], b"", WRONG, &["no C", "exactly one"]),
    (&["--grid", r#"["C..F"]"#], b"", WRONG, &["no M", "exactly one"]),
    (&["--grid", r#"["C..M"]"#], b"", WRONG, &["no F", "exactly one"]),
    (&["--grid", r#"["MCF.","..C."]"#], b"", WRONG, &["second C", "row 1, column 2"]),
    (&["--grid", r#"["MCF.","..M."]"#], b"", WRONG, &["second M", "row 1, column 2"]),
    (&["--grid", r#"["MCF.","..F."]"#], b"", WRONG, &["second F", "row 1, column 2"]),
    (&["--grid", "wide.txt"], b"", WRONG, &["65536 free cells", "65535"]),
    (&["--grid", r#"["MC.F"]"#, "--cat-jump", "0"], b"", WRONG, &["cat's jump", "at least 1"]),
    (&["--grid", r#"["MC.F"]"#, "--mouse-jump", "0"], b"", WRONG, &["mouse's jump", "at least 1"]),
    (&["--grid", r#"["MC.F"]"#, "--cat-jump", "-1"], b"", WRONG, &["'-1'", "--cat-jump"]),
    (&["--grid", r#"["MC.F"]"#, "--mouse-jump", "1.5"], b"", WRONG, &["1.5", "--mouse-jump"]),
    (&["--grid", r#"["MC.F"]"#, "--ply-limit", "-5"], b"", WRONG, &["'-5'", "--ply-limit"]),
    (&["--grid", "[1,2]"], b"", WRONG, &[NOT_A_GRID, "integer `1`"]),
    (&["--grid", r#"["MC.F""#], b"", WRONG, &[NOT_A_GRID, "EOF"]),
    (&["--grid", "-"], b"[MC.F]", WRONG, &[NOT_A_GRID, "line 1"]),
    (&["--grid", "-"], b"M\xC3C.F", FAILED, &["standard input", "UTF-8"]),
    (&["--grid", "missing"], b"", FAILED, &["--grid", "\"missing\""]),
    (&["--grid", "MC.F"], b"", FAILED, &["\"MC.F\"", "begins with ["]),
    (&["--grid", "folder"], b"", FAILED, &["--grid", "folder"]),
    (&[], b"", WRONG, &["--grid"]),
];

const BOARDS: &[Row<'_>] = &[
    (&["-m", "0"], b"", WRONG, &["0 columns and 3 rows", "1 to 64 squares"]),
    (&["-n", "0"], b"", WRONG, &["3 columns and 0 rows", "1 to 64 squares"]),
    (&["-m", "9", "-n", "9"], b"", WRONG, &["9 columns and 9 rows", "1 to 64 squares"]),
    (
        &["-m", "65536", "-n", "65536"],
        b"",
        WRONG,
        &["65536 columns and 65536 rows", "1 to 64 squares"],
    ),
    (&["-k", "4"], b"", WRONG, &["4 in a row", "3 x 3", "1 to 3"]),
    (&["-k", "0"], b"", WRONG, &["0 in a row", "1 to 3"]),
    (&["-m", "-3"], b"", WRONG, &["'-3'", "--columns"]),
    (&["-m", "three"], b"", WRONG, &["'three'", "--columns"]),
];

const MEN: &[Row<'_>] = &[
    (&["--board", "six", "--men", "2"], b"", WRONG, &["--men", "2 men each", "six", "3 to 8"]),
    (&["--men", "9"], b"", WRONG, &["--men", "9 men each", "six", "3 to 8"]),
    (&["--men", "-3"], b"", WRONG, &["'-3'", "--men"]),
    (&["--board", "ten"], b"", WRONG, &["ten", "--board", "six, seven, nine"]),
];

const UPRIGHT_BOARDS: &[Row<'_>] = &[
    (&["-m", "0"], b"", WRONG, &["0 columns", "at most 64"]),
    (&["-n", "0"], b"", WRONG, &["0 rows", "at most 64"]),
    (&["-m", "9", "-n", "7"], b"", WRONG, &["9 columns and 7 rows", "at most 64"]),
    (&["-m", "4294967295", "-n", "4294967295"], b"", WRONG, &["at most 64"]),
    (&["-k", "6"], b"", WRONG, &["6 in a row", "5 x 4", "1 to 5"]),
    (&["-k", "0"], b"", WRONG, &["0 in a row", "1 to 5"]),
    (&["--numbering", "dense"], b"", WRONG, &["'dense'", "packed, tiers, packed-tiers"]),
];

const PAWN_BOARDS: &[Row<'_>] = &[
    (&["-m", "0"], b"", WRONG, &["0 columns", "at most 31 squares"]),
    (&["-n", "1"], b"", WRONG, &["1 rows", "two rows"]),
    (&["-m", "8", "-n", "4"], b"", WRONG, &["8 columns and 4 rows", "at most 31 squares"]),
];

const CUBES: &[Row<'_>] = &[
    (&["--size", "1"], b"", WRONG, &["size 1", "from 2 to 5"]),
    (&["--size", "6"], b"", WRONG, &["size 6", "from 2 to 5"]),
    (&["--size", "-3"], b"", WRONG, &["'-3'", "--size"]),
];

/// A folder with the files that some rows name.
fn folder() -> Folder {
    let folder = Folder::with_small_table();
    folder.write("empty", "");
    folder.write("latin", b"[[1,3],[0],[3],[0,2],\xE9]");
    folder.write("many.json", format!("[{}[]]", "[],".repeat(65_535)));
    folder.write("wide.txt", format!("MCF{}", ".".repeat(65_533)));
    folder.write("old.rtb", "what was there before");
    fs::create_dir(folder.path("folder")).expect("a folder to make");
    folder
}

#[test]
fn games_that_make_no_sense_are_refused_and_nothing_is_written() {
    let folder = folder();
    let before = folder.contents();
    let games = [
        ("cat-mouse", GRAPHS),
        ("cat-mouse-grid", GRIDS),
        ("mnk", BOARDS),
        ("morris", MEN),
        ("connect-four", UPRIGHT_BOARDS),
        ("hexapawn", PAWN_BOARDS),
        ("quixo", CUBES),
    ];
    for (game, rows) in games {
        for (options, input, code, says) in rows {
            let outputs = ["-o", "new.rtb"];
            let solve = [&["solve", game], *options, &outputs].concat();
            folder.run_with_input(&solve, input).assert_refused(*code, says);
            let solve = [&["solve", game, "-o", "old.rtb", "--json", "--quiet"], *options].concat();
            // clap quotes values in its own way.
            let says: Vec<&str> =
                says.iter().filter(|part| !part.contains('\'')).copied().collect();
            folder.run_with_input(&solve, input).assert_refused_in_json(*code, &says);
            let laws = [&["laws", game], *options].concat();
            folder.run_with_input(&laws, input).assert_refused(*code, &says);
            assert!(folder.contents() == before, "{options:?} left something behind");
        }
    }
}

#[test]
fn what_an_announcement_allows_is_accepted_with_it() {
    let accepted: &[&[&str]] = &[
        &["--directed", "--graph", "[[1,3],[0],[],[0,2]]", "--stuck", "draw"],
        &["--directed", "--graph", "[[3],[3],[3],[1,2]]"],
        &["--graph", "[[2],[3],[0],[1]]", "--stuck", "mouse"],
        &["--graph", "[[1,2],[0],[0]]", "--stuck", "cat"],
        &["--graph", "[[],[],[]]", "--stuck", "draw"],
    ];
    for options in accepted {
        let run = folder().run(&[&["solve", "cat-mouse"], *options].concat());
        // There are no notes.
        assert_eq!(run.stderr, "", "{options:?}");
        run.answer();
    }
}

const CALLS: &[(&[&str], i32, &[&str])] = &[
    (&["solve", "checkers"], WRONG, &["checkers"]),
    (&["laws", "checkers"], WRONG, &["checkers"]),
    (&["sovle"], WRONG, &["sovle", "solve"]),
    (&["probe"], WRONG, &["FILE"]),
    (&["probe", "table.rtb", "1,2,mouse", "more"], WRONG, &["more"]),
    (&["probe", "table.rtb", "--sample", "3"], WRONG, &["--sample"]),
    (&["completions"], WRONG, &["SHELL"]),
    (&["completions", "tcsh"], WRONG, &["tcsh", "bash"]),
    (&["laws", "mnk", "--sample", "-1"], WRONG, &["-1"]),
    (&["laws", "mnk", "--sample", "many"], WRONG, &["many", "--sample"]),
    (&["solve", "mnk", "--sample", "3"], WRONG, &["--sample"]),
    // Places where a table can't be written.
    (&["solve", "mnk", "-o", ""], WRONG, &["--output"]),
    (&["solve", "mnk", "-o", "missing/new.rtb"], FAILED, &["missing/new.rtb: can't", "folder"]),
    (&["solve", "mnk", "-o", "table.rtb/new.rtb"], FAILED, &["table.rtb/new.rtb: can't"]),
    (&["solve", "mnk", "-o", "folder"], FAILED, &["folder: not a regular file"]),
    (&["solve", "mnk", "-o", "folder/"], FAILED, &["folder/: not a regular file"]),
    (&["solve", "mnk", "-o", "new.rtb/"], FAILED, &["new.rtb/: not a regular file"]),
    (&["solve", "mnk", "-o", "new.rtb/."], FAILED, &["new.rtb/.: not a regular file"]),
    (&["solve", "mnk", "-o", "."], FAILED, &[".: not a regular file"]),
    (&["solve", "mnk", "-o", ".."], FAILED, &["..: not a regular file"]),
    // Positions.
    (&["probe", "table.rtb", ""], WRONG, &["\"\"", "1,2,mouse"]),
    (&["probe", "table.rtb", "1,2"], WRONG, &["\"1,2\"", "1,2,mouse"]),
    (&["probe", "table.rtb", "1,2,mouse,3"], WRONG, &["\"1,2,mouse,3\"", "1,2,mouse"]),
    (&["moves", "table.rtb", "1,2,dog"], WRONG, &["\"dog\"", "expected mouse or cat"]),
    (&["moves", "table.rtb", "1,2,Mouse"], WRONG, &["\"Mouse\"", "expected mouse or cat"]),
    (&["line", "table.rtb", "1,4,cat"], WRONG, &["\"4\"", "0 to 3"]),
    (&["line", "table.rtb", "99999999,2,cat"], WRONG, &["\"99999999\"", "0 to 3"]),
    (&["probe", "table.rtb", "one,2,cat"], WRONG, &["\"one\"", "0 to 3"]),
    (&["probe", "table.rtb", "1,,cat"], WRONG, &["\"\"", "0 to 3"]),
    (&["probe", "table.rtb", "1,0,cat"], WRONG, &["node 0", "the hole"]),
    (&["probe", "table.rtb", "--", "-1,2,cat"], WRONG, &["\"-1\"", "0 to 3"]),
    (&["probe", "grid.rtb", "r0c0,r0c2"], WRONG, &["r0c0,r0c2,mouse"]),
    (&["probe", "grid.rtb", "0,2,cat"], WRONG, &["\"0\"", "r0c2"]),
    (&["probe", "grid.rtb", "r0,c2,cat"], WRONG, &["\"r0\"", "r0c2"]),
    (&["probe", "grid.rtb", "r0c1,r0c2,cat"], WRONG, &["\"r0c1\"", "wall"]),
    (&["probe", "grid.rtb", "r0c0,r5c0,cat"], WRONG, &["\"r5c0\"", "r0c0 to r1c5"]),
    (&["probe", "grid.rtb", "r0c-1,r0c0,cat"], WRONG, &["\"r0c-1\"", "r0c2"]),
    (&["probe", "grid.rtb", "r99999999999999999999c0,r0c0,cat"], WRONG, &["r0c2"]),
    (&["probe", "boards.rtb", ""], WRONG, &["\"\"", "3 rows", ".../.../..."]),
    (&["probe", "boards.rtb", ".../..."], WRONG, &["2 rows", ".../.../..."]),
    (&["probe", "boards.rtb", ".../..../..."], WRONG, &["row \"....\" has 4", ".../.../..."]),
    (&["probe", "boards.rtb", "X../.../..."], WRONG, &["row \"X..\"", "'X'", "x, o or ."]),
    (&["probe", "boards.rtb", "xx./.../..."], WRONG, &["2 x and 0 o", "take turns"]),
    (&["probe", "boards.rtb", "o../.../..."], WRONG, &["0 x and 1 o", "x begins"]),
    // A position with two winners: the board can hold it, but play never reaches it.
    (&["probe", "boards.rtb", "xxx/ooo/..."], FAILED, &["xxx/ooo/...", "not in the table"]),
    (&["moves", "boards.rtb", "xxx/ooo/..."], FAILED, &["xxx/ooo/...", "not in the table"]),
    (&["line", "boards.rtb", "xxx/ooo/..."], FAILED, &["xxx/ooo/...", "not in the table"]),
];

#[test]
fn calls_that_make_no_sense_are_refused_and_change_nothing() {
    let folder = folder();
    let grid = ["solve", "cat-mouse-grid", "-o", "grid.rtb", "--grid", r#"["M#C..F",".....#"]"#];
    folder.run(&grid).answer();
    folder.run(&["solve", "mnk", "-o", "boards.rtb"]).answer();
    let before = folder.contents();
    for (arguments, code, says) in CALLS {
        folder.run(arguments).assert_refused(*code, says);
        folder.run(&[&["--json"], *arguments].concat()).assert_refused_in_json(*code, says);
        assert!(folder.contents() == before, "{arguments:?} changed something");
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_never_replaced_by_a_table() {
    use std::os::unix::fs::FileTypeExt;

    let solve = ["solve", "mnk", "-o", "/dev/null"];
    folder().run(&solve).assert_refused(FAILED, &["/dev/null: not a regular file"]);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

/// A program finds out what was wrong without reading a sentence.
#[test]
fn errors_in_json_have_a_code_and_fields() {
    let folder = folder();
    let refused = |arguments: &[&str], code: i32| {
        let error = folder.run(&[&["--json", "-q"], arguments].concat());
        error.assert_refused_in_json(code, &[])
    };
    for (arguments, exit_code, code, fields) in [
        (
            &["solve", "mnk", "--colums", "3"][..],
            WRONG,
            "unknown-option",
            json!({ "option": "colums", "meant": "columns" }),
        ),
        (
            &["solve", "mnk", "--threads", "many"],
            WRONG,
            "invalid-value",
            json!({ "option": "threads", "value": "many" }),
        ),
        (&["solve", "cat-mouse"], WRONG, "missing-option", json!({ "options": ["graph"] })),
        (&["solve", "chss"], WRONG, "unknown-game", json!({ "game": "chss", "meant": "chess" })),
        (
            &["probe", "table.rtb", "1,2,Mouse"],
            WRONG,
            "not-a-state",
            json!({ "state": "1,2,Mouse", "meant": "1,2,mouse" }),
        ),
        (&["solve", "mnk", "--max-states", "9"], FAILED, "solve", json!({})),
        (&["probe", "nowhere.rtb"], FAILED, "table", json!({ "path": "nowhere.rtb" })),
    ] {
        let error = refused(arguments, exit_code);
        assert_eq!(error["code"], code, "{error}");
        for (name, value) in fields.as_object().unwrap() {
            assert_eq!(&error["fields"][name], value, "{error}");
        }
    }
    let probed =
        folder.run_with_input(&["probe", "table.rtb", "-", "--json"], b"1,2,mouse\n1,2,dog\n");
    let line: Json = serde_json::from_str(probed.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(line["code"], "not-a-state");
    let errors: Vec<Json> =
        probed.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [line, end] = [0, 1].map(|at| &errors[at]["error"]);
    assert_eq!((&line["code"], &line["fields"]["line"]), (&json!("not-a-state"), &json!(2)));
    let unanswered = json!({ "positions": 2, "unanswered": 1 });
    assert_eq!((&end["code"], &end["fields"]), (&json!("unanswered"), &unanswered));
    // Characters that could move a terminal's cursor stay harmless, and the line stays JSON.
    let error = refused(&["solve", "\u{202e}\u{1b}[2J"], WRONG);
    assert_eq!(error["fields"]["game"], "\u{202e}\u{1b}[2J");
}
