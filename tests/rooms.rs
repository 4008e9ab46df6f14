//! The rooms of the library, and which of them may use which. `docs/ARCHITECTURE.md` draws them.
//!
//! A room is a folder or file right under `src`. This test reads the paths that begin with
//! `crate::` in the code of each room, except in tests, and compares them with the list below.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms that it uses, from the bottom to the top. None uses a later one.
const ROOMS: [(&str, &[&str]); 27] = [
    ("documentation", &[]),
    ("runtime", &[]),
    ("codec", &[]),
    ("index", &[]),
    ("packed_word", &[]),
    ("game", &["packed_word"]),
    ("value", &["game"]),
    ("error", &["runtime", "index", "game", "value"]),
    ("scene", &["game"]),
    ("notation", &["game", "value", "scene", "error"]),
    ("board", &["game", "scene", "notation", "error"]),
    ("preference", &["game", "value"]),
    ("summary", &["game", "value"]),
    ("query", &["game", "value", "preference", "error"]),
    ("numbering", &["runtime", "codec", "packed_word", "game", "value", "error"]),
    ("explore", &["runtime", "game", "value", "error", "numbering"]),
    ("laws", &["runtime", "game", "value", "scene", "notation", "error", "numbering", "explore"]),
    (
        "solve",
        &[
            "runtime",
            "codec",
            "game",
            "value",
            "preference",
            "summary",
            "error",
            "query",
            "notation",
            "numbering",
            "explore",
            "laws",
        ],
    ),
    (
        "table",
        &["runtime", "codec", "game", "value", "summary", "error", "query", "numbering", "solve"],
    ),
    ("cluster", &["runtime", "codec", "error", "numbering", "solve", "table"]),
    ("wording", &["game", "value", "notation", "summary", "error", "query"]),
    (
        "verify",
        &["runtime", "game", "value", "notation", "summary", "error", "numbering", "laws", "table"],
    ),
    ("registered", &["notation", "error", "numbering", "table"]),
    (
        "answers",
        &[
            "game",
            "value",
            "scene",
            "notation",
            "summary",
            "error",
            "query",
            "numbering",
            "solve",
            "table",
            "wording",
        ],
    ),
    ("serve", &["answers"]),
    ("web", &["error", "table", "registered", "answers", "serve"]),
    (
        "cli",
        &[
            "runtime",
            "game",
            "value",
            "scene",
            "notation",
            "summary",
            "error",
            "query",
            "numbering",
            "explore",
            "solve",
            "table",
            "laws",
            "wording",
            "answers",
            "registered",
            "serve",
            "web",
            "cluster",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and tests. The tests come last.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join(" ")
}

/// The rooms that a text names after `crate::`.
fn named(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for behind in code.split("crate::").skip(1) {
        assert!(!behind.starts_with('{'), "one `use` for each room: crate::{behind:.40}");
        let name = behind.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
        rooms.insert(name.to_owned());
    }
    rooms
}

#[test]
fn rooms_know_the_rooms_that_the_list_says_and_no_others() {
    let src = kit::repository().join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.ends_with("lib.rs")) {
        assert!(!code(file).contains("super::super::"), "{}: say `crate::`", file.display());
        let first = file.strip_prefix(&src).unwrap().iter().next().unwrap();
        let room = Path::new(first).file_stem().unwrap().to_str().unwrap().to_owned();
        known.entry(room).or_default().extend(named(&code(file)));
    }
    for (room, rooms) in &mut known {
        rooms.remove(room);
    }
    let listed: BTreeMap<String, BTreeSet<String>> = ROOMS
        .iter()
        .map(|(room, rooms)| ((*room).into(), rooms.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(known, listed);
}

#[test]
fn no_room_knows_one_above_it() {
    for (at, (room, rooms)) in ROOMS.iter().enumerate() {
        for other in *rooms {
            let place = ROOMS.iter().position(|(name, _)| name == other).unwrap();
            assert!(place < at, "{room} knows {other}");
        }
    }
}
