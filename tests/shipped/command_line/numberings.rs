//! `--numbering`: the names of the numberings, and their names in former versions.

use crate::program::{Folder, retrograde};

#[test]
fn former_names_of_numberings_mean_what_they_meant() {
    let folder = Folder::new();
    let boards: [&[&str]; 2] = [&["mnk"], &["connect-four", "-m", "3", "-n", "3", "-k", "3"]];
    for board in boards {
        let solve = |numbering: &str, output: &str| {
            let options = ["--numbering", numbering, "-o", output];
            folder.run(&[&["solve"], board, &options].concat()).answer();
        };
        solve("packed", "now.rtb");
        solve("hashed", "before.rtb");
        assert!(folder.read("now.rtb") == folder.read("before.rtb"), "{board:?}");
        let stats = folder.run(&["stats", "before.rtb", "--json"]).json();
        assert_eq!(stats["numbering"], "packed", "{board:?}");
        solve("packed-tiers", "now");
        solve("hashed-tiers", "before");
        for file in ["manifest.json", "0-stones.rtb"] {
            let [now, before] = ["now", "before"].map(|at| folder.read(&format!("{at}/{file}")));
            assert!(now == before, "{board:?}: {file}");
        }
        let stats = folder.run(&["stats", "before", "--json"]).json();
        assert_eq!(stats["numbering"], "packed-tiers", "{board:?}");
        for folder in ["now", "before"].map(|name| folder.path(name)) {
            std::fs::remove_dir_all(folder).expect("a folder to remove");
        }
        for command in ["explore", "laws"] {
            for numbering in ["packed", "hashed", "packed-tiers", "hashed-tiers"] {
                let run = [&[command], board, &["--numbering", numbering, "--json"]].concat();
                assert!(retrograde(&run).json()["states"].is_u64(), "{run:?}");
            }
        }
    }
}

#[test]
fn help_and_refusals_name_the_numberings_of_today_alone() {
    let help = retrograde(&["solve", "mnk", "--help"]).answer();
    assert!(help.contains("packed, dense, packed-tiers"), "{help}");
    assert!(!help.contains("hashed-tiers"), "{help}");
    let refused = retrograde(&["solve", "mnk", "--numbering", "tiers"]);
    refused.assert_refused(2, &["'tiers'", "packed, dense, packed-tiers"]);
    // A game with one numbering offers no choice.
    for game in ["quixo", "hexapawn"] {
        retrograde(&["solve", game, "--numbering", "packed"])
            .assert_refused(2, &["unexpected argument '--numbering'"]);
    }
}
