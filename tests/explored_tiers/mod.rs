//! Games in tiers whose states are discovered. The values are those found without tiers. The files
//! are the same from any number of threads and after any interruption. Faulty games and folders are
//! refused.
//!
//! Plain tests leave most of them out.

mod interrupted;
mod little_memory;

use std::fs;
use std::path::Path;

use kit::files;
use kit::graph::{Graph, Node, Packing};
use retrograde::error::{BrokenLaw, CheckpointError, LawError};
use retrograde::laws::{Law, Laws};
use retrograde::scheme::{Dense, Hashed, Packed, Tiers};
use retrograde::solve::TierFigures;
use retrograde::table::{Destination, NumberingKind};
use retrograde::{Outcome, Player, SolveError, Solver, Table, TableError, Value};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// Floor 4 announces moves to floors 2 and 3 only.
    UnannouncedTier,
    /// The root is on a floor that does not exist.
    StrangeRoot,
    /// A move that leaves floor 4 is missing from `exits`.
    MissingExit,
    /// Floor 4 gives too large a number of moves that stay on it.
    WrongInternalDegree,
    /// The representative of a room of floor 4 is one of floor 3.
    StrangeCanonical,
    /// No fault that a solve can notice, but other rules than the right game has.
    OtherRules,
    /// A wrong tier: the rooms of floor 1 in which play ends are assigned to floor 0.
    OtherFloors,
}

const FLOORS: u32 = 5;

type Castle = Graph<false, false>;

/// A number below `bound` that looks random, determined by `room` and `salt`.
fn random(room: u32, salt: u32, bound: u32) -> u32 {
    let mut mixed = u64::from(room) << 8 | u64::from(salt);
    for _ in 0..2 {
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^= mixed >> 32;
    }
    (mixed % u64::from(bound)) as u32
}

