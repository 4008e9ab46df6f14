//! Tables with right checksums and wrong values.

use std::ops::ControlFlow;

use kit::{few, some};
use retrograde::{Solver, Table, TableError, scheme};

use crate::games::{HOLE, Lie, Small, Tree};
use crate::layout::{Parts, pairs};
use crate::{dense, explored, plain, saved, verified, verify_small};

/// The wrong values of a solver with other rules: the lowest node, its value in the table, and the
/// value that its successors in the table give it.
const LIES: [(Lie, u32, &str, &str); 7] = [
    (Lie::OtherWinner, 3, "a loss: play is over", "a win: play is over"),
    (Lie::WinIsDraw, 3, "a draw: play is over", "a win: play is over"),
    (Lie::DrawIsWin, 5, "a win: play is over", "a draw: play is over"),
    (Lie::Later, 1, "a loss in 3 plies", "a loss in 2 plies"),
    (Lie::Sooner, 0, "a win in 2 plies", "a win in 3 plies"),
    (Lie::DrawIsEndless, 8, "endless play", "a draw in at most 2 plies"),
    (Lie::EndlessIsDraw, 6, "a draw in at most 2 plies", "a draw in at most 3 plies"),
];

fn assert_wrong(result: Result<(), TableError>, at: &str, [was, should_be]: [&str; 2]) {
    let error = result.unwrap_err();
    let TableError::WrongValue { state, stored, expected } = error else { panic!("{error}") };
    assert_eq!([state.as_str(), &stored, &expected], [at, was, should_be]);
}

#[test]
fn the_values_of_other_rules_are_found_to_be_wrong() {
    for (lie, node, stored, expected) in LIES {
        let at = format!("node {node}");
        assert_wrong(verify_small::<u32>(dense(lie)), &at, [stored, expected]);
        assert_wrong(verify_small::<u32>(explored::<u32>(lie)), &at, [stored, expected]);
        assert_wrong(verify_small::<String>(explored::<String>(lie)), &at, [stored, expected]);
    }
}

#[test]
fn a_hole_for_a_state_and_a_state_for_a_hole_are_found_to_be_wrong() {
    let expected = ["unused", "a draw in at most 3 plies"];
    assert_wrong(verify_small::<u32>(dense(Lie::NewHole)), "node 7", expected);
    let mut parts = Parts::of(&dense(Lie::None));
    parts.set_value(12, 0x8000);
    let error = verify_small::<u32>(parts.to_file()).unwrap_err();
    let TableError::ValueOfUnused { index, stored } = error else { panic!("{error}") };
    assert_eq!((index, stored.as_str()), (12, "a loss: play is over"));
    let error = verify_small::<u32>(dense(Lie::NewState)).unwrap_err();
    let told = "index 12 was 12 when it was written, and is unused now";
    assert!(error.to_string().contains(told), "{error}");
}

#[test]
fn a_wrong_value_before_a_hole_with_a_value_is_found_first() {
    let mut parts = Parts::of(&dense(Lie::None));
    let wrong = other_than(parts.packed()[3]);
    parts.set_value(3, wrong);
    parts.set_value(12, 0x8000);
    let error = verify_small::<u32>(parts.to_file()).unwrap_err();
    assert!(matches!(error, TableError::WrongValue { .. }), "{error}");
}

#[test]
fn a_table_that_lacks_a_start_is_found_to_be_incomplete() {
    let error = verify_small::<u32>(explored::<u32>(Lie::FewerRoots)).unwrap_err();
    assert!(matches!(error, TableError::Malformed { .. }), "{error}");
    assert!(error.to_string().contains("node 7"), "{error}");
}

