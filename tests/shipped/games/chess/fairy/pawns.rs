//! Pawns beside other men and on other boards.

use kit::{EFFORT, Effort};
use retrograde::{Game, Notation, Solver, TierIndexed};
use retrograde_games::chess::Chess;

use super::game;

/// The names of the moves of a position.
fn names(game: &Chess, fen: &str) -> Vec<String> {
    let state = game.parse_state(fen).unwrap();
    assert_eq!(game.write_state(&state), fen);
    let mut names = Vec::new();
    game.moves(&state, |next| names.push(game.write_move(&state, &next)));
    names.sort_unstable();
    names
}

#[test]
fn pawns_step_twice_capture_in_passing_and_become_what_is_named() {
    let pawns = game("KPvKP", &[("board", "5x6")]).unwrap();
    assert_eq!(names(&pawns, "k4/5/p4/5/1P3/K4 w - - 0 1"), ["Ka2", "Kb1", "b3", "b4"]);
    assert_eq!(names(&pawns, "k4/5/pP3/5/5/K4 b - b3 0 1"), ["Kb5", "Kb6", "a3", "axb3"]);
    assert_eq!(names(&pawns, "k4/5/pP3/5/5/K4 b - - 0 1"), ["Kb5", "Kb6", "a3"]);
    // Seen by black, whose pawns go down.
    assert_eq!(names(&pawns, "k4/p4/5/1P3/5/K4 b - - 0 1"), ["Kb5", "Kb6", "a3", "a4"]);
    assert_eq!(names(&pawns, "k4/5/5/pP3/5/K4 w - a4 0 1"), ["Ka2", "Kb1", "b4", "bxa4"]);
    let error = pawns.parse_state("k4/5/5/1P3/p4/K4 w - a4 0 1").unwrap_err().to_string();
    assert!(error.contains("no pawn can have just made a double step over \"a4\""), "{error}");
    let knights = game("KPvK", &[("board", "5x6"), ("promote", "NN"), ("double-step", "none")]);
    let knights = knights.unwrap();
    assert_eq!(names(&knights, "4k/P4/5/5/5/4K w - - 0 1"), ["Kd1", "Kd2", "Ke2", "a6=N"]);
    assert_eq!(names(&knights, "4k/5/5/5/P4/4K w - - 0 1"), ["Kd1", "Kd2", "Ke2", "a3"]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a board of 64 squares takes long unoptimized")]
fn pawns_of_orthodox_chess_are_worth_the_same_beside_options() {
    let material = if EFFORT == Effort::Release { "KPvKP" } else { "KPvK" };
    let orthodox = game(material, &[]).unwrap();
    // As usual, but named.
    let named = game(material, &[("stalemate", "drawn")]).unwrap();
    let [one, other] = [&orthodox, &named].map(|game| Solver::new(game).solve().unwrap());
    assert_eq!(one.summary().states(), other.summary().states());
    let tier = one.tiers().len() - 1;
    let mut compared = 0;
    for index in (0..orthodox.tier_len(tier)).rev().step_by(101) {
        let Some(state) = orthodox.tier_unindex(tier, index) else { continue };
        let fen = orthodox.write_state(&state);
        let same = named.parse_state(&fen).unwrap();
        assert_eq!(named.write_state(&same), fen);
        assert_eq!(one.value(&state).unwrap(), other.value(&same).unwrap(), "{fen}");
        compared += 1;
    }
    assert!(compared > 500, "{compared} positions");
}