/// A castle of floors with `rooms` rooms each. Moves lead to rooms of the same floor or of lower
/// ones. None leads to floor 2.
fn castle(rooms: u32) -> Castle {
    let nodes = (0..FLOORS * rooms).map(|room| {
        let terminal = match random(room, 1, 40) {
            0 => Some(Outcome::Win(Player::First)),
            1 => Some(Outcome::Win(Player::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        };
        let moves = (2..4 + random(room, 0, 2)).map(|salt| 3 * salt).map(|salt| {
            let floor = match (random(room, salt, 8), room / rooms) {
                (0, floor) => random(room, salt + 1, floor + 1),
                (_, floor) => floor,
            };
            let floor = if floor == 2 { 1 } else { floor };
            floor * rooms + random(room, salt + 2, rooms)
        });
        (Node { terminal, ..Node::of(Player::BOTH[(room % 2) as usize]) }, moves.collect())
    });
    let roots = vec![FLOORS * rooms - 1];
    Graph { roots, ..Graph::new("castle", nodes).in_tiers(FLOORS as usize, "floor-") }
}

/// The castle with states packed into 16 bytes.
fn wide(castle: &Castle) -> Castle {
    Graph { packing: Packing { fits_u64: false, ..castle.packing }, ..castle.clone() }
}

const ROOMS: u32 = 2_000;

fn with_fault(fault: Fault) -> Castle {
    let mut castle = castle(ROOMS);
    match fault {
        Fault::None => {}
        Fault::UnannouncedTier => castle.tiers[4].leads_to = vec![2, 3],
        Fault::StrangeRoot => castle.roots = vec![FLOORS * ROOMS],
        Fault::MissingExit => castle.hidden_exits = Some(4),
        Fault::WrongInternalDegree => castle.wrong_internal_degree = Some((4, 9)),
        Fault::StrangeCanonical => {
            castle.roots = vec![4 * ROOMS + 7];
            castle.wrong_canonical = Some((4 * ROOMS + 7, 3 * ROOMS));
        }
        Fault::OtherRules => castle.change(|_, node| {
            if node.terminal == Some(Outcome::Win(Player::First)) {
                node.terminal = Some(Outcome::Draw);
            }
        }),
        Fault::OtherFloors => castle.change(|_, node| {
            if node.tier == 1 && node.terminal.is_some() {
                node.tier = 0;
            }
        }),
    }
    castle
}

/// The error of the file or folder that `error` names.
fn source(error: &TableError) -> &TableError {
    match error {
        TableError::At { source, .. } => match &**source {
            TableError::NotTheTier { source } => source,
            source => source,
        },
        error => panic!("names no file or folder: {error}"),
    }
}

fn solve(game: &Castle, folder: &Path) {
    solve_into(Solver::new(game), folder).unwrap();
}

/// Solves into a folder, with the states discovered tier by tier.
fn solve_into(
    solver: Solver<'_, '_, Castle>,
    folder: &Path,
) -> Result<Vec<TierFigures>, TableError> {
    solver.solve_into_as::<Tiers<Packed>>(folder)
}

/// All states and values, found without tiers.
fn whole(game: &Castle) -> Vec<(u32, Value)> {
    let solution = Solver::new(game).solve_as::<Packed>().unwrap();
    let states = solution.states_with(|_| true).map(|found| {
        let found = found.unwrap();
        (found.state, found.value.unwrap())
    });
    states.collect()
}

#[test]
fn tiers_and_none_have_the_same_values() {
    if kit::PLAIN {
        return;
    }
    let rooms = 20_000;
    let game = castle(rooms);
    let states = whole(&game);
    assert!(states.len() > 20_000 && states.len() < 80_000, "{} states", states.len());
    let wide_game = wide(&game);
    let narrow = Solver::new(&game).solve_as::<Tiers<Packed>>().unwrap();
    let wide = Solver::new(&wide_game).solve_as::<Tiers<Packed>>().unwrap();
    assert_eq!(narrow.numbering(), NumberingKind::TierPacked8(0));
    assert_eq!(wide.numbering(), NumberingKind::TierPacked16(0));
    let hashed = Solver::new(&game).solve_as::<Tiers<Hashed>>().unwrap();
    assert_eq!(hashed.numbering(), NumberingKind::TierHashed(0));
    let folder = tempfile::tempdir().unwrap();
    solve(&game, folder.path());
    let tables = Table::open(folder.path()).unwrap();
    let prober = tables.prober(game.clone()).unwrap();
    let mut numbers = Vec::new();
    for &(state, value) in &states {
        let found = narrow.index_and_value(&state).unwrap();
        assert_eq!(found.1, value, "{state}");
        assert_eq!(wide.index_and_value(&state).unwrap(), found, "{state}");
        assert_eq!(hashed.index_and_value(&state).unwrap(), found, "{state}");
        assert_eq!(prober.index_and_value(&state).unwrap(), found, "{state}");
        numbers.push(found.0);
    }
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(0..states.len() as u64));
    let (probed, values): (Vec<u32>, Vec<Value>) = states.iter().rev().copied().unzip();
    assert_eq!(prober.values(&probed).unwrap(), values);

    let by_tier: Vec<u64> = narrow.tiers().iter().map(|tier| tier.summary.states()).collect();
    assert_eq!(by_tier.iter().sum::<u64>(), states.len() as u64);
    assert_eq!((by_tier.len(), by_tier[2]), (FLOORS as usize, 0));
    assert!(by_tier[4] > 2_000 && by_tier[4] < 19_900, "{by_tier:?}");
    // A state that can't be reached is in no table, be it on the unreachable floor or elsewhere.
    let mut unreached = (0..FLOORS * rooms).filter(|room| !probed.contains(room));
    for room in [unreached.next().unwrap(), unreached.next_back().unwrap(), 2 * rooms] {
        assert!(
            narrow.index_and_value(&room).is_err() && prober.index_and_value(&room).is_err(),
            "{room}"
        );
    }
    assert!(prober.index_and_value(&(FLOORS * rooms)).is_err());
    for memory in [u64::MAX, 100_000, 0] {
        let tables = Table::open(folder.path()).unwrap().memory(memory);
        let verified = tables.verify(&game).unwrap();
        assert_eq!(verified, numbers.len() as u64);
    }
}

#[test]
fn threads_and_memory_make_no_difference_to_the_files() {
    if kit::PLAIN {
        return;
    }
    let game = castle(20_000);
    let solve = |threads, memory| {
        let folder = tempfile::tempdir().unwrap();
        let solver = Solver::new(&game).threads(threads).memory(memory);
        solve_into(solver, folder.path()).map(|_| files(folder.path()))
    };
    let one = solve(1, 1 << 30).unwrap();
    let names: Vec<&String> = one.keys().collect();
    let expected: Vec<String> = (0..FLOORS).map(|floor| format!("floor-{floor}.rtb")).collect();
    assert_eq!(names[..FLOORS as usize], expected.iter().collect::<Vec<_>>());
    assert_eq!(names[FLOORS as usize..], ["manifest.json"]);
    for threads in [2, 3, 8] {
        assert!(solve(threads, 1 << 30).unwrap() == one, "{threads} threads");
    }
    // With no room for edges, and with tiers that are loaded again from their files.
    assert!(solve(1, 1_500_000).unwrap() == one, "little memory");
    // The states that are found take less than the values of a tier.
    let error = solve(1, 100_000).unwrap_err();
    assert!(matches!(error, TableError::Solve(SolveError::OverLimit { .. })), "{error}");
    let error = solve(1, 10_000).unwrap_err();
    let refused = matches!(error, TableError::Solve(SolveError::ExplorationOverLimit { .. }));
    assert!(refused, "{error}");
}

#[test]
fn one_tier_and_what_it_needs_come_first() {
    if kit::PLAIN {
        return;
    }
    let game = castle(ROOMS);
    let expected = tempfile::tempdir().unwrap();
    solve(&game, expected.path());
    let folder = tempfile::tempdir().unwrap();
    let solve = |only: Option<&str>| {
        let to = only.into_iter().fold(Destination::at(folder.path()), Destination::only_tier);
        Solver::new(&game).solve_into_as::<Tiers<Packed>>(to)
    };
    let some = solve(Some("floor-1")).unwrap();
    assert_eq!(some.iter().map(|tier| &*tier.name).collect::<Vec<_>>(), ["floor-0", "floor-1"]);
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    let states = ["floor-2.states", "floor-3.states", "floor-4.states"];
    assert_eq!(names[2..5], states);
    let tables = Table::open(folder.path()).unwrap();
    let prober = tables.prober(game.clone()).unwrap();
    let all = whole(&game);
    for &(state, value) in &all {
        match prober.value(&state) {
            Ok(found) => assert_eq!(found, value, "{state}"),
            Err(error) => assert!(state >= 2 * ROOMS, "{state}: {error}"),
        }
    }
    let refused = matches!(solve(Some("cellar")), Err(TableError::NoSuchTier { .. }));
    assert!(refused);
    assert_eq!(solve(None).unwrap().iter().filter(|tier| tier.found).count(), 2);
    assert!(files(expected.path()) == files(folder.path()));
}

#[test]
fn faulty_tiers_are_refused() {
    if kit::PLAIN {
        return;
    }
    let solve = |fault| Solver::new(&with_fault(fault)).solve_as::<Tiers<Packed>>().map(|_| ());
    let error = solve(Fault::UnannouncedTier).unwrap_err();
    let SolveError::BrokenLaw(broken) = error else { panic!("{error}") };
    let floors = broken.states.iter().map(|room| room.parse::<u32>().unwrap() / ROOMS);
    let floors: Vec<u32> = floors.collect();
    assert!(broken.law == Law::Tiers && floors[0] == 4 && floors[1] < 2, "{broken}");
    let says = "not in `leads_to` of floor-4: add it there";
    assert!(broken.counterexample.ends_with(says), "{broken}");
    let error = solve(Fault::StrangeRoot).unwrap_err();
    let SolveError::BrokenLaw(broken) = error else { panic!("{error}") };
    let says = "10000 is in tier number 5, but there are 5 tiers";
    assert!(broken.law == Law::Tiers && broken.counterexample.starts_with(says), "{broken}");
    let game = castle(ROOMS);
    let solver = Solver::new(&game).max_states(500);
    let error = solver.solve_as::<Tiers<Packed>>().map(|_| ()).unwrap_err();
    assert!(matches!(error, SolveError::TooManyToExplore { limit: 500, .. }), "{error}");
}

#[test]
fn broken_tiers_break_the_law_of_tiers() {
    if kit::PLAIN {
        return;
    }
    let check = |fault| Laws::new(&with_fault(fault)).notation().check_as::<Tiers<Packed>>();
    let report = check(Fault::None).unwrap();
    assert_eq!(report.states, whole(&with_fault(Fault::None)).len() as u64);
    let error = check(Fault::MissingExit).unwrap_err();
    assert!(matches!(error, LawError::Broken(BrokenLaw { law: Law::Tiers, .. })), "{error}");
    let error = check(Fault::StrangeCanonical).unwrap_err();
    assert!(matches!(error, LawError::Broken(_)), "{error}");
    assert!(check(Fault::UnannouncedTier).is_err());
    let error = check(Fault::WrongInternalDegree).unwrap_err();
    assert!(matches!(error, LawError::Broken(BrokenLaw { law: Law::Degree, .. })), "{error}");
}

#[test]
fn a_folder_in_another_state_is_told() {
    if kit::PLAIN {
        return;
    }
    let game = with_fault(Fault::None);
    let explored = tempfile::tempdir().unwrap();
    let go_on = |only: Option<&str>| {
        let to = only.into_iter().fold(Destination::at(explored.path()), Destination::only_tier);
        Solver::new(&game).solve_into_as::<Tiers<Packed>>(to)
    };
    go_on(Some("floor-0")).unwrap();
    // With another numbering, in both directions.
    let solve_dense = |folder: &Path| {
        let solver = Solver::new(&game);
        solver.solve_into_as::<Tiers<Dense>>(folder)
    };
    let error = solve_dense(explored.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherNumbering { .. }), "{error}");
    let indexed = tempfile::tempdir().unwrap();
    solve_dense(indexed.path()).unwrap();
    let error = solve_into(Solver::new(&game), indexed.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherNumbering { .. }), "{error}");
    let error = solve_into(Solver::new(&wide(&game)), explored.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherNumbering { .. }), "{error}");

    // The states of a tier are damaged, or missing.
    let states = explored.path().join("floor-3.states");
    let whole = fs::read(&states).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(&states, damaged).unwrap();
    let error = go_on(None).unwrap_err();
    let refused = matches!(
        &error,
        TableError::Solve(SolveError::Checkpoint(CheckpointError::Damaged { path, .. }))
            if path.ends_with("floor-3.states")
    );
    assert!(refused, "{error}");
    fs::remove_file(&states).unwrap();
    go_on(Some("floor-0")).unwrap();
    assert!(fs::read(&states).unwrap() == whole);
    go_on(None).unwrap();
    assert!(!states.exists());
}

