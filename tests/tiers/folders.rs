//! Tiers in the files of a folder.

use std::fs;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use retrograde::error::QueryError;
use retrograde::solve::Progress;
use retrograde::{Player, Solver, Table, TableError, TierIndexed};

use super::track::{Fault, Track, track};

/// The error of the file or folder that `error` names.
fn source(error: &TableError) -> &TableError {
    match error {
        TableError::At { source, .. } => source,
        error => panic!("names no file or folder: {error}"),
    }
}

/// A folder with the solved track.
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

/// Looking at all tiers for each of them would take minutes.
#[test]
fn a_manifest_of_very_many_tiers_is_refused_at_once() {
    let folder = solved(Fault::None);
    let path = folder.path().join("manifest.json");
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut took = Duration::ZERO;
    let mut refused = |last: serde_json::Value| {
        let mut manifest = manifest.clone();
        let tier =
            |number: u32| serde_json::json!({ "name": format!("t{number}"), "leads_to": [] });
        let tiers = (0..kit::few(20_000, 200_000)).map(tier).chain([last]);
        manifest["tiers"] = tiers.collect();
        fs::write(&path, manifest.to_string()).unwrap();
        let began = Instant::now();
        let opened = Table::open(folder.path()).and_then(|folder| folder.game::<Track>());
        took += began.elapsed();
        opened.unwrap_err().to_string()
    };
    let other = refused(serde_json::json!({ "name": "last", "leads_to": ["t1"] }));
    assert!(other.contains("its tiers are not those of its game"), "{other}");
    let counted = refused(serde_json::json!({ "name": "last", "leads_to": [], "states": 3 }));
    assert!(counted.contains("tier t0 has no count of its states"), "{counted}");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn what_happened_to_a_tier_is_told_with_its_file() {
    let game = track(Fault::None);
    let name = |error: &TableError| match error {
        TableError::At { path, .. } => path.file_name().unwrap().to_owned(),
        error => panic!("{error}"),
    };
    // One file is missing.
    let folder = solved(Fault::None);
    let file = folder.path().join("stretch-1.rtb");
    fs::remove_file(&file).unwrap();
    let open = Table::open(folder.path()).unwrap();
    assert_eq!(open.tiers().unwrap().len(), 3);
    let prober = open.prober(game.clone()).unwrap();
    prober.value(&(2, Player::First)).unwrap();
    let QueryError::Table(error) = prober.value(&(5, Player::First)).unwrap_err() else { panic!() };
    assert_eq!(name(&error), "stretch-1.rtb");
    assert_eq!(name(&open.verify(&game).unwrap_err()), "stretch-1.rtb");

    // Another file is in its place.
    fs::copy(folder.path().join("stretch-2.rtb"), &file).unwrap();
    let open = Table::open(folder.path()).unwrap();
    let error = open.verify(&game).unwrap_err();
    assert!(matches!(source(&error), TableError::OtherNumbering { .. }), "{error}");

    // A resumed run does not replace it.
    let error = Solver::new(&game).solve_into(folder.path()).unwrap_err();
    assert_eq!(name(&error), "stretch-1.rtb");
    assert!(matches!(source(&error), TableError::NotTheTier { .. }), "{error}");
    assert!(error.to_string().ends_with("delete it to have the tier solved again"));
    fs::write(&file, "dear reader").unwrap();
    let error = Solver::new(&game).solve_into(folder.path()).unwrap_err();
    assert_eq!(name(&error), "stretch-1.rtb");
    assert!(error.to_string().ends_with("delete it to have the tier solved again"));
}

#[test]
fn the_tier_of_another_game_has_no_figures_here() {
    let (folder, other) = (solved(Fault::None), tempfile::tempdir().unwrap());
    Solver::new(&Track { length: 16, fault: Fault::None }).solve_into(other.path()).unwrap();
    let name = "stretch-1.rtb";
    fs::copy(other.path().join(name), folder.path().join(name)).unwrap();
    let table = Table::open(folder.path()).unwrap();
    let verified = table.verify(&track(Fault::None)).unwrap_err();
    for error in [table.tiers().unwrap_err(), table.summary().unwrap_err()] {
        assert!(matches!(source(&error), TableError::OtherGame { .. }), "{error}");
        assert_eq!(error.to_string(), verified.to_string());
    }
}

#[test]
fn the_file_of_one_tier_says_which_it_is() {
    let game = track(Fault::None);
    let folder = solved(Fault::None);
    let whole = Table::open(folder.path()).unwrap();
    assert_eq!(whole.tier_name(&game).unwrap(), None);
    let table = Table::open(folder.path().join("stretch-2.rtb")).unwrap();
    assert_eq!(table.tier_name(&game).unwrap().as_deref(), Some("stretch-2"));
    assert_eq!(table.tiers().unwrap()[0].summary, whole.tiers().unwrap()[2].summary);
    let other = Track { length: 16, fault: Fault::None };
    let error = table.tier_name(&other).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    assert!(matches!(table.prober(game.clone()).unwrap_err(), TableError::OneTier));
}

/// Ways to damage a file that still looks like a table.
fn damages(file: &[u8]) -> Vec<Vec<u8>> {
    let flip = |at: usize| {
        let mut bytes = file.to_vec();
        bytes[at] ^= 1;
        bytes
    };
    let mut damages: Vec<_> = [20, 50, 100].map(flip).into();
    damages.extend([2, 3].map(|part| flip(file.len() - file.len() / (2 * part))));
    damages.extend([file.len() - 1, 50, 0].map(|length| file[..length].to_vec()));
    damages.push([file, b"x"].concat());
    damages
}

#[test]
fn a_damaged_tier_is_solved_again_when_a_run_resumes() {
    let game = track(Fault::None);
    let folder = solved(Fault::None);
    for tier in [0, 1, 3] {
        let file = folder.path().join(format!("stretch-{tier}.rtb"));
        let intact = fs::read(&file).unwrap();
        for damaged in damages(&intact) {
            fs::write(&file, damaged).unwrap();
            let mut told = Vec::new();
            let mut progress = |event| {
                if let Progress::Damaged { tier } = event {
                    told.push(tier);
                }
                ControlFlow::Continue(())
            };
            let solver = Solver::new(&game).on_progress(&mut progress);
            let tiers = solver.solve_into(folder.path()).unwrap();
            assert_eq!(told, [tier]);
            let again: Vec<_> = (0..4).filter(|&tier| !tiers[tier].found).collect();
            assert_eq!(again, [tier]);
            assert!(fs::read(&file).unwrap() == intact, "tier {tier}");
        }
    }
    let table = Table::open(folder.path()).unwrap();
    table.verify(&game).unwrap();
}

#[test]
fn a_damaged_tier_of_outcomes_is_written_again() {
    let game = track(Fault::None);
    let (folder, outcomes) = (solved(Fault::None), tempfile::tempdir().unwrap());
    let table = Table::open(folder.path()).unwrap();
    let write = || table.save_outcomes(&game, outcomes.path());
    let bytes = write().unwrap();
    let file = outcomes.path().join("stretch-1.rtb");
    let intact = fs::read(&file).unwrap();
    for damaged in damages(&intact) {
        fs::write(&file, damaged).unwrap();
        assert_eq!(write().unwrap(), bytes);
        assert!(fs::read(&file).unwrap() == intact);
    }
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
            let open = Table::open(folder.path()).unwrap().memory(memory);
            open.verify(&right).unwrap_err()
        });
        assert!(matches!(source(&much), TableError::WrongValue { .. }), "{much}");
        assert_eq!(much.to_string(), little.to_string());
        // It is found in its tier, and those before it do not ask for it.
        let open = Table::open(folder.path()).unwrap();
        let error = open.verifier(&right).only_tier(format!("stretch-{tier}")).verify();
        assert_eq!(error.unwrap_err().to_string(), much.to_string());
        for before in 0..tier {
            open.verifier(&right).only_tier(format!("stretch-{before}")).verify().unwrap();
        }
    }
    let folder = solved(Fault::None);
    let states = [u64::MAX, 0].map(|memory| {
        let open = Table::open(folder.path()).unwrap().memory(memory);
        let one = |tier| open.verifier(&right).only_tier(format!("stretch-{tier}")).verify();
        let in_parts: u64 = (0..4).map(|tier| one(tier).unwrap()).sum();
        assert_eq!(in_parts, open.verify(&right).unwrap());
        in_parts
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
    // No lock is left, and the lock of a killed run stops no other run.
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
