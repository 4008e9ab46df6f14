//! Games that break one law each, and the reports of the check.

mod beginning;
mod walk;

use retrograde::error::{BrokenLaw, LawError};
use retrograde::laws::{self, Law, Laws, Report, Scope};
use retrograde::scheme::{Hashed, Scheme};
use retrograde::{
    Game, Indexed, Notation, NotationError, Numbered, Outcome, Player, SolveError, Solver, scheme,
};

use crate::laws::walk::{Fault, Walk};

/// Checks the laws in the usual numbering.
fn check<G: Numbered + Notation>(game: &G, scope: Scope) -> Result<Report, LawError> {
    Laws::new(game).scope(scope).notation().check()
}

/// Checks the laws on discovered states.
fn check_hashed<G: Notation>(game: &G) -> Result<Report, LawError>
where
    Hashed: Scheme<G>,
{
    Laws::new(game).notation().check_as::<Hashed>()
}

/// The law that is broken, and the counterexample.
fn broken(result: Result<Report, LawError>) -> (Law, String) {
    match result {
        Err(LawError::Broken(BrokenLaw { law, counterexample, .. })) => (law, counterexample),
        other => panic!("nothing was found broken: {other:?}"),
    }
}

#[test]
fn a_lawful_game_passes_and_everything_is_counted() {
    let figures = |checked: Result<Report, LawError>| {
        let report = checked.unwrap();
        assert_eq!(report.drawn_from, None);
        (report.states, report.moves, report.predecessors)
    };
    let fine = Fault::None;
    assert_eq!(figures(check(&Walk::<true, false>(fine), Scope::All)), (12, 18, 18));
    assert_eq!(figures(check(&Walk::<true, true>(fine), Scope::All)), (12, 18, 18));
    assert_eq!(figures(check(&Walk::<true, false, true>(fine), Scope::All)), (12, 18, 18));
    assert_eq!(figures(check(&Walk::<false, true>(fine), Scope::All)), (12, 18, 0));
    // From 5 with the first player to move, 5 and 4 are not reached with the second and the first.
    let report = check_hashed(&Walk::<true, false>(fine)).unwrap();
    assert_eq!((report.states, report.moves), (10, 14));
}

/// A solve checks a few states first, which are all states of a small game.
#[test]
fn broken_promises_about_predecessors_and_degrees_are_noticed_when_solving() {
    let solve = |error: Result<_, SolveError>| match error {
        Err(SolveError::BrokenLaw(BrokenLaw { law, .. })) => law,
        other => panic!("{other:?}"),
    };
    let solved = Solver::new(&Walk::<true, false>(Fault::MissingPredecessor)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Predecessors);
    let solved = Walk::<true, false, true>(Fault::MissingPredecessorIndex);
    let solved = Solver::new(&solved).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Predecessors);
    let solved = Solver::new(&Walk::<true, false>(Fault::WrongDegree)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Degree);
    let solved = Solver::new(&Walk::<true, true>(Fault::RepeatedMove)).solve().map(|_| ());
    assert_eq!(solve(solved), Law::Distinct);
}

