//! What is told of successors without making them, and the proof of tables that goes by it.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use retrograde::{
    Compression, FolderError, Game, Player, Solver, TableError, TierFolder, TierIndexed, Tiered,
    VisitSuccessors,
};
use retrograde_games::chess::Position;

use crate::draw::Random;
use crate::layout::Parts;
use crate::moves::{DRAWS, MATERIALS, chess, collected, numbers, positions};

/// Remembers what it is told, and tells of some runs that they don't matter, and maybe of others.
struct Told {
    turn: Player,
    run: u64,
    /// What is asked about matters where this says so, by run.
    matters: fn(u64) -> bool,
    indices: Vec<u64>,
    runs_passed: BTreeSet<u64>,
    left: Vec<Position>,
    others_passed: bool,
}

impl VisitSuccessors<Position> for Told {
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
}

#[test]
fn successors_by_index_are_the_moves() {
    for material in MATERIALS {
        let game = chess(material);
        positions(&game, material, DRAWS, |drawn, state| {
            let Some(state) = state else { return };
            let tier = game.tier(&state);
            let moves = collected(|visit| game.moves(&state, visit));
            let (internal_degree, exits): (Vec<_>, Vec<_>) =
                moves.into_iter().partition(|next| game.tier(next) == tier);
            let internal_degree: Vec<u64> =
                internal_degree.iter().map(|next| game.tier_index(tier, next)).collect();
            let matters: [fn(u64) -> bool; 3] = [|_| true, |run| run % 3 > 0, |_| false];
            for matters in matters {
                let mut told = Told {
                    turn: game.turn(&state).opponent(),
                    run: game.run_len(tier),
                    matters,
                    indices: Vec::new(),
                    runs_passed: BTreeSet::new(),
                    left: Vec::new(),
                    others_passed: false,
                };
                game.successors(tier, &state, &mut told);
                assert!(told.indices.iter().all(|index| internal_degree.contains(index)));
                let which_matter = |indices: &[u64]| {
                    let passed = |index: &u64| told.runs_passed.contains(&(index / told.run));
                    let mut left: Vec<_> =
                        indices.iter().copied().filter(|index| !passed(index)).collect();
                    left.sort_unstable();
                    left
                };
                let [found, expected] =
                    [&told.indices, &internal_degree].map(|all| which_matter(all));
                assert_eq!(found, expected, "{}", drawn.fen());
                let left = if told.others_passed { &told.left } else { &exits };
                assert_eq!(numbers(&game, &told.left), numbers(&game, left), "{}", drawn.fen());
            }
        });
    }
}

/// Packed values, of a win, a loss and a draw of so many plies.
const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;
const DRAW: u16 = 0xC000;
const ENDLESS: u16 = 1;

#[test]
fn a_wrong_value_in_an_ending_is_found() {
    // Of those nobody wins but by the other's help, most moves are passed over.
    for material in ["KQvK", "KRvKR", "KNNvK", "KBvKB", "KBvKN"] {
        let game = chess(material);
        let tier = game.tiers().len() - 1;
        let folder = tempfile::tempdir().unwrap();
        let solver = Solver::new(&game);
        solver.tiered_into_with(folder.path(), None, Compression::Plain).unwrap();
        let file = folder.path().join(format!("{material}.rtb"));
        let parts = Parts::of(&fs::read(&file).unwrap());
        let verify = |memory| {
            let tables = TierFolder::open(folder.path()).unwrap().with_memory(memory);
            tables.verify(&game, &mut |_| ControlFlow::Continue(()))
        };
        // The latter is too little for all values but those of KQvK, and enough for bounds of runs.
        let memories = [u64::MAX, 400_000];
        for memory in memories {
            verify(memory).unwrap();
        }
        let mut random = Random(material.len() as u64);
        let mut left = WRONG_VALUES;
        while left > 0 {
            let number = random.below(game.tier_len(tier));
            let Some(position) = game.tier_unindex(tier, number) else { continue };
            let was = parts.value(number as usize);
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
            parts.set_value(number as usize, wrong);
            fs::write(&file, parts.to_file()).unwrap();
            let error = verify(memories[random.below(2) as usize]).unwrap_err();
            let found =
                matches!(error, FolderError::Table { source: TableError::WrongValue { .. }, .. });
            assert!(found, "{wrong:#06x} for {was:#06x} at {position:?}: {error}");
        }
    }
}

const WRONG_VALUES: u32 = if cfg!(debug_assertions) { 12 } else { 50 };
