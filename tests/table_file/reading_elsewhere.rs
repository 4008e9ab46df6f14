//! The results of a reader in another language, which was written only from `docs/FORMAT.md`.
//!
//! The reader needs `python3`, and for compressed files something that decompresses them. If these
//! are missing, nothing is compared, and the test says so.

use kit::few;
use std::process::Command;

use retrograde::table::{Compression, Destination};
use retrograde::{Game, Indexed, Outcome, Players, Solution, Solver, Stored, Value, scheme};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::games::{HOLE, Lie, Small, Strip, Tree};

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/reader/reader.py");

fn python(argument: &str) -> Option<Vec<u8>> {
    let output = Command::new("python3").args([READER, argument]).output().ok()?;
    if argument.starts_with("--") {
        return output.status.success().then_some(output.stdout);
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

/// The compressions that the reader can read on this machine.
fn compressions() -> Vec<Compression> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("there is no python3: nothing is compared");
        return Vec::new();
    }
    let mut compressions = few(vec![], vec![Compression::Plain]);
    match python("--has-zstd") {
        Some(_) => compressions.extend(few(
            &[Compression::Zstd(12)][..],
            &[Compression::Zstd(1), Compression::Zstd(12)],
        )),
        None => {
            eprintln!("python3 can't decompress: compressed files are not compared");
            compressions = vec![Compression::Plain];
        }
    }
    compressions
}

/// The reader's results for the file of a solution, with each compression that it can read.
fn read<G: Stored>(solution: &Solution<'_, G>) -> Vec<(Compression, Json)> {
    read_from(solution, |destination| destination)
}

/// The reader's results for the file of a solution that is written to a destination. `change`
/// changes the destination.
fn read_from<G: Stored>(
    solution: &Solution<'_, G>,
    change: impl Fn(Destination<'static>) -> Destination<'static>,
) -> Vec<(Compression, Json)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.rtb");
    compressions()
        .into_iter()
        .map(|compression| {
            let destination = Destination::at(&path).compression(compression);
            solution.save(change(destination)).unwrap();
            let printed = python(path.to_str().unwrap()).expect("python3 is there");
            (compression, serde_json::from_slice(&printed).unwrap())
        })
        .collect()
}

fn assert_header<G: Stored>(found: &Json, solution: &Solution<'_, G>, len: u64) {
    let summary = solution.summary();
    assert_eq!(found["len"], len);
    assert_eq!((&found["endless"], &found["ply_limit"]), (&"draw".into(), &Json::Null));
    let tallies: Vec<[u64; 5]> = summary
        .by_mover
        .iter()
        .map(|tally| [tally.won, tally.lost, tally.drawn, tally.endless, tally.beyond_ply_limit])
        .collect();
    assert_eq!(found["by_mover"], serde_json::json!(tallies));
    let distances: Vec<(u32, u64, u64)> =
        summary.distances.iter().map(|at| (at.plies, at.won, at.lost)).collect();
    assert_eq!(found["distances"], serde_json::json!(distances));
}

/// The number of a value in the file.
fn packed(value: retrograde::Value) -> u64 {
    match value {
        retrograde::Value::Endless => 1,
        retrograde::Value::Win(plies) => 0x4000 + u64::from(plies),
        retrograde::Value::Loss(plies) => 0x8000 + u64::from(plies),
        retrograde::Value::Draw(plies) => 0xC000 + u64::from(plies),
        retrograde::Value::Points { .. } => unreachable!("the games here have no points"),
    }
}

#[test]
fn a_dense_table_is_read_as_it_was_written() {
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).solve().unwrap();
    for (compression, found) in read(&solution) {
        assert_header(&found, &solution, 14);
        assert_eq!(found["game"], "small");
        assert_eq!(found["parameters"], serde_json::json!({ "nodes": 14 }));
        assert_eq!((&found["numbering"], &found["dictionary"]), (&0.into(), &false.into()));
        let filled = compression != Compression::Plain;
        assert_eq!(found["filled"], filled);
        for state in game.states() {
            let value = packed(solution.value(&state).unwrap());
            assert_eq!(found["values"][state as usize], value, "{state}");
        }
        if !filled {
            assert_eq!(found["values"][HOLE as usize], 0);
        }
    }
}

