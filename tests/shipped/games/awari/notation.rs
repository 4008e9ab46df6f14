//! How positions and moves are written and drawn.

use retrograde::scene::{Piece, Scene};
use retrograde::{Game, Notation, Player};
use retrograde_games::awari::GrandSlam;

use super::{RULES, awari};

/// The names of the moves of a position, in the order of the houses.
fn moves(seeds: u32, rule: GrandSlam, state: &str) -> Vec<String> {
    let game = awari(seeds, rule);
    let state = game.parse_state(state).expect("a position");
    let mut names = Vec::new();
    game.moves(&state, |next| names.push(game.write_move(&state, &next)));
    names
}

#[test]
fn positions_are_written_house_by_house_and_read_back() {
    let game = awari(31, GrandSlam::Illegal);
    let mut random = kit::Random(5);
    for _ in 0..200 {
        let seeds = random.below(32) as u8;
        let state = super::houses(&super::random_board(&mut random, seeds));
        assert_eq!(game.parse_state(&game.write_state(&state)), Ok(state));
    }
    let state = game.parse_state(" 0, 3,0,1,00,0 / 2,0,0,0,1,0 ").expect("a position");
    assert_eq!(game.write_state(&state), "0,3,0,1,0,0/2,0,0,0,1,0");
    assert_eq!(
        game.draw(&state),
        " f  e  d  c  b  a\n 0  1  0  0  0  2\n 0  3  0  1  0  0  to move\n A  B  C  D  E  F"
    );
}

#[test]
fn what_is_no_position_is_refused_with_what_was_expected() {
    let game = awari(9, GrandSlam::Illegal);
    let refused = [
        ("", "it has 1 row of houses, not 2"),
        ("0,0,0,0,0,0", "it has 1 row of houses, not 2"),
        ("0,0,0,0,0,0/0,0,0,0,0,0/0,0,0,0,0,0", "it has 3 rows of houses, not 2"),
        ("0,0,0,0,0/0,0,0,0,0,0", "\"0,0,0,0,0\" has 5 houses, not 6"),
        ("0,0,0,0,0,0/0,0,0,0,0,0,7", "\"0,0,0,0,0,0,7\" has 7 houses, not 6"),
        ("0,0,0,,0,0/0,0,0,0,0,0", "\"\" in house D is no number from 0 to 9"),
        ("0,0,-1,0,0,0/0,0,0,0,0,0", "\"-1\" in house C is no number from 0 to 9"),
        ("0,0,+1,0,0,0/0,0,0,0,0,0", "\"+1\" in house C is no number from 0 to 9"),
        ("0,0,0,0,0,0/0,0,x,0,0,0", "\"x\" in house c is no number from 0 to 9"),
        (
            "0,0,0,0,0,99999999999/0,0,0,0,0,0",
            "\"99999999999\" in house F is no number from 0 to 9",
        ),
        ("5,0,0,0,0,0/5,0,0,0,0,0", "it has 10 seeds: expected at most 9"),
        ("0,0,0,0,0,300/0,0,0,0,0,0", "\"300\" in house F is no number from 0 to 9"),
        ("0,0,0,0,0,0/10,0,0,0,0,0", "\"10\" in house a is no number from 0 to 9"),
        ("0 0 0 0 0 0/0,0,0,0,0,0", "\"0 0 0 0 0 0\" has 1 house, not 6"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("the six houses of the player to move"), "{error}");
        assert!(error.contains("as in 0,1,1,1,1,1/0,0,1,1,1,1"), "{error}");
    }
}

#[test]
fn the_start_has_its_seeds_shared_out() {
    let starts = [
        (0, "0,0,0,0,0,0/0,0,0,0,0,0"),
        (1, "0,0,0,0,0,1/0,0,0,0,0,0"),
        (2, "0,0,0,0,0,1/0,0,0,0,0,1"),
        (9, "0,1,1,1,1,1/0,0,1,1,1,1"),
        (12, "1,1,1,1,1,1/1,1,1,1,1,1"),
        (31, "2,2,3,3,3,3/2,2,2,3,3,3"),
    ];
    for (seeds, text) in starts {
        let game = awari(seeds, GrandSlam::Illegal);
        assert_eq!(game.write_state(&kit::start(&game)), text);
        assert_eq!(game.terminal(&kit::start(&game)).is_some(), seeds == 0);
    }
}

#[test]
fn moves_are_named_by_the_house_and_by_what_they_capture() {
    use GrandSlam::{Captures, CapturesNothing, Illegal};
    let names = |rule| moves(9, rule, "0,0,1,0,0,2/1,2,0,0,0,1");
    assert_eq!(names(Illegal), ["C", "F x5"]);
    assert_eq!(moves(9, Illegal, "0,0,1,0,0,2/1,2,0,0,0,0"), ["C"]);
    assert_eq!(moves(9, CapturesNothing, "0,0,1,0,0,2/1,2,0,0,0,0"), ["C", "F"]);
    assert_eq!(moves(9, Captures, "0,0,1,0,0,2/1,2,0,0,0,0"), ["C", "F x5"]);
    assert_eq!(moves(9, Illegal, "0,0,0,0,2,1/1,0,0,0,0,0"), ["E x2", "F x2"], "both are forced");
    assert_eq!(moves(9, Illegal, "0,0,0,0,2,1/0,0,0,0,0,0"), ["E", "F"], "both feed");
    assert_eq!(moves(9, Illegal, "5,0,0,0,1,1/0,0,0,0,0,0"), ["F"], "it has to feed");
    for rule in RULES {
        let game = awari(8, rule);
        let first = game.parse_state("1,0,0,0,1,1/0,0,0,0,0,5").expect("a position");
        let second = game.parse_state("0,5,1,0,0,0/1,0,0,0,0,0").expect("a position");
        assert_eq!(game.write_move(&first, &second), "0,5,1,0,0,0/1,0,0,0,0,0", "no move");
        assert!(game.move_places(&first, &second).is_empty());
    }
}

#[test]
fn a_board_that_is_set_up_has_as_many_seeds_as_lie_in_its_houses() {
    let game = awari(9, GrandSlam::Illegal);
    let mut scene = Scene::board(12, 1, |column, _| column.to_string());
    scene.put(0, Piece::disc("seed").times(3));
    scene.put(5, Piece::disc("seed"));
    scene.put(11, Piece::disc("seed").times(2));
    let set_up = |scene: &Scene| game.set_up(scene, Player::Second);
    let state = set_up(&scene).expect("a position");
    assert_eq!(game.write_state(&state), "3,0,0,0,0,1/0,0,0,0,0,2");
    scene.put(7, Piece::disc("seed").times(4));
    let refused = set_up(&scene).expect_err("too many seeds").to_string();
    assert_eq!(refused, "it has 10 seeds: expected at most 9");
}
