//! Refusals of pieces that make no position: the sentence does not mention the text of positions.

use retrograde::scene::{Piece, Scene};
use retrograde::{Notation, Player};
use retrograde_games::chess::{Chess, Material};
use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};
use retrograde_games::dobutsu::{Dobutsu, DobutsuParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use retrograde_games::morris::{Board, Morris, MorrisParameters};

use super::{cat_mouse, scene_of};

/// The reason for which changed pieces of a state are no position with this player to move.
pub(super) fn refusal<G: Notation>(
    game: &G,
    state: &str,
    turn: Player,
    change: impl Fn(usize, &Piece) -> Option<(usize, Piece)>,
) -> String {
    let state = game.parse_state(state).expect("a position");
    let drawn = scene_of(game, &state);
    let mut scene = Scene::board(drawn.place_count() as u32, 1, |place, _| place.to_string());
    for (place, piece) in drawn.pieces().filter_map(|(place, piece)| change(place, piece)) {
        scene.put(place, piece);
    }
    let set_up = game.set_up(&scene, turn);
    set_up.map_or_else(|error| error.to_string(), |state| game.write_state(&state))
}

#[test]
fn what_is_no_position_is_said() {
    use Player::{First, Second};
    let without = |gone: &'static str| {
        move |place, piece: &Piece| (piece.name() != gone).then(|| (place, piece.clone()))
    };
    let all = without("");
    let chess = Chess::new(&Material::parse("KRvK").expect("an ending"));
    let rook = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    assert_eq!(refusal(&chess, rook, First, without("king")), "white has 0 kings: expected one");
    assert_eq!(refusal(&chess, rook, First, without("rook")), "8/8/8/8/8/2k5/8/K7 w - - 0 1");
    let check = refusal(&chess, "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", First, all);
    assert_eq!(check, "black is in check, but white is to move");
    let crowd = |place, piece: &Piece| Some((place ^ 7, piece.clone().times(1)));
    let corner = refusal(&chess, "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", Second, crowd);
    assert_eq!(corner, "8/8/8/8/8/5k2/8/5R1K b - - 0 1", "in another corner");
    let park = cat_mouse(&[&[1, 2], &[0, 2], &[0, 1]], false);
    let nowhere = refusal(&park, "1,2,mouse", First, without("cat"));
    assert_eq!(nowhere, "the cat is nowhere: put it on the board");
    let to_hole =
        |place, piece: &Piece| Some((if piece.name() == "cat" { 0 } else { place }, piece.clone()));
    let hole = refusal(&park, "1,2,mouse", First, to_hole);
    assert_eq!(hole, "the cat can't be on node 0, which is the hole");
    let four = ConnectFourParameters { columns: 4, rows: 4, in_a_row: 4, fold: false };
    let four = ConnectFour::new(four).expect("a board");
    let up = |place: usize, piece: &Piece| Some((place - 4, piece.clone()));
    let hanging = refusal(&four, "..../..../..../xo..", First, up);
    assert_eq!(hanging, "a stone in column 0 has nothing under it");
    let mnk = Mnk::new(MnkParameters { columns: 3, rows: 3, in_a_row: 3, fold: true });
    let mnk = mnk.expect("a board");
    assert_eq!(
        refusal(&mnk, "xox/.../...", First, without("nought")),
        "2 x and 0 o, who take turns"
    );
    let dobutsu = Dobutsu::new(DobutsuParameters::default());
    let no_chicks = refusal(&dobutsu, "gle/.c./.C./ELG,-,sente", First, without("chick"));
    assert_eq!(no_chicks, "there are 0 chicks and hens, not 2");
    let morris =
        Morris::new(MorrisParameters { board: Board::Six, men: 6, flying: false, sliding: false });
    let in_hand = refusal(&morris.expect("a game"), "w../.../..../.../...,5-6,black", First, all);
    assert!(in_hand.starts_with("white can't be to move with 5 men in white's hand"), "{in_hand}");
}
