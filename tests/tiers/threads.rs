//! A larger game that is solved by any number of threads.

use std::path::Path;

use kit::graph::{Graph, Node};
use kit::{files, some};
use retrograde::scheme::{Dense, Tiers};
use retrograde::solve::TierFigures;
use retrograde::{Outcome, Player, Solver, TableError};

/// The rooms of a tier: more than a single thread takes without waking others.
pub(crate) const ROOMS: u32 = 60_000;

pub(crate) type Maze = Graph<false, false>;

fn mixed(room: u32, salt: u32) -> u32 {
    let mixed = u64::from(room ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

/// A large random game in three tiers of so many rooms.
pub(crate) fn maze(rooms: u32) -> Maze {
    let nodes = (0..3 * rooms).map(|room| {
        let terminal = match mixed(room, 1) % 400 {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        };
        let end = (room / rooms + 1) * rooms;
        // Some pairs of rooms lead only to each other.
        let moves = match room / 2 % 100 {
            0 => vec![room ^ 1],
            _ => (2..3 + mixed(room, 9) % 2).map(|salt| mixed(room, salt) % end).collect(),
        };
        (Node { terminal, ..Node::of(Player::BOTH[(room % 2) as usize]) }, moves)
    });
    Graph::new("maze", nodes).in_tiers(3, "")
}

/// Solves into a folder, tier by tier.
pub(crate) fn solve_into(
    solver: Solver<'_, '_, Maze>,
    folder: &Path,
) -> Result<Vec<TierFigures>, TableError> {
    solver.solve_into_as::<Tiers<Dense>>(folder)
}

#[test]
fn every_number_of_threads_makes_the_same_files() {
    if kit::PLAIN {
        return;
    }
    let maze = maze(ROOMS);
    let solve = |threads: usize, memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        let solver = Solver::new(&maze).threads(threads).memory(memory);
        solve_into(solver, folder.path()).unwrap();
        files(folder.path())
    };
    let one = solve(1, 1 << 30);
    assert_eq!(one.len(), 4);
    for threads in some(&[2, 3, 8], 0) {
        assert!(solve(threads, 1 << 30) == one, "{threads} threads");
    }
    // With no room for edges, and with values that are loaded again from their files.
    assert!(solve(2, 560_000) == one, "little memory");
    let tiers = Solver::new(&maze).solve_as::<Tiers<Dense>>().unwrap();
    let dense = Solver::new(&maze).solve_as::<Dense>().unwrap();
    for room in (0..3 * ROOMS).step_by(if kit::ALL_CASES { 1 } else { 7 }) {
        assert_eq!(tiers.value(&room).unwrap(), dense.value(&room).unwrap(), "{room}");
    }
    assert!(dense.summary().longest().unwrap() > 10);
    assert!(dense.summary().endless() > 100);
}
