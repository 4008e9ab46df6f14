//! Files that the library never writes: their checksums are right, and their contents absurd.

use retrograde::error::QueryError;
use retrograde::table::InMemory;
use retrograde::{Solver, Table, TableError, scheme};

use crate::games::{Lie, Name, Small, Tree};
use crate::layout::{FRAME_BYTES, Frame, Parts, Section, even_states, pairs, put, uneven_states};
use crate::{MEMORY, dense, explored, plain, saved, verify_small};

/// More memory than these tests take together, and less than any of the forged lengths.
const MUCH_MEMORY: usize = 200 << 20;

/// Lengths that must be refused before memory is allocated for them.
const ABSURD: [u64; 7] =
    [1 << 28, (1 << 29) - 100, 1 << 29, 1 << 32, 1 << 40, u64::MAX - 7, u64::MAX];

fn open(bytes: Vec<u8>) -> Result<Table<InMemory<Vec<u8>>>, TableError> {
    Table::from_bytes(bytes)
}

/// Expects a part with the right checksum to be refused without much memory.
fn assert_malformed(result: Result<(), TableError>, what: &str) {
    match result {
        Err(TableError::Malformed { .. }) => {}
        Err(error) => panic!("{what}: {error}"),
        Ok(()) => panic!("{what} passes"),
    }
    let peak = MEMORY.peak_usage();
    assert!(peak < MUCH_MEMORY, "{what}: {peak} bytes of memory");
}

/// Expects the check of a dense table to refuse it, and also a probe if the table can be opened.
fn assert_dense_refused(file: Vec<u8>, what: &str) {
    assert_malformed(verify_small::<u32>(file.clone()), what);
    let game = Small::<u32>::new(Lie::None);
    let Ok(table) = open(file) else { return };
    let Ok(prober) = table.prober(game.clone()) else { return };
    assert_table_error(prober.value(&5), what);
}

fn assert_explored_refused<S: Name>(file: Vec<u8>, what: &str) {
    assert_malformed(verify_small::<S>(file.clone()), what);
    let game = Small::<S>::new(Lie::None);
    let Ok(table) = open(file) else { return };
    let prober = table.prober(game.clone()).unwrap();
    for state in game.states() {
        // A search may miss the fault. If it meets the fault, it returns an error.
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
    for small in [0, 91, length - 1] {
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
        for (offset, length) in [(92, absurd), (absurd, 1), (absurd, absurd), (absurd, 0)] {
            let section = Section { offset, length, checksum: 0 };
            let what = format!("a section of {length} bytes at {offset}");
            let header = with_frame(|frame| frame.header = section);
            assert_malformed(open(header).map(|_| ()), &what);
            let dictionary = with_frame(|frame| frame.dictionary = section);
            assert_malformed(verify_small::<u32>(dictionary), &what);
        }
        let what = format!("a directory at {absurd}");
        let directory = with_frame(|frame| frame.values = absurd);
        assert_malformed(open(directory).map(|_| ()), &what);
        let explored = Parts::of(&explored::<u32>(Lie::None));
        let absurd = absurd.max(explored.to_file().len() as u64);
        let directory = explored.to_file_with(|_| {}, |frame| frame.states = absurd);
        assert_malformed(open(directory).map(|_| ()), &what);
    }
}

#[test]
fn a_directory_of_states_without_states_is_refused() {
    let length = dense(Lie::None).len() as u64;
    for offset in ABSURD.into_iter().chain([1, 92, length - 1, length, length + 1]) {
        let file = with_frame(|frame| frame.states = offset);
        assert_malformed(open(file).map(|_| ()), &format!("a directory at {offset}"));
    }
}

#[test]
fn outcomes_that_have_distances_are_refused() {
    let mut parts = Parts::of(&dense(Lie::None));
    let (outcomes_only, format) = (parts.tallies_at() - 1, parts.format_at());
    parts.header[outcomes_only] = 1;
    assert_malformed(open(parts.to_file()).map(|_| ()), "a palette with distances");
    // Without a palette, the values themselves have the distances.
    let (packed, palette) = (parts.packed(), parts.palette());
    parts.header.drain(format + 8..format + 8 + 2 * palette.len());
    parts.header[format..format + 8].fill(0);
    parts.values = vec![pairs(&packed)];
    let table = open(parts.to_file()).unwrap();
    assert!(table.has_outcomes_only());
    assert_malformed(table.verify_checksums().map(|_| ()), "values with distances");
    let game = Small::<u32>::new(Lie::None);
    let probed = table.prober(game.clone()).unwrap().verdict(&5);
    assert!(matches!(probed, Err(QueryError::Table(TableError::Malformed { .. }))), "{probed:?}");
    let without = |&value: &u16| if value < 1 << 14 { value } else { value & 0xC000 };
    parts.values = vec![pairs(&packed.iter().map(without).collect::<Vec<u16>>())];
    verify_small::<u32>(parts.to_file()).unwrap();
}

#[test]
fn a_header_that_is_too_short_or_too_long_for_its_record_is_refused() {
    let file = dense(Lie::None);
    let header = Parts::of(&file).header.len();
    for length in (0..header).step_by(kit::few(7, 1)).chain([header + 1]) {
        let section = Section::of(92, &file[FRAME_BYTES..FRAME_BYTES + length]);
        let what = format!("a header of {length} bytes");
        assert_malformed(open(with_frame(|frame| frame.header = section)).map(|_| ()), &what);
    }
}

#[test]
fn a_directory_that_begins_elsewhere_is_refused() {
    let file = dense(Lie::None);
    let at = Frame::of(&file).values;
    for offset in (0..at + 1).step_by(kit::few(7, 1)).filter(|&offset| offset != at) {
        let error = verify_small::<u32>(with_frame(|frame| frame.values = offset)).unwrap_err();
        // If no other part is at that place, only the checksum is wrong.
        let overlaps = matches!(error, TableError::Malformed { .. });
        let expected = if offset < at { overlaps } else { !overlaps };
        assert!(expected || matches!(error, TableError::Damaged { .. }), "{offset}: {error}");
    }
}

#[test]
fn a_header_that_unpacks_to_nonsense_or_without_end_is_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let bomb = zstd::bulk::compress(&vec![0; 32 << 20], 3).unwrap();
    assert!(bomb.len() < 10_000);
    for header in [vec![], vec![0], vec![1], vec![2, 1], vec![1, 7, 7], [vec![1], bomb].concat()] {
        let what = format!("{} bytes", header.len());
        let file = Parts { header, ..intact.clone() };
        let section = |frame: &mut Frame| frame.values = frame.file_length - 32;
        assert_malformed(open(file.to_file_with(|_| {}, section)).map(|_| ()), &what);
    }
}

