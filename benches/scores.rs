//! The cost of a game with points, beside a textbook solver for scores.
//!
//! ```text
//! cargo bench --bench scores            # awari with 12 seeds
//! cargo bench --bench scores -- 9 15    # with 9 seeds, and with 15
//! ```
//!
//! The game is awari: all positions with so many seeds or fewer. The solvers have the same rules and the
//! same formula for the index of a position.
//!
//! - The textbook solves the boards by rising numbers of seeds. It has a byte for the points of each
//!   position, one for its best capture and one for the moves that are open, and a queue for each
//!   threshold, from the most points down. It knows no distances.
//! - The engine finds distances, too. Only points are compared.
//!
//! Of the engine's time on 15 seeds, a profile gives 41 % to walking the moves (rules and ranking), 13 % to
//! exits and 9 % to looking whether a move within a tier gains. Nothing was tried here beyond what the
//! engine does for every game.

mod common;

use std::collections::VecDeque;

use common::{Contest, Table};
use retrograde::{Game, Outcome, TierIndexed, Tiered, Value};
use retrograde_games::awari::{Awari, AwariParameters, GrandSlam};

fn main() {
    common::head();
    for seeds in common::sizes([12]) {
        let parameters = AwariParameters { seeds: seeds as u32, grand_slam: GrandSlam::Illegal };
        contest(&Awari::new(parameters).expect("few seeds"));
    }
}

fn contest(game: &Awari) {
    let starts = starts(game);
    let states = starts[starts.len() - 1];
    let engine = |threads: usize| {
        let starts = starts.clone();
        let solve = move || -> Table<'_> {
            let solution =
                retrograde::Solver::new(game).threads(threads).solve().expect("a solution");
            let starts = starts.clone();
            Box::new(move |index| {
                let tier = starts.partition_point(|&start| start <= index) - 1;
                let state = game.tier_unindex(tier, index - starts[tier]).expect("a position");
                without_plies(solution.value(&state).expect("a value"))
            })
        };
        Box::new(solve)
    };
    let textbook = || -> Table<'_> {
        let points = textbook(game).concat();
        Box::new(move |index| Value::Points { points: points[index as usize].into(), plies: 0 })
    };
    let solver = |name, solve| common::Solver { name, solve };
    Contest {
        game: format!("awari {}", game.parameters().seeds),
        states,
        edges: moves(game),
        solvers: vec![
            solver("textbook", Box::new(textbook)),
            solver("engine, 1 thread", engine(1)),
            solver("engine, 2 threads", engine(2)),
        ],
    }
    .run();
}

/// The first index of each tier in the order of all positions, and the number of all.
fn starts(game: &Awari) -> Vec<u64> {
    let mut starts = vec![0];
    for tier in 0..game.tiers().len() {
        starts.push(starts[tier] + game.tier_len(tier));
    }
    starts
}

/// The number of moves of all positions.
fn moves(game: &Awari) -> u64 {
    let mut moves = 0;
    for tier in 0..game.tiers().len() {
        game.tier_states(tier, 0..game.tier_len(tier), |_, state| {
            if game.terminal(&state).is_none() {
                game.moves(&state, |_| moves += 1);
            }
        });
    }
    moves
}

/// A value as the textbook knows it: endless play is worth nothing.
fn without_plies(value: Value) -> Value {
    Value::Points { points: value.points(), plies: 0 }
}

/// The points of all positions for the player to move, tier by tier.
fn textbook(game: &Awari) -> Vec<Vec<i8>> {
    let mut solved: Vec<Vec<i8>> = Vec::new();
    for seeds in 0..game.tiers().len() {
        let points = tier(game, seeds, &solved);
        solved.push(points);
    }
    solved
}

/// The positions with some number of seeds.
struct Board {
    /// What positions are worth to the player to move; 0 as long as they are open.
    points: Vec<i8>,
    /// The moves of open positions that are not known to lose, captures counted as one.
    open: Vec<u8>,
    /// Settled positions whose moves back are still to be made.
    queue: VecDeque<usize>,
}

impl Board {
    /// Tells a position that a move of it wins, or loses, by some points.
    fn tell(&mut self, index: usize, wins: bool, by: i8) {
        let open = &mut self.open[index];
        if *open == 0 || !wins && *open > 1 {
            *open = open.saturating_sub(1);
            return;
        }
        *open = 0;
        self.points[index] = if wins { by } else { -by };
        self.queue.push_back(index);
    }
}

/// The points of the positions with so many seeds, by those with fewer.
fn tier(game: &Awari, seeds: usize, solved: &[Vec<i8>]) -> Vec<i8> {
    let len = game.tier_len(seeds) as usize;
    let mut board = Board { points: vec![0; len], open: vec![0; len], queue: VecDeque::new() };
    // By points gained or lost: the ended positions, and those with such a best capture.
    let mut ended = vec![Vec::new(); seeds + 1];
    let mut captures = vec![Vec::new(); seeds + 1];
    game.tier_states(seeds, 0..len as u64, |index, state| {
        let index = index as usize;
        if let Some(outcome) = game.terminal(&state) {
            let Outcome::Points(end) = outcome else { unreachable!("awari ends with points") };
            board.points[index] = end as i8;
            ended[usize::from(end.unsigned_abs())].push(index);
            return;
        }
        let (mut open, mut best) = (0, None);
        game.moves(&state, |next| {
            let left = game.tier(&next);
            if left == seeds {
                open += 1;
            } else {
                let after = solved[left][game.tier_index(left, &next) as usize];
                best = best.max(Some((seeds - left) as i8 - after));
            }
        });
        if let Some(best) = best {
            captures[usize::from(best.unsigned_abs())].push((index, best > 0));
            open += 1;
        }
        board.open[index] = open;
    });
    for threshold in (1..=seeds).rev() {
        let by = threshold as i8;
        board.queue.extend(&ended[threshold]);
        for &(index, wins) in &captures[threshold] {
            board.tell(index, wins, by);
        }
        while let Some(index) = board.queue.pop_front() {
            let state = game.tier_unindex(seeds, index as u64).expect("a position");
            let is_lost = board.points[index] < 0;
            game.tier_predecessors(seeds, &state, |before| {
                board.tell(game.tier_index(seeds, &before) as usize, is_lost, by);
            });
        }
    }
    board.points
}
