//! Pictures of Othello, whose moves turn discs.

use retrograde::Player;
use retrograde::scene::Piece;
use retrograde_games::othello::{Othello, OthelloParameters};

use super::set_up::refusal;
use super::{Passing, check, never, on_board, scene_of, touched};

#[test]
fn discs_are_on_their_squares() {
    for (columns, rows) in [(4, 4), (6, 4)] {
        let parameters = OthelloParameters { columns, rows, fold: true };
        let game = Othello::new(parameters).expect("a board");
        let meanings = [('x', "black disc"), ('o', "white disc")];
        let expected = |text: &str| on_board(text.split(',').next().expect("a board"), &meanings);
        check(&game, Passing::Possible, expected, never);
    }
    let game = Othello::new(OthelloParameters { columns: 4, rows: 4, fold: false });
    let game = game.expect("a board");
    let start = "..../.ox./.xo./....,black";
    assert_eq!(touched(&game, start, "b1"), [1]);
    // Only white can turn a disc.
    assert_eq!(touched(&game, "xxxo/xxxx/xxxx/xxx.,black", "pass"), [16]);
    assert_eq!(touched(&game, "xxxo/xxxx/xxxx/xxx.,white", "d4"), [15]);
    let scene = scene_of(&game, &kit::start(&game));
    assert_eq!(scene.describe(5, ["black", "white"]), "b2, white disc");
    assert_eq!(scene.describe(16, ["black", "white"]), "pass");
    let gone = |place, disc: &Piece| (place != 10).then(|| (place, disc.clone()));
    let refused = refusal(&game, start, Player::First, gone);
    assert_eq!(refused, "c3 is empty: the four squares in the middle never are");
    let aside = |place, disc: &Piece| Some((if place == 1 { 16 } else { place }, disc.clone()));
    let refused = refusal(&game, ".x../.xx./.xo./....,white", Player::Second, aside);
    assert_eq!(refused, "no disc can be on \"pass\"");
}
