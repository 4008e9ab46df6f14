//! Memory that is not enough for some tier: refused before the first tier is solved.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;

use retrograde::scheme::{Dense, Tiers};
use retrograde::solve::Progress;
use retrograde::{
    Game, Outcome, Player, SolveError, Solver, Stored, TableError, Tier, TierIndexed, Tiered,
};
use serde::{Deserialize, Serialize};

use super::threads::{ROOMS, maze, solve_into};

#[test]
fn a_tier_that_does_not_fit_is_refused_before_the_first_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiers");
    if kit::PLAIN {
        return;
    }
    let maze = maze(ROOMS);
    let reports = Cell::new(0);
    let solve = |memory: u64| {
        let count = |_: Progress| {
            reports.set(reports.get() + 1);
            ControlFlow::Continue(())
        };
        solve_into(Solver::new(&maze).memory(memory).on_progress(count), &path)
    };
    // Enough for the first tier.
    let refused = solve(150_000).map(|_| ());
    let Err(TableError::Solve(SolveError::OverLimit {
        tier, states, needed, held, allowed, ..
    })) = refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!((tier.as_deref(), states), (Some("2"), u64::from(ROOMS)));
    assert_eq!((held, allowed), (0, 150_000));
    // A byte for each value of the tier and of the two before, two frontiers, and four bytes for
    // each state with exits. Three of four states have exits.
    assert!((6 * states..7 * states).contains(&needed), "{needed}");
    assert_eq!(reports.get(), 0);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    assert!(solve(needed - 1).is_err());
    assert_eq!(reports.get(), 0);
    // Long distances need more memory. The tiers before are not solved again.
    let (mut memory, mut refusals) = (needed, 0);
    let tiers = loop {
        match solve(memory) {
            Ok(tiers) => break tiers,
            Err(TableError::Solve(
                SolveError::WideningOverLimit { needed, allowed, .. }
                | SolveError::OverLimit { needed, allowed, .. },
            )) => {
                assert!(needed > allowed && allowed == memory);
                memory = needed;
            }
            Err(error) => panic!("{error}"),
        }
        refusals += 1;
    };
    assert!(refusals > 0 && tiers.iter().any(|tier| tier.found), "{tiers:?}");
    assert!(memory < 10 * states, "{memory}");
    let expected = folder.path().join("expected");
    solve_into(Solver::new(&maze), &expected).unwrap();
    for entry in fs::read_dir(&expected).unwrap() {
        let file = entry.unwrap().path();
        let other = path.join(file.file_name().unwrap());
        assert!(fs::read(&file).unwrap() == fs::read(other).unwrap(), "{file:?}");
    }
    // Solved tiers are not refused.
    assert_eq!(solve(1).unwrap().len(), 3);
}

#[test]
fn the_states_allowed_are_compared_with_every_tier_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiers");
    let maze = maze(1_000);
    let refused = solve_into(Solver::new(&maze).max_states(9), &path).map(|_| ());
    let is_refused =
        matches!(refused, Err(TableError::Solve(SolveError::TooManyStatesAllowed { .. })));
    assert!(is_refused, "{refused:?}");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
}

/// Beside the values of the tier, those of the tiers that it leads to are in files.
#[test]
#[cfg(target_os = "linux")]
fn what_a_tier_leads_to_is_in_scratch_files_where_memory_is_too_small() {
    let folder = tempfile::tempdir().unwrap();
    let [path, expected, scratch] =
        ["tiers", "expected", "scratch"].map(|name| folder.path().join(name));
    fs::create_dir(&scratch).unwrap();
    let maze = maze(kit::few(30_000, ROOMS));
    let refused = solve_into(Solver::new(&maze).memory(1), &path).map(|_| ());
    let Err(TableError::Solve(SolveError::OverLimit { states, needed, in_scratch, .. })) = refused
    else {
        panic!("{refused:?}")
    };
    let least = in_scratch.expect("a figure");
    assert!(least < needed / 4 && least < states, "{least} of {needed}");
    let solver = |memory| Solver::new(&maze).memory(memory).scratch(&scratch);
    assert!(solve_into(solver(least - 1), &path).is_err());
    let most = Cell::new(0);
    let watch = |progress| {
        if let Progress::Planned(plan) = progress {
            most.set(plan.scratch.max(most.get()));
        }
        ControlFlow::Continue(())
    };
    solve_into(solver(least).on_progress(watch), &path).unwrap();
    assert!(most.get() > 2 * states, "{} bytes of files", most.get());
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    solve_into(Solver::new(&maze), &expected).unwrap();
    assert!(kit::files(&path) == kit::files(&expected));
}

