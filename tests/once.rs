//! The rules of a game are asked once for each state, if the states are discovered.

use std::sync::atomic::{AtomicU64, Ordering};

use kit::few;
use retrograde::scheme::{Hashed, Packed, Scheme, Tiers};
use retrograde::solve::{Method, Plan, Progress};
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Outcome, Player, Solution, Solver, Stored, Tier, Tiered};
use serde::{Deserialize, Serialize};

/// The size of the game. Play can reach nearly all of these numbers.
const STATES: u64 = if kit::PLAIN { 100_000 } else { 300_000 };

/// The number of times that samples may ask the rules, to check the laws before the solve.
const SAMPLES: u64 = 60_000;

/// A game of numbers in three tiers that counts the calls of its rules.
#[derive(Default, Serialize, Deserialize)]
struct Counted {
    #[serde(skip)]
    ends: AtomicU64,
    #[serde(skip)]
    moves: AtomicU64,
}

const TIERS: u32 = 3;

/// A number of the same tier that looks random, determined by `state` and `by`.
fn mixed(state: u32, by: u32) -> u32 {
    let mixed = state.wrapping_mul(0x9E37_79B1).wrapping_add(by.wrapping_mul(0x85EB_CA6B)) >> 7;
    let numbers = STATES as u32 / TIERS;
    mixed % numbers * TIERS + state % TIERS
}

impl Game for Counted {
    type State = u32;

    fn turn(&self, &state: &u32) -> Player {
        Player::BOTH[(state / TIERS % 2) as usize]
    }

    fn terminal(&self, &state: &u32) -> Option<Outcome> {
        self.ends.fetch_add(1, Ordering::Relaxed);
        let end = match state / TIERS % 31 {
            7 => Outcome::Draw,
            8 => Outcome::MoverLoses,
            9 => Outcome::Win(Player::Second),
            _ => return None,
        };
        Some(end)
    }

    fn moves(&self, &state: &u32, mut visit: impl FnMut(u32)) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        // Nearly all states have a move to a state that other ways also reach.
        if state / TIERS % 101 != 3 {
            (0..3).for_each(|by| visit(mixed(state, by)));
            visit((state + TIERS) % STATES as u32);
            if state % TIERS > 0 {
                visit(mixed(state, 5) - 1);
            }
        }
    }

    fn no_moves(&self, _: &u32) -> Option<Outcome> {
        Some(Outcome::MoverLoses)
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        (0..STATES as u32).step_by(97)
    }
}

impl retrograde::PackedState for Counted {
    type Word = u64;

    fn pack(&self, &state: &u32) -> u64 {
        state.into()
    }

    fn unpack(&self, word: u64) -> u32 {
        word as u32
    }
}

impl Tiered for Counted {
    fn tiers(&self) -> Vec<Tier> {
        (0..TIERS as usize)
            .map(|at| Tier { name: format!("t{at}"), leads_to: (0..at).rev().take(1).collect() })
            .collect()
    }

    fn tier(&self, state: &u32) -> usize {
        (state % TIERS) as usize
    }
}

impl Stored for Counted {
    const NAME: &'static str = "counted";
}

/// The number of states, the number of calls of the rules during a solve, and the last plan.
fn count<'g>(
    solve: impl FnOnce(Solver<'g, '_, Counted>) -> u64,
    game: &'g Counted,
) -> (u64, [u64; 2], Option<Plan>) {
    game.ends.store(0, Ordering::Relaxed);
    game.moves.store(0, Ordering::Relaxed);
    let mut last = None;
    let solver = Solver::new(game).on_progress(|progress| {
        if let Progress::Planned(plan) = progress {
            last = Some(plan);
        }
        std::ops::ControlFlow::Continue(())
    });
    let states = solve(solver);
    let asked = [&game.ends, &game.moves].map(|count| count.load(Ordering::Relaxed));
    (states, asked, last)
}

fn states(solution: &Solution<'_, Counted>) -> u64 {
    solution.summary().states()
}

/// Solves with `threads` threads, and checks the number of calls of the rules.
fn check_once<S: Scheme<Counted>>(threads: usize) {
    let game = Counted::default();
    let (states, [ends, moves], plan) =
        count(|solver| states(&solver.threads(threads).solve_as::<S>().unwrap()), &game);
    assert!(states > STATES * 9 / 10, "{states}");
    let most = states + SAMPLES;
    assert!(ends <= most && moves <= most, "{}: {states} states, {ends}, {moves}", S::INFO.name);
    let plan = plan.unwrap();
    assert!(plan.recorded && matches!(plan.method, Method::ReverseEdges { .. }), "{plan:?}");
}

#[test]
fn each_state_is_asked_once_in_every_scheme_that_discovers() {
    for threads in few(2..3, 1..3) {
        check_once::<Hashed>(threads);
        check_once::<Packed>(threads);
        check_once::<Tiers<Packed>>(threads);
    }
}

#[test]
fn each_state_is_asked_once_where_tiers_go_into_files() {
    let game = Counted::default();
    let folder = tempfile::tempdir().unwrap();
    let (states, [ends, moves], _) = count(
        |solver| {
            let path = folder.path().join("tiers");
            let compression = Compression::default();
            let tiers = solver
                .solve_into_as::<Tiers<Packed>>(Destination::at(path).compression(compression))
                .unwrap();
            tiers.iter().map(|tier| tier.summary.states()).sum()
        },
        &game,
    );
    let most = states + SAMPLES;
    assert!(states > STATES * 9 / 10 && ends <= most && moves <= most, "{states} {ends} {moves}");
}

/// Solves with less and less memory: first all moves have room and are recorded, and last the solve
/// fails.
fn are_asked_again_with_less_memory<S: Scheme<Counted>>() {
    let game = Counted::default();
    let free = Solver::new(&game).solve_as::<S>().unwrap();
    let mut ways = Vec::new();
    for megabytes in (4..100).rev().step_by(kit::by_effort([45, 15, 5])) {
        let mut solution = None;
        let (_, [_, moves], plan) = count(
            |solver| {
                solution = solver.memory(megabytes << 20).threads(1).solve_as::<S>().ok();
                0
            },
            &game,
        );
        let Some(solution) = solution else { break };
        let recorded = plan.unwrap().recorded;
        let is_once = moves <= states(&solution) + SAMPLES;
        assert_eq!(is_once, recorded, "{}, {megabytes} MB: {moves}", S::INFO.name);
        for state in (0..STATES as u32).step_by(1013) {
            assert_eq!(solution.value(&state).ok(), free.value(&state).ok(), "{state}");
        }
        ways.push(recorded);
    }
    assert!(ways.contains(&true) && ways.contains(&false), "{ways:?}");
    assert!(ways.is_sorted_by(|one, other| one >= other), "{ways:?}");
}

#[test]
fn where_memory_is_short_the_rules_are_asked_again_and_the_plan_says_so() {
    are_asked_again_with_less_memory::<Packed>();
}

#[test]
fn where_memory_is_short_the_rules_of_tiers_are_asked_again_too() {
    if kit::PLAIN {
        return;
    }
    are_asked_again_with_less_memory::<Tiers<Packed>>();
}
