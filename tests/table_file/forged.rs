//! Files that no writer of ours makes: their checksums are right, their contents absurd.

use retrograde::{Query, QueryError, TableError, Tablebase};

use crate::games::{Lie, Name, Small};
use crate::layout::{
    Frame, Parts, Section, States, VALUES_AT, even_states, put, put_bytes, uneven_states, values,
};
use crate::{MEMORY, dense, explored, verify_dense, verify_explored};

/// More than everything in these tests takes together, and less than any of the forged lengths.
const MUCH_MEMORY: usize = 100 << 20;

/// Lengths that have to be refused before they are believed.
const ABSURD: [u64; 7] =
    [1 << 28, (1 << 29) - 100, 1 << 29, 1 << 32, 1 << 40, u64::MAX - 7, u64::MAX];

fn open(bytes: Vec<u8>) -> Result<Tablebase<Vec<u8>>, TableError> {
    Tablebase::from_storage(bytes)
}

/// Expects a part with the right checksum to be refused, without much memory being asked for.
fn assert_malformed(result: Result<(), TableError>, what: &str) {
    match result {
        Err(TableError::Malformed { .. }) => {}
        Err(error) => panic!("{what}: {error}"),
        Ok(()) => panic!("{what} passes"),
    }
    let peak = MEMORY.peak_usage();
    assert!(peak < MUCH_MEMORY, "{what}: {peak} bytes of memory");
}

/// Expects the table to be refused: on opening, or else by every probe among the `states`, and by
/// the check of the whole table.
fn assert_dense_refused(file: Vec<u8>, what: &str) {
    assert_malformed(verify_dense(file.clone()), what);
    let game = Small::<u32>::new(Lie::None);
    let Ok(table) = open(file) else { return };
    let Ok(prober) = table.dense(&game) else { return };
    assert_table_error(prober.value(&5), what);
}

fn assert_explored_refused<S: Name>(file: Vec<u8>, what: &str) {
    assert_malformed(verify_explored::<S>(file.clone()), what);
    let game = Small::<S>::new(Lie::None);
    let Ok(table) = open(file) else { return };
    let prober = table.explored(&game).unwrap();
    for state in game.states() {
        // A search need not meet what is wrong; where it does, it says so.
        if let Err(error) = prober.value(&state) {
            assert!(!matches!(error, QueryError::Table(TableError::Io { .. })), "{what}: {error}");
        }
    }
    let peak = MEMORY.peak_usage();
    assert!(peak < MUCH_MEMORY, "{what}: {peak} bytes of memory");
}

fn assert_table_error<T: std::fmt::Debug>(result: Result<T, QueryError>, what: &str) {
    match result {
        Err(QueryError::Table(TableError::Malformed { .. })) => {}
        other => panic!("{what}: {other:?}"),
    }
}

fn with_frame(change: impl FnOnce(&mut Frame)) -> Vec<u8> {
    Parts::of(&dense(Lie::None)).to_file_with(|_| {}, change)
}

#[test]
fn a_file_length_that_is_not_the_files_is_refused() {
    let length = dense(Lie::None).len() as u64;
    for absurd in ABSURD.into_iter().chain([length + 1]) {
        let error = open(with_frame(|frame| frame.file_length = absurd)).unwrap_err();
        assert!(matches!(error, TableError::Truncated { expected, .. } if expected == absurd));
    }
    for small in [0, 75, length - 1] {
        let error = open(with_frame(|frame| frame.file_length = small)).unwrap_err();
        assert!(matches!(error, TableError::Overlong { expected, .. } if expected == small));
    }
}

#[test]
fn a_version_that_never_was_is_refused() {
    assert_malformed(open(with_frame(|frame| frame.version = 0)).map(|_| ()), "version 0");
}

