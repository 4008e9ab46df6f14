//! The cost of the engine beside solvers written for one game, on a random game. A state is a place
//! and who moves. Eight moves lead to unrelated places, and one place in eight is an end, in which
//! the player to move has lost. No cache helps.
//!
//! ```text
//! cargo bench --bench random                          # a million states
//! cargo bench --bench random -- 10000000 100000000    # others
//! ```
//!
//! The solvers are the same as in the `park` bench: *textbook*, *by hand* and *engine*. The engine
//! runs with one thread, with two, and without predecessors: then it finds the reverse edges itself
//! and stores them (*edges*), which costs up to 4 bytes an edge, and 4 a state.

mod common;
mod random_game;

use std::collections::VecDeque;

use common::cell::{self, SETTLED, WON_END};
use common::{Contest, zeroed};
use random_game::{MOVES, RandomGame};
use retrograde::{Indexed, Player, Solver, Value, scheme};

fn main() {
    common::head();
    for states in common::sizes([1_000_000]) {
        contest(states / 2);
    }
}

fn contest(places: u64) {
    let game = &RandomGame::<true>::new(places);
    let reversed = &RandomGame::<false>::new(places);
    let open = (0..places).filter(|&place| !game.is_end(place)).count() as u64;
    let edges = 2 * open * MOVES as u64;
    let contest = Contest {
        game: "random".into(),
        states: game.len(),
        edges,
        solvers: vec![
            common::Solver { name: "textbook", solve: Box::new(|| textbook(game)) },
            common::Solver { name: "by hand", solve: Box::new(|| by_hand(game)) },
            common::Solver { name: "engine, 1 thread", solve: Box::new(|| engine(game, 1)) },
            common::Solver { name: "engine, 2 threads", solve: Box::new(|| engine(game, 2)) },
            common::Solver { name: "engine, edges", solve: Box::new(|| engine(reversed, 1)) },
        ],
    };
    contest.run();
}

fn engine<const P: bool>(game: &RandomGame<P>, threads: usize) -> common::Table<'_> {
    let solver = Solver::new(game).threads(threads);
    let solution = solver.solve_as::<scheme::Dense>().expect("a game to solve");
    Box::new(move |index| {
        let state = game.unindex(index).expect("no unused indices");
        solution.value(&state).expect("in the table")
    })
}

fn textbook(game: &RandomGame<true>) -> common::Table<'static> {
    let states = game.len() as usize;
    let mut degree = vec![0_u32; states];
    let mut winner: Vec<Option<Player>> = vec![None; states];
    let mut distance = vec![0_u32; states];
    let mut queue = VecDeque::new();
    for index in 0..states {
        let turn = Player::BOTH[index % 2];
        degree[index] = MOVES as u32;
        if game.is_end(index as u64 / 2) {
            winner[index] = Some(turn.opponent());
            queue.push_back(index);
        }
    }
    while let Some(at) = queue.pop_front() {
        let mover = Player::BOTH[(at + 1) % 2];
        game.sources(at as u64 / 2, |from| {
            let source = from as usize * 2 + mover.index();
            if winner[source].is_some() {
                return;
            }
            if winner[at] != Some(mover) {
                degree[source] -= 1;
                if degree[source] > 0 {
                    return;
                }
            }
            winner[source] = winner[at];
            distance[source] = distance[at] + 1;
            queue.push_back(source);
        });
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

/// As in the park. The predecessors of many states are listed before any is visited, so that the
/// processor loads many cells at once.
fn by_hand(game: &RandomGame<true>) -> common::Table<'static> {
    let states = game.len() as usize;
    let words = states.div_ceil(64);
    let mut map = zeroed(states);
    let cells = &mut map[..states];
    let [mut map_now, mut map_next] = [zeroed(words * 8), zeroed(words * 8)];
    let mut frontier: &mut [u64] = bytemuck::cast_slice_mut(&mut map_now[..words * 8]);
    let mut next: &mut [u64] = bytemuck::cast_slice_mut(&mut map_next[..words * 8]);
    for place in 0..states / 2 {
        let over = game.is_end(place as u64);
        cells[2 * place..2 * place + 2].fill(if over { SETTLED } else { MOVES as u8 });
        if over {
            frontier[place / 32] |= 3 << (2 * place % 64);
        }
    }
    debug_assert!(cells.iter().all(|&cell| cell != WON_END));
    let mut level = SETTLED;
    let mut batch: Vec<usize> = Vec::with_capacity(1024 + 64 * MOVES);
    loop {
        level += 1;
        let mut any = false;
        // Turns alternate and every end is a loss, so all states of a level have the same kind of
        // value.
        let lost = level % 2 == 1;
        let mut apply = |cells: &mut [u8], batch: &[usize]| {
            for &source in batch {
                let cell = &mut cells[source];
                if !cell::is_open(*cell) {
                    continue;
                }
                if !lost {
                    *cell -= 1;
                    if *cell > 0 {
                        continue;
                    }
                }
                *cell = level;
                next[source / 64] |= 1 << (source % 64);
                any = true;
            }
        };
        for (word, bits) in frontier.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                game.sources(at as u64 / 2, |from| {
                    batch.push(from as usize * 2 + (at + 1) % 2);
                });
            }
            if batch.len() >= 1024 {
                apply(cells, &batch);
                batch.clear();
            }
        }
        apply(cells, &batch);
        batch.clear();
        if !any {
            break;
        }
        std::mem::swap(&mut frontier, &mut next);
    }
    Box::new(move |index| cell::value(map[index as usize]))
}