#[test]
fn a_format_of_blocks_that_cannot_be_is_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let palette = intact.format_at();
    let sizes = intact.header.len() - 16;
    for absurd in ABSURD.into_iter().chain([0, 1, 3, 65_535]) {
        for at in [palette, sizes, sizes + 8] {
            let mut parts = intact.clone();
            parts.header[at..at + 8].copy_from_slice(&absurd.to_le_bytes());
            let what = format!("{absurd} at {at} of the header");
            assert_malformed(open(parts.to_file()).map(|_| ()), &what);
        }
    }
    // Two values in the wrong order.
    let mut parts = intact;
    parts.header[palette + 8..palette + 12].copy_from_slice(&[1, 0, 0, 0]);
    assert_malformed(open(parts.to_file()).map(|_| ()), "a palette that does not ascend");
}

#[test]
fn absurd_lengths_within_the_header_are_refused() {
    let intact = Parts::of(&dense(Lie::None));
    // The lengths of the name and of the parameters, and the number of distances.
    for at in [1, 9 + "small".len(), intact.distances_at()] {
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
    for absurd in ABSURD.into_iter().chain([0, 13, 15, 65_536, 65_537]) {
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
    // Bytes that are not UTF-8, and numbers of variants that do not exist.
    for (at, byte) in [(9, 0xFF), (numbering, 9), (endless, 2), (limit, 2)] {
        let mut parts = intact.clone();
        parts.header[at] = byte;
        let what = format!("{byte} at {at} of the header");
        assert_malformed(open(parts.to_file()).map(|_| ()), &what);
    }
}

#[test]
fn blocks_outside_the_file_are_refused() {
    for absurd in ABSURD {
        for (offset, length) in [(92, absurd), (absurd, 60), (absurd, absurd)] {
            let section = |sections: &mut [Section]| {
                (sections[0].offset, sections[0].length) = (offset, length);
            };
            let what = format!("a block of {length} bytes at {offset}");
            let file = Parts::of(&dense(Lie::None)).to_file_with(section, |_| {});
            assert_dense_refused(file, &what);
            let file = Parts::of(&explored::<String>(Lie::None)).to_file_with(section, |_| {});
            assert_explored_refused::<String>(file, &what);
        }
    }
}

#[test]
fn a_block_of_values_that_is_not_the_one_wanted_is_refused() {
    let intact = Parts::of(&dense(Lie::None));
    let packed = intact.packed();
    let codes = intact.values[0].clone();
    let plain = pairs(&packed);
    let compressed = |layout: u8, bytes: &[u8]| {
        [&[layout], &zstd::bulk::compress(bytes, 3).unwrap()[..]].concat()
    };
    for (block, what) in [
        (pairs(&packed[..13]), "too few values"),
        (plain[..28].to_vec(), "half a value"),
        (pairs(&[&packed[..], &[0]].concat()), "too many values"),
        (vec![0], "no values"),
        (Vec::new(), "an empty block"),
        (vec![7; 15], "a layout that there is not"),
        (codes[..14].to_vec(), "too few places"),
        ([&codes[..], &[0]].concat(), "too many places"),
        (vec![255; 15], "a layout that there never was"),
        ([&[1], &[12; 14][..]].concat(), "places that the palette does not have"),
        (vec![3; 15], "compressed places that are none"),
        (compressed(3, &[0; 1 << 20]), "many more places"),
        (compressed(3, &[0; 13]), "one place too few"),
        (compressed(2, &[0; 27]), "one byte too few"),
        (compressed(4, &[0; 14]), "a dictionary that there is not"),
        (compressed(5, &[0; 3]), "too few outcomes"),
        (compressed(6, &[0xff; 40]), "distances that are too great"),
    ] {
        let parts = Parts { values: vec![block], ..intact.clone() };
        assert_dense_refused(parts.to_file(), what);
    }
}

#[test]
fn a_dictionary_that_is_none_is_refused() {
    for dictionary in [vec![], vec![1, 2, 3], zstd::bulk::compress(&vec![1; 5 << 20], 3).unwrap()] {
        let parts = Parts { dictionary: Some(dictionary), ..Parts::of(&dense(Lie::None)) };
        assert_dense_refused(parts.to_file(), "a dictionary that is none");
    }
}

/// The file of an explored table with another block of states.
fn with_states<S: Name>(block: Vec<u8>) -> Vec<u8> {
    Parts { states: vec![block], ..Parts::of(&explored::<S>(Lie::None)) }.to_file()
}

#[test]
fn a_block_of_states_of_even_width_that_makes_no_sense_is_refused() {
    let states: Vec<u8> =
        Small::<u32>::new(Lie::None).states().into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(with_states::<u32>(even_states(0, 4, &states)), explored::<u32>(Lie::None));
    for width in [0, 1, 3, 5, 8, 52, u32::MAX] {
        for layout in [0, 2, 3] {
            let what = format!("states of {width} bytes in layout {layout}");
            let block = even_states(layout, width, &states);
            assert_explored_refused::<u32>(with_states::<u32>(block), &what);
        }
    }
    // The first difference is 0, and the others are 1: each state is one more than the one before.
    let mut steps = vec![1; 13];
    steps[0] = 0;
    steps[12] = 2;
    let ascending = with_states::<u32>(even_states(2, 4, &steps));
    verify_small::<u32>(ascending).unwrap();
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
    let intact = uneven_states(&ends, &states);
    assert_eq!(with_states::<String>(intact.clone()), explored::<String>(Lie::None));

    let with_end = |at: usize, end: u32| {
        let mut ends = ends.clone();
        ends[at] = end;
        uneven_states(&ends, &states)
    };
    let with_bytes = |at: usize, bytes: &[u8]| {
        let mut block = intact.clone();
        block[at..at + bytes.len()].copy_from_slice(bytes);
        block
    };
    let states_at = intact.len() - states.len();
    let mut blocks = vec![
        (uneven_states(&ends[..12], &states), "a state less"),
        (uneven_states(&[&ends[..], &ends[12..]].concat(), &states), "a state more"),
        (with_end(0, 0), "an end before its state"),
        (with_end(3, 5), "an end before the beginning"),
        (with_end(12, u32::MAX), "an end outside the block"),
        (with_end(5, u32::MAX), "a beginning outside the block"),
        (with_bytes(1, &3_u32.to_le_bytes()), "a fourth layout"),
        (with_bytes(states_at + 8, b"\xFF"), "a state that is no text"),
    ];
    for absurd in ABSURD {
        let absurd = absurd.to_le_bytes();
        blocks.push((with_bytes(5, &absurd), "an absurd number of ends"));
        blocks.push((with_bytes(states_at - 8, &absurd), "an absurd length of the states"));
        blocks.push((with_bytes(states_at, &absurd), "an absurd length of one state"));
    }
    for (block, what) in blocks {
        assert_explored_refused::<String>(with_states::<String>(block), what);
    }
}

#[test]
fn wrong_first_states_on_the_level_above_are_found() {
    let game = Tree::<u32>::new(40_000);
    let file = saved(|path| plain(Solver::new(&game).solve_as::<scheme::Hashed>().unwrap(), path));
    let intact = Parts::of(&file);
    assert_eq!(intact.states.len(), 4);
    let firsts: Vec<u8> = [0, 16_384, 32_768_u32].into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(intact.states[3], even_states(0, 4, &firsts));
    for (at, byte) in [(0, 1), (4, 1), (9, 0), (9, 0x7D), (11, 1)] {
        let mut parts = intact.clone();
        let mut wrong = firsts.clone();
        wrong[at] = byte;
        parts.states[3] = even_states(0, 4, &wrong);
        for memory in [u64::MAX, 0] {
            let table = open(parts.to_file()).unwrap().memory(memory);
            let result = table.verify(&game);
            assert!(matches!(result, Err(TableError::Malformed { .. })), "{result:?}");
        }
        let table = open(parts.to_file()).unwrap();
        // A search may miss a state, but never returns a wrong index.
        for state in (0..40_000).step_by(501) {
            if let Ok((index, _)) = table.prober(game.clone()).unwrap().index_and_value(&state) {
                assert_eq!(index, u64::from(state));
            }
        }
    }
}