#[test]
fn sections_outside_the_file_are_refused() {
    let length = dense(Lie::None).len() as u64;
    for absurd in ABSURD.into_iter().chain([length + 1]) {
        for (offset, length) in [(76, absurd), (absurd, 1), (absurd, absurd), (absurd, 0)] {
            let section = Section { offset, length, checksum: 0 };
            let what = format!("a section of {length} bytes at {offset}");
            let header = with_frame(|frame| frame.header = section);
            assert_malformed(open(header).map(|_| ()), &what);
            let directory = with_frame(|frame| frame.directory = section);
            assert_malformed(open(directory).map(|_| ()), &what);
        }
    }
}

#[test]
fn sections_that_are_too_short_or_too_long_for_their_record_are_refused() {
    let file = dense(Lie::None);
    let header = Parts::of(&file).header.len();
    for length in (0..header).chain([header + 1]) {
        let section = Section::of(76, &file[76..76 + length]);
        let what = format!("a header of {length} bytes");
        assert_malformed(open(with_frame(|frame| frame.header = section)).map(|_| ()), &what);
    }
    let directory = 8 + 24 + 8;
    let at = file.len() - directory;
    for offset in (at - 1..file.len()).filter(|&offset| offset != at) {
        let section = Section::of(offset as u64, &file[offset..]);
        let what = format!("a directory at {offset} instead of {at}");
        assert_malformed(open(with_frame(|frame| frame.directory = section)).map(|_| ()), &what);
    }
}

#[test]
fn absurd_lengths_within_the_header_are_refused() {
    let intact = Parts::of(&dense(Lie::None));
    // The length of the name, that of the parameters, and how many distances there are.
    let distances_at = intact.len_at() + 8 + 5 + 2 * 5 * 8;
    for at in [0, 8 + "small".len(), distances_at] {
        for absurd in ABSURD {
            let mut parts = intact.clone();
            parts.header[at..at + 8].copy_from_slice(&absurd.to_le_bytes());
            let what = format!("{absurd} at {at} of the header");
            assert_malformed(open(parts.to_file()).map(|_| ()), &what);
        }
    }
}

#[test]
fn an_absurd_number_of_states_is_refused() {
    for absurd in ABSURD.into_iter().chain([0, 13, 15, 16_384, 16_385]) {
        let what = format!("{absurd} states");
        let mut parts = Parts::of(&dense(Lie::None));
        parts.set_len(absurd);
        assert_dense_refused(parts.to_file(), &what);
        if absurd != 13 {
            let mut parts = Parts::of(&explored::<String>(Lie::None));
            parts.set_len(absurd);
            assert_explored_refused::<String>(parts.to_file(), &what);
        }
    }
}

#[test]
fn nonsense_in_the_header_is_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let (numbering, endless, limit) =
        (intact.len_at() - 4, intact.len_at() + 8, intact.len_at() + 12);
    // No UTF-8, and numbers of variants that there are not.
    for (at, byte) in [(8, 0xFF), (numbering, 2), (endless, 2), (limit, 2)] {
        let mut parts = intact.clone();
        parts.header[at] = byte;
        let what = format!("{byte} at {at} of the header");
        assert_malformed(open(parts.to_file()).map(|_| ()), &what);
    }
}

#[test]
fn a_directory_of_absurd_length_is_refused() {
    for absurd in ABSURD.into_iter().chain([0, 2, 3]) {
        for count_at in [0, 8 + 24] {
            let count = |directory: &mut Vec<u8>| {
                directory[count_at..count_at + 8].copy_from_slice(&absurd.to_le_bytes());
            };
            if count_at > 0 && absurd == 0 {
                continue;
            }
            let what = format!("{absurd} blocks");
            let dense = Parts::of(&dense(Lie::None)).to_file_with(count, |_| {});
            assert_malformed(open(dense).map(|_| ()), &what);
            let explored = Parts::of(&explored::<u32>(Lie::None)).to_file_with(count, |_| {});
            assert_malformed(open(explored).map(|_| ()), &what);
        }
        if absurd != 2 {
            // The length of the first state of the first block, which is 4 bytes or "0".
            let length_at = 8 + 24 + 8 + 24;
            let length = |directory: &mut Vec<u8>| {
                directory[length_at..length_at + 8].copy_from_slice(&absurd.to_le_bytes());
            };
            let what = format!("a first state of {absurd} bytes");
            let file = Parts::of(&explored::<u32>(Lie::None)).to_file_with(length, |_| {});
            assert_malformed(open(file).map(|_| ()), &what);
        }
    }
}

