//! Tiers in the files of a folder.

use std::fs;
use std::ops::ControlFlow;

use retrograde::query::QueryError;
use retrograde::{Player, Query, Solver, Table, TableError, TierIndexed};

use crate::track::{Fault, Track, ignore, track};

/// What is wrong with the file or folder that the error names.
fn source(error: &TableError) -> &TableError {
    match error {
        TableError::At { source, .. } => source,
        error => panic!("names no file or folder: {error}"),
    }
}

/// A folder with the track solved into it.
fn solved(fault: Fault) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Solver::new(&track(fault)).solve_into(folder.path()).unwrap();
    folder
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear reader").unwrap();
    let error = Solver::new(&track(Fault::None)).solve_into(folder.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::NotOfTiers), "{error}");
    let solved = solved(Fault::None);
    let other = Track { length: 16, fault: Fault::None };
    let error = Solver::new(&other).solve_into(solved.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherGame { .. }), "{error}");
    let error = Table::open(folder.path()).unwrap_err();
    assert!(matches!(source(&error), TableError::NotOfTiers), "{error}");
    let file = folder.path().join("letter.txt");
    let error = Solver::new(&other).solve_into(&file).unwrap_err();
    assert!(matches!(source(&error), TableError::Io { .. }), "{error}");
}

#[test]
fn a_manifest_that_makes_no_sense_is_refused() {
    let folder = solved(Fault::None);
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let cases = [
        (String::new(), "EOF"),
        (text.replace("\"format\": 1", "\"format\": 7"), "its format is 7, 1 was expected"),
        (text.replace("stretch-1", "../stretch-1"), "a tier is called \"../stretch-1\""),
        (text.replace("stretch-3", "stretch-4"), "its tiers are not those of its game"),
        (text.replace("15", "\"long\""), "the game's parameters"),
    ];
    for (text, problem) in cases {
        fs::write(&path, text).unwrap();
        let opened = Table::open(folder.path()).and_then(|folder| folder.game::<Track>());
        let error = opened.unwrap_err();
        assert!(matches!(source(&error), TableError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn what_happened_to_a_tier_is_told_with_its_file() {
    let game = track(Fault::None);
    let name = |error: &TableError| match error {
        TableError::At { path, .. } => path.file_name().unwrap().to_owned(),
        error => panic!("{error}"),
    };
    // One is missing.
    let folder = solved(Fault::None);
    let file = folder.path().join("stretch-1.rtb");
    fs::remove_file(&file).unwrap();
    let open = Table::open(folder.path()).unwrap();
    assert_eq!(open.tiers().unwrap().len(), 3);
    let prober = open.prober(&game).unwrap();
    prober.value(&(2, Player::First)).unwrap();
    let QueryError::Table(error) = prober.value(&(5, Player::First)).unwrap_err() else { panic!() };
    assert_eq!(name(&error), "stretch-1.rtb");
    assert_eq!(name(&open.verify(&game, &mut ignore).unwrap_err()), "stretch-1.rtb");

    // Another is in its place.
    fs::copy(folder.path().join("stretch-2.rtb"), &file).unwrap();
    let open = Table::open(folder.path()).unwrap();
    let error = open.verify(&game, &mut ignore).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherNumbering { .. }), "{error}");

    // One is damaged, which a resumed run notices where it needs it.
    let mut bytes = fs::read(folder.path().join("stretch-2.rtb")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.path().join("stretch-2.rtb"), bytes).unwrap();
    fs::remove_file(folder.path().join("stretch-3.rtb")).unwrap();
    fs::remove_file(&file).unwrap();
    let error = Solver::new(&game).solve_into(folder.path()).unwrap_err();
    assert_eq!(name(&error), "stretch-2.rtb");
}

#[test]
fn a_wrong_value_in_any_tier_is_found() {
    let right = track(Fault::None);
    let wrong = solved(Fault::OtherRules);
    let values = |fault, tier| {
        let game = track(fault);
        let solution = Solver::new(&game).solve().unwrap();
        let states = (0..game.tier_len(tier)).filter_map(|index| game.tier_unindex(tier, index));
        states.map(|state| solution.value(&state).unwrap()).collect::<Vec<_>>()
    };
    let differ = |tier: &usize| values(Fault::None, *tier) != values(Fault::OtherRules, *tier);
    let tiers: Vec<usize> = (0..4).filter(differ).collect();
    assert!(tiers.len() > 1);
    for tier in tiers {
        let folder = solved(Fault::None);
        let file = format!("stretch-{tier}.rtb");
        fs::copy(wrong.path().join(&file), folder.path().join(&file)).unwrap();
        let [much, little] = [u64::MAX, 0].map(|memory| {
            let open = Table::open(folder.path()).unwrap().with_memory(memory);
            open.verify(&right, &mut ignore).unwrap_err()
        });
        assert!(matches!(source(&much), TableError::WrongValue { .. }), "{much}");
        assert_eq!(much.to_string(), little.to_string());
    }
    let folder = solved(Fault::None);
    let states = [u64::MAX, 0].map(|memory| {
        let open = Table::open(folder.path()).unwrap().with_memory(memory);
        open.verify(&right, &mut ignore).unwrap()
    });
    assert!(states[0] > 0 && states[0] == states[1], "{states:?}");
}

#[test]
fn two_runs_do_not_solve_into_one_folder_at_once() {
    let game = track(Fault::None);
    let folder = tempfile::tempdir().unwrap();
    let again = || Solver::new(&game).solve_into(folder.path());
    let mut refused = 0;
    let mut progress = |_| {
        let error = again().unwrap_err();
        assert!(matches!(source(&error), TableError::InUse), "{error}");
        refused += 1;
        ControlFlow::Continue(())
    };
    Solver::new(&game).on_progress(&mut progress).solve_into(folder.path()).unwrap();
    assert!(refused > 0);
    assert_eq!(again().unwrap().len(), 4);
    // Nothing of it is left, and what a killed run left locks nobody out.
    let lock = folder.path().join("tiers.lock");
    assert!(!lock.exists());
    fs::write(&lock, "").unwrap();
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    for tier in 0..4 {
        fs::remove_file(folder.path().join(format!("stretch-{tier}.rtb"))).unwrap();
    }
    again().unwrap();
    assert!(!lock.exists());
}
