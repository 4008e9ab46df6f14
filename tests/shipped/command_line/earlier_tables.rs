//! Tables that earlier versions wrote can still be read.

use std::fs;

use serde_json::json;

use crate::program::Folder;

#[test]
fn tables_of_the_first_format_are_read() {
    let earlier = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/format-1");
    let start_of = |outcome: &str, plies: Option<u32>| (outcome.to_owned(), plies);
    let tables = [
        ("cat-mouse.rtb", 220, start_of("mouse", Some(7))),
        ("cat-mouse-plain.rtb", 220, start_of("mouse", Some(7))),
        ("cat-mouse-outcomes.rtb", 220, start_of("mouse", None)),
        ("mnk.rtb", 5_478, start_of("draw", None)),
        ("hexapawn.rtb", 755, start_of("black", Some(8))),
        ("quixo-outcomes.rtb", 2_862, start_of("o", None)),
        ("mnk-tiers", 29, start_of("x", Some(3))),
        ("KQvK", 46_599, start_of("white", Some(19))),
        ("KQvK-columns", 46_599, start_of("white", Some(19))),
        ("KQvK-outcomes", 46_599, start_of("white", None)),
    ];
    assert_eq!(fs::read_dir(earlier).expect("the tables").count(), tables.len());
    let folder = Folder::new();
    for (name, states, (outcome, plies)) in tables {
        let path = format!("{earlier}/{name}");
        if name == "mnk-tiers" && !cfg!(feature = "numberings") {
            let refused = folder.run(&["verify", &path]);
            refused.assert_refused(1, &["packed-tiers", "the feature `numberings`"]);
            continue;
        }
        let verified = folder.run(&["verify", &path, "--json"]).json();
        assert_eq!(verified["states"], json!(states), "{name}");
        folder.run(&["verify", &path, "--bytes"]).answer();
        let start = folder.run(&["probe", &path, "--json"]).json();
        assert_eq!(
            (&start["outcome"], &start["plies"]),
            (&json!(outcome), &json!(plies)),
            "{name}"
        );
        let stats = folder.run(&["stats", &path, "--json"]).json();
        assert_eq!(stats["states"], json!(states), "{name}");
        let moves = folder.run(&["moves", &path, "--json"]).json();
        assert!(moves["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{name}");
    }
}
