//! Files with right checksums and misplaced parts: no part may share its bytes with another.

use std::cell::Cell;

use retrograde::error::QueryError;
use retrograde::table::InMemory;
use retrograde::{Solver, Table, TableError};

use crate::games::{Lie, Small, Tree};
use crate::layout::{Frame, Parts, Section, pairs, put};
use crate::{dense, explored, plain, saved, verified, verify_small};

const NODES: u32 = 1_000;

/// Forges a part.
type Change<'c, T> = &'c dyn Fn(&mut T);

fn open(bytes: Vec<u8>) -> Result<Table<InMemory<Vec<u8>>>, TableError> {
    Table::from_bytes(bytes)
}

/// The tree's table in blocks of two values, so that its directory has two pages.
fn in_small_blocks() -> Parts {
    let game = Tree::<u32>::new(NODES);
    let file = saved(|path| plain(Solver::new(&game).solve().unwrap(), path));
    let mut parts = Parts::of(&file);
    let at = parts.header.len() - 16;
    parts.header[at..at + 8].copy_from_slice(&2_u64.to_le_bytes());
    parts.values = parts.packed().chunks(2).map(pairs).collect();
    parts
}

fn assert_overlap(error: &TableError, what: &str) {
    assert!(matches!(error, TableError::Malformed { .. }), "{what}: {error}");
    assert!(error.to_string().contains("overlap"), "{what}: {error}");
}

#[test]
fn blocks_that_overlap_or_are_out_of_order_are_refused() {
    let game = Tree::<u32>::new(NODES);
    let intact = in_small_blocks();
    assert_eq!(intact.values.len(), 500);
    let table = open(intact.to_file()).unwrap();
    verified(&table, &game).unwrap();
    assert_eq!(table.verify_checksums().unwrap(), intact.to_file().len() as u64);
    // Which block it is, and how the directory is changed.
    let changes: [(u32, &str, Change<'_, [Section]>); 8] = [
        (5, "a block listed twice", &|all| all[5] = all[4]),
        (5, "two blocks the wrong way round", &|all| all.swap(5, 6)),
        (5, "a block that begins in another", &|all| all[5].offset -= 1),
        (4, "a block that ends in another", &|all| all[4].length += 1),
        (256, "the first block in the second page too", &|all| all[256] = all[0]),
        (256, "a block that begins in one of the page before", &|all| all[256].offset -= 1),
        (499, "a block that ends in the directory", &|all| all[499].length += 1),
        (0, "a block that is the header", &|all| all[0].offset = 92),
    ];
    for (block, what, change) in changes {
        let table = open(intact.to_file_with(change, |_| {})).unwrap();
        assert_overlap(&table.verify_checksums().unwrap_err(), what);
        assert_overlap(&verified(&table, &game).unwrap_err(), what);
        let error = table.prober(game.clone()).unwrap().value(&(2 * block)).unwrap_err();
        let QueryError::Table(error) = error else { panic!("{what}: {error}") };
        assert_overlap(&error, what);
    }
}

#[test]
fn one_block_is_not_read_as_many() {
    // Zeros stand for unused indices.
    let zeros = zstd::bulk::compress(&vec![0; 1 << 25], 3).unwrap();
    let block = [&[2], &zeros[..]].concat();
    let mut parts = Parts::of(&dense(Lie::None));
    let at = parts.header.len() - 16;
    parts.header[at..at + 8].copy_from_slice(&(1_u64 << 24).to_le_bytes());
    parts.set_len(3_000 << 24);
    parts.values = vec![Vec::new(); 2_999];
    parts.values.insert(0, block);
    let file = parts.to_file_with(|all| all.fill(all[0]), |_| {});
    assert!(file.len() < 100_000);
    assert_overlap(&open(file).unwrap().verify_checksums().unwrap_err(), "3,000 times");
}

#[test]
fn parts_of_the_frame_that_overlap_are_refused() {
    let file = explored::<u32>(Lie::None);
    let (parts, intact) = (Parts::of(&file), Frame::of(&file));
    let changes: [(&str, Change<'_, Frame>); 7] = [
        ("a header that is the dictionary", &|frame| frame.dictionary = frame.header),
        ("values in the header", &|frame| frame.values = 93),
        ("values in the frame", &|frame| frame.values = 20),
        ("states in the header", &|frame| frame.states = 93),
        ("one directory for both", &|frame| frame.states = frame.values),
        ("directories that overlap", &|frame| frame.states = frame.values + 8),
        ("a dictionary in the directory", &|frame| {
            frame.dictionary = Section { offset: frame.values, length: 8, checksum: 0 };
        }),
    ];
    for (what, change) in changes {
        assert_overlap(&open(parts.to_file_with(|_| {}, change)).unwrap_err(), what);
    }
    assert_eq!(Frame::of(&parts.to_file()), intact);
}

#[test]
fn states_are_not_read_where_something_else_is() {
    let file = explored::<u32>(Lie::None);
    let (parts, frame) = (Parts::of(&file), Frame::of(&file));
    let game = Small::<u32>::new(Lie::None);
    // The directory of the values is written first, and the directory of the states follows.
    let refused = |what: &str, forge: &dyn Fn(Section, &mut Section)| {
        let values = Cell::new(None);
        let change = |all: &mut [Section]| match values.get() {
            None => values.set(Some(all[0])),
            Some(values) => forge(values, &mut all[0]),
        };
        let file = parts.to_file_with(change, |_| {});
        assert_overlap(&verify_small::<u32>(file.clone()).unwrap_err(), what);
        let table = open(file).unwrap();
        assert_overlap(&table.verify_checksums().unwrap_err(), what);
        let prober = table.prober(game.clone()).unwrap();
        for _ in 0..2 {
            let QueryError::Table(error) = prober.value(&5).unwrap_err() else { panic!("{what}") };
            assert_overlap(&error, what);
        }
    };
    refused("the block of values", &|values, states| *states = values);
    refused("the page of the values' directory", &|_, states| states.offset = frame.values);
    refused("the page of the states' directory", &|_, states| states.offset = frame.states);
}

#[test]
fn parameters_that_become_long_in_memory_are_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let at = 1 + 8 + "small".len();
    let length = u64::from_le_bytes(intact.header[at..at + 8].try_into().unwrap()) as usize;
    let with = |parameters: &str| {
        let mut field = Vec::new();
        put(&mut field, parameters.len() as u64);
        field.extend(parameters.as_bytes());
        let mut parts = intact.clone();
        parts.header.splice(at..at + 8 + length, field);
        open(parts.to_file())
    };
    with(r#"{"nodes":14}"#).unwrap();
    for lists in ["[]", "{}", "[[]]"] {
        let text = format!("[{}0]", format!("{lists},").repeat(1 << 20));
        let error = with(&text).unwrap_err();
        assert!(matches!(error, TableError::Malformed { .. }), "{error}");
        let says = error.to_string();
        assert!(
            says.contains("parameters have") && says.contains("lists, where 1048576"),
            "{says}"
        );
    }
    with(&format!("{{\"text\":\"{}\"}}", "[],".repeat(1 << 20))).unwrap();
}