#[test]
fn blocks_outside_the_file_are_refused() {
    for absurd in ABSURD {
        for (offset, length) in [(76, absurd), (absurd, 60), (absurd, absurd)] {
            let section = |directory: &mut Vec<u8>| {
                directory[8..16].copy_from_slice(&offset.to_le_bytes());
                directory[16..24].copy_from_slice(&length.to_le_bytes());
            };
            let what = format!("a block of {length} bytes at {offset}");
            let file = Parts::of(&dense(Lie::None)).to_file_with(section, |_| {});
            assert_dense_refused(file, &what);
            let file = Parts::of(&explored::<String>(Lie::None)).to_file_with(section, |_| {});
            assert_explored_refused::<String>(file, &what);
        }
    }
}

/// A block of values by their places in a list, in this layout: 1, or 3 where they are compressed.
fn listed(layout: u32, list: &[u16], places: &[u8]) -> Vec<u8> {
    let mut block = 0_u64.to_le_bytes().to_vec();
    block.extend(layout.to_le_bytes());
    put(&mut block, list.len() as u64);
    list.iter().for_each(|value| block.extend(value.to_le_bytes()));
    put_bytes(&mut block, places);
    block
}

#[test]
fn a_block_of_values_that_is_not_the_one_wanted_is_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let packed = intact.values[0][VALUES_AT..].to_vec();
    let mut blocks = vec![
        (values(1, &packed), "values from 1 on"),
        (values(u64::MAX, &packed), "values from the last number on"),
        (values(0, &packed[..26]), "too few values"),
        (values(0, &packed[..27]), "half a value"),
        (values(0, &[&packed[..], &[0, 0]].concat()), "too many values"),
        (values(0, &[]), "no values"),
        (Vec::new(), "an empty block"),
        ([&values(0, &packed)[..], &[0]].concat(), "something behind the values"),
        (listed(4, &[], &[0; 14]), "a layout that there is not"),
        (listed(1, &[], &[0; 14]), "values that are not in the list"),
        (listed(1, &[1], &[0; 13]), "too few places"),
        (listed(3, &[1], &[0; 14]), "compressed places that are none"),
        (listed(3, &[1], &zstd::bulk::compress(&[0; 1 << 20], 3).unwrap()), "many more places"),
        (listed(3, &[1], &zstd::bulk::compress(&[0; 13], 3).unwrap()), "one place too few"),
    ];
    for absurd in ABSURD {
        let mut block = values(0, &packed);
        block[12..20].copy_from_slice(&absurd.to_le_bytes());
        blocks.push((block, "an absurd length of the values"));
        let mut block = listed(1, &[1, 2, 3], &[0; 14]);
        block[12..20].copy_from_slice(&absurd.to_le_bytes());
        blocks.push((block, "an absurd length of the list"));
    }
    for (block, what) in blocks {
        let parts = Parts { values: vec![block], ..intact.clone() };
        assert_dense_refused(parts.to_file(), what);
    }
}

/// The file of an explored table with another block of states.
fn with_states<S: Name>(block: Vec<u8>) -> Vec<u8> {
    let intact = Parts::of(&explored::<S>(Lie::None));
    let first = intact.states[0].first.clone();
    Parts { states: vec![States { block, first }], ..intact }.to_file()
}

