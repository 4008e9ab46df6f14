//! Files with right checksums whose parts were changed at random. Each is refused or read, without
//! a panic and without much memory.
//!
//! Each run makes a few thousand such files. `RETROGRADE_FUZZ_SECONDS=60` sets a time instead, and
//! `RETROGRADE_FUZZ_BEGINNING=7` another beginning. A failure names its own beginning.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kit::Query;
use kit::{Random, cases};
use retrograde::table::{Compression, Destination, InMemory};
use retrograde::{Indexed, Solution, Solver, Stored, Table, scheme};
use tempfile::TempDir;

use crate::corpus;
use crate::games::{Lie, Name, Small, Strip, Tree};
use crate::layout::Parts;
use crate::{MEMORY, saved};

/// More than the tests take together, and far less than a length in a file can ask for.
const MUCH_MEMORY: usize = 200 << 20;

/// The number of files of each kind, unless a time is given.
const FILES: u32 = 4_000;

/// The number of kinds that share a given time.
const KINDS: u32 = 9;

/// Numbers at limits of integer types and formats.
const BORDERS: [u64; 12] =
    [0, 1, 2, 255, 256, 65_535, 65_536, 1 << 24, 1 << 31, (1 << 32) - 1, 1 << 40, u64::MAX];

/// Changes some bytes.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.place(4) {
        let at = random.place(bytes.len());
        let end = (at + 1 + random.place(12)).min(bytes.len());
        match random.place(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.place(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => bytes.insert(at, random.next() as u8),
            4 => bytes.truncate(at),
            5 => {
                let again = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let border = BORDERS[random.place(BORDERS.len())].to_le_bytes();
                let width = [1, 2, 4, 8][random.place(4)].min(bytes.len() - at);
                bytes[at..at + width].copy_from_slice(&border[..width]);
            }
        }
    }
}

/// A file of these parts, of which one or two are changed.
fn hostile(intact: &Parts, random: &mut Random) -> Vec<u8> {
    let mut parts = intact.clone();
    for _ in 0..=random.place(2) {
        let Parts { header, dictionary, values, states, .. } = &mut parts;
        let all = [Some(header), dictionary.as_mut()].into_iter().flatten();
        let mut all: Vec<&mut Vec<u8>> = all.chain(values).chain(states).collect();
        let chosen = random.place(all.len());
        change(all[chosen], random);
    }
    parts.to_file()
}

/// Makes hostile files of a table, and uses each in all ways.
fn attack(name: &str, file: &[u8], read: impl Fn(&Table<InMemory<Vec<u8>>>)) {
    let intact = Parts::of(file);
    again_and_again(name, |random| {
        let bytes = hostile(&intact, random);
        corpus::collect(&bytes);
        if let Ok(table) = Table::from_bytes(bytes) {
            let _ = table.verify_checksums();
            read(&table.memory([0, u64::MAX][random.place(2)]));
        }
    });
}

/// Makes attempts with different random numbers. Each must end without a panic and without much
/// memory.
fn again_and_again(name: &str, attempt: impl Fn(&mut Random)) {
    let given = |name| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let end = given("RETROGRADE_FUZZ_SECONDS").map(|seconds| Duration::from_secs(seconds) / KINDS);
    let mut beginning = given("RETROGRADE_FUZZ_BEGINNING").unwrap_or(0);
    let begin = Instant::now();
    for made in 0.. {
        if end.map_or(made == u64::from(cases(FILES)), |end| begin.elapsed() >= end) {
            break;
        }
        beginning = Random(beginning).next();
        let result = catch_unwind(AssertUnwindSafe(|| attempt(&mut Random(beginning))));
        assert!(result.is_ok(), "{name}: a panic from the beginning {beginning:#x}");
        let peak = MEMORY.peak_usage();
        assert!(peak < MUCH_MEMORY, "{name}: {peak} bytes from the beginning {beginning:#x}");
    }
}

fn file_of<G: Stored>(solution: &Solution<'_, G>, compression: Compression) -> Vec<u8> {
    saved(|path| {
        let destination = Destination::at(path).compression(compression);
        solution.save(destination)
    })
}

/// Probes everything.
fn probe<Q: Query>(prober: &Q, states: &[<Q::Game as retrograde::Game>::State]) {
    for state in states {
        let _ = prober.index_and_value(state);
        let _ = prober.moves(state);
        let _ = prober.line(state);
    }
    prober.states().take(1_000).for_each(drop);
}

#[test]
fn hostile_dense_tables_do_no_harm() {
    let game = Small::<u32>::new(Lie::None);
    let solution = Solver::new(&game).solve().unwrap();
    attack("plain", &file_of(&solution, Compression::Plain), |table| {
        let _ = table.verify(&game);
        let Ok(game) = table.game::<Small<u32>>() else { return };
        if game.len() < 1_000
            && let Ok(prober) = table.prober(game.clone())
        {
            probe(&prober, &[0, 3, 6, 13]);
        }
    });
}