/// A shelf of states that the player to move has won, a long way whose states lead to the one below, and a
/// door to the shelf. The way leads there, too, if `has_exits`, which never helps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Way {
    has_exits: bool,
}

const SHELF: u8 = 0;
const WAY: u8 = 1;
const DOOR: u8 = 2;
const LONG: u32 = kit::by_effort([2_000, 4_000, 4_000]);

impl Game for Way {
    type State = (u8, u32);

    fn turn(&self, &(_, at): &(u8, u32)) -> Player {
        Player::BOTH[at as usize % 2]
    }

    fn terminal(&self, state: &(u8, u32)) -> Option<Outcome> {
        match *state {
            (SHELF, _) => Some(Outcome::Win(self.turn(state))),
            (WAY, 0) => Some(Outcome::Win(self.turn(state).opponent())),
            _ => None,
        }
    }

    fn moves(&self, &(place, at): &(u8, u32), mut visit: impl FnMut((u8, u32))) {
        match place {
            DOOR => visit((SHELF, 1)),
            _ => visit((place, at - 1)),
        }
        if place == WAY && self.has_exits {
            visit((SHELF, at ^ 1));
        }
    }

    fn roots(&self) -> impl IntoIterator<Item = (u8, u32)> {
        [(DOOR, 0)]
    }
}

impl Tiered for Way {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |name: &str, leads_to| Tier { name: name.into(), leads_to };
        let of_way = if self.has_exits { vec![0] } else { vec![] };
        vec![tier("shelf", vec![]), tier("way", of_way), tier("door", vec![0])]
    }

    fn tier(&self, &(place, _): &(u8, u32)) -> usize {
        place.into()
    }
}

impl TierIndexed for Way {
    fn tier_len(&self, tier: usize) -> u64 {
        if tier == usize::from(DOOR) { 1 } else { LONG.into() }
    }

    fn tier_index(&self, _: usize, &(_, at): &(u8, u32)) -> u64 {
        at.into()
    }

    fn tier_unindex(&self, tier: usize, index: u64) -> Option<(u8, u32)> {
        Some((tier as u8, index as u32))
    }
}

impl Stored for Way {
    const NAME: &'static str = "way";
}

/// Solves the way with so much memory, in eighths of a byte for each state of it.
fn assert_solved(has_exits: bool, eighths: u64) {
    let folder = tempfile::tempdir().unwrap();
    let way = Way { has_exits };
    let solver = Solver::new(&way).memory(u64::from(LONG) * eighths / 8);
    let tiers = solver.solve_into_as::<Tiers<Dense>>(folder.path()).unwrap();
    let longest = |tier: usize| tiers[tier].summary.longest();
    assert_eq!([longest(0), longest(1), longest(2)], [Some(0), Some(LONG - 1), Some(1)]);
}

#[test]
fn tiers_for_later_make_room_for_long_distances() {
    // A byte for each state of the way, a quarter for two frontiers, another byte once distances are
    // long, and a byte for each state of the shelf: less than all of them.
    assert_solved(false, 8 + 2 + 4 + 8);
}

#[test]
fn values_behind_exits_make_room_for_long_distances_once_they_are_used_up() {
    // Here the shelf is needed, and four bytes for each state's exits are: in the first pass alone.
    assert_solved(true, 8 + 2 + 4 + 8 + 32);
}