#[test]
fn a_block_of_states_of_even_width_that_makes_no_sense_is_refused() {
    let states: Vec<u8> =
        Small::<u32>::new(Lie::None).states().into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(with_states::<u32>(even_states(0, 4, &states)), explored::<u32>(Lie::None));
    for (first, width) in
        [(1, 4), (u64::MAX, 4), (0, 0), (0, 1), (0, 3), (0, 5), (0, 8), (0, 52), (0, u32::MAX)]
    {
        let what = format!("states of {width} bytes from {first} on");
        assert_explored_refused::<u32>(
            with_states::<u32>(even_states(first, width, &states)),
            &what,
        );
    }
    let doubled = [&states[..4], &states[..48]].concat();
    let swapped = [&states[4..8], &states[..4], &states[8..]].concat();
    for (states, what) in [
        (&states[..48], "a state less"),
        (&[&states[..], &[0; 4]].concat(), "a state more"),
        (&doubled, "a state twice"),
        (&swapped, "states that are not sorted"),
    ] {
        assert_explored_refused::<u32>(with_states::<u32>(even_states(0, 4, states)), what);
    }
}

#[test]
fn a_block_of_states_of_uneven_width_that_makes_no_sense_is_refused() {
    let (mut ends, mut states) = (Vec::new(), Vec::new());
    for state in Small::<String>::new(Lie::None).states() {
        put(&mut states, state.len() as u64);
        states.extend(state.as_bytes());
        ends.push(states.len() as u32);
    }
    let intact = uneven_states(0, &ends, &states);
    assert_eq!(with_states::<String>(intact.clone()), explored::<String>(Lie::None));

    let with_end = |at: usize, end: u32| {
        let mut ends = ends.clone();
        ends[at] = end;
        uneven_states(0, &ends, &states)
    };
    let with_bytes = |at: usize, bytes: &[u8]| {
        let mut block = intact.clone();
        block[at..at + bytes.len()].copy_from_slice(bytes);
        block
    };
    let states_at = intact.len() - states.len();
    let mut blocks = vec![
        (uneven_states(5, &ends, &states), "states from 5 on"),
        (uneven_states(0, &ends[..12], &states), "a state less"),
        (uneven_states(0, &[&ends[..], &ends[12..]].concat(), &states), "a state more"),
        (with_end(0, 0), "an end before its state"),
        (with_end(3, 5), "an end before the beginning"),
        (with_end(12, u32::MAX), "an end outside the block"),
        (with_end(5, u32::MAX), "a beginning outside the block"),
        (with_bytes(8, &2_u32.to_le_bytes()), "a third layout"),
        (with_bytes(states_at + 8, b"\xFF"), "a state that is no text"),
    ];
    for absurd in ABSURD {
        let absurd = absurd.to_le_bytes();
        blocks.push((with_bytes(12, &absurd), "an absurd number of ends"));
        blocks.push((with_bytes(states_at - 8, &absurd), "an absurd length of the states"));
        blocks.push((with_bytes(states_at, &absurd), "an absurd length of one state"));
    }
    for (block, what) in blocks {
        assert_explored_refused::<String>(with_states::<String>(block), what);
    }
}

#[test]
fn a_directory_with_a_wrong_first_state_is_refused() {
    for first in [1_u32, 7, 1000] {
        let mut parts = Parts::of(&explored::<u32>(Lie::None));
        assert_eq!(parts.states[0].first, 0_u32.to_le_bytes());
        parts.states[0].first = first.to_le_bytes().to_vec();
        let what = format!("{first} for the first state");
        assert_explored_refused::<u32>(parts.to_file(), &what);
    }
    for bytes in [&[][..], &[0; 3], &[0; 5]] {
        let mut parts = Parts::of(&explored::<u32>(Lie::None));
        parts.states[0].first = bytes.to_vec();
        let file = parts.to_file();
        assert_explored_refused::<u32>(file.clone(), "a first state of another width");
        let game = Small::<u32>::new(Lie::None);
        let table = open(file).unwrap();
        assert_table_error(table.explored(&game).unwrap().value(&0), "it");
    }
}