#[test]
fn explored_tables_are_read_as_they_were_written() {
    // Numbers of 4 bytes, in several blocks.
    let game = Tree::<u32>::new(40_000);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    for (_, found) in read(&solution) {
        assert_header(&found, &solution, 40_000);
        for (index, state) in (0..1_000_u32).enumerate() {
            let bytes: String =
                state.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found["states"][index], bytes);
            assert_eq!(found["values"][index], packed(solution.value(&state).unwrap()));
        }
        let sum = (0..40_000_u32).fold(0_u64, |sum, state| {
            let value = packed(solution.value(&state).unwrap());
            sum.wrapping_add((u64::from(state) + 1).wrapping_mul(value))
        });
        assert_eq!(found["sum"], sum);
    }
    // Texts of several lengths.
    let game = Small::<String>::new(Lie::None);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    for (_, found) in read(&solution) {
        assert_header(&found, &solution, 13);
        for (index, state) in game.states().iter().enumerate() {
            let length = (state.len() as u64).to_le_bytes();
            let bytes: String =
                length.iter().chain(state.as_bytes()).map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found["states"][index], bytes);
            assert_eq!(found["values"][index], packed(solution.value(state).unwrap()));
        }
    }
}

#[test]
fn a_table_with_a_dictionary_is_read_as_it_was_written() {
    if kit::PLAIN {
        return;
    }
    let game = Strip::new(11 * 262_144);
    let solution = Solver::new(&game).solve().unwrap();
    for (compression, found) in read(&solution) {
        assert_header(&found, &solution, game.len.into());
        assert_eq!(found["dictionary"], compression != Compression::Plain);
        if compression == Compression::Plain {
            let sum = (0..game.len).fold(0_u64, |sum, state| {
                let value = solution.value(&state).map_or(0, packed);
                sum.wrapping_add((u64::from(state) + 1).wrapping_mul(value))
            });
            assert_eq!(found["sum"], sum);
        }
        for state in (0..1_000).filter(|&state| !Strip::is_hole(state)) {
            assert_eq!(found["values"][state as usize], packed(solution.value(&state).unwrap()));
        }
    }
}

#[test]
fn a_table_in_another_order_is_read_as_it_was_written() {
    let game = Strip::rows(270_000);
    let solution = Solver::new(&game).solve().unwrap();
    for (_, found) in read(&solution) {
        for state in (0..1_000).filter(|&state| !Strip::is_hole(state)) {
            assert_eq!(found["values"][state as usize], packed(solution.value(&state).unwrap()));
        }
    }
    for (_, found) in read_from(&solution, Destination::outcomes_only) {
        for state in (0..1_000).filter(|&state| !Strip::is_hole(state)) {
            let outcome = packed(solution.value(&state).unwrap()) & 0xC000;
            assert_eq!(found["values"][state as usize], outcome);
        }
    }
}

#[test]
fn outcomes_are_read_as_they_were_written() {
    let game = Tree::<u32>::new(40_000);
    let solution = Solver::new(&game).solve().unwrap();
    for (_, found) in read_from(&solution, Destination::outcomes_only) {
        assert_header(&found, &solution, 40_000);
        assert_eq!((&found["outcomes_only"], &found["filled"]), (&true.into(), &true.into()));
        let outcome = |state: u32| {
            let highest = packed(solution.value(&state).unwrap()) & 0xC000;
            if highest == 0 { 1 } else { highest }
        };
        for state in 0..1_000 {
            assert_eq!(found["values"][state as usize], outcome(state), "{state}");
        }
        let sum = (0..40_000_u32).fold(0_u64, |sum, state| {
            sum.wrapping_add((u64::from(state) + 1).wrapping_mul(outcome(state)))
        });
        assert_eq!(found["sum"], sum);
    }
}

