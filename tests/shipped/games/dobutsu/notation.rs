//! How positions and moves of Dobutsu shogi are written and read.

use retrograde::{Game, Notation};
use retrograde_games::dobutsu::{Dobutsu, DobutsuParameters};

use super::{parse, start, whole};

/// The written moves of a position, sorted.
fn moves(game: &Dobutsu, text: &str) -> Vec<String> {
    let position = parse(game, text);
    let mut moves = Vec::new();
    game.moves(&position, |next| moves.push(game.write_move(&position, &next)));
    moves.sort();
    moves
}

#[test]
fn the_start_is_written_drawn_and_read() {
    let game = whole();
    let start = start(&game);
    let text = game.write_state(&start);
    assert_eq!(text, "gle/.c./.C./ELG,-,sente");
    assert_eq!(parse(&game, &text), start);
    assert_eq!(game.draw(&start), "  a b c\n1 g l e\n2 . c .\n3 . C .\n4 E L G\nsente to move");
    let later = parse(&game, "gle/.C./.../ELG,C,gote");
    let drawn = "  a b c\n1 g l e\n2 . C .\n3 . . .\n4 E L G  sente has C in hand\ngote to move";
    assert_eq!(game.draw(&later), drawn);
}

#[test]
fn moves_are_written_with_piece_and_squares() {
    let game = whole();
    let first = ["sente Cb3xb2", "sente Gc4-c3", "sente Lb4-a3", "sente Lb4-c3"];
    assert_eq!(moves(&game, "gle/.c./.C./ELG,-,sente"), first);
    let second = ["gote Ec1xb2", "gote Ga1-a2", "gote Lb1-a2", "gote Lb1-c2", "gote Lb1xb2"];
    assert_eq!(moves(&game, "gle/.C./.../ELG,C,gote"), second);
    let drops = moves(&game, "l../.../.C./L..,EEGGc,sente");
    assert_eq!(drops.iter().filter(|text| text.starts_with("sente E*")).count(), 9);
    assert!(drops.contains(&"sente G*c1".into()));
    let promotion = moves(&game, "..l/C../.../.L.,EEGGc,sente");
    assert!(promotion.contains(&"sente Ca2-a1+".into()), "{promotion:?}");
    let capture = moves(&game, "e.l/C../.../L..,EGGc,sente");
    assert!(capture.contains(&"sente Ca2xa1+".into()), "{capture:?}");
}

#[test]
fn mirrored_moves_are_listed_and_counted_once() {
    let game = Dobutsu::new(DobutsuParameters { no_elephants: true, no_giraffes: true });
    let text = ".l./.c./.C./.L.,-,sente";
    let first = ["sente Cb3xb2", "sente Lb4-a3", "sente Lb4-a4", "sente Lb4-c3", "sente Lb4-c4"];
    assert_eq!(moves(&game, text), first);
    assert_eq!(game.degree(&parse(&game, text)), Some(3));
}

#[test]
fn what_is_no_position_is_refused_with_the_reason() {
    let game = whole();
    let wrong = [
        ("gle/.c./.C./ELG", "it does not say who is to move"),
        ("gle/.c./.C./ELG,-,black", "\"black\" is not to move: expected sente or gote"),
        ("gle/.c./.C.,-,sente", "it has 3 rows, not 4"),
        ("gle/.c./.C../ELG,-,sente", "row \".C..\" has 4 characters, not 3"),
        ("gle/.c./.X./ELG,-,sente", "row \".X.\" has a 'X', not one of .LEGCHlegch"),
        ("gle/.c./.C./E.G,-,sente", "sente has 0 lions, not 1"),
        ("gle/.c./lC./ELG,-,gote", "gote has 2 lions, not 1"),
        ("gle/.c./.C./ELG,C,sente", "there are 3 chicks and hens, not 2"),
        ("gle/.c./.../ELG,-,sente", "there is 1 chick or hen, not 2"),
        ("g.e/.c./.Cl/.LG,-,sente", "there is 1 elephant, not 2"),
        ("gle/.c./.C./ELG,L,sente", "a hand has a 'L', not one of CEGceg"),
        ("gle/.c./.C./ELG,EEE,sente", "a hand has more than two elephants"),
        ("gle/.c./.C./ELG,,sente", "the hands are missing (- if nothing is in hand)"),
        (
            "gLe/.c./.C./ElG,-,sente",
            "sente's lion has reached its goal, and play stopped before sente could move",
        ),
    ];
    for (text, problem) in wrong {
        let error = game.parse_state(text).expect_err(text).to_string();
        let expected = format!(
            "\"{text}\" is not a position: {problem}; expected the rows from the top, the hands and \
             who moves, as in gle/.c./.C./ELG,-,sente"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn a_game_without_some_pieces_refuses_them() {
    let parameters = DobutsuParameters { no_elephants: true, ..DobutsuParameters::default() };
    let game = Dobutsu::new(parameters);
    assert_eq!(game.write_state(&start(&game)), "gl./.c./.C./.LG,-,sente");
    let error = game.parse_state("gle/.c./.C./ELG,-,sente").expect_err("elephants").to_string();
    assert!(error.contains("there are 2 elephants, not 0"), "{error}");
    let error = game.parse_state("start").expect_err("no position").to_string();
    assert!(error.ends_with("as in gl./.c./.C./.LG,-,sente"), "{error}");
}

#[test]
fn parameters_are_read_back_and_unknown_ones_refused() {
    let game = Dobutsu::new(DobutsuParameters { no_elephants: true, no_giraffes: false });
    let text = serde_json::to_string(&game).expect("parameters");
    assert_eq!(text, r#"{"no_elephants":true,"no_giraffes":false}"#);
    let back: Dobutsu = serde_json::from_str(&text).expect("a game");
    assert!(back.roots().into_iter().eq(game.roots()));
    assert!(serde_json::from_str::<Dobutsu>(r#"{"no_elephants":true,"no_lions":true}"#).is_err());
}