/// Verifies the table many times, each time with a different wrong value.
fn try_all_values(file: &[u8], len: usize, verify: impl Fn(Vec<u8>) -> Result<(), TableError>) {
    let kinds = [0, 0x4000, 0x8000, 0xC000_u16];
    let plies = [0, 1, 2, 3, 4, 5, 0x3FFE, 0x3FFF_u16];
    let intact = Parts::of(file);
    for index in 0..len {
        for kind in kinds {
            for &plies in few(&plies[1..3], &plies[..]) {
                let mut parts = intact.clone();
                parts.set_value(index, kind + plies);
                if parts.packed() == intact.packed() {
                    continue;
                }
                let result = verify(parts.to_file());
                let error = match result {
                    Err(error) => error,
                    Ok(()) => panic!("{:#06x} at index {index} passes", kind + plies),
                };
                let nonsense = kind == 0 && plies > 1;
                match error {
                    TableError::WrongValue { .. } | TableError::ValueOfUnused { .. } => {
                        assert!(!nonsense);
                    }
                    // A number that is no value, or a state that has none though a move leads there.
                    TableError::Malformed { .. } => assert!(nonsense || kind + plies == 0),
                    error => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn any_other_value_anywhere_is_found_to_be_wrong() {
    try_all_values(&dense(Lie::None), 14, verify_small::<u32>);
    try_all_values(&explored::<u32>(Lie::None), 13, verify_small::<u32>);
    try_all_values(&explored::<String>(Lie::None), 13, verify_small::<String>);
}

#[test]
fn a_number_that_is_no_value_is_an_error_when_it_is_probed() {
    for packed in [2, 0x3FFF] {
        let mut parts = Parts::of(&dense(Lie::None));
        parts.set_value(5, packed);
        let table = Table::from_bytes(parts.to_file()).unwrap();
        let game = Small::<u32>::new(Lie::None);
        let prober = table.prober(game.clone()).unwrap();
        assert!(prober.value(&4).is_ok());
        let error = prober.value(&5).unwrap_err().to_string();
        assert!(error.contains(&format!("{packed:#06x}")), "{error}");
        // A move leads there from state 4.
        assert!(prober.moves(&4).is_err());
        assert!(prober.line(&7).is_err());
    }
}

#[test]
fn every_figure_of_the_header_is_compared_with_the_values() {
    for (file, verify) in [
        (dense(Lie::None), verify_small::<u32> as fn(_) -> _),
        (explored::<String>(Lie::None), verify_small::<String>),
    ] {
        let intact = Parts::of(&file);
        let figures = (intact.tallies_at()..intact.distances_at()).step_by(8);
        let distances = (intact.distances_at() + 8..intact.remembered_at()).step_by(20);
        for at in figures.chain(distances.clone()) {
            let mut parts = intact.clone();
            parts.header[at] ^= 1;
            let error = verify(parts.to_file()).unwrap_err();
            // Distances that do not ascend are refused at once.
            let is_refused = distances.clone().any(|distance| distance == at)
                && matches!(error, TableError::Malformed { .. });
            assert!(is_refused || matches!(error, TableError::WrongSummary), "{error}");
        }
    }
}

#[test]
fn a_hole_is_not_taken_for_a_state() {
    let packed = Parts::of(&dense(Lie::None)).packed();
    assert_eq!(packed[HOLE as usize], 0);
    assert!((0..HOLE).all(|node| packed[node as usize] != 0));
}

/// A different value.
fn other_than(right: u16) -> u16 {
    if right == 0x4003 { 0x8003 } else { 0x4003 }
}

#[test]
fn with_little_memory_the_same_is_found() {
    if kit::PLAIN {
        return;
    }
    const NODES: u32 = 100_000;
    let game = Tree::<u32>::new(NODES);
    let verify = |file: &[u8], memory| {
        verified(&Table::from_bytes(file.to_vec()).unwrap().memory(memory), &game)
    };
    let dense = saved(|path| plain(Solver::new(&game).solve().unwrap(), path));
    let explored =
        saved(|path| plain(Solver::new(&game).solve_as::<scheme::Hashed>().unwrap(), path));
    for (place, file) in [dense, explored].into_iter().enumerate() {
        for memory in [0, 50_000, 1 << 20] {
            verify(&file, memory).unwrap();
        }
        let intact = Parts::of(&file);
        let right = intact.packed();
        let indices = [0, 1, 16_383, 16_384, 49_999, 50_000, NODES as usize - 1];
        for index in some(&indices, place) {
            for wrong in some(&[0, 1, 0x4000, 0x4003, 0x8003, 0xC003], index / 2) {
                if wrong == right[index] {
                    continue;
                }
                let mut parts = intact.clone();
                parts.set_value(index, wrong);
                let file = parts.to_file();
                let [much, little] = [u64::MAX, 0].map(|memory| verify(&file, memory).unwrap_err());
                let found = |error: &TableError| {
                    matches!(error, TableError::WrongValue { .. } | TableError::Malformed { .. })
                };
                assert!(found(&much) && found(&little), "{much}, {little}");
                if wrong != 0 {
                    assert_eq!(much.to_string(), little.to_string());
                }
            }
        }
        // Of several wrong values, the first is found.
        let pairs = [[0, 49_999], [16_383, 16_385], [20_000, 90_000], [70_000, 70_001]];
        for indices in some(&pairs, place) {
            let mut parts = intact.clone();
            for index in indices {
                parts.set_value(index, other_than(right[index]));
            }
            let file = parts.to_file();
            let [much, some, little] =
                [u64::MAX, 50_000, 0].map(|memory| verify(&file, memory).unwrap_err().to_string());
            assert_eq!([&much, &much], [&some, &little]);
        }
        let mut parts = intact.clone();
        parts.header[intact.tallies_at()] ^= 1;
        let error = verify(&parts.to_file(), 0).unwrap_err();
        assert!(matches!(error, TableError::WrongSummary), "{error}");
    }
}

#[test]
fn checking_with_little_memory_can_be_interrupted_at_any_time() {
    let game = Tree::<u32>::new(40_000);
    let file = saved(|path| plain(Solver::new(&game).solve().unwrap(), path));
    let mut wrong = Parts::of(&file);
    wrong.set_value(39_000, other_than(wrong.value(39_000)));
    for file in [file, wrong.to_file()] {
        let table = Table::from_bytes(file).unwrap().memory(0).threads(2);
        let mut until_interrupted = 0;
        loop {
            let mut left = until_interrupted;
            // Once alone.
            let verifier = table.verifier(&game).on_progress(|_| {
                left -= 1;
                if left == -1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let result = verifier.verify();
            if left >= 0 {
                break;
            }
            assert!(matches!(result, Err(TableError::Interrupted)), "{result:?}");
            until_interrupted += 1;
        }
        assert!(until_interrupted > 5, "{until_interrupted}");
    }
}

#[test]
fn a_table_that_lists_too_little_is_checked_all_the_same() {
    const NODES: u32 = 40_000;
    let game = Tree::<u32>::new(NODES);
    let file = saved(|path| plain(Solver::new(&game).solve().unwrap(), path));
    let mut parts = Parts::of(&file);
    let right = parts.packed();
    parts.values[0] = pairs(&right);
    let (at, palette) = (parts.format_at(), parts.palette());
    let last = palette.len() - 1;
    assert!(right.contains(&palette[last]));
    parts.header[at..at + 8].copy_from_slice(&(last as u64).to_le_bytes());
    parts.header.drain(at + 8 + 2 * last..at + 8 + 2 * (last + 1));
    let verify = |parts: &Parts, memory| {
        let table = Table::from_bytes(parts.to_file()).unwrap().memory(memory);
        table.verify(&game)
    };
    for memory in [u64::MAX, 30_000, 0] {
        verify(&parts, memory).unwrap();
    }
    for index in [0, 20_000, NODES as usize - 1] {
        let mut parts = parts.clone();
        parts.set_value(index, right[index] + 1);
        for memory in [u64::MAX, 30_000, 0] {
            let error = verify(&parts, memory).unwrap_err();
            assert!(matches!(error, TableError::WrongValue { .. }), "{error}");
        }
    }
}
