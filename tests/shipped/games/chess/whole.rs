//! Endings whose positions are discovered from the start and solved in one, compared with endings
//! that are solved tier by tier.

use retrograde::{Notation, Solver, scheme};

use super::chess;
use crate::states;

#[test]
fn endings_solved_whole_have_the_values_of_their_tiers() {
    for material in kit::some(&["KRvK", "KQvK", "KPvK"], 0) {
        let game = chess(material);
        let whole = Solver::new(&game).solve_as::<scheme::Packed>().expect("a game to solve");
        let tiers = Solver::new(&game).solve().expect("a game to solve");
        let mut tiers_reached = 0_u64;
        for (position, value) in states::of(&whole) {
            let in_tiers = tiers.value(&position).expect("every position is in a tier");
            assert_eq!(value, in_tiers, "{material}: {}", game.write_state(&position));
            tiers_reached |= 1 << retrograde::Tiered::tier(&game, &position);
        }
        // Play also reaches other tiers: a capture leaves only the kings.
        assert!(tiers_reached.count_ones() > 1, "{material}: {tiers_reached:b}");
        let start = &kit::start(&game);
        assert_eq!(whole.verdict(start).ok(), tiers.verdict(start).ok(), "{material}");
        assert!((1_000..=tiers.summary().states()).contains(&whole.summary().states()));
    }
}
