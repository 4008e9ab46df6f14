//! A larger game, solved by any number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use retrograde::{
    Game, Indexed, Outcome, Player, Query, Solvable, Solver, Stored, Tier, TierIndexed, Tiered,
    scheme,
};
use serde::{Deserialize, Serialize};

/// A large game without rhyme or reason, in three tiers, so that threads have something to share.
#[derive(Serialize, Deserialize)]
pub(crate) struct Maze;

pub(crate) const ROOMS: u32 = 60_000;

fn mixed(room: u32, salt: u32) -> u32 {
    let mixed = u64::from(room ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Game for Maze {
    type State = u32;

    fn turn(&self, room: &u32) -> Player {
        Player::BOTH[(room % 2) as usize]
    }

    fn terminal(&self, &room: &u32) -> Option<Outcome> {
        match mixed(room, 1) % 400 {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &room: &u32, mut visit: impl FnMut(u32)) {
        // Here and there are two rooms that lead to nothing but each other.
        if room / 2 % 100 == 0 {
            return visit(room ^ 1);
        }
        let end = (room / ROOMS + 1) * ROOMS;
        (2..3 + mixed(room, 9) % 2).map(|salt| mixed(room, salt) % end).for_each(visit);
    }

    fn roots(&self) -> Vec<u32> {
        vec![0]
    }
}

impl Tiered for Maze {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier: usize| Tier { name: format!("{tier}"), leads_to: (0..tier).collect() };
        (0..3).map(tier).collect()
    }

    fn tier(&self, &room: &u32) -> usize {
        (room / ROOMS) as usize
    }
}

impl TierIndexed for Maze {
    fn tier_len(&self, _: usize) -> u64 {
        ROOMS.into()
    }

    fn tier_index(&self, _: usize, &room: &u32) -> u64 {
        (room % ROOMS).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(tier as u32 * ROOMS + index as u32)
    }
}

impl Solvable for Maze {
    type Numberings = (scheme::Tiers<scheme::Dense>, scheme::Dense);
}

impl Stored for Maze {
    const NAME: &'static str = "maze";
}

impl Indexed for Maze {
    fn len(&self) -> u64 {
        3 * u64::from(ROOMS)
    }

    fn index(&self, &room: &u32) -> u64 {
        room.into()
    }

    fn unindex(&self, index: u64) -> Option<u32> {
        Some(index as u32)
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files
        .map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(&file).unwrap())
        })
        .collect()
}

#[test]
fn every_number_of_threads_makes_the_same_files() {
    let solve = |threads: usize, memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        Solver::new(&Maze).threads(threads).memory(memory).solve_into(folder.path()).unwrap();
        files(folder.path())
    };
    let one = solve(1, 1 << 30);
    assert_eq!(one.len(), 4);
    for threads in [2, 3, 8] {
        assert!(solve(threads, 1 << 30) == one, "{threads} threads");
    }
    // Without room for edges, and with values that are loaded again from their files.
    assert!(solve(2, 560_000) == one, "little memory");
    let tiers = Solver::new(&Maze).solve().unwrap();
    let dense = Solver::new(&Maze).solve_as::<scheme::Dense>().unwrap();
    for room in 0..3 * ROOMS {
        assert_eq!(tiers.value(&room).unwrap(), dense.value(&room).unwrap(), "{room}");
    }
    assert!(dense.summary().longest().unwrap() > 10);
    assert!(dense.summary().endless() > 100);
}
