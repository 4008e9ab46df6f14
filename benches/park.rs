//! What the engine costs beside solvers written by hand, on Cat and Mouse in a park: a w x w grid
//! graph with a tenth as many random chords as it has nodes.
//!
//! ```text
//! cargo bench --bench park                # parks of 30 x 30 and 50 x 50
//! cargo bench --bench park -- 30 50 70    # others
//! ```
//!
//! Three solvers take turns, five times each; the table shows medians, and ratios to the textbook
//! solver of the same run. All three have to find the same values.
//!
//! - *textbook*: what one writes for this game alone, from the textbook: separate arrays for
//!   degree, value and distance, and a queue.
//! - *by hand*: the best loop written for this game alone without the trait: packed cells of 16
//!   bits, and a bitmap as frontier, walked in index order.
//! - *engine*: [`Solver::dense`] over the trait, everything included: faults noticed, progress
//!   reported, the summary counted.
//!
//! # What was tried
//!
//! How the trait hands over successors decides what the loop costs. Prototypes of the same loop on
//! the 70 x 70 park (48 million states), seconds, beside 1.18 for the loop by hand:
//!
//! - a visitor that the game calls from two places (one for each player): 2.1; from one place, in
//!   one loop: 1.5, which is how the games do it;
//! - an iterator that the game returns: 1.5, but a game with nested loops can't write one well;
//! - a small vector that the game fills: 2.3;
//! - removing repetitions among the predecessors of every state: 2.9 to 3.5, hence
//!   [`Game::DISTINCT`](retrograde::Game::DISTINCT), the promise that there are none.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::Instant;

use retrograde::{Game, Indexed, Player, Query, Solver, Value};
use retrograde_games::Chase;
use retrograde_games::cat_mouse::{CatMouse, CatMouseParameters, Graph};

const ROUNDS: usize = 5;
const HOLE: u16 = 0;

fn main() {
    // `cargo bench` passes flags of its own, which are for other harnesses.
    let mut sizes: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![30, 50];
    }
    println!("park        states        edges  solver      seconds   ns/edge  vs textbook");
    for size in sizes {
        compare(size);
    }
}

fn compare(size: usize) {
    let parameters = CatMouseParameters { graph: park(size), ..CatMouseParameters::default() };
    let game = CatMouse::new(&parameters).expect("a park is a graph");
    let graph = Graph::new(&parameters.graph, false).expect("a park is a graph");
    let states = game.len();
    let mut edges = 0_u64;
    for state in (0..states).filter_map(|index| game.unindex(index)) {
        if game.terminal(&state).is_none() {
            game.moves(&state, |_| edges += 1);
        }
    }
    let mut seconds = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        let values = timed(&mut seconds[0], || textbook(&graph));
        let by_hand = timed(&mut seconds[1], || by_hand(&graph));
        assert_eq!(values, by_hand, "by hand");
        drop(by_hand);
        let solution = timed(&mut seconds[2], || Solver::new(&game).dense().expect("solvable"));
        for (index, &value) in values.iter().enumerate() {
            let state = game.unindex(index as u64).expect("no holes");
            assert_eq!(solution.value(&state).expect("in the table"), unpacked(value));
        }
    }
    let medians = seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        seconds[ROUNDS / 2]
    });
    for (name, median) in ["textbook", "by hand", "engine"].into_iter().zip(medians) {
        let (per_edge, ratio) = (median * 1e9 / edges as f64, medians[0] / median);
        println!(
            "{:>4} {states:>13} {edges:>12}  {name:10} {median:>8.3} {per_edge:>9.2} {ratio:>11.2}x",
            format!("{size}²")
        );
    }
}

fn timed<T>(seconds: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = black_box(work());
    seconds.push(begin.elapsed().as_secs_f64());
    result
}

/// A grid graph with a tenth as many random chords as nodes, the same every time.
fn park(size: usize) -> Vec<Vec<i64>> {
    let nodes = size * size;
    let mut lists = vec![Vec::new(); nodes];
    let mut join = |a: usize, b: usize| {
        if a != b && !lists[a].contains(&(b as i64)) {
            lists[a].push(b as i64);
            lists[b].push(a as i64);
        }
    };
    for node in 0..nodes {
        if node % size + 1 < size {
            join(node, node + 1);
        }
        if node + size < nodes {
            join(node, node + size);
        }
    }
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut draw = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % nodes
    };
    for _ in 0..nodes / 10 {
        join(draw(), draw());
    }
    lists
}

/// The packed value of an endless state.
const ENDLESS: u16 = 1;
/// Packed values: these, plus the distance.
const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;

fn unpacked(value: u16) -> Value {
    match value {
        LOSS.. => Value::Loss((value - LOSS).into()),
        WIN.. => Value::Win((value - WIN).into()),
        _ => Value::Endless,
    }
}

fn textbook(graph: &Graph) -> Vec<u16> {
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
    let packed = |at: usize| match winner[at] {
        None => ENDLESS,
        Some(winner) if winner == Player::BOTH[at % 2] => WIN + distance[at] as u16,
        Some(_) => LOSS + distance[at] as u16,
    };
    (0..states).map(packed).collect()
}

fn by_hand(graph: &Graph) -> Vec<u16> {
    let nodes = graph.nodes() as u16;
    let cats = usize::from(nodes) - 1;
    let states = usize::from(nodes) * cats * 2;
    let mut cells = vec![0_u16; states];
    let mut frontier = vec![0_u64; states.div_ceil(64)];
    let mut next = frontier.clone();
    let mut at = 0;
    for mouse in 0..nodes {
        let mouse_degree = graph.successors(mouse).len() as u16;
        for cat in (0..nodes).filter(|&cat| cat != HOLE) {
            let both = if mouse == cat {
                [LOSS, WIN]
            } else if mouse == HOLE {
                [WIN, LOSS]
            } else {
                let open = graph.successors(cat).iter().filter(|&&to| to != HOLE);
                [mouse_degree, open.count() as u16]
            };
            cells[at..at + 2].copy_from_slice(&both);
            if both[0] >= WIN {
                frontier[at / 64] |= 3 << (at % 64);
            }
            at += 2;
        }
    }
    let mut level = 0;
    loop {
        level += 1;
        let mut any = false;
        for (word, bits) in frontier.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (mouse, cat_index) = (at / 2 / cats, at / 2 % cats);
                let lost = cells[at] >= LOSS;
                let mut visit = |source: usize| {
                    let cell = &mut cells[source];
                    if cell.wrapping_sub(1) >= WIN - 1 {
                        return;
                    }
                    if lost {
                        *cell = WIN + level;
                    } else {
                        *cell -= 1;
                        if *cell > 0 {
                            return;
                        }
                        *cell = LOSS + level;
                    }
                    next[source / 64] |= 1 << (source % 64);
                    any = true;
                };
                if at % 2 == 1 {
                    for &from in graph.predecessors(mouse as u16) {
                        visit((usize::from(from) * cats + cat_index) * 2);
                    }
                } else {
                    // The hole is node 0, so that cats are numbered from node 1 on.
                    for &from in graph.predecessors(cat_index as u16 + 1) {
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
    for cell in &mut cells {
        if *cell < WIN {
            *cell = ENDLESS;
        }
    }
    cells
}