#[test]
fn explored_tiers_are_read_as_they_were_written() {
    let game = Tree::<u32>::new(3_000);
    let expected = Solver::new(&game).solve().unwrap();
    for compression in compressions() {
        let folder = tempfile::tempdir().unwrap();
        let solver = Solver::new(&game);
        solver
            .solve_into_as::<scheme::Tiers<scheme::Packed>>(
                Destination::at(folder.path()).compression(compression),
            )
            .unwrap();
        for (tier, name, nodes) in [(0, "far", 1_000..3_000), (1, "near", 0..1_000_u32)] {
            let path = folder.path().join(name).with_extension("rtb");
            let printed = python(path.to_str().unwrap()).expect("python3 is there");
            let found: Json = serde_json::from_slice(&printed).unwrap();
            assert_eq!((&found["numbering"], &found["tier"]), (&5.into(), &tier.into()));
            assert_eq!(found["len"], nodes.len());
            for (index, node) in nodes.take(1_000).enumerate() {
                let bytes: String = u64::from(node)
                    .to_le_bytes()
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                assert_eq!(found["states"][index], bytes, "{compression:?}");
                assert_eq!(found["values"][index], packed(expected.value(&node).unwrap()));
            }
        }
    }
}

/// A heap from which a player takes one, two or three counters. The last ones are worth points to
/// whoever can't take any more.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Scores {
    counters: u64,
}

/// What the smallest heaps are worth.
const ENDS: [i16; 3] = [-4, 7, 0];

impl Game for Scores {
    type State = u64;
    const PLAYERS: Players = Players::Unnamed;
    const POINTS: bool = true;

    fn terminal(&self, &heap: &u64) -> Option<Outcome> {
        ENDS.get(heap as usize).map(|&points| Outcome::Points(points))
    }

    fn moves(&self, &heap: &u64, visit: impl FnMut(u64)) {
        (1..=3.min(heap)).map(|taken| heap - taken).for_each(visit);
    }

    fn max_points(&self) -> u16 {
        9
    }

    fn roots(&self) -> impl IntoIterator<Item = u64> {
        [self.counters]
    }
}

impl Indexed for Scores {
    fn len(&self) -> u64 {
        self.counters + 1
    }

    fn index(&self, &heap: &u64) -> u64 {
        heap
    }

    fn unindex(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

impl Stored for Scores {
    const NAME: &'static str = "scores";
}

#[test]
fn tables_with_points_are_read_as_they_were_written() {
    let game = Scores { counters: 30 };
    let solution = Solver::new(&game).solve_as::<scheme::Dense>().unwrap();
    let expected: Vec<Json> = (0..=30)
        .map(|heap| match solution.value(&heap).unwrap() {
            Value::Points { points, plies } => serde_json::json!([points, plies]),
            value => panic!("{value}"),
        })
        .collect();
    let counts: Vec<(i16, u64)> =
        solution.summary().points.iter().map(|at| (at.points, at.states)).collect();
    assert!(counts.len() > 3, "{counts:?}");
    for (_, found) in read(&solution) {
        assert_eq!(found["most"], 9);
        assert_eq!(found["points"], serde_json::json!(counts));
        assert_eq!(found["worth"], serde_json::json!(expected));
    }
    for (_, found) in read_from(&solution, Destination::outcomes_only) {
        for (heap, worth) in expected.iter().enumerate() {
            assert_eq!(found["worth"][heap], serde_json::json!([worth[0], 0]), "{heap}");
        }
        assert_eq!(found["points"], serde_json::json!(counts));
    }
    for (_, found) in read(&Solver::new(&Small::<u32>::new(Lie::None)).solve().unwrap()) {
        assert_eq!((&found["most"], &found["worth"]), (&Json::Null, &Json::Null));
    }
}