#[test]
fn every_fault_of_a_dense_game_is_found_with_its_first_counterexample() {
    type Check = fn(Fault) -> Result<Report, LawError>;
    let given: Check = |fault| check(&Walk::<true, false>(fault), Scope::All);
    let without: Check = |fault| check(&Walk::<false, false>(fault), Scope::All);
    let distinct: Check = |fault| check(&Walk::<true, true>(fault), Scope::All);
    let by_index: Check = |fault| check(&Walk::<true, false, true>(fault), Scope::All);
    let shared = "share an index (by a symmetry, or because their indices collide)";
    let table: &[(Check, Fault, Law, &[&str])] = &[
        (
            given,
            Fault::MissingPredecessor,
            Law::Predecessors,
            &["4+ has a move to 2-, whose predecessors lack it"],
        ),
        (
            given,
            Fault::ExtraPredecessor,
            Law::Predecessors,
            &["4-d is given as a predecessor of 1+, but has no move to it"],
        ),
        (
            by_index,
            Fault::MissingPredecessorIndex,
            Law::Predecessors,
            &[
                "4-, with the other player to move, is a predecessor of 2+ (index 4) by `predecessors`",
            ],
        ),
        (
            by_index,
            Fault::ExtraPredecessorIndex,
            Law::Predecessors,
            &["4+, with the same player to move, is a predecessor of 1+", "not by `predecessors`"],
        ),
        (
            by_index,
            Fault::RepeatedPredecessorIndex,
            Law::Distinct,
            &["visits an index twice for 2+, and returns `Repeats::Never`"],
        ),
        (
            by_index,
            Fault::PredecessorIndexWithOtherTurn,
            Law::Predecessors,
            &["4-, with the other player to move, is a predecessor of 2+", "not by `predecessor_"],
        ),
        (
            by_index,
            Fault::PredecessorIndexBeyondTheEnd,
            Law::Index,
            &["a predecessor of 2+ has index 99 by `predecessor_indices`", "only 12 indices"],
        ),
        (
            without,
            Fault::UnannouncedPredecessors,
            Law::Predecessors,
            &["1-d is given as a predecessor of 0+", "`PREDECESSORS` is false: set it to true"],
        ),
        (
            given,
            Fault::CollidingIndex,
            Law::Index,
            &["`unindex` gives 5+ for index 10, but the index of 5+ is 8"],
        ),
        (
            given,
            Fault::IndexBeyondTheEnd,
            Law::Index,
            &["the game gives 5-d the index 13, but has only 12 indices"],
        ),
        (
            given,
            Fault::DisagreeingUnindex,
            Law::Index,
            &["`unindex` gives 3+ for index 8, but the index of 3+ is 6"],
        ),
        (
            given,
            Fault::UnusedIndex,
            Law::Index,
            &["4-d has index 9, for which `unindex` gives no state"],
        ),
        (
            without,
            Fault::StuckWithoutOutcome,
            Law::NoMoves,
            &["1+ (index 2) is not terminal and has no legal move"],
        ),
        (
            without,
            Fault::SymmetryChangesOutcome,
            Law::Symmetry,
            &["0-d and 0-", shared, "outcomes differ"],
        ),
        (
            without,
            Fault::SymmetryChangesMoves,
            Law::Symmetry,
            &["3-d and 3-", shared, "moves do not lead to the same"],
        ),
        (
            given,
            Fault::WrongDegree,
            Law::Degree,
            &["4+ has 2 distinct successors, and `degree` says 3"],
        ),
        (
            given,
            Fault::WrongPass,
            Law::Index,
            &["`states` and `unindex` differ on the indices from 5 to 8"],
        ),
        (given, Fault::SharedNotation, Law::Notation, &["\"4+\", which reads back as another"]),
        (given, Fault::UnreadableNotation, Law::Notation, &["\"55+\"", "expected 0 to 5"]),
        (distinct, Fault::RepeatedMove, Law::Distinct, &["4+ has 3- twice among its moves"]),
        (
            distinct,
            Fault::RepeatedPredecessor,
            Law::Distinct,
            &["3+ has 4- twice among its predecessors"],
        ),
    ];
    for &(check, fault, expected, parts) in table {
        let (law, counterexample) = broken(check(fault));
        assert_eq!(law, expected, "{fault:?}: {counterexample}");
        for part in parts {
            assert!(counterexample.contains(part), "{fault:?}: {counterexample}");
        }
    }
}

#[test]
fn every_fault_of_an_explored_game_is_found() {
    let table = [
        (Fault::MissingPredecessor, Law::Predecessors, "whose predecessors lack it"),
        (Fault::ExtraPredecessor, Law::Predecessors, "has no move to it"),
        (Fault::SymmetryChangesOutcome, Law::Symmetry, "outcomes differ"),
        (Fault::SymmetryExchangesUnequalColours, Law::Symmetry, "endless play is a win"),
        (Fault::SymmetryWithoutEnd, Law::Symmetry, "but not as its own"),
    ];
    for (fault, expected, part) in table {
        let (law, counterexample) = broken(check_hashed(&Walk::<true, false>(fault)));
        assert_eq!(law, expected, "{fault:?}: {counterexample}");
        assert!(counterexample.contains(part), "{fault:?}: {counterexample}");
    }
    for (fault, expected) in
        [(Fault::StuckWithoutOutcome, Law::NoMoves), (Fault::SymmetryChangesMoves, Law::Symmetry)]
    {
        let result = check_hashed(&Walk::<false, false>(fault));
        assert_eq!(broken(result).0, expected);
    }
}

