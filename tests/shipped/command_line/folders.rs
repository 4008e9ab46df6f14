//! Folders of tiers with something missing, foreign or wrong: which commands refuse them, and
//! whether the advice of the errors helps.

use std::ffi::OsString;
use std::fs;

use serde_json::Value as Json;

use crate::program::{Folder, Run, SMALL_GRAPH};

const QUEEN: [&str; 5] = ["solve", "chess", "KQvK", "-o", "queen"];
#[cfg(feature = "numberings")]
const STONES: [&str; 6] = ["solve", "mnk", "--numbering", "packed-tiers", "-o", "stones"];

/// A folder with a queen's ending in tiers: the bare kings, and the ending.
fn with_queen() -> Folder {
    let folder = Folder::new();
    folder.run(&QUEEN).answer();
    folder
}

/// Calls `serve` with an address on which it can't listen, so that it always ends.
fn serve(folder: &Folder, table: &str) -> Run {
    folder.run(&["serve", table, "--listen", "192.0.2.1:9"])
}

/// Expects all commands about the whole folder to refuse it.
fn assert_refused(folder: &Folder, table: &str, says: &[&str]) {
    for command in [&["verify", table, "--bytes"][..], &["verify", table], &["stats", table]] {
        folder.run(command).assert_refused(1, says);
    }
    serve(folder, table).assert_refused(1, says);
}

/// Changes the manifest of a folder.
fn change_manifest(folder: &Folder, name: &str, change: impl Fn(&mut Json)) {
    let path = format!("{name}/manifest.json");
    let mut manifest = serde_json::from_slice(&folder.read(&path)).expect("a manifest");
    change(&mut manifest);
    folder.write(&path, manifest.to_string());
}

/// A file has arbitrary values at unused indices, and memory none.
#[test]
fn tiers_that_are_solved_one_by_one_have_the_files_of_all_at_once() {
    let folder = Folder::new();
    folder.run(&["solve", "chess", "KBNvK", "-o", "mate"]).answer();
    let at_once = folder.contents_of("mate");
    fs::remove_dir_all(folder.path("mate")).unwrap();
    for tier in ["KvK", "KBvK", "KNvK", "KBNvK"] {
        folder.run(&["solve", "chess", "KBNvK", "--tier", tier, "-o", "mate"]).answer();
    }
    assert!(folder.contents_of("mate") == at_once);
}

#[test]
fn a_tier_is_verified_by_itself() {
    let folder = with_queen();
    let verified = folder.run(&["verify", "queen", "--tier", "KvK"]).answer();
    assert_eq!(verified, "queen: the checksums and values of tier KvK are right: 462 states\n");
    let verified = folder.run(&["verify", "queen", "--tier", "KQvK", "--json"]).json();
    assert_eq!((&verified["tier"], &verified["states"]), (&"KQvK".into(), &46_137.into()));
    let unknown = folder.run(&["verify", "queen", "--tier", "KRvK"]);
    unknown.assert_refused(2, &["no such tier: \"KRvK\"", "one of KvK, KQvK"]);
    folder.write("graph.json", SMALL_GRAPH);
    folder.run(&["solve", "cat-mouse", "--graph", "graph.json", "-o", "mouse.rtb"]).answer();
    let none = folder.run(&["verify", "mouse.rtb", "--tier", "KvK"]);
    none.assert_refused(2, &["no such tier", "none, since the table has no tiers"]);
    // The solved part of a folder can be verified.
    fs::remove_file(folder.path("queen/KQvK.rtb")).unwrap();
    folder.run(&["verify", "queen", "--tier", "KvK"]).answer();
    let missing = folder.run(&["verify", "queen", "--tier", "KQvK"]);
    missing.assert_refused(1, &["queen/KQvK.rtb"]);
}

#[test]
fn a_folder_without_a_tier_that_another_needs_is_refused() {
    let folder = with_queen();
    fs::remove_file(folder.path("queen/KvK.rtb")).unwrap();
    let says = ["queen/KvK.rtb: missing: the table of tier KvK", "KQvK leads to", "`solve` again"];
    assert_refused(&folder, "queen", &says);
    folder.run(&QUEEN).answer();
    folder.run(&["verify", "queen", "--bytes"]).answer();
}

/// The files of a folder, without its name.
fn files(folder: &Folder, name: &str) -> Vec<(OsString, Option<Vec<u8>>)> {
    let contents = folder.contents_of(name).into_iter();
    contents.map(|(path, bytes)| (path.file_name().unwrap().to_owned(), bytes)).collect()
}

