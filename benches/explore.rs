//! The cost of exploring a game without a numbering, and of solving it then.
//!
//! ```text
//! cargo bench --bench explore                  # a random game of a million states
//! cargo bench --bench explore -- 50000000      # of another number of states
//! ```
//!
//! The games are m,n,k 4,4,3 from the empty board, Cat and Mouse in a park of 30 x 30 from its
//! start, and a random game, 8 bytes a state. The ways are
//!
//! - *hash map*: the first idea, a `HashMap` from states to degree and value, and a queue;
//! - *explored*: [`scheme::Hashed`], states as they are;
//! - *packed*: [`scheme::Packed`], states in 8 bytes;
//! - *dense*: [`scheme::Dense`] if the game has a formula, for comparison.
//!
//! Medians of three runs, or one run for sizes above ten million. *explored* is only the
//! exploration, *solved* everything from the start to the solution. The ways take turns. Every run
//! has its own process; bytes are its peak resident memory. All must agree on the value of the
//! start.

mod common;
mod random_game;

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::process::{Command, Stdio};

use common::cost_of;
use random_game::RandomGame;
use retrograde::scheme::{self, Scheme};
use retrograde::{Game, Indexed, PackedState, Solution, Solver, Stored, Value};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

/// Above this size there is one round instead of three.
const MANY: u64 = 10_000_000;

/// The argument for a process that runs one way. The game, its size, the way and the threads
/// follow.
const ONE_WAY: &str = "--one-way";

const PACKED: &str = "packed";
const DENSE: &str = "dense";
const WAYS: [(&str, usize); 7] = [
    ("hash map", 1),
    ("hashed", 1),
    ("hashed", 2),
    (PACKED, 1),
    (PACKED, 2),
    (DENSE, 1),
    (DENSE, 2),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, one_way, game, size, way, threads] = &arguments[..]
        && one_way == ONE_WAY
    {
        let number = |text: &str| text.parse().expect("a number");
        println!("{}", one_run(game, number(size), way, number(threads) as usize));
        return;
    }
    if !common::wants_json() {
        println!(
            "{:<8}{:>9}{:>11}  {:<18}{:>11}{:>11}{:>11}{:>11}{:>12}{:>8}  start",
            "game",
            "size",
            "states",
            "way",
            "explored",
            "states/s",
            "solved",
            "states/s",
            "bytes/state",
            "file"
        );
    }
    let sizes = common::sizes([1_000_000]);
    // Small enough for a smoke test.
    let (side, park) = if sizes[0] < 1_000_000 { (3, 10) } else { (4, 30) };
    contest("mnk", side);
    contest("park", park);
    sizes.into_iter().for_each(|size| contest("random", size));
}

/// Runs the ways in turns, each in its own process. Prints a row for each way, or a line of JSON.
fn contest(game: &str, size: u64) {
    let rounds = common::rounds(if size > MANY { 1 } else { 3 });
    let ways: Vec<(&str, usize)> =
        WAYS.into_iter().filter(|&(way, _)| way != DENSE || game != "mnk").collect();
    let mut runs: Vec<Vec<Json>> = vec![Vec::new(); ways.len()];
    for _ in 0..rounds {
        for (&(way, threads), runs) in ways.iter().zip(&mut runs) {
            runs.push(in_a_process(game, size, way, threads));
        }
    }
    let start = runs[0][0]["start"].clone();
    for (&(way, threads), runs) in ways.iter().zip(&runs) {
        assert!(runs.iter().all(|run| run["start"] == start), "{way} on {game} {size}");
        let all = |field: &str| -> Vec<f64> {
            runs.iter().filter_map(|run| run[field].as_f64()).collect()
        };
        let first = &runs[0];
        let row = json!({
            "game": game,
            "size": size,
            "states": first["states"],
            "way": way,
            "threads": threads,
            "explored": all("explored"),
            "seconds": all("solved"),
            "bytes": first["bytes"],
            "file": first["file"],
        });
        match common::wants_json() {
            true => println!("{row}"),
            false => print(&row, &start),
        }
    }
}

