//! Games in tiers whose states are discovered: solved into a folder, probed and verified.

use crate::program::Folder;

const SOLVE: [&str; 6] = ["solve", "mnk", "--numbering", "packed-tiers", "-o", "stones"];

#[test]
fn a_folder_answers_like_a_table() {
    let folder = Folder::new();
    let solved = folder.run(&[&SOLVE[..], &["--json"]].concat()).json();
    let whole = folder.run(&["solve", "mnk", "-o", "whole.rtb", "--json"]).json();
    for figure in ["states", "wins", "draws", "endless", "longest_plies", "start"] {
        assert_eq!(solved[figure], whole[figure], "{figure}");
    }
    assert_eq!(solved["states"], 5_478);
    assert_eq!(solved["tiers"].as_array().unwrap().len(), 10);
    let positions = ["", ".../.../...", "x../.../...", "xox/oxo/x..", "xo./.../..."];
    for position in positions {
        for command in ["probe", "moves", "line"] {
            let run = |table| {
                let words = [command, table, position, "--json"];
                folder.run(&words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>())
            };
            assert_eq!(run("stones").json(), run("whole.rtb").json(), "{command} {position}");
        }
    }
    let stats = folder.run(&["stats", "stones", "--json", "--examples", "3"]).json();
    assert_eq!(stats["numbering"], "packed-tiers");
    assert_eq!(stats["states"], 5_478);
    for memory in [&["--memory", "1kB"][..], &[]] {
        let verify = [&["verify", "stones", "--json"], memory].concat();
        assert_eq!(folder.run(&verify).json()["states"], 5_478);
        let verify = [&["verify", "whole.rtb", "--json"], memory].concat();
        assert_eq!(folder.run(&verify).json()["states"], 5_478);
    }
    folder.run(&["verify", "stones", "--bytes"]).answer();
    // Play can't reach this position.
    folder.run(&["probe", "stones", "xxx/ooo/..."]).assert_refused(1, &["xxx/ooo/..."]);
}

#[test]
fn a_run_is_resumed_where_it_was() {
    let folder = Folder::new();
    folder.run(&[&SOLVE[..], &["--tier", "7-stones"]].concat()).answer();
    assert!(folder.path("stones/3-stones.states").exists());
    folder.run(&["probe", "stones"]).assert_refused(1, &["0-stones.rtb"]);
    let text = folder.run(&SOLVE).answer();
    assert!(text.contains("3 of the tiers were solved before"), "{text}");
    assert!(!folder.path("stones/3-stones.states").exists());
    folder.run(&["verify", "stones"]).answer();
    // A killed run that was writing the states of a tier leaves a file under a name of its own.
    folder.write("stones/.4-stones.states.aBcDeF.tmp", "half");
    folder.write("stones/.mine.states.aBcDeF.tmp", "mine");
    folder.run(&SOLVE).answer();
    assert!(!folder.path("stones/.4-stones.states.aBcDeF.tmp").exists());
    assert!(folder.path("stones/.mine.states.aBcDeF.tmp").exists());
    let beside = [&SOLVE[..], &["--outcomes-only=outcomes"]].concat();
    folder.run(&beside).answer();
    assert_eq!(
        folder.run(&["probe", "outcomes", "--json"]).json(),
        serde_json::json!({ "state": ".../.../...", "outcome": "draw", "plies": null, "decided_by": "play" })
    );
}

#[test]
fn a_damaged_tier_is_solved_again_if_its_states_are_left() {
    let folder = Folder::new();
    folder.run(&SOLVE).answer();
    let again = folder.run(&SOLVE);
    assert!(!again.stderr.contains("damaged"), "{again:?}");
    let text = again.answer();
    assert!(text.contains("\nnothing was left to write: stones has "), "{text}");
    let name = "stones/4-stones.rtb";
    let intact = folder.read(name);
    let damaged = |at: usize| {
        let mut bytes = intact.clone();
        bytes[at] ^= 1;
        bytes
    };
    // The values come before the states.
    let header = u64::from_le_bytes(intact[28..36].try_into().unwrap()) as usize;
    folder.write(name, damaged(92 + header + 10));
    folder.run(&["verify", "stones"]).assert_refused(1, &["4-stones.rtb: damaged", "the values"]);
    let again = folder.run(&SOLVE);
    assert!(again.stderr.contains("4-stones.rtb is damaged"), "{again:?}");
    let text = again.answer();
    for part in ["9 of the tiers were solved before", "\nwrote 1 of the tiers: stones has "] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(folder.read(name) == intact);
    folder.run(&["verify", "stones"]).answer();
    for at in [30, 100, intact.len() - 100] {
        folder.write(name, damaged(at));
        let says = ["4-stones.rtb: damaged", "delete this one to have them discovered"];
        folder.run(&SOLVE).assert_refused(1, &says);
        assert!(folder.read(name) == damaged(at));
    }
}

#[test]
fn what_can_not_be_is_told() {
    let folder = Folder::new();
    let solve = ["solve", "mnk", "--tier", "3-stones", "-o", "x"];
    folder.run(&solve).assert_refused(2, &["--tier", "numbering in tiers", "packed"]);
    let solve = [&SOLVE[..], &["--tier", "12-stones"]].concat();
    folder.run(&solve).assert_refused(2, &["12-stones", "9-stones"]);
    let board = ["connect-four", "-m", "3", "-n", "3", "-k", "3", "-o", "board"];
    let solve = |way| [&["solve"], &board[..], &["--numbering", way]].concat();
    folder.run(&solve("tiers")).answer();
    folder.run(&solve("packed-tiers")).assert_refused(
        1,
        &["board: its states are numbered as \"tiers\", where packed-tiers was expected: name another table"],
    );
    let verify = ["verify", "board", "--memory", "much"];
    folder.run(&verify).assert_refused(2, &["'much'", "--memory"]);
}
