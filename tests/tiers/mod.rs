//! Games in tiers: refusals, faults that are found, and the same results from any number of
//! threads.

mod exits;
mod folders;
mod leaving;
mod memory;
mod rows;
mod threads;
mod track;

use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{Law, Laws};
use retrograde::scheme::Dense;
use retrograde::{Indexed, Player, SolveError, Solver, TableError, Value};

use track::{Fault, track};

#[test]
fn tiers_and_one_numbering_agree() {
    let game = track(Fault::None);
    let tiers = Solver::new(&game).solve().unwrap();
    let dense = Solver::new(&game).solve_as::<Dense>().unwrap();
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        assert_eq!(tiers.value(&state).unwrap(), dense.value(&state).unwrap(), "{state:?}");
    }
    assert_eq!(tiers.value(&(0, Player::First)).unwrap(), Value::Loss(0));
    assert_eq!(tiers.tiers().len(), 4);
}

#[test]
fn broken_tiers_break_the_law_of_tiers() {
    let check = |fault| Laws::new(&track(fault)).notation().check();
    check(Fault::None).unwrap();
    let cases = [
        (Fault::UnannouncedTier, "8 first, in tier stretch-2, has a move to 7 second"),
        (
            Fault::TierBeforeItsTime,
            "tier stretch-1 leads to stretch-2, which does not come before it in the solving order",
        ),
        (Fault::SharedName, "two tiers are called stretch-0"),
        (
            Fault::MissingExit,
            "5 first has a move to 3 second in another tier, which `exits` does not visit",
        ),
        (Fault::ExitWithin, "`exits` visits "),
    ];
    for (fault, text) in cases {
        let error = check(fault).unwrap_err();
        let LawError::Broken(BrokenLaw { law, ref counterexample, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!(law, Law::Tiers, "{fault:?}");
        assert!(counterexample.starts_with(text), "{counterexample}");
    }
    let error = check(Fault::WrongInternalDegree).unwrap_err();
    assert!(matches!(error, LawError::Broken(BrokenLaw { law: Law::Degree, .. })), "{error}");
    for (fault, text) in [
        (Fault::MissingSuccessor, "does not visit all moves: one that stays in tier 1"),
        (Fault::InventedSuccessor, "visits more than the moves: one that leaves tier 1"),
        (Fault::WrongTurn, "visits more than the moves: one that stays in tier 1"),
        (Fault::OtherRun, "does not visit all moves: one that stays in tier 1"),
        (Fault::OtherTurn, "does not visit all moves: one that stays in tier 1"),
        (Fault::OthersMissing, "does not visit all moves: one that leaves tier 1"),
    ] {
        let error = check(fault).unwrap_err();
        let LawError::Broken(BrokenLaw { law, ref counterexample, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!(law, Law::Successors, "{fault:?}");
        assert!(counterexample.contains(text), "{counterexample}");
    }
}

#[test]
fn names_that_can_not_be_names_of_files_are_refused() {
    let letters = "expected letters, digits, -, _, + and ., the first a letter or digit";
    for (name, why) in [
        ("Stretch-1", "another is called \"stretch-1\", which is the same file on some disks"),
        ("..", letters),
        ("", letters),
        ("a/b", letters),
        ("two left", letters),
        ("manifest", "that is the file that lists the tiers"),
        ("Manifest", "that is the file that lists the tiers"),
    ] {
        let says = format!("a tier can't be called \"{name}\": {why}");
        let game = track(Fault::Named(name));
        let error = Laws::new(&game).check().unwrap_err();
        let LawError::Broken(BrokenLaw { law, counterexample, .. }) = error else {
            panic!("{error}")
        };
        assert_eq!((law, &*counterexample), (Law::Tiers, &*says));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiers");
        let error = Solver::new(&game).solve_into(&path).unwrap_err().to_string();
        assert!(error.contains(&says), "{error}");
        assert!(!path.join("stretch-0.rtb").exists());
    }
    Laws::new(&track(Fault::Named("A.b_c+d-2"))).check().unwrap();
}

#[test]
fn tiers_that_can_not_be_solved_in_order_are_refused() {
    let error = Solver::new(&track(Fault::TierBeforeItsTime)).solve().unwrap_err();
    let broken = |error: SolveError, law, states: &[&str], says: &str| {
        let SolveError::BrokenLaw(broken) = error else { panic!("{error}") };
        let named: Vec<&str> = broken.states.iter().map(String::as_str).collect();
        assert_eq!((broken.law, &named[..]), (law, states), "{broken}");
        assert!(broken.counterexample.contains(says), "{broken}");
    };
    broken(error, Law::Tiers, &[], "list it earlier in `Tiered::tiers`");
    let error = Solver::new(&track(Fault::UnannouncedTier)).solve().unwrap_err();
    let says = "(8, First), in tier stretch-2, has a move to (6, Second), in tier stretch-1, which is \
                not in `leads_to` of stretch-2: add it there";
    broken(error, Law::Tiers, &["(8, First)", "(6, Second)"], says);
    let error = Solver::new(&track(Fault::UnusedIndex)).notation().solve().unwrap_err();
    let says = "8 second has a move to 7 first, whose index 6 in tier stretch-1 is unused";
    broken(error, Law::Index, &["8 second", "7 first"], says);
    for fault in [Fault::ExitWithin, Fault::MissingExit] {
        let error = Solver::new(&track(fault)).solve().unwrap_err();
        assert!(
            matches!(error, SolveError::BrokenLaw(BrokenLaw { law: Law::Tiers, .. })),
            "{error}"
        );
    }
    let error = Solver::new(&track(Fault::SharedName)).solve().unwrap_err();
    let says =
        "two tiers are called stretch-0: give each tier of `Tiered::tiers` a name of its own";
    broken(error, Law::Tiers, &[], says);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiers");
    let error = Solver::new(&track(Fault::SharedName)).solve_into(&path).unwrap_err();
    let TableError::Solve(error) = error else { panic!("{error}") };
    broken(error, Law::Tiers, &[], says);
    assert!(!path.join("stretch-0.rtb").exists());
    let error = Solver::new(&track(Fault::None)).max_states(7).solve().unwrap_err();
    assert_eq!(error, SolveError::TooManyStatesAllowed { states: 8, limit: 7 });
}
