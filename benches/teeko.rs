//! The cost of the engine on a folded game that was written in an hour: Teeko, 12,063,947 states up
//! to the eight symmetries of the board and the exchange of colours.
//!
//! ```text
//! cargo bench --bench teeko            # two minutes
//! cargo bench --bench teeko -- laws    # only checks the rules and the indices of some states
//! ```
//!
//! *Textbook* is a queue over the same indices, with the game's predecessors as states. The engine
//! runs with the indices of predecessors, with one thread and with two, and without predecessors,
//! which it then collects itself (*edges*).

mod common;
mod teeko_game;

use std::collections::VecDeque;

use common::Contest;
use retrograde::laws::{Laws, Scope};
use retrograde::{Game, Indexed, Solver, Value, scheme};
use teeko_game::{Men, Teeko};

fn main() {
    let game = &Teeko::<true>::new().expect("a numbering");
    let plain = &Teeko::<false>::new().expect("a numbering");
    let laws = Laws::new(game).scope(Scope::Sample { states: 2_000, seed: 1 });
    laws.check_as::<scheme::Dense>().expect("a lawful game");
    if std::env::args().any(|argument| argument == "laws") {
        return;
    }
    common::head();
    let (mut states, mut edges) = (0, 0);
    game.states(0..game.len(), |_, men| {
        states += 1;
        if game.terminal(&men).is_none() {
            game.moves(&men, |_| edges += 1);
        }
    });
    let contest = Contest {
        game: "teeko".into(),
        states: game.len(),
        edges,
        solvers: vec![
            common::Solver { name: "textbook", solve: Box::new(|| textbook(game)) },
            common::Solver { name: "engine, 1 thread", solve: Box::new(|| engine(game, 1)) },
            common::Solver { name: "engine, 2 threads", solve: Box::new(|| engine(game, 2)) },
            common::Solver { name: "edges, 1 thread", solve: Box::new(|| engine(plain, 1)) },
            common::Solver { name: "edges, 2 threads", solve: Box::new(|| engine(plain, 2)) },
        ],
    };
    contest.run();
    // As Guy Steele found in 1998.
    let solution = Solver::new(game).solve_as::<scheme::Dense>().expect("a game to solve");
    assert_eq!(solution.value(&kit::start(game)).expect("in the table"), Value::Endless);
    if !common::wants_json() {
        println!("{states} of the indices have a state");
    }
}

fn engine<const P: bool>(game: &Teeko<P>, threads: usize) -> common::Table<'_> {
    let solver = Solver::new(game).threads(threads);
    let solution = solver.solve_as::<scheme::Dense>().expect("a game to solve");
    Box::new(move |index| {
        let state = game.unindex(index);
        state.map_or(Value::Endless, |state| solution.value(&state).expect("in the table"))
    })
}

/// A state is lost for the player to move (even distance), won (odd distance), or not known yet.
fn textbook(game: &Teeko<true>) -> common::Table<'static> {
    let len = game.len() as usize;
    let mut degree = vec![0_u32; len];
    let mut distance = vec![u32::MAX; len];
    let mut queue = VecDeque::new();
    let mut neighbours: Vec<u64> = Vec::new();
    game.states(0..game.len(), |index, men| {
        if game.terminal(&men).is_some() {
            distance[index as usize] = 0;
            queue.push_back(men);
            return;
        }
        distinct(&mut neighbours, |list| game.moves(&men, |next| list.push(game.index(&next))));
        degree[index as usize] = neighbours.len() as u32;
    });
    while let Some(men) = queue.pop_front() {
        let at = distance[game.index(&men) as usize];
        distinct(&mut neighbours, |list| {
            game.predecessors(&men, |before: Men| list.push(game.index(&before)));
        });
        for &before in &neighbours {
            let before = before as usize;
            // Indices without a state have no moves.
            if distance[before] != u32::MAX || degree[before] == 0 {
                continue;
            }
            degree[before] -= 1;
            if at % 2 == 0 || degree[before] == 0 {
                distance[before] = at + 1;
                queue.push_back(game.unindex(before as u64).expect("a state"));
            }
        }
    }
    Box::new(move |index| match distance[index as usize] {
        u32::MAX => Value::Endless,
        plies if plies % 2 == 0 => Value::Loss(plies),
        plies => Value::Win(plies),
    })
}

/// Lists indices without repetition.
fn distinct(list: &mut Vec<u64>, fill: impl FnOnce(&mut Vec<u64>)) {
    list.clear();
    fill(list);
    list.sort_unstable();
    list.dedup();
}