#[test]
fn a_wrong_value_in_any_tier_is_found() {
    if kit::PLAIN {
        return;
    }
    let right = castle(ROOMS);
    let [folder, wrong] = [Fault::None, Fault::OtherRules].map(|fault| {
        let folder = tempfile::tempdir().unwrap();
        solve(&with_fault(fault), folder.path());
        folder
    });
    let mut differing = 0;
    for (name, other) in files(wrong.path()) {
        let file = folder.path().join(&name);
        let before = fs::read(&file).unwrap();
        if before == other {
            continue;
        }
        differing += 1;
        fs::write(&file, other).unwrap();
        for memory in [u64::MAX, 0] {
            let tables = Table::open(folder.path()).unwrap().memory(memory);
            let error = tables.verify(&right).unwrap_err();
            assert!(matches!(source(&error), TableError::WrongValue { .. }), "{error}");
        }
        fs::write(&file, before).unwrap();
    }
    assert!(differing > 2, "{differing}");
    let tables = Table::open(folder.path()).unwrap();
    tables.verify(&right).unwrap();
}

#[test]
fn a_state_in_the_table_of_another_tier_is_found() {
    if kit::PLAIN {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    solve(&with_fault(Fault::OtherFloors), folder.path());
    for memory in [u64::MAX, 0] {
        let tables = Table::open(folder.path()).unwrap().memory(memory);
        let error = tables.verify(&castle(ROOMS)).unwrap_err();
        assert!(error.to_string().contains("which is of another tier"), "{error}");
    }
}

#[test]
fn outcomes_alone_have_the_states_too() {
    if kit::PLAIN {
        return;
    }
    let game = castle(ROOMS);
    let folder = tempfile::tempdir().unwrap();
    solve(&game, folder.path());
    let outcomes = folder.path().join("outcomes");
    let tables = Table::open(folder.path()).unwrap();
    tables.save_outcomes(&game, &outcomes).unwrap();
    let outcomes = Table::open(outcomes).unwrap();
    let prober = outcomes.prober(game.clone()).unwrap();
    for (state, value) in whole(&game) {
        assert_eq!(prober.index_and_kind(&state).unwrap().1, value.kind(), "{state}");
    }
    outcomes.verify(&game).unwrap();
}