/// Runs one way once.
fn in_a_process(game: &str, size: u64, way: &str, threads: usize) -> Json {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args([ONE_WAY, game, &size.to_string(), way, &threads.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .expect("a process");
    assert!(output.status.success(), "{way} failed on {game} {size}");
    serde_json::from_slice(&output.stdout).expect("a line of JSON")
}

/// Prints a row for a person.
fn print(row: &Json, start: &Json) {
    let states = row["states"].as_f64().expect("a number of states");
    let seconds = |field: &str| {
        let all = row[field].as_array().into_iter().flatten();
        common::middle(all.filter_map(Json::as_f64).collect())
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let time = |field| or_none(seconds(field).map(|seconds| format!("{seconds:.3} s")));
    let rate = |field| or_none(seconds(field).map(|seconds| format!("{:.2e}", states / seconds)));
    let a_state =
        |field: &str| or_none(row[field].as_f64().map(|bytes| format!("{:.2}", bytes / states)));
    let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
    println!(
        "{:<8}{:>9}{states:>11}  {:<18}{:>11}{:>11}{:>11}{:>11}{:>12}{:>8}  {}",
        text("game"),
        row["size"],
        format!("{}, {} thr.", text("way"), row["threads"]),
        time("explored"),
        rate("explored"),
        time("seconds"),
        rate("seconds"),
        a_state("bytes"),
        a_state("file"),
        start.as_str().unwrap_or_default(),
    );
}

/// The figures of one way, and the value that it found for the start.
fn one_run(game: &str, size: u64, way: &str, threads: usize) -> Json {
    let run = Run { way: way.into(), threads };
    match game {
        "mnk" => {
            let side = size as u32;
            let board = MnkParameters { columns: side, rows: side, in_a_row: 3, fold: false };
            run.explore(&Mnk::new(board).expect("a board"))
        }
        "park" => {
            let graph = common::park(size as usize);
            let parameters = CatMouseParameters { graph, ..CatMouseParameters::default() };
            let game = CatMouse::new(&parameters).expect("a park is a graph");
            if way == DENSE { run.dense(&game) } else { run.explore(&game) }
        }
        _ => {
            let game = RandomGame::<true>::new(size / 2);
            if way == DENSE { run.dense(&game) } else { run.explore(&game) }
        }
    }
}

/// One way to solve a game.
struct Run {
    way: String,
    threads: usize,
}

impl Run {
    fn explore<G>(&self, game: &G) -> Json
    where
        G: PackedState + Stored,
        G::State: Hash + Ord + Serialize + DeserializeOwned,
    {
        match &*self.way {
            "hash map" => {
                let (values, solved) = cost_of(|| plain::solve(game));
                let bytes = common::most_resident();
                let (states, start) = (values.len() as u64, values[&kit::start(game)]);
                drop(values);
                let explored = cost_of(|| plain::explore(game)).1.seconds;
                figures(states, Some(explored), solved.seconds, bytes, None, start)
            }
            PACKED => self.discovered::<G, scheme::Packed>(game),
            _ => self.discovered::<G, scheme::Hashed>(game),
        }
    }

    fn discovered<G: Stored, S: Scheme<G>>(&self, game: &G) -> Json {
        let solver = || Solver::new(game).threads(self.threads);
        self.solved(
            game,
            || solver().solve_as::<S>().expect("solvable"),
            || {
                let (survey, cost) = cost_of(|| solver().survey_as::<S>().expect("states"));
                (survey.total().states, Some(cost.seconds))
            },
        )
    }

    fn dense<G: Indexed + Stored>(&self, game: &G) -> Json {
        let solver = || Solver::new(game).threads(self.threads);
        let solve = || solver().solve_as::<scheme::Dense>().expect("solvable");
        self.solved(game, solve, || (game.len(), None))
    }

    /// Solves the game, explores it, and stores the solution.
    fn solved<'g, G: Stored + 'g>(
        &self,
        game: &G,
        solve: impl FnOnce() -> Solution<'g, G>,
        explore: impl FnOnce() -> (u64, Option<f64>),
    ) -> Json {
        let (solution, solved) = cost_of(solve);
        // Solving came first, so no memory is left over from something else.
        let bytes = common::most_resident();
        let start = solution.value(&kit::start(game)).expect("in the table");
        let folder = tempfile::tempdir().expect("a folder");
        let file = solution.save(folder.path().join("table.rtb")).expect("a table to write");
        drop(solution);
        let (states, explored) = explore();
        figures(states, explored, solved.seconds, bytes, Some(file), start)
    }
}

/// The figures of a run, with the value of the start in words.
fn figures(
    states: u64,
    explored: Option<f64>,
    solved: f64,
    bytes: Option<u64>,
    file: Option<u64>,
    start: Value,
) -> Json {
    let start = match start {
        // The hash map does not distinguish the two kinds of draw.
        Value::Draw(_) | Value::Endless => "Draw".into(),
        value => format!("{value:?}"),
    };
    json!({
        "states": states,
        "explored": explored,
        "solved": solved,
        "bytes": bytes,
        "file": file,
        "start": start,
    })
}

/// The first idea.
mod plain {
    use super::{Game, Hash, HashMap, Ordering, Value, VecDeque};

    /// The number of open successors of each state.
    pub(super) fn explore<G: Game<State: Hash>>(game: &G) -> HashMap<G::State, u32> {
        let mut degrees = HashMap::new();
        let mut queue: VecDeque<G::State> = VecDeque::new();
        for root in game.roots() {
            if degrees.insert(root.clone(), 0).is_none() {
                queue.push_back(root);
            }
        }
        while let Some(state) = queue.pop_front() {
            if game.terminal(&state).is_some() {
                continue;
            }
            let mut degree = 0;
            game.moves(&state, |next| {
                degree += 1;
                if !degrees.contains_key(&next) {
                    degrees.insert(next.clone(), 0);
                    queue.push_back(next);
                }
            });
            degrees.insert(state, degree);
        }
        degrees
    }

    /// Solves a game whose moves and predecessors are distinct and whose turns alternate.
    pub(super) fn solve<G: Game<State: Hash>>(game: &G) -> HashMap<G::State, Value> {
        let mut degrees = explore(game);
        let mut values: HashMap<G::State, Value> = HashMap::new();
        let mut queue = VecDeque::new();
        for state in degrees.keys() {
            let Some(outcome) = game.terminal(state) else { continue };
            let value = match outcome.for_mover(Some(game.turn(state))) {
                Ordering::Greater => Value::Win(0),
                Ordering::Less => Value::Loss(0),
                Ordering::Equal => Value::Draw(0),
            };
            values.insert(state.clone(), value);
            if value != Value::Draw(0) {
                queue.push_back((state.clone(), value));
            }
        }
        while let Some((state, value)) = queue.pop_front() {
            game.predecessors(&state, |before| {
                let Some(degree) = degrees.get_mut(&before) else { return };
                if values.contains_key(&before) {
                    return;
                }
                let settled = match value {
                    Value::Loss(plies) => Value::Win(plies + 1),
                    Value::Win(plies) => {
                        *degree -= 1;
                        if *degree > 0 {
                            return;
                        }
                        Value::Loss(plies + 1)
                    }
                    Value::Draw(_) | Value::Endless | Value::Points { .. } => return,
                };
                values.insert(before.clone(), settled);
                queue.push_back((before, settled));
            });
        }
        for state in degrees.into_keys() {
            values.entry(state).or_insert(Value::Endless);
        }
        values
    }
}