/// A token on a row of five squares. A player who brings it to the left end wins, and at the right
/// end play is a draw. Yet the numbering folds the two halves of the row into one. No
/// representative has a move to the right end.
struct Row;

impl Game for Row {
    type State = (u8, Player);

    fn turn(&self, &(_, turn): &Self::State) -> Player {
        turn
    }

    fn terminal(&self, &(at, turn): &Self::State) -> Option<Outcome> {
        match at {
            0 => Some(Outcome::Win(turn.opponent())),
            4 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, &(at, turn): &Self::State, mut visit: impl FnMut(Self::State)) {
        visit((at - 1, turn.opponent()));
        visit((at + 1, turn.opponent()));
    }

    fn roots(&self) -> impl IntoIterator<Item = Self::State> {
        [(2, Player::First)]
    }

    fn canonical(&self, &(at, turn): &Self::State) -> Self::State {
        (at.min(4 - at), turn)
    }
}

impl Indexed for Row {
    fn len(&self) -> u64 {
        6
    }

    fn index(&self, state: &Self::State) -> u64 {
        let (at, turn) = self.canonical(state);
        2 * u64::from(at) + turn.index() as u64
    }

    fn unindex(&self, index: u64) -> Option<Self::State> {
        Some(((index / 2) as u8, Player::BOTH[(index % 2) as usize]))
    }
}

impl Numbered for Row {
    type Numberings = scheme::Dense;
}

impl Notation for Row {
    fn write_state(&self, (at, turn): &Self::State) -> String {
        format!("{at}{}", self.player(*turn))
    }

    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError> {
        let (at, turn) = text.split_at(1);
        let turn = Player::BOTH[usize::from(turn == "second")];
        at.parse().map(|at| (at, turn)).map_err(|_| NotationError::new("expected a digit"))
    }
}

#[test]
fn a_symmetry_that_breaks_where_folded_play_never_comes_is_found() {
    for result in [check(&Row, Scope::All), check_hashed(&Row)] {
        let (law, counterexample) = broken(result);
        assert_eq!(law, Law::Symmetry);
        assert!(counterexample.starts_with("4"), "{counterexample}");
    }
}

#[test]
fn a_sample_finds_a_fault_too_and_the_same_seed_draws_the_same() {
    let sample =
        |fault, states, seed| check(&Walk::<true, false>(fault), Scope::Sample { states, seed });
    assert_eq!(broken(sample(Fault::MissingPredecessor, 500, 1)).0, Law::Predecessors);
    let report = sample(Fault::None, 500, 1).unwrap();
    assert_eq!(report.states, 500);
    assert_eq!(sample(Fault::None, 500, 1), Ok(report));
    assert_ne!(sample(Fault::None, 500, 2), Ok(report));
}

#[test]
fn a_broken_law_is_told_with_its_counterexample() {
    let walk = Walk::<true, false>(Fault::MissingPredecessor);
    let error = check(&walk, Scope::All).unwrap_err();
    assert_eq!(
        error.to_string(),
        "broken law: a state is a predecessor of exactly its successors: \
         4+ has a move to 2-, whose predecessors lack it"
    );
}

#[test]
fn without_a_notation_states_are_written_for_programmers() {
    let error = laws::check(&Walk::<true, false>(Fault::MissingPredecessor), Scope::All);
    let (law, counterexample) = broken(error);
    assert_eq!(law, Law::Predecessors);
    assert_eq!(
        counterexample,
        "Token { at: 4, turn: First, dark: false } has a move to \
         Token { at: 2, turn: Second, dark: false }, whose predecessors lack it"
    );
    // A notation that is not used is not checked.
    assert!(laws::check(&Walk::<true, false>(Fault::SharedNotation), Scope::All).is_ok());
}
