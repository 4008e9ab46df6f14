//! What is no game, no position or no option, and what is said about it; how moves and parameters are
//! written.

use retrograde::{Game, Notation, Stored};
use retrograde_games::chess::Chess;

use super::game;

#[test]
fn games_that_can_not_be_are_refused() {
    for (material, options, says) in [
        (
            "KAvK",
            &[("A", "QX")][..],
            "--piece: \"QX\" is not a piece: 'X' at place 2, expected an atom",
        ),
        (
            "KXvK",
            &[],
            "\"KXvK\" has a 'X', which is no piece: expected K, Q, R, B, N or P, or another letter with its --piece",
        ),
        ("KXvK", &[("board", "5x5")], "--piece: 'X' stands for no piece: say how it moves"),
        ("KAvK", &[("v", "Q")], "--piece: 'v' can't stand for a piece"),
        ("KAvK", &[("V", "Q")], "--piece: 'V' can't stand for a piece"),
        (
            "KAvK",
            &[("board", "2x8")],
            "--board: a board of 2 columns and 8 rows: expected 3 to 10 of each",
        ),
        ("KAvK", &[("board", "8x11")], "--board: a board of 8 columns and 11 rows"),
        ("KAvK", &[("board", "8")], "--board: \"8\" is not a size: expected files x ranks"),
        ("KAK", &[("board", "")], "--board: \"\" is not a size"),
        ("KA", &[], "\"KA\" is not an ending: expected the men of two sides"),
        ("AvK", &[], "\"A\" has 0 kings: expected one on each side"),
        ("KAKvK", &[], "\"KAK\" has 2 kings"),
        ("KAAAvKA", &[], "KAAAvKA has 6 men: expected at most 5"),
        ("KAvK", &[("promote", "N")], "--promote is for pawns, and there are none"),
        (
            "KPvK",
            &[("double-step", "2"), ("P", "W")],
            "--double-step is for pawns, and there are none",
        ),
        (
            "KAPvK",
            &[("double-step", "6")],
            "--double-step: there is none from rank 6 here: expected none or a rank from 2 to 5",
        ),
        (
            "KPvK",
            &[("board", "4x4"), ("double-step", "2")],
            "--double-step: there is none from rank 2 here: expected none",
        ),
        ("KAPvK", &[("promote", "QK")], "--promote: \"QK\": expected letters of pieces"),
        ("KAPvK", &[("promote", "")], "--promote: \"\": expected letters of pieces"),
        ("KAPvK", &[("promote", "X")], "--piece: 'X' stands for no piece"),
        ("KAvK", &[("hill", "d4")], "--hill is for the variant king-of-the-hill"),
        (
            "KAvK",
            &[("variant", "king-of-the-hill"), ("hill", "d4,i1")],
            "--hill: \"i1\" is no square of the board",
        ),
        ("KvK", &[("variant", "shatranj")], "with KvK, play is over before a move"),
        ("KRvK", &[("variant", "losers")], "with KRvK, play is over before a move"),
        ("RvN", &[("variant", "giveaway"), ("bare-king", "loses")], "--bare-king needs kings"),
    ] {
        let error = game(material, options).expect_err(material);
        assert!(error.contains(says), "{material} {options:?}: {error}");
    }
}

