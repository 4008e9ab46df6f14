//! One thing has one name: the glossary of `docs/ARCHITECTURE.md` has it. Names that went do not come
//! back, in code, messages and pages.

use std::fs;
use std::path::Path;

/// Each name that went, and its present name.
const WENT: [(&str, &str); 33] = [
    ("Solvable", "Numbered"),
    ("Explored", "Hashed"),
    ("with_notation", "notation"),
    ("with_threads", "threads"),
    ("with_cache", "cache"),
    ("with_memory", "memory"),
    ("solve_into_as", "table_at"),
    ("verify_writing", "verifier"),
    ("check_bytes", "verify_checksums"),
    ("find_kind", "index_and_kind"),
    ("each_in", "for_each_with_value_in"),
    ("predecessors_within", "tier_predecessors"),
    ("PREDECESSORS_WITHIN", "TIER_PREDECESSORS"),
    ("internal_degree", "tier_degree"),
    ("DISTINCT_WITHIN", "TIER_DISTINCT"),
    ("outcome-only", "outcomes-only"),
    ("InTurn", "Concatenated"),
    ("beside_orbit", "fold_orbit"),
    ("yellow_and_red()", "set_yellow_and_red"),
    ("stands_upright", "set_upright"),
    ("NotTogether", "UnsupportedByCluster"),
    ("Parted", "PeerError"),
    ("TiersWithSuccessors", "Tiers<Dense>"),
    ("SuccessorIndices", "TierIndexed"),
    ("holes", "unused indices"),
    ("ranking of states", "numbering"),
    ("indexing scheme", "scheme"),
    ("crew", "peers"),
    ("keeper", "owner"),
    ("let in", "enter"),
    ("so many bytes", "this many bytes"),
    ("so many states", "this many states"),
    ("outcomes alone", "outcomes only"),
];

fn read_all(path: &Path, texts: &mut Vec<(String, String)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            read_all(&entry.unwrap().path(), texts);
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        texts.push((path.display().to_string(), text));
    }
}

/// Whether a text has these words, and not as parts of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(words).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + words.len()..].starts_with(is_part)
    })
}

#[test]
fn names_that_went_do_not_come_back() {
    let root = kit::repository();
    let mut texts = Vec::new();
    for place in ["src", "games", "examples", "benches", "docs", "README.md"] {
        read_all(&root.join(place), &mut texts);
    }
    assert!(texts.len() > 200, "{} files", texts.len());
    let mut found = Vec::new();
    for (path, text) in &texts {
        for (went, present) in WENT {
            if has_words(text, went) {
                found.push(format!("{path}: \"{went}\" is called \"{present}\" now"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn words_are_found_whole() {
    assert!(has_words("the crew of", "crew") && has_words("crew", "crew"));
    assert!(!has_words("screw", "crew") && !has_words("crews", "crew"));
    assert!(!has_words("set_yellow_and_red()", "yellow_and_red()"));
}
