//! The cost of the engine on a game as newcomers first write it, beside a solver as they would
//! write it.
//!
//! ```text
//! cargo bench --bench strangers            # a board of 5 x 5
//! cargo bench --bench strangers -- 6       # of 3 x 3 to 6 x 6
//! ```
//!
//! The game is king and queen against king and rook, [`strangers_game`]. A position has 97 bytes.
//! Listing its moves takes about a microsecond, the work of a plain mailbox: each man's moves are
//! tried on a copy of the position, and moves that leave the king in check are left out. The first
//! line of the output shows the time in this run. The game has no predecessors, and declares
//! nothing about its moves.
//!
//! The solvers are
//!
//! - *hash map*: the textbook, with a `HashMap` from positions to numbers, a list of predecessors
//!   for each position, and a queue;
//! - *packed map*: the same with positions packed into 8 bytes as keys, unpacked for their moves;
//! - the engine in each scheme: `Dense`, `Hashed`, `Packed`, `Tiers<Dense>` and `Tiers<Packed>`.
//!
//! Seconds are from the rules to a solution that answers queries: medians of three runs, or one run
//! on boards smaller than 5 x 5. The solvers take turns. *speed* is the time of the faster textbook,
//! divided by the time of the solver. *peak* is the peak growth of the resident memory in the first
//! run. *states* is the number of solved positions: a formula numbers all legal ones, and the others
//! find the positions that play can reach.
//!
//! Every run has its own process. In the first one of each solver, its value of each reachable
//! position is compared with the textbook's, distances included. In the textbook, draws have no
//! distance, and are not distinguished.

mod common;
mod strangers_game;

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::process::{Command, Stdio};
use std::time::Instant;

use common::cost_of;
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Game, PackedState as _, Solution, Solver, Value};
use serde_json::{Value as Json, json};
use strangers_game::{Position, SmallChess};

/// The argument for a process that runs one solver. The side of the board, the solver and the
/// threads follow, and then [`UNCHECKED`] if its values are not to be compared.
const ONE_SOLVER: &str = "--one-solver";
const UNCHECKED: &str = "--unchecked";

/// On boards with a smaller side there is one round instead of three.
const SMALL: u64 = 5;

const HASH_MAP: &str = "hash map";
const PACKED_MAP: &str = "packed map";
/// The solvers; the textbooks come first.
const SOLVERS: [(&str, usize); 12] = [
    (HASH_MAP, 1),
    (PACKED_MAP, 1),
    ("Dense", 1),
    ("Dense", 2),
    ("Hashed", 1),
    ("Hashed", 2),
    ("Packed", 1),
    ("Packed", 2),
    ("Tiers<Dense>", 1),
    ("Tiers<Dense>", 2),
    ("Tiers<Packed>", 1),
    ("Tiers<Packed>", 2),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, one_solver, side, solver, threads, rest @ ..] = &arguments[..]
        && one_solver == ONE_SOLVER
    {
        let number = |text: &str| text.parse().expect("a number");
        let report = one_solver_of(number(side), solver, number(threads) as usize, rest.is_empty());
        return println!("{report}");
    }
    for side in common::sizes([5]) {
        census(side);
        contest(side);
    }
}

/// Prints the size of the game and the cost of its rules.
fn census(side: u64) {
    let game = &SmallChess::new(side);
    let solved = textbook(game, |position| game.pack(position), |&packed| game.unpack(packed));
    let positions: Vec<Position> = solved.numbers.keys().map(|&key| game.unpack(key)).collect();
    let (begin, mut moves) = (Instant::now(), 0_u64);
    for position in &positions {
        game.moves(position, |_| moves += 1);
    }
    let nanoseconds = begin.elapsed().as_secs_f64() * 1e9;
    let count = solved.values.len() as f64;
    let share = |is_counted: fn(&Value) -> bool| {
        100.0 * solved.values.iter().filter(|value| is_counted(value)).count() as f64 / count
    };
    let (bytes, moves, nanoseconds) =
        (size_of::<Position>(), moves as f64 / count, nanoseconds / count);
    if common::wants_json() {
        let line = json!({
            "side": side,
            "positions": positions.len(),
            "bytes": bytes,
            "moves": moves,
            "nanoseconds": nanoseconds,
        });
        return println!("{line}");
    }
    println!(
        "{count} positions of {bytes} bytes: {moves:.1} moves each, listed in {nanoseconds:.0} ns; \
         {:.0} % won, {:.0} % lost, {:.0} % drawn",
        share(|value| matches!(value, Value::Win(_))),
        share(|value| matches!(value, Value::Loss(_))),
        share(|value| matches!(value, Value::Draw(_) | Value::Endless)),
    );
}

