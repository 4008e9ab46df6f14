//! Positions and moves as people write them.

use std::collections::BTreeSet;

use retrograde::{Game, Notation, Tiered};

use super::chess;

#[test]
fn what_is_no_position_is_refused_with_what_is_wrong() {
    let game = chess("KQvKP");
    for (fen, problem) in [
        ("", "it is empty: expected the board and who is to move"),
        ("8/8/8/8/8/2k5/1Q6/K7", "does not say who is to move: expected w or b behind the board"),
        ("8/8 w", "\"8/8\" has 2 ranks"),
        ("8 w", "\"8\" has 1 rank:"),
        ("8/8/8/8/2k5/1Q6/K7 w - - 0 1", "has 7 ranks: expected 8"),
        ("8/8/8/8/8/2k4/1Q6/K7 w - - 0 1", "rank 3, \"2k4\", has 7 squares: expected 8"),
        ("8/8/8/8/8/2k6/1Q6/K7 w - - 0 1", "has 9 squares"),
        ("8/8/8/8/8/2x5/1Q6/K7 w - - 0 1", "rank 3 has a 'x'"),
        ("8/8/8/8/8/2k5/1Q6/K7 x - - 0 1", "\"x\" is not who is to move"),
        ("8/8/8/8/8/2k5/1Q6/K7 b KQ - 0 1", "castling is \"KQ\": expected -"),
        ("8/8/8/8/8/2k5/1Q6/K7 b - e9 0 1", "\"e9\" is no square for en passant"),
        ("8/8/8/8/8/2k5/1Q6/K7 b - e3 0 1", "across e3"),
        ("8/8/8/8/8/2k5/1Q6/K7 b - - x 1", "halfmove clock \"x\" is not a number"),
        ("8/8/8/8/8/2k5/1Q6/K7 b - - 0 -1", "move number \"-1\" is not a number"),
        ("8/8/8/8/8/2k5/1Q6/K7 b - - 0 1 1", "there is a \"1\" behind"),
        ("8/8/8/8/8/2k5/1Q6/KK6 b - - 0 1", "white has 2 kings: expected one"),
        ("8/8/8/8/8/8/1Q6/K7 b - - 0 1", "black has 0 kings: expected one"),
        ("7p/8/8/8/8/2k5/1Q6/K7 b - - 0 1", "a pawn stands on h8"),
        ("8/8/8/8/8/2k5/1RR5/K7 b - - 0 1", "material is KRRvK: expected KQvKP, "),
        ("8/8/8/8/8/8/1k6/K6Q w - - 0 1", "the kings stand next to each other"),
        ("8/8/8/8/8/2k5/1Q6/K7 w - - 0 1", "black is in check, but white is to move"),
    ] {
        let error = game.parse_state(fen).expect_err(fen).to_string();
        assert!(error.contains(problem), "{fen}: {error}");
    }
}

#[test]
fn fields_at_the_end_may_be_left_out_and_gaps_be_underlined() {
    let game = chess("KQvK");
    let whole = game.parse_state("8/8/8/8/8/2k5/8/K6Q b - - 12 34").unwrap();
    for short in
        ["8/8/8/8/8/2k5/8/K6Q b", "8/8/8/8/8/2k5/8/K6Q_b_-_-", " 8/8/8/8/8/2k5/8/K6Q  b - - 5"]
    {
        assert_eq!(game.parse_state(short).ok(), Some(whole), "{short}");
    }
}

#[test]
fn a_square_for_en_passant_counts_where_the_capture_is_legal() {
    let game = chess("KPvKP");
    for (given, expected) in [
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"),
        // Without a pawn beside it.
        ("4k3/8/8/8/3P1p2/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3P1p2/8/8/4K3 b - - 0 1"),
    ] {
        let position = game.parse_state(given).unwrap();
        assert_eq!(game.write_state(&position), expected);
    }
    // Both pawns would leave the rank, and the rook would give check.
    let pinned = chess("KRPvKP").parse_state("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1").unwrap();
    assert_eq!(chess("KRPvKP").write_state(&pinned), "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1");
}

#[test]
fn moves_are_written_as_in_books() {
    for (material, fen, expected) in [
        ("KRvK", "7k/5K2/8/8/8/8/8/6R1 w - - 0 1", "Rh1# Rg8+ Kf8"),
        ("KRRvK", "8/8/8/k7/7R/8/8/4K2R w - - 0 1", "R4h3 R1h3 Rf1 Rb4"),
        ("KRRvK", "8/8/8/6k1/8/8/4K3/R6R w - - 0 1", "Rad1 Rhd1"),
        ("KQQQvK", "2k5/8/8/8/4Q2Q/K7/8/7Q w - - 0 1", "Qh4e1 Qee1 Q1e1"),
        ("KPvKQ", "3q3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q+ exd8=N"),
        ("KPvKP", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "exd3 e3"),
        ("KPvKP", "7k/P7/8/8/8/8/7p/K7 w - - 0 1", "a8=Q+ a8=B a8=N"),
        ("KQvKR", "k6r/8/8/8/8/8/7Q/K7 w - - 0 1", "Qxh8+ Qg2+"),
    ] {
        let game = chess(material);
        let position = game.parse_state(fen).unwrap();
        let mut moves = BTreeSet::new();
        game.moves(&position, |next| {
            let text = game.write_move(&position, &next);
            assert!(moves.insert(text.clone()), "{fen} has {text} twice");
        });
        for text in expected.split_whitespace() {
            assert!(moves.contains(text), "{fen}: {text} is not among {moves:?}");
        }
    }
}

#[test]
fn the_board_is_drawn_as_white_sees_it() {
    let game = chess("KQvK");
    let position = game.parse_state("8/8/8/8/8/2K5/7q/k7 w - - 0 1").unwrap();
    let drawn = game.draw(&position);
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines[0], "8 . . . . . . . .");
    assert_eq!(lines[5..8], ["3 . . K . . . . .", "2 . . . . . . . q", "1 k . . . . . . ."]);
    assert_eq!(lines[8], "  a b c d e f g h");
    assert_eq!(lines[9], "white to move");
}

#[test]
fn the_example_in_an_error_is_a_position_of_the_game_at_hand() {
    // The last one has no start of its own.
    for material in ["KQvK", "KBNvK", "KRvKN", "KBPvKP"] {
        let game = chess(material);
        let error = game.parse_state("nonsense").expect_err("no position").to_string();
        let (_, example) = error.rsplit_once(", as in ").expect("an example");
        let position = game.parse_state(example).expect("a position of the game");
        assert_eq!(Some(position), game.start(), "{material}");
        assert_eq!(game.tiers()[game.tier(&position)].name, material);
    }
}
