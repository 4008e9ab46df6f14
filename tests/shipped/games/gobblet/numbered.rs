//! The game by its numbering and its moves backwards, against the one that is found by search.

use retrograde::Solver;
use retrograde::laws::{Laws, Scope};
use retrograde_games::gobblet::{Gobblet, GobbletParameters, NumberedGobblet, Uncovered};

use crate::states;

fn with_pieces([small, medium, large]: [u32; 3], uncovered: Uncovered) -> GobbletParameters {
    GobbletParameters { small, medium, large, uncovered }
}

/// Play need not come to a position that has a number.
#[test]
fn numbered_positions_have_the_values_of_those_that_are_found() {
    let games = [
        ([0, 1, 2], Uncovered::All),
        ([3, 0, 1], Uncovered::First),
        ([1, 1, 1], Uncovered::All),
        ([2, 1, 1], Uncovered::First),
    ];
    for (pieces, uncovered) in games.into_iter().take(kit::by_effort([2, 3, 4])) {
        let game = Gobblet::new(with_pieces(pieces, uncovered)).unwrap();
        let found = Solver::new(&game).solve().unwrap();
        let game = NumberedGobblet::new(with_pieces(pieces, uncovered)).unwrap();
        let numbered = Solver::new(&game).solve().unwrap();
        assert!(numbered.summary().states() > found.summary().states());
        for (state, value) in states::of(&found) {
            assert_eq!(numbered.value(&state).unwrap(), value, "{pieces:?}: {state:?}");
        }
    }
}

#[test]
fn the_laws_of_a_numbering_are_kept() {
    let scope = Scope::Sample { states: kit::by_effort([500, 5_000, 50_000]), seed: 0 };
    for uncovered in [Uncovered::All, Uncovered::First] {
        let game = NumberedGobblet::new(with_pieces([1, 0, 2], uncovered)).unwrap();
        Laws::new(&game).scope(scope).notation().check().unwrap();
    }
    let game = NumberedGobblet::new(with_pieces([2, 2, 2], Uncovered::All)).unwrap();
    Laws::new(&game).scope(scope).check().unwrap();
}
