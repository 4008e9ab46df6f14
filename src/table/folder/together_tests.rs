//! Tiers whose states several processes discover and share. The processes write the same files as
//! one process, and ask the rules once for each state.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Outcome, PackedState, Player, Tier, Tiered};
use crate::numbering::discovered::PackedIn;
use crate::numbering::indexing::TierwiseDiscovered;
use crate::numbering::scheme;
use crate::runtime::peers::tests::Threads;
use crate::solve::Solver;
use crate::table::{Compression, Stored, folder};

/// The number of states, and the number of tiers.
const STATES: u32 = 240_000;
const TIERS: u32 = 3;

/// The most states that may be asked again, since the laws are checked before each tier is solved.
const SAMPLES: usize = 60_000;

/// A game of numbers in tiers that counts how often each state is asked. With points, moves that leave
/// a tier gain or lose some, and ends are worth some.
#[derive(Serialize, Deserialize)]
struct Counted<const POINTS: bool> {
    #[serde(skip)]
    asked: Vec<[AtomicU32; 2]>,
}

/// A number that another one leads to, in the same tier.
fn mixed(state: u32, by: u32) -> u32 {
    let mixed = state.wrapping_mul(0x9E37_79B1).wrapping_add(by.wrapping_mul(0x85EB_CA6B)) >> 7;
    mixed % (STATES / TIERS) * TIERS + state % TIERS
}

impl<const POINTS: bool> Counted<POINTS> {
    fn new() -> Self {
        Counted { asked: (0..STATES).map(|_| Default::default()).collect() }
    }

    fn ask(&self, state: u32, what: usize) {
        self.asked[state as usize][what].fetch_add(1, Ordering::Relaxed);
    }

    /// How many states were asked at least `least` times.
    fn asked(&self, least: u32) -> [usize; 2] {
        [0, 1].map(|what| {
            let counts = self.asked.iter().map(|counts| counts[what].load(Ordering::Relaxed));
            counts.filter(|&count| count >= least).count()
        })
    }
}

impl<const POINTS: bool> Game for Counted<POINTS> {
    type State = u32;
    const POINTS: bool = POINTS;

    fn turn(&self, &state: &u32) -> Player {
        Player::BOTH[(state / TIERS % 5 / 3) as usize]
    }

    fn terminal(&self, &state: &u32) -> Option<Outcome> {
        self.ask(state, 0);
        match state / TIERS % 31 {
            7..10 if POINTS => Some(Outcome::Points((state % 7) as i16 - 3)),
            7 => Some(Outcome::Draw),
            8 => Some(Outcome::MoverLoses),
            9 => Some(Outcome::Win(Player::Second)),
            _ => None,
        }
    }

    fn moves(&self, &state: &u32, mut visit: impl FnMut(u32)) {
        self.ask(state, 1);
        if state / TIERS % 101 != 3 {
            (0..3).for_each(|by| visit(mixed(state, by)));
            visit((state + TIERS) % STATES);
            // To each earlier tier, and to the first of them twice.
            (0..state % TIERS).for_each(|tier| visit(mixed(state, 5) / TIERS * TIERS + tier));
            if state % TIERS > 0 {
                visit(mixed(state, 5) / TIERS * TIERS);
            }
        }
    }

    fn no_moves(&self, _: &u32) -> Option<Outcome> {
        Some(if POINTS { Outcome::Points(-1) } else { Outcome::MoverLoses })
    }

    fn gain(&self, &state: &u32, &next: &u32) -> i16 {
        if state % TIERS == next % TIERS { 0 } else { (next / TIERS % 5) as i16 - 2 }
    }

    fn max_points(&self) -> u16 {
        3 + 2 * (TIERS as u16 - 1)
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        (0..STATES).step_by(97)
    }
}

impl<const POINTS: bool> PackedState for Counted<POINTS> {
    type Word = u64;

    fn pack(&self, &state: &u32) -> u64 {
        u64::from(state).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn unpack(&self, word: u64) -> u32 {
        word.wrapping_mul(0xF1DE_83E1_9937_733D) as u32
    }
}

impl<const POINTS: bool> Tiered for Counted<POINTS> {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |at| Tier { name: format!("t{at}"), leads_to: (0..at).collect() };
        (0..TIERS as usize).map(tier).collect()
    }