/// Runs the solvers in turns. Prints a row for each, or a line of JSON.
fn contest(side: u64) {
    let rounds = common::rounds(if side < SMALL { 1 } else { 3 });
    let mut reports: Vec<Vec<Json>> = vec![Vec::new(); SOLVERS.len()];
    for round in 0..rounds {
        for (&(solver, threads), reports) in SOLVERS.iter().zip(&mut reports) {
            reports.push(report_of(side, solver, threads, round == 0));
        }
    }
    let seconds: Vec<Vec<f64>> = reports
        .iter()
        .map(|reports| reports.iter().filter_map(|report| report["seconds"].as_f64()).collect())
        .collect();
    if !common::wants_json() {
        println!(
            "{:<8}{:<16}{:>8}{:>12}{:>11}{:>9}{:>11}",
            "board", "solver", "threads", "states", "seconds", "speed", "peak"
        );
    }
    let middle = |seconds: &Vec<f64>| common::middle(seconds.clone()).expect("a round");
    let textbook = middle(&seconds[0]).min(middle(&seconds[1]));
    for ((&(solver, threads), reports), seconds) in SOLVERS.iter().zip(reports).zip(seconds) {
        let (states, bytes) = (&reports[0]["states"], &reports[0]["bytes"]);
        if common::wants_json() {
            let line = json!({
                "side": side,
                "solver": solver,
                "threads": threads,
                "states": states,
                "seconds": seconds,
                "bytes": bytes,
            });
            println!("{line}");
            continue;
        }
        let seconds = middle(&seconds);
        let peak = bytes.as_f64().map_or("-".into(), |bytes| format!("{:.1} MB", bytes / 1e6));
        println!(
            "{:<8}{solver:<16}{threads:>8}{states:>12}{:>11}{:>9}{peak:>11}",
            format!("{side} x {side}"),
            format!("{seconds:.3} s"),
            format!("{:.2}x", textbook / seconds),
        );
    }
}

/// Runs a solver once, in its own process.
fn report_of(side: u64, solver: &str, threads: usize, checked: bool) -> Json {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args([ONE_SOLVER, &side.to_string(), solver, &threads.to_string()]);
    if !checked {
        command.arg(UNCHECKED);
    }
    let output = command.stderr(Stdio::inherit()).output().expect("a process");
    assert!(output.status.success(), "{solver} with {threads} threads failed");
    serde_json::from_slice(&output.stdout).expect("a line of JSON")
}

/// The figures of a solver: its states, seconds, and peak growth of memory.
fn one_solver_of(side: u64, solver: &str, threads: usize, checked: bool) -> Json {
    let game = &SmallChess::new(side);
    let (pack, unpack) =
        (|position: &Position| game.pack(position), |packed: &u64| game.unpack(*packed));
    let whole = |position: &Position| *position;
    match solver {
        HASH_MAP => {
            let solve = || textbook(game, whole, whole);
            measured(game, checked, solve, Solved::len, |solved, position| solved.value(position))
        }
        PACKED_MAP => {
            let value = |solved: &Solved<u64>, position: &Position| solved.value(&pack(position));
            measured(game, checked, || textbook(game, pack, unpack), Solved::len, value)
        }
        "Dense" => engine::<Dense>(game, checked, threads),
        "Hashed" => engine::<Hashed>(game, checked, threads),
        "Packed" => engine::<Packed>(game, checked, threads),
        "Tiers<Dense>" => engine::<Tiers<Dense>>(game, checked, threads),
        _ => engine::<Tiers<Packed>>(game, checked, threads),
    }
}

