//! The cost of the engine beside solvers written for one game, on Cat and Mouse in a park: a w x w
//! grid graph with random chords, a tenth as many as nodes.
//!
//! ```text
//! cargo bench --bench park                    # parks of 30 x 30 and 50 x 50
//! cargo bench --bench park -- 30 50 70 100    # others
//! ```
//!
//! The solvers take turns, five times each. The table shows medians, and ratios to the textbook
//! solver and to the solver by hand of the same run. Bytes are the peak growth of the resident
//! memory. All must find the same values.
//!
//! - *textbook*: the usual code for only this game: separate arrays for degree, value and distance,
//!   and a queue.
//! - *by hand*: the best loop we could write for only this game without the trait: cells of one
//!   byte, which hold the degree and then the level; a bitmap as frontier, walked in index order;
//!   no division; huge pages. It relies on distances of at most 190 plies, on at most 61 edges of a
//!   node, and on alternating turns, and would be wrong otherwise.
//! - *engine*: [`Solver`] over the trait, in [`scheme::Dense`], with one thread and with two,
//!   everything included: faults noticed, progress reported, values counted.
#![doc = include_str!("TRIED.md")]

mod common;

use std::collections::VecDeque;

use common::cell::{self, SETTLED, WON_END};
use common::{Contest, zeroed};
use retrograde::index::Divisor;
use retrograde::{Game, Indexed, Player, Solver, Value, scheme};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters, Graph};

/// The hole, which the cat can't enter. In these graphs it is node 0.
const HOLE: u16 = 0;

fn main() {
    common::head();
    for size in common::sizes([30, 50]) {
        contest(size as usize);
    }
}

fn contest(size: usize) {
    let parameters =
        CatMouseParameters { graph: common::park(size), ..CatMouseParameters::default() };
    let game = &CatMouse::new(&parameters).expect("a park is a graph");
    let graph = game.graph();
    let mut edges = 0_u64;
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        if game.terminal(&state).is_none() {
            game.moves(&state, |_| edges += 1);
        }
    }
    let engine = |threads| {
        let solver = Solver::new(game).threads(threads);
        let solution = solver.solve_as::<scheme::Dense>().expect("a game to solve");
        let value = move |index| {
            let state = game.unindex(index).expect("no unused indices");
            solution.value(&state).expect("in the table")
        };
        Box::new(value) as common::Table
    };
    let contest = Contest {
        game: format!("park {size}x{size}"),
        states: game.len(),
        edges,
        solvers: vec![
            common::Solver { name: "textbook", solve: Box::new(|| textbook(graph)) },
            common::Solver { name: "by hand", solve: Box::new(|| by_hand(graph)) },
            common::Solver { name: "engine, 1 thread", solve: Box::new(move || engine(1)) },
            common::Solver { name: "engine, 2 threads", solve: Box::new(move || engine(2)) },
        ],
    };
    contest.run();
}