/// Gives a compressed table an uncompressed header, so that its parts can be taken apart.
fn with_plain_header(plain: &[u8], compressed: &[u8]) -> Vec<u8> {
    let header = Parts::of(plain).header;
    Parts::with_header(compressed, header).to_file()
}

#[test]
fn hostile_compressed_tables_do_no_harm() {
    let game = Tree::<u32>::new(3_000);
    let solution = Solver::new(&game).solve().unwrap();
    let [plain, compressed] =
        [Compression::Plain, Compression::Zstd(3)].map(|level| file_of(&solution, level));
    attack("compressed", &with_plain_header(&plain, &compressed), |table| {
        let _ = table.verify(&game);
        if let Ok(prober) = table.prober(game.clone()) {
            probe(&prober, &[0, 1_500, 2_999]);
        }
    });
}

#[test]
fn hostile_tables_of_outcomes_do_no_harm() {
    let game = Tree::<u32>::new(3_000);
    let solution = Solver::new(&game).solve().unwrap();
    let [plain, compressed] = [Compression::Plain, Compression::Zstd(3)].map(|level| {
        saved(|path| {
            let destination = Destination::at(path).compression(level).outcomes_only();
            solution.save(destination)
        })
    });
    attack("outcomes", &with_plain_header(&plain, &compressed), |table| {
        let _ = table.verify(&game);
        if let Ok(prober) = table.prober(game.clone()) {
            probe(&prober, &[0, 1_500, 2_999]);
        }
    });
}

#[test]
fn hostile_dictionaries_do_no_harm() {
    let game = Strip::new(11 * 262_144);
    let solution = Solver::new(&game).solve().unwrap();
    let [plain, compressed] =
        [Compression::Plain, Compression::Zstd(3)].map(|level| file_of(&solution, level));
    let mut parts = Parts::of(&with_plain_header(&plain, &compressed));
    // One block is enough, and faster.
    parts.set_len(262_144);
    parts.values.truncate(1);
    assert!(parts.dictionary.is_some());
    let game = Strip::new(11 * 262_144);
    attack("dictionary", &parts.to_file(), |table| {
        let _ = table.prober(game.clone()).map(|prober| prober.index_and_value(&3));
    });
}

fn attack_explored<S: Name>(name: &str, compression: Compression) {
    let game = Tree::<S>::new(2_000);
    let solution = Solver::new(&game).solve_as::<scheme::Hashed>().unwrap();
    let [plain, file] = [Compression::Plain, compression].map(|level| file_of(&solution, level));
    let states = [0, 7, 1_999, 2_000].map(S::of);
    attack(name, &with_plain_header(&plain, &file), |table| {
        let _ = table.verify(&game);
        if let Ok(prober) = table.prober(game.clone()) {
            probe(&prober, &states);
        }
    });
}

#[test]
fn hostile_explored_tables_do_no_harm() {
    attack_explored::<u32>("numbers", Compression::Zstd(3));
    attack_explored::<String>("texts", Compression::Plain);
}

type InTiers = Tree<u32>;

/// The folder of a game in two tiers, and the text of its manifest.
fn two_tiers(game: &InTiers) -> (TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let solver = Solver::new(game);
    solver
        .solve_into_as::<scheme::Tiers<scheme::Packed>>(
            Destination::at(folder.path()).compression(Compression::Plain),
        )
        .unwrap();
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    (folder, manifest)
}

#[test]
fn hostile_manifests_do_no_harm() {
    let game = InTiers::new(300);
    let (folder, manifest) = two_tiers(&game);
    again_and_again("manifest", |random| {
        let mut hostile = manifest.clone();
        if random.place(2) == 0 {
            change(&mut hostile, random);
        } else {
            // Numbers of all sizes in place of other numbers, so that the text still makes sense.
            let text = String::from_utf8(hostile).unwrap();
            let border = BORDERS[random.place(BORDERS.len())].to_string();
            let number = ["300", "200", "100", "1"][random.place(4)];
            hostile = text.replacen(number, &border, 1 + random.place(3)).into_bytes();
        }
        fs::write(folder.path().join("manifest.json"), hostile).unwrap();
        let Ok(tables) = Table::open(folder.path()) else { return };
        let _ = tables.tiers();
        let Ok(game) = tables.game::<InTiers>() else { return };
        if let Ok(prober) = tables.prober(game.clone()) {
            probe(&prober, &[0, 99, 100, 299, u32::MAX]);
        }
        let _ = tables.verify(&game);
    });
}

#[test]
fn hostile_tiers_do_no_harm() {
    let game = InTiers::new(300);
    let (folder, _) = two_tiers(&game);
    for name in ["far.rtb", "near.rtb"] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        let intact = Parts::of(&whole);
        again_and_again(name, |random| {
            fs::write(&path, hostile(&intact, random)).unwrap();
            let Ok(tables) = Table::open(folder.path()) else { return };
            let tables = tables.memory([0, u64::MAX][random.place(2)]);
            let _ = tables.tiers();
            if let Ok(prober) = tables.prober(game.clone()) {
                probe(&prober, &[0, 99, 100, 299]);
            }
            let _ = tables.verify(&game);
        });
        fs::write(&path, whole).unwrap();
    }
}
