//! How positions and moves are written, and which texts are refused.

use retrograde::{Game, Notation};
use retrograde_games::morris::{Board, MorrisError, MorrisParameters};

use super::morris;

#[test]
fn moves_are_written_with_columns_and_rows() {
    let game = morris(Board::Six, 6, false);
    let written = |text: &str| -> Vec<String> {
        let from = game.parse_state(text).unwrap();
        let mut moves = Vec::new();
        game.moves(&from, |to| moves.push(game.write_move(&from, &to)));
        moves.sort();
        moves
    };
    let placed = written(".../.../..../.../...,6-6,white");
    assert_eq!(placed.len(), 16);
    assert!(placed.contains(&"white a5".to_owned()) && placed.contains(&"white d2".to_owned()));
    // The third man on the left side closes a mill. No black man is in a mill.
    let closing = written("w.b/.../w.../.../..b,4-4,white");
    let on_the_left = |text: &&String| text.starts_with("white a1");
    let taking: Vec<_> = closing.iter().filter(on_the_left).collect();
    assert_eq!(taking, ["white a1xe1", "white a1xe5"]);
    // No men in hand, and one of three men is shut in.
    let moving = written("w../b../wb../b../w..,0-0,black");
    assert_eq!(moving, ["black b2-c2", "black b4-c4"]);
}

#[test]
fn the_board_is_drawn_with_its_lines() {
    let game = morris(Board::Six, 6, false);
    let position = game.parse_state("w../.b./..../.../...,5-5,white").unwrap();
    let expected = "\
5 w---.---.
  |   |   |
4 | .-b-. |
  | |   | |
3 .-.   .-.
  | |   | |
2 | .-.-. |
  |   |   |
1 .---.---.
  a b c d e
in hand: white 5, black 5; white to move";
    assert_eq!(game.draw(&position), expected);
}

#[test]
fn what_is_no_position_is_refused_with_what_is_wrong() {
    let game = morris(Board::Six, 6, false);
    let refused = [
        ("", "it does not say who is to move"),
        ("w../.../..../.../...", "it does not say who is to move"),
        ("w../.../..../...,5-6,black", "4 rows, not 5"),
        ("w../.../.../.../...,5-6,black", "row \"...\" has 3 characters, not 4"),
        ("x../.../..../.../...,5-6,black", "row \"x..\" has a 'x', not one of .wb"),
        ("w../.../..../.../...,5,black", "\"5\" is not the men in hand"),
        ("w../.../..../.../...,5-7,black", "\"7\" men in hand: expected 0 to 6"),
        ("w../.../..../.../...,-5-6,black", "\"\" men in hand: expected 0 to 6"),
        ("w../.../..../.../...,5-6,Black", "\"Black\" is not to move: expected white or black"),
        ("w../.../..../.../...,6-6,white", "white has 7 men, board and hand together, not 6"),
        ("w../.../..../.../...,0-0,white", "white has 1 man left"),
        ("w../b../b.../b../...,0-0,white", "white has 1 man left"),
        ("w../b../bww./.../...,0-0,white", "black has 2 men left"),
        (
            "w../.../..../.../...,5-6,white",
            "white can't be to move with 5 men in white's hand and 6 in black's",
        ),
        (
            "b../.../..../.../...,6-5,white",
            "white can't be to move with 6 men in white's hand and 5 in black's",
        ),
        ("www/.../..../.../...,3-3,white", "this many men can't have been taken this early"),
        ("www/bbb/.w../w../b..,1-2,black", "black has a mill, but has taken nothing"),
        ("ww./bb./ww../.../b..,2-2,white", "white has 0 mills: expected at least 1"),
    ];
    for (text, problem) in refused {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
        assert!(error.contains(".../.../..../.../...,6-6,white"), "{error}");
    }
    let sliding = super::game(Board::Six, 6, [false, true]);
    for (text, problem) in [
        (
            ".../.../..../.../...,6-6,black",
            "white has no man on the board, but has just made a move",
        ),
        (
            "w../.../..../.../...,5-6,white",
            "black has no man on the board, but has just made a move",
        ),
        ("www/bb./..../.../...,3-4,black", "white has a mill, but has taken nothing"),
        ("w../b../..../.../...,5-2,black", "this many men can't have been taken this early"),
    ] {
        let error = sliding.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
    for text in ["w../b../..../.../...,5-5,black", "w../b../..../.w./...,4-5,white"] {
        assert!(sliding.parse_state(text).is_ok() && game.parse_state(text).is_err(), "{text}");
    }
}

#[test]
fn parameters_that_make_no_sense_are_refused() {
    for (board, men, range) in [
        (Board::Six, 2, 3..=8),
        (Board::Six, 9, 3..=8),
        (Board::Seven, 0, 3..=8),
        (Board::Nine, 13, 3..=12),
        (Board::Twelve, 2, 3..=12),
    ] {
        let error = retrograde_games::morris::Morris::new(MorrisParameters {
            board,
            men,
            flying: true,
            sliding: false,
        });
        let name = board.name();
        assert_eq!(error.unwrap_err(), MorrisError::Men { men, board: name, range });
    }
    let from_file = r#"{"board":"six","men":99,"flying":false}"#;
    let error = serde_json::from_str::<retrograde_games::morris::Morris>(from_file).unwrap_err();
    assert!(error.to_string().contains("99 men each"), "{error}");
}