#[test]
fn the_folder_of_a_smaller_game_is_gone_on_with() {
    let cases = [
        (
            "awari --seeds 5",
            "awari --seeds 7",
            "awari --seeds 7 --grand-slam captures",
            "6 of the tiers were solved before",
        ),
        ("chess KRvK", "chess KPvK", "chess KNvK", "2 of the tiers were solved before"),
        ("chess KQvK", "chess --all 3", "chess KRvKN", "2 of the tiers were solved before"),
        ("chess KQvK --tier KvK", "chess KPvK", "chess KRvKN", "1 of the tiers was solved before"),
    ];
    for &(smaller, larger, other, says) in kit::few(&cases[..1], &cases) {
        let folder = Folder::new();
        let solve = |game: &str, output: &str| {
            let words: Vec<&str> = game.split(' ').collect();
            folder.run(&[&["solve"], &words[..], &["-o", output]].concat())
        };
        solve(smaller, "grown").answer();
        let before = files(&folder, "grown");
        solve(other, "grown").assert_refused(1, &["grown: the table of another game"]);
        assert!(files(&folder, "grown") == before, "{other}");
        let grown = solve(larger, "grown");
        assert!(grown.stdout.contains(says), "{grown:?}");
        solve(larger, "new").answer();
        let whole = files(&folder, "new");
        assert!(files(&folder, "grown") == whole, "{larger}");
        // A smaller game is not solved into a larger one's folder, which loses nothing.
        let all_of_smaller = smaller.split(" --tier").next().unwrap_or_default();
        solve(all_of_smaller, "grown")
            .assert_refused(1, &["grown: the folder goes further", "probe it as it is"]);
        assert!(files(&folder, "grown") == whole, "{smaller}");
        folder.run(&["verify", "grown"]).answer();
        // The run is killed once the manifest is written.
        solve(smaller, "stopped").answer();
        folder.write("stopped/manifest.json", folder.read("new/manifest.json"));
        solve(larger, "stopped").answer();
        assert!(files(&folder, "stopped") == whole, "{larger}");
    }
}

#[test]
fn a_folder_of_outcomes_grows_with_its_game() {
    let folder = Folder::new();
    for (seeds, distances, outcomes) in
        [("4", "grown", "few"), ("6", "grown", "few"), ("6", "new", "all")]
    {
        let outcomes = format!("--outcomes-only={outcomes}");
        folder.run(&["solve", "awari", "--seeds", seeds, "-o", distances, &outcomes]).answer();
    }
    assert!(files(&folder, "few") == files(&folder, "all"));
    assert!(files(&folder, "grown") == files(&folder, "new"));
}

#[test]
fn a_folder_that_is_not_finished_says_how_far_it_is() {
    let folder = with_queen();
    fs::remove_file(folder.path("queen/KQvK.rtb")).unwrap();
    let says = ["queen/KQvK.rtb: missing", "1 of 2 tiers are solved", "`solve` again"];
    folder.run(&["verify", "queen", "--bytes"]).assert_refused(1, &says);
    folder.run(&["verify", "queen"]).assert_refused(1, &says);
    folder.run(&["probe", "queen"]).assert_refused(1, &says);
    let stats = folder.run(&["stats", "queen"]).answer();
    assert!(stats.contains("1 of 2 tiers are solved"), "{stats}");
    let says = ["note: queen: 1 of 2 tiers are solved", "can't listen on"];
    serve(&folder, "queen").assert_refused(1, &says);
    folder.run(&QUEEN).answer();
    folder.run(&["verify", "queen", "--bytes"]).answer();
}

#[test]
fn the_tier_of_another_game_is_found_by_its_header() {
    let folder = with_queen();
    folder.run(&["solve", "chess", "KRvK", "-o", "rook"]).answer();
    folder.write("rook/KRvK.rtb", folder.read("queen/KQvK.rtb"));
    assert_refused(&folder, "rook", &["rook/KRvK.rtb: the table of another game"]);
    folder.write("queen/KvK.rtb", folder.read("queen/KQvK.rtb"));
    assert_refused(&folder, "queen", &["queen/KvK.rtb: its states are numbered"]);
}

#[test]
fn a_manifest_without_tiers_is_refused() {
    let folder = with_queen();
    change_manifest(&folder, "queen", |manifest| manifest["tiers"] = Json::Array(Vec::new()));
    let says = ["queen/manifest.json: malformed", "lists no tiers", "copy the folder again"];
    assert_refused(&folder, "queen", &says);
    folder.run(&QUEEN).assert_refused(1, &says);
}

