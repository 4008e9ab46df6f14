//! Games in tiers: what is refused, what is found wrong, and that threads make no difference.

mod folders;
mod threads;
mod track;

use retrograde::laws::{self, Law, LawError, Scope};
use retrograde::{Indexed, Player, Query, SolveError, Solver, Value};

use track::{Fault, track};

#[test]
fn tiers_and_one_numbering_agree() {
    let game = track(Fault::None);
    let (tiers, dense) =
        (Solver::new(&game).tiered().unwrap(), Solver::new(&game).dense().unwrap());
    for state in (0..game.len()).filter_map(|index| game.unindex(index)) {
        assert_eq!(tiers.value(&state).unwrap(), dense.value(&state).unwrap(), "{state:?}");
    }
    assert_eq!(tiers.value(&(0, Player::First)).unwrap(), Value::Loss(0));
    assert_eq!(tiers.tiers().len(), 4);
}

#[test]
fn broken_tiers_break_the_law_of_tiers() {
    laws::check_tiers(&track(Fault::None), Scope::All).unwrap();
    let cases = [
        (Fault::UnannouncedTier, "8 first, in tier stretch-2, has a move to 7 second"),
        (Fault::TierBeforeItsTime, "tier stretch-1, number 1, leads to number 2"),
        (Fault::SharedName, "two tiers are called stretch-0"),
        (Fault::MissingLeaving, "5 first has 1 distinct successors outside its tier"),
    ];
    for (fault, text) in cases {
        let error = laws::check_tiers(&track(fault), Scope::All).unwrap_err();
        let LawError::Broken { law, ref counterexample } = error else { panic!("{error}") };
        assert_eq!(law, Law::Tiers, "{fault:?}");
        assert!(counterexample.starts_with(text), "{counterexample}");
    }
    let error = laws::check_tiers(&track(Fault::WrongStaying), Scope::All).unwrap_err();
    assert!(matches!(error, LawError::Broken { law: Law::Degree, .. }), "{error}");
    for (fault, text) in [
        (Fault::MissingSuccessor, "does not tell all moves: one that stays in tier number 1"),
        (Fault::InventedSuccessor, "tells more than the moves: one that leaves tier number 1"),
        (Fault::WrongTurn, "tells more than the moves: one that stays in tier number 1"),
        (Fault::OtherRun, "does not tell all moves: one that stays in tier number 1"),
        (Fault::OtherTurn, "does not tell all moves: one that stays in tier number 1"),
        (Fault::OthersUnasked, "does not tell all moves: one that leaves tier number 1"),
    ] {
        let error = laws::check_tiers(&track(fault), Scope::All).unwrap_err();
        let LawError::Broken { law, ref counterexample } = error else { panic!("{error}") };
        assert_eq!(law, Law::Successors, "{fault:?}");
        assert!(counterexample.contains(text), "{counterexample}");
    }
}

#[test]
fn tiers_that_can_not_be_solved_in_order_are_refused() {
    let error = Solver::new(&track(Fault::TierBeforeItsTime)).tiered().unwrap_err();
    assert!(matches!(error, SolveError::TierOrder { .. }), "{error}");
    let error = Solver::new(&track(Fault::UnannouncedTier)).tiered().unwrap_err();
    let SolveError::UnexpectedTier { state, next } = error else { panic!("{error}") };
    assert_eq!((state.as_str(), next.as_str()), ("(8, First)", "(6, Second)"));
    let error = Solver::new(&track(Fault::None)).max_states(7).tiered().unwrap_err();
    assert_eq!(error, SolveError::TooManyStatesAllowed { states: 8, limit: 7 });
}
