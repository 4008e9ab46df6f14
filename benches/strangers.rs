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
//! on boards smaller than 5 x 5. *speed* is the time of the faster textbook, divided by the time of
//! the solver. *peak* is the peak growth of the resident memory in the first run. *states* is the
//! number of solved positions: a formula numbers all legal ones, and the others find the positions
//! that play can reach.
//!
//! Every solver has its own process, in which its value of each reachable position is compared with
//! the textbook's, distances included. In the textbook, draws have no distance, and are not
//! distinguished.

mod common;
mod strangers_game;

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::process::{Command, Stdio};
use std::time::Instant;

use common::{cost_of, median};
use retrograde::scheme::{Dense, Hashed, Packed, Scheme, Tiers};
use retrograde::{Game, PackedState as _, Solution, Solver, Value};
use strangers_game::{Position, SmallChess};

/// The argument for a process that runs one solver. The side of the board, the solver and the
/// threads follow.
const ONE_SOLVER: &str = "--one-solver";

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
    if let [_, one_solver, side, solver, threads] = &arguments[..]
        && one_solver == ONE_SOLVER
    {
        let number = |text: &str| text.parse().expect("a number");
        let report = one_solver_of(number(side), solver, number(threads) as usize);
        return println!("{report}");
    }
    for side in common::sizes([5]) {
        census(&SmallChess::new(side));
        contest(side);
    }
}

/// Prints the size of the game and the cost of its rules.
fn census(game: &SmallChess) {
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
    println!(
        "{count} positions of {} bytes: {:.1} moves each, listed in {:.0} ns; \
         {:.0} % won, {:.0} % lost, {:.0} % drawn",
        size_of::<Position>(),
        moves as f64 / count,
        nanoseconds / count,
        share(|value| matches!(value, Value::Win(_))),
        share(|value| matches!(value, Value::Loss(_))),
        share(|value| matches!(value, Value::Draw(_) | Value::Endless)),
    );
}

/// Prints a row for each solver.
fn contest(side: u64) {
    println!(
        "{:<8}{:<16}{:>8}{:>12}{:>11}{:>9}{:>11}",
        "board", "solver", "threads", "states", "seconds", "speed", "peak"
    );
    let (textbooks, engine) = SOLVERS.split_at(2);
    let reports = textbooks.iter().map(|&(solver, threads)| report_of(side, solver, threads));
    let reports: Vec<Report> = reports.collect();
    let textbook = reports.iter().map(|report| report.seconds).fold(f64::INFINITY, f64::min);
    let print = |solver, threads, Report { states, seconds, bytes }| {
        let peak = bytes.map_or("-".into(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6));
        println!(
            "{:<8}{solver:<16}{threads:>8}{states:>12}{:>11}{:>9}{peak:>11}",
            format!("{side} x {side}"),
            format!("{seconds:.3} s"),
            format!("{:.2}x", textbook / seconds),
        );
    };
    for (&(solver, threads), report) in textbooks.iter().zip(reports) {
        print(solver, threads, report);
    }
    for &(solver, threads) in engine {
        print(solver, threads, report_of(side, solver, threads));
    }
}

/// Runs a solver in its own process.
fn report_of(side: u64, solver: &str, threads: usize) -> Report {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args([ONE_SOLVER, &side.to_string(), solver, &threads.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .expect("a process");
    assert!(output.status.success(), "{solver} with {threads} threads failed");
    Report::read(&String::from_utf8(output.stdout).expect("text"))
}

/// The figures from a solver's process.
struct Report {
    states: u64,
    seconds: f64,
    bytes: Option<u64>,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { states, seconds, bytes } = self;
        write!(f, "{states} {seconds} {}", bytes.map_or("-".into(), |bytes| bytes.to_string()))
    }
}

impl Report {
    fn read(text: &str) -> Report {
        let [states, seconds, bytes] = text.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("not a report: {text}");
        };
        let states = states.parse().expect("a number");
        Report { states, seconds: seconds.parse().expect("seconds"), bytes: bytes.parse().ok() }
    }
}

fn one_solver_of(side: u64, solver: &str, threads: usize) -> Report {
    let game = &SmallChess::new(side);
    let rounds = if side < SMALL { 1 } else { 3 };
    let (pack, unpack) =
        (|position: &Position| game.pack(position), |packed: &u64| game.unpack(*packed));
    let whole = |position: &Position| *position;
    match solver {
        HASH_MAP => {
            let solve = || textbook(game, whole, whole);
            measured(game, rounds, solve, Solved::len, |solved, position| solved.value(position))
        }
        PACKED_MAP => {
            let value = |solved: &Solved<u64>, position: &Position| solved.value(&pack(position));
            measured(game, rounds, || textbook(game, pack, unpack), Solved::len, value)
        }
        "Dense" => engine::<Dense>(game, rounds, threads),
        "Hashed" => engine::<Hashed>(game, rounds, threads),
        "Packed" => engine::<Packed>(game, rounds, threads),
        "Tiers<Dense>" => engine::<Tiers<Dense>>(game, rounds, threads),
        _ => engine::<Tiers<Packed>>(game, rounds, threads),
    }
}

fn engine<S: Scheme<SmallChess>>(game: &SmallChess, rounds: usize, threads: usize) -> Report {
    let solve = || Solver::new(game).threads(threads).solve_as::<S>().expect("a game to solve");
    let states = |solution: &Solution<'_, SmallChess>| solution.summary().states();
    measured(game, rounds, solve, states, |solution, position| {
        solution.value(position).expect("in the table")
    })
}

/// Measures a solver, and compares its values with the textbook's.
fn measured<T>(
    game: &SmallChess,
    rounds: usize,
    solve: impl Fn() -> T,
    states: impl Fn(&T) -> u64,
    value: impl Fn(&T, &Position) -> Value,
) -> Report {
    let (solved, cost) = cost_of(&solve);
    let states = states(&solved);
    let right = textbook(game, |position| *position, |position| *position);
    for (position, &number) in &right.numbers {
        let (found, expected) = (value(&solved, position), right.values[number as usize]);
        let is_drawn = |value| matches!(value, Value::Draw(_) | Value::Endless);
        let agrees = found == expected || is_drawn(found) && is_drawn(expected);
        assert!(agrees, "{found:?} instead of {expected:?} in {position:?}");
    }
    drop((solved, right));
    let mut costs = vec![cost];
    costs.extend((1..rounds).map(|_| cost_of(&solve).1));
    // Later rounds reuse memory that the first one left to the allocator.
    Report { states, seconds: median(costs).seconds, bytes: cost.bytes }
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