fn textbook(graph: &Graph) -> common::Table<'static> {
    let nodes = graph.nodes();
    let index = |state: &Chase| {
        let cat = usize::from(state.cat) - usize::from(state.cat > HOLE);
        (usize::from(state.mouse) * (nodes - 1) + cat) * 2 + state.turn.index()
    };
    let states = nodes * (nodes - 1) * 2;
    let mut degree = vec![0_u32; states];
    let mut winner: Vec<Option<Player>> = vec![None; states];
    let mut distance = vec![0_u32; states];
    let mut queue = VecDeque::new();
    for mouse in 0..nodes as u16 {
        for cat in (0..nodes as u16).filter(|&cat| cat != HOLE) {
            for turn in Player::BOTH {
                let state = Chase { mouse, cat, turn };
                let at = index(&state);
                winner[at] = match state {
                    _ if mouse == cat => Some(Player::Second),
                    _ if mouse == HOLE => Some(Player::First),
                    _ => None,
                };
                if winner[at].is_some() {
                    queue.push_back(state);
                }
                degree[at] = match turn {
                    Player::First => graph.successors(mouse).len() as u32,
                    Player::Second => {
                        graph.successors(cat).iter().filter(|&&to| to != HOLE).count() as u32
                    }
                };
            }
        }
    }
    while let Some(state) = queue.pop_front() {
        let at = index(&state);
        let mover = state.turn.opponent();
        let from = match mover {
            Player::First => graph.predecessors(state.mouse),
            Player::Second => graph.predecessors(state.cat),
        };
        for &from in from {
            let before = match mover {
                Player::First => Chase { mouse: from, cat: state.cat, turn: mover },
                Player::Second if from == HOLE => continue,
                Player::Second => Chase { mouse: state.mouse, cat: from, turn: mover },
            };
            let source = index(&before);
            if winner[source].is_some() {
                continue;
            }
            if winner[at] != Some(mover) {
                degree[source] -= 1;
                if degree[source] > 0 {
                    continue;
                }
            }
            winner[source] = winner[at];
            distance[source] = distance[at] + 1;
            queue.push_back(before);
        }
    }
    Box::new(move |index| {
        let at = index as usize;
        match winner[at] {
            None => Value::Endless,
            Some(winner) if winner == Player::BOTH[at % 2] => Value::Win(distance[at]),
            Some(_) => Value::Loss(distance[at]),
        }
    })
}

fn by_hand(graph: &Graph) -> common::Table<'static> {
    let nodes = graph.nodes();
    let cats = nodes - 1;
    let by_cats = Divisor::new(cats as u64);
    let states = nodes * cats * 2;
    let words = states.div_ceil(64);
    let mut map = zeroed(states);
    let cells = &mut map[..states];
    let [mut map_now, mut map_next] = [zeroed(words * 8), zeroed(words * 8)];
    let mut frontier: &mut [u64] = bytemuck::cast_slice_mut(&mut map_now[..words * 8]);
    let mut next: &mut [u64] = bytemuck::cast_slice_mut(&mut map_next[..words * 8]);
    let cat_degrees: Vec<u8> = (0..nodes as u16)
        .map(|cat| graph.successors(cat).iter().filter(|&&to| to != HOLE).count() as u8)
        .collect();
    let mut at = 0;
    for mouse in 0..nodes as u16 {
        let mouse_degree = graph.successors(mouse).len() as u8;
        for cat in 1..nodes as u16 {
            let both = if mouse == cat {
                [SETTLED, WON_END]
            } else if mouse == HOLE {
                [WON_END, SETTLED]
            } else {
                [mouse_degree, cat_degrees[usize::from(cat)]]
            };
            cells[at..at + 2].copy_from_slice(&both);
            if both[0] >= WON_END {
                frontier[at / 64] |= 3 << (at % 64);
            }
            at += 2;
        }
    }
    let mut level = SETTLED;
    loop {
        level += 1;
        let mut any = false;
        for (word, bits) in frontier.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (mouse, cat) = by_cats.div_rem(at as u64 / 2);
                let (mouse, cat) = (mouse as usize, cat as usize);
                let lost = cells[at] >= SETTLED && (cells[at] - SETTLED).is_multiple_of(2);
                let mut visit = |source: usize| {
                    let cell = &mut cells[source];
                    if !cell::is_open(*cell) {
                        return;
                    }
                    if !lost {
                        *cell -= 1;
                        if *cell > 0 {
                            return;
                        }
                    }
                    // A win is settled at an odd level, a loss at an even one.
                    *cell = level;
                    next[source / 64] |= 1 << (source % 64);
                    any = true;
                };
                if at % 2 == 1 {
                    for &from in graph.predecessors(mouse as u16) {
                        visit((usize::from(from) * cats + cat) * 2);
                    }
                } else {
                    // The hole is node 0, so the indices of cats begin at node 1.
                    for &from in graph.predecessors(cat as u16 + 1) {
                        if from != HOLE {
                            visit((mouse * cats + usize::from(from) - 1) * 2 + 1);
                        }
                    }
                }
            }
        }
        if !any {
            break;
        }
        std::mem::swap(&mut frontier, &mut next);
    }
    Box::new(move |index| cell::value(map[index as usize]))
}