#[test]
fn positions_that_can_not_be_are_refused() {
    let on = |material, options: &[_]| game(material, options).unwrap();
    let amazon = on("KAvK", &[("board", "10x9")]);
    let race = on("KRvKN", &[("board", "5x5"), ("variant", "racing-kings")]);
    let hill = on("KRvKN", &[("board", "5x5"), ("variant", "king-of-the-hill")]);
    let makruk = on("KPvK", &[("board", "4x6"), ("variant", "makruk")]);
    let giveaway = on("NvN", &[("board", "3x3"), ("variant", "giveaway")]);
    for (game, text, says) in [
        (&amazon, "", "it is not a board and who is to move"),
        (&amazon, "k9/10 w", "has 2 ranks: expected 9 with / between"),
        (&amazon, "k9/10/10/10/10/10/10/10/KA9 w", "rank 1, \"KA9\", has 11 squares: expected 10"),
        (&amazon, "k9/10/10/10/10/10/10/10/KX8 w", "rank 1 has a 'X': expected pieces KA, ka"),
        (&amazon, "k9/10/10/10/10/10/10/10/KA8 x", "\"x\" is not who is to move"),
        (&amazon, "k9/10/10/10/10/10/10/10/KA8 w KQ", "there is a \"KQ\": expected -"),
        (&amazon, "k9/10/10/10/10/10/10/10/KA8 w - e3", "no pawn can have just made a double step"),
        (
            &amazon,
            "k9/10/10/10/10/10/10/10/KA8 w - - x",
            "the halfmove clock \"x\" is not a number",
        ),
        (&amazon, "k9/10/10/10/10/10/10/10/KAA7 w", "its material is KAAvK: expected KAvK, KvK"),
        (&amazon, "kA8/10/10/10/10/10/10/10/K9 w", "black is in check, but white is to move"),
        (&race, "5/5/5/k2R1/R3K w", "its material is KRRvK: expected KRvKN"),
        (&race, "5/1n3/5/k3R/K4 w", "is in check"),
        (&race, "k4/5/3n1/5/KR3 b", "black is to move, but play was over before white's last move"),
        (
            &hill,
            "k4/5/2K2/5/1R2n w",
            "white is to move, but play was over before black's last move",
        ),
        (&makruk, "k3/4/P3/4/4/3K w", "a pawn stands on a4, where none can be"),
        (&giveaway, "N2/3/3 w", "white is to move, but play was over before black's last move"),
    ] {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn moves_are_written_in_short_form() {
    let names = |game: &Chess, fen: &str| {
        let state = game.parse_state(fen).unwrap();
        let mut names = Vec::new();
        game.moves(&state, |next| names.push(game.write_move(&state, &next)));
        names.sort_unstable();
        names
    };
    let amazon = game("KAvK", &[("board", "4x4")]).unwrap();
    let from = names(&amazon, "k3/4/K3/2A1 w");
    assert_eq!(from.len(), 3 + 11, "{from:?}");
    assert!(from.contains(&"Aa1".to_owned()) && from.contains(&"Ac4#".to_owned()), "{from:?}");
    let hoppers = game("KGGvK", &[("board", "5x5")]).unwrap();
    let from = names(&hoppers, "4k/5/5/1GG2/K4 w");
    assert!(from.contains(&"Gd2".to_owned()) && from.contains(&"Ga2".to_owned()), "{from:?}");
    let makruk = game("KPvKP", &[("board", "4x6"), ("variant", "makruk")]).unwrap();
    let from = names(&makruk, "k3/4/3p/P3/4/K3 w");
    assert!(!from.contains(&"a4".to_owned()) && from.contains(&"a4=M".to_owned()), "{from:?}");
    let giveaway = game("RvN", &[("board", "4x4"), ("variant", "giveaway")]).unwrap();
    assert_eq!(names(&giveaway, "4/4/4/R2n w"), ["Rxd1"]);
}

#[test]
fn tables_say_what_differs_from_orthodox_chess_and_nothing_else() {
    let json = |chess: &Chess| serde_json::to_string(chess).unwrap();
    assert_eq!(json(&game("kqkr", &[]).unwrap()), r#"{"material":"KQvKR"}"#);
    assert_eq!(json(&game("KAvK", &[]).unwrap()), r#"{"material":"KAvK","pieces":{"A":"QN"}}"#);
    for (options, text) in [
        (&[("P", "W")][..], r#"{"material":"KPvK","pieces":{"P":"W"}}"#),
        (&[("double-step", "2"), ("promote", "NBRQ")], r#"{"material":"KPvK"}"#),
        (&[("double-step", "none")], r#"{"material":"KPvK","double_step":0}"#),
        (&[("promote", "NQ")], r#"{"material":"KPvK","promote":"QN"}"#),
        (
            &[("variant", "king-of-the-hill"), ("hill", "e5,d4,d5,e4"), ("promote", "Q")],
            r#"{"material":"KPvK","variant":"king-of-the-hill","promote":"Q"}"#,
        ),
        (
            &[("variant", "king-of-the-hill"), ("hill", "h8, a1"), ("promote", "Q")],
            r#"{"material":"KPvK","variant":"king-of-the-hill","promote":"Q","hill":"a1,h8"}"#,
        ),
        // A bishop that moves otherwise is one that pawns become.
        (&[("B", "DF")], r#"{"material":"KPvK","pieces":{"B":"DF"}}"#),
    ] {
        let game = game("KPvK", options).unwrap();
        assert_eq!(json(&game), text);
        let again: Chess = serde_json::from_str(text).unwrap();
        assert_eq!(again.parameters(), game.parameters());
    }
    let game =
        game("KRvKX", &[("X", "princess"), ("Y", "W"), ("board", "6x5"), ("variant", "atomic")]);
    let text = r#"{"material":"KRvKX","pieces":{"X":"BN"},"board":"6x5","variant":"atomic"}"#;
    assert_eq!(json(&game.unwrap()), text);
    let again: Chess = serde_json::from_str(text).unwrap();
    assert_eq!((json(&again).as_str(), Chess::NAME), (text, "chess"));
    assert_eq!(json(&again.clone()), text);
}