    fn tier(&self, state: &u32) -> usize {
        (state % TIERS) as usize
    }
}

impl<const POINTS: bool> Stored for Counted<POINTS> {
    const NAME: &'static str = "counted";
}

type Indexing = TierwiseDiscovered<PackedIn<u64>>;

/// Solves the game into a folder, with `count` processes of `threads` threads each, and this much
/// memory in bytes.
fn solve<const POINTS: bool>(
    game: &Counted<POINTS>,
    path: &Path,
    [count, threads]: [usize; 2],
    memory: Option<u64>,
) {
    let solve = |mut peers: Threads| {
        let solver = Solver::new(game).threads(threads);
        let solver = match memory {
            Some(bytes) => solver.memory(bytes),
            None => solver,
        };
        solver.with_peers(&mut peers, |game, resources, checkpoints, pool| {
            let compression = Compression::default();
            folder::solve_into::<Counted<POINTS>, Indexing>(
                game,
                path,
                None,
                compression,
                resources,
                checkpoints,
                pool,
            )
            .map(drop)
        })
    };
    thread::scope(|scope| {
        let peers = Threads::new(count).into_iter();
        let processes: Vec<_> = peers.map(|peers| scope.spawn(move || solve(peers))).collect();
        processes.into_iter().for_each(|process| process.join().unwrap().unwrap());
    });
}

/// The bytes of the tables in a folder.
fn tables(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|file| file.is_file());
    tables
        .map(|file| {
            let bytes = fs::read(&file).unwrap();
            (file.file_name().unwrap().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

#[test]
fn several_processes_write_the_tiers_of_one_and_ask_once_for_each_state() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone");
    let game = Counted::<false>::new();
    let solver = Solver::new(&game).threads(1);
    solver.solve_into_as::<scheme::Tiers<scheme::Packed>>(&alone).unwrap();
    let alone = tables(&alone);
    assert!(alone.len() >= TIERS as usize);
    for (at, of) in kit::few(vec![[2, 1]], vec![[1, 2], [2, 1], [3, 2]]).into_iter().enumerate() {
        let game = Counted::<false>::new();
        let together = folder.path().join(format!("together-{at}"));
        solve(&game, &together, of, None);
        assert!(tables(&together) == alone, "{of:?}");
        let [states, open] = game.asked(1);
        assert!(states > STATES as usize * 9 / 10 && open > STATES as usize * 4 / 5);
        let [again, moved_again] = game.asked(2);
        assert!(again < SAMPLES && moved_again < SAMPLES, "{of:?}: {again}, {moved_again}");
        // With little memory the rules are asked again.
        let game = Counted::<false>::new();
        let together = folder.path().join(format!("crowded-{at}"));
        solve(&game, &together, of, Some((12 << 20) / of[0] as u64 + (4 << 20)));
        assert!(tables(&together) == alone, "{of:?}");
        let [_, moved_again] = game.asked(2);
        assert!(moved_again > SAMPLES, "{of:?}: {moved_again}");
    }
}

#[test]
fn several_processes_write_the_tiers_of_one_with_points_too() {
    if kit::PLAIN {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone");
    let game = Counted::<true>::new();
    let solver = Solver::new(&game).threads(1);
    let summary = solver.solve_as::<scheme::Tiers<scheme::Packed>>().unwrap().summary().clone();
    assert!(summary.points.len() > 9, "{:?}", summary.points);
    assert!(summary.endless() > 0 && summary.won() > 0 && summary.lost() > 0);
    let solver = Solver::new(&game).threads(1);
    solver.solve_into_as::<scheme::Tiers<scheme::Packed>>(&alone).unwrap();
    let alone = tables(&alone);
    for (at, of) in kit::few(vec![[3, 2]], vec![[2, 1], [3, 2]]).into_iter().enumerate() {
        for (name, memory) in
            [("", None), ("-crowded", Some((12 << 20) / of[0] as u64 + (4 << 20)))]
        {
            let together = folder.path().join(format!("together-{at}{name}"));
            solve(&game, &together, of, memory);
            assert!(tables(&together) == alone, "{of:?}{name}");
        }
    }
}
