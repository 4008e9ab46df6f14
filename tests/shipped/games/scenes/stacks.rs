//! Pictures of Gobblet Gobblers, whose pieces lie on each other.

use retrograde::Notation;
use retrograde_games::gobblet::{Gobblet, GobbletParameters, Uncovered};

use super::{Passing, Pieces, check, drawing, never, scene_of, several, touched};

#[test]
fn pieces_cover_each_other_and_wait_in_reserve() {
    let game = Gobblet::new(GobbletParameters {
        small: 2,
        medium: 2,
        large: 2,
        uncovered: Uncovered::All,
    })
    .expect("a game");
    let expected = |text: &str| {
        let (board, _) = text.split_once(',').expect("who is to move");
        // A stack goes on after a -: so each letter without one before it begins a square.
        let mut pieces = Pieces::new();
        let mut squares = 0;
        for part in board.replace('/', "").split('-') {
            for (at, letter) in part.chars().enumerate() {
                squares += usize::from(at > 0 || squares == 0);
                let name = GOBBLETS.iter().find(|(meant, _)| *meant == letter);
                let Some((_, name)) = name else { continue };
                let on = pieces.entry(squares - 1).or_default();
                *on += if on.is_empty() { "" } else { ", " };
                *on += name;
            }
        }
        for (place, (letter, name)) in (9..).zip(GOBBLETS) {
            let left = 2 - board.matches(letter).count();
            pieces.extend(several(left, name).map(|on| (place, on)));
        }
        pieces
    };
    check(&game, Passing::Possible, expected, never);
    assert_eq!(touched(&game, ".../.s./L..,white", "white L a1-b2"), [6, 4]);
    assert_eq!(touched(&game, ".../.s./L..,white", "white M b2"), [10, 4]);
    assert_eq!(touched(&game, ".../.s./L..,black", "black S c3"), [14, 2]);
    let state = game.parse_state(".../.M-s./...,white").expect("a position");
    let svg = scene_of(&game, &state).to_svg(&drawing(&game, false));
    // The upper piece is drawn last, and lets the other shine through.
    let [under, lid] =
        ["second\" data-at=\"4\"", "first lid\" data-at=\"4\""].map(|class| svg.find(class));
    assert!(under.is_some() && under < lid, "{svg}");
}

/// The letters of Gobblet Gobblers, in the order of the reserves.
const GOBBLETS: [(char, &str); 6] = [
    ('L', "white large piece"),
    ('M', "white medium piece"),
    ('S', "white small piece"),
    ('l', "black large piece"),
    ('m', "black medium piece"),
    ('s', "black small piece"),
];
