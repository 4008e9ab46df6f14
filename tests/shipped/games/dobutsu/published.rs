//! The whole game, compared with the figures of T. Tanaka. They count the positions that play can
//! reach from the start.

use std::collections::HashMap;

use retrograde::{Game, Indexed, Outcome, Player, Solver, Value};
use retrograde_games::dobutsu::Position;

use super::{start, whole};

/// The number of positions in which the player to move can take the lion. The published rows omit
/// them.
const TAKES_LION: u64 = 140_298_614;

/// The number of positions in which the other player's lion has reached its goal.
const GOAL_REACHED: u64 = 7_018_985;

/// The number of reachable positions with each value.
fn published() -> HashMap<Value, u64> {
    let text = include_str!("../../../data/dobutsu-shogi.tsv");
    let mut counts = HashMap::from([(Value::Win(1), TAKES_LION), (Value::Loss(0), GOAL_REACHED)]);
    for line in text.lines().skip(1) {
        let [plies, result, states] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}")
        };
        let plies = plies.parse().expect("plies");
        let value = match result {
            "win" => Value::Win(plies),
            "lose" => Value::Loss(plies),
            other => panic!("\"win\" or \"lose\": {other}"),
        };
        *counts.entry(value).or_default() += states.parse::<u64>().expect("states");
    }
    counts.retain(|_, &mut states| states > 0);
    let decided: u64 = counts.values().sum();
    counts.insert(Value::Endless, 246_803_167 - decided);
    counts
}

#[test]
fn the_published_rows_add_up() {
    let counts = published();
    let sum = |wanted: fn(&Value) -> bool| -> u64 {
        counts.iter().filter(|(value, _)| wanted(value)).map(|(_, states)| states).sum()
    };
    assert_eq!(sum(|value| matches!(value, Value::Win(_))), 196_773_087);
    assert_eq!(sum(|value| matches!(value, Value::Loss(_))), 47_347_380);
    assert_eq!(counts[&Value::Endless], 2_682_700);
}

#[test]
#[ignore = "the whole game: some three minutes and 1.5 GB, optimized"]
fn the_whole_game_has_the_published_figures() {
    let game = whole();
    let solution = Solver::new(&game).solve().expect("solvable");
    let verdict = solution.verdict(&start(&game)).expect("a verdict");
    assert_eq!((verdict.outcome, verdict.plies), (Outcome::Win(Player::Second), Some(78)));
    assert_eq!(solution.summary().states(), 274_775_153);
    assert_eq!(solution.summary().longest(), Some(173));

    // The numbering also contains unreachable positions, which are not counted.
    let mut seen = vec![0_u64; game.len().div_ceil(64) as usize];
    let mut counts: HashMap<Value, u64> = HashMap::new();
    let mut taking = 0;
    let mut find = |position: &Position, ply: &mut Vec<u64>| {
        let index = game.index(position);
        let (word, bit) = (&mut seen[(index / 64) as usize], 1 << (index % 64));
        if *word & bit == 0 {
            *word |= bit;
            ply.push(index);
        }
    };
    let mut ply = Vec::new();
    find(&start(&game), &mut ply);
    while !ply.is_empty() {
        let mut next_ply = Vec::new();
        for position in ply.into_iter().filter_map(|index| game.unindex(index)) {
            *counts.entry(solution.value(&position).expect("a value")).or_default() += 1;
            match game.terminal(&position) {
                None => game.moves(&position, |next| find(&next, &mut next_ply)),
                Some(_) => taking += u64::from(game.stops_early(&position)),
            }
        }
        ply = next_ply;
    }
    assert_eq!(taking, TAKES_LION);
    assert_eq!(counts, published());
}
