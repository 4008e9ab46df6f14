//! `--numbering`: the names of the numberings.

#[cfg(not(feature = "numberings"))]
use retrograde::{Solver, scheme};
#[cfg(not(feature = "numberings"))]
use retrograde_games::mnk::{Mnk, MnkParameters};

#[cfg(not(feature = "numberings"))]
use crate::program::Folder;
use crate::program::retrograde;

#[test]
fn help_and_refusals_name_the_numberings() {
    let help = retrograde(&["solve", "mnk", "--help"]).answer();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[possible values: packed, dense, packed-tiers]"), "{help}");
    let refused = retrograde(&["solve", "mnk", "--numbering", "tiers"]);
    refused.assert_refused(2, &["'tiers'", "packed, dense, packed-tiers"]);
    // Help is the same in all builds, and says which numberings only some of them have.
    for (game, needs) in [
        ("mnk", "dense and packed-tiers only in a build with the feature `numberings`"),
        ("connect-four", "packed-tiers only in a build with the feature `numberings`"),
        ("othello", "packed-tiers only in a build with the feature `numberings`"),
    ] {
        let options = retrograde(&["games", game, "--json"]).json();
        let options = options["games"][0]["options"].as_array().expect("a list of options").clone();
        let help = options.iter().find(|option| option["option"] == "--numbering NUMBERING");
        let help = help.and_then(|option| option["help"].as_str()).expect("a text");
        assert!(help.contains(needs), "{help}");
    }
    // A game with one numbering offers no choice.
    for game in ["quixo", "hexapawn"] {
        retrograde(&["solve", game, "--numbering", "packed"])
            .assert_refused(2, &["unexpected argument '--numbering'"]);
    }
}

/// The table of a build with every numbering, here in place of that build.
#[cfg(not(feature = "numberings"))]
#[test]
fn a_build_without_a_numbering_says_which_one_has_it() {
    let folder = Folder::new();
    let needs = "built with the feature `numberings`";
    for command in ["solve", "explore", "laws"] {
        let dense = [command, "mnk", "--numbering", "dense"];
        retrograde(&dense)
            .assert_refused(2, &["--numbering dense: this program", needs, "or choose packed"]);
    }
    let mnk = Mnk::new(MnkParameters { columns: 3, rows: 3, in_a_row: 3, fold: false }).unwrap();
    let dense = Solver::new(&mnk).solve_as::<scheme::Dense>().unwrap();
    dense.save(folder.path("dense.rtb")).unwrap();
    let says = ["dense.rtb: its states are numbered as \"dense\"", needs, "solve the game again"];
    for command in ["probe", "moves", "line", "verify"] {
        folder.run(&[command, "dense.rtb"]).assert_refused(1, &says);
    }
    let tiers = Solver::new(&mnk).solve_as::<scheme::Tiers<scheme::Packed>>().unwrap();
    tiers.save(folder.path("tiers")).unwrap();
    let says = ["tiers: its states are numbered as \"packed-tiers\"", needs];
    for command in ["probe", "verify"] {
        folder.run(&[command, "tiers"]).assert_refused(1, &says);
    }
}
