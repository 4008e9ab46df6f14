//! Tables of a game that visits successors by runs of indices, and skips those that do not matter.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kit::{cases, few, some};
use retrograde::scheme::{Dense, Tiers};
use retrograde::table::{Compression, Destination};
use retrograde::{
    Game, Numbered, Outcome, Player, Solver, Stored, Table, TableError, Tier, TierIndexed, Tiered,
    VisitSuccessors,
};
use serde::{Deserialize, Serialize};

use crate::layout::Parts;

/// Rooms in three wings. In the first wing nobody wins, and in the others players win only in two
/// of five runs.
#[derive(Serialize, Deserialize)]
struct Palace {
    endless: Outcome,
    /// The length of its runs.
    run: u32,
    /// The number of answers that a run or the other wings did not matter, and of those that they
    /// did.
    #[serde(skip)]
    answers: [AtomicU64; 2],
}

const RUN: u32 = 1024;
/// The first room of each wing, and the end of the last wing.
const WINGS: [u32; 4] = [0, 2 * RUN, 6 * RUN, 46 * RUN];

/// Whether all ends of play in this room's run are draws.
fn is_quiet(room: u32) -> bool {
    room < WINGS[1] || room / RUN % 5 > 1
}

fn mixed(room: u32, salt: u32) -> u32 {
    let mixed = u64::from(room ^ salt << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Palace {
    fn new(endless: Outcome, run: u32) -> Palace {
        Palace { endless, run, answers: Default::default() }
    }

    fn heard(&self, matters: bool) -> bool {
        self.answers[usize::from(matters)].fetch_add(1, Ordering::Relaxed);
        matters
    }
}

impl Game for Palace {
    type State = u32;

    fn turn(&self, &room: &u32) -> Player {
        Player::BOTH[(mixed(room, 7) % 2) as usize]
    }

    fn terminal(&self, &room: &u32) -> Option<Outcome> {
        match mixed(room, 1) % 100 {
            0..4 if !is_quiet(room) => Some(Outcome::Win(Player::First)),
            4..8 if !is_quiet(room) => Some(Outcome::Win(Player::Second)),
            8 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &room: &u32, mut visit: impl FnMut(u32)) {
        let wing = self.tier(&room);
        let here = |to: u32| room / RUN * RUN + to % RUN;
        visit(here(mixed(room, 2)));
        for salt in 3..3 + mixed(room, 9) % 4 {
            let to = mixed(room, salt) % WINGS[wing + 1];
            // Few moves lead from quiet runs to others.
            let strays =
                is_quiet(room) && !is_quiet(to) && !mixed(room, salt + 8).is_multiple_of(100);
            visit(if strays { here(to) } else { to });
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = u32> {
        [0]
    }

    fn endless(&self) -> Outcome {
        self.endless
    }
}

impl Tiered for Palace {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |tier: usize| Tier { name: format!("{tier}"), leads_to: (0..tier).collect() };
        (0..WINGS.len() - 1).map(tier).collect()
    }

    fn tier(&self, room: &u32) -> usize {
        WINGS.iter().rposition(|begin| begin <= room).unwrap()
    }
}

impl TierIndexed for Palace {
    fn tier_len(&self, tier: usize) -> u64 {
        (WINGS[tier + 1] - WINGS[tier]).into()
    }

    fn tier_index(&self, tier: usize, &room: &u32) -> u64 {
        (room - WINGS[tier]).into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<u32> {
        Some(WINGS[tier] + index as u32)
    }

    const TIER_SUCCESSOR_INDICES: bool = true;

    fn run_len(&self, _: usize) -> u64 {
        self.run.into()
    }

    fn tier_successor_indices(
        &self,
        tier: usize,
        room: &u32,
        visitor: &mut impl VisitSuccessors<u32>,
    ) {
        let mut others = Vec::new();
        self.moves(room, |next| {
            if self.tier(&next) != tier {
                return others.push(next);
            }
            let (index, turn) = (self.tier_index(tier, &next), self.turn(&next));
            if self.heard(visitor.run_matters(index, turn)) {
                visitor.stay(index, turn);
            }
        });
        if !others.is_empty() && self.heard(visitor.others_matter()) {
            others.into_iter().for_each(|next| visitor.leave(next));
        }
    }
}

impl Stored for Palace {
    const NAME: &'static str = "palace";
}

impl Numbered for Palace {
    type Numberings = Tiers<Dense>;
}

/// Checks the tables with all values in memory, with some values of a tier at a time, and with
/// almost nothing.
fn verify(game: &Palace, folder: &Path) -> Result<u64, TableError> {
    let [much, some, little] = [u64::MAX, 40_000, 0].map(|memory| {
        let tables = Table::open(folder).unwrap().memory(memory);
        tables.verify(game)
    });
    let text = |result: &Result<u64, TableError>| format!("{result:?}");
    assert_eq!(text(&much), text(&some));
    assert_eq!(text(&much), text(&little));
    much
}

#[test]
fn a_wrong_value_is_found_where_many_successors_are_passed_over() {
    let games = [
        (Outcome::Draw, RUN),
        (Outcome::Win(Player::First), RUN),
        (Outcome::Win(Player::Second), RUN),
        // Longer than the part in memory when almost nothing is allowed.
        (Outcome::Draw, 32 * RUN),
    ];
    for (trial, &(endless, run)) in few(&games[3..], &games[..]).iter().enumerate() {
        let game = Palace::new(endless, run);
        let folder = tempfile::tempdir().unwrap();
        let solver = Solver::new(&game);
        let (folder_path, plain) = (folder.path(), Compression::Plain);
        solver.solve_into(Destination::at(folder_path).compression(plain)).unwrap();
        assert_eq!(verify(&game, folder.path()).unwrap(), u64::from(WINGS[3]));
        for tier in 0..3 {
            let file = folder.path().join(format!("{tier}.rtb"));
            let right = fs::read(&file).unwrap();
            let parts = Parts::of(&right);
            let len = game.tier_len(tier) as usize;
            for at in 0..cases(8) {
                let index = mixed(at + 8 * trial as u32, tier as u32) as usize % len;
                let right = parts.value(index);
                let plies = right & 0x3FFF;
                let nearly = [plies.wrapping_sub(1), plies + 1].map(|plies| plies & 0x3FFF);
                let kinds = [0x4000, 0x8000, 0xC000_u16];
                let wrong = kinds.iter().flat_map(|kind| nearly.map(|plies| kind + plies));
                let other_kinds = kinds.iter().map(|kind| kind + plies);
                let wrong: Vec<u16> = wrong.chain(other_kinds).chain([1]).collect();
                for wrong in some(&wrong, trial + tier) {
                    if wrong == right {
                        continue;
                    }
                    let mut parts = parts.clone();
                    parts.set_value(index, wrong);
                    fs::write(&file, parts.to_file()).unwrap();
                    let error = verify(&game, folder.path()).unwrap_err();
                    let TableError::At { path, source } = &error else { panic!("{error}") };
                    let found = matches!(**source, TableError::WrongValue { .. });
                    assert!(
                        found && *path == file,
                        "{wrong:#06x} for index {index} of tier {tier}: {error}"
                    );
                }
            }
            fs::write(&file, right).unwrap();
        }
        let [passed, visited] = game.answers.map(AtomicU64::into_inner);
        assert!(passed > visited / 100 || run > RUN, "{passed} passed over, {visited} visited");
    }
}
