//! Tests of the recorded moves of several processes. The results are the same with recorded moves,
//! without them, and if some processes give up. With recorded moves the rules are asked once for
//! each state.

use crate::game::{Outcome, Player};
use crate::numbering::discovered::PackedIn;
use crate::numbering::indexing::WholeDiscovered;
use crate::solve::together_tests::{Found, Limits, Web, solve_together_within, solve_within};

type Discovered = WholeDiscovered<PackedIn<u64>>;

/// The numbers of processes, and of threads in each.
const PROCESSES: [[usize; 2]; 5] = [[1, 2], [2, 1], [3, 1], [2, 3], [4, 2]];

/// How many states a check of the laws asks in each process: a sample, the roots, and random play.
const SAMPLE: usize = 6_000;

/// Joins the windows of all processes. Returns whether all have recorded their moves, or none.
fn put_together(found: Vec<(Found, bool)>) -> (Found, bool) {
    let mut found = found.into_iter();
    let ((mut values, mut records, summary), is_recorded) = found.next().unwrap();
    for ((more_values, more_records, of_process), is_recorded_there) in found {
        values.extend(more_values);
        records.extend(more_records);
        assert_eq!((of_process, is_recorded_there), (summary.clone(), is_recorded));
    }
    ((values, records, summary), is_recorded)
}

fn together<const NATIVE: bool>(
    game: &Web<NATIVE>,
    of: [usize; 2],
    limits: Limits,
) -> (Found, bool) {
    let found = solve_together_within::<NATIVE, Discovered>(game, of, limits);
    put_together(found.into_iter().map(Result::unwrap).collect())
}

#[test]
fn with_little_memory_several_processes_find_the_same_without_recorded_moves() {
    let games = [(9_000, 100), (30_000, 12)];
    for (seed, &(len, most)) in kit::few(&[(9_000, 12)][..], &games).iter().enumerate() {
        let endless = [Outcome::Draw, Outcome::Win(Player::Second)][seed];
        let game = Web::<false>::new(len, most, endless, seed as u64);
        let (alone, _) = solve_within::<false, Discovered>(&game, 1, [None; 2], None).unwrap();
        for of in kit::some(&PROCESSES, seed) {
            let (found, is_recorded) = together(&game, of, [None; 2]);
            assert!(is_recorded && found == alone, "{len} states, {of:?}");
            // The least memory with room for the reverse edges has no room for the moves.
            let limits =
                std::iter::successors(Some(1_u64 << 18), |bytes| Some(bytes.checked_mul(5)? / 4));
            let mut solved = limits.filter_map(|bytes| {
                let found =
                    solve_together_within::<false, Discovered>(&game, of, [None, Some(bytes)]);
                Some(put_together(found.into_iter().collect::<Result<_, _>>().ok()?))
            });
            let (found, is_recorded) = solved.next().unwrap();
            assert!(!is_recorded && found == alone, "{len} states, {of:?}");
            let recorded = solved.find(|&(_, is_recorded)| is_recorded);
            assert!(recorded.unwrap().0 == alone, "{len} states, {of:?}");
        }
    }
}

#[test]
fn several_processes_ask_the_rules_once_for_each_state() {
    for of in kit::few(vec![[3, 1]], PROCESSES.to_vec()) {
        let game = Web::<false>::new(200_000, 9, Outcome::Draw, 3);
        let (_, is_recorded) = together(&game, of, [None; 2]);
        assert!(is_recorded);
        let [[states, twice], [open, twice_moved]] = game.asked();
        assert!(states > 150_000 && open > 130_000, "{states} states, {open} open");
        let most = of[0] * SAMPLE + 200_000 / 31;
        assert!(twice < most && twice_moved < most, "{of:?}: {twice}, {twice_moved}");
        assert!(most < open / 2);
    }
}

#[test]
fn predecessors_of_the_game_serve_all_processes_or_none() {
    for seed in 0..kit::few(1, 2) {
        let game = Web::<true>::new(20_000, 6, Outcome::Draw, seed);
        let (alone, _) = solve_within::<true, Discovered>(&game, 1, [None; 2], None).unwrap();
        let slow = game.slow();
        for of in kit::some(&PROCESSES, seed as usize) {
            let (found, is_recorded) = together(&slow, of, [None; 2]);
            assert!(is_recorded && found == alone, "{seed}, {of:?}");
            // From too little for the moves to enough for them and the reverse edges.
            for bytes in
                (0..6).step_by(kit::few(3, 1)).map(|step| (5 << 17) << step >> of[0].ilog2())
            {
                let (found, _) = together(&slow, of, [None, Some(bytes)]);
                assert!(found == alone, "{seed}, {of:?}, {bytes}");
            }
        }
    }
}
