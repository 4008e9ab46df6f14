//! `--numbering`: the names of the numberings.

use crate::program::retrograde;

#[test]
fn help_and_refusals_name_the_numberings() {
    let help = retrograde(&["solve", "mnk", "--help"]).answer();
    assert!(help.contains("packed, dense, packed-tiers"), "{help}");
    let refused = retrograde(&["solve", "mnk", "--numbering", "tiers"]);
    refused.assert_refused(2, &["'tiers'", "packed, dense, packed-tiers"]);
    // A game with one numbering offers no choice.
    for game in ["quixo", "hexapawn"] {
        retrograde(&["solve", game, "--numbering", "packed"])
            .assert_refused(2, &["unexpected argument '--numbering'"]);
    }
}
