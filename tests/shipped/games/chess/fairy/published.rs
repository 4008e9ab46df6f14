//! The longest mates on boards of several sizes (`tests/data/chess/fairy.json`), and other figures.

use kit::{EFFORT, Effort};
use retrograde::{Notation, Solver, Value};
use serde::Deserialize;

use super::game;

/// Longest mates on square boards, the first of this size.
#[derive(Deserialize)]
struct Row {
    source: String,
    material: String,
    first_size: u32,
    moves: Vec<u32>,
}

/// The greatest size of the boards to solve, by the number of men.
fn greatest(men: usize) -> u32 {
    match (EFFORT, men) {
        (Effort::Plain, ..=3) => 6,
        (Effort::Plain, 4) => 4,
        (Effort::Plain, _) => 0,
        (Effort::Ci, ..=3) => 10,
        (Effort::Ci, 4) => 6,
        (Effort::Ci, _) => 4,
        (Effort::Release, ..=4) => 10,
        (Effort::Release, _) => 8,
    }
}

#[test]
fn longest_mates_take_as_many_moves_as_published() {
    let text = include_str!("../../../../data/chess/fairy.json");
    let rows: Vec<Row> = serde_json::from_str(text).unwrap();
    let mut solved = 0;
    for Row { source, material, first_size, moves } in rows {
        // All letters but the v.
        let greatest = greatest(material.len() - 1);
        for (size, moves) in (first_size..=greatest).zip(moves) {
            let board = format!("{size}x{size}");
            let game = game(&material, &[("board", &board)]).unwrap();
            let solution = Solver::new(&game).solve().unwrap();
            // Mate in n moves takes the winner n plies, and the other n - 1.
            let longest = solution.summary().longest().unwrap().div_ceil(2);
            assert_eq!(longest, moves, "{material} on {board}: {source}");
            solved += 1;
        }
    }
    assert!(solved > 8, "{solved} boards");
}

/// J. Beasley, British Endgame Study News, special number 24, March 2001: king b1, bishop f6 and knight e5
/// have a win in 74 moves against a king on a4, found by "Angrim" (B. Nye).
#[test]
#[cfg_attr(debug_assertions, ignore = "four million positions take long unoptimized")]
fn the_longest_win_of_giveaway_takes_74_moves() {
    let game = game("KBNvK", &[("variant", "giveaway")]).unwrap();
    let solution = Solver::new(&game).solve().unwrap();
    let state = game.parse_state("8/8/5B2/4N3/k7/8/8/1K6 w - - 0 1").unwrap();
    let value = solution.value(&state).unwrap();
    assert_eq!(value, Value::Win(2 * 74));
}
