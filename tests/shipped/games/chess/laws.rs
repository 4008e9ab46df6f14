//! The laws that the engine checks for any game in tiers.

use retrograde::laws::{Laws, Scope};

use super::chess;

#[test]
fn small_endings_keep_the_laws_on_a_sample() {
    let all = ["KPvKP", "KvK", "KQvK", "KPvK", "KRvKR", "KBBvKN", "KRRRvK", "KPPvKP"];
    for material in kit::some(&all, 0) {
        let scope = Scope::Sample { states: 300, seed: 7 };
        let game = chess(material);
        let report = Laws::new(&game).scope(scope).notation().check().unwrap();
        assert!(report.states > 50, "{material}: {report:?}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "fifty thousand positions take long unoptimized")]
fn queen_against_king_keeps_the_laws_everywhere() {
    let game = chess("KQvK");
    let report = Laws::new(&game).notation().check().unwrap();
    assert_eq!(report.states, 46_599);
}
