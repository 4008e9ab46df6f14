//! Thousands of damages of all kinds. Each is noticed, and no probe answers wrongly.

use kit::{Random, cases, few};
use retrograde::table::{Compression, Destination, InMemory};
use retrograde::{Solution, Solver, Stored, Table, TableError, Value, scheme};

use crate::games::{Name, Tree};
use crate::layout::Frame;
use crate::saved;

/// Damages a file. `other` is a file of the same kind.
fn damage(file: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = file.to_vec();
    let at = random.place(file.len());
    let length = 1 + random.place(file.len() - at).min(random.place(200));
    match random.place(9) {
        0 => damaged[at] ^= 1 << random.place(8),
        1 => damaged[at] = random.place(256) as u8,
        2 => damaged.truncate(at),
        3 => damaged[at..at + length].fill(0),
        // The length stays, but a part is a copy of another place.
        4 => {
            let from = random.place(file.len() - length + 1);
            damaged.copy_within(from..from + length, at);
        }
        5 => {
            let from = random.place(file.len() - length + 1);
            for offset in 0..length {
                damaged.swap(at + offset, from + offset);
            }
        }
        // A part is from the other file.
        6 => {
            let end = other.len().min(file.len());
            if at < end {
                damaged[at..end].copy_from_slice(&other[at..end]);
            }
        }
        7 => {
            let end = other.len().min(at);
            damaged[..end].copy_from_slice(&other[..end]);
        }
        // All bytes after this place move.
        _ => {
            damaged.drain(at..at + length);
            damaged.resize(file.len(), 0);
        }
    }
    damaged
}

fn open(bytes: Vec<u8>) -> Result<Table<InMemory<Vec<u8>>>, TableError> {
    Table::from_bytes(bytes)
}

/// Damages the file `times` times.
fn assert_all_refused<S: Name>(
    files: [&[u8]; 2],
    times: u32,
    game: &Tree<S>,
    states: &[(S, Value)],
) {
    let [file, other] = files;
    let mut random = Random(0x0123_4567_89AB_CDEF ^ file.len() as u64);
    let mut damages = 0;
    while damages < cases(times) {
        let damaged = damage(file, other, &mut random);
        if damaged == file || damaged == other {
            continue;
        }
        damages += 1;
        let Ok(table) = open(damaged) else { continue };
        for _ in 0..4 {
            let (state, value) = &states[random.place(states.len())];
            let found = table.prober(game.clone()).ok().and_then(|prober| prober.value(state).ok());
            assert!(found.is_none_or(|found| found == *value), "{damages}");
        }
        assert!(table.verify_checksums().is_err(), "{damages}");
        assert!(table.verify(game).is_err(), "{damages}");
    }
}

fn compressed<G: Stored>(solution: &Solution<'_, G>, compression: Compression) -> Vec<u8> {
    saved(|path| {
        let destination = Destination::at(path).compression(compression);
        solution.save(destination)
    })
}

/// The numbers of nodes of the trees: of the damaged files, and of the others.
const NODES: [u32; 2] = [2_000, 1_999];

fn states<S: Name>(solution: &Solution<'_, Tree<S>>) -> Vec<(S, Value)> {
    (0..NODES[0]).map(S::of).map(|state| (state.clone(), solution.value(&state).unwrap())).collect()
}

#[test]
fn thousands_of_damages_are_refused() {
    let all = [Compression::Zstd(1), Compression::Plain, Compression::Zstd(19)];
    for &compression in few(&all[..1], &all[..]) {
        let games = NODES.map(Tree::<u32>::new);
        let [solution, other] =
            [&games[0], &games[1]].map(|game| Solver::new(game).solve().unwrap());
        let files = [&solution, &other].map(|solution| compressed(solution, compression));
        assert_all_refused([&files[0], &files[1]], 2_000, &games[0], &states(&solution));
        let games = NODES.map(Tree::<String>::new);
        let [solution, other] = [&games[0], &games[1]]
            .map(|game| Solver::new(game).solve_as::<scheme::Hashed>().unwrap());
        let files = [&solution, &other].map(|solution| compressed(solution, compression));
        assert_all_refused([&files[0], &files[1]], 1_400, &games[0], &states(&solution));
    }
}

/// Parts at the same places in a table with other parameters do not pass for the table's own.
#[test]
fn a_file_that_is_put_together_of_two_is_refused() {
    let games = [2_000, 2_001].map(Tree::<u32>::new);
    let files = [&games[0], &games[1]]
        .map(|game| compressed(&Solver::new(game).solve().unwrap(), Compression::Plain));
    let [header, others] = [&files[0], &files[1]].map(|file| Frame::of(file).header);
    assert_eq!((header.offset, header.length), (others.offset, others.length));
    // All parts after the header are from the other table, in which they are right.
    let end = (header.offset + header.length) as usize;
    let length = files[0].len();
    let mixed = [&files[0][..end], &files[1][end..length]].concat();
    let table = open(mixed).unwrap();
    assert!(matches!(table.verify_checksums(), Err(TableError::Damaged { .. })));
}
