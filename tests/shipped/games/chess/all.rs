//! All endings of some number of men, as one game.

use std::collections::BTreeSet;

use retrograde::{Notation, Tiered};
use retrograde_games::chess::{Chess, Endings};

/// The names of all endings of at most so many men, written down without the game: a side is a king and men in
/// the order of their letters, and the side with more men, or else with the earlier ones, comes first.
fn names(most: usize) -> BTreeSet<String> {
    let mut sides = vec![String::new()];
    for length in 1..=most - 2 {
        for side in sides.clone().iter().filter(|side| side.len() + 1 == length) {
            let least = side.chars().last().and_then(|last| "QRBNP".find(last)).unwrap_or(0);
            sides.extend("QRBNP"[least..].chars().map(|man| format!("{side}{man}")));
        }
    }
    let place = |side: &str| side.chars().map(|man| "QRBNP".find(man)).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    for one in &sides {
        for other in sides.iter().filter(|other| 2 + one.len() + other.len() <= most) {
            if one.len() > other.len() || one.len() == other.len() && place(one) <= place(other) {
                names.insert(format!("K{one}vK{other}"));
            }
        }
    }
    names
}

#[test]
fn all_endings_of_some_men_are_the_tiers_of_one_game() {
    for (men, count) in [(3, 6), (4, 36), (5, 146)] {
        let game = Chess::new(Endings::UpTo(men));
        let tiers = game.tiers();
        let named: BTreeSet<String> = tiers.iter().map(|tier| tier.name.clone()).collect();
        assert_eq!((named.len(), tiers.len()), (count, count));
        assert_eq!(named, names(men));
        // A tier comes behind those that it leads to.
        for (place, tier) in tiers.iter().enumerate() {
            assert!(tier.leads_to.iter().all(|&other| other < place), "{}", tier.name);
        }
        let start = game.start().expect("a start");
        let expected = if men == 3 { "KRvK" } else { "KQvKR" };
        assert_eq!(tiers[game.tier(&start)].name, expected);
        assert!(game.rules().is_some_and(|rules| rules.contains(&format!("at most {men} men"))));
    }
}
