//! Successor indices, and verification of tables with them.

use std::collections::BTreeSet;
use std::fs;

use kit::Random;
use retrograde::table::{Compression, Destination};
use retrograde::{Game, Player, Solver, Table, TableError, TierIndexed, Tiered, VisitSuccessors};
use retrograde_games::chess::Position;

use super::chess;
use super::layout::Parts;
use super::moves::{DRAWS, MATERIALS, indices, positions, split_moves};

/// Remembers the visited successors, and reports some runs as irrelevant.
struct Visited {
    turn: Player,
    run: u64,
    /// Whether a run matters.
    matters: fn(u64) -> bool,
    indices: Vec<u64>,
    runs_passed: BTreeSet<u64>,
    left: Vec<Position>,
    others_passed: bool,
}

impl VisitSuccessors<Position> for Visited {
    fn run_matters(&mut self, index: u64, turn: Player) -> bool {
        assert_eq!(turn, self.turn);
        let run = index / self.run;
        if !(self.matters)(run) {
            self.runs_passed.insert(run);
        }
        (self.matters)(run)
    }

    fn others_matter(&mut self) -> bool {
        self.others_passed |= !(self.matters)(0);
        (self.matters)(0)
    }

    fn stay(&mut self, index: u64, turn: Player) {
        assert_eq!(turn, self.turn);
        self.indices.push(index);
    }

    fn leave(&mut self, next: Position) {
        self.left.push(next);
    }

    fn leave_to(&mut self, _: usize, _: u64, _: Player) {
        unreachable!("chess visits exits by their positions");
    }
}

#[test]
fn successors_by_index_are_the_moves() {
    for material in MATERIALS {
        let game = chess(material);
        positions(&game, material, DRAWS, |drawn, state| {
            let Some(state) = state else { return };
            let (tier, inside, exits) = split_moves(&game, &state);
            let inside: Vec<u64> = inside.iter().map(|next| game.tier_index(tier, next)).collect();
            let matters: [fn(u64) -> bool; 3] = [|_| true, |run| run % 3 > 0, |_| false];
            for matters in matters {
                let mut visited = Visited {
                    turn: game.turn(&state).opponent(),
                    run: game.run_len(tier),
                    matters,
                    indices: Vec::new(),
                    runs_passed: BTreeSet::new(),
                    left: Vec::new(),
                    others_passed: false,
                };
                game.tier_successor_indices(tier, &state, &mut visited);
                assert!(visited.indices.iter().all(|index| inside.contains(index)));
                let which_matter = |indices: &[u64]| {
                    let passed = |index: &u64| visited.runs_passed.contains(&(index / visited.run));
                    let mut left: Vec<_> =
                        indices.iter().copied().filter(|index| !passed(index)).collect();
                    left.sort_unstable();
                    left
                };
                let [found, expected] = [&visited.indices, &inside].map(|all| which_matter(all));
                assert_eq!(found, expected, "{}", drawn.fen());
                let left = if visited.others_passed { &visited.left } else { &exits };
                assert_eq!(indices(&game, &visited.left), indices(&game, left), "{}", drawn.fen());
            }
        });
    }
}

/// The packed values of a win, a loss and a draw, without the plies.
const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;
const DRAW: u16 = 0xC000;
const ENDLESS: u16 = 1;

#[test]
fn a_wrong_value_in_an_ending_is_found() {
    if kit::PLAIN {
        return;
    }
    // In the endings that are won only with the loser's help, most moves are skipped.
    for &material in ENDINGS {
        let game = chess(material);
        let tier = game.tiers().len() - 1;
        let folder = tempfile::tempdir().unwrap();
        Solver::new(&game)
            .solve_into(Destination::at(folder.path()).compression(Compression::Plain))
            .unwrap();
        let file = folder.path().join(format!("{material}.rtb"));
        let parts = Parts::of(&fs::read(&file).unwrap());
        let verify = |memory| {
            let table = Table::open(folder.path()).unwrap().memory(memory);
            table.verify(&game)
        };
        // The second is too little for all values, except in KQvK, but enough for the bounds of
        // runs.
        let memories = [u64::MAX, 400_000];
        for memory in memories {
            verify(memory).unwrap();
        }
        let mut random = Random(material.len() as u64);
        let mut left = WRONG_VALUES;
        while left > 0 {
            let index = random.below(game.tier_len(tier));
            let Some(position) = game.tier_unindex(tier, index) else { continue };
            let was = parts.value(index as usize);
            let wrong = match random.below(5) {
                0 => WIN + 1 + 2 * random.below(3) as u16,
                1 => LOSS + 2 * random.below(3) as u16,
                2 => DRAW + random.below(3) as u16,
                3 => ENDLESS,
                _ => was.wrapping_add(1),
            };
            if wrong == was || wrong == ENDLESS + 1 {
                continue;
            }
            left -= 1;
            let mut parts = parts.clone();
            parts.set_value(index as usize, wrong);
            fs::write(&file, parts.to_file()).unwrap();
            let error = verify(memories[random.below(2) as usize]).unwrap_err();
            let TableError::At { path, source } = &error else { panic!("{error}") };
            let found = *path == file && matches!(**source, TableError::WrongValue { .. });
            assert!(found, "{wrong:#06x} for {was:#06x} at {position:?}: {error}");
        }
    }
}

const WRONG_VALUES: u32 = if cfg!(debug_assertions) { 4 } else { 50 };

/// Four men take half a minute unoptimized.
const ENDINGS: &[&str] = match cfg!(debug_assertions) {
    true if kit::PLAIN => &["KQvK"],
    true => &["KQvK", "KNvK"],
    false => &["KQvK", "KRvKR", "KNNvK", "KBvKB", "KBvKN"],
};
