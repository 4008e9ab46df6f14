//! Gobblet Gobblers: a brute force that shares nothing with the game, the laws, and the notation.

mod numbered;
mod plain;

use std::collections::{BTreeMap, BTreeSet};

use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Notation, Outcome, Player, Solver, Value};
use retrograde_games::gobblet::{Gobblet, GobbletError, GobbletParameters, Position, Uncovered};

use crate::states;
use plain::{Board, Plain};

/// The game with so many pieces of each size, small ones first, and its plain rules.
fn gobblet(pieces: [u32; 3]) -> (Gobblet, Plain) {
    with_uncovered(pieces, Uncovered::All)
}

/// The same game, with this rule for two rows that are uncovered at once.
fn with_uncovered(pieces: [u32; 3], uncovered: Uncovered) -> (Gobblet, Plain) {
    let [small, medium, large] = pieces;
    let parameters = GobbletParameters { small, medium, large, uncovered };
    let plain = Plain {
        pieces: pieces.map(|count| count as usize),
        covers_first: uncovered == Uncovered::First,
    };
    (Gobblet::new(parameters).expect("a game to play"), plain)
}

/// Some numbers of pieces, the quickest games first.
const GAMES: [[u32; 3]; 5] = [[3, 0, 0], [0, 1, 2], [2, 0, 1], [1, 2, 0], [1, 1, 1]];

#[test]
fn every_position_has_the_value_of_a_plain_solver() {
    let optimized = !cfg!(debug_assertions);
    let most = kit::by_effort([1, 2, if optimized { GAMES.len() } else { 2 }]);
    for pieces in GAMES.into_iter().take(most) {
        let (game, plain) = gobblet(pieces);
        let solution = Solver::new(&game).solve().unwrap();
        let mut images = BTreeSet::new();
        for (board, expected) in plain.solve() {
            let state = game.parse_state(&board.write()).unwrap();
            assert_eq!(solution.value(&state).unwrap(), expected, "{}", board.write());
            images.insert(game.canonical(&state));
        }
        assert_eq!(solution.summary().states(), images.len() as u64);
    }
}

/// If all positions are right beside those after their moves, no other values are possible: a win in n
/// plies needs a loss in n - 1, and so on.
#[test]
fn positions_agree_with_the_values_after_each_move() {
    let every = if kit::PLAIN { 37 } else { 1 };
    let mut seen = BTreeMap::new();
    for pieces in GAMES.into_iter().skip(1).take(kit::by_effort([1, 3, 3])) {
        let (game, plain) = gobblet(pieces);
        let solution = Solver::new(&game).solve().unwrap();
        let value = |board: &Board| {
            solution.value(&game.parse_state(&board.write()).unwrap()).expect("play comes to it")
        };
        for (state, found) in states::of(&solution).into_iter().step_by(every) {
            let board = Board::read(&game.write_state(&state));
            assert_eq!(found, plain.value(&board, value), "{}", board.write());
            let kind = match found {
                Value::Win(_) => "won",
                Value::Loss(_) => "lost",
                _ => "endless",
            };
            *seen.entry(kind).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), ["endless", "lost", "won"]);
}

/// Plays at random with all pieces, and compares all moves on the way.
#[test]
fn the_moves_are_those_of_the_rules() {
    for (pieces, uncovered) in [([2, 2, 2], Uncovered::All), ([3, 3, 1], Uncovered::First)] {
        has_the_moves_of_the_rules(with_uncovered(pieces, uncovered));
    }
}

fn has_the_moves_of_the_rules((game, plain): (Gobblet, Plain)) {
    // A linear congruential generator (Knuth's MMIX). Its upper bits are random enough.
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut ends, mut covered) = (0, 0);
    for _ in 0..kit::by_effort([40, 200, 5_000]) {
        let mut board = Board::start();
        loop {
            let text = board.write();
            let state = game.parse_state(&text).unwrap();
            assert_eq!(game.write_state(&state), text);
            let over = plain.winner(&board).map(|winner| Outcome::Win(Player::BOTH[winner]));
            assert_eq!(game.terminal(&state), over, "{text}");
            if over.is_some() {
                ends += 1;
                break;
            }
            let mut moves = plain.moves(&board);
            let mut expected: BTreeSet<String> = moves.iter().map(Board::write).collect();
            let mut found = BTreeSet::new();
            game.moves(&state, |next| {
                assert!(found.insert(game.write_state(&next)), "{text} has a move twice");
            });
            if plain.covers_first {
                // The plain rules turn the board.
                let image = |text: &String| game.canonical(&game.parse_state(text).unwrap());
                let image = |text: &String| game.write_state(&image(text));
                for moves in [&mut found, &mut expected] {
                    *moves = moves.iter().map(image).collect();
                }
            }
            assert_eq!(found, expected, "{text}");
            covered += usize::from(board.stacks.iter().any(|stack| stack.len() > 2));
            if moves.is_empty() {
                break;
            }
            board = moves.swap_remove(random(moves.len()));
        }
    }
    assert!(ends > 20 && covered > 20, "{ends} ends, {covered} stacks of three");
}

/// The moves of a position whose names begin with this.
fn moves_from(text: &str, start: &str) -> Vec<String> {
    let (game, _) = gobblet([2, 2, 2]);
    let state = game.parse_state(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&state, |next| moves.push(game.write_move(&state, &next)));
    moves.retain(|name| name.starts_with(start));
    moves.sort();
    moves
}

