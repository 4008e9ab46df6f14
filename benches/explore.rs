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
//! exploration, *solved* everything from the start to the solution. Every way has its own process;
//! bytes are its peak resident memory. All must agree on the value of the start.

mod common;
mod random_game;

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::process::{Command, Stdio};

use common::{cost_of, median};
use random_game::RandomGame;
use retrograde::scheme::{self, Scheme};
use retrograde::{Game, Indexed, PackedState, Solution, Solver, Stored, Value};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
        println!("{}", one_row(game, number(size), way, number(threads) as usize));
        return;
    }
    println!(
        "{:<8}{:>9}{:>11}  {:<18}{:>11}{:>11}{:>11}{:>11}{:>12}{:>8}  start",
        "game",
        "size",
        "states",
        "way",
        "hashed",
        "states/s",
        "solved",
        "states/s",
        "bytes/state",
        "file"
    );
    let sizes = common::sizes([1_000_000]);
    // Small enough for a smoke test.
    let (side, park) = if sizes[0] < 1_000_000 { (3, 10) } else { (4, 30) };
    contest("mnk", side);
    contest("park", park);
    sizes.into_iter().for_each(|size| contest("random", size));
}

/// Prints a row for each way.
fn contest(game: &str, size: u64) {
    let mut start: Option<String> = None;
    for (way, threads) in WAYS {
        if way == DENSE && game == "mnk" {
            continue;
        }
        let program = std::env::current_exe().expect("this program");
        let output = Command::new(program)
            .args([ONE_WAY, game, &size.to_string(), way, &threads.to_string()])
            .stderr(Stdio::inherit())
            .output()
            .expect("a process");
        assert!(output.status.success(), "{way} failed on {game} {size}");
        let row = String::from_utf8(output.stdout).expect("text");
        print!("{row}");
        let found = row.split_whitespace().last().map(str::to_owned);
        assert_eq!(
            *start.get_or_insert_with(|| found.clone().unwrap_or_default()),
            found.unwrap_or_default()
        );
    }
}

fn one_row(game: &str, size: u64, way: &str, threads: usize) -> String {
    let run = Run { game: game.into(), size, way: way.into(), threads, bytes: Cell::new(None) };
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

/// One way to solve one game.
struct Run {
    game: String,
    size: u64,
    way: String,
    threads: usize,
    /// The peak resident memory until the end of the first run.
    bytes: Cell<Option<u64>>,
}

impl Run {
    fn explore<G>(&self, game: &G) -> String
    where
        G: PackedState + Stored,
        G::State: Hash + Ord + Serialize + DeserializeOwned,
    {
        match &*self.way {
            "hash map" => {
                let (start, solved) =
                    self.medians(|| plain::solve(game).remove(&kit::start(game)).expect("solved"));
                let (states, explored) = self.medians(|| plain::explore(game).len() as u64);
                self.row(states, Some(explored), solved, None, start)
            }
            PACKED => self.discovered::<G, scheme::Packed>(game),
            _ => self.discovered::<G, scheme::Hashed>(game),
        }
    }

    fn discovered<G: Stored, S: Scheme<G>>(&self, game: &G) -> String {
        let solver = || Solver::new(game).threads(self.threads);
        let (solution, solved) = self.medians(|| solver().solve_as::<S>().expect("solvable"));
        let (survey, explored) = self.medians(|| solver().survey_as::<S>().expect("states"));
        self.solved(survey.total().states, Some(explored), solved, &solution)
    }

    fn dense<G: Indexed + Stored>(&self, game: &G) -> String {
        let solver = || Solver::new(game).threads(self.threads);
        let (solution, solved) =
            self.medians(|| solver().solve_as::<scheme::Dense>().expect("solvable"));
        self.solved(game.len(), None, solved, &solution)
    }

    /// The result, and the median of the seconds.
    fn medians<T>(&self, run: impl Fn() -> T) -> (T, f64) {
        let rounds = if self.size > MANY { 1 } else { 3 };
        let mut costs = Vec::new();
        let mut last = None;
        for _ in 0..rounds {
            drop(last.take());
            let (result, cost) = cost_of(&run);
            costs.push(cost);
            last = Some(result);
            // The first run is the first of the process, so no memory is left over from another.
            self.bytes.set(self.bytes.get().or_else(common::most_resident));
        }
        (last.expect("a round"), median(costs).seconds)
    }

    fn solved<G: Stored>(
        &self,
        states: u64,
        explored: Option<f64>,
        solved: f64,
        solution: &Solution<'_, G>,
    ) -> String {
        let start = solution.value(&kit::start(solution.game())).expect("in the table");
        let folder = tempfile::tempdir().expect("a folder");
        let file = solution.save(folder.path().join("table.rtb")).expect("a table to write");
        self.row(states, explored, solved, Some(file), start)
    }

    fn row(
        &self,
        states: u64,
        explored: Option<f64>,
        solved: f64,
        file: Option<u64>,
        start: Value,
    ) -> String {
        let start = match start {
            // The hash map does not distinguish the two kinds of draw.
            Value::Draw(_) | Value::Endless => "Draw".into(),
            value => format!("{value:?}"),
        };
        let rate = |seconds: f64| format!("{:.2e}", states as f64 / seconds);
        let seconds = |seconds: f64| format!("{seconds:.3} s");
        let a_state = |bytes: u64| format!("{:.2}", bytes as f64 / states as f64);
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        format!(
            "{:<8}{:>9}{states:>11}  {:<18}{:>11}{:>11}{:>11}{:>11}{:>12}{:>8}  {start}",
            self.game,
            self.size,
            format!("{}, {} thr.", self.way, self.threads),
            or_none(explored.map(seconds)),
            or_none(explored.map(rate)),
            seconds(solved),
            rate(solved),
            or_none(self.bytes.get().map(a_state)),
            or_none(file.map(a_state)),
        )
    }
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
