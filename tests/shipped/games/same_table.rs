//! Each game has one table, byte for byte, for any number of threads. The values are also the same
//! if the game gives no predecessors, so that the engine finds them or works without them.

use std::hash::Hash;
use std::path::Path;

use crate::states;
use retrograde::{
    Game, Indexed, Outcome, Player, Players, Solution, SolveError, Solver, Stored, scheme,
};
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters};
use retrograde_games::cat_mouse_grid::{CatMouseGrid, CatMouseGridParameters};
use retrograde_games::connect_four::{ConnectFour, ConnectFourParameters};
use retrograde_games::mnk::{Mnk, MnkParameters};
use retrograde_games::quixo::{Quixo, QuixoParameters};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A game with hidden predecessors and degrees, which does not promise distinct moves.
struct Hiding<'g, G>(&'g G);

impl<G: Game> Game for Hiding<'_, G> {
    type State = G::State;
    const PLAYERS: Players = G::PLAYERS;

    fn turn(&self, state: &G::State) -> Player {
        self.0.turn(state)
    }

    fn terminal(&self, state: &G::State) -> Option<Outcome> {
        self.0.terminal(state)
    }

    fn moves(&self, state: &G::State, visit: impl FnMut(G::State)) {
        self.0.moves(state, visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = G::State> {
        self.0.roots()
    }

    fn no_moves(&self, state: &G::State) -> Option<Outcome> {
        self.0.no_moves(state)
    }

    fn endless(&self) -> Outcome {
        self.0.endless()
    }

    fn canonical(&self, state: &G::State) -> G::State {
        self.0.canonical(state)
    }
}

impl<G: Indexed> Indexed for Hiding<'_, G> {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn index(&self, state: &G::State) -> u64 {
        self.0.index(state)
    }

    fn unindex(&self, index: u64) -> Option<G::State> {
        self.0.unindex(index)
    }
}

/// The solution whose table any number of threads makes.
fn one_table<'g, G: Stored>(solve: impl Fn(usize) -> Solution<'g, G>) -> Solution<'g, G> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.rtb");
    let bytes = |solution: &Solution<'g, G>, path: &Path| {
        solution.save(path).expect("a table that can be saved");
        std::fs::read(path).expect("the table")
    };
    let solution = solve(1);
    let table = bytes(&solution, &path);
    for threads in [2, 3, 8] {
        assert!(bytes(&solve(threads), &path) == table, "{threads} threads");
    }
    solution
}

fn assert_one_dense_table<G: Indexed + Stored>(game: &G) {
    let solve = |threads| Solver::new(game).threads(threads).solve_as::<scheme::Dense>();
    let given = one_table(|threads| solve(threads).expect("solvable"));
    let hiding = Hiding(game);
    let refused = Solver::new(&hiding).memory(0).solve_as::<scheme::Dense>().map(|_| ());
    let Err(SolveError::OverLimit { needed, states, .. }) = refused else { panic!("{refused:?}") };
    for solver in [Solver::new(&hiding), Solver::new(&hiding).memory(needed + states)] {
        let solution = solver.threads(2).solve_as::<scheme::Dense>().expect("solvable");
        for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
            assert_eq!(solution.value(&state).unwrap(), given.value(&state).unwrap(), "{state:?}");
        }
    }
}

fn assert_one_explored_table<G>(game: &G)
where
    G: Stored + Game<State: Hash + Ord + Serialize + DeserializeOwned>,
{
    let solve = |threads| Solver::new(game).threads(threads).solve_as::<scheme::Hashed>();
    let given = one_table(|threads| solve(threads).expect("solvable"));
    let hiding = Hiding(game);
    for solver in [Solver::new(&hiding), Solver::new(&hiding).memory(1 << 20)] {
        let solution = solver.threads(2).solve_as::<scheme::Hashed>().expect("solvable");
        assert_eq!(solution.summary(), given.summary());
    }
}

#[test]
fn cat_and_mouse_has_one_table() {
    if kit::PLAIN {
        return;
    }
    // A grid graph of 20 x 20 nodes with some long chords.
    let mut graph = vec![Vec::new(); 400];
    let mut join = |a: usize, b: usize| {
        graph[a].push(b as i64);
        graph[b].push(a as i64);
    };
    for node in 0..400 {
        if node % 20 < 19 {
            join(node, node + 1);
        }
        if node < 380 {
            join(node, node + 20);
        }
        if node % 50 == 7 {
            join(node, (node * 7 + 150) % 400);
        }
    }
    let game = CatMouse::new(&CatMouseParameters { graph, ..Default::default() });
    assert_one_dense_table(&game.expect("a graph to play on"));
}

#[test]
fn cat_and_mouse_on_a_grid_has_one_table() {
    let row = ".".repeat(12);
    let mut grid = vec![row.clone(); 12];
    grid[0].replace_range(0..1, "C");
    grid[5].replace_range(3..6, "###");
    grid[8].replace_range(7..8, "F");
    grid[11].replace_range(11..12, "M");
    let parameters = CatMouseGridParameters { grid, cat_jump: 2, mouse_jump: 3, ply_limit: 1000 };
    assert_one_dense_table(&CatMouseGrid::new(parameters).expect("a grid to play on"));
}

#[test]
fn m_n_k_has_one_table() {
    if kit::PLAIN {
        return;
    }
    for (columns, fold) in [(3, false), (3, true), (4, true)] {
        let parameters = MnkParameters { columns, rows: 3, in_a_row: 3, fold };
        let game = Mnk::new(parameters).expect("a board");
        assert_one_explored_table(&game);
        let whole = Solver::new(&game).solve_as::<scheme::Packed>().expect("solvable");
        let tiers =
            Solver::new(&game).solve_as::<scheme::Tiers<scheme::Packed>>().expect("solvable");
        assert_eq!(tiers.summary(), whole.summary());
        for (state, value) in states::of(&whole) {
            assert_eq!(tiers.value(&state).unwrap(), value, "{state:?}");
        }
    }
    let parameters = MnkParameters { columns: 4, rows: 3, in_a_row: 3, fold: false };
    assert_one_dense_table(&Mnk::new(parameters).expect("a board"));
}

#[test]
fn connect_four_has_one_table() {
    if kit::PLAIN {
        return;
    }
    for fold in [false, true] {
        let parameters = ConnectFourParameters { columns: 4, rows: 3, in_a_row: 3, fold };
        assert_one_explored_table(&ConnectFour::new(parameters).expect("a board"));
    }
}

#[test]
fn quixo_has_one_table() {
    if kit::PLAIN {
        return;
    }
    for unfolded in [false, true] {
        let parameters = QuixoParameters { size: 3, unfolded };
        assert_one_dense_table(&Quixo::new(parameters).expect("a board"));
    }
}
