//! `--outcomes-only`: tables that store the winner, and not the number of plies.

use crate::program::{Folder, SMALL_GRAPH};

const SOLVE: [&str; 6] = ["solve", "cat-mouse", "--graph", SMALL_GRAPH, "--stuck", "draw"];

#[test]
fn outcomes_are_written_in_place_of_the_table_or_beside_it() {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run(&[&SOLVE[..], arguments].concat()).answer();
    let answer = run(&["-o", "full.rtb", "--outcomes-only=beside.rtb"]);
    assert!(answer.contains("wrote full.rtb: ") && answer.contains("wrote beside.rtb: "));
    run(&["-o", "in-place.rtb", "--outcomes-only"]);
    run(&["--outcomes-only=alone.rtb"]);
    assert_eq!(folder.read("in-place.rtb"), folder.read("beside.rtb"));
    assert_eq!(folder.read("alone.rtb"), folder.read("beside.rtb"));
    assert!(folder.read("beside.rtb").len() < folder.read("full.rtb").len());
    for position in ["1,2,mouse", "3,2,cat", "3,1,mouse"] {
        let [full, outcomes] = ["full.rtb", "beside.rtb"]
            .map(|table| folder.run(&["probe", table, position, "--json"]).json());
        assert_eq!((&full["outcome"], &full["state"]), (&outcomes["outcome"], &outcomes["state"]));
        assert!(outcomes["plies"].is_null());
    }
    let twice = folder.run(&[&SOLVE[..], &["-o", "x.rtb", "--outcomes-only=x.rtb"]].concat());
    twice.assert_refused(2, &["x.rtb"]);
    let json = run(&["-o", "full.rtb", "--outcomes-only=beside.rtb", "--json"]);
    let length = |name: &str| folder.read(name).len();
    assert!(json.contains(&format!("\"bytes\":{},", length("full.rtb"))), "{json}");
    assert!(json.contains(&format!("\"outcome_bytes\":{}}}", length("beside.rtb"))), "{json}");
    let verified = folder.run(&["verify", "beside.rtb"]).answer();
    assert!(verified.contains("agree with each other"), "{verified}");
    assert_eq!(folder.run(&["verify", "beside.rtb", "--json"]).json()["outcomes_only"], true);
    assert!(folder.run(&["stats", "beside.rtb"]).answer().contains(", outcomes only: "));
    assert_eq!(folder.run(&["stats", "beside.rtb", "--json"]).json()["outcomes_only"], true);
    assert!(folder.run(&["stats", "full.rtb", "--json"]).json()["outcomes_only"].is_null());
    folder.run(&["line", "beside.rtb"]).assert_refused(1, &["beside.rtb", "outcomes only"]);
    let examples = folder.run(&["stats", "beside.rtb", "--examples", "1"]);
    examples.assert_refused(1, &["beside.rtb", "outcomes only"]);
}

#[test]
fn tiers_have_outcomes_in_a_folder_of_their_own() {
    let folder = Folder::new();
    let solve = ["solve", "chess", "KQvK", "-o", "full"];
    folder.run(&[&solve[..], &["--outcomes-only=outcomes"]].concat()).answer();
    let probed = folder.run(&["probe", "outcomes", "--json"]).json();
    assert!(probed["outcome"] == "white" && probed["plies"].is_null());
    folder.run(&["verify", "outcomes"]).answer();
    folder.run(&["line", "outcomes"]).assert_refused(1, &["outcomes: the table has outcomes only"]);
    let into = folder.run(&["solve", "chess", "KQvK", "-o", "outcomes"]);
    into.assert_refused(1, &["outcomes: the tables there have outcomes only"]);
    let into = folder.run(&[&solve[..], &["--outcomes-only=full"]].concat());
    into.assert_refused(2, &["can't both be in full"]);
    let into = ["solve", "chess", "KQvK", "-o", "other", "--outcomes-only=full"];
    folder.run(&into).assert_refused(1, &["full: the tables there have distances"]);
    let in_place = folder.run(&[&solve[..], &["--outcomes-only"]].concat());
    in_place.assert_refused(2, &["--outcomes-only=FOLDER"]);
}

#[test]
fn outcomes_that_a_limit_cuts_off_are_refused() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse-grid", "--grid", r#"["M.C...F"]"#, "--mouse-jump", "4"];
    let run = |limit: &str, output: &str| {
        folder.run(&[&solve[..], &["--ply-limit", limit, "--outcomes-only", "-o", output]].concat())
    };
    run("1000", "far.rtb").answer();
    run("2", "near.rtb").assert_refused(1, &["near.rtb", "a limit of 2 plies"]);
    assert!(!folder.path("near.rtb").exists());
    let nowhere = folder.run(&[&SOLVE[..], &["--outcomes-only"]].concat());
    nowhere.assert_refused(2, &["--output", "--outcomes-only=FILE"]);
}

#[test]
fn neither_of_two_tables_is_replaced_where_the_second_is_refused() {
    let folder = Folder::new();
    let solve = ["solve", "cat-mouse-grid", "--grid", r#"["M.C...F"]"#, "--mouse-jump", "4"];
    let solve = [&solve[..], &["-o", "full.rtb", "--outcomes-only=outcomes.rtb"]].concat();
    folder.run(&[&solve[..], &["--ply-limit", "1000"]].concat()).answer();
    let before = folder.contents();
    assert_eq!(before.len(), 2);
    let near = folder.run(&[&solve[..], &["--ply-limit", "2"]].concat());
    near.assert_refused(1, &["outcomes.rtb", "a limit of 2 plies"]);
    assert!(folder.contents() == before, "{:?}", folder.contents().keys());
}
