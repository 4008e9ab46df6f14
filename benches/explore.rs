//! What it costs to explore a game that nobody has numbered, and to solve it then.
//!
//! ```text
//! cargo bench --bench explore                  # a random game of a million states
//! cargo bench --bench explore -- 50000000      # of others
//! ```
//!
//! The games are m,n,k 4,4,3 from the empty board, Cat and Mouse in a park of 30 x 30 from its start,
//! and a random game, 8 bytes a state. The ways are
//!
//! - *hash map*: what one writes first, a `HashMap` from states to degree and value, and a queue;
//! - *explored*: [`Solver::explored`], states as they are;
//! - *packed*: [`Solver::packed`], states in 8 bytes;
//! - *dense*: [`Solver::dense`] where the game has a numbering, for comparison.
//!
//! Medians of three runs, or of one where there are more than ten million states. *explored* is the
//! exploration alone, *solved* everything from the start to the solution. Bytes are what the
//! resident memory grows by at its peak until the game is solved. All ways have to agree.

mod common;
mod random_game;

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use common::{Cost, cost_of, median};
use random_game::RandomGame;
use retrograde::{
    Game, Indexed, Outcome, Packed, Query, Solution, Solver, Stored, StoredNumbering, Value,
};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};

/// With more states than this there is one round instead of three.
const MANY: u64 = 10_000_000;

fn main() {
    println!(
        "{:<16}{:>12}  {:<20}{:>11}{:>12}{:>10}{:>12}{:>13}{:>12}",
        "game",
        "states",
        "way",
        "explored",
        "states/s",
        "solved",
        "states/s",
        "bytes/state",
        "file"
    );
    let sizes = common::sizes([1_000_000]);
    // Small enough for a smoke test.
    let (side, park) = if sizes[0] < 1_000_000 { (3, 10) } else { (4, 30) };
    let board = MnkParameters { columns: side, rows: side, in_a_row: 3, fold: false };
    let mnk = Mnk::new(board).expect("a board");
    Contest::new(&format!("mnk {side},{side},3"), &mnk).run();
    let graph = common::park(park);
    let parameters = CatMouseParameters { graph, ..CatMouseParameters::default() };
    let game = CatMouse::new(&parameters).expect("a park is a graph");
    Contest::new(&format!("park {park}x{park}"), &game).run().run_dense();
    for size in sizes {
        Contest::new("random", &RandomGame::<true>::new(size / 2)).run().run_dense();
    }
}

/// A game under test.
struct Contest<'g, G: Game> {
    name: String,
    game: &'g G,
    /// How many states can be reached.
    states: u64,
    rounds: usize,
    /// The value at every root, which all ways have to find.
    expected: Vec<Value>,
}

impl<'g, G: Packed + Stored> Contest<'g, G>
where
    G::State: Hash,
{
    fn new(name: &str, game: &'g G) -> Self {
        let (name, states) = (name.to_owned(), plain::explore(game).len() as u64);
        let rounds = if states > MANY { 1 } else { 3 };
        Contest { name, game, states, rounds, expected: Vec::new() }
    }

    fn run(mut self) -> Self {
        let explored = self.cost(|| plain::explore(self.game));
        let (mut last, solved) = self.last_cost(|| plain::solve(self.game));
        self.expected = self.game.roots().iter().filter_map(|root| last.remove(root)).collect();
        self.row("hash map", Some(explored), solved, None);
        drop(last);
        for threads in [1, 2] {
            let solver = || Solver::new(self.game).threads(threads);
            let explored = self.cost(|| solver().survey_packed::<u64>().expect("states"));
            let (solution, solved) = self.last_cost(|| solver().packed::<u64>().expect("solvable"));
            let file = self.check(&solution);
            self.row(&format!("packed, {threads} thr."), Some(explored), solved, Some(file));
        }
        self
    }

    fn run_dense(self)
    where
        G: Indexed,
    {
        for threads in [1, 2] {
            let solver = || Solver::new(self.game).threads(threads);
            let (solution, solved) = self.last_cost(|| solver().dense().expect("solvable"));
            let file = self.check(&solution);
            self.row(&format!("dense, {threads} thr."), None, solved, Some(file));
        }
    }

    fn cost<T>(&self, run: impl Fn() -> T) -> Cost {
        self.last_cost(run).1
    }

    /// The median cost, and what came of the last run.
    fn last_cost<T>(&self, run: impl Fn() -> T) -> (T, Cost) {
        let (mut last, cost) = cost_of(&run);
        let mut costs = vec![cost];
        while costs.len() < self.rounds {
            drop(last);
            let (result, cost) = cost_of(&run);
            last = result;
            costs.push(cost);
        }
        (last, median(costs))
    }

    /// Makes sure that a solution is right, and returns how large its file is.
    fn check<N: StoredNumbering<Game = G>>(&self, solution: &Solution<N>) -> u64
    where
        Solution<N>: Query<Game = G>,
    {
        for (root, expected) in self.game.roots().iter().zip(&self.expected) {
            assert_eq!(solution.value(root).expect("in the table"), *expected, "{}", self.name);
        }
        let folder = tempfile::tempdir().expect("a folder");
        solution.save(folder.path().join("table.rtb")).expect("a table to write")
    }

    fn row(&self, way: &str, explored: Option<Cost>, solved: Cost, file: Option<u64>) {
        let rate = |cost: Cost| format!("{:.3e}", self.states as f64 / cost.seconds);
        let seconds = |cost: Cost| format!("{:.3} s", cost.seconds);
        let a_state = |bytes: u64| format!("{:.2}", bytes as f64 / self.states as f64);
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        println!(
            "{:<16}{:>12}  {way:<20}{:>11}{:>12}{:>10}{:>12}{:>13}{:>12}",
            self.name,
            self.states,
            or_none(explored.map(seconds)),
            or_none(explored.map(rate)),
            seconds(solved),
            rate(solved),
            or_none(solved.bytes.map(a_state)),
            or_none(file.map(a_state)),
        );
    }
}

/// What one writes first.
mod plain {
    use super::{Game, Hash, HashMap, Outcome, Value, VecDeque};

    /// How many successors of each state are open.
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
            let value = match game.terminal(state) {
                Some(Outcome::Win(winner)) if winner == game.turn(state) => Value::Win(0),
                Some(Outcome::Win(_)) => Value::Loss(0),
                Some(Outcome::Draw) => Value::Draw(0),
                None => continue,
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
                    Value::Draw(_) | Value::Endless => return,
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
