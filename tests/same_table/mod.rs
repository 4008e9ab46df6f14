//! A game has one table, byte for byte, in whichever way it is solved: by any number of threads, by
//! the game's predecessors, by reverse edges or without them, or by a textbook solver.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::path::Path;

use kit::graph::Packing;
use kit::web::{Plan, Web, plan};
use kit::{bytes, cases, few, least_memory, some, textbook};
use proptest::prelude::*;
use retrograde::scheme::{Dense, Hashed, Packed};
use retrograde::solve::{Method, Progress};
use retrograde::table::NumberingKind;
use retrograde::{
    Game, Indexed, Numbered, Outcome, Player, Solution, SolveError, Solver, Table, Value,
};

/// Solves a game in every way, checks that all ways give the same table, and returns it.
fn solved<const P: bool, const D: bool>(plan: Plan, expected: &[Value], folder: &Path) -> Vec<u8> {
    let game = Web::<P, D>::from(plan);
    let first = Solver::new(&game).threads(1).solve().unwrap();
    for (state, value) in (0..).zip(expected) {
        assert_eq!(first.value(&state).unwrap(), *value, "{state} of {plan:?}");
    }
    let table = bytes(&first, folder);
    let trial = plan.seed as usize / 4;
    for threads in some(&[2, 3, 8], trial) {
        let solution = Solver::new(&game).threads(threads).solve().unwrap();
        assert!(bytes(&solution, folder) == table, "{threads} threads, {plan:?}");
    }
    for threads in some(&[1, 3], trial) {
        let solver = Solver::new(&game).threads(threads).memory(least_memory(&game));
        let solution = solver.solve().unwrap();
        assert!(bytes(&solution, folder) == table, "little memory, {threads} threads, {plan:?}");
    }
    table
}

/// The table of the explored states, which any number of threads must write.
fn explored<const P: bool, const D: bool>(
    plan: Plan,
    expected: &[Value],
    folder: &Path,
) -> Vec<u8> {
    let game = Web::<P, D>::from(plan);
    let first = Solver::new(&game).threads(1).solve_as::<Hashed>().unwrap();
    for (state, value) in (0..).zip(expected) {
        assert!(first.value(&state).is_err() || first.value(&state).unwrap() == *value);
    }
    let table = bytes(&first, folder);
    let solution = Solver::new(&game).threads(3).solve_as::<Hashed>().unwrap();
    assert!(bytes(&solution, folder) == table, "{plan:?}");
    packed(&game, &first, NumberingKind::Packed8, folder);
    // The same game, with states packed into 16 bytes.
    let packing = Packing { fits_u64: false, ..game.packing };
    packed(&Web { packing, ..game.clone() }, &first, NumberingKind::Packed16, folder);
    table
}

