//! Headers of tables of outcomes with right checksums and wrong figures, and which of them are
//! refused.

use std::collections::BTreeSet;
use std::ops::Range;

use kit::{few, some};
use retrograde::table::{Compression, Destination};
use retrograde::{Solution, Solver, Stored, Table, TableError, scheme};

use crate::games::{Lie, Small, Tree};
use crate::layout::Parts;
use crate::{saved, verified};

/// The outcomes of a solution, without compression.
fn outcomes<G: Stored>(solution: &Solution<'_, G>) -> Parts {
    Parts::of(&saved(|path| {
        let destination = Destination::at(path).compression(Compression::Plain).outcomes_only();
        solution.save(destination)
    }))
}

/// The fields of a header in order, with the places of their bytes.
fn fields(parts: &Parts) -> Vec<(String, Range<usize>)> {
    let header = &parts.header;
    let mut fields: Vec<(String, Range<usize>)> = Vec::new();
    let mut at = 1;
    let mut field = |name: &str, width: usize| {
        fields.push((name.to_owned(), at..at + width));
        at += width;
        header[at - width..at].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    };
    for text in ["game", "parameters"] {
        let length = field(&format!("length of {text}"), 8);
        field(text, length as usize);
    }
    field("numbering", 4);
    field("len", 8);
    field("endless", 4);
    field("ply_limit", 1);
    field("outcomes_only", 1);
    for mover in 0..2 {
        for figure in ["won", "lost", "drawn", "endless", "beyond_ply_limit"] {
            field(&format!("by_mover[{mover}].{figure}"), 8);
        }
    }
    for at in 0..field("length of distances", 8) {
        field(&format!("distances[{at}].plies"), 4);
        field(&format!("distances[{at}].won"), 8);
        field(&format!("distances[{at}].lost"), 8);
    }
    for at in 0..field("length of remembered", 8) {
        for part in ["key", "text"] {
            let length = field(&format!("length of remembered[{at}].{part}"), 8);
            field(&format!("remembered[{at}].{part}"), length as usize);
        }
    }
    for at in 0..field("length of palette", 8) {
        field(&format!("palette[{at}]"), 2);
    }
    field("filled", 1);
    field("block_values", 8);
    field("block_states", 8);
    assert_eq!(at, header.len());
    fields
}

/// Numbers to replace another one.
fn forgeries(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let number = bytes.iter().rev().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    let flips = (0..8 * bytes.len().min(8)).step_by(3).map(|bit| number ^ 1 << bit);
    let near =
        [number.wrapping_add(1), number.wrapping_sub(1), 2 * number, number / 2, 0, u64::MAX];
    let numbers = near.into_iter().chain(flips);
    let forged = numbers.map(|number| number.to_le_bytes()[..bytes.len()].to_vec());
    forged.filter(|forged| forged != bytes).collect()
}

/// Forges each field of a header. Returns the names of the fields with a forgery that passes.
fn passing(intact: &Parts, verify: impl Fn(Vec<u8>) -> Result<(), TableError>) -> BTreeSet<String> {
    verify(intact.to_file()).unwrap();
    let mut passing = BTreeSet::new();
    for (name, place) in fields(intact) {
        let forgeries = match name.as_str() {
            name if ["game", "parameters"].contains(&name) || name.ends_with("].text") => {
                [b"x".repeat(place.len())].into()
            }
            _ => forgeries(&intact.header[place.clone()]),
        };
        assert!(!forgeries.is_empty(), "{name}");
        for forged in forgeries {
            let mut parts = intact.clone();
            parts.header[place.clone()].copy_from_slice(&forged);
            if verify(parts.to_file()).is_ok() {
                passing.insert(name.clone());
            }
        }
    }
    passing
}

/// Changes the figures by distance: plies, wins and losses.
type Change<'c> = &'c dyn Fn(&mut Vec<(u32, u64, u64)>);

/// The file with other figures by distance in its header.
fn with_distances(intact: &Parts, change: Change<'_>) -> Vec<u8> {
    let (start, end) = (intact.distances_at(), intact.remembered_at());
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let distances = intact.header[start + 8..end].chunks(20);
    let mut distances: Vec<_> = distances
        .map(|at| (number(&at[..4]) as u32, number(&at[4..12]), number(&at[12..])))
        .collect();
    change(&mut distances);
    let mut record = (distances.len() as u64).to_le_bytes().to_vec();
    for (plies, won, lost) in distances {
        record.extend(plies.to_le_bytes());
        record.extend([won, lost].iter().flat_map(|figure| figure.to_le_bytes()));
    }
    let mut parts = intact.clone();
    parts.header.splice(start..end, record);
    parts.to_file()
}