#[cfg(feature = "numberings")]
#[test]
fn a_manifest_that_counts_other_states_is_refused() {
    let folder = Folder::new();
    folder.run(&[&STONES[..], &["--tier", "7-stones"]].concat()).answer();
    let intact = folder.read("stones/manifest.json");
    let count = |tier: usize, states: u64| {
        folder.write("stones/manifest.json", &intact);
        change_manifest(&folder, "stones", |manifest| {
            manifest["tiers"][tier]["states"] = states.into();
        });
    };
    // Tiers are in solving order, so that the last has no stones. The tier of 3 stones is not
    // solved yet.
    count(6, 1_000_000);
    let advice = "copy the folder again, or delete it to start again";
    let says = ["stones/manifest.json: counts 1,000,000 states of tier 3-stones", advice];
    let says = [says[0], says[1], "its file of states has"];
    let refused = folder.run(&STONES);
    refused.assert_refused(1, &says);
    assert_eq!(refused.stderr.matches("manifest.json").count(), 1, "{refused:?}");
    // The tier of 8 stones is solved.
    count(1, 5);
    let says = ["stones/manifest.json: counts 5 states of tier 8-stones", advice, "its table has"];
    folder.run(&STONES).assert_refused(1, &says);
    assert_refused(&folder, "stones", &says);
    // States that are missing are discovered and counted again.
    for stones in 0..=6 {
        fs::remove_file(folder.path(&format!("stones/{stones}-stones.states"))).unwrap();
    }
    count(6, 7);
    let says = ["stones/manifest.json: counts 7 states of tier 3-stones", advice, "play reaches"];
    folder.run(&STONES).assert_refused(1, &says);
    change_manifest(&folder, "stones", |manifest| manifest["tiers"][6]["states"] = Json::Null);
    let says = ["stones/manifest.json: malformed", "tier 3-stones has no count of its states"];
    folder.run(&STONES).assert_refused(1, &says);
    folder.write("stones/manifest.json", &intact);
    folder.run(&STONES).answer();
    folder.run(&["verify", "stones"]).answer();
}

#[cfg(feature = "numberings")]
#[test]
fn states_that_are_damaged_or_gone_are_discovered_again() {
    let folder = Folder::new();
    folder.run(&STONES).answer();
    let whole = folder.contents_of("stones");
    fs::remove_dir_all(folder.path("stones")).unwrap();
    folder.run(&[&STONES[..], &["--tier", "7-stones"]].concat()).answer();
    let name = "stones/3-stones.states";
    let mut states = folder.read(name);
    let last = states.len() - 1;
    states[last] ^= 1;
    folder.write(name, states);
    let refused = folder.run(&STONES);
    refused.assert_refused(1, &["3-stones.states: damaged", "delete the file to start again"]);
    assert_eq!(refused.stderr.matches("3-stones").count(), 1, "{refused:?}");
    fs::remove_file(folder.path(name)).unwrap();
    let text = folder.run(&STONES).answer();
    assert!(text.contains("6 of the tiers were solved before"), "{text}");
    assert!(folder.contents_of("stones") == whole);

    // Once a tier is solved, only its table contains its states.
    let name = "stones/4-stones.rtb";
    let intact = folder.read(name);
    folder.write(name, &intact[..intact.len() - 1]);
    let refused = folder.run(&STONES);
    refused.assert_refused(1, &["4-stones.rtb: truncated", "delete this one"]);
    assert_eq!(
        refused.stderr.lines().last().unwrap().matches("4-stones").count(),
        1,
        "{refused:?}"
    );
    fs::remove_file(folder.path(name)).unwrap();
    folder.run(&STONES).answer();
    assert!(folder.contents_of("stones") == whole);
}

#[test]
fn a_tier_is_not_replaced_by_the_table_of_a_game() {
    let folder = with_queen();
    folder.write("graph.json", SMALL_GRAPH);
    let before = folder.contents_of("queen");
    let solve = ["solve", "cat-mouse", "--graph", "graph.json", "-o"];
    for name in ["queen/KvK.rtb", "queen/KQvK.rtb", "./queen/../queen/KvK.rtb"] {
        let says =
            ["the table of tier K", "is not replaced", "choose another name, or add --force"];
        folder.run(&[&solve[..], &[name]].concat()).assert_refused(1, &says);
        assert!(folder.contents_of("queen") == before, "{name}");
    }
    // The same holds for a tier that is not solved yet.
    fs::remove_file(folder.path("queen/KQvK.rtb")).unwrap();
    let says = ["the table of tier KQvK belongs there"];
    folder.run(&[&solve[..], &["queen/KQvK.rtb"]].concat()).assert_refused(1, &says);
    folder.run(&[&solve[..], &["queen/mouse.rtb"]].concat()).answer();
    folder.run(&[&solve[..], &["queen/KvK.rtb", "--force"]].concat()).answer();
    folder.run(&["verify", "queen/KvK.rtb"]).answer();
}