fn engine<S: Scheme<SmallChess>>(game: &SmallChess, checked: bool, threads: usize) -> Json {
    let solve = || Solver::new(game).threads(threads).solve_as::<S>().expect("a game to solve");
    let states = |solution: &Solution<'_, SmallChess>| solution.summary().states();
    measured(game, checked, solve, states, |solution, position| {
        solution.value(position).expect("in the table")
    })
}

/// Measures a solver, and compares its values with the textbook's.
fn measured<T>(
    game: &SmallChess,
    checked: bool,
    solve: impl Fn() -> T,
    states: impl Fn(&T) -> u64,
    value: impl Fn(&T, &Position) -> Value,
) -> Json {
    let (solved, cost) = cost_of(&solve);
    if checked {
        let right = textbook(game, |position| *position, |position| *position);
        for (position, &number) in &right.numbers {
            let (found, expected) = (value(&solved, position), right.values[number as usize]);
            let is_drawn = |value| matches!(value, Value::Draw(_) | Value::Endless);
            let agrees = found == expected || is_drawn(found) && is_drawn(expected);
            assert!(agrees, "{found:?} instead of {expected:?} in {position:?}");
        }
    }
    json!({ "states": states(&solved), "seconds": cost.seconds, "bytes": cost.bytes })
}

/// A game that is solved by the textbook.
struct Solved<K> {
    /// A number for each position, by its key.
    numbers: HashMap<K, u32>,
    /// The value of each number.
    values: Vec<Value>,
}

impl<K: Eq + Hash> Solved<K> {
    fn len(&self) -> u64 {
        self.values.len() as u64
    }

    fn value(&self, key: &K) -> Value {
        self.values[self.numbers[key] as usize]
    }
}

/// The first idea: a queue finds and numbers the positions that play can reach, and stores a list
/// of predecessors for each. Then the values are found backwards from the ends of play.
fn textbook<K: Clone + Eq + Hash>(
    game: &SmallChess,
    pack: impl Fn(&Position) -> K,
    unpack: impl Fn(&K) -> Position,
) -> Solved<K> {
    let mut numbers: HashMap<K, u32> = HashMap::new();
    let mut keys: Vec<K> = Vec::new();
    let mut predecessors: Vec<Vec<u32>> = Vec::new();
    for root in game.roots() {
        numbers.insert(pack(&root), keys.len() as u32);
        keys.push(pack(&root));
        predecessors.push(Vec::new());
    }
    let mut open: Vec<u32> = Vec::new();
    let mut values: Vec<Option<Value>> = Vec::new();
    let mut queue: VecDeque<u32> = VecDeque::new();
    while open.len() < keys.len() {
        let at = open.len();
        let position = unpack(&keys[at]);
        let (mut outcome, mut degree) = (game.terminal(&position), 0);
        if outcome.is_none() {
            game.moves(&position, |next| {
                let next = *numbers.entry(pack(&next)).or_insert_with_key(|key| {
                    keys.push(key.clone());
                    predecessors.push(Vec::new());
                    keys.len() as u32 - 1
                });
                predecessors[next as usize].push(at as u32);
                degree += 1;
            });
            if degree == 0 {
                outcome = game.no_moves(&position);
            }
        }
        open.push(degree);
        values.push(outcome.map(|outcome| match outcome.for_mover(Some(game.turn(&position))) {
            Ordering::Less => Value::Loss(0),
            Ordering::Equal => Value::Draw(0),
            Ordering::Greater => Value::Win(0),
        }));
        if outcome.is_some() {
            queue.push_back(at as u32);
        }
    }
    while let Some(at) = queue.pop_front() {
        for &before in &predecessors[at as usize] {
            let before = before as usize;
            if values[before].is_some() {
                continue;
            }
            match values[at as usize] {
                Some(Value::Loss(plies)) => values[before] = Some(Value::Win(plies + 1)),
                Some(Value::Win(plies)) => {
                    open[before] -= 1;
                    if open[before] > 0 {
                        continue;
                    }
                    values[before] = Some(Value::Loss(plies + 1));
                }
                // A draw is never the last successor to be counted.
                _ => continue,
            }
            queue.push_back(before as u32);
        }
    }
    // A player who can't force a win and need not lose draws.
    let values = values.into_iter().map(|value| value.unwrap_or(Value::Endless)).collect();
    Solved { numbers, values }
}