/// Packs the states. Only the file differs, and it is the same for any number of threads.
fn packed<const P: bool, const D: bool>(
    game: &Web<P, D>,
    explored: &Solution<'_, Web<P, D>>,
    kind: NumberingKind,
    folder: &Path,
) {
    let first = Solver::new(game).threads(1).solve_as::<Packed>().unwrap();
    assert_eq!(first.numbering(), kind);
    for state in 0..game.length {
        assert_eq!(first.value(&state).ok(), explored.value(&state).ok(), "{state}");
    }
    assert_eq!(first.summary(), explored.summary());
    let statistics = [
        Solver::new(game).survey_as::<Packed>().unwrap(),
        Solver::new(explored.game()).survey_as::<Hashed>().unwrap(),
    ];
    assert_eq!(statistics[0], statistics[1]);
    let table = bytes(&first, folder);
    let solution = Solver::new(game).threads(3).solve_as::<Packed>().unwrap();
    assert!(bytes(&solution, folder) == table, "{}", game.label);
    let file = Table::open(folder.join("table.rtb")).unwrap();
    assert_eq!(file.header().unwrap().numbering, kind);
    file.verify(game).unwrap();
    let prober = file.prober(game.clone()).unwrap();
    for state in (0..game.length).step_by(97) {
        assert_eq!(prober.value(&state).ok(), first.value(&state).ok(), "{state}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_game_has_one_table(plan in plan()) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let expected = textbook::values(&plan);
        // Each game in one of the four combinations. The textbook shows that the others give the
        // same table.
        match plan.seed % 4 {
            0 => solved::<true, true>(plan, &expected, folder),
            1 => solved::<true, false>(plan, &expected, folder),
            2 => solved::<false, true>(plan, &expected, folder),
            _ => solved::<false, false>(plan, &expected, folder),
        };
        if !kit::PLAIN && plan.seed % 8 == 0 {
            let given = explored::<true, false>(plan, &expected, folder);
            prop_assert!(given == explored::<false, true>(plan, &expected, folder));
        }
    }
}

#[test]
fn a_big_game_has_one_table_however_its_edges_are_found() {
    let (endless, reach) = (Outcome::Draw, None);
    let size = kit::by_effort([20_000, 60_000, 200_000]);
    let plan = Plan { seed: 7, size, reach, endless, moves: 8, alternating: true };
    let folder = tempfile::tempdir().unwrap();
    let expected = textbook::values(&plan);
    let given = solved::<true, true>(plan, &expected, folder.path());
    assert!(given == solved::<false, false>(plan, &expected, folder.path()));
}

#[test]
fn a_game_has_one_table_in_however_many_passes_its_edges_are_collected() {
    let (endless, reach) = (Outcome::Win(Player::First), Some(300));
    let size = kit::by_effort([40_000, 80_000, 200_000]);
    let plan = Plan { seed: 9, size, reach, endless, moves: 12, alternating: false };
    let folder = tempfile::tempdir().unwrap();
    let game = Web::<false, false>::from(plan);
    let table = bytes(&Solver::new(&game).solve().unwrap(), folder.path());
    let (least, mut most_passes, mut handed_over) = (least_memory(&game), 0, false);
    let steps: Vec<u64> = (0..16).collect();
    for step in few(steps.clone(), some(&steps, 0)) {
        let memory = least + step * u64::from(size) * 5 / 2;
        for threads in some(&[1, 2, 3, 8], step as usize / 2) {
            let methods = RefCell::new(Vec::new());
            let watch = |progress| {
                if let Progress::Planned(plan) = progress {
                    assert!(plan.bytes <= memory, "{plan:?}");
                    methods.borrow_mut().push(plan.method);
                }
                ControlFlow::Continue(())
            };
            let solver = Solver::new(&game).threads(threads).on_progress(watch);
            let solution = solver.memory(memory).solve().unwrap();
            assert!(bytes(&solution, folder.path()) == table, "{memory} bytes, {threads} threads");
            match methods.borrow()[..] {
                [.., Method::Forward, Method::ReverseEdges { .. }] => handed_over = true,
                [.., Method::ReverseEdges { passes, .. }] => most_passes = most_passes.max(passes),
                _ => {}
            }
        }
    }
    assert!(most_passes > 1 && handed_over);
}

/// A state of 70 moves, more than narrow cells count. Seven of them lead to wins in one ply, so that
/// 63 are left two levels later, and the moves of `FAN` other states have gone.
struct Hub;

const FAN: u32 = 2_000;

impl Hub {
    /// The states: an end, 10 that move there, `FAN` that move to those, 7 that move to the end, 63
    /// that move to one of the `FAN`, and the hub, which moves to the 70.
    fn targets(state: u32) -> std::ops::Range<u32> {
        match state {
            0 => 0..0,
            1..11 => 0..1,
            _ if state < 11 + FAN => 1..11,
            _ if state < 18 + FAN => 0..1,
            _ if state < 81 + FAN => 11..12,
            _ => 11 + FAN..81 + FAN,
        }
    }
}

impl Game for Hub {
    type State = u32;

    fn turn(&self, &state: &u32) -> Player {
        let is_second = (1..11).contains(&state) || (11 + FAN..81 + FAN).contains(&state);
        Player::BOTH[usize::from(is_second)]
    }

    fn terminal(&self, &state: &u32) -> Option<Outcome> {
        (state == 0).then_some(Outcome::MoverLoses)
    }

    fn moves(&self, &state: &u32, visit: impl FnMut(u32)) {
        Hub::targets(state).for_each(visit);
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        [81 + FAN]
    }
}

impl Numbered for Hub {
    type Numberings = Dense;
}

impl Indexed for Hub {
    fn len(&self) -> u64 {
        u64::from(82 + FAN)
    }

    fn index(&self, &state: &u32) -> u64 {
        state.into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        u32::try_from(index).ok()
    }
}

#[test]
fn moves_beyond_those_that_cells_count_are_counted_anew_when_edges_take_over() {
    let mut handed_over = 0;
    for step in (0..200).step_by(few(4, 1)) {
        let methods = RefCell::new(Vec::new());
        let watch = |progress| {
            if let Progress::Planned(plan) = progress {
                methods.borrow_mut().push(plan.method);
            }
            ControlFlow::Continue(())
        };
        let solver = Solver::new(&Hub).threads(1).memory(8_000 + 1_024 * step).on_progress(watch);
        let Ok(solution) = solver.solve_as::<Dense>() else { continue };
        let value = solution.value(&(81 + FAN)).unwrap();
        assert_eq!(value, Value::Loss(4), "{step}: {:?}", methods.borrow());
        let took_over = [Method::Forward, Method::ReverseEdges { edges: 126, passes: 1 }];
        handed_over += u32::from(methods.borrow().ends_with(&took_over));
    }
    assert!(handed_over > 0);
}

#[test]
fn what_cannot_fit_is_refused_at_once_with_the_figure() {
    let (endless, reach) = (Outcome::Draw, None);
    let plan = Plan { seed: 7, size: 100_000, reach, endless, moves: 3, alternating: true };
    let game = Web::<false, false>::from(plan);
    let reports = Cell::new(0);
    let count = |_| {
        reports.set(reports.get() + 1);
        ControlFlow::Continue(())
    };
    let refused = Solver::new(&game).memory(350_000).on_progress(count).solve().map(|_| ());
    let Err(SolveError::OverLimit { states, needed, allowed, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((states, allowed, reports.get()), (300_000, 350_000, 0));
    assert!(needed > allowed && needed < 2 * states);
    assert!(Solver::new(&game).memory(needed).solve().is_ok());
    assert!(Solver::new(&game).memory(needed - 1).solve().is_err());
}