/// Whether the field describes how values are stored. A forgery that still gives the right values
/// is right: blocks of outcomes need no palette.
fn is_format(name: &str) -> bool {
    name.starts_with("palette") || ["filled", "block_values", "block_states"].contains(&name)
}

#[test]
fn no_field_of_the_header_of_outcomes_can_be_forged_alone() {
    for (trial, memory) in some(&[u64::MAX, 0], 0).into_iter().enumerate() {
        let game = Small::<u32>::new(Lie::None);
        let verify = |bytes| verified(&Table::from_bytes(bytes)?.memory(memory), &game);
        let dense = &outcomes(&Solver::new(&game).solve().unwrap());
        let explored = &outcomes(&Solver::new(&game).solve_as::<scheme::Hashed>().unwrap());
        for parts in some(&[dense, explored], trial) {
            let passing = passing(parts, verify);
            assert!(passing.iter().all(|name| is_format(name)), "{passing:?}");
        }
        let game = Tree::<u32>::new(if kit::ALL_CASES { 1_000 } else { few(60, 300) });
        let verify = |bytes| verified(&Table::from_bytes(bytes)?.memory(memory), &game);
        let passing = passing(&outcomes(&Solver::new(&game).solve().unwrap()), verify);
        assert!(passing.iter().all(|name| is_format(name)), "{passing:?}");
    }
}

#[test]
fn the_sums_of_the_distances_of_outcomes_are_compared() {
    let game = Small::<u32>::new(Lie::None);
    let intact = outcomes(&Solver::new(&game).solve().unwrap());
    let known = [(0, 1, 1), (1, 2, 0), (2, 1, 2), (3, 1, 0)];
    let verify = |change: Change<'_>| {
        let file = with_distances(&intact, change);
        let [much, little] = [u64::MAX, 0].map(|memory| {
            verified(&Table::from_bytes(file.clone()).unwrap().memory(memory), &game)
        });
        assert_eq!(format!("{much:?}"), format!("{little:?}"));
        much
    };
    verify(&|distances| assert_eq!(distances[..], known)).unwrap();
    let refused: [(&str, Change<'_>); 8] = [
        ("a win more", &|distances| distances[2].1 += 1),
        ("a loss less", &|distances| distances[2].2 -= 1),
        ("no distances", &|distances| distances.clear()),
        ("one left out", &|distances| {
            distances.remove(1);
        }),
        ("one without states", &|distances| distances.push((4, 0, 0))),
        ("a gap", &|distances| distances[3].0 = 300),
        ("the end of play later", &|distances| {
            distances[0].1 -= 1;
            distances[1].1 += 1;
        }),
        ("a sum that overflows", &|distances| {
            distances[1].1 = u64::MAX;
            distances[2].1 = 5;
        }),
    ];
    for (what, change) in refused {
        let error = verify(change).expect_err(what);
        assert!(matches!(error, TableError::WrongSummary), "{what}: {error}");
    }
    // Outcomes do not show this change, as the documentation says.
    verify(&|distances| {
        distances[1].1 -= 1;
        distances[2].1 += 1;
    })
    .unwrap();
    verify(&|distances| distances.push((4, 0, 0))).unwrap_err();
    verify(&|distances| {
        distances[2].2 -= 1;
        distances.push((4, 0, 1));
    })
    .unwrap();
}

#[test]
fn distances_that_no_game_has_are_refused_when_the_file_is_opened() {
    let intact = outcomes(&Solver::new(&Small::<u32>::new(Lie::None)).solve().unwrap());
    let refused: [(&str, Change<'_>); 4] = [
        ("do not ascend", &|distances| distances.swap(1, 2)),
        ("do not ascend", &|distances| distances.push(distances[3])),
        ("16384 plies from the end, 16383 at most", &|distances| distances.push((16_384, 1, 0))),
        ("199999 plies from the end, 16383 at most", &|distances| {
            distances.extend((4..200_000).map(|plies| (plies, 1, 1)));
        }),
    ];
    for (says, change) in refused {
        let error = Table::from_bytes(with_distances(&intact, change)).unwrap_err();
        assert!(matches!(error, TableError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    Table::from_bytes(with_distances(&intact, &|all| all.push((16_383, 1, 0)))).unwrap();
}