#[test]
fn a_row_that_is_uncovered_has_to_be_covered_again() {
    // The piece on a1 covers a row of black's, and lands on b1 alone: c1 has a large piece.
    assert_eq!(moves_from(".../.../L-ssl,white", "white L a1"), ["white L a1-b1"]);
    // Two rows meet where it comes from alone, so that it may not move.
    assert_eq!(moves_from("m../m../L-ssl,white", "white L a1"), [""; 0]);
    // No row is uncovered, so that it goes to any square without a large piece.
    assert_eq!(moves_from(".../.../L-s.l,white", "white L a1").len(), 7);
    // A piece of the reserve covers a smaller one of anybody.
    let onto = ["a1", "a3", "b1", "b2", "b3", "c1"];
    let placed = onto.map(|to| format!("white M {to}"));
    let moved = onto.map(|to| format!("white M c3-{to}"));
    assert_eq!(moves_from("S.M/m.l/..s,white", "white M"), [placed, moved].concat());
}

/// Of two rows that are uncovered at once, only the first has to be covered.
#[test]
fn the_first_row_alone_is_covered_by_the_rule_of_a_published_solver() {
    let (game, plain) = with_uncovered([3, 2, 1], Uncovered::First);
    let (strict, _) = gobblet([3, 2, 1]);
    let mut others = 0;
    for text in [
        // Black's rows meet in a corner, in the middle of a side, and in the middle of the board.
        "m../m../L-s.s,white",
        "m.S/s../L-sms,white",
        "s.S/m../L-sms,black",
        ".m./.s./mL-ss,white",
        "s.m/.M-s./mS.,white",
        "s.m/SM-s./m.s,white",
        "s.s/.L-m./s.m,white",
        // One row, and none.
        ".../.../L-s.s,white",
        ".../M../L-s.s,white",
    ] {
        let Ok(state) = game.parse_state(text) else { panic!("{text}") };
        let board = Board::read(text);
        let expected: BTreeSet<_> =
            plain.moves(&board).iter().map(|it| image_of(&game, it)).collect();
        let mut found = BTreeSet::new();
        game.moves(&state, |next| _ = found.insert(game.canonical(&next)));
        assert_eq!(found, expected, "{text}");
        let mut strictly = BTreeSet::new();
        strict.moves(&state, |next| _ = strictly.insert(strict.canonical(&next)));
        others += usize::from(found != strictly);
    }
    assert!(others >= 4, "{others} positions with other moves");
}

/// The image of a position that stands for all.
fn image_of(game: &Gobblet, board: &Board) -> Position {
    game.canonical(&game.parse_state(&board.write()).unwrap())
}

#[test]
fn the_laws_are_kept() {
    let (small, _) = gobblet([3, 0, 0]);
    if !kit::PLAIN {
        Laws::new(&small).notation().check().unwrap();
    }
    let (game, _) = gobblet([2, 2, 2]);
    let scope = Scope::Sample { states: kit::by_effort([50, 200, 5_000]), seed: 0 };
    Laws::new(&game).scope(scope).sample_from(20_000).notation().check().unwrap();
}

#[test]
fn what_is_no_position_is_refused_with_what_is_wrong() {
    let (game, _) = gobblet([2, 2, 2]);
    for (text, problem) in [
        ("", "it does not say who is to move"),
        (".../.../...", "it does not say who is to move"),
        (".../...,white", "it has 2 rows, not 3"),
        (".../..../...,white", "row \"....\" has 4 squares, not 3"),
        (".../.x./...,white", "row \".x.\" has a 'x' where it does not belong"),
        (".../-S../...,white", "has a '-' where it does not belong"),
        (".../.S-/...,white", "row \".S-\" ends with -"),
        (".../S-.../...,white", "has a '.' where it does not belong"),
        (".../S-L../...,white", "has a piece under one that is not larger"),
        (".../M-m../...,white", "has a piece under one that is not larger"),
        ("S../S../.S.,white", "white has 3 small pieces: expected at most 2"),
        ("SML/.../...,white", "white has a row: play ended before it was white's turn"),
    ] {
        let error = game.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
        assert!(error.contains("as in .../.../...,white"), "{error}");
    }
}

#[test]
fn a_position_is_drawn_with_its_stacks_and_reserves() {
    let (game, _) = gobblet([2, 1, 2]);
    let state = game.parse_state("L-m-S.s/.../.S.,black").unwrap();
    let expected = "\
3  L-m-S  .      s
2  .      .      .
1  .      S      .
   a      b      c
in reserve: white 1 large, 1 medium, 0 small; black 2 large, 0 medium, 1 small; black to move";
    assert_eq!(game.draw(&state), expected);
}

#[test]
fn numbers_of_pieces_that_make_no_sense_are_refused() {
    let uncovered = Uncovered::All;
    let made =
        |small, medium, large| Gobblet::new(GobbletParameters { small, medium, large, uncovered });
    assert_eq!(made(0, 0, 0).unwrap_err(), GobbletError::None);
    let error = made(2, 4, 2).unwrap_err();
    assert_eq!(error, GobbletError::TooMany { pieces: 4, size: "medium" });
    assert_eq!(error.to_string(), "4 medium pieces each: expected 0 to 3");
}
